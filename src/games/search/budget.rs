//! The thinking budget of a computer player.

use std::sync::atomic::{AtomicBool, Ordering};

/// Milliseconds since the search began. A search never reads the clock itself.
pub type ThinkClock<'a> = &'a (dyn Fn() -> u32 + Sync);

/// The thinking budget of a computer player.
///
/// Without a time limit, a player uses the effort of its own level (a number of nodes or worlds),
/// which is the same on every machine and well under a second on an ordinary core. With a time
/// limit, it searches until the time is over. It may also have a limit of positions and then
/// searches no more than that, except to finish a step that it has begun (a playout, a world, one
/// answer to a throw). In every case it stops soon, with the best action so far, once the stop flag
/// is set: it always gives an answer.
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

    /// A budget of this many milliseconds.
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

    /// The same budget, which is used up after this share of its time and positions.
    pub fn share(self, share: f64) -> Self {
        if share >= 1.0 {
            return self;
        }
        let clock = self.clock.map(|(clock, ms)| (clock, (f64::from(ms) * share) as u32));
        let nodes = match self.nodes {
            u64::MAX => u64::MAX,
            nodes => (nodes as f64 * share) as u64,
        };
        Self { clock, nodes, ..self }
    }

    /// The limit of depth.
    pub fn depth_max(&self) -> u16 {
        self.depth
    }

    /// Whether a player that has finished the effort of its level should continue until the time is
    /// over: there is a time, and no limit of depth.
    pub fn goes_on(&self) -> bool {
        self.clock.is_some() && self.depth == u16::MAX
    }

    /// The limit of positions.
    pub fn nodes_max(&self) -> u64 {
        self.nodes
    }

    /// Whether the budget is used up after this number of positions. Reads the clock.
    pub fn is_spent(&self, nodes: u64) -> bool {
        nodes >= self.nodes || self.is_over()
    }

    /// The time in milliseconds; `None` for the effort of the level.
    pub fn ms(&self) -> Option<u32> {
        self.clock.map(|(_, ms)| ms)
    }

    /// Whether the time is over or the stop flag is set. Reads the clock: call it every few
    /// thousand nodes.
    pub fn is_over(&self) -> bool {
        let stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        stopped || self.clock.is_some_and(|(clock, ms)| clock() >= ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_a_budget_is_used_up_earlier() {
        let clock = || 10;
        let budget = ThinkBudget::time(&clock, 20).nodes(100);
        assert!(!budget.is_spent(99) && budget.is_spent(100));
        assert!(budget.share(0.5).is_over() && !budget.share(0.6).is_over());
        assert_eq!(budget.share(0.6).nodes_max(), 60);
        assert_eq!(budget.share(1.0).ms(), Some(20));
        assert_eq!(ThinkBudget::OF_LEVEL.share(0.5).nodes_max(), u64::MAX);
    }
}
