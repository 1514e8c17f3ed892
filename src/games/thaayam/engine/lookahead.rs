//! Evaluates ends of a turn by looking ahead over the next throws: an average over all series of
//! throws and the best answer to each (Michie 1966, Ballard 1983: chance nodes in a game tree).
//!
//! The ends with the best static evaluation are searched one series deeper; those that are still
//! close together, another series deeper, and so on. The seat that throws is assumed to choose by
//! static evaluation.
//!
//! If there is time left, the ends that are still close are played on with random dice, the same
//! for each end (Tesauro and Galperin 1997, "On-line policy improvement using Monte-Carlo search"),
//! for some series, and then evaluated, until the time is over.

use super::choice::{ChosenEnd, side_chance};
use super::evaluator::Evaluator;
use super::seats::TurnStart;
use super::series::SHORT;
use crate::rules::Seat;
use crate::search::{SeededRng, ThinkBudget};
use crate::thaayam::outcomes::TurnOutcome;
use crate::thaayam::position::ThaayamPosition;
use crate::thaayam::turn::ThaayamTurn;

/// For each stage: how many ends are searched one series deeper, and how much worse than the best
/// they may be.
const STAGES: [(usize, f32); 2] = [(8, 0.05), (5, 0.02)];
/// After the first series, only the most likely series are searched, until they have this total
/// probability.
const OFTEN: f32 = 0.95;
/// The most ends of a rival's turn that are compared.
const ANSWERS_MAX: usize = 60;
/// How many ends are played on at most, and how much worse than the best they may be.
const PLAYED_ON: (usize, f32) = (4, 0.03);
/// Number of series that are played before the position is evaluated.
const SERIES: usize = 9;
/// The weight of the lookahead, in rounds of playing on.
const TRUST: f32 = 200.0;
/// The most ends of the own turn that are compared.
pub const ENDS_MAX: usize = 3_000;

/// A lookahead from one position.
pub struct Lookahead<'a> {
    evaluator: &'a Evaluator<'a>,
    position: &'a ThaayamPosition,
    seat: Seat,
    budget: &'a ThinkBudget<'a>,
    nodes: u64,
}

impl<'a> Lookahead<'a> {
    /// A lookahead for this seat, whose turn it is.
    pub fn new(
        evaluator: &'a Evaluator<'a>,
        position: &'a ThaayamPosition,
        seat: Seat,
        budget: &'a ThinkBudget<'a>,
    ) -> Self {
        Self { evaluator, position, seat, budget, nodes: 0 }
    }

    /// Chooses the best of these ends with a lookahead of `depth` series. With `dice` the ends are
    /// then played on while the budget lasts.
    pub fn choose(
        mut self,
        ends: &[TurnOutcome],
        depth: usize,
        dice: Option<SeededRng>,
    ) -> Option<ChosenEnd> {
        let mut list: Vec<(f32, TurnOutcome)> = Vec::with_capacity(ends.len());
        for (at, end) in ends.iter().enumerate() {
            if at % 64 == 63 && self.budget.is_spent(self.nodes) {
                break;
            }
            let after = TurnStart::after(self.position, self.seat, end);
            list.push((self.evaluate(&after), *end));
        }
        list.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut reached = 1;
        for (stage, (most, margin)) in STAGES.into_iter().enumerate().take(depth) {
            let (best, _) = *list.first()?;
            list.retain(|it| it.0 >= best - margin);
            list.truncate(most);
            // A single end is searched once, only for its chance.
            if list.len() == 1 && stage > 0 {
                break;
            }
            let Some(closer) = self.evaluate_deeper(&list, stage + 1) else { break };
            list = closer;
            reached = stage as u16 + 2;
        }
        if let Some(dice) = dice {
            self.play_on(&mut list, dice);
        }
        let (chance, end) = *list.first()?;
        Some(ChosenEnd { end, chance, depth: reached, nodes: self.nodes })
    }

    /// The same ends with deeper evaluations; `None` if the time is over before.
    fn evaluate_deeper(
        &mut self,
        list: &[(f32, TurnOutcome)],
        depth: usize,
    ) -> Option<Vec<(f32, TurnOutcome)>> {
        let mut closer = Vec::with_capacity(list.len());
        for (_, end) in list {
            let after = TurnStart::after(self.position, self.seat, end);
            closer.push((self.expect(&after, depth, true)?, *end));
        }
        closer.sort_by(|a, b| b.0.total_cmp(&a.0));
        Some(closer)
    }

    /// Plays on the ends that are still close, all with the same dice, round after round; the
    /// lookahead has the weight of [`TRUST`] rounds.
    fn play_on(&mut self, list: &mut Vec<(f32, TurnOutcome)>, mut dice: SeededRng) {
        let (most, margin) = PLAYED_ON;
        let best = list.first().map_or(0.0, |it| it.0);
        list.retain(|it| it.0 >= best - margin);
        list.truncate(most);
        if list.len() < 2 {
            return;
        }
        let mut sums = vec![0.0; list.len()];
        let mut rounds = 0.0;
        while let Some(round) = self.round(list, dice.bits()) {
            sums.iter_mut().zip(round).for_each(|(sum, chance)| *sum += chance);
            rounds += 1.0;
        }
        for ((chance, _), sum) in list.iter_mut().zip(sums) {
            *chance = (*chance * TRUST + sum) / (TRUST + rounds);
        }
        list.sort_by(|a, b| b.0.total_cmp(&a.0));
    }

    /// The chances after some more series with the same dice; `None` when the budget is spent.
    fn round(&mut self, list: &[(f32, TurnOutcome)], seed: u64) -> Option<Vec<f32>> {
        let mut chances = Vec::with_capacity(list.len());
        for (_, end) in list {
            let mut dice = SeededRng::new(seed);
            let mut at = TurnStart::after(self.position, self.seat, end);
            for _ in 0..SERIES {
                if at.is_won {
                    break;
                }
                if self.budget.is_spent(self.nodes) {
                    return None;
                }
                let throws = SHORT.drawn(&at.position, at.next, &mut dice);
                (at, _) = self.answer(&at, throws);
            }
            chances.push(self.evaluate(&at));
        }
        (!self.budget.is_spent(self.nodes)).then_some(chances)
    }

    /// The static evaluation.
    fn evaluate(&mut self, at: &TurnStart) -> f32 {
        self.nodes += 1;
        side_chance(&at.position, &self.evaluator.chances(at), self.seat)
    }

    /// The mean own chance to win over the next series of throws of the seat that throws next.
    fn expect(&mut self, at: &TurnStart, depth: usize, is_first: bool) -> Option<f32> {
        if at.is_won {
            return Some(self.evaluate(at));
        }
        if self.budget.is_spent(self.nodes) {
            return None;
        }
        let enough = if is_first { 1.0 } else { OFTEN };
        let mut sum = 0.0;
        let mut all = 0.0;
        for series in SHORT.of(&at.position, at.next) {
            let (answer, chance) = self.answer(at, &series.throws);
            let is_deeper = depth > 1;
            let chance = if is_deeper { self.expect(&answer, depth - 1, false)? } else { chance };
            sum += series.chance * chance;
            all += series.chance;
            if all >= enough {
                break;
            }
        }
        Some(sum / all)
    }

    /// The end with the best static evaluation for the seat that throws, and the own chance after
    /// it.
    fn answer(&mut self, at: &TurnStart, throws: &[u8]) -> (TurnStart, f32) {
        let turn = ThaayamTurn::new(&at.position, at.next, throws);
        let mut best: Option<(f32, TurnStart, f32)> = None;
        for end in turn.outcomes(ANSWERS_MAX) {
            let after = TurnStart::after(&at.position, at.next, &end);
            let chances = self.evaluator.chances(&after);
            self.nodes += 1;
            let theirs = side_chance(&at.position, &chances, at.next);
            if best.as_ref().is_none_or(|(most, ..)| theirs > *most) {
                best = Some((theirs, after, side_chance(&at.position, &chances, self.seat)));
            }
        }
        best.map_or((*at, 0.0), |(_, after, own)| (after, own))
    }
}
