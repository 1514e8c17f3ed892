//! Notices of changes: so that nobody asks again and again whether something is new.

use std::sync::Arc;

use tokio::sync::broadcast::{self, error::RecvError};

/// Notices that one listener may be behind before it loses the oldest.
const LAG_MAX: usize = 4096;

/// Something that happened in the store, told by the commit that did it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreChange {
    /// One topic of a durable commit of any process.
    Topic(Arc<str>),
    /// Notices may have been lost: look at everything again.
    All,
}

/// Where a store in one process tells its notices.
#[derive(Debug)]
pub struct ChangeBroadcast {
    sender: broadcast::Sender<StoreChange>,
}

impl ChangeBroadcast {
    /// Nobody listens yet.
    pub fn new() -> Self {
        Self { sender: broadcast::Sender::new(LAG_MAX) }
    }

    /// Everything from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<StoreChange> {
        self.sender.subscribe()
    }

    /// Tells the topics of a commit that is durable.
    pub fn publish_topics(&self, topics: Vec<String>) {
        for topic in topics {
            self.publish(StoreChange::Topic(topic.into()));
        }
    }

    /// Tells one change.
    pub fn publish(&self, change: StoreChange) {
        // Nobody listens: then nobody misses it.
        let _ = self.sender.send(change);
    }
}

impl Default for ChangeBroadcast {
    fn default() -> Self {
        Self::new()
    }
}

/// Waits for the next change; whoever was too slow gets [`StoreChange::All`]. `None` when the
/// store is gone.
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
    async fn who_is_too_slow_looks_at_everything_again() {
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
