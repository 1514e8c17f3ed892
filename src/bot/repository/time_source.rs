//! Abstracts the clock, so that tests control time.

use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;

/// The current time, and a timer.
#[async_trait]
pub trait TimeSource: Send + Sync + 'static {
    /// Wall-clock time in milliseconds since 1970, for deadlines of people and for logs. It jumps
    /// when the clock is set.
    fn now_ms(&self) -> u64;

    /// Monotonic time in milliseconds since an arbitrary moment, for waits and budgets. It never
    /// jumps and never goes back.
    fn monotonic_ms(&self) -> u64 {
        self.now_ms()
    }

    /// Returns after this many milliseconds, independent of the wall clock.
    async fn sleep_ms(&self, ms: u64);
}

/// The clock of the system.
pub struct SystemClock;

/// The day of a time in milliseconds since 1970, in UTC.
pub fn utc_date(ms: u64) -> time::Date {
    let seconds = i64::try_from(ms / 1000).unwrap_or_default();
    let at = time::OffsetDateTime::from_unix_timestamp(seconds);
    at.unwrap_or(time::OffsetDateTime::UNIX_EPOCH).date()
}

/// The time of the first call in this process.
static PROCESS_START: OnceLock<Instant> = OnceLock::new();

#[async_trait]
impl TimeSource for SystemClock {
    fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        since.as_millis() as u64
    }

    fn monotonic_ms(&self) -> u64 {
        PROCESS_START.get_or_init(Instant::now).elapsed().as_millis() as u64
    }

    async fn sleep_ms(&self, ms: u64) {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}
