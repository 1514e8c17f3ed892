//! Learning from own games: TD(λ) on the results of self-play (Sutton 1988, Tesauro 1995).
//!
//! A game is played by the networks themselves, every turn ending where the mover's chance is
//! best. Then every position between two turns is taught the λ-return: what followed, mixed from
//! the chances seen one turn, two turns … later and the result. Steps are those of Adam (Kingma,
//! Ba 2015), one for every few games. The dice explore enough. Four games in ten are played with
//! house rules turned at random. A second round of games goes on from there with smaller steps,
//! λ at 0.65 and two games in ten by house rules.

use super::inputs::Inputs;
use super::net::{HIDDEN, NetEvaluation, Nets, ThaayamNet, WIDTH};
use super::seats::Between;
use super::simple_opponents::draw;
use crate::rules::{Entropy, Seat, Token};
use crate::search::SeededRng;
use crate::thaayam::options::{SWITCHES, ThaayamOptions};
use crate::thaayam::position::{PlayerPieces, ThaayamPosition};
use crate::thaayam::turn::ThaayamTurn;

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThaayamLearnSettings {
    /// Of dice and first weights; the same seed gives the same file on every machine.
    pub seed: u64,
    /// Games for each of the four networks (two, three and four seats, pairs).
    pub games: [u32; 4],
    /// Games of a second round for each of them, with smaller steps and more often by the
    /// standard rules.
    pub more: [u32; 4],
}

impl Default for ThaayamLearnSettings {
    fn default() -> Self {
        Self { seed: 1, games: [200_000, 150_000, 300_000, 100_000], more: MORE }
    }
}

/// Games of the second round.
const MORE: [u32; 4] = [200_000, 0, 0, 0];
/// Games of one step.
const BATCH: u32 = 4;
/// The size of steps in the beginning; it falls to a hundredth of it.
const RATE: f32 = 0.002;
/// Games longer than this are broken off and not learned from.
const TURNS_MAX: usize = 2_000;
/// More ends of a turn than this are not looked at while learning.
const ENDS_MAX: usize = 200;

/// Learns all networks and gives the file of weights. `say` hears how it goes.
pub fn learn(settings: &ThaayamLearnSettings, say: &mut dyn FnMut(&str)) -> Vec<u8> {
    let mut nets = Nets::zero();
    for (index, games) in settings.games.into_iter().enumerate() {
        let mut school = School::new(index, settings.seed);
        school.teach(games, say);
        nets.0[index] = school.net;
    }
    let mut bytes = nets.write();
    for (index, games) in settings.more.into_iter().enumerate().filter(|(_, it)| *it > 0) {
        // It goes on with the numbers of the file, so that it can also be done later.
        let mut nets = Nets::read(&bytes).expect("these are the bytes of networks");
        let mut school = School::again(index, settings.seed, nets.0[index].clone());
        school.teach(games, say);
        nets.0[index] = school.net;
        bytes = nets.write();
    }
    bytes
}

/// Learns one network further.
pub struct School {
    index: usize,
    /// What was learned so far.
    pub net: ThaayamNet,
    grown: ThaayamNet,
    means: ThaayamNet,
    squares: ThaayamNet,
    steps: i32,
    numbers: SeededRng,
    is_again: bool,
}

/// A position that was seen, and what the network thought of it.
struct Stop {
    inputs: Inputs,
    seen: NetEvaluation,
    /// Chances by seat.
    chances: [f32; 4],
}

impl School {
    /// A school for one of the four networks.
    pub fn new(index: usize, seed: u64) -> Self {
        let mut numbers = SeededRng::new(seed.wrapping_mul(4).wrapping_add(index as u64));
        let mut net = ThaayamNet::zero();
        let mut small = || (numbers.below(2_001) as f32 - 1_000.0) / 1_000.0;
        net.rows.iter_mut().for_each(|row| row[..HIDDEN].fill_with(|| small() * 0.2));
        net.out.iter_mut().for_each(|out| out.fill_with(|| small() * 0.1));
        let zero = ThaayamNet::zero();
        let (grown, means, squares) = (zero.clone(), zero.clone(), zero);
        Self { index, net, grown, means, squares, steps: 0, numbers, is_again: false }
    }

    /// A school that teaches one of the four networks further.
    pub fn again(index: usize, seed: u64, net: ThaayamNet) -> Self {
        let school = Self::new(index, seed);
        let numbers = SeededRng::new(!seed.wrapping_mul(4).wrapping_add(index as u64));
        Self { net, numbers, is_again: true, ..school }
    }

    /// Plays and learns so many games.
    pub fn teach(&mut self, games: u32, say: &mut dyn FnMut(&str)) {
        let (mut sum, mut count) = (0.0f64, 0u32);
        for game in 1..=games {
            let done = game as f32 / games.max(1) as f32;
            // Results first, then more and more what the network itself has learned.
            let lambda = match (self.is_again, done < 0.05) {
                (true, _) => 0.65,
                (false, true) => 1.0,
                (false, false) => 0.9 - 0.25 * done,
            };
            let (mistakes, stops) = self.game(lambda);
            sum += f64::from(mistakes);
            count += stops;
            if game % BATCH == 0 {
                let most = if self.is_again { RATE * 0.3 } else { RATE };
                self.step(most * (1.0 - done) * (1.0 - done) + RATE / 100.0);
            }
            if game % (games / 20).max(1) == 0 {
                let error = sum / f64::from(count.max(1));
                say(&format!("net {} game {game} of {games}: error {error:.4}", self.index));
                (sum, count) = (0.0, 0);
            }
        }
        if !self.is_again {
            self.drop_unused();
        }
    }

    /// Rows that no position can use keep what chance gave them: they are of no use.
    fn drop_unused(&mut self) {
        for (row, square) in self.net.rows.iter_mut().zip(&self.squares.rows) {
            if square.iter().all(|it| *it == 0.0) {
                *row = [0.0; WIDTH];
            }
        }
    }

    /// One game; gives the squared error of all chances and how many positions there were.
    fn game(&mut self, lambda: f32) -> (f32, u32) {
        let house = if self.is_again { 2 } else { 4 };
        let (position, first) = start(self.index, house, &mut self.numbers);
        let mut at = Between { position, next: first, is_won: false };
        let mut stops = Vec::new();
        let mut throws = Vec::new();
        while !at.is_won {
            stops.push(self.look(&at));
            if stops.len() > TURNS_MAX {
                return (0.0, 0);
            }
            draw(&mut self.numbers, &mut throws);
            at = self.best(&at, &throws);
        }
        let mut target = self.won(&at);
        let mut mistakes = 0.0;
        let count = stops.len() as u32;
        while let Some(stop) = stops.pop() {
            let seats = stop.inputs.seats;
            let error: [f32; 4] = std::array::from_fn(|slot| {
                seats[slot].map_or(0.0, |it| stop.seen.chances[slot] - target[it.index() & 3])
            });
            mistakes += error.iter().map(|it| it * it).sum::<f32>();
            self.blame(&stop, &error);
            for (target, seen) in target.iter_mut().zip(stop.chances) {
                *target = lambda * *target + (1.0 - lambda) * seen;
            }
        }
        (mistakes, count)
    }

    fn won(&self, at: &Between) -> [f32; 4] {
        let mut target = [0.0; 4];
        for seat in (0..at.position.seats()).map(Seat) {
            if at.position.are_together(seat, at.next) {
                target[seat.index() & 3] = if self.index == 3 { 0.5 } else { 1.0 };
            }
        }
        target
    }

    fn look(&self, at: &Between) -> Stop {
        let inputs = Inputs::of(&at.position, at.next);
        let seen = self.net.see(&inputs);
        let mut chances = [0.0; 4];
        for (seat, chance) in inputs.seats.iter().zip(seen.chances) {
            if let Some(seat) = seat {
                chances[seat.index() & 3] = chance;
            }
        }
        Stop { inputs, seen, chances }
    }

    fn best(&self, at: &Between, throws: &[u8]) -> Between {
        let seat = at.next;
        let turn = ThaayamTurn::new(&at.position, seat, throws);
        let ends = turn.outcomes(ENDS_MAX);
        let mut best: Option<(f32, Between)> = None;
        for end in &ends {
            let after = Between::after(&at.position, seat, end);
            if after.is_won || ends.len() == 1 {
                return after;
            }
            let chances = self.look(&after).chances;
            let mut worth = chances[seat.index() & 3];
            if self.index == 3 {
                worth += chances[(seat.index() + 2) & 3];
            }
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, after));
            }
        }
        best.map_or(*at, |(_, after)| after)
    }

    /// Adds to what a step will change.
    fn blame(&mut self, stop: &Stop, error: &[f32; 4]) {
        let mut back = [0.0f32; WIDTH];
        for slot in (0..4).filter(|slot| stop.inputs.seats[*slot].is_some()) {
            back[HIDDEN + slot] = error[slot];
            for (back, weight) in back.iter_mut().zip(&self.net.out[slot]) {
                *back += error[slot] * weight;
            }
            for (grown, seen) in self.grown.out[slot].iter_mut().zip(&stop.seen.hidden) {
                *grown += error[slot] * seen;
            }
        }
        for (back, seen) in back[..HIDDEN].iter_mut().zip(&stop.seen.hidden) {
            if *seen <= 0.0 {
                *back = 0.0;
            }
        }
        for (grown, back) in self.grown.bias.iter_mut().zip(back) {
            *grown += back;
        }
        for (row, value) in stop.inputs.as_slice() {
            let row = &mut self.grown.rows[usize::from(*row)];
            for (grown, back) in row.iter_mut().zip(back) {
                *grown += back * value;
            }
        }
    }

    fn step(&mut self, rate: f32) {
        self.steps = self.steps.saturating_add(1);
        // Means and squares begin at 0: what they lack in the beginning is made up for.
        let fading = |each: f32| 1.0 - power(each, self.steps);
        let rate = rate * fading(0.999).sqrt() / fading(0.9);
        let School { net, grown, means, squares, .. } = self;
        let rows = net.rows.iter_mut().zip(&mut grown.rows);
        let rows = rows.zip(means.rows.iter_mut().zip(&mut squares.rows));
        rows.for_each(|((net, grown), (means, squares))| adam(net, grown, means, squares, rate));
        adam(&mut net.bias, &mut grown.bias, &mut means.bias, &mut squares.bias, rate);
        for slot in 0..4 {
            let (means, squares) = (&mut means.out[slot], &mut squares.out[slot]);
            adam(&mut net.out[slot], &mut grown.out[slot], means, squares, rate);
        }
    }
}

fn power(base: f32, exponent: i32) -> f32 {
    let (mut power, mut square, mut left) = (1.0f32, base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            power *= square;
        }
        square *= square;
        left >>= 1;
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

/// How a game to learn from begins: with house rules so often in ten, else the standard ones.
fn start(index: usize, house: u32, numbers: &mut SeededRng) -> (ThaayamPosition, Seat) {
    let seats = if index == 3 { 4 } else { index as u8 + 2 };
    let mut options = ThaayamOptions::default();
    if numbers.below(10) < house {
        options = any_options(numbers);
    }
    options.partners = index == 3;
    // Two of four, where the others have finished and these play on.
    if index == 0 && numbers.below(10) == 0 {
        options.play_on = true;
        if let Ok(position) = ThaayamPosition::start(options, 4) {
            let first = numbers.below(4) as u8;
            let gone = |position: ThaayamPosition, seat: u8| {
                let side = PlayerPieces::new(&[]).unwrap_or(*position.side(Seat(0)));
                position.with_side(Seat((first + seat) % 4), side)
            };
            return (gone(gone(position, 2), 3), Seat(first));
        }
    }
    let first = Seat(numbers.below(u32::from(seats)) as u8);
    let start = ThaayamPosition::start(options, seats).expect("these can be played by so many");
    (start, first)
}

/// Standard rules with each switch turned now and then.
fn any_options(numbers: &mut SeededRng) -> ThaayamOptions {
    let mut parts = Vec::new();
    for (name, values) in SWITCHES {
        let turned = numbers.below(if name == "pieces" { 2 } else { 5 }) == 0;
        if turned && !matches!(name, "partners" | "play_on") {
            let value = values[1 + numbers.below(values.len() as u32 - 1) as usize];
            parts.push(format!("{name}={value}"));
        }
    }
    ThaayamOptions::read(&parts.join(",")).unwrap_or_default()
}
