//! Wall-clock time for texts that operators read and for the expiry of rows.

use std::sync::Arc;
use std::time::SystemTime;

use parking_lot::RwLock;

/// Returns the current time in milliseconds of Unix time.
pub type StoreClockFn = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The clock of a store: the machine's, until [`StoreClock::set_source`] replaces it.
#[derive(Default)]
pub(super) struct StoreClock(RwLock<Option<StoreClockFn>>);

impl StoreClock {
    pub(super) fn set_source(&self, now: StoreClockFn) {
        *self.0.write() = Some(now);
    }

    pub(super) fn now_ms(&self) -> u64 {
        let source = self.0.read();
        source.as_ref().map_or_else(now_ms, |now| now())
    }
}

impl std::fmt::Debug for StoreClock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StoreClock")
    }
}

/// The machine's time, in milliseconds of Unix time.
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Formats a time for operators.
pub(super) fn format_utc(ms: u64) -> String {
    let seconds = i64::try_from(ms / 1000).unwrap_or(i64::MAX);
    time::OffsetDateTime::from_unix_timestamp(seconds).map_or_else(
        |_| "an unknown time".into(),
        |at| format!("{} {:02}:{:02}:{:02} UTC", at.date(), at.hour(), at.minute(), at.second()),
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_are_written_as_people_write_them() {
        assert_eq!(super::format_utc(1_763_820_123_999), "2025-11-22 14:02:03 UTC");
    }
}
