//! How many turns a side needs to bring all its pieces home if nobody disturbs it and it plays
//! for nothing else: solved exactly, for pieces only go forward.
//!
//! One table for the standard rules, of all sides of up to four pieces: how much a piece in its
//! place is worth, and what its loss costs, is known from it without learning.

use super::series::LONG;
use crate::games::thaayam::board::{HAND, OFF};
use crate::games::thaayam::options::Options;
use crate::games::thaayam::position::{Position, Side};
use crate::games::thaayam::turn::Turn;
use crate::rules::Seat;

/// Sides of four pieces on 27 places, missing pieces being off.
pub const SIDES: usize = 27_405;

/// The table, in parts of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alone(pub Vec<u16>);

/// So many parts make a turn.
const PARTS: f32 = 1024.0;

impl Alone {
    /// Nothing is known.
    pub fn zero() -> Self {
        Self(vec![0; SIDES])
    }

    /// Expected turns of a side with these sorted steps.
    pub fn turns(&self, steps: &[i8; 4]) -> f32 {
        f32::from(self.0[index(steps)]) / PARTS
    }

    /// Expected turns that are lost when the piece at this place of the sorted steps is killed.
    pub fn loss(&self, steps: &[i8; 4], at: usize) -> f32 {
        let mut after = *steps;
        after.copy_within(0..at, 1);
        after[0] = HAND;
        self.turns(&after) - self.turns(steps)
    }

    /// Solves all sides, those furthest on first.
    pub fn solve() -> Self {
        let mut exact = vec![0.0f32; SIDES];
        let mut all: Vec<[i8; 4]> = Vec::with_capacity(SIDES);
        for a in HAND..=OFF {
            for b in a..=OFF {
                for c in b..=OFF {
                    all.extend((c..=OFF).map(|d| [a, b, c, d]));
                }
            }
        }
        all.sort_by_key(|steps| -steps.iter().map(|it| i32::from(*it)).sum::<i32>());
        let start = Position::start(Options::default(), 2).expect("two can play");
        for steps in all.into_iter().filter(|steps| steps[0] < OFF) {
            exact[index(&steps)] = solve_one(&start, &steps, &exact);
        }
        Self(exact.into_iter().map(|it| (it * PARTS).round() as u16).collect())
    }
}

/// One turn, and then what is left on average; turns in which nothing moves are repeated.
fn solve_one(start: &Position, steps: &[i8; 4], exact: &[f32]) -> f32 {
    let there = steps.iter().take_while(|it| **it < OFF).count();
    // The pieces that are off are missing: that is why they may be off before the others.
    let side = Side::new(&steps[..there]).expect("these are steps, and none is off");
    let position = start.with_side(Seat(0), side);
    let (mut turns, mut stays) = (1.0f32, 0.0f32);
    for series in LONG.of(&position, Seat(0)) {
        let ends = Turn::new(&position, Seat(0), &series.throws).outcomes(usize::MAX);
        if ends.iter().any(|end| end.own == side) {
            stays += series.chance;
            continue;
        }
        let left = ends.iter().map(|end| exact[index(end.own.steps())]);
        turns += series.chance * left.fold(f32::INFINITY, f32::min);
    }
    turns / (1.0 - stays)
}

/// The number of a sorted side: combinations with repetition in their order.
fn index(steps: &[i8; 4]) -> usize {
    let [a, b, c, d] = steps.map(|it| usize::from((it - HAND).unsigned_abs()));
    a + b * (b + 1) / 2 + c * (c + 1) * (c + 2) / 6 + d * (d + 1) * (d + 2) * (d + 3) / 24
}
