//! When an update reached the program, before it waited for its turn.

use std::fmt;
use std::sync::Arc;

/// The moment in which an update reached the program. The update counts as waiting until the last
/// copy is dropped. Made by [`Listener::arrival`](super::Listener::arrival).
#[derive(Clone, Debug, Default)]
pub struct Arrival {
    at_ms: Option<u64>,
    _waits: Option<Arc<Waits>>,
}

/// Calls a function when it is dropped: the update is handled then.
struct Waits(Box<dyn Fn() + Send + Sync>);

impl Arrival {
    /// Now, by the monotonic clock; `handled` is called when the last copy is dropped.
    pub fn now(at_ms: u64, handled: impl Fn() + Send + Sync + 'static) -> Self {
        Arrival { at_ms: Some(at_ms), _waits: Some(Arc::new(Waits(Box::new(handled)))) }
    }

    /// The time by the monotonic clock; `None` if it is not known.
    pub fn at_ms(&self) -> Option<u64> {
        self.at_ms
    }

    /// The same moment, without counting as an update that waits.
    pub fn handled(&self) -> Self {
        Arrival { at_ms: self.at_ms, _waits: None }
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        (self.0)();
    }
}

impl fmt::Debug for Waits {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Waits")
    }
}
