//! The view of a game of Togyzkumalak: everything, because nothing is hidden.

use super::position::{TogyzkumalakPosition, Variant};
use crate::rules::Seat;

/// Number of pits on one side.
pub const PITS: usize = 9;

/// The board and its history, for pictures, words and computer players.
///
/// Seat 0 is the first player (bastaushy), seat 1 the second (qostaushy). Pits are counted from
/// 0 here and from 1 wherever people see them, from each player's own left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TogyzkumalakView {
    /// Stones in the pits, by side.
    pub pits: [[u8; PITS]; 2],
    /// Stones in the kazans, by seat.
    pub kazans: [u8; 2],
    /// By seat: the pit of the *other* side that is this player's tuzdyk.
    pub tuzdyks: [Option<u8>; 2],
    /// The seat to move; `None` when the game is over.
    pub turn: Option<Seat>,
    /// Whether the seat to move makes the extra move of atsyrau (rule R16).
    pub extra: bool,
    /// The variant of the rules, for computer players.
    pub variant: Variant,
    /// Moves made so far, extra moves included.
    pub plies: u16,
    /// The move that led here.
    pub last: Option<LastMove>,
    /// The move before that one: its player may not have seen its effect yet if a computer answered
    /// at once.
    pub before: Option<LastMove>,
    /// The reason why the game ended, if it did.
    pub end: Option<TogyzkumalakEnd>,
    /// The positions of this game that may still come up again (rule R19), oldest first, without
    /// the current one. For computer players.
    pub earlier: Vec<TogyzkumalakPosition>,
}

/// A pit somewhere on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pit {
    /// The seat whose side it is on.
    pub side: Seat,
    /// 0 to 8 from that player's left.
    pub index: u8,
}

/// One move as it is shown afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LastMove {
    /// The seat that moved.
    pub seat: Seat,
    /// The pit that was sown from, on the mover's side, 0 to 8.
    pub from: u8,
    /// The number of stones sown.
    pub stones: u8,
    /// The pit of the last stone.
    pub to: Pit,
    /// Stones captured from the landing pit, those of a new tuzdyk included.
    pub captured: u8,
    /// Whether the landing pit became the mover's tuzdyk.
    pub tuzdyk: bool,
    /// Stones that fell into tuzdyks on the way, by the owner's seat.
    pub through: [u8; 2],
}

/// The reason why the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TogyzkumalakEnd {
    /// A player has 82 stones or more (rule R13).
    Majority,
    /// A side ran out of stones; the other collected this many (rules R14 to R16).
    Atsyrau {
        /// Stones collected at the end.
        collected: u8,
    },
    /// The same position came up for the third time (rule R19).
    Repetition,
}
