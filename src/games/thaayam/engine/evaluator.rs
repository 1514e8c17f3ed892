//! Chooses where the chance of a position comes from: a solved table or the networks.

use super::net::LEARNED;
use super::seats::TurnStart;
use super::solver::ThaayamSolution;

/// The networks, and a solution that overrules them where it has a position.
#[derive(Clone, Copy)]
pub struct Evaluator<'a> {
    solution: Option<&'a ThaayamSolution>,
}

impl<'a> Evaluator<'a> {
    /// The networks of the program, and this solution.
    pub fn new(solution: Option<&'a ThaayamSolution>) -> Self {
        Self { solution }
    }

    /// Whether the position is in the table of the solution: then so are all that follow.
    pub fn is_exact(&self, at: &TurnStart) -> bool {
        self.solution.is_some_and(|it| it.covers(&at.position))
    }

    /// The chance of every seat to win, as [`Nets::chances`](super::net::Nets::chances) gives it.
    pub fn chances(&self, at: &TurnStart) -> [f32; 4] {
        let exact = self.solution.and_then(|it| it.chances(at));
        exact.unwrap_or_else(|| LEARNED.chances(at))
    }
}
