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
//! and `easy` count stones as [`counting_judge::plain`] does, `medium` judges as the strong ones
//! do.
//! `strong` makes 1,000 positions for a move, `master` 2 million or what the time allows.
//!
//! # What was measured
//!
//! Variant `short`, games from 6 random plies, every opening with both colours, so many positions a
//! move that load could not falsify it; Elo with the bounds of 95 %. Again on a quiet machine:
//! `caravanserai-tools arena togyzkumalak --a easy --b beginner --games 400 --seed 3`, and so on
//! for every line.
//!
//! | match | games | score | Elo |
//! | --- | --- | --- | --- |
//! | `beginner` - `random` (an earlier, weaker `beginner`) | 300 | 84.8 % | +299 (250 to 361) |
//! | `easy` - `beginner` | 400 | 90.8 % | +397 (346 to 464) |
//! | `medium` - `easy` | 400 | 91.0 % | +402 (349 to 472) |
//! | `strong` - `medium` | 200 | 90.5 % | +392 (323 to 494) |
//! | `master` with 30,000 positions a move - `strong` | 40 | 76.2 % | +203 (95 to 367) |
//! | `master` with 100,000 positions a move - `strong` | 24 | 75.0 % | +191 (54 to 432) |
//! | `master` with 30,000 positions a move - `plain-10` | 20 | 95.0 % | +512 |
//! | `master` with 10,000 positions a move - `plain-8` | 30 | 96.7 % | +585 |
//!
//! (Both lines of 30,000 and that of 10,000 with networks one to three generations older.) A
//! step is about 400 Elo: five levels lie between a first game and a search that a plain program
//! ten plies deep hardly ever beats. At 100 ms a move `master` makes some 500,000 positions;
//! `caravanserai-tools arena togyzkumalak --a master:100 --b plain-10 --games 300 --seed 1`.
//!
//! Generations of the network against the one before, 200 to 300 games with 1,000 to 1,500
//! positions a move: +198, +120, +72, +104, +78, -5 Elo; the first three in a run of the same
//! first generations, the very first against another network of generation 0.
//!
//! Cutting off near the leaves won 80 to 90 Elo. Besides, with networks of generation 0 and each in
//! 200 games, which is to say 50 Elo either way, nothing paid, and none of it is in play: narrower
//! margins -12, up to depth 8 instead of 4 -10, reductions from the second move on -10, stronger
//! ones -16, following captures beyond the depth +7 to +19, passing (null move) +2.
//! Tables of endgames: in 3 games of 100 six stones or fewer are ever left with nobody the winner,
//! and then the search sees the end anyway; so there are none.
//!
//! The network was made by [`learn`](mod@learn) with [`Learn::STANDARD`](learn::Learn::STANDARD)
//! (`caravanserai-tools learn togyzkumalak`, seed 1): 7 generations of 9,000 games, some 260
//! seconds on one core of a server processor of 2024. More generations may still win something.

mod board;
mod casual;
pub mod counting_judge;
pub mod learn;
mod learned_judge;
pub mod net;
mod players;

pub use learned_judge::LearnedJudge;
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
