//! Handles the events of one user in one channel in the order in which they acted.
//!
//! The client library starts a task for each event, and by HTTP each interaction is a request of
//! its own: two presses a moment apart may arrive in either order. Their ids grow with time, so
//! each event waits a moment for earlier ones.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;

/// How long an event waits for an earlier one that may be on its way.
const GATHER_TIME: Duration = Duration::from_millis(2);
/// How long an event waits until an earlier one is handled.
const WAIT_MAX: Duration = Duration::from_secs(10);

/// A user and a channel.
type UserChannel = (u64, u64);

/// The events being handled or waiting.
#[derive(Default)]
pub(super) struct EventOrder {
    at_hand: Mutex<HashMap<UserChannel, BTreeSet<u64>>>,
    changed: watch::Sender<()>,
}

/// One event that is waiting or being handled, until this is dropped.
pub(super) struct EventTurn {
    turns: Arc<EventOrder>,
    key: UserChannel,
    event: u64,
}

impl EventOrder {
    /// Adds an event that has arrived.
    pub fn enqueue(self: &Arc<Self>, user: u64, channel: u64, event: u64) -> EventTurn {
        let key = (user, channel);
        self.at_hand.lock().entry(key).or_default().insert(event);
        EventTurn { turns: Arc::clone(self), key, event }
    }
}

impl EventTurn {
    /// Waits until every earlier event is handled.
    pub async fn wait_for_turn(&self) {
        tokio::time::sleep(GATHER_TIME).await;
        let mut changed = self.turns.changed.subscribe();
        let first = changed.wait_for(|()| self.is_first());
        if tokio::time::timeout(WAIT_MAX, first).await.is_err() {
            tracing::warn!("an earlier event takes too long; handling the next one");
        }
    }

    fn is_first(&self) -> bool {
        let at_hand = self.turns.at_hand.lock();
        at_hand.get(&self.key).and_then(BTreeSet::first) == Some(&self.event)
    }
}

impl Drop for EventTurn {
    fn drop(&mut self) {
        let mut at_hand = self.turns.at_hand.lock();
        if let Some(events) = at_hand.get_mut(&self.key) {
            events.remove(&self.event);
            if events.is_empty() {
                at_hand.remove(&self.key);
            }
        }
        drop(at_hand);
        self.turns.changed.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_earlier_press_is_taken_first_whichever_is_met_first() {
        let turns = Arc::new(EventOrder::default());
        let (taken, mut order) = tokio::sync::mpsc::unbounded_channel();
        // Other users, and the same user in another channel, do not wait.
        for (user, channel, press) in [(1, 9, 12), (1, 9, 11), (2, 9, 5), (1, 8, 4), (1, 9, 10)] {
            let turn = turns.enqueue(user, channel, press);
            let taken = taken.clone();
            tokio::spawn(async move {
                turn.wait_for_turn().await;
                taken.send((user, channel, press)).expect("the test listens");
            });
        }
        drop(taken);
        let mut own = Vec::new();
        while let Some((user, channel, press)) = order.recv().await {
            if (user, channel) == (1, 9) {
                own.push(press);
            }
        }
        assert_eq!(own, [10, 11, 12]);
        assert!(turns.at_hand.lock().is_empty());
    }
}
