//! Answers under way: they hold up nobody who wants to be heard.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

/// Answers that may be given at once.
const CONCURRENT_MAX: usize = 256;
/// Answers that may wait for their turn; a server that answers nothing for so long will not show
/// them either.
const QUEUED_MAX: usize = 8_192;
/// How long the end of the process waits for answers.
const SETTLE_MAX: Duration = Duration::from_secs(5);

/// The answers under way, counted also when one of them panics.
pub struct TaskLimit {
    tasks: TaskTracker,
    turns: Arc<Semaphore>,
}

impl Default for TaskLimit {
    fn default() -> Self {
        let tasks = TaskTracker::new();
        // Closed only means that waiting ends when nothing is under way.
        tasks.close();
        Self { tasks, turns: Arc::new(Semaphore::new(CONCURRENT_MAX)) }
    }
}

impl TaskLimit {
    /// Gives an answer on a task of its own as soon as it has its turn.
    pub fn spawn(&self, answer: impl Future<Output = ()> + Send + 'static) {
        if self.tasks.len() >= QUEUED_MAX {
            tracing::warn!("too many private answers are stuck: one is not given");
            return;
        }
        let turns = self.turns.clone();
        self.tasks.spawn(async move {
            let turn = turns.acquire().await;
            answer.await;
            drop(turn);
        });
    }

    /// Waits until every answer was given, at most five seconds.
    pub async fn settle(&self) {
        if tokio::time::timeout(SETTLE_MAX, self.tasks.wait()).await.is_err() {
            tracing::warn!("some private answers were not given before the end");
        }
    }
}
