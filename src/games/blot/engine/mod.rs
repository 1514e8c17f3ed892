//! Computer players of Blot.

pub mod auction;
mod computer;
pub mod equity;
pub mod learn;
mod packed;
pub mod play;
pub mod playouts;
mod shares;
pub mod solver;
pub mod stakes;
mod thumb;
mod trick;
pub mod worlds;

use self::computer::Computer;
use super::rules::Blot;
use crate::search::Player;

/// Opponents to measure against: legal at random; rules of thumb and a bidder that counts; and
/// so many worlds drawn without inference and played out by rules of thumb, for card points.
pub const PLAYERS: &[&str] = &["random", "greedy", "playouts-N"];

/// A level by its code, or one of [`PLAYERS`].
pub fn player(name: &str) -> Option<Box<dyn Player<Blot>>> {
    Computer::new(name).map(|it| Box::new(it) as Box<dyn Player<Blot>>)
}
