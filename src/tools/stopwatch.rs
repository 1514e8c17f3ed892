//! The clock for tools that measure: arena, engine, learning.

use std::time::{Duration, Instant};

/// Measures from when it was made.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Begins now.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since the beginning.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    /// The same in whole milliseconds, as computer players read it.
    pub fn elapsed_ms(&self) -> u32 {
        u32::try_from(self.elapsed().as_millis()).unwrap_or(u32::MAX)
    }
}
