//! Tracks updates that were received and are not handled yet, so that no clock runs out before an
//! update that was received in time is handled.
//!
//! This is the state of one process. Where several share a store,
//! [`scheduler`](crate::scheduler) tells the others while an update waits here for longer than
//! [`NOTICE_DELAY_MS`].

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::watch;

use caravanserai_protocol::Arrival;

/// How long deadlines wait for an update, in milliseconds. An update that waits longer is late.
pub const UPDATE_WAIT_MAX_MS: u64 = 30_000;

/// How long an update may wait before other processes are told, in milliseconds: less than the time
/// after which a clock counts as run out.
pub const NOTICE_DELAY_MS: u64 = 500;

/// The updates that are not handled yet. Cheap to clone.
#[derive(Clone, Default)]
pub struct PendingUpdates(Arc<PendingUpdatesInner>);

#[derive(Default)]
struct PendingUpdatesInner {
    /// The last number, and when each update was received, by its number.
    waiting: Mutex<(u64, BTreeMap<u64, u64>)>,
    handled: watch::Sender<()>,
    received: watch::Sender<()>,
}

impl PendingUpdatesInner {}

impl PendingUpdates {
    /// Registers an update that is received at this moment of the monotonic clock.
    pub fn register(&self, at_ms: u64) -> Arrival {
        let number = {
            let mut waiting = self.0.waiting.lock();
            waiting.0 += 1;
            let number = waiting.0;
            waiting.1.insert(number, at_ms);
            number
        };
        self.0.received.send_replace(());
        let inner = self.0.clone();
        Arrival::now(at_ms, move || {
            inner.waiting.lock().1.remove(&number);
            inner.handled.send_replace(());
        })
    }

    /// The number of updates that are not handled yet.
    pub fn count(&self) -> usize {
        self.0.waiting.lock().1.len()
    }

    /// Whether all updates are handled that were received by this time and were not late then.
    pub fn are_handled_by(&self, by_ms: u64) -> bool {
        let is_awaited = |at_ms: u64| at_ms <= by_ms && by_ms < at_ms + UPDATE_WAIT_MAX_MS;
        !self.0.waiting.lock().1.values().any(|at_ms| is_awaited(*at_ms))
    }

    /// When the oldest update that is not handled and not late at this moment was received.
    pub fn oldest_ms(&self, now_ms: u64) -> Option<u64> {
        let waiting = self.0.waiting.lock();
        waiting.1.values().copied().filter(|at_ms| now_ms < at_ms + UPDATE_WAIT_MAX_MS).min()
    }

    /// Waits until an update is received that is not late at this moment.
    pub async fn wait_until_received(&self, now_ms: u64) {
        let mut received = self.0.received.subscribe();
        let result = received.wait_for(|()| self.oldest_ms(now_ms).is_some()).await;
        result.expect("the sender lives as long as this");
    }

    /// Waits until [`PendingUpdates::are_handled_by`] is true.
    pub async fn wait_until_handled(&self, by_ms: u64) {
        let mut handled = self.0.handled.subscribe();
        let result = handled.wait_for(|()| self.are_handled_by(by_ms)).await;
        result.expect("the sender lives as long as `self`");
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn only_earlier_updates_are_awaited() {
        let arrivals = PendingUpdates::default();
        let first = arrivals.register(5);
        let _later = arrivals.register(9);
        assert!(arrivals.are_handled_by(4) && !arrivals.are_handled_by(5));
        let copy = first.clone();
        drop(first);
        assert!(arrivals.wait_until_handled(8).now_or_never().is_none());
        assert_eq!(copy.untracked().at_ms(), Some(5));
        drop(copy);
        assert!(arrivals.wait_until_handled(8).now_or_never().is_some());
        assert!(!arrivals.are_handled_by(9));
    }

    #[tokio::test]
    async fn the_oldest_update_that_is_not_late_is_known() {
        let arrivals = PendingUpdates::default();
        assert_eq!(arrivals.oldest_ms(5), None);
        assert!(arrivals.wait_until_received(5).now_or_never().is_none());
        let _first = arrivals.register(5);
        let _later = arrivals.register(9);
        assert!(arrivals.wait_until_received(9).now_or_never().is_some());
        assert_eq!(arrivals.oldest_ms(9), Some(5));
        assert_eq!(arrivals.oldest_ms(5 + UPDATE_WAIT_MAX_MS), Some(9));
        assert_eq!(arrivals.oldest_ms(9 + UPDATE_WAIT_MAX_MS), None);
    }

    #[test]
    fn a_late_update_is_not_awaited() {
        let arrivals = PendingUpdates::default();
        let _stuck = arrivals.register(5);
        assert!(!arrivals.are_handled_by(4 + UPDATE_WAIT_MAX_MS));
        assert!(arrivals.are_handled_by(5 + UPDATE_WAIT_MAX_MS));
        let _next = arrivals.register(6);
        assert!(!arrivals.are_handled_by(5 + UPDATE_WAIT_MAX_MS));
    }
}
