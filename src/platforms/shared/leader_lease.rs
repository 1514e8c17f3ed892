//! Something that one process does at a time: fetching updates, being a shard of the gateway.

use std::future::Future;
use std::time::Duration;

use super::health_reporter::HealthReporter;
use super::platform_rows::PlatformRows;

/// How long a role is held without being renewed: so long nobody does it when its process dies.
const LEASE_TIME: Duration = Duration::from_secs(30);
/// How often it is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(8);
/// How often it is tried to get it.
const TRY_EVERY: Duration = Duration::from_secs(1);

/// A role by its name.
#[derive(Clone)]
pub struct LeaderLease {
    notes: PlatformRows,
    name: String,
}

impl LeaderLease {
    /// A role that is held by at most one process.
    pub fn new(notes: &PlatformRows, name: impl Into<String>) -> Self {
        LeaderLease { notes: notes.clone(), name: name.into() }
    }

    /// Waits until this process has the role. While another one has it, the platform is served.
    pub async fn acquire(&self, state: &HealthReporter) {
        while !self.try_acquire().await {
            state.report_serving();
            tokio::time::sleep(TRY_EVERY).await;
        }
    }

    /// Does something as long as this process has the role; `None` if it lost it before the end.
    pub async fn run_while_held<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::pin!(work);
        let mut misses = 0;
        loop {
            tokio::select! {
                done = &mut work => return Some(done),
                () = tokio::time::sleep(RENEW_EVERY) => {}
            }
            // One question without an answer is no loss: the role is held for longer than that.
            misses = if self.try_acquire().await { 0 } else { misses + 1 };
            if misses == 2 {
                return None;
            }
        }
    }

    /// Takes or renews the role.
    pub async fn try_acquire(&self) -> bool {
        let for_ms = u64::try_from(LEASE_TIME.as_millis()).unwrap_or(u64::MAX);
        let taken = self.notes.store().acquire_lease(&self.name, for_ms).await;
        taken.unwrap_or_else(|error| {
            tracing::warn!(role = self.name, %error, "it is not known who has a role");
            false
        })
    }

    /// Lets another process have the role at once.
    pub async fn release(&self) {
        if let Err(error) = self.notes.store().release_lease(&self.name).await {
            tracing::debug!(role = self.name, %error, "a role is given up by waiting");
        }
    }
}
