//! Chooses the end of a turn in the way of each level.

use super::evaluator::Evaluator;
use super::lookahead::Lookahead;
use super::seats::TurnStart;
use super::simple_opponents;
use crate::rules::{Entropy, Seat};
use crate::search::{ComputerLevel, SeededRng, ThinkBudget};
use crate::thaayam::outcomes::TurnOutcome;
use crate::thaayam::position::ThaayamPosition;
use crate::thaayam::turn::ThaayamTurn;

/// The evaluation by which a player compares the ends of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnEndEvaluation {
    /// Own progress and kills; ignores danger.
    Progress,
    /// Also the expected kills by the rivals.
    Danger,
    /// The learned chance to win.
    Learned,
    /// The learned chance, after this number of further series of throws with two seats, or after
    /// one with more seats.
    Ahead(usize),
}

/// The evaluation and the mistakes of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelStyle {
    /// The evaluation.
    pub evaluation: TurnEndEvaluation,
    /// The percentage of ends that it overlooks.
    pub overlooks: u32,
}

impl LevelStyle {
    /// Master without lookahead, to measure the gain from lookahead.
    pub const LEARNED: LevelStyle =
        LevelStyle { evaluation: TurnEndEvaluation::Learned, overlooks: 0 };

    /// The style of a level.
    pub fn for_level(level: ComputerLevel) -> Self {
        let (evaluation, overlooks) = match level {
            ComputerLevel::Beginner => (TurnEndEvaluation::Progress, 82),
            ComputerLevel::Easy => (TurnEndEvaluation::Progress, 55),
            ComputerLevel::Medium => (TurnEndEvaluation::Danger, 45),
            ComputerLevel::Strong => (TurnEndEvaluation::Learned, 20),
            ComputerLevel::Master => (TurnEndEvaluation::Ahead(2), 0),
        };
        Self { evaluation, overlooks }
    }
}

/// The end that was chosen.
pub struct ChosenEnd {
    /// The end of the turn.
    pub end: TurnOutcome,
    /// The chance to win after it.
    pub chance: f32,
    /// The number of plies: the own end and the series of throws after it.
    pub depth: u16,
    /// Number of positions that were evaluated.
    pub nodes: u64,
}

/// The learned or exact chance of a seat, or of its pair, to win.
pub fn winning_chance(evaluator: &Evaluator<'_>, at: &TurnStart, seat: Seat) -> f32 {
    side_chance(&at.position, &evaluator.chances(at), seat)
}

/// The chance of a seat's side among those of all seats.
pub fn side_chance(position: &ThaayamPosition, chances: &[f32; 4], seat: Seat) -> f32 {
    let all = (0..position.seats()).map(Seat);
    let together = all.filter(|it| position.are_together(*it, seat));
    together.map(|it| chances[it.index() & 3]).sum()
}

/// Chooses one of the ends of a turn; `ends` has at least one. Where the evaluator is exact, the
/// best end is chosen whatever the style.
pub fn choose(
    (style, evaluator): (LevelStyle, &Evaluator<'_>),
    position: &ThaayamPosition,
    turn: &ThaayamTurn,
    ends: &[TurnOutcome],
    budget: &ThinkBudget<'_>,
    entropy: &mut dyn Entropy,
) -> Option<ChosenEnd> {
    let seat = turn.seat();
    if evaluator.is_exact(&TurnStart { position: *position, next: seat, is_won: false }) {
        return best_exact(evaluator, position, seat, ends);
    }
    let noticed = noticed_ends(style, ends, entropy);
    let mut best: Option<(f32, TurnOutcome)> = None;
    match style.evaluation {
        TurnEndEvaluation::Ahead(depth) => {
            // With more seats, the second series belongs to another rival and does not help.
            let depth = if position.seats() == 2 { depth } else { 1 };
            let depth = depth.min(usize::from(budget.depth_max().saturating_sub(1)));
            // With a time limit, it continues with random games until the time is over.
            let dice = budget.goes_on().then(|| SeededRng::from_entropy(entropy));
            return Lookahead::new(evaluator, position, seat, budget).choose(&noticed, depth, dice);
        }
        TurnEndEvaluation::Progress | TurnEndEvaluation::Danger | TurnEndEvaluation::Learned => {}
    }
    for (at, end) in noticed.iter().enumerate() {
        if at % 64 == 63 && budget.is_over() {
            break;
        }
        let after = TurnStart::after(position, seat, end);
        let value = match style.evaluation {
            TurnEndEvaluation::Progress => simple_opponents::bold(&after.position, seat),
            TurnEndEvaluation::Danger => simple_opponents::greedy(&after.position, seat),
            TurnEndEvaluation::Learned | TurnEndEvaluation::Ahead(_) => {
                winning_chance(evaluator, &after, seat)
            }
        };
        if best.as_ref().is_none_or(|(most, _)| value > *most) {
            best = Some((value, *end));
        }
    }
    let (_, end) = best?;
    let chance = winning_chance(evaluator, &TurnStart::after(position, seat, &end), seat);
    Some(ChosenEnd { end, chance, depth: 1, nodes: noticed.len() as u64 })
}

/// The end with the best exact chance.
fn best_exact(
    evaluator: &Evaluator<'_>,
    position: &ThaayamPosition,
    seat: Seat,
    ends: &[TurnOutcome],
) -> Option<ChosenEnd> {
    let chance = |end: &TurnOutcome| {
        (winning_chance(evaluator, &TurnStart::after(position, seat, end), seat), *end)
    };
    let (chance, end) = ends.iter().map(chance).max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(ChosenEnd { end, chance, depth: 1, nodes: ends.len() as u64 })
}

/// The ends that the player does not overlook: at least one.
fn noticed_ends(
    style: LevelStyle,
    ends: &[TurnOutcome],
    entropy: &mut dyn Entropy,
) -> Vec<TurnOutcome> {
    if style.overlooks == 0 || ends.len() < 2 {
        return ends.to_vec();
    }
    let always_noticed = entropy.below(ends.len() as u32) as usize;
    let mut noticed = Vec::with_capacity(ends.len());
    for (at, end) in ends.iter().enumerate() {
        if entropy.below(100) >= style.overlooks || at == always_noticed {
            noticed.push(*end);
        }
    }
    noticed
}
