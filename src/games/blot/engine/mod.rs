//! Computer players of Blot.
//!
//! [`player`] finds them by name. In the auction they use [`auction`], in card play the other
//! modules:
//!
//! - [`solver`]: the exact value of a round with open cards.
//! - [`playouts`]: plays a round out by rules of thumb, in half a microsecond; `policy_playouts`
//!   plays it on by the card policy until three tricks are left, which are solved.
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
//! `cards`, which counts card points alone, does more. With eight cards worlds are played on by the
//! most likely cards of the card policy, and the last three tricks are solved. With seven and six
//! the mean of that is mixed with the mean of another method: rules of thumb with seven, solved
//! worlds with six. The levels do not: for match points a gain was not measured.
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
//! | `cards` against colver 0.11.1, 20 ms a card | +3.21 (0.33), 800 deals |
//! | the same, 40 ms a card | +2.22 (0.44), 400 deals |
//! | before the card policy played worlds on, 20 ms | +2.78 (0.33), 800 deals |
//! | the same, 40 ms | +2.82 (0.69), 220 deals |
//!
//! The games against colver are `python src/games/blot/engine/against_colver.py PROGRAM --seed 1`,
//! with `--milliseconds 40 --seed 2` for 40 ms; the script says how the deals are played. The first
//! two ran at the same time on two cores without other work; a decision took 21 and 41 ms, those of
//! colver 22 and 35. The others ran beside a compiler. Before the card policy played worlds on,
//! leads of bidders cost 22.4 points a deal with open hands in 120 deals at 20 ms (8.2 in trick 2,
//! 5.2 in trick 3), those of colver 19.3; all other cards cost 16.2, those of colver 23.6
//! (`--deals 120 --seed 7 --losses`).
//!
//! "At equal cost" is `--a cards:4000n --b cards-2026-11:12000n --games 1600 --seed 1 --contract`
//! before the card policy played worlds on: positions a card, chosen so that both take the same
//! processor time (85 and 93 s). 95 % interval: +0.19 to +1.34.
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
//! | worlds played on by the policy with six to eight cards (kept) | +0.79 (0.30), 800 deals |
//! | the same in `master`, not kept | -1.40 (0.86) match points, 100 deals |
//!
//! The row before the last is two runs at 20 ms of processor time a card on both sides: +0.80
//! (0.44) in 400 deals, then +0.77 (0.42) in 400 others. The last is whole rounds against
//! `master-2026-11` at the effort of the level (`--games 200 --seed 1`), where a decision took 25
//! and 15 ms; the card points were +0.82 (0.89).
//!
//! The methods and their weights come from a regression: in positions of different deals, the card
//! points that the deal brings after each card (played to its end by a weak form of `cards`) are
//! explained by the estimates of 8 ms each. The table has the share that is explained, in percent;
//! only differences between the cards of one position count. "Policy" plays worlds on until three
//! tricks are left, "to four" and "to five" until that many.
//!
//! | Position (their number) | thumb | policy | to four | to five | solved | mixed |
//! |---|---|---|---|---|---|---|
//! | lead, eight cards (130) | 3.7 | 5.5 | 5.3 | 3.2 | | policy and thumb: 5.5 |
//! | other card, eight cards (56) | 8.1 | 4.9 | 6.5 | 3.2 | | policy and thumb: 8.8 |
//! | lead, seven cards (311) | 4.4 | 5.2 | 4.1 | 2.8 | 2.3 | policy and thumb: 5.7 |
//! | other card, seven cards (121) | 8.7 | 13.0 | 13.6 | 12.9 | 7.6 | policy and thumb: 13.3 |
//! | lead, six cards (159) | 8.8 | 11.1 | 10.1 | 11.7 | 9.2 | policy and solved: 12.5 |
//! | other card, six cards (62) | 12.0 | 20.5 | 15.9 | 12.3 | 11.2 | policy and solved: 20.8 |
//! | lead, five cards (102) | 6.1 | 10.1 | 12.1 | | 13.4 | policy and solved: 14.2 |
//!
//! Not used: the logarithm of the policy's odds of the card itself beside the policy's playouts
//! (5.7 for leads with seven cards, 11.7 with six), which a value in match points would need in
//! another scale; playouts by the policy to the last card (4.0 and 11.1); rules of thumb until four
//! or five tricks are left (2.8 and 2.9 for leads with seven cards). Solved worlds are few with
//! seven cards: four in 8 ms.

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
mod policy_playouts;
pub mod sampled_hands;
pub mod solver;
pub mod stakes;
mod trick;

use self::computer::BlotComputer;
use super::rules::Blot;
use crate::search::Player;

/// Opponents to measure strength against: random legal actions; rules of thumb with the point
/// count; N worlds drawn without inference and played out by rules of thumb, for card points.
/// `cards` plays for card points alone, with the inference of the highest level and the point
/// count: it isolates the strength of card play. `cards-2026-11` and `master-2026-11` are the
/// players of 27 November 2026, by which progress is measured.
pub const PLAYERS: &[&str] =
    &["random", "greedy", "playouts-N", "cards", "cards-2026-11", "master-2026-11"];

/// Creates a player: a level by its code, or one of [`PLAYERS`].
pub fn player(name: &str) -> Option<Box<dyn Player<Blot>>> {
    BlotComputer::new(name).map(|it| Box::new(it) as Box<dyn Player<Blot>>)
}
