//! Tracks work that outlives the call that started it. Guards count it, so a task that panics is no
//! longer counted either.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::TimeSource;

/// The time after which a service that panicked starts again, in milliseconds.
const RESTART_PAUSE_MS: u64 = 5_000;

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
        let work = TaskTracker::new();
        let services = TaskTracker::new();
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

    /// Starts a service that ends by itself when the bot stops. After a panic it starts again with
    /// its owner, so what another run needs must be kept there.
    pub fn supervise_service<T, F>(
        &self,
        name: &'static str,
        clock: &Arc<dyn TimeSource>,
        owner: &T,
        run: impl Fn(T) -> F + Send + 'static,
    ) where
        T: Clone + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let owner = owner.clone();
        let run = move || run(owner.clone());
        self.spawn_service(run_supervised(name, clock.clone(), self.stop.clone(), run));
    }

    /// The same for a service without an end; it is dropped when the bot stops.
    pub fn supervise_until_stop<T, F>(
        &self,
        name: &'static str,
        clock: &Arc<dyn TimeSource>,
        owner: &T,
        run: impl Fn(T) -> F + Send + 'static,
    ) where
        T: Clone + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let stop = self.stop.clone();
        self.supervise_service(name, clock, owner, move |owner| {
            let stop = stop.clone();
            let service = run(owner);
            async move {
                stop.run_until_cancelled(service).await;
            }
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

/// Runs a service until it ends by itself; after a panic again, until the bot stops.
async fn run_supervised<F>(
    name: &'static str,
    clock: Arc<dyn TimeSource>,
    stop: CancellationToken,
    run: impl Fn() -> F,
) where
    F: Future<Output = ()>,
{
    while AssertUnwindSafe(run()).catch_unwind().await.is_err() {
        tracing::error!(name, "a background service panicked, it starts again in some seconds");
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            () = clock.sleep_ms(RESTART_PAUSE_MS) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;

    use super::*;

    /// A clock whose sleepers wake at once.
    struct HastyClock;

    #[async_trait]
    impl TimeSource for HastyClock {
        fn now_ms(&self) -> u64 {
            0
        }

        async fn sleep_ms(&self, _: u64) {}
    }

    #[tokio::test]
    async fn a_service_that_panics_starts_again_and_one_that_ends_does_not() {
        let clock: Arc<dyn TimeSource> = Arc::new(HastyClock);
        let tasks = BackgroundTasks::new();
        let runs = Arc::new(AtomicUsize::new(0));
        tasks.supervise_service("test", &clock, &runs, |it| async move {
            assert!(it.fetch_add(1, Ordering::SeqCst) >= 2, "on purpose");
        });
        tasks.wait_until_finished().await;
        assert_eq!(runs.load(Ordering::SeqCst), 3);
    }

    #[tokio::test]
    async fn the_stop_drops_a_service_without_an_end() {
        let clock: Arc<dyn TimeSource> = Arc::new(HastyClock);
        let tasks = BackgroundTasks::new();
        tasks.supervise_until_stop("test", &clock, &(), |()| std::future::pending());
        tasks.stop();
        tasks.wait_until_finished().await;
    }

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
