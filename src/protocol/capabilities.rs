//! Describes what a platform can do, where the texts for its users depend on it.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Properties of a platform that affect the texts for its users.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// An address with which a user adds the bot to a group of friends, if there is one.
    pub invite_url: Option<String>,
    /// Such an address that also proposes the rights with which the bot shows all players their
    /// hands at once, if it needs rights for that.
    pub invite_url_for_hands: Option<String>,
    /// Whether the bot greets a group to which it was added with a description of itself.
    pub greets_groups: bool,
    /// Whether the platform resolves every mentioned name to an account: a name without an account
    /// then belongs to no person.
    pub resolves_all_names: bool,
    /// The beginning of a message that sends a challenge in a chat where the bot is not a member,
    /// if the platform supports that.
    pub challenge_prefix: Option<String>,
    /// Whether the bot is the only one that commands can be for, so that each gets an answer.
    pub is_only_bot: bool,
    /// Whether users always see a list of their tables on this platform.
    pub shows_table_list: bool,
    /// Whether nobody else reads a confidential command that is typed in a group.
    pub hides_confidential_commands: bool,
    /// The public address of the web page on which boards are played, if this platform has one.
    pub page_url: Option<String>,
    /// Whether everybody who finds this platform gets accounts: people without a history are guests
    /// there, whose games are not rated.
    pub has_guests: bool,
    /// The way in which commands are entered.
    pub command_style: CommandStyle,
}

/// The way in which commands are entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CommandStyle {
    /// Users type them, with arguments behind.
    #[default]
    Typed,
    /// They are written, and their names in messages of Latin letters can be pressed on.
    TypedWithLinks,
    /// Users choose them from a list; the map has the clickable mention of each command.
    Menu(Arc<BTreeMap<String, String>>),
}

impl CommandStyle {
    /// Whether users type commands with arguments, rather than choose them from a list.
    pub fn are_typed(&self) -> bool {
        !matches!(self, CommandStyle::Menu(_))
    }

    /// Returns a clickable mention of a command, if the platform has such: Discord's `</togyz:7>`.
    pub fn command_mention(&self, name: &str) -> Option<String> {
        match self {
            CommandStyle::Typed => None,
            CommandStyle::TypedWithLinks => Some(format!("/{name}")),
            CommandStyle::Menu(names) => names.get(name).cloned(),
        }
    }
}
