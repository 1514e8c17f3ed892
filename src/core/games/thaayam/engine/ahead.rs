//! Looking ahead over the throws of those who come next: an average over all series of throws
//! and the best answer to each (Michie 1966, Ballard 1983: chance nodes in a game tree).
//!
//! The ends that look best at first sight are looked at one series further; those that are still
//! close together then, another series further, and so on. Whoever throws is taken to choose at
//! first sight.

use super::choice::{Chosen, side_of};
use super::net::Nets;
use super::seats::Between;
use super::series::SHORT;
use crate::games::thaayam::outcomes::Outcome;
use crate::games::thaayam::position::Position;
use crate::games::thaayam::turn::Turn;
use crate::rules::Seat;
use crate::search::Budget;

/// How many ends are looked at so many series further, and how much worse than the best they may
/// be with one less.
const STAGES: [(usize, f32); 2] = [(8, 0.05), (5, 0.02)];
/// After the first series, only the likeliest are looked at: those that come so often together.
const OFTEN: f32 = 0.95;
/// Ends of a rival's turn that are compared.
const ANSWERS_MAX: usize = 60;
/// Ends of the own turn that are compared at first sight.
pub const ENDS_MAX: usize = 3_000;

/// A look ahead from one position.
pub struct Ahead<'a> {
    nets: &'a Nets,
    position: &'a Position,
    seat: Seat,
    budget: &'a Budget<'a>,
    nodes: u64,
}

impl<'a> Ahead<'a> {
    /// For this seat, whose turn is to be ended.
    pub fn new(nets: &'a Nets, position: &'a Position, seat: Seat, budget: &'a Budget<'a>) -> Self {
        Self { nets, position, seat, budget, nodes: 0 }
    }

    /// The best of these ends, looking so many series further.
    pub fn choose(mut self, ends: &[Outcome], depth: usize) -> Option<Chosen> {
        let mut list: Vec<(f32, Outcome)> = Vec::with_capacity(ends.len());
        for (at, end) in ends.iter().enumerate() {
            if at % 64 == 63 && self.budget.is_over() {
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
        let (chance, end) = *list.first()?;
        Some(Chosen { end, chance, depth: reached, nodes: self.nodes })
    }

    /// The same ends, looked at more closely; `None` when the time was over before.
    fn closer(&mut self, list: &[(f32, Outcome)], depth: usize) -> Option<Vec<(f32, Outcome)>> {
        let mut closer = Vec::with_capacity(list.len());
        for (_, end) in list {
            let after = Between::after(self.position, self.seat, end);
            closer.push((self.expect(&after, depth, true)?, *end));
        }
        closer.sort_by(|a, b| b.0.total_cmp(&a.0));
        Some(closer)
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
        if self.budget.is_over() {
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
        let turn = Turn::new(&at.position, at.next, throws);
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
