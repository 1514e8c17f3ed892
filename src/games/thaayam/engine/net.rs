//! Evaluates a position with a small neural network: every seat's chance to win.

use std::sync::LazyLock;

use super::inputs::{Inputs, ROWS};
use super::seats::TurnStart;
use crate::rules::Seat;
use crate::thaayam::position::ThaayamPosition;

/// Number of rectified units of the hidden layer.
pub const HIDDEN: usize = 44;
/// Number of all units: the rectified ones, and one linear unit for the output of each slot.
pub const WIDTH: usize = HIDDEN + 4;

/// The weights of one network.
#[derive(Clone)]
pub struct ThaayamNet {
    /// The weights from each input to the hidden units.
    pub rows: Vec<[f32; WIDTH]>,
    /// The bias of the hidden units.
    pub bias: [f32; WIDTH],
    /// The weights from the rectified units to the slots.
    pub out: [[f32; HIDDEN]; 4],
}

/// The evaluation of a position by a network.
pub struct NetEvaluation {
    /// The hidden units, rectified but for the last four.
    pub hidden: [f32; WIDTH],
    /// The chance of each slot; they add up to 1.
    pub chances: [f32; 4],
}

impl ThaayamNet {
    /// A network with all weights 0.
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

/// The dot product in four lanes: fast, and the same on every machine.
fn dot(weights: &[f32; HIDDEN], hidden: &[f32; WIDTH]) -> f32 {
    let mut lanes = [0.0f32; 4];
    for (weights, hidden) in weights.chunks_exact(4).zip(hidden.chunks_exact(4)) {
        for lane in 0..4 {
            lanes[lane] += weights[lane] * hidden[lane];
        }
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

fn softmax(values: &mut [f32; 4], occupied: [bool; 4]) {
    let each = values.iter().zip(occupied).filter(|(_, occupied)| *occupied);
    let most = each.map(|(it, _)| *it).fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for (value, occupied) in values.iter_mut().zip(occupied) {
        *value = if occupied { exp(*value - most) } else { 0.0 };
        sum += *value;
    }
    values.iter_mut().for_each(|it| *it /= sum);
}

/// The exponential function for numbers up to 0, by additions and multiplications alone: that of
/// the system differs between systems, and a level must play the same everywhere.
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

/// The networks that are compiled into the program.
pub static LEARNED: LazyLock<Nets> = LazyLock::new(|| {
    Nets::read(include_bytes!("weights.bin")).expect("the file was written by `Nets::write`")
});

impl Nets {
    /// Networks with all weights 0.
    pub fn zero() -> Self {
        Self([ThaayamNet::zero(), ThaayamNet::zero(), ThaayamNet::zero(), ThaayamNet::zero()])
    }

    /// The index of the network for such a position.
    pub fn index(position: &ThaayamPosition, inputs: &Inputs) -> usize {
        if position.options().partners {
            return 3;
        }
        let occupied = inputs.seats.iter().flatten().count();
        occupied.clamp(2, 4) - 2
    }

    /// The chance of every seat to win; the chances of partners must be added. With `play_on`, the
    /// chance to be the first of the seats that still play.
    pub fn chances(&self, at: &TurnStart) -> [f32; 4] {
        let mut chances = [0.0; 4];
        if at.is_won {
            chances[at.next.index() & 3] = 1.0;
            return chances;
        }
        let inputs = Inputs::from_position(&at.position, at.next);
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
/// throws next. They add up to 1; partners win together, so their chances must be added.
pub fn chances(position: &ThaayamPosition, next: Seat) -> [f32; 4] {
    LEARNED.chances(&TurnStart { position: *position, next, is_won: false })
}
