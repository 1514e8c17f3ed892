//! Keeps the times of a table.

/// The times of a table.
#[derive(Clone, Copy, Debug)]
pub struct TableTimes {
    /// The time at which the table opened, in milliseconds since 1970.
    pub opened_ms: u64,
    /// The time at which the game started, or else the table opened, in milliseconds since 1970.
    pub started_ms: u64,
    /// The time of the last event, in milliseconds since 1970.
    pub last_event_ms: u64,
    /// The time at which the game ended or the table closed, in milliseconds since 1970.
    pub ended_ms: Option<u64>,
}

impl TableTimes {
    /// The times of a table that opens now.
    pub(super) fn of_new_table(now_ms: u64) -> Self {
        TableTimes { opened_ms: now_ms, started_ms: now_ms, last_event_ms: now_ms, ended_ms: None }
    }

    /// The time at which nothing has happened for this long, in milliseconds since 1970.
    pub(super) fn silence_reaches_ms(&self, lasts_ms: u64) -> u64 {
        self.last_event_ms.saturating_add(lasts_ms)
    }
}
