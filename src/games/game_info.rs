//! Data of a game for lobbies and menus.

use super::switches::{self, Switch};

/// Data of a game for lobbies and menus.
#[derive(Debug)]
pub struct GameInfo {
    /// Stored in logs: never changes.
    pub code: &'static str,
    /// The command that opens a table.
    pub command: &'static str,
    /// The fewest and the most players.
    pub seats: (u8, u8),
    /// The house rules to choose from.
    pub switches: &'static [Switch],
    /// `Rules::REVISION`.
    pub revision: u16,
    /// Whether players hold cards that other players must not see.
    pub hidden: bool,
    /// Whether players who sit opposite each other are partners: seats 0 and 2 against 1 and 3.
    pub partners: bool,
}

impl GameInfo {
    /// The token of the default options.
    pub fn default_options(&self) -> String {
        switches::write(&vec![0; self.switches.len()], self.switches)
    }

    /// The token of the options after a setting was changed: `pieces=2`, or a value alone where it
    /// is unambiguous. `None` when there is no such setting.
    pub fn set_switch(&self, options: &str, setting: &str) -> Option<String> {
        switches::set_switch(options, setting, self.switches)
    }

    /// The chosen value of each switch, in the order of [`GameInfo::switches`].
    pub fn switch_values(&self, options: &str) -> Option<Vec<usize>> {
        switches::parse(options, self.switches)
    }
}
