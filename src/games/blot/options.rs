//! House rules as switches: every question that the rule text leaves open, with named answers.
//!
//! The names and values are those of the decisions in the module's documentation. The first value
//! is the default. A table stores [`BlotOptions`]; the engine reads [`House`].

use crate::rules::Token;

/// The number of switches.
const LEN: usize = 27;

/// A switch: its name and its values, the default first.
pub type SwitchSpec = (&'static str, &'static [&'static str]);

const NO_YES: &[&str] = &["false", "true"];

/// Every switch, in the order of the lobby and of the token.
pub const CHOICES: [SwitchSpec; LEN] = [
    ("target", &["301", "151", "101"]),
    ("boy_multiplier", &["124", "235"]),
    ("manual_melds", NO_YES),
    ("undertrump", NO_YES),
    ("kuansh_any_time", NO_YES),
    ("pass_final", NO_YES),
    ("redeal_dealer", &["next", "same"]),
    ("min_bid", &["8", "7", "9", "10"]),
    ("max_bid", &["84", "80", "16"]),
    ("suit_rank", NO_YES),
    ("last_word", NO_YES),
    ("sur_by", &["team", "bidder"]),
    ("bid_after_kuansh", NO_YES),
    ("kaput_min", &["25", "26"]),
    ("kaput_sticky", &["all", "other_team"]),
    ("made_test", &["raw", "rounded"]),
    ("rounding", &["defender6up", "bidder6up", "lower6up", "independent", "floor"]),
    ("fail_keep", &["nothing", "blot"]),
    ("kuansh_keep", &["nothing", "blot"]),
    ("fail_base_kaput", &["25", "16"]),
    ("no_trick_fails", NO_YES),
    ("four_values", &["seed", "aces11"]),
    ("long_runs", &["split", "single"]),
    ("meld_choice", &["value", "strength"]),
    ("tie_turn", &["trick1", "trick2"]),
    ("show_melds", &["counting", "all"]),
    ("both_reach", &["higher", "bidder"]),
];

/// The choices of the lobby: for every switch the index of its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BlotOptions([u8; LEN]);

impl BlotOptions {
    /// The same with one switch set; `None` when there is no such switch or value.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Option<BlotOptions> {
        let at = CHOICES.iter().position(|(known, _)| *known == name)?;
        let chosen = CHOICES[at].1.iter().position(|it| *it == value)?;
        self.0[at] = u8::try_from(chosen).ok()?;
        Some(self)
    }

    /// The value of a switch by name; the empty text for an unknown one.
    pub fn value(&self, name: &str) -> &'static str {
        let at = CHOICES.iter().position(|(known, _)| *known == name);
        at.map_or("", |at| CHOICES[at].1[usize::from(self.0[at])])
    }

    /// Every switch that is not at its default, with its value.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let values = CHOICES.iter().zip(self.0).filter(|(_, chosen)| *chosen > 0);
        values.map(|((name, values), chosen)| (*name, values[usize::from(chosen)]))
    }

    fn number(&self, name: &str) -> u8 {
        self.value(name).parse().unwrap_or(0)
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.value(name) == value
    }

    /// The house rules as the engine reads them.
    pub fn house(&self) -> House {
        House {
            target: self.value("target").parse().unwrap_or(301),
            boy_multiplier: if self.is("boy_multiplier", "235") { [2, 3, 5] } else { [1, 2, 4] },
            manual_melds: self.is("manual_melds", "true"),
            undertrump: self.is("undertrump", "true"),
            kuansh_any_time: self.is("kuansh_any_time", "true"),
            pass_final: self.is("pass_final", "true"),
            redeal_same: self.is("redeal_dealer", "same"),
            min_bid: self.number("min_bid"),
            max_bid: self.number("max_bid"),
            suit_rank: self.is("suit_rank", "true"),
            last_word: self.is("last_word", "true"),
            sur_by_bidder: self.is("sur_by", "bidder"),
            bid_after_kuansh: self.is("bid_after_kuansh", "true"),
            kaput_min: self.number("kaput_min"),
            kaput_binds_own: self.is("kaput_sticky", "all"),
            made_rounded: self.is("made_test", "rounded"),
            rounding: match self.value("rounding") {
                "bidder6up" => Rounding::Bidder6Up,
                "lower6up" => Rounding::Lower6Up,
                "independent" => Rounding::Independent,
                "floor" => Rounding::Floor,
                _ => Rounding::Defender6Up,
            },
            fail_keeps_blot: self.is("fail_keep", "blot"),
            kuansh_keeps_blot: self.is("kuansh_keep", "blot"),
            fail_base_kaput: self.number("fail_base_kaput").into(),
            no_trick_fails: self.is("no_trick_fails", "true"),
            aces11: self.is("four_values", "aces11"),
            long_runs_single: self.is("long_runs", "single"),
            meld_strength: self.is("meld_choice", "strength"),
            tie_trick2: self.is("tie_turn", "trick2"),
            show_all: self.is("show_melds", "all"),
            both_reach_bidder: self.is("both_reach", "bidder"),
        }
    }
}

impl Token for BlotOptions {
    fn write(&self) -> String {
        let all: Vec<String> =
            self.changed().map(|(name, value)| format!("{name}={value}")).collect();
        if all.is_empty() { "standard".to_owned() } else { all.join(",") }
    }

    fn read(text: &str) -> Option<Self> {
        let mut options = BlotOptions::default();
        if text != "standard" {
            for part in text.split(',') {
                let (name, value) = part.split_once('=')?;
                options = options.with(name, value)?;
            }
        }
        (options.write() == text).then_some(options)
    }
}

/// The division of both sides' card points by ten (decision D13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Together 16; six goes up for the defenders.
    Defender6Up,
    /// Together 16; six goes up for the bidders.
    Bidder6Up,
    /// Together 16; six goes up for the side with fewer points.
    Lower6Up,
    /// Each side for itself, six goes up; together 17 when both end in six.
    Independent,
    /// Each side for itself, nothing goes up.
    Floor,
}

/// The house rules of a match, one field a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct House {
    /// Points that win the match (D32).
    pub target: u16,
    /// The multiplier of the bid in boy: alone, after kuansh, after sur (D17).
    pub boy_multiplier: [u16; 3],
    /// Combinations are announced and shown by hand (D23).
    pub manual_melds: bool,
    /// A player who cannot overtrump must undertrump (D26).
    pub undertrump: bool,
    /// Kuansh may be called out of turn (D8).
    pub kuansh_any_time: bool,
    /// A player who passed may not call again (D6).
    pub pass_final: bool,
    /// After four passes the same player deals again (D5).
    pub redeal_same: bool,
    /// The lowest bid (D1).
    pub min_bid: u8,
    /// The highest bid (D2).
    pub max_bid: u8,
    /// An equal number in a higher suit is a higher bid (D3).
    pub suit_rank: bool,
    /// After three passes the last bidder may raise his own bid, in any suit (D4).
    pub last_word: bool,
    /// Only the bidder himself may answer a kuansh with sur (D8).
    pub sur_by_bidder: bool,
    /// Bidding goes on after a kuansh (D8).
    pub bid_after_kuansh: bool,
    /// The lowest number of a kaput bid (D9).
    pub kaput_min: u8,
    /// A kaput obliges the own side to bid kaput too (D10).
    pub kaput_binds_own: bool,
    /// The bid is compared with rounded points (D12).
    pub made_rounded: bool,
    /// The division of card points by ten (D13).
    pub rounding: Rounding,
    /// A side that goes under keeps its own blot-reblot (D15).
    pub fail_keeps_blot: bool,
    /// A side that loses a kuansh keeps its own blot-reblot (D15).
    pub kuansh_keeps_blot: bool,
    /// The number that replaces 16 when the winners of a failed or kuansh round took every trick
    /// (D16).
    pub fail_base_kaput: u16,
    /// Bidders without a trick go under with any combinations (D18).
    pub no_trick_fails: bool,
    /// Aces 11 with a trump; in boy jacks 10 and nines nothing (D31).
    pub aces11: bool,
    /// A run of eight is a single hundred (D20).
    pub long_runs_single: bool,
    /// Of overlapping combinations the strongest counts, not the dearest (D21).
    pub meld_strength: bool,
    /// Equal combinations: first in turn at the second trick, not at the first (D22).
    pub tie_trick2: bool,
    /// All players show, not only the side whose combinations count (R41, R42).
    pub show_all: bool,
    /// If both sides reach the target, the bidders win (D28).
    pub both_reach_bidder: bool,
}

impl House {
    /// The card, from 1, with which combinations can be shown at the latest.
    pub fn last_showing_card(&self) -> u8 {
        if self.manual_melds { 3 } else { 2 }
    }
}

impl Default for House {
    fn default() -> Self {
        BlotOptions::default().house()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_written_as_differences_from_the_default() {
        let options = BlotOptions::default();
        assert_eq!(options.write(), "standard");
        let options = options.with("boy_multiplier", "235").unwrap().with("target", "101").unwrap();
        assert_eq!(options.write(), "target=101,boy_multiplier=235");
        assert_eq!(BlotOptions::read("target=101,boy_multiplier=235"), Some(options));
        for wrong in ["", "target=301", "boy_multiplier=235,target=101", "x=1", "target=7"] {
            assert_eq!(BlotOptions::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_defaults_follow_the_decisions() {
        let house = House::default();
        assert_eq!((house.target, house.min_bid, house.max_bid, house.kaput_min), (301, 8, 84, 25));
        assert_eq!((house.boy_multiplier, house.fail_base_kaput), ([1, 2, 4], 25));
        assert_eq!(house.rounding, Rounding::Defender6Up);
    }
}
