//! Togyzkumalak ("nine pebbles"): two players, eighteen pits, two kazans, 162 stones.
//!
//! Start with [`position`]: the bare board and the effect of a move. [`rules`] makes a game of it
//! (turns, facts, repetition), [`parse_move`] reads typed moves, [`notation`] reads and writes
//! records and positions, [`record_commands`] replays and counts, [`caption`] and [`scene`] display
//! it.
//!
//! # How the rules were chosen
//!
//! Rule numbers R1 to R19 are those of the project's rule notes. They come from two Kazakh texts
//! and one English text, checked against thousands of recorded games. Where the texts are silent
//! or differ:
//!
//! - A1, A2: a stone sown into a tuzdyk goes to its owner at once, and a last stone there does
//!   nothing else.
//! - A4: three stones that may not become a tuzdyk stay in the pit.
//! - A5, A6: "symmetrical" means the same number, and pit 9 never becomes a tuzdyk.
//! - A7: sowing 18 stones or more includes the start pit in every round.
//! - A8: a single stone captures and makes tuzdyks like any other last stone.
//! - A9: a player who empties their own side does not end the game; the other moves as usual.
//! - A10: a player emptied by the *other's* move is where the variants differ, see [`Variant`].
//! - A11: the player who still has stones takes what is left.
//! - A12: the third occurrence of a position is a draw.
//! - A13, A14: 82 stones end the game before anything is collected, on the move of either player.
//! - A16: the extra move is a free choice; no player has to feed.

pub mod advice;
pub mod caption;
pub mod course;
mod definition;
pub mod engine;
mod illegal;
pub mod notation;
pub mod parse_move;
mod perft;
pub mod position;
pub mod record_commands;
pub mod rules;
pub mod scene;
mod setup;
mod sowing_tables;
mod statistics;
mod text_board;
mod upright;
pub mod view;

pub use definition::{DEFINITION, ID, INFO};
pub use illegal::TogyzkumalakIllegal;
pub use position::{Sown, TogyzkumalakPhase, TogyzkumalakPosition, Variant};
pub use rules::{Never, Sow, Togyzkumalak, TogyzkumalakFact};
pub use view::{TogyzkumalakEnd, TogyzkumalakView};
