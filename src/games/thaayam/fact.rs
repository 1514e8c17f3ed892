//! What happens in a game, for whoever follows it.

use super::turn_history::PlayedThrow;
use crate::rules::Seat;

/// What happened, in this order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ThaayamFact {
    /// The dice were thrown, or the cup lifted.
    Thrown {
        /// Whose turn it is.
        seat: Seat,
        /// All throws of the series.
        throws: Vec<u8>,
        /// How many of the first ones are lost (S11).
        lost: u8,
    },
    /// A throw was used.
    Played {
        /// Who.
        seat: Seat,
        /// Which, with steps and kills.
        play: PlayedThrow,
    },
    /// Pieces were killed where the turn ended (A5).
    KilledAtEnd {
        /// Who killed.
        seat: Seat,
        /// How many pieces of each seat.
        killed: [u8; 4],
    },
    /// The last decision of this turn was taken back.
    Undone {
        /// Whose.
        seat: Seat,
    },
    /// The dice were passed on.
    Passed {
        /// By whom.
        seat: Seat,
        /// How many throws could not be used, the lost ones not counted.
        unused: u8,
    },
    /// A kill gives another series (A18).
    Again {
        /// To whom.
        seat: Seat,
    },
    /// Nobody could have moved any more: the inner track is open to all (A19).
    Opened,
    /// All pieces of a player are home.
    Finished {
        /// Whose.
        seat: Seat,
        /// The place, from 1.
        place: u8,
    },
    /// The game is over.
    Ended {
        /// Who has won: one, or a pair of partners.
        winners: Vec<Seat>,
    },
}
