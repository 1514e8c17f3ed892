//! Computer players of Blot.
//!
//! [`player`] finds them by name. In the auction they use [`auction`], in card play the other
//! modules:
//!
//! - [`solver`]: the exact value of a round with open cards.
//! - [`playouts`]: plays a round out by rules of thumb, in half a microsecond.
//! - [`sampled_hands`]: draws hands that agree with everything public, all equally likely.
//! - [`stakes`]: scores the end of a round with all house rules; [`match_equity`] converts scores
//!   to chances to win the match.
//! - [`card_policy`]: how likely a strong player plays each card; `play_inference` weighs worlds
//!   with it.
//! - [`card_play`]: chooses a card by its mean value over worlds.
//!
//! # Cards
//!
//! A player sees only its view. From the tricks of the round it infers which cards the others
//! cannot hold (they did not follow, cut or overtrump when they had to), and from combinations
//! which cards they must hold. It draws worlds that agree, eight for each one that is used, and
//! selects them by how well the hands agree with the calls of their owners ([`auction::listen`])
//! and with the cards that their owners played: a learned policy says how likely a strong player
//! plays each card of a hand ([`card_policy`]; Rebstock, Solinas, Buro and Sturtevant 2019). This
//! is perfect information Monte Carlo as in bridge (Ginsberg 2001, "GIB: imperfect information in a
//! computationally challenging game") and Skat (Kupferschmid and Helmert 2006, "A Skat player based
//! on Monte-Carlo simulation"; Buro, Long, Furtak and Sturtevant 2009, "Improving state evaluation,
//! inference, and search in trick-based card games"); Long, Sturtevant, Buro and Furtak
//! 2010 explain why it works in such games. With seven and eight cards in hand worlds are played
//! out by rules of thumb, from six cards on they are solved. Every result is scored by the rules of
//! the game: made or failed, kaput, kuansh and sur, combinations of both sides, rounding, and the
//! effect on the match; a small share of the card points is added as a reserve.
//!
//! # Levels
//!
//! - beginner: rules of thumb with no memory; overlooks who holds the trick, forgets combinations.
//! - easy: rules of thumb that remember the last trick.
//! - medium: plays out eight worlds without inference.
//! - strong: plays out sixty worlds with inference, solves the last four tricks.
//! - master: plays out four hundred worlds weighted by calls and cards, solves the last six tricks.
//!
//! # Measured
//!
//! On one core. Speeds: `cargo bench --bench blot`; strength: duplicate deals, each with both
//! seatings, as `caravanserai-tools arena blot --a A --b B --games N --seed S` plays them.
//!
//! | Measured | Result |
//! |---|---|
//! | exact value of a random deal, with a trump | 7.5 ms in the mean |
//! | the same in boy | 14.8 ms in the mean |
//! | seven, six, five cards left | 1.8, 0.5, 0.10 ms |
//! | a playout of 32 cards | 0.46 µs |
//! | a world | 1.0 to 1.5 µs |
//! | a decision of the master, auction included | 9.4 ms in the mean, at most 284 |
//! | `cards` against `playouts-3000`, same contracts | +2.1 (0.5) card points a deal, 300 deals |
//! | `cards` against `cards-2026-11` at equal cost | +0.76 (0.29) card points a deal, 800 deals |
//! | the result as the aim against card points | +1.2 (0.5) match points a deal, 100 deals |
//! | easy against beginner, whole rounds | +7.2 (0.6) match points a deal, 400 deals |
//! | medium against easy | +6.0 (1.0), 300 deals |
//! | strong against medium | +4.8 (1.0), 300 deals |
//! | master against strong | +6.8 (2.5), 60 deals |
//! | master against greedy | +10.1 (0.8), 600 deals |
//! | master against playouts-300 | +8.4 (0.4), 2,000 deals (`--games 4000 --seed 1`) |
//!
//! | `cards` against colver 0.11.1, 20 ms a card | +2.78 (0.33) card points a deal, 800 deals |
//! | the same, 40 ms a card | +2.82 (0.69), 220 deals |
//!
//! The last two are `python src/games/blot/engine/against_colver.py PROGRAM --seed 1`, with
//! `--milliseconds 40 --seed 2` for the second, on two cores that compiled at the same time; the
//! script says how the deals are played. Double-dummy loss of `cards` in 120 deals at 20 ms: leads
//! of bidders cost 22.4 points a deal (8.2 in trick 2, 5.2 in trick 3), those of colver 19.3; all
//! other cards cost 16.2, those of colver 23.6 (`--deals 120 --seed 7 --losses`).
//!
//! "At equal cost" is `--a cards:4000n --b cards-2026-11:12000n --games 1600 --seed 1 --contract`:
//! positions a card, chosen so that both take the same processor time (85 and 93 s). 95 % interval:
//! +0.19 to +1.34.
//!
//! # Tried in card play
//!
//! Card points a deal with the standard error, duplicate deals with the same contracts, 4,000
//! positions a card on both sides unless said otherwise.
//!
//! | Tried | Result |
//! |---|---|
//! | hands weighed by their owners' cards (kept) | +1.54 (0.42), 400 deals, 2.6 times the time |
//! | the same without a limit, 1.3 times the time | +0.76 (0.79), 100 deals: too few |
//! | full trust in the card policy instead of 0.7 | +0.17 (0.39), 300 deals: no difference |
//! | playouts by the card policy, hands not weighed | -0.29 (0.60), 200 deals: not kept |
//! | seven cards solved as well, 40 ms a card | -0.36 (0.61), 160 deals: not kept |

pub mod auction;
mod card_distributions;
pub mod card_play;
pub mod card_policy;
mod computer;
mod count;
mod heuristics;
#[cfg(test)]
mod ladder_tests;
pub mod learn;
pub mod match_equity;
mod packed;
mod play_inference;
pub mod playouts;
pub mod sampled_hands;
pub mod solver;
pub mod stakes;
mod trick;

use self::computer::BlotComputer;
use super::rules::Blot;
use crate::search::Player;

/// Opponents to measure strength against: random legal actions; rules of thumb with the point
/// count; N worlds drawn without inference and played out by rules of thumb, for card points.
/// `cards` has the card play of the highest level, for card points, and the point count: it
/// isolates the strength of card play. `cards-2026-11` and `master-2026-11` are the players of 27
/// November 2026, by which progress is measured.
pub const PLAYERS: &[&str] =
    &["random", "greedy", "playouts-N", "cards", "cards-2026-11", "master-2026-11"];

/// Creates a player: a level by its code, or one of [`PLAYERS`].
pub fn player(name: &str) -> Option<Box<dyn Player<Blot>>> {
    BlotComputer::new(name).map(|it| Box::new(it) as Box<dyn Player<Blot>>)
}
