//! Computer players of Blot.
//!
//! [`lesson_player_name`] knows them by name. In the auction they ask [`auction`], at cards the
//! parts here:
//!
//! - [`solver`]: what a round brings when all cards lie open, exactly.
//! - [`playouts`]: what it brings when all go on by rules of thumb, in half a microsecond.
//! - [`worlds`]: hands that agree with everything public, each with the same chance.
//! - [`stakes`]: what an end of the round is worth by the score of the game itself, with all house
//!   rules; [`equity`] makes a chance to win the match of it.
//! - [`card_play`]: the choice of a card by the mean over worlds.
//!
//! # Cards
//!
//! A player sees its view and nothing else. From the tricks of the round it learns what the others
//! cannot hold (they did not follow, cut or overtrump when they had to) and from combinations what
//! they must hold; it draws worlds that agree, four for each that is used, and keeps them by how
//! well the hands explain the calls of their owners ([`auction::listen`]). This is perfect
//! information Monte Carlo as in bridge (Ginsberg 2001, "GIB: imperfect information in a
//! computationally challenging game") and Skat (Kupferschmid and Helmert 2006, "A Skat player based
//! on Monte-Carlo simulation"; Buro, Long, Furtak and Sturtevant 2009, "Improving state evaluation,
//! inference, and search in trick-based card games"); why it works in such games is the subject of
//! Long, Sturtevant, Buro and Furtak 2010. With seven and eight cards in hand worlds are played out
//! by rules of thumb, from six cards on they are solved. Every end is scored as the game scores it:
//! made or failed, kaput, kuansh and sur, combinations of both sides, roundings, and what the
//! totals then make of the match; a small part of the card points is added as a spare.
//!
//! # Levels
//!
//! - beginner: rules of thumb with no memory, overlooks whose trick it is, forgets combinations.
//! - easy: rules of thumb that remember the last trick.
//! - medium: eight worlds without inference, played out.
//! - strong: sixty worlds with inference, the last four tricks solved.
//! - master: four hundred worlds weighted by the calls, the last six tricks solved.
//!
//! # Measured
//!
//! One core. Speeds: `cargo bench --bench blot`; strength: duplicate deals, both seatings of each,
//! as `caravanserai-tools arena blot --a A --b B --games N --seed S` plays them.
//!
//! | What | Figure |
//! |---|---|
//! | exact value of a random deal, with a trump | 7.5 ms in the mean |
//! | the same in boy | 14.8 ms in the mean |
//! | seven, six, five cards left | 1.8, 0.5, 0.10 ms |
//! | a playout of 32 cards | 0.46 µs |
//! | a world | 1.0 to 1.5 µs |
//! | a decision of the master, auction included | 9.4 ms in the mean, at most 284 |
//! | `cards` against `playouts-3000`, same contracts | +2.1 (0.5) card points a deal, 300 deals |
//! | the result as the aim against card points | +1.2 (0.5) match points a deal, 100 deals |
//! | easy against beginner, whole rounds | +7.2 (0.6) match points a deal, 400 deals |
//! | medium against easy | +6.0 (1.0), 300 deals |
//! | strong against medium | +4.8 (1.0), 300 deals |
//! | master against strong | +6.8 (2.5), 60 deals |
//! | master against greedy | +10.1 (0.8), 600 deals |
//! | master against playouts-300 | +8.4 (0.4), 2,000 deals (`--games 4000 --seed 1`) |

pub mod auction;
pub mod card_play;
mod computer;
mod count;
pub mod equity;
pub mod learn;
mod packed;
pub mod playouts;
mod rules_of_thumb;
mod shares;
pub mod solver;
pub mod stakes;
mod trick;
pub mod worlds;

use self::computer::BlotComputer;
use super::rules::Blot;
use crate::search::Player;

/// Opponents to measure against: legal at random; rules of thumb and a bidder that counts; and
/// so many worlds drawn without inference and played out by rules of thumb, for card points.
/// `cards` has the card play of the highest level, for card points, and the bidder that counts:
/// what card play alone is worth.
pub const PLAYERS: &[&str] = &["random", "greedy", "playouts-N", "cards"];

/// A level by its code, or one of [`PLAYERS`].
pub fn player(name: &str) -> Option<Box<dyn Player<Blot>>> {
    BlotComputer::new(name).map(|it| Box::new(it) as Box<dyn Player<Blot>>)
}
