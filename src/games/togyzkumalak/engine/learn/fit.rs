//! Fits a network to positions: logistic regression by gradient descent with Adam (Kingma and Ba
//! 2014, "Adam").

use super::super::net::{
    NetRow, ONE, OUT_ONE, OWNERS, ROWS, SCALE, TogyzkumalakNet, WIDTH, blocks,
};
use super::Sample;
use crate::rules::Entropy;
use crate::search::SeededRng;

/// Number of positions in one step.
const BATCH: usize = 2_048;
/// The first step size.
const STEP: f32 = 0.002;
/// One of this number of runs of positions is held out for validation.
const HELD_OUT: usize = 20;
/// Length of such a run: longer than a game, so that few games are in both sets.
const RUN: usize = 4_096;
/// Offsets of the output weights and their biases, and the total number of parameters.
const OUT_AT: usize = (ROWS + 1) * WIDTH;
const OUT_START_AT: usize = OUT_AT + OWNERS * WIDTH;
const LEN: usize = OUT_START_AT + OWNERS;

/// The network as floating-point numbers in one list: rows, the initial row, output weights and
/// output biases.
struct FittedNet {
    numbers: Vec<f32>,
    slopes: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

/// Fits a network to these positions. `trust` is the share of the search's score in the target.
pub(super) fn fit(
    samples: &[Vec<Sample>],
    trust: f32,
    passes: u32,
    seed: u64,
    report: &mut dyn FnMut(&str),
) -> TogyzkumalakNet {
    let mut rng = SeededRng::new(seed);
    let all: Vec<&Sample> = samples.iter().flatten().collect();
    let is_held_out = |index: &usize| index / RUN % HELD_OUT == HELD_OUT - 1;
    let (measure, mut train): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(is_held_out);
    let mut fitted = FittedNet::random(&mut rng);
    for pass in 0..passes {
        shuffle(&mut train, &mut rng);
        let mut loss = 0.0;
        let batches = train.len().div_ceil(BATCH).max(1);
        for (index, batch) in train.chunks(BATCH).enumerate() {
            let done = (pass as f32 + index as f32 / batches as f32) / passes as f32;
            // Cosine decay from the full step to a hundredth of it.
            let size = STEP * (0.505 + 0.495 * (std::f32::consts::PI * done).cos());
            for at in batch {
                loss += f64::from(fitted.learn_from(all[*at], trust));
            }
            fitted.step(size, batch.len());
        }
        let mean = |sum: f64, len: usize| sum / len.max(1) as f64;
        let held_out: f64 = measure.iter().map(|at| f64::from(fitted.loss(all[*at], trust))).sum();
        let train = mean(loss, train.len());
        let held_out = mean(held_out, measure.len());
        report(&format!("pass {pass}: loss {train:.5}, held out {held_out:.5}"));
    }
    fitted.round()
}

fn shuffle(list: &mut [usize], rng: &mut SeededRng) {
    for i in (1..list.len()).rev() {
        list.swap(i, rng.below(i as u32 + 1) as usize);
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The target: the chance to win as a mixture of the search's score and the result.
fn target(sample: &Sample, trust: f32) -> f32 {
    let searched = logistic(f32::from(sample.score) / SCALE as f32);
    trust * searched + (1.0 - trust) * f32::from(sample.result) / 2.0
}

/// The cross entropy minus that of a perfect prediction.
fn cross_entropy(target: f32, chance: f32) -> f32 {
    let part = |target: f32, chance: f32| {
        if target <= 0.0 { 0.0 } else { target * (target / chance.max(1e-6)).ln() }
    };
    part(target, chance) + part(1.0 - target, 1.0 - chance)
}

impl FittedNet {
    /// Random parameters. The rows of a pit or kazan begin as a linear function of its stones, so
    /// that rare counts do not stay random.
    fn random(rng: &mut SeededRng) -> Self {
        let mut all = vec![0.0; LEN];
        let mut spread = |range: f32| {
            let unit = rng.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0;
            unit * range
        };
        for (from, to) in blocks() {
            for number in 1..WIDTH {
                let slope = spread(0.2);
                for row in from..to {
                    let part = (row - from) as f32 / (to - from) as f32;
                    all[row * WIDTH + number] = slope * (part - 0.25);
                }
            }
        }
        for (at, number) in all[ROWS * WIDTH..OUT_START_AT].iter_mut().enumerate() {
            if at % WIDTH > 0 {
                *number = if at < WIDTH { 0.4 } else { spread(0.5) };
            }
        }
        let zeros = || vec![0.0; LEN];
        Self { numbers: all, slopes: zeros(), mean: zeros(), square: zeros(), steps: 0 }
    }

    /// The sum of the rows of a position, and the logit of its chance.
    fn forward(&self, sample: &Sample) -> ([f32; WIDTH], f32) {
        let mut sum = [0.0; WIDTH];
        sum.copy_from_slice(&self.numbers[ROWS * WIDTH..][..WIDTH]);
        for row in sample.rows {
            let row = &self.numbers[usize::from(row) * WIDTH..][..WIDTH];
            for (number, more) in sum.iter_mut().zip(row) {
                *number += more;
            }
        }
        let owners = usize::from(sample.owners);
        let weights = &self.numbers[OUT_AT + owners * WIDTH..][..WIDTH];
        let mut logit = sum[0] + self.numbers[OUT_START_AT + owners];
        for (number, weight) in sum.iter().zip(weights).skip(1) {
            let clamped = number.clamp(0.0, 1.0);
            logit += clamped * clamped * weight;
        }
        (sum, logit)
    }

    fn loss(&self, sample: &Sample, trust: f32) -> f32 {
        cross_entropy(target(sample, trust), logistic(self.forward(sample).1))
    }

    /// Adds the gradient of a position; returns its loss.
    fn learn_from(&mut self, sample: &Sample, trust: f32) -> f32 {
        let (sum, logit) = self.forward(sample);
        let target = target(sample, trust);
        let chance = logistic(logit);
        let slope = chance - target;
        let owners = usize::from(sample.owners);
        self.slopes[OUT_START_AT + owners] += slope;
        let at = OUT_AT + owners * WIDTH;
        let mut gradient = [0.0; WIDTH];
        gradient[0] = slope;
        for i in 1..WIDTH {
            let clamped = sum[i].clamp(0.0, 1.0);
            self.slopes[at + i] += slope * clamped * clamped;
            let inside = if sum[i] > 0.0 && sum[i] < 1.0 { 2.0 * clamped } else { 0.0 };
            gradient[i] = slope * self.numbers[at + i] * inside;
        }
        let start = std::iter::once(ROWS);
        for row in sample.rows.iter().map(|it| usize::from(*it)).chain(start) {
            for (to, from) in self.slopes[row * WIDTH..][..WIDTH].iter_mut().zip(&gradient) {
                *to += from;
            }
        }
        cross_entropy(target, chance)
    }

    fn step(&mut self, size: f32, batch: usize) {
        const KEEP: (f32, f32) = (0.9, 0.999);
        self.steps += 1;
        let unbias = (1.0 - KEEP.0.powi(self.steps), 1.0 - KEEP.1.powi(self.steps));
        let share = 1.0 / batch.max(1) as f32;
        for at in 0..LEN {
            let slope = self.slopes[at] * share;
            self.slopes[at] = 0.0;
            self.mean[at] = KEEP.0 * self.mean[at] + (1.0 - KEEP.0) * slope;
            self.square[at] = KEEP.1 * self.square[at] + (1.0 - KEEP.1) * slope * slope;
            let by =
                size * (self.mean[at] / unbias.0) / ((self.square[at] / unbias.1).sqrt() + 1e-8);
            // Output weights must fit into the fixed-point format.
            let range = if (OUT_AT..OUT_START_AT).contains(&at) { 1.98 } else { 20.0 };
            self.numbers[at] = (self.numbers[at] - by).clamp(-range, range);
        }
    }

    fn round(&self) -> TogyzkumalakNet {
        let row = |at: usize, one: i32| {
            let mut row = [0_i16; WIDTH];
            for (to, from) in row.iter_mut().zip(&self.numbers[at..][..WIDTH]) {
                *to = (from * one as f32).round() as i16;
            }
            NetRow(row)
        };
        let start = |owners: usize| {
            (self.numbers[OUT_START_AT + owners] * (ONE * OUT_ONE) as f32).round() as i32
        };
        TogyzkumalakNet {
            rows: (0..ROWS).map(|at| row(at * WIDTH, ONE)).collect(),
            start: row(ROWS * WIDTH, ONE),
            out: [0, 1, 2, 3].map(|owners| row(OUT_AT + owners * WIDTH, OUT_ONE)),
            out_start: [0, 1, 2, 3].map(start),
        }
    }
}
