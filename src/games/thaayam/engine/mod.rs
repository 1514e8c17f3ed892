//! Computer players of Thaayam: five levels, and simple opponents to measure them against.
//!
//! # Method
//!
//! A turn has few distinct ends ([`Turn::outcomes`]), so a player weighs all of them, takes the
//! best and plays towards it ([`player`]). What differs is how ends are weighed ([`choice`]):
//!
//! | level | weighs by | of a hundred ends it overlooks |
//! | --- | --- | --- |
//! | beginner | own progress and what is killed; sees no danger | 82 |
//! | easy | the same | 55 |
//! | medium | also the danger to be hit, by true odds | 45 |
//! | strong | the learned chance to win | 20 |
//! | master | the learned chance after further series of throws | none |
//!
//! One end that comes to mind is always left. The simple opponents ([`plain`]) are those of
//! section 6 of the rule notes; `learned` is master without looking ahead.
//!
//! - **Odds** ([`odds`]): how likely a piece reaches a square within a turn, counted exactly over
//!   all series of throws.
//! - **Evaluation** ([`net`], [`inputs`]): a network of one hidden layer gives every seat's
//!   chance to win, for any number of seats and any house rules, seen from the seat that throws
//!   next. It was learned from own games by TD(λ) ([`learn`]).
//! - **Looking ahead** ([`ahead`]): the average over all series of throws of those who come next,
//!   each answered with what looks best to whoever throws. Ends that are clearly worse are not
//!   looked at again; the effort is fixed, so the answer is the same on every machine.
//!
//! With partners the chance is that of the pair. With `play_on` it is the chance to be the first
//! of those who still play.
//!
//! # Sources
//!
//! - R. S. Sutton, *Learning to predict by the methods of temporal differences*, 1988.
//! - G. Tesauro, *Temporal difference learning and TD-Gammon*, 1995: chances learned from
//!   self-play, dice that explore by themselves, a look ahead on top.
//! - D. Michie, *Game-playing and game-learning automata*, 1966, and B. W. Ballard, *The
//!   \*-minimax search procedure for trees containing chance nodes*, 1983: averages over chance.
//! - D. P. Kingma, J. Ba, *Adam: a method for stochastic optimization*, 2015: the steps.
//!
//! # What a thought says
//!
//! `chance` is the learned chance to win in thousandths, `score` the same in hundredths of a
//! percent, `line` the rest of the own turn, `depth` 1 for the own end and 1 for every further
//! series of throws, `nodes` the positions that were weighed.
//!
//! FIGURES
//!
//! [`Turn::outcomes`]: crate::games::thaayam::Turn::outcomes

pub mod ahead;
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

pub use self::learn::{Learn, learn};
pub use self::net::chances;

use self::choice::Manner;
use self::plain::Plain;
use self::player::{Mind, Thinker};
use crate::games::thaayam::Thaayam;
use crate::search::{Level, Player};

/// More ends of a turn than this are not compared by the simple opponents.
pub const ENDS_MAX: usize = 400;

/// Every name that [`player`] knows besides the levels.
pub const PLAYERS: &[&str] = &["random", "runner", "hunter", "bold", "greedy", "learned"];

/// A player by the code of its level or the name of a simple opponent.
pub fn player(name: &str) -> Option<Box<dyn Player<Thaayam>>> {
    let plain = Plain::ALL.into_iter().find(|(known, _)| *known == name);
    let mind = match plain {
        Some((_, plain)) => Mind::Plain(plain),
        None if name == "learned" => Mind::Level(Manner::LEARNED),
        None => Mind::Level(Manner::of(Level::read(name)?)),
    };
    Some(Box::new(Thinker::new(mind)))
}
