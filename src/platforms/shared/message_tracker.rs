//! How far talk has carried a message away, as all processes know it: each hears only a part of
//! what is said, and whoever posts a board may have heard none of it.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use quick_cache::unsync::Cache;

use super::platform_rows::{PlatformRows, json_row};

/// Messages that are heard before the other processes are told: a board is buried after more.
const PUBLISH_AFTER: usize = 4;
/// Messages that are kept of each place, the newest ones.
const STORED_MAX: usize = 32;
/// How long they are kept.
const STORED_MS: u64 = 24 * 3_600_000;
/// Places with messages that nobody was told of.
const PLACES_MAX: usize = 8_192;

/// How long nobody's words are counted in a place where no board stands.
const UNTRACKED_TIME: Duration = Duration::from_secs(60);

/// What people said, place by place. The numbers of messages grow with time.
pub struct MessageTracker {
    notes: PlatformRows,
    /// Begins the keys of its rows.
    platform: &'static str,
    heard: Mutex<TrackedMessages>,
}

struct TrackedMessages {
    /// What the other processes were not told.
    untold: Cache<String, Vec<i64>>,
    /// Where no board stood, and when that was seen.
    deaf: Cache<String, Instant>,
}

impl TrackedMessages {
    /// What the others are to be told now, if it is enough.
    fn add(&mut self, place: &str, message: i64, now: Instant) -> Option<Vec<i64>> {
        let deaf = self.deaf.get(place);
        if deaf.is_some_and(|since| now.saturating_duration_since(*since) < UNTRACKED_TIME) {
            return None;
        }
        let mut messages = self.untold.remove(place).map(|(_, it)| it).unwrap_or_default();
        messages.push(message);
        if messages.len() >= PUBLISH_AFTER {
            return Some(messages);
        }
        self.untold.insert(place.to_owned(), messages);
        None
    }
}

impl MessageTracker {
    /// Nothing was heard yet.
    pub fn new(notes: &PlatformRows, platform: &'static str) -> Self {
        let (untold, deaf) = (Cache::new(PLACES_MAX), Cache::new(PLACES_MAX));
        let heard = Mutex::new(TrackedMessages { untold, deaf });
        MessageTracker { notes: notes.clone(), platform, heard }
    }

    fn lock(&self) -> MutexGuard<'_, TrackedMessages> {
        self.heard.lock().expect("nothing panics while holding this lock")
    }

    fn row_key(&self, place: &str) -> String {
        format!("{} talk {place}", self.platform)
    }

    /// A board stands in a place: from now on it is counted what people say there. Elsewhere
    /// their talk costs nothing.
    pub async fn start_tracking(&self, place: &str) {
        self.lock().deaf.remove(place);
        let key = self.row_key(place);
        if self.notes.get::<Vec<i64>>(&key).await.is_none() {
            self.notes.put(vec![json_row(&key, &Vec::<i64>::new(), STORED_MS)]).await;
        }
    }

    /// Somebody said something in a place.
    pub async fn record_message(&self, place: &str, message: i64) {
        let now = Instant::now();
        let Some(mut messages) = self.lock().add(place, message, now) else { return };
        let key = self.row_key(place);
        let Some(before) = self.notes.get::<Vec<i64>>(&key).await else {
            self.lock().deaf.insert(place.to_owned(), now);
            return;
        };
        // Whoever writes at the same moment wins: it is about how many, not about which.
        messages.extend(before);
        messages.sort_unstable();
        messages.dedup();
        let over = messages.len().saturating_sub(STORED_MAX);
        messages.drain(..over);
        self.notes.put(vec![json_row(&key, &messages, STORED_MS)]).await;
    }

    /// What any process has heard in a place, the newest of it.
    pub async fn load_messages(&self, place: &str) -> Vec<i64> {
        self.notes.get(&self.row_key(place)).await.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::memory_kv::MemoryKeyValueStore;
    use super::*;

    #[tokio::test]
    async fn what_is_said_below_a_board_is_known_elsewhere_and_other_talk_is_not_kept() {
        let book = Arc::new(MemoryKeyValueStore::default());
        let notes = PlatformRows::new(book.clone());
        let (hears, posts) = (MessageTracker::new(&notes, "dc"), MessageTracker::new(&notes, "dc"));
        for message in 0..100 {
            hears.record_message("elsewhere", message).await;
        }
        assert_eq!(book.size().0, 0);
        posts.start_tracking("here").await;
        for message in 0..(2 * PUBLISH_AFTER as i64 + 1) {
            hears.record_message("here", message).await;
        }
        assert_eq!(
            posts.load_messages("here").await,
            (0..2 * PUBLISH_AFTER as i64).collect::<Vec<_>>()
        );
        for message in 0..1_000 {
            hears.record_message("here", message).await;
        }
        assert_eq!(posts.load_messages("here").await.len(), STORED_MAX);
        posts.start_tracking("here").await;
        assert_eq!(
            posts.load_messages("here").await.len(),
            STORED_MAX,
            "an older board is as deep as before"
        );
    }
}
