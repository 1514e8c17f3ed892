//! Computer players: what one is, how long it may think, how strong it is to be.
//!
//! A player is handed the *view* of its seat and what it may do, never the state of a game: it
//! cannot know more than a person on that seat. What each game's players do with it, after which
//! papers and how strong they were measured to be, is written in the `engine` folder of the game.

pub mod alpha_beta;
pub mod board;
mod budget;
mod level;
pub mod pvs;
mod rng;
pub mod transposition_table;

pub use self::alpha_beta::PlainSearch;
pub use self::board::{Board, Judge};
pub use self::budget::{ThinkBudget, ThinkClock};
pub use self::level::ComputerLevel;
pub use self::pvs::Pvs;
pub use self::rng::SeededRng;
pub use self::transposition_table::TranspositionTable;

use crate::rules::{Entropy, Rules};

/// What a player thinks of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought<A> {
    /// What it would do.
    pub action: A,
    /// What that is worth for the seat that thinks, in hundredths of what the game counts:
    /// stones more than the other side at the end, points of a match.
    pub score: i32,
    /// How likely the seat, or its side, wins the game: thousandths.
    pub chance: u16,
    /// How far it looked ahead in plies, or 0 where that says nothing.
    pub depth: u16,
    /// Positions looked at, playouts made.
    pub nodes: u64,
    /// What it expects to follow, its own action first.
    pub line: Vec<A>,
}

/// What a player is asked.
pub struct PlayerQuestion<'a, R: Rules> {
    /// What the seat on turn may know.
    pub view: &'a R::View,
    /// What it chooses among: legal and never empty. Not always all that is legal: a review asks
    /// what one action was worth.
    pub actions: &'a [R::Action],
    /// How long it may think.
    pub budget: &'a ThinkBudget<'a>,
}

/// A computer player of one game. It lives longer than a question and may keep tables between
/// questions, even of different games; what it answers must not depend on them but in strength.
pub trait Player<R: Rules>: Send {
    /// Chooses. `entropy` is for worlds, playouts and mistakes; with the same numbers, the same
    /// memory and no time in the budget the answer is the same. `tell` hears of better thoughts as
    /// they come, for those who watch.
    fn think(
        &mut self,
        question: &PlayerQuestion<'_, R>,
        entropy: &mut dyn Entropy,
        tell: &mut dyn FnMut(&Thought<R::Action>),
    ) -> Thought<R::Action>;

    /// Forgets what it keeps: for matches that can be repeated.
    fn forget(&mut self) {}
}
