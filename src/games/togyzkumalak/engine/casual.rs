//! Playing as people do who look only a little ahead and overlook things.
//!
//! Every position is looked at in full up to a small depth, but captures and tuzdyks are not all
//! seen: the longer the sowing and the further ahead, the more easily it is missed, one's own as
//! well as the answer to it. What is missed is decided anew for every question, and the same for a
//! position all through it: who misses a reply misses it in every line. Besides, positions are
//! judged a little wrongly.

use super::super::position::TogyzkumalakPosition;
use crate::search::alpha_beta::PLAIN_WON;
use crate::search::board::{Board, Judge, places};

/// How somebody plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CasualHabits {
    /// Plies looked ahead, 1 at least.
    pub depth: u32,
    /// Thousandths with which the capture of a sowing of nine stones is overlooked when it is the
    /// own move now; longer sowings in proportion.
    pub overlooks: u32,
    /// The same for replies and everything further ahead.
    pub overlooks_ahead: u32,
    /// How far a judgement is off at most, in units of the judge.
    pub misjudges: u32,
}

/// A look ahead with these habits.
pub(super) struct Casual<'a> {
    pub judge: &'a mut dyn Judge<TogyzkumalakPosition>,
    pub habits: CasualHabits,
    /// What is overlooked and misjudged this time.
    pub mood: u64,
    pub nodes: u64,
}

impl Casual<'_> {
    /// The moves with their values, the best first, of equal ones the first.
    pub fn rank(&mut self, position: &TogyzkumalakPosition, moves: u32) -> Vec<(u8, i32)> {
        let mut seen = self.seen(position, moves, 0);
        if seen == 0 {
            seen = moves;
        }
        let mut ranked: Vec<(u8, i32)> = places(seen)
            .map(|place| (place, self.after(position, place, (1, -LIMIT, LIMIT))))
            .collect();
        ranked.sort_by_key(|(_, value)| -value);
        ranked
    }

    /// The value of a move for the one who makes it.
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
            return self.judge.score(position) + self.error(position);
        }
        let moves = u32::from(position.moves());
        let mut seen = self.seen(position, moves, ply);
        if seen == 0 {
            seen = moves;
        }
        let wins =
            places(seen).filter(|it| position.gain(*it) > 0).fold(0, |all, it| all | 1 << it);
        let mut best = -LIMIT;
        for place in places(wins).chain(places(seen & !wins)) {
            best = best.max(self.after(position, place, (ply + 1, alpha, beta)));
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        best
    }

    /// The moves that are noticed.
    fn seen(&self, position: &TogyzkumalakPosition, moves: u32, ply: u32) -> u32 {
        let CasualHabits { overlooks, overlooks_ahead, .. } = self.habits;
        let often = if ply == 0 { overlooks } else { overlooks_ahead };
        if often == 0 {
            return moves;
        }
        let mut seen = moves;
        for place in places(moves).filter(|it| position.gain(*it) > 0) {
            let stones = u32::from(position.pit(position.side(), place)).min(18);
            let chance = (often * stones / 9).min(900);
            let draw = self.draw(position.key() ^ u64::from(place) << 56) % 1_000;
            if draw < u64::from(chance) {
                seen &= !(1 << place);
            }
        }
        seen
    }

    fn error(&self, position: &TogyzkumalakPosition) -> i32 {
        let reach = u64::from(self.habits.misjudges);
        if reach == 0 {
            return 0;
        }
        let draw = self.draw(position.key());
        // Two throws together: small errors are commoner than large ones.
        let both = (draw & 0xffff) + (draw >> 16 & 0xffff);
        ((both * reach) >> 16) as i32 - reach as i32
    }

    /// A number that belongs to a position in this mood.
    fn draw(&self, key: u64) -> u64 {
        let mixed = (key ^ self.mood).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 24
    }
}

const LIMIT: i32 = 2 * PLAIN_WON;
