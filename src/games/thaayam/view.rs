//! The public view of a game of Thaayam: everything but the throws under the cup.

use super::board::Colour;
use super::position::ThaayamPosition;
use super::turn::ThaayamTurn;
use super::turn_history::TurnRecord;
use crate::rules::Seat;

/// The board, the turn and its history, for pictures, words and computer players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThaayamView {
    /// All pieces now, those moved in this turn included.
    pub position: ThaayamPosition,
    /// The seat to move; `None` when the game is over.
    pub turn: Option<Seat>,
    /// The number of this turn, from 1.
    pub number: u32,
    /// The stage of the turn.
    pub stage: ThaayamViewStage,
    /// Whether the last decision of this turn can be taken back.
    pub can_undo: bool,
    /// The last turns, the one in progress included once its dice are open; 24 at most.
    pub recent_turns: Vec<TurnRecord>,
    /// The turn in which the seat to move last decided: later events are news to it. After the end
    /// the turn of the last decision of any seat.
    pub last_decision_turn: u32,
    /// The turn of the last decision of any seat.
    pub decided_last: u32,
    /// The seats that have finished, in order; with partners the pair that has won.
    pub places: Vec<Seat>,
}

/// The stage of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThaayamViewStage {
    /// The dice are about to be thrown.
    Throwing,
    /// The dice lie under the cup until the player lifts it.
    Cup,
    /// The throws are being used.
    Sharing(ThaayamTurn),
    /// The game is over.
    Over,
}

impl ThaayamView {
    /// The seats in playing order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.position.seats()).map(Seat)
    }

    /// The colour of a seat.
    pub fn colour(&self, seat: Seat) -> Colour {
        self.position.colour(seat)
    }

    /// The turn in progress while throws are used.
    pub fn sharing(&self) -> Option<&ThaayamTurn> {
        match &self.stage {
            ThaayamViewStage::Sharing(turn) => Some(turn),
            ThaayamViewStage::Throwing | ThaayamViewStage::Cup | ThaayamViewStage::Over => None,
        }
    }

    /// The turns since the last decision of the seat to move, that turn itself included.
    pub fn news(&self) -> impl Iterator<Item = &TurnRecord> {
        self.recent_turns.iter().filter(|record| record.number >= self.last_decision_turn)
    }
}
