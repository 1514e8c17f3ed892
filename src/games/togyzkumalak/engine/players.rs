//! Creates the levels and the opponents that they are measured against.

use super::super::position::TogyzkumalakPosition;
use super::super::rules::{Sow, Togyzkumalak};
use super::casual::{Casual, CasualHabits};
use super::counting_evaluator;
use super::network_evaluator::{NetworkEvaluator, chance, chance_plain, stones};
use crate::rules::Entropy;
use crate::search::alpha_beta::PLAIN_WON;
use crate::search::board::move_indices;
use crate::search::pvs::{DECIDED, SearchLimits, SearchResult};
use crate::search::{
    Board, ComputerLevel, Evaluator, PlainSearch, Player, PlayerEvaluation, PlayerQuestion, Pvs,
    SeededRng,
};

/// The names of test opponents: random moves, plain alpha-beta to a depth from 1 to 12
/// (`plain-10`), and the strongest level as it was.
pub const PLAYERS: &[&str] = &["random", "plain-N", EARLIER_MASTER];

/// `master` with the network that it had until November 2026.
const EARLIER_MASTER: &str = "master-2026-11";

/// The player that reviews games: the effort of a review was chosen with it, so that every turning
/// point is named.
pub const REVIEWER: &str = EARLIER_MASTER;

/// Cache lines of the table of a full search, as a power of two: 16 MB.
const TABLE_BITS: u32 = 18;
/// The positions that the strongest level searches for a move without a time limit.
const MASTER_NODES: u64 = 2_000_000;
/// The same for the second strongest level, which never searches more.
pub(super) const STRONG_NODES: u64 = 1_000;
/// Enough positions to evaluate a position with a single legal move.
const FORCED_NODES: u64 = 50_000;

/// Creates a level by its code, or a test opponent by its name.
pub fn player(name: &str) -> Option<Box<dyn Player<Togyzkumalak>>> {
    if let Some(level) = ComputerLevel::read(name) {
        return Some(of_level(level));
    }
    if name == "random" {
        return Some(Box::new(Random));
    }
    if name == EARLIER_MASTER {
        let evaluator = NetworkEvaluator::earlier();
        return Some(Box::new(SearchPlayer::new(evaluator, MASTER_NODES, true)));
    }
    let depth = name.strip_prefix("plain-")?.parse().ok()?;
    (1..=12).contains(&depth).then(|| Box::new(PlainPlayer { depth }) as _)
}

fn of_level(level: ComputerLevel) -> Box<dyn Player<Togyzkumalak>> {
    match level {
        ComputerLevel::Beginner => {
            let habits =
                CasualHabits { depth: 1, overlooks: 200, overlooks_ahead: 0, misjudges: 20 };
            Box::new(HabitPlayer { habits, learned: false })
        }
        ComputerLevel::Easy => {
            let habits =
                CasualHabits { depth: 2, overlooks: 40, overlooks_ahead: 140, misjudges: 15 };
            Box::new(HabitPlayer { habits, learned: false })
        }
        ComputerLevel::Medium => {
            let habits =
                CasualHabits { depth: 3, overlooks: 20, overlooks_ahead: 80, misjudges: 80 };
            Box::new(HabitPlayer { habits, learned: true })
        }
        ComputerLevel::Strong => {
            Box::new(SearchPlayer::new(NetworkEvaluator::earlier(), STRONG_NODES, false))
        }
        ComputerLevel::Master => {
            Box::new(SearchPlayer::new(NetworkEvaluator::of_master(), MASTER_NODES, true))
        }
    }
}

/// The position of the question and its moves as bits. `None` for a view that no position has; then
/// only the list of actions can be used.
fn position_and_moves(
    question: &PlayerQuestion<'_, Togyzkumalak>,
) -> Option<(TogyzkumalakPosition, u32)> {
    let position = TogyzkumalakPosition::try_from(question.view).ok()?;
    let legal = u32::from(position.moves());
    let moves = question.actions.iter().fold(0, |all, Sow(pit)| all | 1_u32 << (pit % 32));
    (moves & legal != 0).then_some((position, moves & legal))
}

/// The first action, without search.
fn first_action(question: &PlayerQuestion<'_, Togyzkumalak>) -> PlayerEvaluation<Sow> {
    let action = question.actions.first().copied().unwrap_or(Sow(0));
    PlayerEvaluation { action, score: 0, chance: 500, depth: 0, nodes: 0, line: vec![action] }
}

/// The player with the full search, which evaluates positions with a judge.
pub(super) struct SearchPlayer<E> {
    search: Pvs<E>,
    nodes: u64,
    /// Whether it uses all the time that it is given; the others stop at their own effort.
    tireless: bool,
}

impl<E> SearchPlayer<E> {
    /// The player that searches so many positions, unless it is tireless and has more time.
    pub(super) fn new(evaluator: E, nodes: u64, tireless: bool) -> Self {
        let bits = if tireless { TABLE_BITS } else { 12 };
        Self { search: Pvs::new(evaluator, super::PRUNING, bits), nodes, tireless }
    }
}

impl<E: Evaluator<TogyzkumalakPosition> + Send> Player<Togyzkumalak> for SearchPlayer<E> {
    fn think(
        &mut self,
        question: &PlayerQuestion<'_, Togyzkumalak>,
        _entropy: &mut dyn Entropy,
        report: &mut dyn FnMut(&PlayerEvaluation<Sow>),
    ) -> PlayerEvaluation<Sow> {
        let Some((position, moves)) = position_and_moves(question) else {
            return first_action(question);
        };
        let earlier: Vec<u64> = question.view.earlier.iter().map(Board::key).collect();
        let timed = question.budget.ms().is_some() && self.tireless;
        let nodes = match (position.moves_len(), timed) {
            (1, _) => self.nodes.min(FORCED_NODES),
            (_, true) => u64::MAX,
            (_, false) => self.nodes,
        };
        let stop = || question.budget.is_over();
        let nodes = nodes.min(question.budget.nodes_max());
        let depth = question.budget.depth_max().min(64).into();
        let limits = SearchLimits { depth, nodes, stop: &stop };
        let mut tell_found = |found: &SearchResult| report(&evaluation_of(&position, found));
        let found = self.search.search(&position, moves, &earlier, &limits, &mut tell_found);
        evaluation_of(&position, &found)
    }

    fn forget(&mut self) {
        self.search.forget();
    }
}

/// Converts the result of a search to an evaluation.
fn evaluation_of(position: &TogyzkumalakPosition, found: &SearchResult) -> PlayerEvaluation<Sow> {
    let mut end = *position;
    for place in &found.line {
        end = end.after(*place);
    }
    let decided = found.score.abs() > DECIDED;
    let score = match end.outcome() {
        Some(ended) if decided => 100 * if position.side() == 0 { ended } else { -ended },
        Some(_) | None => stones(found.score),
    };
    PlayerEvaluation {
        action: Sow(found.best),
        score,
        chance: chance(found.score),
        depth: found.depth as u16,
        nodes: found.nodes,
        line: found.line.iter().map(|it| Sow(*it)).collect(),
    }
}

/// A casual player that evaluates positions by counting or with the network.
struct HabitPlayer {
    habits: CasualHabits,
    learned: bool,
}

impl Player<Togyzkumalak> for HabitPlayer {
    fn think(
        &mut self,
        question: &PlayerQuestion<'_, Togyzkumalak>,
        entropy: &mut dyn Entropy,
        report: &mut dyn FnMut(&PlayerEvaluation<Sow>),
    ) -> PlayerEvaluation<Sow> {
        let Some((position, moves)) = position_and_moves(question) else {
            return first_action(question);
        };
        let seed = SeededRng::from_entropy(entropy).bits();
        let mut network_evaluator = NetworkEvaluator::earlier();
        let mut counting = counting_evaluator::plain;
        let evaluator: &mut dyn Evaluator<TogyzkumalakPosition> =
            if self.learned { &mut network_evaluator } else { &mut counting };
        let mut casual = Casual { evaluator, habits: self.habits, seed, nodes: 0 };
        let ranked = casual.rank(&position, moves);
        let Some((place, value)) = ranked.first() else { return first_action(question) };
        let mut evaluation = counted(*place, *value, self.habits.depth, casual.nodes);
        if self.learned && !is_ended(*value) {
            (evaluation.score, evaluation.chance) = (stones(*value), chance(*value));
        }
        report(&evaluation);
        evaluation
    }
}

fn is_ended(value: i32) -> bool {
    value.abs() > PLAIN_WON / 2
}

/// A move with a value in tenths of a stone.
fn counted(place: u8, value: i32, depth: u32, nodes: u64) -> PlayerEvaluation<Sow> {
    let (score, chance) = if is_ended(value) {
        let chance = if value > 0 { 1_000 } else { 0 };
        (100 * (value - PLAIN_WON * value.signum()), chance)
    } else {
        (10 * value, chance_plain(value))
    };
    let line = vec![Sow(place)];
    PlayerEvaluation { action: Sow(place), score, chance, depth: depth as u16, nodes, line }
}

/// The player with plain alpha-beta.
struct PlainPlayer {
    depth: u32,
}

impl Player<Togyzkumalak> for PlainPlayer {
    fn think(
        &mut self,
        question: &PlayerQuestion<'_, Togyzkumalak>,
        _entropy: &mut dyn Entropy,
        report: &mut dyn FnMut(&PlayerEvaluation<Sow>),
    ) -> PlayerEvaluation<Sow> {
        let Some((position, moves)) = position_and_moves(question) else {
            return first_action(question);
        };
        let mut search = PlainSearch::new(counting_evaluator::plain);
        let mut evaluation = first_action(question);
        // With a time limit, searches shallower depths first, so that there is an answer when the
        // time is over.
        let first = if question.budget.ms().is_some() { 1 } else { self.depth };
        for depth in first..=self.depth {
            let Some((place, value)) = search.best(&position, moves, depth) else { break };
            evaluation = counted(place, value, depth, search.nodes());
            report(&evaluation);
            if question.budget.is_over() {
                break;
            }
        }
        evaluation
    }
}

/// A player that makes random moves, all equally likely.
struct Random;

impl Player<Togyzkumalak> for Random {
    fn think(
        &mut self,
        question: &PlayerQuestion<'_, Togyzkumalak>,
        entropy: &mut dyn Entropy,
        _tell: &mut dyn FnMut(&PlayerEvaluation<Sow>),
    ) -> PlayerEvaluation<Sow> {
        let Some((_, moves)) = position_and_moves(question) else { return first_action(question) };
        let at = entropy.below(moves.count_ones()) as usize;
        let pit = move_indices(moves).nth(at).unwrap_or(0);
        PlayerEvaluation {
            action: Sow(pit),
            nodes: 1,
            line: vec![Sow(pit)],
            ..first_action(question)
        }
    }
}
