//! What lobbies and menus need to know of a game.

use super::switches::{self, Switch};

/// What lobbies and menus need to know of a game.
#[derive(Debug)]
pub struct GameInfo {
    /// Stored in logs: never changes.
    pub code: &'static str,
    /// The command that opens a table.
    pub command: &'static str,
    /// How many people play: fewest and most.
    pub seats: (u8, u8),
    /// The house rules to choose from.
    pub switches: &'static [Switch],
    /// `Rules::REVISION`.
    pub revision: u16,
    /// Whether players hold cards that nobody else may see.
    pub hidden: bool,
    /// Whether those who sit opposite each other play together: seats 0 and 2 against 1 and 3.
    pub partners: bool,
}

impl GameInfo {
    /// Token of the options when nobody chose any.
    pub fn default_options(&self) -> String {
        switches::write(&vec![0; self.switches.len()], self.switches)
    }

    /// Token of the options after one setting was changed: `pieces=2`, or a value alone where it
    /// says enough. `None` when there is no such setting.
    pub fn set_switch(&self, options: &str, setting: &str) -> Option<String> {
        switches::set_switch(options, setting, self.switches)
    }

    /// What each switch is set to, in the order of [`GameInfo::rule_switches_view`].
    pub fn switch_values(&self, options: &str) -> Option<Vec<usize>> {
        switches::parse(options, self.switches)
    }
}
