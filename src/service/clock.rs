//! Time, handed in, so that tests own it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;

/// What time it is, and waiting for a later one.
#[async_trait]
pub trait Clock: Send + Sync + 'static {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> u64;
    /// Returns after so many milliseconds.
    async fn sleep_ms(&self, ms: u64);
}

/// The clock of the machine.
pub struct SystemClock;

#[async_trait]
impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        since.as_millis() as u64
    }

    async fn sleep_ms(&self, ms: u64) {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}
