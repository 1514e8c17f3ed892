//! Looking ahead over the throws of those who come next: an average over all series of throws
//! and the best answer to each (Michie 1966, Ballard 1983: chance nodes in a game tree).
//!
//! The ends that look best at first sight are looked at one series further; those that are still
//! close together then, another series further, and so on. Whoever throws is taken to choose at
//! first sight.
//!
//! Where there is time left, what is still close is played on with dice, the same for each
//! (Tesauro and Galperin 1997, "On-line policy improvement using Monte-Carlo search"), for some
//! series and then judged, until the time is over.

use super::choice::{ChosenEnd, side_of};
use super::net::Nets;
use super::seats::Between;
use super::series::SHORT;
use crate::rules::Seat;
use crate::search::{SeededRng, ThinkBudget};
use crate::thaayam::outcomes::TurnOutcome;
use crate::thaayam::position::ThaayamPosition;
use crate::thaayam::turn::ThaayamTurn;

/// How many ends are looked at so many series further, and how much worse than the best they may
/// be with one less.
const STAGES: [(usize, f32); 2] = [(8, 0.05), (5, 0.02)];
/// After the first series, only the likeliest are looked at: those that come so often together.
const OFTEN: f32 = 0.95;
/// Ends of a rival's turn that are compared.
const ANSWERS_MAX: usize = 60;
/// How many ends are played on at most, and how much worse than the best they may look.
const PLAYED_ON: (usize, f32) = (4, 0.03);
/// Series of throws that are played on before it is judged.
const SERIES: usize = 9;
/// As many rounds of playing on the look ahead is worth.
const TRUST: f32 = 200.0;
/// Ends of the own turn that are compared at first sight.
pub const ENDS_MAX: usize = 3_000;

/// A look ahead from one position.
pub struct Lookahead<'a> {
    nets: &'a Nets,
    position: &'a ThaayamPosition,
    seat: Seat,
    budget: &'a ThinkBudget<'a>,
    nodes: u64,
}

impl<'a> Lookahead<'a> {
    /// For this seat, whose turn is to be ended.
    pub fn new(
        nets: &'a Nets,
        position: &'a ThaayamPosition,
        seat: Seat,
        budget: &'a ThinkBudget<'a>,
    ) -> Self {
        Self { nets, position, seat, budget, nodes: 0 }
    }

    /// The best of these ends, looking so many series further. With `dice` they are then played on
    /// as long as the budget lasts.
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
            let after = Between::after(self.position, self.seat, end);
            list.push((self.glance(&after), *end));
        }
        list.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut reached = 1;
        for (stage, (most, margin)) in STAGES.into_iter().enumerate().take(depth) {
            let (best, _) = *list.first()?;
            list.retain(|it| it.0 >= best - margin);
            list.truncate(most);
            // The only one needs no closer look but for its chance.
            if list.len() == 1 && stage > 0 {
                break;
            }
            let Some(closer) = self.closer(&list, stage + 1) else { break };
            list = closer;
            reached = stage as u16 + 2;
        }
        if let Some(dice) = dice {
            self.play_on(&mut list, dice);
        }
        let (chance, end) = *list.first()?;
        Some(ChosenEnd { end, chance, depth: reached, nodes: self.nodes })
    }

    /// The same ends, looked at more closely; `None` when the time was over before.
    fn closer(
        &mut self,
        list: &[(f32, TurnOutcome)],
        depth: usize,
    ) -> Option<Vec<(f32, TurnOutcome)>> {
        let mut closer = Vec::with_capacity(list.len());
        for (_, end) in list {
            let after = Between::after(self.position, self.seat, end);
            closer.push((self.expect(&after, depth, true)?, *end));
        }
        closer.sort_by(|a, b| b.0.total_cmp(&a.0));
        Some(closer)
    }

    /// Plays on what is still close, all with the same dice, round after round; what the look ahead
    /// said counts as much as so many rounds.
    fn play_on(&mut self, list: &mut Vec<(f32, TurnOutcome)>, mut dice: SeededRng) {
        let (most, margin) = PLAYED_ON;
        let best = list.first().map_or(0.0, |it| it.0);
        list.retain(|it| it.0 >= best - margin);
        list.truncate(most);
        if list.len() < 2 {
            return;
        }
        let (mut sums, mut rounds) = (vec![0.0; list.len()], 0.0);
        while let Some(round) = self.round(list, dice.bits()) {
            sums.iter_mut().zip(round).for_each(|(sum, chance)| *sum += chance);
            rounds += 1.0;
        }
        for ((chance, _), sum) in list.iter_mut().zip(sums) {
            *chance = (*chance * TRUST + sum) / (TRUST + rounds);
        }
        list.sort_by(|a, b| b.0.total_cmp(&a.0));
    }

    /// The chances after some more series of the same dice; `None` when the budget is spent.
    fn round(&mut self, list: &[(f32, TurnOutcome)], seed: u64) -> Option<Vec<f32>> {
        let mut chances = Vec::with_capacity(list.len());
        for (_, end) in list {
            let mut dice = SeededRng::new(seed);
            let mut at = Between::after(self.position, self.seat, end);
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
            chances.push(self.glance(&at));
        }
        (!self.budget.is_spent(self.nodes)).then_some(chances)
    }

    /// What the networks think without looking further.
    fn glance(&mut self, at: &Between) -> f32 {
        self.nodes += 1;
        side_of(&at.position, &self.nets.chances(at), self.seat)
    }

    /// The own chance to win on average over the next series of throws, whoever throws them.
    fn expect(&mut self, at: &Between, depth: usize, is_first: bool) -> Option<f32> {
        if at.is_won {
            return Some(self.glance(at));
        }
        if self.budget.is_spent(self.nodes) {
            return None;
        }
        let often = if is_first { 1.0 } else { OFTEN };
        let (mut sum, mut all) = (0.0, 0.0);
        for series in SHORT.of(&at.position, at.next) {
            let (answer, chance) = self.answer(at, &series.throws);
            let further = depth > 1;
            let chance = if further { self.expect(&answer, depth - 1, false)? } else { chance };
            sum += series.chance * chance;
            all += series.chance;
            if all >= often {
                break;
            }
        }
        Some(sum / all)
    }

    /// The end that looks best to whoever throws, and the own chance after it.
    fn answer(&mut self, at: &Between, throws: &[u8]) -> (Between, f32) {
        let turn = ThaayamTurn::new(&at.position, at.next, throws);
        let mut best: Option<(f32, Between, f32)> = None;
        for end in turn.outcomes(ANSWERS_MAX) {
            let after = Between::after(&at.position, at.next, &end);
            let chances = self.nets.chances(&after);
            self.nodes += 1;
            let theirs = side_of(&at.position, &chances, at.next);
            if best.as_ref().is_none_or(|(most, ..)| theirs > *most) {
                best = Some((theirs, after, side_of(&at.position, &chances, self.seat)));
            }
        }
        best.map_or((*at, 0.0), |(_, after, own)| (after, own))
    }
}
