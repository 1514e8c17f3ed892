//! Lets a limited number of the senders of a platform work at the same time, in the order in which
//! they asked.
//!
//! A platform takes a limited number of calls a second. Without permits each chat that waits for it
//! would read its table and draw its board again for every attempt.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::outbox::SendLane;

/// The most senders of a platform and lane that work at the same time: more than the calls that a
/// platform answers at once.
const SENDERS_MAX: usize = 48;

/// The right to send, until it is dropped.
pub(super) struct SendPermit {
    _permit: Option<OwnedSemaphorePermit>,
}

/// The permits of all platforms.
#[derive(Default)]
pub(super) struct SendPermits {
    by_lane: Mutex<HashMap<(&'static str, SendLane), Arc<Semaphore>>>,
}

impl SendPermits {
    /// Waits for a permit in this lane of a platform; those who have asked earlier come first.
    pub(super) async fn next(&self, platform: &'static str, lane: SendLane) -> SendPermit {
        let permits = {
            let mut by_lane = self.by_lane.lock();
            let permits = by_lane.entry((platform, lane));
            permits.or_insert_with(|| Arc::new(Semaphore::new(SENDERS_MAX))).clone()
        };
        // It is never closed.
        SendPermit { _permit: permits.acquire_owned().await.ok() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    #[test]
    fn who_asks_first_gets_the_next_permit() {
        let permits = SendPermits::default();
        let ask = || permits.next("tg", SendLane::Public);
        let mut under_way: Vec<SendPermit> =
            (0..SENDERS_MAX).map(|_| ask().now_or_never().unwrap()).collect();
        let mut first = Box::pin(ask());
        let mut second = Box::pin(ask());
        assert!((&mut first).now_or_never().is_none() && (&mut second).now_or_never().is_none());
        // Hands and other platforms do not wait for boards.
        assert!(permits.next("tg", SendLane::Hands).now_or_never().is_some());
        assert!(permits.next("dc", SendLane::Public).now_or_never().is_some());
        under_way.pop();
        assert!((&mut second).now_or_never().is_none());
        assert!((&mut first).now_or_never().is_some());
    }
}
