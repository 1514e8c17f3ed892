//! The events of a game.

use super::turn_history::PlayedThrow;
use crate::rules::Seat;

/// An event, in this order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ThaayamFact {
    /// The dice were thrown, or the cup lifted.
    Thrown {
        /// The player.
        seat: Seat,
        /// All throws of the series.
        throws: Vec<u8>,
        /// The number of lost throws at the beginning (S11).
        lost: u8,
    },
    /// A throw was used.
    Played {
        /// The player.
        seat: Seat,
        /// The throw, with steps and kills.
        play: PlayedThrow,
    },
    /// Pieces were killed where the turn ended (A5).
    KilledAtEnd {
        /// The killer.
        seat: Seat,
        /// The number of killed pieces of each seat.
        killed: [u8; 4],
    },
    /// The last decision of this turn was taken back.
    Undone {
        /// The player.
        seat: Seat,
        /// The number of throws that are to be used again: the last ones that were played.
        throws: u8,
    },
    /// The dice were passed on.
    Passed {
        /// The player.
        seat: Seat,
        /// The number of throws that could not be used, without the lost ones.
        unused: u8,
    },
    /// A kill gives another series (A18).
    Again {
        /// The player.
        seat: Seat,
    },
    /// No player could have moved any more: the inner track is open to all (A19).
    Opened,
    /// All pieces of a player are home.
    Finished {
        /// The player.
        seat: Seat,
        /// The place, from 1.
        place: u8,
    },
    /// The game is over.
    Ended {
        /// The winners: one, or a pair of partners.
        winners: Vec<Seat>,
    },
}
