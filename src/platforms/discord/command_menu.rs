//! Registers the slash commands with Discord, only when they have changed.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use serenity::all::{
    CommandData, CommandDataOption, CommandDataOptionValue, CommandOptionType, CommandType,
    CreateCommand, CreateCommandOption, EntryPointHandlerType, InstallationContext,
    InteractionContext,
};

use super::activity::ENTRY_POINT;
use super::command_mentions::CommandMentions;
use super::payloads::truncate;
use super::rest_client::to_json;

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
    fn localizations(
        &self,
        fit: impl Fn(&str) -> Option<String>,
    ) -> impl Iterator<Item = (&'static str, String)> {
        LOCALES.into_iter().filter_map(move |locale| {
            let words = self.for_locale(locale);
            let words = (words != self.default).then(|| fit(words)).flatten()?;
            Some((locale, words))
        })
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
    /// Converts the entry to a top-level command of Discord.
    fn to_command(&self) -> CreateCommand {
        let (name, description, options) = match self {
            Self::Command(it) => (&it.name, &it.description, it.create_options()),
            Self::Group(it) => {
                let subcommands = it.subcommands.iter().map(DiscordMenuCommand::to_subcommand);
                (&it.name, &it.description, subcommands.collect())
            }
        };
        let mut command = CreateCommand::new(&name.default)
            .kind(CommandType::ChatInput)
            .description(truncate(&description.default, 100))
            .set_options(options)
            .contexts(CONTEXTS.to_vec())
            .integration_types(INSTALLATIONS.to_vec());
        for (locale, text) in name.localizations(valid_name) {
            command = command.name_localized(locale, text);
        }
        for (locale, text) in description.localizations(limit_description) {
            command = command.description_localized(locale, text);
        }
        command
    }
}

impl DiscordMenuCommand {
    /// Converts the command to a subcommand of a group.
    fn to_subcommand(&self) -> CreateCommandOption {
        create_option(CommandOptionType::SubCommand, &self.name, &self.description)
            .set_sub_options(self.create_options())
    }

    fn create_options(&self) -> Vec<CreateCommandOption> {
        self.options.iter().map(DiscordMenuOption::to_option).collect()
    }
}

impl DiscordMenuOption {
    fn to_option(&self) -> CreateCommandOption {
        let kind = match self.kind {
            OptionKind::User => CommandOptionType::User,
            OptionKind::Choice(_) | OptionKind::Text => CommandOptionType::String,
        };
        let option = create_option(kind, &self.name, &self.description).required(self.required);
        match &self.kind {
            OptionKind::User => option,
            OptionKind::Text => option.set_autocomplete(true),
            OptionKind::Choice(choices) => {
                choices.iter().take(25).fold(option, |option, (value, label)| {
                    let name = truncate(&label.default, 100);
                    let localized = label.localizations(limit_description);
                    option.add_string_choice_localized(name, value, localized)
                })
            }
        }
    }
}

/// Creates an option or subcommand.
fn create_option(
    kind: CommandOptionType,
    name: &LocalizedText,
    description: &LocalizedText,
) -> CreateCommandOption {
    let text = truncate(&description.default, 100);
    let mut option = CreateCommandOption::new(kind, &name.default, text);
    for (locale, text) in name.localizations(valid_name) {
        option = option.name_localized(locale, text);
    }
    for (locale, text) in description.localizations(limit_description) {
        option = option.description_localized(locale, text);
    }
    option
}

fn limit_description(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| truncate(text, 100))
}

fn valid_name(text: &str) -> Option<String> {
    let fine = |it: char| it == '-' || it == '_' || (it.is_alphanumeric() && !it.is_uppercase());
    let length = text.chars().count();
    ((1..=32).contains(&length) && text.chars().all(fine)).then(|| text.to_owned())
}

/// Commands can be used in servers, in direct messages with the bot, and in conversations among
/// users.
const CONTEXTS: [InteractionContext; 3] =
    [InteractionContext::Guild, InteractionContext::BotDm, InteractionContext::PrivateChannel];
/// Commands are for servers that installed the bot and for users who did.
const INSTALLATIONS: [InstallationContext; 2] =
    [InstallationContext::Guild, InstallationContext::User];

/// Converts all commands to Discord's format. If there is an Activity, the bot itself handles the
/// command that opens it, so that the table is known; otherwise the registered one is kept, because
/// Discord accepts no list without it.
pub(super) fn commands_to_json(menu: &[DiscordMenuEntry], activity: bool, listed: &Value) -> Value {
    let given = |command: CreateCommand| without_defaults(to_json(&command));
    let mut all: Vec<Value> = menu.iter().map(|it| given(it.to_command())).collect();
    let listed = listed.as_array().into_iter().flatten();
    let entry_point = u8::from(CommandType::PrimaryEntryPoint);
    let standing = listed.into_iter().find(|it| it["type"] == entry_point);
    let own = || {
        // The bot answers it, not Discord.
        let command = CreateCommand::new(ENTRY_POINT)
            .kind(CommandType::PrimaryEntryPoint)
            .handler(EntryPointHandlerType::AppHandler)
            .contexts(CONTEXTS.to_vec())
            .integration_types(INSTALLATIONS.to_vec());
        given(command)
    };
    all.extend(if activity { Some(own()) } else { standing.map(registered_fields) });
    Value::Array(all)
}

/// Removes fields with their default values. serenity writes all fields of an option, also those
/// that Discord's specification does not have for its type.
fn without_defaults(node: Value) -> Value {
    let is_default = |it: &Value| match it {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    };
    match node {
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(_, it)| !is_default(it));
            Value::Object(fields.map(|(name, it)| (name, without_defaults(it))).collect())
        }
        Value::Array(items) => items.into_iter().map(without_defaults).collect(),
        other => other,
    }
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
        out.insert(flag.to_owned(), Value::Bool(node[flag] == true));
    }
    for name in ["options", "choices"] {
        out.insert(name.to_owned(), list(name));
    }
    Value::Object(out)
}
