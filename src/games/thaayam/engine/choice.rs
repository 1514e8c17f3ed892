//! What a turn can be ended with, and how the levels weigh it.

use super::lookahead::Lookahead;
use super::net::{LEARNED, Nets};
use super::seats::Between;
use super::simple_opponents;
use crate::rules::{Entropy, Seat};
use crate::search::{ComputerLevel, SeededRng, ThinkBudget};
use crate::thaayam::outcomes::TurnOutcome;
use crate::thaayam::position::ThaayamPosition;
use crate::thaayam::turn::ThaayamTurn;

/// Ways a player weighs the ends of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndWeighing {
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
pub struct LevelStyle {
    /// What it looks at.
    pub eye: EndWeighing,
    /// How many of a hundred ends it does not think of.
    pub overlooks: u32,
}

impl LevelStyle {
    /// Master without looking ahead: to measure what that is worth.
    pub const LEARNED: LevelStyle = LevelStyle { eye: EndWeighing::Learned, overlooks: 0 };

    /// The manner of a level.
    pub fn of(level: ComputerLevel) -> Self {
        let (eye, overlooks) = match level {
            ComputerLevel::Beginner => (EndWeighing::Progress, 82),
            ComputerLevel::Easy => (EndWeighing::Progress, 55),
            ComputerLevel::Medium => (EndWeighing::Danger, 45),
            ComputerLevel::Strong => (EndWeighing::Learned, 20),
            ComputerLevel::Master => (EndWeighing::Ahead(2), 0),
        };
        Self { eye, overlooks }
    }
}

/// What was chosen.
pub struct ChosenEnd {
    /// How the turn is to end.
    pub end: TurnOutcome,
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
pub fn side_of(position: &ThaayamPosition, chances: &[f32; 4], seat: Seat) -> f32 {
    let all = (0..position.seats()).map(Seat);
    let together = all.filter(|it| position.are_together(*it, seat));
    together.map(|it| chances[it.index() & 3]).sum()
}

/// Chooses among the ends of a turn; there is one at least.
pub fn choose(
    manner: LevelStyle,
    position: &ThaayamPosition,
    turn: &ThaayamTurn,
    ends: &[TurnOutcome],
    budget: &ThinkBudget<'_>,
    entropy: &mut dyn Entropy,
) -> Option<ChosenEnd> {
    let seat = turn.seat();
    let seen = seen(manner, ends, entropy);
    let mut best: Option<(f32, TurnOutcome)> = None;
    match manner.eye {
        EndWeighing::Ahead(depth) => {
            // With more seats the second series is that of another rival: of no use.
            let depth = if position.seats() == 2 { depth } else { 1 };
            let depth = depth.min(usize::from(budget.depth_max().saturating_sub(1)));
            // With a time it goes on as long as that lasts.
            let dice = budget.goes_on().then(|| SeededRng::from_entropy(entropy));
            return Lookahead::new(&LEARNED, position, seat, budget).choose(&seen, depth, dice);
        }
        EndWeighing::Progress | EndWeighing::Danger | EndWeighing::Learned => {}
    }
    for (at, end) in seen.iter().enumerate() {
        if at % 64 == 63 && budget.is_over() {
            break;
        }
        let after = Between::after(position, seat, end);
        let worth = match manner.eye {
            EndWeighing::Progress => simple_opponents::bold(&after.position, seat),
            EndWeighing::Danger => simple_opponents::greedy(&after.position, seat),
            EndWeighing::Learned | EndWeighing::Ahead(_) => chance_of(&LEARNED, &after, seat),
        };
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, *end));
        }
    }
    let (_, end) = best?;
    let chance = chance_of(&LEARNED, &Between::after(position, seat, &end), seat);
    Some(ChosenEnd { end, chance, depth: 1, nodes: seen.len() as u64 })
}

/// The ends that come to mind: never none.
fn seen(manner: LevelStyle, ends: &[TurnOutcome], entropy: &mut dyn Entropy) -> Vec<TurnOutcome> {
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
