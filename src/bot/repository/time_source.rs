//! Abstracts the clock, so that tests control time.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
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

    /// By how much a sleep that ended since the last call of this method was too long at most, in
    /// milliseconds. It is long after the process did not run, as when it was frozen.
    fn take_longest_delay_ms(&self) -> u64 {
        0
    }
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

/// See [`TimeSource::take_longest_delay_ms`].
static LONGEST_DELAY_MS: AtomicU64 = AtomicU64::new(0);

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
        let until_ms = self.monotonic_ms().saturating_add(ms);
        tokio::time::sleep(Duration::from_millis(ms)).await;
        let delay_ms = self.monotonic_ms().saturating_sub(until_ms);
        LONGEST_DELAY_MS.fetch_max(delay_ms, Ordering::Relaxed);
    }

    fn take_longest_delay_ms(&self) -> u64 {
        LONGEST_DELAY_MS.swap(0, Ordering::Relaxed)
    }
}
