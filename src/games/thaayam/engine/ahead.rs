//! Looking ahead over the throws of those who come next: an average over all series of throws
//! and the best answer to each (Michie 1966, Ballard 1983: expectation nodes in a game tree).

use std::sync::LazyLock;

use super::choice::{Chosen, side_of};
use super::net::Nets;
use super::seats::Between;
use crate::games::thaayam::outcomes::Outcome;
use crate::games::thaayam::position::Position;
use crate::games::thaayam::turn::Turn;
use crate::rules::Seat;
use crate::search::Budget;

/// Ends that look best at first sight and are looked at closely.
const CANDIDATES: usize = 8;
/// An end this much worse at first sight is not looked at closely.
const MARGIN: f32 = 0.06;
/// Ends of a rival's turn that are compared.
const ANSWERS_MAX: usize = 60;
/// Ends of the own turn that are compared, and how many of a long series are visited at all.
pub const ENDS_MAX: usize = 3_000;

/// A series of throws as likely as all its orders together.
struct Series {
    throws: Vec<u8>,
    chance: f32,
}

/// All series of at most three throws: 94.7 % of them, taken for all.
static SERIES: LazyLock<Vec<Series>> = LazyLock::new(|| series(3));

fn series(longest: usize) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    let mut open = vec![(Vec::new(), 1.0f32)];
    while let Some((throws, chance)) = open.pop() {
        for (throw, sixteenths) in super::odds::CHANCES {
            let chance = chance * f32::from(sixteenths) / 16.0;
            let mut throws: Vec<u8> = throws.clone();
            throws.push(throw);
            if matches!(throw, 2 | 3) {
                all.push(Series { throws, chance });
            } else if throws.len() < longest {
                open.push((throws, chance));
            }
        }
    }
    let sum: f32 = all.iter().map(|it| it.chance).sum();
    all.iter_mut().for_each(|it| it.chance /= sum);
    all.sort_by(|a, b| b.chance.total_cmp(&a.chance).then_with(|| a.throws.cmp(&b.throws)));
    all
}

/// A look ahead from one position.
pub struct Ahead<'a> {
    nets: &'a Nets,
    position: &'a Position,
    seat: Seat,
    nodes: u64,
}

impl<'a> Ahead<'a> {
    /// For this seat, whose turn is to be ended.
    pub fn new(nets: &'a Nets, position: &'a Position, seat: Seat) -> Self {
        Self { nets, position, seat, nodes: 0 }
    }

    /// The best of these ends.
    pub fn choose(mut self, ends: &[Outcome], budget: &Budget<'_>) -> Option<Chosen> {
        let mut list: Vec<(f32, Outcome)> = Vec::with_capacity(ends.len());
        for (at, end) in ends.iter().enumerate() {
            if at % 64 == 63 && budget.is_over() {
                break;
            }
            let after = Between::after(self.position, self.seat, end);
            list.push((self.glance(&after), *end));
        }
        list.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (most, first) = *list.first()?;
        list.retain(|it| it.0 > most - MARGIN);
        list.truncate(CANDIDATES);
        let mut best = Chosen { end: first, chance: most, depth: 1, nodes: 0 };
        let mut found = f32::NEG_INFINITY;
        for (_, end) in list {
            if budget.is_over() {
                break;
            }
            let after = Between::after(self.position, self.seat, &end);
            let chance = self.expect(&after);
            if chance > found {
                found = chance;
                best = Chosen { end, chance, depth: 2, nodes: 0 };
            }
        }
        Some(Chosen { nodes: self.nodes, ..best })
    }

    /// What the networks think without looking further.
    fn glance(&mut self, at: &Between) -> f32 {
        self.nodes += 1;
        side_of(&at.position, &self.nets.chances(at), self.seat)
    }

    /// The chance to win on average over the next series of throws, whoever throws it.
    fn expect(&mut self, at: &Between) -> f32 {
        if at.is_won {
            return side_of(&at.position, &self.nets.chances(at), self.seat);
        }
        let mut sum = 0.0;
        for series in SERIES.iter() {
            sum += series.chance * self.answer(at, &series.throws);
        }
        sum
    }

    /// The own chance after the answer that is best for whoever throws.
    fn answer(&mut self, at: &Between, throws: &[u8]) -> f32 {
        let turn = Turn::new(&at.position, at.next, throws);
        let mut best: Option<(f32, f32)> = None;
        for end in turn.outcomes(ANSWERS_MAX) {
            let after = Between::after(&at.position, at.next, &end);
            let chances = self.nets.chances(&after);
            self.nodes += 1;
            let theirs = side_of(&at.position, &chances, at.next);
            if best.is_none_or(|(most, _)| theirs > most) {
                best = Some((theirs, side_of(&at.position, &chances, self.seat)));
            }
        }
        best.map_or(0.0, |(_, own)| own)
    }
}
