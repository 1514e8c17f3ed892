//! Time, handed in, so that tests own it.

use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;

/// What time it is, and waiting for a later one.
#[async_trait]
pub trait TimeSource: Send + Sync + 'static {
    /// Milliseconds since 1970, as people count them: for their deadlines and for logs. It jumps
    /// when somebody sets the clock.
    fn now_ms(&self) -> u64;

    /// Milliseconds since some moment: for waits and budgets. It never jumps and never goes back.
    fn monotonic_ms(&self) -> u64 {
        self.now_ms()
    }

    /// Returns after so many milliseconds, whatever happens to the clock on the wall.
    async fn sleep_ms(&self, ms: u64);
}

/// The clock of the machine.
pub struct SystemClock;

/// When this process first asked.
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
