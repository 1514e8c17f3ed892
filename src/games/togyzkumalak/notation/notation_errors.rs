//! Errors in written positions, moves and records.

use std::fmt;

use super::super::position::{BadPosition, Sown};
use super::super::view::TogyzkumalakEnd;
use super::position::{Diagram, START_TEXT};

/// An error in a written position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TogyzkumalakPositionFault {
    /// The text is in no known form.
    Unknown(String),
    /// No game can reach this position.
    Impossible(BadPosition),
    /// The side to move has no stones, but the other has.
    NoStones {
        /// The side to move, 0 or 1.
        side: u8,
    },
    /// The text says that the game is over, but it is not.
    NotFinished,
}

impl fmt::Display for TogyzkumalakPositionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TogyzkumalakPositionFault::Unknown(text) => {
                write!(f, "\"{text}\" is not a position such as {START_TEXT}")
            }
            TogyzkumalakPositionFault::Impossible(why) => why.fmt(f),
            TogyzkumalakPositionFault::NoStones { side } => {
                let (player, other) = (player(*side), player(1 - (*side & 1)));
                write!(f, "the {player} player has no stones to move: the {other} player moves")
            }
            TogyzkumalakPositionFault::NotFinished => {
                write!(f, "the position is marked as finished but could be played on")
            }
        }
    }
}

impl std::error::Error for TogyzkumalakPositionFault {}

/// An error in a written move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveFault {
    /// The game is over before this move.
    GameIsOver,
    /// This side has no stones to sow there; pits from 0.
    EmptyPit {
        /// The side, 0 or 1.
        side: u8,
        /// Whether it would be the extra move of an atsyrau.
        extra: bool,
        /// The pit, from 0.
        pit: u8,
    },
    /// The other side is to move.
    OtherTurn {
        /// The side to move, 0 or 1.
        side: u8,
    },
    /// The last stone falls elsewhere.
    OtherPit {
        /// The effect of the move.
        sown: Sown,
        /// The written pit.
        said: u8,
    },
    /// The last stone falls on the other side.
    OtherSide {
        /// The pit sown from, from 0.
        from: u8,
    },
    /// No tuzdyk is made.
    NoTuzdyk {
        /// The pit, from 0.
        pit: u8,
    },
    /// It is marked as an extra move but is none.
    NotExtra,
    /// The number is neither the kazan nor the gain.
    OtherCount {
        /// The stones in the kazan afterwards.
        kazan: u8,
        /// The gain of the move.
        gained: u8,
        /// The written number.
        said: u16,
    },
}

impl fmt::Display for MoveFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveFault::GameIsOver => write!(f, "the game is already over"),
            MoveFault::EmptyPit { side, extra, pit } => {
                let extra = if *extra { " (extra move)" } else { "" };
                let player = player(*side);
                let pit = pit + 1;
                write!(f, "the {player} player{extra} cannot sow from pit {pit}, which is empty")
            }
            MoveFault::OtherTurn { side } => write!(f, "it is the {} player's turn", player(*side)),
            MoveFault::OtherPit { sown, said } => write!(
                f,
                "the last of {} stones from pit {} falls into pit {}, not {}",
                sown.stones,
                sown.from + 1,
                sown.to + 1,
                said + 1
            ),
            MoveFault::OtherSide { from } => {
                write!(f, "the last stone from pit {} falls on the other side", from + 1)
            }
            MoveFault::NoTuzdyk { pit } => write!(f, "no tuzdyk is made in pit {}", pit + 1),
            MoveFault::NotExtra => write!(f, "this is not an extra move"),
            MoveFault::OtherCount { kazan, gained, said } => {
                write!(f, "the kazan holds {kazan} after gaining {gained}, not {said}")
            }
        }
    }
}

impl std::error::Error for MoveFault {}

/// An error in a line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TogyzkumalakRecordFault {
    /// The record has no game.
    NoGame,
    /// A brace is not closed.
    OpenComment,
    /// A malformed diagram.
    BadDiagram,
    /// A malformed move.
    NoMove(String),
    /// The initial position is wrong.
    Position(TogyzkumalakPositionFault),
    /// A move is not possible, or not as claimed; counted from 1.
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The error.
        why: MoveFault,
    },
    /// A number of a move is wrong.
    OtherNumber {
        /// The written number.
        said: u32,
        /// The right number.
        expected: u32,
    },
    /// A move after the end of the game; counted from 1.
    AfterEnd {
        /// The number of the move, from 1.
        number: usize,
        /// The reason why the game had ended.
        end: TogyzkumalakEnd,
    },
    /// The position differs from the diagram: this is the right diagram.
    OtherDiagram(Diagram),
    /// The game ended with these stones.
    OtherResult([u8; 2]),
    /// There is no such variant.
    UnknownVariant(String),
}

impl fmt::Display for TogyzkumalakRecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TogyzkumalakRecordFault::NoGame => write!(f, "there is no game in this"),
            TogyzkumalakRecordFault::OpenComment => write!(f, "a comment is never closed"),
            TogyzkumalakRecordFault::BadDiagram => {
                write!(f, "this diagram is not two kazans and two rows of nine")
            }
            TogyzkumalakRecordFault::NoMove(word) => write!(f, "\"{word}\" is not a move"),
            TogyzkumalakRecordFault::Position(why) => why.fmt(f),
            TogyzkumalakRecordFault::Move { number, why } => write!(f, "move {number}: {why}"),
            TogyzkumalakRecordFault::OtherNumber { said, expected } => {
                write!(f, "the number of the next move is {expected}, not {said}")
            }
            TogyzkumalakRecordFault::AfterEnd { number, end } => {
                write!(f, "move {number} comes after the end of the game: {}", how_it_ended(*end))?;
                match number - 1 {
                    0 => write!(f, " in the position from which it began"),
                    last => write!(f, " with move {last}"),
                }
            }
            TogyzkumalakRecordFault::OtherDiagram(real) => {
                let real = real.write();
                write!(f, "the diagram differs from the game, which is at {real}")
            }
            TogyzkumalakRecordFault::OtherResult([first, second]) => {
                write!(f, "the game ended {first}-{second}, not so")
            }
            TogyzkumalakRecordFault::UnknownVariant(name) => {
                write!(f, "there is no variant \"{name}\"")
            }
        }
    }
}

impl std::error::Error for TogyzkumalakRecordFault {}

/// An error in a record with its line.
pub type TogyzkumalakRecordError = crate::rules::RecordError<TogyzkumalakRecordFault>;

/// The end of a game as part of a sentence.
fn how_it_ended(end: TogyzkumalakEnd) -> &'static str {
    match end {
        TogyzkumalakEnd::Majority => "a player had 82 stones or more",
        TogyzkumalakEnd::Atsyrau { .. } => "a side had no stones left",
        TogyzkumalakEnd::Repetition => {
            "it was drawn when the same position came up for the third time"
        }
    }
}

fn player(side: u8) -> &'static str {
    ["first", "second"][usize::from(side & 1)]
}
