//! House rules (the switches of section 4 of the rule notes), chosen when a table is opened.

use crate::rules::Token;

/// The rule for throws before the first 1, which may be dropped (A6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EarlyThrowRule {
    /// When all pieces are in hand; a piece in the fortress counts as on the board (S11).
    #[default]
    DroppedIfAllInHand,
    /// When no piece is on the track.
    DroppedIfNoneOnTrack,
    /// They are never dropped.
    NeverDropped,
}

/// All house rules. The default is the specification without changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools, reason = "each is a house rule of its own")]
pub struct ThaayamOptions {
    /// Pieces of each player, 1 to 4.
    pub pieces: u8,
    /// Whether a player with all pieces in the fortress has won, without bearing off.
    pub ends_in_fortress: bool,
    /// Whether throws are open at once instead of being under the cup until "throw" is pressed.
    pub throws_by_itself: bool,
    /// Whether the fortress needs an exact count (A7).
    pub exact: bool,
    /// Whether a piece kills only on its square at the end of the turn (A5).
    pub kills_at_the_end: bool,
    /// The rule for throws before the first 1, which may be dropped (A6).
    pub early_throws: EarlyThrowRule,
    /// Whether as many throws as possible must be used (A8).
    pub must_use_most: bool,
    /// Whether a kill gives a further series of throws (A18).
    pub kill_again: bool,
    /// Whether the inner track is closed to a player who has not killed yet (A19).
    pub kill_to_go_in: bool,
    /// Whether a 1 may bear off in the turn in which the last piece arrived (A11).
    pub same_turn_bear_off: bool,
    /// Whether the others play on for the places (A26).
    pub play_on: bool,
    /// Whether the turn passes clockwise (A2).
    pub clockwise: bool,
    /// Whether players facing each other are partners (A29).
    pub partners: bool,
    /// Whether foreign pieces outside the palaces cannot be passed (A16).
    pub block_on_path: bool,
}

impl Default for ThaayamOptions {
    fn default() -> Self {
        Self::from_indices(&[0; SWITCHES.len()])
    }
}

/// Names and values of the switches, the default first.
pub const SWITCHES: [(&str, &[&str]); 14] = [
    ("pieces", &["4", "3", "2", "1"]),
    ("finish", &["off", "fortress"]),
    ("throw", &["press", "auto"]),
    ("exact", &["yes", "no"]),
    ("capture", &["each", "final"]),
    ("lost_before_one", &["hand", "track", "never"]),
    ("obligation", &["any", "max"]),
    ("kill_again", &["no", "yes"]),
    ("kill_to_go_in", &["no", "yes"]),
    ("same_turn_bear_off", &["yes", "no"]),
    ("play_on", &["no", "yes"]),
    ("clockwise", &["no", "yes"]),
    ("partners", &["no", "yes"]),
    ("block_on_path", &["no", "yes"]),
];

/// The token of the default options.
const STANDARD: &str = "standard";

impl ThaayamOptions {
    fn from_indices(indices: &[usize; SWITCHES.len()]) -> Self {
        let [pieces, finish, throw, exact, capture, lost, obligation, rest @ ..] = *indices;
        let [again, to_go_in, same_turn, play_on, clockwise, partners, block] = rest;
        Self {
            pieces: 4 - u8::try_from(pieces).unwrap_or(0).min(3),
            ends_in_fortress: finish == 1,
            throws_by_itself: throw == 1,
            exact: exact == 0,
            kills_at_the_end: capture == 1,
            early_throws: match lost {
                0 => EarlyThrowRule::DroppedIfAllInHand,
                1 => EarlyThrowRule::DroppedIfNoneOnTrack,
                _ => EarlyThrowRule::NeverDropped,
            },
            must_use_most: obligation == 1,
            kill_again: again == 1,
            kill_to_go_in: to_go_in == 1,
            same_turn_bear_off: same_turn == 0,
            play_on: play_on == 1,
            clockwise: clockwise == 1,
            partners: partners == 1,
            block_on_path: block == 1,
        }
    }

    fn indices(&self) -> [usize; SWITCHES.len()] {
        let lost = match self.early_throws {
            EarlyThrowRule::DroppedIfAllInHand => 0,
            EarlyThrowRule::DroppedIfNoneOnTrack => 1,
            EarlyThrowRule::NeverDropped => 2,
        };
        [
            usize::from(4 - self.pieces),
            usize::from(self.ends_in_fortress),
            usize::from(self.throws_by_itself),
            usize::from(!self.exact),
            usize::from(self.kills_at_the_end),
            lost,
            usize::from(self.must_use_most),
            usize::from(self.kill_again),
            usize::from(self.kill_to_go_in),
            usize::from(!self.same_turn_bear_off),
            usize::from(self.play_on),
            usize::from(self.clockwise),
            usize::from(self.partners),
            usize::from(self.block_on_path),
        ]
    }
}

impl Token for ThaayamOptions {
    fn write(&self) -> String {
        let mut differing = Vec::new();
        for ((name, values), index) in SWITCHES.iter().zip(self.indices()) {
            if index > 0 {
                differing.push(format!("{name}={}", values[index]));
            }
        }
        if differing.is_empty() { STANDARD.to_owned() } else { differing.join(",") }
    }

    fn read(text: &str) -> Option<Self> {
        let mut indices = [0; SWITCHES.len()];
        if text != STANDARD {
            let mut from = 0;
            for part in text.split(',') {
                let (name, value) = part.split_once('=')?;
                let at = from + SWITCHES[from..].iter().position(|(known, _)| *known == name)?;
                indices[at] = SWITCHES[at].1.iter().skip(1).position(|it| *it == value)? + 1;
                from = at + 1;
            }
        }
        Some(Self::from_indices(&indices))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_written_by_what_differs_and_read_back() {
        assert_eq!(ThaayamOptions::default().write(), "standard");
        for text in ["pieces=2", "pieces=1,finish=fortress,throw=auto", "lost_before_one=track"] {
            assert_eq!(ThaayamOptions::read(text).unwrap().write(), text);
        }
        let wrong = ["", "pieces=4", "pieces=5", "exact", "exact=no,pieces=2", "exact=no,exact=no"];
        assert!(wrong.iter().all(|text| ThaayamOptions::read(text).is_none()));
    }

    #[test]
    fn every_value_of_every_switch_is_an_option() {
        for (name, values) in SWITCHES {
            for value in &values[1..] {
                let text = format!("{name}={value}");
                assert_eq!(ThaayamOptions::read(&text).map(|it| it.write()), Some(text));
            }
        }
    }
}
