//! Logs at most once a minute how many people got the reply that nothing can be saved.

use std::fmt::Display;

use parking_lot::Mutex;

use crate::repository::MINUTE_MS;

/// The shortest time between two lines, in milliseconds.
const LOG_INTERVAL_MS: u64 = MINUTE_MS;

/// Counts such replies since the last line.
#[derive(Default)]
pub struct UnsavedLogThrottle(Mutex<UnsavedCount>);

#[derive(Default)]
struct UnsavedCount {
    people: u64,
    logged_ms: Option<u64>,
}

impl UnsavedLogThrottle {
    /// Counts one answer and logs the reason if the last line is old enough.
    pub fn count_answer(&self, why: &impl Display, now_ms: u64) {
        let mut state = self.0.lock();
        state.people += 1;
        if state.logged_ms.is_none_or(|it| now_ms >= it + LOG_INTERVAL_MS) {
            let people = std::mem::take(&mut state.people);
            state.logged_ms = Some(now_ms);
            drop(state);
            tracing::error!(people, %why, "replied that nothing can be saved");
        }
    }
}
