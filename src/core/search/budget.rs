//! How long a player may think.

use std::sync::atomic::{AtomicBool, Ordering};

/// Milliseconds since the thinking began. Search never asks the clock itself.
pub type Clock<'a> = &'a (dyn Fn() -> u32 + Sync);

/// How long a player may think.
///
/// Without a time a player takes the effort of its own level (so many nodes, so many worlds),
/// which is the same on every machine and well under a second on an ordinary core. With one it
/// thinks until the time is over. Either way it stops soon, with the best it has, once it is told
/// to: an answer is always given.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    clock: Option<(Clock<'a>, u32)>,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Budget<'a> {
    /// The effort of the player's level, on every machine the same.
    pub const OF_LEVEL: Budget<'static> = Budget { clock: None, stop: None };

    /// As long as this, in milliseconds.
    pub fn time(clock: Clock<'a>, ms: u32) -> Self {
        Self { clock: Some((clock, ms)), stop: None }
    }

    /// Also until this is set.
    pub fn until(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// How long it may take in milliseconds; `None` for the effort of the level.
    pub fn ms(&self) -> Option<u32> {
        self.clock.map(|(_, ms)| ms)
    }

    /// Whether it is time to answer. Costs a look at the clock: ask it every few thousand nodes.
    pub fn is_over(&self) -> bool {
        let stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        stopped || self.clock.is_some_and(|(clock, ms)| clock() >= ms)
    }
}
