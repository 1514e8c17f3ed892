//! Computer players: what one is, how long it may think, how strong it is to be.
//!
//! A player is handed the *view* of its seat and what it may do, never the state of a game: it
//! cannot know more than a person on that seat. What each game's players do with it, after which
//! papers and how strong they were measured to be, is written in the `engine` folder of the game.

pub mod board;
mod budget;
mod level;
mod numbers;
pub mod plain;
pub mod pvs;
pub mod table;

pub use self::board::{Board, Judge};
pub use self::budget::{Budget, Clock};
pub use self::level::Level;
pub use self::numbers::Numbers;
pub use self::plain::Plain;
pub use self::pvs::Pvs;
pub use self::table::Table;

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
pub struct Question<'a, R: Rules> {
    /// What the seat on turn may know.
    pub view: &'a R::View,
    /// What it chooses among: legal and never empty. Not always all that is legal: a review asks
    /// what one action was worth.
    pub actions: &'a [R::Action],
    /// How long it may think.
    pub budget: &'a Budget<'a>,
}

/// A computer player of one game. It lives longer than a question and may keep tables between
/// questions, even of different games; what it answers must not depend on them but in strength.
pub trait Player<R: Rules>: Send {
    /// Chooses. `entropy` is for worlds, playouts and mistakes; with the same numbers, the same
    /// memory and no time in the budget the answer is the same. `tell` hears of better thoughts as
    /// they come, for those who watch.
    fn think(
        &mut self,
        question: &Question<'_, R>,
        entropy: &mut dyn Entropy,
        tell: &mut dyn FnMut(&Thought<R::Action>),
    ) -> Thought<R::Action>;

    /// Forgets what it keeps: for matches that can be repeated.
    fn forget(&mut self) {}
}
