//! What can be wrong with records and positions in writing.

use std::fmt;

use super::board::Colour;
use super::illegal::ThaayamIllegal;

/// What is wrong with a line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThaayamRecordFault {
    /// There are no such house rules.
    Options(String),
    /// There is nothing to play in it.
    NoTurn,
    /// So many cannot play with these house rules.
    Players {
        /// How many seats.
        seats: u8,
        /// The house rules.
        options: String,
    },
    /// So many players have other colours.
    Colours(u8),
    /// Nothing divides throws from plays.
    NoColon,
    /// The turn has no number.
    NoNumber,
    /// Nobody is named who throws.
    NoColour,
    /// The dice cannot show this.
    NoThrow,
    /// The dice cannot fall so one after the other.
    NoSeries,
    /// Nothing is thrown after the end.
    GameIsOver,
    /// Nobody has to throw.
    NobodyOnTurn,
    /// It is the turn of this colour.
    OtherTurn(Colour),
    /// No throw is used so.
    NoPlay(String),
    /// The rules do not allow it.
    Refused {
        /// As it is written.
        play: String,
        /// Why not.
        why: ThaayamIllegal,
    },
    /// The turn is not at its end.
    MoreToPlay,
    /// No throw led to this.
    NothingThrown,
    /// The turn went otherwise: so.
    OtherTurnLine(String),
}

impl fmt::Display for ThaayamRecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ThaayamRecordFault::Options(text) => write!(f, "unknown options {text}"),
            ThaayamRecordFault::NoTurn => write!(f, "there is no turn in this"),
            ThaayamRecordFault::Players { seats, options } => {
                write!(f, "{seats} players cannot play with {options}; headers name them")
            }
            ThaayamRecordFault::Colours(seats) => write!(f, "{seats} players have other colours"),
            ThaayamRecordFault::NoColon => write!(f, "a turn needs a colon after its throws"),
            ThaayamRecordFault::NoNumber => write!(f, "a turn begins with its number and a point"),
            ThaayamRecordFault::NoColour => write!(f, "no colour of a player"),
            ThaayamRecordFault::NoThrow => write!(f, "a throw is 1, 2, 3, 4 or 8"),
            ThaayamRecordFault::NoSeries => {
                write!(f, "a series is any 1, 4, 8 and then one 2 or 3")
            }
            ThaayamRecordFault::GameIsOver => write!(f, "the game is over before this turn"),
            ThaayamRecordFault::NobodyOnTurn => write!(f, "nobody is on turn"),
            ThaayamRecordFault::OtherTurn(colour) => {
                write!(f, "it is the turn of {}", colour.name())
            }
            ThaayamRecordFault::NoPlay(text) => write!(f, "\"{text}\" is no play"),
            ThaayamRecordFault::Refused { play, why } => write!(f, "\"{play}\" is refused: {why}"),
            ThaayamRecordFault::MoreToPlay => write!(f, "more can be played here"),
            ThaayamRecordFault::NothingThrown => write!(f, "nothing was thrown"),
            ThaayamRecordFault::OtherTurnLine(line) => write!(f, "the turn is in truth \"{line}\""),
        }
    }
}

impl std::error::Error for ThaayamRecordFault {}

/// The line of a record that is wrong.
pub type ThaayamRecordError = crate::rules::RecordError<ThaayamRecordFault>;

/// What is wrong with a position in writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThaayamPositionFault {
    /// This is in no form that is known.
    Unknown(String),
    /// The third word is not who has killed.
    NoKillers,
    /// This is no seat at a table of so many.
    NoSeat {
        /// As it is written.
        text: String,
        /// How many seats.
        seats: u8,
    },
    /// These are not the pieces of so many.
    Pieces {
        /// As it is written.
        text: String,
        /// How many seats.
        seats: u8,
    },
    /// Somebody has no piece left to play with.
    SomebodyFinished,
    /// Enemies cannot stand on one square there.
    EnemiesTogether,
}

impl fmt::Display for ThaayamPositionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ThaayamPositionFault::Unknown(text) => {
                write!(f, "\"{text}\" is not a position such as ----/aabF 2")
            }
            ThaayamPositionFault::NoKillers => write!(f, "who has killed is said by killed=1,3"),
            ThaayamPositionFault::NoSeat { text, seats } => {
                write!(f, "{text} is not a seat from 1 to {seats}")
            }
            ThaayamPositionFault::Pieces { text, seats } => {
                write!(f, "{text} are not the pieces of {seats} seats by these rules")
            }
            ThaayamPositionFault::SomebodyFinished => write!(f, "somebody has finished already"),
            ThaayamPositionFault::EnemiesTogether => {
                write!(f, "enemies stand together outside the palaces")
            }
        }
    }
}

impl std::error::Error for ThaayamPositionFault {}
