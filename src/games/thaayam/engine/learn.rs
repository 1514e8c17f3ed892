//! Trains the networks by self-play with TD(λ) (Sutton 1988, Tesauro 1995).
//!
//! The networks play whole games; every turn ends where the chance of the seat to move is best.
//! Then every position between two turns is trained towards the λ-return: a mixture of the chances
//! one turn, two turns … later and the result. The optimiser is Adam (Kingma, Ba 2015), with one
//! step for every few games. The dice give enough exploration. Four games in ten use random house
//! rules. A second round of games continues with smaller steps, λ at 0.65 and two games in ten with
//! random house rules.

use super::inputs::Inputs;
use super::net::{HIDDEN, NetEvaluation, Nets, ThaayamNet, WIDTH};
use super::seats::TurnStart;
use super::simple_opponents::draw;
use crate::rules::{Entropy, Seat, Token};
use crate::search::SeededRng;
use crate::thaayam::options::{SWITCHES, ThaayamOptions};
use crate::thaayam::position::{PlayerPieces, ThaayamPosition};
use crate::thaayam::turn::ThaayamTurn;

/// The settings of training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThaayamLearnSettings {
    /// The seed of dice and first weights; the same seed gives the same file on every machine.
    pub seed: u64,
    /// Number of games for each of the four networks (two, three and four seats, pairs).
    pub games: [u32; 4],
    /// Number of games in the second round for each network, with smaller steps and more games by
    /// the standard rules.
    pub more: [u32; 4],
}

impl Default for ThaayamLearnSettings {
    fn default() -> Self {
        Self { seed: 1, games: [200_000, 150_000, 300_000, 100_000], more: MORE }
    }
}

/// Default number of games in the second round.
const MORE: [u32; 4] = [200_000, 0, 0, 0];
/// Number of games in one optimiser step.
const BATCH: u32 = 4;
/// The first learning rate; it falls to a hundredth of it.
const RATE: f32 = 0.002;
/// Longer games are stopped and not used.
const TURNS_MAX: usize = 2_000;
/// The most ends of a turn that are compared during training.
const ENDS_MAX: usize = 200;

/// Trains all networks and returns the file of weights. `report` receives progress lines.
pub fn learn(settings: &ThaayamLearnSettings, report: &mut dyn FnMut(&str)) -> Vec<u8> {
    let mut nets = Nets::zero();
    for (index, games) in settings.games.into_iter().enumerate() {
        let mut trainer = NetworkTrainer::new(index, settings.seed);
        trainer.train(games, report);
        nets.0[index] = trainer.net;
    }
    let mut bytes = nets.write();
    for (index, games) in settings.more.into_iter().enumerate().filter(|(_, it)| *it > 0) {
        // It continues from the rounded numbers of the file, so that it can also run later.
        let mut nets = Nets::read(&bytes).expect("the bytes were written by `Nets::write`");
        let mut trainer = NetworkTrainer::resume(index, settings.seed, nets.0[index].clone());
        trainer.train(games, report);
        nets.0[index] = trainer.net;
        bytes = nets.write();
    }
    bytes
}

/// Trains one network.
pub struct NetworkTrainer {
    index: usize,
    /// The network so far.
    pub net: ThaayamNet,
    grown: ThaayamNet,
    means: ThaayamNet,
    squares: ThaayamNet,
    steps: i32,
    rng: SeededRng,
    is_resumed: bool,
}

/// A position of a game with its evaluation.
struct Stop {
    inputs: Inputs,
    seen: NetEvaluation,
    /// Chances by seat.
    chances: [f32; 4],
}

impl NetworkTrainer {
    /// Starts training of one of the four networks.
    pub fn new(index: usize, seed: u64) -> Self {
        let mut rng = SeededRng::new(seed.wrapping_mul(4).wrapping_add(index as u64));
        let mut net = ThaayamNet::zero();
        let mut small = || (rng.below(2_001) as f32 - 1_000.0) / 1_000.0;
        net.rows.iter_mut().for_each(|row| row[..HIDDEN].fill_with(|| small() * 0.2));
        net.out.iter_mut().for_each(|out| out.fill_with(|| small() * 0.1));
        let zero = ThaayamNet::zero();
        let grown = zero.clone();
        let means = zero.clone();
        let squares = zero;
        Self { index, net, grown, means, squares, steps: 0, rng, is_resumed: false }
    }

    /// Continues training of one of the four networks.
    pub fn resume(index: usize, seed: u64, net: ThaayamNet) -> Self {
        let trainer = Self::new(index, seed);
        let rng = SeededRng::new(!seed.wrapping_mul(4).wrapping_add(index as u64));
        Self { net, rng, is_resumed: true, ..trainer }
    }

    /// Plays this number of games and learns from them.
    pub fn train(&mut self, games: u32, report: &mut dyn FnMut(&str)) {
        let mut sum = 0.0f64;
        let mut count = 0u32;
        for game in 1..=games {
            let done = game as f32 / games.max(1) as f32;
            // Results count most at first, later the network's own evaluations.
            let lambda = match (self.is_resumed, done < 0.05) {
                (true, _) => 0.65,
                (false, true) => 1.0,
                (false, false) => 0.9 - 0.25 * done,
            };
            let (squared_error, stops) = self.game(lambda);
            sum += f64::from(squared_error);
            count += stops;
            if game % BATCH == 0 {
                let most = if self.is_resumed { RATE * 0.3 } else { RATE };
                self.step(most * (1.0 - done) * (1.0 - done) + RATE / 100.0);
            }
            if game % (games / 20).max(1) == 0 {
                let error = sum / f64::from(count.max(1));
                report(&format!("net {} game {game} of {games}: error {error:.4}", self.index));
                (sum, count) = (0.0, 0);
            }
        }
        if !self.is_resumed {
            self.drop_unused();
        }
    }

    /// Clears rows that no position uses: they still have their random values.
    fn drop_unused(&mut self) {
        for (row, square) in self.net.rows.iter_mut().zip(&self.squares.rows) {
            if square.iter().all(|it| *it == 0.0) {
                *row = [0.0; WIDTH];
            }
        }
    }

    /// Plays one game and learns from it; returns the squared error of all chances and the number
    /// of positions.
    fn game(&mut self, lambda: f32) -> (f32, u32) {
        let house = if self.is_resumed { 2 } else { 4 };
        let (position, first) = start(self.index, house, &mut self.rng);
        let mut at = TurnStart { position, next: first, is_won: false };
        let mut stops = Vec::new();
        let mut throws = Vec::new();
        while !at.is_won {
            stops.push(self.evaluate(&at));
            if stops.len() > TURNS_MAX {
                return (0.0, 0);
            }
            draw(&mut self.rng, &mut throws);
            at = self.best(&at, &throws);
        }
        let mut target = self.result_of(&at);
        let mut squared_error = 0.0;
        let count = stops.len() as u32;
        while let Some(stop) = stops.pop() {
            let seats = stop.inputs.seats;
            let error: [f32; 4] = std::array::from_fn(|slot| {
                seats[slot].map_or(0.0, |it| stop.seen.chances[slot] - target[it.index() & 3])
            });
            squared_error += error.iter().map(|it| it * it).sum::<f32>();
            self.add_gradient(&stop, &error);
            for (target, seen) in target.iter_mut().zip(stop.chances) {
                *target = lambda * *target + (1.0 - lambda) * seen;
            }
        }
        (squared_error, count)
    }

    fn result_of(&self, at: &TurnStart) -> [f32; 4] {
        let mut target = [0.0; 4];
        for seat in (0..at.position.seats()).map(Seat) {
            if at.position.are_together(seat, at.next) {
                target[seat.index() & 3] = if self.index == 3 { 0.5 } else { 1.0 };
            }
        }
        target
    }

    fn evaluate(&self, at: &TurnStart) -> Stop {
        let inputs = Inputs::from_position(&at.position, at.next);
        let seen = self.net.see(&inputs);
        let mut chances = [0.0; 4];
        for (seat, chance) in inputs.seats.iter().zip(seen.chances) {
            if let Some(seat) = seat {
                chances[seat.index() & 3] = chance;
            }
        }
        Stop { inputs, seen, chances }
    }

    fn best(&self, at: &TurnStart, throws: &[u8]) -> TurnStart {
        let seat = at.next;
        let turn = ThaayamTurn::new(&at.position, seat, throws);
        let ends = turn.outcomes(ENDS_MAX);
        let mut best: Option<(f32, TurnStart)> = None;
        for end in &ends {
            let after = TurnStart::after(&at.position, seat, end);
            if after.is_won || ends.len() == 1 {
                return after;
            }
            let chances = self.evaluate(&after).chances;
            let mut value = chances[seat.index() & 3];
            if self.index == 3 {
                value += chances[(seat.index() + 2) & 3];
            }
            if best.as_ref().is_none_or(|(most, _)| value > *most) {
                best = Some((value, after));
            }
        }
        best.map_or(*at, |(_, after)| after)
    }

    /// Adds the gradient of a position.
    fn add_gradient(&mut self, stop: &Stop, error: &[f32; 4]) {
        let mut gradient = [0.0f32; WIDTH];
        for slot in (0..4).filter(|slot| stop.inputs.seats[*slot].is_some()) {
            gradient[HIDDEN + slot] = error[slot];
            for (gradient, weight) in gradient.iter_mut().zip(&self.net.out[slot]) {
                *gradient += error[slot] * weight;
            }
            for (grown, seen) in self.grown.out[slot].iter_mut().zip(&stop.seen.hidden) {
                *grown += error[slot] * seen;
            }
        }
        for (gradient, seen) in gradient[..HIDDEN].iter_mut().zip(&stop.seen.hidden) {
            if *seen <= 0.0 {
                *gradient = 0.0;
            }
        }
        for (grown, gradient) in self.grown.bias.iter_mut().zip(gradient) {
            *grown += gradient;
        }
        for (row, value) in stop.inputs.as_slice() {
            let row = &mut self.grown.rows[usize::from(*row)];
            for (grown, gradient) in row.iter_mut().zip(gradient) {
                *grown += gradient * value;
            }
        }
    }

    fn step(&mut self, rate: f32) {
        self.steps = self.steps.saturating_add(1);
        // Bias correction: means and squares begin at 0.
        let bias_correction = |each: f32| 1.0 - power(each, self.steps);
        let rate = rate * bias_correction(0.999).sqrt() / bias_correction(0.9);
        let NetworkTrainer { net, grown, means, squares, .. } = self;
        let rows = net.rows.iter_mut().zip(&mut grown.rows);
        let rows = rows.zip(means.rows.iter_mut().zip(&mut squares.rows));
        rows.for_each(|((net, grown), (means, squares))| adam(net, grown, means, squares, rate));
        adam(&mut net.bias, &mut grown.bias, &mut means.bias, &mut squares.bias, rate);
        for slot in 0..4 {
            let means = &mut means.out[slot];
            let squares = &mut squares.out[slot];
            adam(&mut net.out[slot], &mut grown.out[slot], means, squares, rate);
        }
    }
}

fn power(base: f32, exponent: i32) -> f32 {
    let mut power = 1.0f32;
    let mut square = base;
    let mut remaining = exponent;
    while remaining > 0 {
        if remaining & 1 == 1 {
            power *= square;
        }
        square *= square;
        remaining >>= 1;
    }
    power
}

fn adam<const N: usize>(
    weights: &mut [f32; N],
    grown: &mut [f32; N],
    means: &mut [f32; N],
    squares: &mut [f32; N],
    rate: f32,
) {
    for at in 0..N {
        let step = grown[at];
        grown[at] = 0.0;
        means[at] = 0.9 * means[at] + 0.1 * step;
        squares[at] = 0.999 * squares[at] + 0.001 * step * step;
        weights[at] -= rate * means[at] / (squares[at].sqrt() + 1e-6);
    }
}

/// The start of a training game: with random house rules in `house` of ten games, else with the
/// standard rules.
fn start(index: usize, house: u32, rng: &mut SeededRng) -> (ThaayamPosition, Seat) {
    let seats = if index == 3 { 4 } else { index as u8 + 2 };
    let mut options = ThaayamOptions::default();
    if rng.below(10) < house {
        options = any_options(rng);
    }
    options.partners = index == 3;
    // Two of four seats play on after the others have finished.
    if index == 0 && rng.below(10) == 0 {
        options.play_on = true;
        if let Ok(position) = ThaayamPosition::start(options, 4) {
            let first = rng.below(4) as u8;
            let without_pieces = |position: ThaayamPosition, seat: u8| {
                let side = PlayerPieces::new(&[]).unwrap_or(*position.side(Seat(0)));
                position.with_side(Seat((first + seat) % 4), side)
            };
            return (without_pieces(without_pieces(position, 2), 3), Seat(first));
        }
    }
    let first = Seat(rng.below(u32::from(seats)) as u8);
    let start =
        ThaayamPosition::start(options, seats).expect("these options fit this number of seats");
    (start, first)
}

/// Standard rules with some switches changed at random.
fn any_options(rng: &mut SeededRng) -> ThaayamOptions {
    let mut parts = Vec::new();
    for (name, values) in SWITCHES {
        let is_changed = rng.below(if name == "pieces" { 2 } else { 5 }) == 0;
        if is_changed && !matches!(name, "partners" | "play_on") {
            let value = values[1 + rng.below(values.len() as u32 - 1) as usize];
            parts.push(format!("{name}={value}"));
        }
    }
    ThaayamOptions::read(&parts.join(",")).unwrap_or_default()
}
