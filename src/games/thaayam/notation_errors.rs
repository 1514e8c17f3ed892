//! Errors in records and written positions.

use std::fmt;

use super::board::Colour;
use super::illegal::ThaayamIllegal;

/// An error in a line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThaayamRecordFault {
    /// The game has no such house rules.
    Options(String),
    /// The record has no turn.
    NoTurn,
    /// This number of players cannot play with these house rules.
    Players {
        /// The number of seats.
        seats: u8,
        /// The house rules.
        options: String,
    },
    /// This number of players has other colours.
    Colours(u8),
    /// No colon between throws and plays.
    NoColon,
    /// The turn has no number.
    NoNumber,
    /// The colour of the player is missing.
    NoColour,
    /// The dice cannot show this number.
    NoThrow,
    /// The throws are not a series.
    NoSeries,
    /// The game is over before this throw.
    GameIsOver,
    /// No player is to throw.
    NobodyOnTurn,
    /// This colour is to move.
    OtherTurn(Colour),
    /// An unknown use of a throw.
    NoPlay(String),
    /// The rules refuse the play.
    Refused {
        /// The written play.
        play: String,
        /// The reason.
        why: ThaayamIllegal,
    },
    /// The turn is not complete.
    MoreToPlay,
    /// The play or kill has no throw.
    NothingThrown,
    /// The turn went otherwise: this is the right line.
    OtherTurnLine(String),
    /// The game has another result: these colours have won.
    OtherResult(String),
}

impl fmt::Display for ThaayamRecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ThaayamRecordFault::Options(text) => write!(f, "unknown options {text}"),
            ThaayamRecordFault::NoTurn => write!(f, "there is no turn in this"),
            ThaayamRecordFault::Players { seats, options } => {
                write!(f, "{seats} players cannot play with {options}: set them in the headers")
            }
            ThaayamRecordFault::Colours(seats) => write!(f, "{seats} players have other colours"),
            ThaayamRecordFault::NoColon => write!(f, "a turn needs a colon after its throws"),
            ThaayamRecordFault::NoNumber => {
                write!(f, "a turn begins with its number and a full stop")
            }
            ThaayamRecordFault::NoColour => write!(f, "the player's colour is missing"),
            ThaayamRecordFault::NoThrow => write!(f, "a throw is 1, 2, 3, 4 or 8"),
            ThaayamRecordFault::NoSeries => {
                write!(f, "a series is any 1, 4, 8 and then one 2 or 3")
            }
            ThaayamRecordFault::GameIsOver => write!(f, "the game is over before this turn"),
            ThaayamRecordFault::NobodyOnTurn => write!(f, "no player is to move"),
            ThaayamRecordFault::OtherTurn(colour) => {
                write!(f, "it is the turn of {}", colour.name())
            }
            ThaayamRecordFault::NoPlay(text) => write!(f, "\"{text}\" is not a play"),
            ThaayamRecordFault::Refused { play, why } => write!(f, "\"{play}\" is refused: {why}"),
            ThaayamRecordFault::MoreToPlay => write!(f, "more can be played here"),
            ThaayamRecordFault::NothingThrown => write!(f, "nothing was thrown"),
            ThaayamRecordFault::OtherTurnLine(line) => write!(f, "the turn should be \"{line}\""),
            ThaayamRecordFault::OtherResult(colours) => {
                write!(f, "the record names another winner; {colours} won")
            }
        }
    }
}

impl std::error::Error for ThaayamRecordFault {}

/// An error in a record with its line.
pub type ThaayamRecordError = crate::rules::RecordError<ThaayamRecordFault>;

/// An error in a written position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThaayamPositionFault {
    /// The text is in no known form.
    Unknown(String),
    /// The third word does not name the seats that have killed.
    NoKillers,
    /// There is no such seat.
    NoSeat {
        /// The written seat.
        text: String,
        /// The number of seats.
        seats: u8,
    },
    /// These are not the pieces of this number of seats.
    Pieces {
        /// The written pieces.
        text: String,
        /// The number of seats.
        seats: u8,
    },
    /// A player has no piece left to play with.
    PlayerFinished,
    /// Enemies cannot be on one square there.
    EnemiesTogether,
    /// A piece is inside although its player has not killed, where that is needed.
    InsideWithoutKill,
}

impl fmt::Display for ThaayamPositionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ThaayamPositionFault::Unknown(text) => {
                write!(f, "\"{text}\" is not a position such as ----/aabF 2")
            }
            ThaayamPositionFault::NoKillers => {
                write!(f, "name the seats that have killed as killed=1,3")
            }
            ThaayamPositionFault::NoSeat { text, seats } => {
                write!(f, "{text} is not a seat from 1 to {seats}")
            }
            ThaayamPositionFault::Pieces { text, seats } => {
                write!(f, "{text} are not the pieces of {seats} seats under these rules")
            }
            ThaayamPositionFault::PlayerFinished => write!(f, "a player has already finished"),
            ThaayamPositionFault::EnemiesTogether => {
                write!(f, "enemies share a square outside the palaces")
            }
            ThaayamPositionFault::InsideWithoutKill => {
                write!(f, "a player who has not killed has a piece on the inner track")
            }
        }
    }
}

impl std::error::Error for ThaayamPositionFault {}
