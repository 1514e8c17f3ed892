//! Counts move sequences (perft), to verify a board and to measure its speed.

use super::position::{MAJORITY, SIDE, TogyzkumalakPosition};
use super::sowing_tables::{COUNT, LAPS, RING};

impl TogyzkumalakPosition {
    /// Number of move sequences of exactly `depth` moves; an extra move is one move, a finished
    /// game has none.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => u64::from(self.moves_len()),
            2 => self.replies(),
            _ => self.each_move().map(|pit| self.after(pit).perft(depth - 1)).sum(),
        }
    }

    /// The number of all moves of all positions one move from here, without making those positions:
    /// the pits that are filled afterwards follow from the ones that are filled now.
    fn replies(&self) -> u64 {
        let me = self.side() & 1;
        let swallowed = 1 << self.tuzdyks[0] | 1 << self.tuzdyks[1];
        let mut replies = 0;
        for pit in self.each_move() {
            let start = (9 * usize::from(me) + usize::from(pit)) % RING;
            let stones = usize::from(self.stones[start]);
            if stones > RING {
                replies += u64::from(self.after(pit).moves_len());
                continue;
            }
            let lap = &LAPS[start][stones];
            let last = usize::from(lap.last);
            let through = self.tuzdyks.map(|pit| (lap.reach >> pit & 1) as u8);
            let mut row = (self.filled | lap.reach) & !swallowed;
            let mut kazans = [self.kazans[0] + through[0], self.kazans[1] + through[1]];
            let there = self.stones[last] + 1;
            if u8::from(last >= 9) != me && swallowed >> last & 1 == 0 {
                let tuzdyk = there == 3 && self.may_own(usize::from(me), last);
                let is_emptied = there & 1 == 0 || tuzdyk;
                kazans[usize::from(me)] += if is_emptied { there } else { 0 };
                row &= !(u32::from(is_emptied) << last);
            }
            row = row >> (9 * (1 - me)) & SIDE;
            if kazans[0].max(kazans[1]) >= MAJORITY {
                continue;
            }
            replies += if row == 0 {
                u64::from(self.after(pit).moves_len())
            } else {
                u64::from(COUNT[row as usize])
            };
        }
        replies
    }
}
