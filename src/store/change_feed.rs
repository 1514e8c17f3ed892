//! Publishes the topics of commits to subscribers, so that they need not poll.

use std::sync::Arc;

use tokio::sync::broadcast::{self, error::RecvError};

/// Changes that a subscriber may lag behind before it loses the oldest.
const LAG_MAX: usize = 4096;

/// A change in the store, published by the commit that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreChange {
    /// One topic of a durable commit of any process.
    Topic(Arc<str>),
    /// Changes may have been lost: reload everything.
    All,
}

/// Broadcasts the changes of a store to the subscribers in this process.
#[derive(Debug)]
pub struct ChangeBroadcast {
    sender: broadcast::Sender<StoreChange>,
}

impl ChangeBroadcast {
    /// A broadcast without subscribers.
    pub fn new() -> Self {
        Self { sender: broadcast::Sender::new(LAG_MAX) }
    }

    /// Subscribes to all changes from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<StoreChange> {
        self.sender.subscribe()
    }

    /// Publishes the topics of a durable commit.
    pub fn publish_topics(&self, topics: Vec<String>) {
        for topic in topics {
            self.publish(StoreChange::Topic(topic.into()));
        }
    }

    /// Publishes one change.
    pub fn publish(&self, change: StoreChange) {
        // It fails only without subscribers, and then nothing is missed.
        let _ = self.sender.send(change);
    }
}

impl Default for ChangeBroadcast {
    fn default() -> Self {
        Self::new()
    }
}

/// Waits for the next change. A subscriber that lagged too far gets [`StoreChange::All`]. `None`
/// when the store is gone.
pub async fn next_change(changes: &mut broadcast::Receiver<StoreChange>) -> Option<StoreChange> {
    match changes.recv().await {
        Ok(change) => Some(change),
        Err(RecvError::Lagged(_)) => Some(StoreChange::All),
        Err(RecvError::Closed) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_slow_subscriber_reads_everything_again() {
        let notices = ChangeBroadcast::new();
        let mut changes = notices.subscribe();
        for n in 0..=LAG_MAX {
            notices.publish_topics(vec![format!("table {n}")]);
        }
        assert_eq!(next_change(&mut changes).await, Some(StoreChange::All));
        assert_eq!(next_change(&mut changes).await, Some(StoreChange::Topic("table 1".into())));
        drop(notices);
        for _ in 1..LAG_MAX {
            assert!(next_change(&mut changes).await.is_some());
        }
        assert_eq!(next_change(&mut changes).await, None);
    }
}
