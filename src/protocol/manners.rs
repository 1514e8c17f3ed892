//! How people on a platform are spoken with: what differs in words between platforms, as a value.

use std::collections::BTreeMap;
use std::sync::Arc;

/// How people on a platform are spoken with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manners {
    /// An address by which somebody brings the bot to where their friends are, if there is one.
    pub invitation: Option<String>,
    /// Whether a group to which the bot was brought hears from it at once what it can do.
    pub greets: bool,
    /// Whether it tells of everybody who is named who they are: a name without a person is nobody.
    pub knows_everybody: bool,
    /// What a message begins with by which somebody poses a challenge where the bot is no member,
    /// if there is such a thing.
    pub posing: Option<String>,
    /// Whether people see a list of their tables there all the time.
    pub lists_tables: bool,
    /// How commands are given.
    pub commands: Commands,
}

/// How commands are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Commands {
    /// They are written, with words behind them.
    #[default]
    Written,
    /// They are written, and their names in messages of Latin letters can be pressed on.
    Linked,
    /// They are chosen from a list; these are what their names are called so that people can press
    /// on them.
    Chosen(Arc<BTreeMap<String, String>>),
}

impl Commands {
    /// Whether commands are written, with words behind them: else they are chosen from a list.
    pub fn are_written(&self) -> bool {
        !matches!(self, Commands::Chosen(_))
    }

    /// What a command is called where people can press on its name, if they can: Discord's
    /// `</togyz:7>`.
    pub fn called(&self, name: &str) -> Option<String> {
        match self {
            Commands::Written => None,
            Commands::Linked => Some(format!("/{name}")),
            Commands::Chosen(names) => names.get(name).cloned(),
        }
    }
}
