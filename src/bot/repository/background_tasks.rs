//! Tracks work that outlives the call that started it. Guards count it, so a task that panics is no
//! longer counted either.

use std::future::Future;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// All background tasks of a bot.
#[derive(Clone, Debug)]
pub struct BackgroundTasks {
    /// Tasks that end by themselves.
    work: TaskTracker,
    /// Tasks that run until the bot stops.
    services: TaskTracker,
    stop: CancellationToken,
}

impl BackgroundTasks {
    /// Creates an empty tracker.
    pub fn new() -> Self {
        let (work, services) = (TaskTracker::new(), TaskTracker::new());
        // Closed trackers still accept tasks; closing only makes it possible to wait for them.
        work.close();
        services.close();
        BackgroundTasks { work, services, stop: CancellationToken::new() }
    }

    /// Starts a task that ends by itself.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.work.spawn(work);
    }

    /// Counts as running work until the token is dropped.
    pub fn track(&self) -> TaskTrackerToken {
        self.work.token()
    }

    /// Starts a task that runs until the bot stops.
    pub fn spawn_service(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.services.spawn(work);
    }

    /// Starts a task without an end; it is dropped when the bot stops.
    pub fn spawn_until_stop(&self, work: impl Future<Output = ()> + Send + 'static) {
        let stop = self.stop.clone();
        self.spawn_service(async move {
            stop.run_until_cancelled(work).await;
        });
    }

    /// Signals that no new work may start.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Whether the stop was signalled.
    pub fn is_stopping(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Returns when the stop is signalled.
    pub async fn wait_for_stop(&self) {
        self.stop.cancelled().await;
    }

    /// The number of running tasks, without those that run until the bot stops.
    pub fn count(&self) -> usize {
        self.work.len()
    }

    /// Returns when only tasks that run until the stop are left.
    pub async fn wait_until_idle(&self) {
        self.work.wait().await;
    }

    /// Returns when no task is running.
    pub async fn wait_until_finished(&self) {
        self.services.wait().await;
        self.work.wait().await;
    }
}

impl Default for BackgroundTasks {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn tasks_that_panic_do_not_delay_the_stop() {
        let tasks = BackgroundTasks::new();
        tasks.spawn(async { panic!("on purpose") });
        let token = tasks.track();
        let panicking = tokio::spawn(async move {
            let _token = token;
            panic!("on purpose");
        });
        tasks.wait_until_idle().await;
        assert!(panicking.await.is_err());
        tasks.stop();
        tasks.wait_until_finished().await;
    }
}
