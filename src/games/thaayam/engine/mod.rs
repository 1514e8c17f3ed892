//! Computer players of Thaayam.
pub mod ahead;
pub mod alone;
pub mod choice;
pub mod inputs;
pub mod learn;
pub mod net;
pub mod odds;
pub mod plain;
pub mod player;
pub mod seats;
pub mod series;
mod weights;

use self::choice::Manner;
use self::plain::Plain;
use self::player::{Mind, Thinker};
use crate::games::thaayam::Thaayam;
use crate::search::{Level, Player};

/// More ends of a turn than this are not compared by the simple players.
pub const ENDS_MAX: usize = 400;

/// Every name that [`player`] knows besides the levels.
pub const PLAYERS: &[&str] = &["random", "runner", "hunter", "bold", "greedy"];

/// A player by the code of its level or the name of a simple opponent.
pub fn player(name: &str) -> Option<Box<dyn Player<Thaayam>>> {
    let plain = Plain::ALL.into_iter().find(|(known, _)| *known == name);
    let mind = match plain {
        Some((_, plain)) => Mind::Plain(plain),
        None => Mind::Level(Manner::of(Level::read(name)?)),
    };
    Some(Box::new(Thinker::new(mind)))
}
