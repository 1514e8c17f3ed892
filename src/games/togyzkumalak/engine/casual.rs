//! Ranks moves like a casual player who looks only a little ahead and overlooks things.
//!
//! Every position is searched with full width up to a small depth, but some captures and tuzdyks
//! are overlooked, own ones as well as replies: the longer the sowing and the further ahead, the
//! more likely. What is overlooked is drawn again for every search and is the same for a position
//! in all lines of that search. Evaluations also have a small random error.

use super::super::position::TogyzkumalakPosition;
use crate::search::alpha_beta::PLAIN_WON;
use crate::search::board::{Board, Evaluator, move_indices};

/// The habits of a casual player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CasualHabits {
    /// The search depth in plies, at least 1.
    pub depth: u32,
    /// The probability, in thousandths, that the player overlooks an own capture now by a sowing of
    /// nine stones; in proportion for longer sowings.
    pub overlooks: u32,
    /// The same for replies and everything further ahead.
    pub overlooks_ahead: u32,
    /// The largest error of an evaluation, in units of the judge.
    pub misjudges: u32,
}

/// A search with these habits.
pub(super) struct Casual<'a> {
    pub evaluator: &'a mut dyn Evaluator<TogyzkumalakPosition>,
    pub habits: CasualHabits,
    /// The seed of what is overlooked and misjudged this time.
    pub seed: u64,
    pub nodes: u64,
}

impl Casual<'_> {
    /// The moves with their values, the best first; equal ones keep their order.
    pub fn rank(&mut self, position: &TogyzkumalakPosition, moves: u32) -> Vec<(u8, i32)> {
        let mut noticed = self.noticed(position, moves, 0);
        if noticed == 0 {
            noticed = moves;
        }
        let mut ranked: Vec<(u8, i32)> = move_indices(noticed)
            .map(|place| (place, self.after(position, place, (1, -LIMIT, LIMIT))))
            .collect();
        ranked.sort_by_key(|(_, value)| -value);
        ranked
    }

    /// The value of a move for the side that makes it.
    fn after(
        &mut self,
        position: &TogyzkumalakPosition,
        place: u8,
        window: (u32, i32, i32),
    ) -> i32 {
        let (ply, alpha, beta) = window;
        let next = position.after(place);
        self.nodes += 1;
        if next.side() == position.side() {
            self.value(&next, (ply, alpha, beta))
        } else {
            -self.value(&next, (ply, -beta, -alpha))
        }
    }

    fn value(
        &mut self,
        position: &TogyzkumalakPosition,
        (ply, mut alpha, beta): (u32, i32, i32),
    ) -> i32 {
        if let Some(ended) = position.outcome() {
            let won = ended + PLAIN_WON * ended.signum();
            return if position.side() == 0 { won } else { -won };
        }
        if ply >= self.habits.depth {
            return self.evaluator.score(position) + self.error(position);
        }
        let moves = u32::from(position.moves());
        let mut noticed = self.noticed(position, moves, ply);
        if noticed == 0 {
            noticed = moves;
        }
        let gaining = move_indices(noticed)
            .filter(|it| position.gain(*it) > 0)
            .fold(0, |all, it| all | 1 << it);
        let mut best = -LIMIT;
        for place in move_indices(gaining).chain(move_indices(noticed & !gaining)) {
            best = best.max(self.after(position, place, (ply + 1, alpha, beta)));
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        best
    }

    /// The moves that are not overlooked.
    fn noticed(&self, position: &TogyzkumalakPosition, moves: u32, ply: u32) -> u32 {
        let CasualHabits { overlooks, overlooks_ahead, .. } = self.habits;
        let chance_for_nine = if ply == 0 { overlooks } else { overlooks_ahead };
        if chance_for_nine == 0 {
            return moves;
        }
        let mut noticed = moves;
        for place in move_indices(moves).filter(|it| position.gain(*it) > 0) {
            let stones = u32::from(position.pit(position.side(), place)).min(18);
            let chance = (chance_for_nine * stones / 9).min(900);
            let draw = self.draw(position.key() ^ u64::from(place) << 56) % 1_000;
            if draw < u64::from(chance) {
                noticed &= !(1 << place);
            }
        }
        noticed
    }

    fn error(&self, position: &TogyzkumalakPosition) -> i32 {
        let largest = u64::from(self.habits.misjudges);
        if largest == 0 {
            return 0;
        }
        let draw = self.draw(position.key());
        // The sum of two random numbers: small errors are more frequent than large ones.
        let both = (draw & 0xffff) + (draw >> 16 & 0xffff);
        ((both * largest) >> 16) as i32 - largest as i32
    }

    /// A random number for a position, from the seed of this search.
    fn draw(&self, key: u64) -> u64 {
        let mixed = (key ^ self.seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 24
    }
}

const LIMIT: i32 = 2 * PLAIN_WON;
