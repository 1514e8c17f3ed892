//! Lists series of throws with their probabilities; series with the same effect are one entry.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::odds::CHANCES;
use crate::rules::{Entropy, Seat};
use crate::search::SeededRng;
use crate::thaayam::position::ThaayamPosition;
use crate::thaayam::turn::loses_early_throws;

/// A series of throws, and the probability of all series with the same effect.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedSeries {
    /// The throws that count; a single 2 where none does.
    pub throws: Vec<u8>,
    /// The probability; in a list they add up to 1.
    pub chance: f32,
}

/// All series up to a length, the most likely first.
#[derive(Debug)]
pub struct AllSeries {
    on_board: Vec<WeightedSeries>,
    out: Vec<WeightedSeries>,
}

/// All series, as if none had more than three throws; 94.7 % have no more.
pub static SHORT: LazyLock<AllSeries> = LazyLock::new(|| AllSeries::up_to(3));

impl AllSeries {
    /// Lists all series up to this length; longer series are replaced by those of exactly this
    /// length.
    pub fn up_to(longest: usize) -> Self {
        let mut on_board: BTreeMap<Vec<u8>, f32> = BTreeMap::new();
        let mut out = on_board.clone();
        let mut open = vec![(Vec::new(), 1.0f32)];
        while let Some((before, chance)) = open.pop() {
            for (throw, sixteenths) in CHANCES {
                let ends = matches!(throw, 2 | 3);
                // The last possible throw always ends the series.
                let of = match (before.len() + 1 == longest, ends) {
                    (true, false) => continue,
                    (true, true) => 10.0,
                    (false, _) => 16.0,
                };
                let chance = chance * f32::from(sixteenths) / of;
                let throws: Vec<u8> = before.iter().copied().chain([throw]).collect();
                if ends {
                    let first = throws.iter().position(|it| *it == 1).unwrap_or(throws.len());
                    *out.entry(sorted(&throws[first..])).or_default() += chance;
                    *on_board.entry(sorted(&throws)).or_default() += chance;
                } else {
                    open.push((throws, chance));
                }
            }
        }
        Self { on_board: likely(on_board), out: likely(out) }
    }

    /// A random series for a seat.
    pub fn drawn(&self, position: &ThaayamPosition, seat: Seat, rng: &mut SeededRng) -> &[u8] {
        let list = self.of(position, seat);
        let mut remaining = rng.below(1 << 24) as f32 / (1u32 << 24) as f32;
        let found = list.iter().find(|it| {
            remaining -= it.chance;
            remaining < 0.0
        });
        found.or(list.last()).map_or(&[], |it| &it.throws)
    }

    /// The possible series of a seat.
    pub fn of(&self, position: &ThaayamPosition, seat: Seat) -> &[WeightedSeries] {
        let out = loses_early_throws(position, seat);
        if out { &self.out } else { &self.on_board }
    }
}

/// Sorts the throws: ones first, so that none is lost before them.
fn sorted(throws: &[u8]) -> Vec<u8> {
    let mut sorted = throws.to_vec();
    sorted.sort_unstable();
    if sorted.is_empty() {
        sorted.push(2);
    }
    sorted
}

fn likely(all: BTreeMap<Vec<u8>, f32>) -> Vec<WeightedSeries> {
    let list = all.into_iter().map(|(throws, chance)| WeightedSeries { throws, chance });
    let mut list: Vec<WeightedSeries> = list.collect();
    list.sort_by(|a, b| b.chance.total_cmp(&a.chance));
    list
}
