//! Registers the slash commands with Discord, only when they have changed.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use serenity::all::{CommandData, CommandDataOption, CommandDataOptionValue};

use super::activity::ENTRY_POINT;
use super::command_mentions::CommandMentions;
use super::payloads::truncate;

/// The locales Discord's clients have. Kazakh, Kyrgyz, Armenian and Tamil are not among them.
const LOCALES: [&str; 32] = [
    "id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl",
    "no", "pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th",
    "zh-CN", "ja", "zh-TW", "ko",
];

/// A text in several languages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalizedText {
    /// For users whose language is not listed.
    pub default: String,
    /// By language (`ru`) or locale (`pt-BR`).
    pub by_locale: BTreeMap<String, String>,
}

impl LocalizedText {
    /// Creates a text that is the same in all languages.
    pub fn same_for_all(text: impl Into<String>) -> Self {
        LocalizedText { default: text.into(), by_locale: BTreeMap::new() }
    }

    /// Adds the text of one more language.
    #[must_use]
    pub fn with_locale(mut self, locale: &str, text: impl Into<String>) -> Self {
        self.by_locale.insert(locale.to_owned(), text.into());
        self
    }

    /// Returns the text for a locale: that of the exact locale, else of its language, else the
    /// default.
    pub fn for_locale(&self, locale: &str) -> &str {
        let language = locale.split('-').next().unwrap_or_default();
        let found = self.by_locale.get(locale).or_else(|| self.by_locale.get(language));
        found.unwrap_or(&self.default)
    }

    /// Returns the texts that differ from the default, for Discord's locales.
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

/// An entry at the top level of the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiscordMenuEntry {
    /// A command that can be used by itself.
    Command(DiscordMenuCommand),
    /// A command that has subcommands and cannot be used by itself.
    Group(DiscordMenuGroup),
}

/// A slash command with subcommands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscordMenuGroup {
    /// Same rules as for the name of a command.
    pub name: LocalizedText,
    /// At most 100 characters.
    pub description: LocalizedText,
    /// 1–25 subcommands.
    pub subcommands: Vec<DiscordMenuCommand>,
}

/// A slash command or subcommand to register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscordMenuCommand {
    /// The name in updates. No two commands have the same.
    pub command: String,
    /// Lower case, 1–32 letters, digits, `-` or `_`. Other translations are left out.
    pub name: LocalizedText,
    /// At most 100 characters.
    pub description: LocalizedText,
    /// Required options first, at most 25.
    pub options: Vec<DiscordMenuOption>,
    /// Whether the command posts a public message, so that the bot needs the permission to do so.
    pub needs_post_permission: bool,
}

/// An argument of a slash command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscordMenuOption {
    /// Same rules as for the name of a command.
    pub name: LocalizedText,
    /// At most 100 characters.
    pub description: LocalizedText,
    /// The kind of value.
    pub kind: OptionKind,
    /// Whether the option is required.
    pub required: bool,
}

/// The kind of value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// A user; becomes a mention.
    User,
    /// One of at most 25 values; the value becomes a word of the command.
    Choice(Vec<(String, LocalizedText)>),
    /// Any text, with suggestions while it is typed.
    Text,
}

impl DiscordMenuEntry {
    /// Converts the entry to Discord's format.
    fn to_json(&self) -> Value {
        let mut out = match self {
            Self::Command(command) => command.to_json(),
            Self::Group(group) => group.to_json(),
        };
        // In servers, in direct messages with the bot, and in conversations among users; for
        // servers that installed it and for users who did.
        out["contexts"] = json!([0, 1, 2]);
        out["integration_types"] = json!([0, 1]);
        out
    }
}

impl DiscordMenuGroup {
    fn to_json(&self) -> Value {
        json!({
            "type": COMMAND_TYPE,
            "name": self.name.default,
            "name_localizations": self.name.localizations(valid_name),
            "description": truncate(&self.description.default, 100),
            "description_localizations": self.description.localizations(limit_description),
            "options": self.subcommands.iter().map(DiscordMenuCommand::to_json).collect::<Value>(),
        })
    }
}

impl DiscordMenuCommand {
    /// Converts the command to Discord's format. Commands and subcommands have the same type.
    fn to_json(&self) -> Value {
        json!({
            "type": COMMAND_TYPE,
            "name": self.name.default,
            "name_localizations": self.name.localizations(valid_name),
            "description": truncate(&self.description.default, 100),
            "description_localizations": self.description.localizations(limit_description),
            "options": self.options.iter().map(DiscordMenuOption::to_json).collect::<Value>(),
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

/// The type of a slash command, and of a subcommand among the options of its group.
const COMMAND_TYPE: u64 = 1;
/// The type of the command that opens an Activity.
const ENTRY_POINT_TYPE: u64 = 4;

/// Converts all commands to Discord's format. If there is an Activity, the bot itself handles the
/// command that opens it, so that the table is known; otherwise the registered one is kept, because
/// Discord accepts no list without it.
pub(super) fn commands_to_json(menu: &[DiscordMenuEntry], activity: bool, listed: &Value) -> Value {
    let mut all: Vec<Value> = menu.iter().map(DiscordMenuEntry::to_json).collect();
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

/// Returns a registered command with the fields that may be sent.
fn registered_fields(command: &Value) -> Value {
    let sent = ["type", "name", "description", "handler", "contexts", "integration_types"];
    let given = sent.iter().filter(|it| !command[**it].is_null());
    Value::Object(given.map(|it| ((*it).to_owned(), command[*it].clone())).collect())
}

/// A command that a user gave: the name in updates, its options, and its declaration if the menu
/// has it.
pub(super) struct GivenCommand<'a> {
    pub name: &'a str,
    pub options: &'a [CommandDataOption],
    pub declared: Option<&'a DiscordMenuCommand>,
}

impl<'a> GivenCommand<'a> {
    /// Finds the command or subcommand of an interaction. A client may still send a command that an
    /// earlier version declared at the top level: its name in updates is the same.
    pub fn find(data: &'a CommandData, menu: &'a [DiscordMenuEntry]) -> Self {
        let nested = data.options.first().and_then(|it| match &it.value {
            CommandDataOptionValue::SubCommand(options) => Some((it.name.as_str(), options)),
            _ => None,
        });
        let Some((name, options)) = nested else {
            let declared = commands_of(menu).find(|(_, it)| it.command == data.name);
            let declared = declared.map(|(_, it)| it);
            return GivenCommand { name: &data.name, options: &data.options, declared };
        };
        let is_given = |(group, it): &(Option<&str>, &DiscordMenuCommand)| {
            *group == Some(data.name.as_str()) && it.name.default == name
        };
        let declared = commands_of(menu).find(is_given).map(|(_, it)| it);
        GivenCommand { name: declared.map_or(name, |it| &it.command), options, declared }
    }
}

/// Returns all commands with the name of their group.
fn commands_of(
    menu: &[DiscordMenuEntry],
) -> impl Iterator<Item = (Option<&str>, &DiscordMenuCommand)> {
    menu.iter().flat_map(|entry| {
        let (group, commands) = match entry {
            DiscordMenuEntry::Command(command) => (None, std::slice::from_ref(command)),
            DiscordMenuEntry::Group(group) => {
                (Some(group.name.default.as_str()), group.subcommands.as_slice())
            }
        };
        commands.iter().map(move |it| (group, it))
    })
}

/// Returns the clickable mentions of the commands by their names in updates: `</play:7>`,
/// `</table draw:8>`. The registered commands have the ids.
pub(super) fn command_mentions(menu: &[DiscordMenuEntry], registered: &Value) -> CommandMentions {
    let id = |name: &str| {
        let mut known = registered.as_array().into_iter().flatten();
        known.find(|it| it["name"] == name)?["id"].as_str()
    };
    let mention = |(group, command): (Option<&str>, &DiscordMenuCommand)| {
        let name = &command.name.default;
        let mention = match group {
            Some(group) => format!("</{group} {name}:{}>", id(group)?),
            None => format!("</{name}:{}>", id(name)?),
        };
        Some((command.command.clone(), mention))
    };
    commands_of(menu).filter_map(mention).collect()
}

/// Whether the registered commands equal the wanted ones, in any order.
pub(super) fn is_same_menu(wanted: &Value, registered: &Value) -> bool {
    let essence = |list: &Value| -> BTreeMap<String, Value> {
        let commands = list.as_array().into_iter().flatten();
        commands.map(|it| (it["name"].to_string(), normalized(it))).collect()
    };
    essence(wanted) == essence(registered)
}

/// Reduces a command, option or choice to the fields that we set; absent fields get their defaults.
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
    // Discord may return these sets of numbers in another order.
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
