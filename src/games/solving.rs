//! Solves a game with few positions exactly, by value iteration.
//!
//! A game gives a [`ValueIteration`]: a square table of values, and the rule by which the values of
//! a row follow from the values of all rows. [`SolvingState`] updates row after row in place until
//! nothing changes any more (R. Bellman, *Dynamic Programming*, 1957; rows that were updated are
//! used at once, which is the Gauss-Seidel variant). It knows no files and no clock: the tool that
//! runs it stores checkpoints and the result.
//!
//! The rows of a batch are computed from the same values, so the result does not depend on the
//! number of threads, nor on interruptions.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::rules::Rules;
use crate::search::Player;

/// A player that knows a solution, or why the solution does not fit the game.
pub type SolvedPlayer<R> = Result<Box<dyn Player<R>>, String>;

/// Number of rows that are computed from the same values.
pub const BATCH: usize = 16;

/// How the positions of a game are solved, and the player that uses the result.
pub struct Solving<R: Rules> {
    /// The amounts that choose what is solved, by name, with their default values.
    pub amounts: fn() -> Vec<(&'static str, u64)>,
    /// Prepares the iteration for these amounts, in the order above.
    pub prepare: PrepareSolvingFn,
    /// Makes the player that uses a solved table.
    pub player: fn(SolvedTable) -> SolvedPlayer<R>,
}

/// Prepares an iteration; the error is a sentence about a wrong amount.
pub type PrepareSolvingFn = fn(&[u64]) -> Result<Box<dyn ValueIteration>, String>;

/// The data that a tool needs to solve a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvingInfo {
    /// [`Solving::amounts`].
    pub amounts: Vec<(&'static str, u64)>,
}

/// A square table of values, and the rule by which they follow from each other.
pub trait ValueIteration: Send + Sync {
    /// Number of rows, and of values in a row.
    fn size(&self) -> usize;
    /// The value of every entry before the first sweep.
    fn first_value(&self) -> f32;
    /// The rows in the order in which a sweep updates them: the row at this place, from 0.
    fn row_at(&self, place: usize) -> usize;
    /// A worker for one thread, with its own memory.
    fn worker(&self) -> Box<dyn RowWorker + '_>;
    /// The memory of a worker in bytes.
    fn worker_bytes(&self) -> usize;
    /// The largest error of a value by what the rule leaves out, for each turn of a game.
    fn neglected(&self) -> f64;
    /// Changes of a value up to this can be rounding that never ends.
    fn least_change(&self) -> f32;
    /// The iteration that computes, for the same table, the largest expected number of turns to the
    /// end of the game, whatever the players do. An error of each turn times this number bounds the
    /// error of a value.
    fn longest(&self) -> Box<dyn ValueIteration>;
    /// The value of the first position in a sentence, if the table has it.
    fn value_of_game(&self, values: &SolvedTable) -> Option<String>;
    /// Compares other players with the solution, line by line.
    fn compare_players(&self, values: &SolvedTable) -> Vec<String>;
}

/// Computes rows.
pub trait RowWorker: Send {
    /// Computes the new values of a row from the values of all rows.
    fn update_row(&mut self, values: &[f32], row: usize, new: &mut [f32]);
}

/// Values that can be read one by one.
pub trait SolvedValues: Send + Sync {
    /// The value in this row and column, from 0 to 1; `None` when it cannot be read.
    fn value(&self, row: usize, column: usize) -> Option<f32>;
}

/// A solved table.
#[derive(Clone)]
pub struct SolvedTable {
    /// The amounts that it was solved for.
    pub amounts: Vec<u64>,
    /// Its values.
    pub values: Arc<dyn SolvedValues>,
}

/// The values of all rows in memory, row after row, in the 16 bits of a file.
pub struct ValuesInMemory {
    /// Number of values in a row.
    pub size: usize,
    /// All values.
    pub values: Vec<u16>,
}

impl SolvedValues for ValuesInMemory {
    fn value(&self, row: usize, column: usize) -> Option<f32> {
        let at = row.checked_mul(self.size)?.checked_add(column)?;
        self.values.get(at).filter(|_| column < self.size).map(|it| from_16_bits(*it))
    }
}

/// Rounds a value from 0 to 1 to 16 bits.
pub fn to_16_bits(value: f32) -> u16 {
    (value.clamp(0.0, 1.0) * f32::from(u16::MAX)).round() as u16
}

/// The value that [`to_16_bits`] has rounded so.
pub fn from_16_bits(bits: u16) -> f32 {
    f32::from(bits) / f32::from(u16::MAX)
}

/// The largest error by rounding to 16 bits.
pub const ROUNDING: f64 = 0.5 / 65_535.0;

/// The state of an iteration between two batches: everything that a checkpoint needs.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvingState {
    /// All values, row after row.
    pub values: Vec<f32>,
    /// Number of finished sweeps.
    pub sweeps: u32,
    /// Number of rows that the current sweep has updated.
    pub updated: usize,
    /// The largest change of a value in the current sweep so far.
    pub change: f32,
    /// The largest change of a value in the last finished sweep.
    pub last_change: f32,
}

impl SolvingState {
    /// The state before the first sweep.
    pub fn new(iteration: &dyn ValueIteration) -> Self {
        let size = iteration.size();
        Self {
            values: vec![iteration.first_value(); size * size],
            sweeps: 0,
            updated: 0,
            change: 0.0,
            last_change: f32::INFINITY,
        }
    }

    /// Updates one batch of rows, with a thread for each worker. Returns whether this has ended a
    /// sweep.
    pub fn advance(
        &mut self,
        iteration: &dyn ValueIteration,
        workers: &mut [Box<dyn RowWorker + '_>],
    ) -> bool {
        let size = iteration.size();
        let end = (self.updated + BATCH).min(size);
        for (row, new) in compute_rows(iteration, &self.values, self.updated..end, workers) {
            let old = &mut self.values[row * size..(row + 1) * size];
            for (old, new) in old.iter_mut().zip(new) {
                self.change = self.change.max((*old - new).abs());
                *old = new;
            }
        }
        self.updated = end;
        let is_sweep_over = end == size;
        if is_sweep_over {
            self.sweeps += 1;
            self.updated = 0;
            self.last_change = self.change;
            self.change = 0.0;
        }
        is_sweep_over
    }

    /// Sweeps until no value changes by more than this in a sweep, or than rounding.
    pub fn solve(&mut self, iteration: &dyn ValueIteration, tolerance: f32) {
        let tolerance = tolerance.max(iteration.least_change());
        let mut workers = vec![iteration.worker()];
        while self.last_change > tolerance {
            self.advance(iteration, &mut workers);
        }
    }
}

/// The new values of the rows at these places of a sweep.
fn compute_rows(
    iteration: &dyn ValueIteration,
    values: &[f32],
    places: std::ops::Range<usize>,
    workers: &mut [Box<dyn RowWorker + '_>],
) -> Vec<(usize, Vec<f32>)> {
    let next = AtomicUsize::new(places.start);
    let work = |worker: &mut Box<dyn RowWorker + '_>| {
        let mut rows = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            if place >= places.end {
                return rows;
            }
            let row = iteration.row_at(place);
            let mut new = vec![0.0; iteration.size()];
            worker.update_row(values, row, &mut new);
            rows.push((row, new));
        }
    };
    if let [worker] = workers {
        return work(worker);
    }
    std::thread::scope(|scope| {
        let handles: Vec<_> =
            workers.iter_mut().map(|worker| scope.spawn(|| work(worker))).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, _>| match handle.join() {
            Ok(rows) => rows,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        handles.into_iter().flat_map(join).collect()
    })
}

/// Bounds the error of all values: a change in the last sweep and what the rule neglects count in
/// every turn that the game can still last. `longest` is the state of the iteration for the number
/// of turns; `None` while it changes too much for a bound.
pub fn error_bound(
    iteration: &dyn ValueIteration,
    solved: &SolvingState,
    longest: &SolvingState,
) -> Option<f64> {
    let rest = 1.0 - f64::from(longest.last_change);
    let turns = f64::from(longest.values.iter().copied().fold(0.0, f32::max));
    let each = f64::from(solved.last_change) + iteration.neglected();
    (rest > 0.0).then(|| each * turns / rest + ROUNDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bits_keep_a_value_within_the_rounding() {
        for n in 0..=1_000u16 {
            let value = f32::from(n) / 1_000.0;
            let error = (from_16_bits(to_16_bits(value)) - value).abs();
            assert!(f64::from(error) <= ROUNDING * 1.01, "{value}");
        }
        assert_eq!((to_16_bits(-1.0), to_16_bits(2.0)), (0, u16::MAX));
    }
}
