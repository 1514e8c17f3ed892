//! The history of turns, for captions, pictures and records.

use crate::rules::Seat;

/// The number of turns that are kept.
pub const RECENT_TURNS_MAX: usize = 24;

/// One series of throws and its use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TurnRecord {
    /// Turns are counted from 1.
    pub number: u32,
    /// The seat whose turn it was.
    pub seat: Seat,
    /// Whether this is a further series of the same turn, for a kill (A18).
    pub is_further_series: bool,
    /// The throws in their order.
    pub throws: Vec<u8>,
    /// The number of lost throws at the beginning: no piece was on the board.
    pub lost: u8,
    /// The plays so far, in order.
    pub plays: Vec<PlayedThrow>,
    /// Pieces killed at the end of the turn (A5), by seat.
    pub killed_at_end: [u8; 4],
    /// Whether the dice went on, or the player finished.
    pub ended: bool,
    /// The place of a player who finished in this turn, from 1.
    pub place: Option<u8>,
    /// Whether the inner track was opened to all after it, because no player could move (A19).
    pub opened: bool,
}

/// One use of a throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlayedThrow {
    /// The points of the throw.
    pub throw: u8,
    /// The mover's step before, −1 in hand.
    pub from: i8,
    /// The mover's step after, 24 fortress, 25 off.
    pub to: i8,
    /// Pieces killed by this landing, by seat.
    pub killed: [u8; 4],
}

/// The use of a throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// Dropped: it came before the first 1 with nothing on the board.
    Lost,
    /// Used to move a piece.
    Spent,
    /// Not used, so far or at all.
    Left,
}

impl TurnRecord {
    /// The throws in their order, each with its use. Of equal ones the first counts as used.
    pub fn uses(&self) -> Vec<(u8, Use)> {
        let mut spent: Vec<u8> = self.plays.iter().map(|play| play.throw).collect();
        let mut uses = Vec::with_capacity(self.throws.len());
        for (at, throw) in self.throws.iter().enumerate() {
            let what = if at < usize::from(self.lost) {
                Use::Lost
            } else if let Some(used) = spent.iter().position(|it| it == throw) {
                spent.swap_remove(used);
                Use::Spent
            } else {
                Use::Left
            };
            uses.push((*throw, what));
        }
        uses
    }

    /// The number of killed pieces in all, by seat.
    pub fn killed(&self) -> [u8; 4] {
        let mut all = self.killed_at_end;
        for play in &self.plays {
            all.iter_mut().zip(play.killed).for_each(|(all, more)| *all += more);
        }
        all
    }
}
