//! Evaluates positions for the stronger levels with learned networks, and converts their scores to
//! chances and stones.

use std::sync::LazyLock;

use super::super::position::TogyzkumalakPosition;
use super::net::{EARLIER_WIDTH, TogyzkumalakNet};
use crate::search::Evaluator;

/// The network of `master`, made by [`learn`](super::learn::learn).
static MASTER: LazyLock<TogyzkumalakNet> = LazyLock::new(|| read(include_bytes!("master.net")));

/// The network of the levels below, with which their strength was measured: it was made in the same
/// way, but with smaller rows and fewer games.
static EARLIER: LazyLock<TogyzkumalakNet<EARLIER_WIDTH>> =
    LazyLock::new(|| read(include_bytes!("togyzkumalak.net")));

fn read<const WIDTH: usize>(bytes: &[u8]) -> TogyzkumalakNet<WIDTH> {
    TogyzkumalakNet::read(bytes).expect("`TogyzkumalakNet::write` wrote the shipped networks")
}

/// The judge that uses a learned network.
#[derive(Clone, Copy, Debug)]
pub struct NetworkEvaluator<const WIDTH: usize = { super::net::WIDTH }>(
    &'static TogyzkumalakNet<WIDTH>,
);

impl NetworkEvaluator {
    /// The judge of `master`.
    pub fn of_master() -> Self {
        Self(&MASTER)
    }
}

impl NetworkEvaluator<EARLIER_WIDTH> {
    /// The judge of the levels below `master`, and of `master` until November 2026.
    pub fn earlier() -> Self {
        Self(&EARLIER)
    }
}

impl<const WIDTH: usize> Evaluator<TogyzkumalakPosition> for NetworkEvaluator<WIDTH> {
    #[inline]
    fn score(&mut self, board: &TogyzkumalakPosition) -> i32 {
        self.0.score(board)
    }
}

/// The chance to win for a score of the network, in thousandths: a logistic curve fitted to
/// self-play, a little steeper than in training, because play goes on after the score.
pub(super) fn chance(score: i32) -> u16 {
    logistic(score as f32 / CHANCE_SCALE)
}

/// The same for a score of the plain evaluation in tenths of a stone.
pub(super) fn chance_plain(tenths: i32) -> u16 {
    logistic(tenths as f32 / CHANCE_SCALE_PLAIN)
}

/// The expected final difference of the kazans for a score of the network, in hundredths of a
/// stone: a curve fitted to self-play games, which end with a difference of 28 stones when they are
/// decided early. The plain evaluation needs no conversion: it counts in stones.
pub(super) fn stones(score: i32) -> i32 {
    (100.0 * STONES_MOST * (score as f32 / STONES_SCALE).tanh()) as i32
}

const CHANCE_SCALE: f32 = 330.0;
const CHANCE_SCALE_PLAIN: f32 = 110.0;
const STONES_MOST: f32 = 28.0;
const STONES_SCALE: f32 = 800.0;

fn logistic(logit: f32) -> u16 {
    (1_000.0 / (1.0 + (-logit).exp())).round() as u16
}
