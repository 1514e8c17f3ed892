//! When an update reached the program, before it waited for its turn.

use std::fmt;
use std::sync::Arc;

/// The moment in which an update reached the program; as long as one of its copies lives, the
/// update waits to be handled. Given by [`Listener::arrival`](super::Listener::arrival).
#[derive(Clone, Debug, Default)]
pub struct Arrival {
    at_ms: Option<u64>,
    _waits: Option<Arc<Waits>>,
}

/// Says that the update is handled when it is dropped.
struct Waits(Box<dyn Fn() + Send + Sync>);

impl Arrival {
    /// Now, by the clock that never jumps; `handled` is called when the last copy goes.
    pub fn now(at_ms: u64, handled: impl Fn() + Send + Sync + 'static) -> Self {
        Arrival { at_ms: Some(at_ms), _waits: Some(Arc::new(Waits(Box::new(handled)))) }
    }

    /// When it was, by the clock that never jumps; `None` if that is not known.
    pub fn at_ms(&self) -> Option<u64> {
        self.at_ms
    }

    /// The same moment of an update that does not wait for its turn any more.
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
