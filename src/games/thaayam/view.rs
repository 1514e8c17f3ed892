//! What anybody may know of a game of Thaayam: everything but the throws under the cup.

use super::board::Colour;
use super::position::ThaayamPosition;
use super::turn::ThaayamTurn;
use super::turn_history::TurnRecord;
use crate::rules::Seat;

/// The board, the turn and what led here, for pictures, words and computer players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThaayamView {
    /// All pieces now, those moved in this turn included.
    pub position: ThaayamPosition,
    /// Whose turn it is; `None` when the game is over.
    pub turn: Option<Seat>,
    /// The number of this turn, from 1.
    pub number: u32,
    /// What the turn waits for.
    pub stage: ThaayamViewStage,
    /// Whether the last decision of this turn can be taken back.
    pub can_undo: bool,
    /// The last turns, the one in progress included once its dice are open; 24 at most.
    pub told: Vec<TurnRecord>,
    /// The turn in which the seat on turn last decided something: what happened since is news to
    /// it. After the end the turn in which anybody did.
    pub decided: u32,
    /// The turn in which anybody last decided something.
    pub decided_last: u32,
    /// Who has finished, in order; with partners the pair that has won.
    pub places: Vec<Seat>,
}

/// What a turn waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThaayamViewStage {
    /// The dice are to be thrown by chance.
    Throwing,
    /// The dice lie under the cup until the player lifts it.
    Cup,
    /// The throws are shared out.
    Sharing(ThaayamTurn),
    /// The game is over.
    Over,
}

impl ThaayamView {
    /// The seats in playing order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.position.seats()).map(Seat)
    }

    /// With which colour a seat plays.
    pub fn colour(&self, seat: Seat) -> Colour {
        self.position.colour(seat)
    }

    /// The turn being shared out.
    pub fn sharing(&self) -> Option<&ThaayamTurn> {
        match &self.stage {
            ThaayamViewStage::Sharing(turn) => Some(turn),
            ThaayamViewStage::Throwing | ThaayamViewStage::Cup | ThaayamViewStage::Over => None,
        }
    }

    /// The turns since the seat on turn last decided something, that turn itself included.
    pub fn news(&self) -> impl Iterator<Item = &TurnRecord> {
        self.told.iter().filter(|told| told.number >= self.decided)
    }
}
