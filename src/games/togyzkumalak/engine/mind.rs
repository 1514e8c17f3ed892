//! The judgement of the stronger levels: the learned network, and what its scores mean.

use std::sync::LazyLock;

use super::super::position::Position;
use super::net::{Net, SCALE};
use crate::search::Judge;

/// The learned network, made by [`learn`](super::learn::learn).
static LEARNED: &[u8] = include_bytes!("togyzkumalak.net");

static NET: LazyLock<Net> =
    LazyLock::new(|| Net::read(LEARNED).expect("the network in the program is whole"));

/// The learned judgement.
#[derive(Clone, Copy, Debug)]
pub struct Mind(&'static Net);

impl Default for Mind {
    fn default() -> Self {
        Self(&NET)
    }
}

impl Judge<Position> for Mind {
    #[inline]
    fn score(&mut self, board: &Position) -> i32 {
        self.0.score(board)
    }
}

/// The chance to win of a score of the network, in thousandths.
pub(super) fn chance(score: i32) -> u16 {
    logistic(score as f32 / SCALE as f32)
}

/// The same of the plain judgement, in tenths of a stone; fitted to own games.
pub(super) fn chance_plain(tenths: i32) -> u16 {
    logistic(tenths as f32 / PLAIN_SCALE)
}

/// The difference of the kazans at the end that goes with a score of the network, in hundredths
/// of a stone; fitted to own games.
pub(super) fn stones(score: i32) -> i32 {
    let logit = score as f32 / SCALE as f32;
    (STONES_STEP * 100.0 * logit) as i32
}

/// Tenths of a stone in the plain judgement that are worth one in the logistic curve.
const PLAIN_SCALE: f32 = 150.0;
/// Stones of difference at the end for one in the logistic curve.
const STONES_STEP: f32 = 10.0;

fn logistic(logit: f32) -> u16 {
    (1_000.0 / (1.0 + (-logit).exp())).round() as u16
}
