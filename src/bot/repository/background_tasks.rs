//! Work that outlives the call that began it, counted by guards: whoever panics is counted out too.

use std::future::Future;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// Everything at work in a bot.
#[derive(Clone, Debug)]
pub struct BackgroundTasks {
    /// What ends by itself.
    work: TaskTracker,
    /// What goes on until the bot stops.
    services: TaskTracker,
    stop: CancellationToken,
}

impl BackgroundTasks {
    /// Nobody works yet.
    pub fn new() -> Self {
        let (work, residents) = (TaskTracker::new(), TaskTracker::new());
        // Closed trackers still take tasks; they only can be waited for.
        work.close();
        residents.close();
        BackgroundTasks { work, services: residents, stop: CancellationToken::new() }
    }

    /// Begins something that ends by itself.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.work.spawn(work);
    }

    /// Counts as work until this is dropped.
    pub fn track(&self) -> TaskTrackerToken {
        self.work.token()
    }

    /// Begins something that goes on until the bot stops.
    pub fn spawn_service(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.services.spawn(work);
    }

    /// Begins something that knows no end and is left where it is when the bot stops.
    pub fn spawn_until_stop(&self, work: impl Future<Output = ()> + Send + 'static) {
        let stop = self.stop.clone();
        self.spawn_service(async move {
            stop.run_until_cancelled(work).await;
        });
    }

    /// Nothing new is to be begun.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Whether nothing new is to be begun.
    pub fn is_stopping(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Returns when nothing new is to be begun.
    pub async fn wait_for_stop(&self) {
        self.stop.cancelled().await;
    }

    /// The number of running tasks, without those that run until the bot stops.
    pub fn count(&self) -> usize {
        self.work.len()
    }

    /// Returns when nothing works but what goes on for ever.
    pub async fn wait_until_idle(&self) {
        self.work.wait().await;
    }

    /// Returns when nobody works any more.
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
    async fn whoever_panics_is_counted_out_and_the_stop_waits_for_nobody() {
        let tasks = BackgroundTasks::new();
        tasks.spawn(async { panic!("on purpose") });
        let token = tasks.track();
        let inside = tokio::spawn(async move {
            let _token = token;
            panic!("on purpose");
        });
        tasks.wait_until_idle().await;
        assert!(inside.await.is_err());
        tasks.stop();
        tasks.wait_until_finished().await;
    }
}
