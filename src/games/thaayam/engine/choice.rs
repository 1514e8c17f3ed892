//! What a turn can be ended with, and how the levels weigh it.

use super::ahead::Ahead;
use super::net::{LEARNED, Nets};
use super::plain;
use super::seats::Between;
use crate::games::thaayam::outcomes::Outcome;
use crate::games::thaayam::position::Position;
use crate::games::thaayam::turn::Turn;
use crate::rules::{Entropy, Seat};
use crate::search::{Budget, Level};

/// Ways a player weighs the ends of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eye {
    /// Own progress, and what is killed: no danger.
    Progress,
    /// Also what the rivals are expected to kill.
    Danger,
    /// The learned chance to win.
    Learned,
    /// The learned chance, after the throws of those who come next.
    Ahead,
}

/// How a level thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    pub eye: Eye,
    /// How many of a hundred ends it does not think of.
    pub overlooks: u32,
}

impl Manner {
    /// The manner of a level.
    pub fn of(level: Level) -> Self {
        let (eye, overlooks) = match level {
            Level::Beginner => (Eye::Progress, 60),
            Level::Easy => (Eye::Progress, 15),
            Level::Medium => (Eye::Danger, 15),
            Level::Strong => (Eye::Learned, 10),
            Level::Master => (Eye::Ahead, 0),
        };
        Self { eye, overlooks }
    }
}

/// What was chosen.
pub struct Chosen {
    pub end: Outcome,
    /// The chance to win after it.
    pub chance: f32,
    pub depth: u16,
    pub nodes: u64,
}

/// The learned chance of a seat, or of its pair, to win.
pub fn chance_of(nets: &Nets, at: &Between, seat: Seat) -> f32 {
    side_of(&at.position, &nets.chances(at), seat)
}

/// The chance of a seat's side among those of all seats.
pub fn side_of(position: &Position, chances: &[f32; 4], seat: Seat) -> f32 {
    let all = (0..position.seats()).map(Seat);
    let together = all.filter(|it| position.are_together(*it, seat));
    together.map(|it| chances[it.index() & 3]).sum()
}

/// Chooses among the ends of a turn; there is one at least.
pub fn choose(
    manner: Manner,
    position: &Position,
    turn: &Turn,
    ends: &[Outcome],
    budget: &Budget<'_>,
    entropy: &mut dyn Entropy,
) -> Option<Chosen> {
    let seat = turn.seat();
    let seen = seen(manner, ends, entropy);
    let mut best: Option<(f32, Outcome)> = None;
    match manner.eye {
        Eye::Ahead => return Ahead::new(&LEARNED, position, seat).choose(&seen, budget),
        Eye::Progress | Eye::Danger | Eye::Learned => {}
    }
    for (at, end) in seen.iter().enumerate() {
        if at % 64 == 63 && budget.is_over() {
            break;
        }
        let after = Between::after(position, seat, end);
        let worth = match manner.eye {
            Eye::Progress => plain::bold(&after.position, seat),
            Eye::Danger => plain::greedy(&after.position, seat),
            Eye::Learned | Eye::Ahead => chance_of(&LEARNED, &after, seat),
        };
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, *end));
        }
    }
    let (_, end) = best?;
    let chance = chance_of(&LEARNED, &Between::after(position, seat, &end), seat);
    Some(Chosen { end, chance, depth: 1, nodes: seen.len() as u64 })
}

/// The ends that come to mind: never none.
fn seen(manner: Manner, ends: &[Outcome], entropy: &mut dyn Entropy) -> Vec<Outcome> {
    if manner.overlooks == 0 || ends.len() < 2 {
        return ends.to_vec();
    }
    let sure = entropy.below(ends.len() as u32) as usize;
    let mut seen = Vec::with_capacity(ends.len());
    for (at, end) in ends.iter().enumerate() {
        if entropy.below(100) >= manner.overlooks || at == sure {
            seen.push(*end);
        }
    }
    seen
}
