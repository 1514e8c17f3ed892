//! Records when an update reached the program, before it waited for its turn.

use std::fmt;
use std::sync::Arc;

/// The moment at which an update reached the program. The update counts as waiting until the last
/// copy is dropped. [`UpdateHandler::record_arrival`](super::UpdateHandler::record_arrival) makes
/// it.
#[derive(Clone, Debug, Default)]
pub struct Arrival {
    at_ms: Option<u64>,
    _guard: Option<Arc<ArrivalGuard>>,
}

/// Calls a function when it is dropped, which is when the update has been handled.
struct ArrivalGuard(Box<dyn Fn() + Send + Sync>);

impl Arrival {
    /// The present moment by the monotonic clock. The last copy calls `handled` when it is dropped.
    pub fn now(at_ms: u64, handled: impl Fn() + Send + Sync + 'static) -> Self {
        Arrival { at_ms: Some(at_ms), _guard: Some(Arc::new(ArrivalGuard(Box::new(handled)))) }
    }

    /// The time by the monotonic clock, in milliseconds; `None` if it is not known.
    pub fn at_ms(&self) -> Option<u64> {
        self.at_ms
    }

    /// The same moment, not counted as a waiting update.
    pub fn untracked(&self) -> Self {
        Arrival { at_ms: self.at_ms, _guard: None }
    }
}

impl Drop for ArrivalGuard {
    fn drop(&mut self) {
        (self.0)();
    }
}

impl fmt::Debug for ArrivalGuard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Waits")
    }
}
