//! Elects one process for work that only one may do at a time: fetching updates, being a shard of
//! the gateway.

use std::future::Future;
use std::time::Duration;

use super::health_reporter::HealthReporter;
use super::platform_rows::PlatformRows;

/// How long a lease lasts without being renewed: so long nobody does the work after its process
/// dies.
const LEASE_TIME: Duration = Duration::from_secs(30);
/// How often a held lease is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(8);
/// How often a waiting process tries to get the lease.
const TRY_EVERY: Duration = Duration::from_secs(1);

/// A lease by its name. At most one process holds it.
#[derive(Clone)]
pub struct LeaderLease {
    rows: PlatformRows,
    name: String,
}

impl LeaderLease {
    /// Names a lease that at most one process holds.
    pub fn new(rows: &PlatformRows, name: impl Into<String>) -> Self {
        LeaderLease { rows: rows.clone(), name: name.into() }
    }

    /// Waits until this process holds the lease. While another process holds it, the platform
    /// counts as up.
    pub async fn acquire(&self, state: &HealthReporter) {
        while !self.try_acquire().await {
            state.report_serving();
            tokio::time::sleep(TRY_EVERY).await;
        }
    }

    /// Runs `work` as long as this process holds the lease; `None` if the lease was lost before the
    /// end.
    pub async fn run_while_held<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::pin!(work);
        let mut misses = 0;
        loop {
            tokio::select! {
                done = &mut work => return Some(done),
                () = tokio::time::sleep(RENEW_EVERY) => {}
            }
            // One failed renewal is no loss: the lease lasts longer than two intervals.
            misses = if self.try_acquire().await { 0 } else { misses + 1 };
            if misses == 2 {
                return None;
            }
        }
    }

    /// Takes or renews the lease; returns whether this process holds it.
    pub async fn try_acquire(&self) -> bool {
        let for_ms = u64::try_from(LEASE_TIME.as_millis()).unwrap_or(u64::MAX);
        let taken = self.rows.store().acquire_lease(&self.name, for_ms).await;
        taken.unwrap_or_else(|error| {
            tracing::warn!(role = self.name, %error, "failed to acquire a lease");
            false
        })
    }

    /// Releases the lease, so that another process gets it at once.
    pub async fn release(&self) {
        if let Err(error) = self.rows.store().release_lease(&self.name).await {
            tracing::debug!(role = self.name, %error, "failed to release a lease; it expires");
        }
    }
}
