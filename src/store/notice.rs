//! Notices of changes: so that nobody asks again and again whether something is new.

use std::sync::Arc;

use tokio::sync::broadcast::{self, error::RecvError};

/// Notices that one listener may be behind before it loses the oldest.
const BEHIND_MAX: usize = 4096;

/// Something that happened in the store, told by the commit that did it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// One topic of a durable commit of any process.
    Topic(Arc<str>),
    /// Notices may have been lost: look at everything again.
    Everything,
}

/// Where a store in one process tells its notices.
#[derive(Debug)]
pub struct Notices {
    sender: broadcast::Sender<Change>,
}

impl Notices {
    /// Nobody listens yet.
    pub fn new() -> Self {
        Self { sender: broadcast::Sender::new(BEHIND_MAX) }
    }

    /// Everything from now on.
    pub fn listen(&self) -> broadcast::Receiver<Change> {
        self.sender.subscribe()
    }

    /// Tells the topics of a commit that is durable.
    pub fn tell(&self, topics: Vec<String>) {
        for topic in topics {
            self.tell_change(Change::Topic(topic.into()));
        }
    }

    /// Tells one change.
    pub fn tell_change(&self, change: Change) {
        // Nobody listens: then nobody misses it.
        let _ = self.sender.send(change);
    }
}

impl Default for Notices {
    fn default() -> Self {
        Self::new()
    }
}

/// Waits for the next change; whoever was too slow gets [`Change::Everything`]. `None` when the
/// store is gone.
pub async fn next_change(changes: &mut broadcast::Receiver<Change>) -> Option<Change> {
    match changes.recv().await {
        Ok(change) => Some(change),
        Err(RecvError::Lagged(_)) => Some(Change::Everything),
        Err(RecvError::Closed) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_is_too_slow_looks_at_everything_again() {
        let notices = Notices::new();
        let mut changes = notices.listen();
        for n in 0..=BEHIND_MAX {
            notices.tell(vec![format!("table {n}")]);
        }
        assert_eq!(next_change(&mut changes).await, Some(Change::Everything));
        assert_eq!(next_change(&mut changes).await, Some(Change::Topic("table 1".into())));
        drop(notices);
        for _ in 1..BEHIND_MAX {
            assert!(next_change(&mut changes).await.is_some());
        }
        assert_eq!(next_change(&mut changes).await, None);
    }
}
