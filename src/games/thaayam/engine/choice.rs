//! What a turn can be ended with, and how the levels weigh it.

use super::ahead::Ahead;
use super::net::{LEARNED, Nets};
use super::plain;
use super::seats::Between;
use crate::rules::{Entropy, Seat};
use crate::search::{Budget, Level, Numbers};
use crate::thaayam::outcomes::Outcome;
use crate::thaayam::position::Position;
use crate::thaayam::turn::Turn;

/// Ways a player weighs the ends of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eye {
    /// Own progress, and what is killed: no danger.
    Progress,
    /// Also what the rivals are expected to kill.
    Danger,
    /// The learned chance to win.
    Learned,
    /// The learned chance, after so many further series of throws with two seats, after one
    /// with more.
    Ahead(usize),
}

/// How a level thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// What it looks at.
    pub eye: Eye,
    /// How many of a hundred ends it does not think of.
    pub overlooks: u32,
}

impl Manner {
    /// Master without looking ahead: to measure what that is worth.
    pub const LEARNED: Manner = Manner { eye: Eye::Learned, overlooks: 0 };

    /// The manner of a level.
    pub fn of(level: Level) -> Self {
        let (eye, overlooks) = match level {
            Level::Beginner => (Eye::Progress, 82),
            Level::Easy => (Eye::Progress, 55),
            Level::Medium => (Eye::Danger, 45),
            Level::Strong => (Eye::Learned, 20),
            Level::Master => (Eye::Ahead(2), 0),
        };
        Self { eye, overlooks }
    }
}

/// What was chosen.
pub struct Chosen {
    /// How the turn is to end.
    pub end: Outcome,
    /// The chance to win after it.
    pub chance: f32,
    /// Own end, and series of throws after it.
    pub depth: u16,
    /// Positions that were weighed.
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
        Eye::Ahead(depth) => {
            // With more seats the second series is that of another rival: of no use.
            let depth = if position.seats() == 2 { depth } else { 1 };
            let depth = depth.min(usize::from(budget.depth_max().saturating_sub(1)));
            // With a time it goes on as long as that lasts.
            let dice = budget.goes_on().then(|| Numbers::from_entropy(entropy));
            return Ahead::new(&LEARNED, position, seat, budget).choose(&seen, depth, dice);
        }
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
            Eye::Learned | Eye::Ahead(_) => chance_of(&LEARNED, &after, seat),
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
