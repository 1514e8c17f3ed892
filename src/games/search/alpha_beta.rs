//! Searches with plain alpha-beta: no transposition table, no forward pruning, moves that gain
//! something first.
//!
//! Tests check the results and the strength of better searches against it. Knuth and Moore 1975,
//! "An analysis of alpha-beta pruning".

use super::board::{Board, Evaluator, move_indices};

/// A finished game counts this much plus its difference.
pub const PLAIN_WON: i32 = 1_000_000;

/// Alpha-beta to a fixed depth.
#[derive(Debug)]
pub struct PlainSearch<E> {
    evaluator: E,
    nodes: u64,
}

impl<E> PlainSearch<E> {
    /// Makes a search that evaluates its leaves with this evaluator.
    pub fn new(evaluator: E) -> Self {
        Self { evaluator, nodes: 0 }
    }

    /// The number of positions searched so far: each move made on the board counts as one.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a position for its side to move, `depth` moves ahead, exact between the bounds.
    /// A finished game is valued for the side that moved last.
    pub fn value<B: Board>(&mut self, board: &B, depth: u32, mut alpha: i32, beta: i32) -> i32
    where
        E: Evaluator<B>,
    {
        if let Some(ended) = board.outcome() {
            return signed(ended + PLAIN_WON * ended.signum(), board.side());
        }
        if depth == 0 {
            return self.evaluator.score(board);
        }
        let moves = board.moves();
        let gaining =
            move_indices(moves).filter(|it| board.gain(*it) > 0).fold(0, |all, it| all | 1 << it);
        for bits in [gaining, moves & !gaining] {
            for place in move_indices(bits) {
                let next = board.after(place);
                self.nodes += 1;
                let value = if next.side() == board.side() {
                    self.value(&next, depth - 1, alpha, beta)
                } else {
                    -self.value(&next, depth - 1, -beta, -alpha)
                };
                if value >= beta {
                    return value;
                }
                alpha = alpha.max(value);
            }
        }
        alpha
    }

    /// The best of these moves after a search of `depth` plies (at least 1), and its value. Of
    /// equal moves, the one that was searched first.
    pub fn best<B: Board>(&mut self, board: &B, moves: u32, depth: u32) -> Option<(u8, i32)>
    where
        E: Evaluator<B>,
    {
        let gaining =
            move_indices(moves).filter(|it| board.gain(*it) > 0).fold(0, |all, it| all | 1 << it);
        let mut best: Option<(u8, i32)> = None;
        for place in move_indices(gaining).chain(move_indices(moves & !gaining)) {
            let next = board.after(place);
            self.nodes += 1;
            let alpha = best.map_or(-2 * PLAIN_WON, |(_, value)| value);
            let depth = depth.saturating_sub(1);
            let value = if next.side() == board.side() {
                self.value(&next, depth, alpha, 2 * PLAIN_WON)
            } else {
                -self.value(&next, depth, -2 * PLAIN_WON, -alpha)
            };
            if best.is_none_or(|(_, so_far)| value > so_far) {
                best = Some((place, value));
            }
        }
        best
    }
}

/// A difference counted for side 0, seen from a side.
pub(super) fn signed(difference: i32, side: u8) -> i32 {
    if side == 0 { difference } else { -difference }
}
