//! Lets a limited number of the senders of a platform work at the same time, in the order in which
//! they asked.
//!
//! A platform takes a limited number of calls a second. Without turns each chat that waits for it
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
pub(super) struct SendTurn {
    _permit: Option<OwnedSemaphorePermit>,
}

/// The turns of all platforms.
#[derive(Default)]
pub(super) struct SendTurns {
    by_lane: Mutex<HashMap<(&'static str, SendLane), Arc<Semaphore>>>,
}

impl SendTurns {
    /// Waits for a turn in this lane of a platform; those who have asked earlier come first.
    pub(super) async fn next(&self, platform: &'static str, lane: SendLane) -> SendTurn {
        let turns = {
            let mut by_lane = self.by_lane.lock();
            let turns = by_lane.entry((platform, lane));
            turns.or_insert_with(|| Arc::new(Semaphore::new(SENDERS_MAX))).clone()
        };
        // It is never closed.
        SendTurn { _permit: turns.acquire_owned().await.ok() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    #[test]
    fn who_asks_first_gets_the_next_turn() {
        let turns = SendTurns::default();
        let ask = || turns.next("tg", SendLane::Public);
        let mut under_way: Vec<SendTurn> =
            (0..SENDERS_MAX).map(|_| ask().now_or_never().unwrap()).collect();
        let mut first = Box::pin(ask());
        let mut second = Box::pin(ask());
        assert!((&mut first).now_or_never().is_none() && (&mut second).now_or_never().is_none());
        // Hands and other platforms do not wait for boards.
        assert!(turns.next("tg", SendLane::Hands).now_or_never().is_some());
        assert!(turns.next("dc", SendLane::Public).now_or_never().is_some());
        under_way.pop();
        assert!((&mut second).now_or_never().is_none());
        assert!((&mut first).now_or_never().is_some());
    }
}
