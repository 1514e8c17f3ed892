//! Evaluates a position by counting stones and tuzdyks.

use super::super::position::TogyzkumalakPosition;
use super::board::{difference, on_side};

/// The plain evaluation that is used to measure other programs, in tenths of a stone: the
/// difference of the kazans, twelve stones for a tuzdyk and a fifth of a stone for every stone on
/// the own side.
pub fn plain(position: &TogyzkumalakPosition) -> i32 {
    let me = usize::from(position.side() & 1);
    let [mine, theirs] = position.tuzdyks.map(|pit| i32::from(pit < 18));
    let ahead = 10 * difference(position) + 120 * (mine - theirs);
    let home = 2 * (on_side(position, me) - on_side(position, 1 - me));
    if me == 0 { ahead + home } else { home - ahead }
}
