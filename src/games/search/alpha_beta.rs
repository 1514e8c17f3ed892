//! Alpha-beta as in the textbook: no table, nothing cut short, moves that win something first.
//!
//! The measure for better searches, and what other searches are checked against. Knuth and Moore
//! 1975, "An analysis of alpha-beta pruning".

use super::board::{Board, Judge, places};

/// A finished game counts this much plus its difference.
pub const PLAIN_WON: i32 = 1_000_000;

/// Alpha-beta to a fixed depth.
#[derive(Debug)]
pub struct PlainSearch<J> {
    judge: J,
    nodes: u64,
}

impl<J> PlainSearch<J> {
    /// Looks ahead with this judgement at the leaves.
    pub fn new(judge: J) -> Self {
        Self { judge, nodes: 0 }
    }

    /// Positions made so far: every move made on the board counts one.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a position for its side to move, `depth` moves ahead, exact between the bounds.
    /// A finished game is valued for the side that moved last.
    pub fn value<B: Board>(&mut self, board: &B, depth: u32, mut alpha: i32, beta: i32) -> i32
    where
        J: Judge<B>,
    {
        if let Some(ended) = board.outcome() {
            return signed(ended + PLAIN_WON * ended.signum(), board.side());
        }
        if depth == 0 {
            return self.judge.score(board);
        }
        let moves = board.moves();
        let wins = places(moves).filter(|it| board.gain(*it) > 0).fold(0, |all, it| all | 1 << it);
        for bits in [wins, moves & !wins] {
            for place in places(bits) {
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

    /// The best of these moves, `depth` moves ahead (1 at least), and its value. The first of
    /// equal ones in the order of search.
    pub fn best<B: Board>(&mut self, board: &B, moves: u32, depth: u32) -> Option<(u8, i32)>
    where
        J: Judge<B>,
    {
        let wins = places(moves).filter(|it| board.gain(*it) > 0).fold(0, |all, it| all | 1 << it);
        let mut best: Option<(u8, i32)> = None;
        for place in places(wins).chain(places(moves & !wins)) {
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
