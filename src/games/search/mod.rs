//! Computer players: their interface, thinking budget and levels.
//!
//! A player gets the *view* of its seat and its legal actions, never the state of a game: it cannot
//! know more than a person on that seat. The `engine` folder of each game documents its players,
//! the papers behind them and their measured strength.

pub mod alpha_beta;
pub mod board;
mod budget;
mod level;
pub mod pvs;
mod rng;
pub mod transposition_table;

pub use self::alpha_beta::PlainSearch;
pub use self::board::{Board, Evaluator};
pub use self::budget::{ThinkBudget, ThinkClock};
pub use self::level::ComputerLevel;
pub use self::pvs::Pvs;
pub use self::rng::SeededRng;
pub use self::transposition_table::TranspositionTable;

use crate::rules::{Entropy, Rules};

/// A player's evaluation of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerEvaluation<A> {
    /// The chosen action.
    pub action: A,
    /// Its value for the seat that thinks, in hundredths of the game's count: stones more than the
    /// other side at the end, points of a match.
    pub score: i32,
    /// The chance that the seat, or its side, wins the game, in thousandths.
    pub chance: u16,
    /// The search depth in plies, or 0 where depth has no meaning.
    pub depth: u16,
    /// Positions searched, or playouts made.
    pub nodes: u64,
    /// The expected line, its own action first.
    pub line: Vec<A>,
}

/// A question to a player.
pub struct PlayerQuestion<'a, R: Rules> {
    /// The view of the seat to move.
    pub view: &'a R::View,
    /// The actions to choose from: legal and never empty. Not always all legal ones: an analysis
    /// asks for the value of a single action.
    pub actions: &'a [R::Action],
    /// The thinking budget.
    pub budget: &'a ThinkBudget<'a>,
}

/// A computer player of one game. It outlives a question and may keep tables between questions,
/// even of different games; its answers must not depend on them except in strength.
pub trait Player<R: Rules>: Send {
    /// Chooses an action. `entropy` is used for worlds, playouts and mistakes; with the same
    /// numbers, the same memory and no time in the budget the answer is the same. `report` receives
    /// every better evaluation as soon as it is found, for progress output.
    fn think(
        &mut self,
        question: &PlayerQuestion<'_, R>,
        entropy: &mut dyn Entropy,
        report: &mut dyn FnMut(&PlayerEvaluation<R::Action>),
    ) -> PlayerEvaluation<R::Action>;

    /// The chance of the seat to win after each action that one search values, in thousandths;
    /// empty where a search tells only about the best action. Entropy and budget as for
    /// [`Player::think`].
    fn action_chances(
        &mut self,
        _question: &PlayerQuestion<'_, R>,
        _entropy: &mut dyn Entropy,
    ) -> Vec<(R::Action, u16)> {
        Vec::new()
    }

    /// Clears all stored tables, so that a match can be repeated exactly.
    fn forget(&mut self) {}
}
