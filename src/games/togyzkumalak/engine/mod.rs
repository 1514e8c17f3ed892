//! Computer players of Togyzkumalak: the five levels, and the opponents they are measured with.
//!
//! # How the stronger levels think
//!
//! [`strong` and `master`](player) look ahead by principal variation search
//! ([`search::pvs`](crate::search::pvs), where its parts and the papers behind them are named) on
//! the game's own board: a move is one addition over the ring, a position 48 bytes that are
//! copied, a key is mixed from the whole position in some 2 ns. Finished games count by who has
//! more *after* collecting, in each variant by its own rule: most programs get that wrong and
//! lose games by it. A position that the game can still come back to counts as a draw when it
//! stands for the third time, or for the second time within a line; the view tells the earlier
//! ones ([`View::earlier`](super::View::earlier)).
//!
//! Positions are judged by a small network ([`net`]): one layer of 32 numbers, 53 kB in all,
//! learned from own games only ([`learn`](mod@learn)), generation by generation, each by the games
//! of the one before and the first by the games of a counted judgement. Nothing was learned from
//! games of people or of other programs, and there is no opening book.
//!
//! # How the lower levels think
//!
//! They look one, two or three plies ahead and *overlook* captures, above all those of long
//! sowings and those of the other side, and misjudge positions a little. `beginner`
//! and `easy` count stones as [`judge::plain`] does, `medium` judges as the strong ones do.
//! `strong` makes 1,000 positions for a move, `master` 2 million or what the time allows.
//!
//! # What was measured
//!
//! Elo between neighbours, games from 6 random plies, every opening with both colours.
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
    above: 60,
    below: 100,
    depth: 4,
    late: 3,
    reduce: 45,
    follow: 1_000,
    follow_depth: 0,
    exact: false,
};

/// How much own games for learning are cut short: apart from play, so that learning gives the same
/// network when play is tuned.
const SELF_PLAY: Pruning = Pruning {
    above: 60,
    below: 100,
    depth: 4,
    late: 3,
    reduce: 45,
    follow: 1_000,
    follow_depth: 0,
    exact: false,
};
