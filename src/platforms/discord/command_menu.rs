//! Slash commands: how they are told to Discord, and only when they changed.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::activity::ENTRY_POINT;
use super::payloads::truncate;

/// The locales Discord's clients have. Kazakh, Kyrgyz, Armenian and Tamil are not among them.
const LOCALES: [&str; 32] = [
    "id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl",
    "no", "pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th",
    "zh-CN", "ja", "zh-TW", "ko",
];

/// Words in several languages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalizedText {
    /// For everybody whose language is not listed.
    pub default: String,
    /// By language (`ru`) or locale (`pt-BR`).
    pub by_locale: BTreeMap<String, String>,
}

impl LocalizedText {
    /// The same words for everybody.
    pub fn same_for_all(text: impl Into<String>) -> Self {
        LocalizedText { default: text.into(), by_locale: BTreeMap::new() }
    }

    /// The same with words for one more language.
    #[must_use]
    pub fn with_locale(mut self, locale: &str, text: impl Into<String>) -> Self {
        self.by_locale.insert(locale.to_owned(), text.into());
        self
    }

    /// The words for a locale: exactly this, else its language, else the default.
    pub fn for_locale(&self, locale: &str) -> &str {
        let language = locale.split('-').next().unwrap_or_default();
        let found = self.by_locale.get(locale).or_else(|| self.by_locale.get(language));
        found.unwrap_or(&self.default)
    }

    /// What differs from the default, for the locales Discord has.
    fn localizations(&self, fit: impl Fn(&str) -> Option<String>) -> Value {
        let listed = LOCALES.iter().filter_map(|locale| {
            let words = self.for_locale(locale);
            let words = (words != self.default).then(|| fit(words)).flatten()?;
            Some(((*locale).to_owned(), Value::String(words)))
        });
        let map: Map<String, Value> = listed.collect();
        if map.is_empty() { Value::Null } else { Value::Object(map) }
    }
}

/// A slash command as the table of commands hands it in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscordMenuCommand {
    /// Lower case, 1–32 letters, digits, `-` or `_`. Translations that are not such are left out.
    pub name: LocalizedText,
    /// At most 100 characters.
    pub description: LocalizedText,
    /// Required ones first, at most 25.
    pub options: Vec<DiscordMenuOption>,
    /// Whether it makes the bot post for everybody, so that it needs the right to.
    pub needs_post_permission: bool,
}

/// An argument of a slash command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscordMenuOption {
    /// As the name of a command.
    pub name: LocalizedText,
    /// At most 100 characters.
    pub description: LocalizedText,
    /// What can be given.
    pub kind: OptionKind,
    /// Whether it must be given.
    pub required: bool,
    /// Whether the command text contains the name before the value: `clock 5 s`.
    pub named: bool,
}

/// What can be given for an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// Somebody; becomes a mention.
    User,
    /// One of at most 25 values; the value becomes a word of the command.
    Choice(Vec<(String, LocalizedText)>),
    /// Any words, with offers while they are typed.
    Text,
}

impl DiscordMenuCommand {
    /// The command as Discord wants it.
    fn to_json(&self) -> Value {
        let options: Vec<Value> = self.options.iter().map(DiscordMenuOption::to_json).collect();
        json!({
            "type": 1,
            "name": self.name.default,
            "name_localizations": self.name.localizations(valid_name),
            "description": truncate(&self.description.default, 100),
            "description_localizations": self.description.localizations(limit_description),
            "options": options,
            // In guilds, in direct messages with the bot, and among people; for guilds that
            // installed it and for people who did.
            "contexts": [0, 1, 2],
            "integration_types": [0, 1],
        })
    }
}

impl DiscordMenuOption {
    fn to_json(&self) -> Value {
        let mut out = json!({
            "type": if self.kind == OptionKind::User { 6 } else { 3 },
            "name": self.name.default,
            "name_localizations": self.name.localizations(valid_name),
            "description": truncate(&self.description.default, 100),
            "description_localizations": self.description.localizations(limit_description),
            "required": self.required,
        });
        match &self.kind {
            OptionKind::User => {}
            OptionKind::Text => out["autocomplete"] = json!(true),
            OptionKind::Choice(choices) => {
                let choice = |(value, label): &(String, LocalizedText)| {
                    json!({
                        "name": truncate(&label.default, 100),
                        "name_localizations": label.localizations(limit_description),
                        "value": value,
                    })
                };
                out["choices"] = choices.iter().take(25).map(choice).collect();
            }
        }
        out
    }
}

fn limit_description(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| truncate(text, 100))
}

fn valid_name(text: &str) -> Option<String> {
    let fine = |it: char| it == '-' || it == '_' || (it.is_alphanumeric() && !it.is_uppercase());
    let length = text.chars().count();
    ((1..=32).contains(&length) && text.chars().all(fine)).then(|| text.to_owned())
}

/// The type of the command by which an Activity is opened.
const ENTRY_POINT_TYPE: u64 = 4;

/// All commands as Discord wants them. That which opens an Activity is ours if there is one, so
/// that its table is known; else it stays as it is, for Discord takes no list without it.
pub(super) fn commands_to_json(
    menu: &[DiscordMenuCommand],
    activity: bool,
    listed: &Value,
) -> Value {
    let mut all: Vec<Value> = menu.iter().map(DiscordMenuCommand::to_json).collect();
    let listed = listed.as_array().into_iter().flatten();
    let standing = listed.into_iter().find(|it| it["type"] == ENTRY_POINT_TYPE);
    let own = || {
        json!({
            "type": ENTRY_POINT_TYPE,
            "name": ENTRY_POINT,
            // The bot answers it, not Discord.
            "handler": 1,
            "contexts": [0, 1, 2],
            "integration_types": [0, 1],
        })
    };
    all.extend(if activity { Some(own()) } else { standing.map(registered_fields) });
    Value::Array(all)
}

/// A command as it stands, with the fields that may be sent.
fn registered_fields(command: &Value) -> Value {
    let sent = ["type", "name", "description", "handler", "contexts", "integration_types"];
    let given = sent.iter().filter(|it| !command[**it].is_null());
    Value::Object(given.map(|it| ((*it).to_owned(), command[*it].clone())).collect())
}

/// Whether what is registered says the same as what is wanted, in any order.
pub(super) fn is_same_menu(wanted: &Value, registered: &Value) -> bool {
    let essence = |list: &Value| -> BTreeMap<String, Value> {
        let commands = list.as_array().into_iter().flatten();
        commands.map(|it| (it["name"].to_string(), normalized(it))).collect()
    };
    essence(wanted) == essence(registered)
}

/// A command, option or choice with the fields we set, absent ones as they are when not set.
fn normalized(node: &Value) -> Value {
    let list = |name: &str| -> Value {
        node[name].as_array().into_iter().flatten().map(normalized).collect()
    };
    let known = [
        "name",
        "name_localizations",
        "description",
        "description_localizations",
        "type",
        "value",
        "contexts",
        "integration_types",
        "handler",
    ];
    let mut out: Map<String, Value> =
        known.iter().map(|it| ((*it).to_owned(), node[*it].clone())).collect();
    // Sets of numbers: Discord may give them back in another order.
    for set in ["contexts", "integration_types"] {
        if let Some(Value::Array(items)) = out.get_mut(set) {
            items.sort_by_key(Value::to_string);
        }
    }
    for flag in ["required", "autocomplete"] {
        out.insert(flag.to_owned(), json!(node[flag] == true));
    }
    for name in ["options", "choices"] {
        out.insert(name.to_owned(), list(name));
    }
    Value::Object(out)
}
