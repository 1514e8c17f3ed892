//! Looks every few seconds how the bot is, for numbers, the log and whoever supervises it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::clock_watch::{ClockWatch, Step};
use super::health::{Health, Illness};
use super::stopping::Shutdown;
use super::supervisor;
use caravanserai_protocol::PlatformHealth;
use caravanserai_store::{Space, Store};

/// How often is looked.
const EVERY: Duration = Duration::from_secs(5);
/// What waits to be sent is looked through up to here; more than this is late anyhow.
const UNSENT_MAX: usize = 10_000;

/// What is remembered from one look to the next.
struct Pulse {
    health: Arc<Health>,
    store: Arc<dyn Store>,
    clock: ClockWatch,
    begun: Instant,
    ill: Option<Illness>,
    /// When each waiting message was first seen.
    unsent: HashMap<String, Instant>,
}

/// Looks until `stop`.
///
/// # Errors
/// When the store has ended for good: another start is the only cure.
pub async fn watch(
    health: Arc<Health>,
    store: Arc<dyn Store>,
    stop: Shutdown,
) -> anyhow::Result<()> {
    let clock = ClockWatch::new(wall(), Duration::ZERO);
    let (begun, unsent) = (Instant::now(), HashMap::new());
    let mut pulse = Pulse { health, store, clock, begun, ill: None, unsent };
    loop {
        pulse.look_at_clock();
        pulse.look_at_platforms();
        pulse.look_at_unsent().await;
        let well = pulse.look_at_store().await?;
        if well {
            supervisor::alive();
        }
        if !stop.pause(EVERY).await {
            return Ok(());
        }
    }
}

impl Pulse {
    fn look_at_clock(&mut self) {
        let Some(step) = self.clock.look(wall(), self.begun.elapsed()) else { return };
        let (seconds, way) = match step {
            Step::Forward(far) => (far.as_secs(), "forward"),
            Step::Back(far) => (far.as_secs(), "back"),
        };
        tracing::warn!(seconds, way, "the clock of this machine was put");
        metrics::counter!("caravanserai_clock_steps_total").increment(1);
        self.health.set_clock_steps(self.clock.steps());
    }

    fn look_at_platforms(&self) {
        let mut serving = Vec::new();
        for platform in self.health.platforms() {
            let up = platform.health == PlatformHealth::Serving;
            let since = platform.since.duration_since(UNIX_EPOCH).unwrap_or_default();
            let name = platform.name;
            metrics::gauge!("caravanserai_platform_up", "platform" => name).set(f64::from(up));
            metrics::gauge!("caravanserai_platform_since_seconds", "platform" => name)
                .set(since.as_secs_f64());
            if up {
                serving.push(name);
            }
        }
        supervisor::status(&serving);
    }

    /// How long the oldest message waits, by a clock that nobody can put back.
    async fn look_at_unsent(&mut self) {
        // A store that fails is told by another look.
        let Ok(rows) = self.store.scan(Space::Outbox, "", None, UNSENT_MAX).await else { return };
        let now = Instant::now();
        let mut before = std::mem::take(&mut self.unsent);
        for (key, _) in rows {
            let since = before.remove(&key).unwrap_or(now);
            self.unsent.insert(key, since);
        }
        let oldest = self.unsent.values().map(|since| now - *since).max().unwrap_or_default();
        self.health.set_unsent(oldest);
        metrics::gauge!("caravanserai_unsent").set(self.unsent.len() as f64);
        metrics::gauge!("caravanserai_oldest_unsent_seconds").set(oldest.as_secs_f64());
    }

    /// Whether the store takes writes. Told when that changes.
    async fn look_at_store(&mut self) -> anyhow::Result<bool> {
        let found = self.health.store().await.err();
        metrics::gauge!("caravanserai_store_up").set(f64::from(found.is_none()));
        if found.is_some() {
            metrics::counter!("caravanserai_store_failures_total").increment(1);
        }
        if found != self.ill {
            match &found {
                Some(illness) => tracing::error!("{illness}"),
                None => tracing::info!("the store takes writes again"),
            }
            self.ill.clone_from(&found);
        }
        match found {
            Some(illness @ Illness::Ended(_)) => Err(illness.into()),
            Some(Illness::Paused(_) | Illness::Fails(_) | Illness::Silent) => Ok(false),
            None => Ok(true),
        }
    }
}

fn wall() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
