//! The thinking budget of a computer player.

use std::sync::atomic::{AtomicBool, Ordering};

/// Milliseconds since the thinking began. Search never asks the clock itself.
pub type ThinkClock<'a> = &'a (dyn Fn() -> u32 + Sync);

/// The thinking budget of a computer player.
///
/// Without a time a player uses the effort of its own level (a number of nodes or worlds), which is
/// the same on every machine and well under a second on an ordinary core. With a time it thinks
/// until the time is over. It may also have a limit of positions: it then searches no more than
/// that, except to finish a step that it has begun (a playout, a world, one answer to a throw). In
/// every case it stops soon, with the best action so far, once the stop flag is set: it always
/// gives an answer.
#[derive(Clone, Copy)]
pub struct ThinkBudget<'a> {
    clock: Option<(ThinkClock<'a>, u32)>,
    stop: Option<&'a AtomicBool>,
    nodes: u64,
    depth: u16,
}

impl<'a> ThinkBudget<'a> {
    /// The effort of the player's level, the same on every machine.
    pub const OF_LEVEL: ThinkBudget<'static> =
        ThinkBudget { clock: None, stop: None, nodes: u64::MAX, depth: u16::MAX };

    /// This long, in milliseconds.
    pub fn time(clock: ThinkClock<'a>, ms: u32) -> Self {
        Self { clock: Some((clock, ms)), ..ThinkBudget::OF_LEVEL }
    }

    /// Adds a stop flag.
    pub fn until(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Adds a limit of positions.
    pub fn nodes(self, nodes: u64) -> Self {
        Self { nodes, ..self }
    }

    /// Adds a limit of depth in plies, for players that search by depth.
    pub fn depth(self, depth: u16) -> Self {
        Self { depth, ..self }
    }

    /// The limit of depth.
    pub fn depth_max(&self) -> u16 {
        self.depth
    }

    /// Whether a player whose effort has no natural end goes on: there is a time, and no other
    /// limit but that of positions.
    pub fn goes_on(&self) -> bool {
        self.clock.is_some() && self.depth == u16::MAX
    }

    /// The limit of positions.
    pub fn nodes_max(&self) -> u64 {
        self.nodes
    }

    /// Whether it is time to answer after this number of positions. Costs a look at the clock.
    pub fn is_spent(&self, nodes: u64) -> bool {
        nodes >= self.nodes || self.is_over()
    }

    /// The time in milliseconds; `None` for the effort of the level.
    pub fn ms(&self) -> Option<u32> {
        self.clock.map(|(_, ms)| ms)
    }

    /// Whether it is time to answer. Costs a look at the clock: ask it every few thousand nodes.
    pub fn is_over(&self) -> bool {
        let stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        stopped || self.clock.is_some_and(|(clock, ms)| clock() >= ms)
    }
}
