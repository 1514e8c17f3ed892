//! Orders the moves of a position so that the most promising are searched first.

use super::Pvs;
use crate::search::board::{Board, move_indices};

/// Moves with their order values.
pub(super) struct MoveList {
    pub len: usize,
    move_indices: [u8; 32],
    gains: [i32; 32],
    orders: [i32; 32],
}

impl MoveList {
    /// Swaps the best of the moves from `index` on to `index` and returns it with its gain.
    #[inline]
    pub fn take_best(&mut self, index: usize) -> (u8, i32) {
        let mut best = index;
        for i in index + 1..self.len {
            if self.orders[i] > self.orders[best] {
                best = i;
            }
        }
        self.move_indices.swap(index, best);
        self.gains.swap(index, best);
        self.orders.swap(index, best);
        (self.move_indices[index], self.gains[index])
    }
}

impl<E> Pvs<E> {
    /// The moves with their order values; at a leaf only those that gain enough at once.
    pub(super) fn order<B: Board>(
        &self,
        board: &B,
        known: Option<u8>,
        depth: i32,
        ply: usize,
    ) -> MoveList {
        let mut list = MoveList { len: 0, move_indices: [0; 32], gains: [0; 32], orders: [0; 32] };
        let side = usize::from(board.side() & 1);
        let killers = self.killers[ply];
        for place in move_indices(board.moves()) {
            let gain = board.gain(place);
            if depth <= 0 && gain < self.pruning.follow {
                continue;
            }
            let mut order = self.history[side][usize::from(place) % 32];
            if gain > 0 {
                order += (gain + 8) << 16;
            } else if place == killers[0] {
                order += 3 << 17;
            } else if place == killers[1] {
                order += 2 << 17;
            }
            if known == Some(place) {
                order = i32::MAX;
            }
            list.move_indices[list.len] = place;
            list.gains[list.len] = gain;
            list.orders[list.len] = order;
            list.len += 1;
        }
        list
    }

    /// Updates killers and history after a move that caused a cutoff.
    pub(super) fn cut(&mut self, side: usize, list: &MoveList, at: usize, depth: i32, ply: usize) {
        let place = list.move_indices[at];
        let gain = list.gains[at];
        if gain <= 0 {
            let killers = &mut self.killers[ply];
            if killers[0] != place {
                *killers = [place, killers[0]];
            }
        }
        let bonus = (depth * depth).min(400) * 16;
        let mut reward = |place: u8, by: i32| {
            let count = &mut self.history[side][usize::from(place) % 32];
            // Saturates towards the bounds of 2^16.
            *count += by - *count * by.abs() / 65_536;
        };
        reward(place, bonus);
        for earlier in &list.move_indices[..at] {
            reward(*earlier, -bonus);
        }
    }
}
