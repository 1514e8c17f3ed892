//! How people on a platform are spoken with: what differs in words between platforms, as a value.

use std::collections::BTreeMap;
use std::sync::Arc;

/// How people on a platform are spoken with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// An address by which somebody brings the bot to where their friends are, if there is one.
    pub invite_url: Option<String>,
    /// Whether a group to which the bot was brought hears from it at once what it can do.
    pub greets_groups: bool,
    /// Whether it tells of everybody who is named who they are: a name without a person is nobody.
    pub resolves_all_names: bool,
    /// What a message begins with by which somebody poses a challenge where the bot is no member,
    /// if there is such a thing.
    pub challenge_prefix: Option<String>,
    /// Whether people see a list of their tables there all the time.
    pub shows_table_list: bool,
    /// How commands are given.
    pub command_style: CommandStyle,
}

/// How commands are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CommandStyle {
    /// They are written, with words behind them.
    #[default]
    Typed,
    /// They are written, and their names in messages of Latin letters can be pressed on.
    TypedWithLinks,
    /// They are chosen from a list; these are what their names are called so that people can press
    /// on them.
    Menu(Arc<BTreeMap<String, String>>),
}

impl CommandStyle {
    /// Whether commands are written, with words behind them: else they are chosen from a list.
    pub fn are_typed(&self) -> bool {
        !matches!(self, CommandStyle::Menu(_))
    }

    /// What a command is called where people can press on its name, if they can: Discord's
    /// `</togyz:7>`.
    pub fn command_mention(&self, name: &str) -> Option<String> {
        match self {
            CommandStyle::Typed => None,
            CommandStyle::TypedWithLinks => Some(format!("/{name}")),
            CommandStyle::Menu(names) => names.get(name).cloned(),
        }
    }
}
