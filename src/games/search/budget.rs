//! How long a player may think.

use std::sync::atomic::{AtomicBool, Ordering};

/// Milliseconds since the thinking began. Search never asks the clock itself.
pub type ThinkClock<'a> = &'a (dyn Fn() -> u32 + Sync);

/// How long a player may think.
///
/// Without a time a player takes the effort of its own level (so many nodes, so many worlds),
/// which is the same on every machine and well under a second on an ordinary core. With one it
/// thinks until the time is over. It may also be told how many positions to look at: it then looks
/// at no more than that, but for what it has begun (a playout, a world, one answer to a throw). In
/// every case it stops soon, with the best it has, once it is told
/// to: an answer is always given.
#[derive(Clone, Copy)]
pub struct ThinkBudget<'a> {
    clock: Option<(ThinkClock<'a>, u32)>,
    stop: Option<&'a AtomicBool>,
    nodes: u64,
    depth: u16,
}

impl<'a> ThinkBudget<'a> {
    /// The effort of the player's level, on every machine the same.
    pub const OF_LEVEL: ThinkBudget<'static> =
        ThinkBudget { clock: None, stop: None, nodes: u64::MAX, depth: u16::MAX };

    /// As long as this, in milliseconds.
    pub fn time(clock: ThinkClock<'a>, ms: u32) -> Self {
        Self { clock: Some((clock, ms)), ..ThinkBudget::OF_LEVEL }
    }

    /// Also until this is set.
    pub fn until(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Also no further than so many positions.
    pub fn nodes(self, nodes: u64) -> Self {
        Self { nodes, ..self }
    }

    /// Also no deeper than so many plies, where depth says anything.
    pub fn depth(self, depth: u16) -> Self {
        Self { depth, ..self }
    }

    /// How deep may be looked.
    pub fn depth_max(&self) -> u16 {
        self.depth
    }

    /// Whether a player whose effort could go on for ever goes on: there is time, and nothing but
    /// time and the number of positions limits it.
    pub fn goes_on(&self) -> bool {
        self.clock.is_some() && self.depth == u16::MAX
    }

    /// How many positions may be looked at.
    pub fn nodes_max(&self) -> u64 {
        self.nodes
    }

    /// Whether it is time to answer after so many positions. Costs a look at the clock.
    pub fn is_spent(&self, nodes: u64) -> bool {
        nodes >= self.nodes || self.is_over()
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
