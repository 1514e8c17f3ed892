//! Runs private replies on tasks, with a limit, so that they do not delay the handling of updates.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

/// Replies that are sent at the same time.
const CONCURRENT_MAX: usize = 256;
/// Replies that may wait for a free slot. A server that answers nothing for so long would not show
/// them either.
const QUEUED_MAX: usize = 8_192;
/// How long the shutdown waits for replies.
const SETTLE_MAX: Duration = Duration::from_secs(5);

/// The replies under way, counted correctly also when one of them panics.
pub struct TaskLimit {
    tasks: TaskTracker,
    turns: Arc<Semaphore>,
}

impl Default for TaskLimit {
    fn default() -> Self {
        let tasks = TaskTracker::new();
        // A closed tracker still accepts tasks; closing only makes `wait` end when no task is left.
        tasks.close();
        Self { tasks, turns: Arc::new(Semaphore::new(CONCURRENT_MAX)) }
    }
}

impl TaskLimit {
    /// Sends a reply on its own task as soon as a slot is free.
    pub fn spawn(&self, answer: impl Future<Output = ()> + Send + 'static) {
        if self.tasks.len() >= QUEUED_MAX {
            tracing::warn!("dropped a private reply: too many are waiting");
            return;
        }
        let turns = self.turns.clone();
        self.tasks.spawn(async move {
            let turn = turns.acquire().await;
            answer.await;
            drop(turn);
        });
    }

    /// Waits until every reply was sent, at most five seconds.
    pub async fn settle(&self) {
        if tokio::time::timeout(SETTLE_MAX, self.tasks.wait()).await.is_err() {
            tracing::warn!("shutdown left private replies unsent");
        }
    }
}
