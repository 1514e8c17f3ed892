//! The evaluation: a small neural network from a position to every seat's chance to win.

use std::sync::LazyLock;

use super::inputs::{Inputs, ROWS};
use super::seats::Between;
use crate::rules::Seat;
use crate::thaayam::position::ThaayamPosition;

/// Units of the hidden layer that are rectified.
pub const HIDDEN: usize = 44;
/// Those, and one unit a slot that goes on to its output as it is.
pub const WIDTH: usize = HIDDEN + 4;

/// The weights of one network.
#[derive(Clone)]
pub struct ThaayamNet {
    /// What each input adds to the hidden units.
    pub rows: Vec<[f32; WIDTH]>,
    /// What the hidden units begin with.
    pub bias: [f32; WIDTH],
    /// From the rectified units to the slots.
    pub out: [[f32; HIDDEN]; 4],
}

/// What a network makes of a position.
pub struct NetEvaluation {
    /// The hidden units, rectified but for the last four.
    pub hidden: [f32; WIDTH],
    /// The chance of each slot; they add up to 1.
    pub chances: [f32; 4],
}

impl ThaayamNet {
    /// One that thinks nothing.
    pub fn zero() -> Self {
        Self { rows: vec![[0.0; WIDTH]; ROWS], bias: [0.0; WIDTH], out: [[0.0; HIDDEN]; 4] }
    }

    /// The chances of all slots.
    pub fn see(&self, inputs: &Inputs) -> NetEvaluation {
        let mut hidden = self.bias;
        for (row, value) in inputs.as_slice() {
            let row = &self.rows[usize::from(*row)];
            for (unit, weight) in hidden.iter_mut().zip(row) {
                *unit += weight * value;
            }
        }
        for unit in &mut hidden[..HIDDEN] {
            *unit = unit.max(0.0);
        }
        let mut chances = [0.0f32; 4];
        for slot in 0..4 {
            if inputs.seats[slot].is_some() {
                chances[slot] = hidden[HIDDEN + slot] + dot(&self.out[slot], &hidden);
            }
        }
        softmax(&mut chances, inputs.seats.map(|it| it.is_some()));
        NetEvaluation { hidden, chances }
    }
}

/// Sums in four lanes, so that it is quick and on every machine the same.
fn dot(weights: &[f32; HIDDEN], hidden: &[f32; WIDTH]) -> f32 {
    let mut lanes = [0.0f32; 4];
    for (weights, hidden) in weights.chunks_exact(4).zip(hidden.chunks_exact(4)) {
        for lane in 0..4 {
            lanes[lane] += weights[lane] * hidden[lane];
        }
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

fn softmax(values: &mut [f32; 4], taken: [bool; 4]) {
    let each = values.iter().zip(taken).filter(|(_, taken)| *taken);
    let most = each.map(|(it, _)| *it).fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for (value, taken) in values.iter_mut().zip(taken) {
        *value = if taken { exp(*value - most) } else { 0.0 };
        sum += *value;
    }
    values.iter_mut().for_each(|it| *it /= sum);
}

/// The exponential function for numbers up to 0, by sums and products alone: the one of the
/// system differs between systems, and a level must play alike everywhere.
fn exp(x: f32) -> f32 {
    if x < -40.0 {
        return 0.0;
    }
    // e^x = (e^(x/64))^64; the series is exact to f32 within a unit.
    let x = x / 64.0;
    let mut power = 1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0)));
    for _ in 0..6 {
        power *= power;
    }
    power
}

/// Networks for two, three and four seats and for pairs.
#[derive(Clone)]
pub struct Nets(pub [ThaayamNet; 4]);

/// What was learned.
pub static LEARNED: LazyLock<Nets> = LazyLock::new(|| {
    Nets::read(include_bytes!("weights.bin")).expect("the file was written by learning")
});

impl Nets {
    /// Those that think nothing.
    pub fn zero() -> Self {
        Self([ThaayamNet::zero(), ThaayamNet::zero(), ThaayamNet::zero(), ThaayamNet::zero()])
    }

    /// Which network sees such a position.
    pub fn index(position: &ThaayamPosition, inputs: &Inputs) -> usize {
        if position.options().partners {
            return 3;
        }
        let taken = inputs.seats.iter().flatten().count();
        taken.clamp(2, 4) - 2
    }

    /// The chance of every seat to win, its own only: those of partners are to be added. With
    /// `play_on`, to be the first of those who still play.
    pub fn chances(&self, at: &Between) -> [f32; 4] {
        let mut chances = [0.0; 4];
        if at.is_won {
            chances[at.next.index() & 3] = 1.0;
            return chances;
        }
        let inputs = Inputs::of(&at.position, at.next);
        let seen = self.0[Self::index(&at.position, &inputs)].see(&inputs);
        for (seat, chance) in inputs.seats.iter().zip(seen.chances) {
            if let Some(seat) = seat {
                chances[seat.index() & 3] = chance;
            }
        }
        chances
    }
}

/// The learned chance of every seat to win, in the order of seats, in a position in which `next`
/// throws next. They add up to 1; partners win together, so theirs are to be added.
pub fn chances(position: &ThaayamPosition, next: Seat) -> [f32; 4] {
    LEARNED.chances(&Between { position: *position, next, is_won: false })
}
