//! Computer players of Togyzkumalak: five levels, and opponents to measure them against.
//!
//! # The stronger levels
//!
//! [`strong` and `master`](player) use principal variation search
//! ([`search::pvs`](crate::search::pvs) names its techniques and their sources) on the game's own
//! position: a move is one addition over the ring, a position is 48 bytes that are copied, and a
//! key is computed from the whole position in about 2 ns. Finished games are scored by the stones
//! *after* collecting, in each variant by its own rule: most programs get this wrong and lose games
//! because of it. A position that can still come up again counts as a draw when it comes up for the
//! third time, or for the second time within a line; the view has the earlier positions
//! ([`TogyzkumalakView::earlier`](super::TogyzkumalakView::earlier)).
//!
//! Positions are evaluated by small networks ([`net`]): one layer of 64 units for `master` (107
//! kB), one of 32 units for the levels below. They were trained by self-play only
//! ([`learn`](mod@learn)), generation by generation: each on the games of the one before, the first
//! on games with the counting evaluation. Games of people or of other programs were not used, and
//! there is no opening book.
//!
//! # The lower levels
//!
//! They search one, two or three plies, *overlook* some captures, above all those of long sowings
//! and those of the opponent, and evaluate positions with small errors. `beginner` and `easy` count
//! stones as [`counting_evaluator::plain`] does, `medium` uses the network. `strong` searches 1,000
//! positions for a move, `master` 2 million or as many as the time allows.
//!
//! # Measured
//!
//! Variant `short`, games from 6 random plies, every opening with both colours, a fixed number of
//! positions per move so that machine load has no effect; Elo with 95 % bounds. To repeat the
//! measurements on a quiet machine: `caravanserai-tools arena togyzkumalak --a easy --b beginner
//! --games 400 --seed 3`, and so on for every row.
//!
//! | match | games | score | Elo |
//! | --- | --- | --- | --- |
//! | `beginner` - `random` (an earlier, weaker `beginner`) | 300 | 84.8 % | +299 (250 to 361) |
//! | `easy` - `beginner` | 400 | 90.8 % | +397 (346 to 464) |
//! | `medium` - `easy` | 400 | 91.0 % | +402 (349 to 472) |
//! | `strong` - `medium` | 200 | 90.5 % | +392 (323 to 494) |
//! | `master` with 30,000 positions per move - `strong` | 40 | 76.2 % | +203 (95 to 367) |
//! | `master` with 100,000 positions per move - `strong` | 24 | 75.0 % | +191 (54 to 432) |
//! | `master` with 30,000 positions per move - `plain-10` | 20 | 95.0 % | +512 |
//! | `master` with 10,000 positions per move - `plain-8` | 30 | 96.7 % | +585 |
//!
//! (The rows with `master` used the network of the levels below, which was also that of `master`
//! until November 2026, or one to three generations older.) A step is about 400 Elo: five levels
//! lie between a first game and a search that almost never loses to a plain program ten plies deep.
//! At 100 ms per move `master` searches about 400,000 positions; `caravanserai-tools arena
//! togyzkumalak --a master:100 --b plain-10 --games 300 --seed 1`.
//!
//! Generations of the network against the one before, 200 to 300 games with 1,000 to 1,500
//! positions per move: +198, +120, +72, +104, +78, -5 Elo; the first three in a run with the same
//! first generations, the very first against another network of generation 0.
//!
//! Pruning near the leaves gained 80 to 90 Elo. The following changes gained nothing and are not
//! used (networks of generation 0, 200 games each, so ± 50 Elo): narrower margins -12, pruning up
//! to depth 8 instead of 4 -10, reductions from the second move on -10, stronger reductions -16,
//! searching captures beyond the depth +7 to +19, null move +2. Endgame tables are not used: only
//! in 3 games of 100 six stones or fewer are left without a winner, and then the search finds the
//! end anyway.
//!
//! The network of `master` was made by [`learn`](mod@learn) with
//! [`TogyzkumalakLearnSettings::STANDARD`](learn::TogyzkumalakLearnSettings::STANDARD)
//! (`caravanserai-tools learn togyzkumalak`, seed 1): 7 generations of 9,000 games with 200
//! positions for a move, then 5 of 30,000 games with 400, in 72 minutes beside other work. That of
//! the levels below, and of `master-2026-11`, comes from 7 generations with rows of 32 numbers. It
//! stays because the strength of these levels was measured with it.
//!
//! Against `master-2026-11` it scored 71.8 % of 400 games with 10,000 positions for each move (Elo
//! +162, 95 % bounds 134 to 192), and 74.2 % of 60 games with 100 ms for each move, beside other
//! work that left each side 100,000 positions (+183, 112 to 273): `caravanserai-tools arena
//! togyzkumalak --a master:10000n --b master-2026-11:10000n --games 400 --seed 11`, and `--a
//! master:100 --b master-2026-11:100 --games 60 --seed 12`. A position takes a sixth longer than
//! with 32 units. The generation before it was as strong within the error.

mod board;
mod casual;
pub mod counting_evaluator;
#[cfg(test)]
mod ladder_tests;
pub mod learn;
pub mod net;
mod network_evaluator;
mod players;

pub use network_evaluator::NetworkEvaluator;
pub use players::{PLAYERS, REVIEWER, player};

use crate::search::pvs::Pruning;

/// The pruning in play.
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

/// The pruning in self-play for training: separate from play, so that training gives the same
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
