//! Checks the bot's health every few seconds and reports it to metrics, the log and the supervisor.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::clock_skew::{ClockJump, ClockSkewDetector};
use super::health::{HealthCheck, StoreProblem};
use super::shutdown::Shutdown;
use super::systemd;
use caravanserai_protocol::PlatformHealth;
use caravanserai_store::{Space, Store};

/// Interval of the checks.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);
/// Unsent messages are read up to this number; more than this are late anyway.
const UNSENT_MAX: usize = 10_000;

/// State kept between checks.
struct HealthWatch {
    health: Arc<HealthCheck>,
    store: Arc<dyn Store>,
    clock: ClockSkewDetector,
    begun: Instant,
    problem: Option<StoreProblem>,
    /// When each unsent message was first seen.
    unsent_since: HashMap<String, Instant>,
}

/// Checks until `stop`.
///
/// # Errors
/// When the store has ended for good: only a restart helps.
pub async fn watch_health(
    health: Arc<HealthCheck>,
    store: Arc<dyn Store>,
    stop: Shutdown,
) -> anyhow::Result<()> {
    let clock = ClockSkewDetector::new(wall_clock(), Duration::ZERO);
    let (begun, unsent) = (Instant::now(), HashMap::new());
    let mut pulse =
        HealthWatch { health, store, clock, begun, problem: None, unsent_since: unsent };
    loop {
        pulse.check_clock();
        pulse.check_platforms();
        pulse.check_unsent().await;
        let well = pulse.check_store().await?;
        if well {
            systemd::notify_alive();
        }
        if !stop.sleep_unless_stopping(CHECK_INTERVAL).await {
            return Ok(());
        }
    }
}

impl HealthWatch {
    fn check_clock(&mut self) {
        let Some(step) = self.clock.compare(wall_clock(), self.begun.elapsed()) else { return };
        let (seconds, way) = match step {
            ClockJump::Forward(far) => (far.as_secs(), "forward"),
            ClockJump::Back(far) => (far.as_secs(), "back"),
        };
        tracing::warn!(seconds, way, "the clock of this machine jumped");
        metrics::counter!("caravanserai_clock_steps_total").increment(1);
        self.health.set_clock_jumps(self.clock.jump_count());
    }

    fn check_platforms(&self) {
        let mut serving = Vec::new();
        for platform in self.health.platforms() {
            let up = platform.health == PlatformHealth::Serving;
            let since = platform.since_time.duration_since(UNIX_EPOCH).unwrap_or_default();
            let name = platform.name;
            metrics::gauge!("caravanserai_platform_up", "platform" => name).set(f64::from(up));
            metrics::gauge!("caravanserai_platform_since_seconds", "platform" => name)
                .set(since.as_secs_f64());
            if up {
                serving.push(name);
            }
        }
        systemd::notify_status(&serving);
    }

    /// Measures the age of the oldest unsent message on the monotonic clock.
    async fn check_unsent(&mut self) {
        // A failing store is reported by `check_store`.
        let Ok(rows) = self.store.scan(Space::Outbox, "", None, UNSENT_MAX).await else { return };
        let now = Instant::now();
        let mut before = std::mem::take(&mut self.unsent_since);
        for (key, _) in rows {
            let since = before.remove(&key).unwrap_or(now);
            self.unsent_since.insert(key, since);
        }
        let oldest = self.unsent_since.values().map(|since| now - *since).max().unwrap_or_default();
        self.health.set_oldest_unsent(oldest);
        metrics::gauge!("caravanserai_unsent").set(self.unsent_since.len() as f64);
        metrics::gauge!("caravanserai_oldest_unsent_seconds").set(oldest.as_secs_f64());
    }

    /// Checks whether the store accepts writes. Logs changes.
    async fn check_store(&mut self) -> anyhow::Result<bool> {
        let found = self.health.check_store().await.err();
        metrics::gauge!("caravanserai_store_up").set(f64::from(found.is_none()));
        if found.is_some() {
            metrics::counter!("caravanserai_store_failures_total").increment(1);
        }
        if found != self.problem {
            match &found {
                Some(problem) => tracing::error!("{problem}"),
                None => tracing::info!("the store accepts writes again"),
            }
            self.problem.clone_from(&found);
        }
        match found {
            Some(problem @ StoreProblem::Closed(_)) => Err(problem.into()),
            Some(StoreProblem::Paused(_) | StoreProblem::Failing(_) | StoreProblem::Silent) => {
                Ok(false)
            }
            None => Ok(true),
        }
    }
}

fn wall_clock() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
