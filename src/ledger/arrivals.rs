//! The updates that were received and wait for their turn: no clock runs out before those are
//! handled that came in time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::watch;

use crate::chat::Arrival;

/// So long an update counts as on its way, in milliseconds: what waits longer is late.
pub const WAITED_MAX_MS: u64 = 30_000;

/// The updates that wait.
#[derive(Clone, Default)]
pub struct Arrivals(Arc<Inner>);

#[derive(Default)]
struct Inner {
    /// By number, when they came.
    waiting: Mutex<(u64, BTreeMap<u64, u64>)>,
    handled: watch::Sender<()>,
}

impl Inner {
    fn waiting(&self) -> MutexGuard<'_, (u64, BTreeMap<u64, u64>)> {
        self.waiting.lock().expect("nothing panics while holding this lock")
    }
}

impl Arrivals {
    /// An update has come in this moment, by the clock that never jumps.
    pub fn note(&self, at_ms: u64) -> Arrival {
        let number = {
            let mut waiting = self.0.waiting();
            waiting.0 += 1;
            let number = waiting.0;
            waiting.1.insert(number, at_ms);
            number
        };
        let inner = self.0.clone();
        Arrival::now(at_ms, move || {
            inner.waiting().1.remove(&number);
            inner.handled.send_replace(());
        })
    }

    /// Whether everything is handled that had come by this moment.
    pub fn are_handled(&self, by_ms: u64) -> bool {
        self.0.waiting().1.values().all(|at_ms| *at_ms > by_ms)
    }

    /// Waits until everything is handled that had come by this moment.
    pub async fn handled(&self, by_ms: u64) {
        let mut handled = self.0.handled.subscribe();
        let done = handled.wait_for(|()| self.are_handled(by_ms)).await;
        done.expect("the sender lives as long as this");
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn only_what_came_before_is_waited_for() {
        let arrivals = Arrivals::default();
        let (first, _later) = (arrivals.note(5), arrivals.note(9));
        assert!(arrivals.are_handled(4) && !arrivals.are_handled(5));
        let copy = first.clone();
        drop(first);
        assert!(arrivals.handled(8).now_or_never().is_none());
        assert_eq!(copy.handled().at_ms(), Some(5));
        drop(copy);
        assert!(arrivals.handled(8).now_or_never().is_some());
        assert!(!arrivals.are_handled(9));
    }
}
