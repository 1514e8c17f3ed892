//! Computer players of Togyzkumalak.

mod board;
mod casual;
pub mod judge;
pub mod learn;
mod mind;
pub mod net;
mod players;

pub use mind::Mind;
pub use players::{PLAYERS, player};

use crate::search::pvs::Pruning;

/// How much is cut short in play.
const PRUNING: Pruning = Pruning {
    above: 80,
    below: 80,
    depth: 0,
    late: 3,
    reduce: 45,
    follow: 1_000,
    follow_depth: 0,
    exact: false,
};

/// How much own games for learning are cut short.
const SELF_PLAY: Pruning = Pruning { depth: 0, ..PRUNING };
