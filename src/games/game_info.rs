//! Data of a game for lobbies and menus.

use std::ops::RangeInclusive;

use super::switches::{self, Switch};
use super::table_match::{GameRefusal, UNKNOWN_HOUSE_RULE};
use super::text::{Arg, Text};

/// How many players a game takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatLimits {
    /// The fewest players.
    pub fewest: u8,
    /// The most players.
    pub most: u8,
}

impl SeatLimits {
    /// The limits of a game for exactly so many players.
    pub const fn exactly(seats: u8) -> Self {
        SeatLimits { fewest: seats, most: seats }
    }

    /// All possible numbers of players, in order.
    pub fn range(self) -> RangeInclusive<u8> {
        self.fewest..=self.most
    }

    /// Whether so many people can play.
    pub fn contains(self, seats: u8) -> bool {
        self.range().contains(&seats)
    }
}

/// Data of a game for lobbies and menus.
#[derive(Debug)]
pub struct GameInfo {
    /// Stored in logs: never changes.
    pub code: &'static str,
    /// The command that opens a table.
    pub command: &'static str,
    /// How many players it takes.
    pub seats: SeatLimits,
    /// The house rules to choose from.
    pub switches: &'static [Switch],
    /// `Rules::REVISION`.
    pub revision: u16,
    /// Whether dice or cards decide, too.
    pub has_chance: bool,
    /// Whether players hold cards that other players must not see.
    pub hidden: bool,
    /// Whether players who sit opposite each other are partners: seats 0 and 2 against 1 and 3.
    pub partners: bool,
    /// The name of the computer player that reviews finished games.
    pub reviewer: &'static str,
}

impl GameInfo {
    /// The name of the game.
    pub fn name_text(&self) -> Text {
        Text::new(format!("game-{}", self.code))
    }

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

    /// The key of the name of a house rule.
    pub fn switch_key(&self, switch: &Switch) -> String {
        format!("switch-{}-{}", self.code, switch.name.replace('_', "-"))
    }

    /// The key of the name of a value of a house rule.
    pub fn switch_value_key(&self, switch: &Switch, value: &str) -> String {
        format!("{}-{}", self.switch_key(switch), value.replace('_', "-"))
    }

    /// Explains that a house rule is unknown, with the ones that exist: their names, or the values
    /// of the only one, which has no name.
    pub fn unknown_house_rule(&self) -> Text {
        let keys: Vec<String> = match self.switches {
            [only] => only.values.iter().map(|it| self.switch_value_key(only, it)).collect(),
            all => all.iter().map(|it| self.switch_key(it)).collect(),
        };
        let rules = keys.into_iter().map(|key| Text::new(key).into()).collect();
        Text::new(UNKNOWN_HOUSE_RULE).with("rules", Arg::List(rules))
    }

    /// Explains why a match cannot start.
    pub fn start_refusal(&self, refused: &GameRefusal) -> Text {
        match refused.key {
            UNKNOWN_HOUSE_RULE => self.unknown_house_rule(),
            other => Text::new(other),
        }
    }
}
