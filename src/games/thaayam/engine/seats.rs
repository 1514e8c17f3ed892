//! Finds the enemies of a seat, the seat that throws next and the end of a game.

use crate::rules::Seat;
use crate::thaayam::outcomes::TurnOutcome;
use crate::thaayam::position::ThaayamPosition;

/// The enemies of a seat that still play.
pub fn rivals(position: &ThaayamPosition, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
    let position = *position;
    (0..position.seats()).map(Seat).filter(move |it| !position.are_together(seat, *it))
}

/// A position between two series of throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TurnStart {
    /// All pieces.
    pub position: ThaayamPosition,
    /// The seat that throws next, or that has won if `is_won`.
    pub next: Seat,
    /// Whether this seat, or its pair, has just won; with `play_on`, among those still playing.
    pub is_won: bool,
}

impl TurnStart {
    /// The position after a series of this seat with this end.
    pub fn after(before: &ThaayamPosition, seat: Seat, end: &TurnOutcome) -> Self {
        let mut position = end.applied(before, seat);
        let options = *position.options();
        if position.is_done(seat) {
            let partner = Seat((seat.0 + 2) % 4);
            let is_won = !options.partners || position.is_done(partner);
            if is_won {
                return Self { position, next: seat, is_won };
            }
        } else if options.kill_again && end.hits != 0 {
            return Self { position, next: seat, is_won: false };
        }
        let mut next = seat;
        for _ in 0..position.seats() {
            next = Seat((next.0 + 1) % position.seats());
            if !position.is_done(next) {
                break;
            }
        }
        position.open_if_stuck();
        Self { position, next, is_won: false }
    }
}
