//! The time of day, for what a store writes down for people; nothing is decided by it.

use std::time::SystemTime;

/// Milliseconds of Unix time.
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A time as people write it.
pub(super) fn utc(ms: u64) -> String {
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
        assert_eq!(super::utc(1_763_820_123_999), "2025-11-22 14:02:03 UTC");
    }
}
