//! Counts the messages that people post below a board, for all processes: each process receives
//! only a part of them, and the process that posts a board may have received none.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use quick_cache::unsync::Cache;

use super::platform_rows::{PlatformRows, json_row};
use caravanserai_games::time_units::DAY_MS;

/// Messages that a process collects before it publishes them to the other processes. A board is
/// moved down only after more messages than this.
const PUBLISH_AFTER: usize = 4;
/// How many message ids are stored for each chat, the newest ones.
const STORED_MAX: usize = 32;
/// How long they are stored, in milliseconds.
const STORED_MS: u64 = DAY_MS;
/// Places whose unpublished messages are kept in memory, at most.
const PLACES_MAX: usize = 8_192;

/// How long messages in a chat without a board are ignored.
const UNTRACKED_TIME: Duration = Duration::from_secs(60);

/// The ids of the messages that people posted, by chat. Ids grow with time.
pub struct MessageTracker {
    rows: PlatformRows,
    /// The prefix of the keys of its rows.
    platform: &'static str,
    tracked: Mutex<TrackedMessages>,
}

struct TrackedMessages {
    /// Messages that are not published to the other processes yet.
    unpublished: Cache<String, Vec<i64>>,
    /// Places without a board, and when that was found.
    untracked: Cache<String, Instant>,
}

impl TrackedMessages {
    /// Adds a message; returns the messages to publish now, if there are enough.
    fn add(&mut self, chat: &str, message: i64, now: Instant) -> Option<Vec<i64>> {
        let untracked = self.untracked.get(chat);
        if untracked.is_some_and(|since| now.saturating_duration_since(*since) < UNTRACKED_TIME) {
            return None;
        }
        let mut messages = self.unpublished.remove(chat).map(|(_, it)| it).unwrap_or_default();
        messages.push(message);
        if messages.len() >= PUBLISH_AFTER {
            return Some(messages);
        }
        self.unpublished.insert(chat.to_owned(), messages);
        None
    }
}

impl MessageTracker {
    /// Creates a tracker that has seen no messages.
    pub fn new(rows: &PlatformRows, platform: &'static str) -> Self {
        let unpublished = Cache::new(PLACES_MAX);
        let untracked = Cache::new(PLACES_MAX);
        let tracked = Mutex::new(TrackedMessages { unpublished, untracked });
        MessageTracker { rows: rows.clone(), platform, tracked }
    }

    fn row_key(&self, chat: &str) -> String {
        format!("{} talk {chat}", self.platform)
    }

    /// Starts tracking the messages in a chat because a board is posted there. Messages in other
    /// chats cost nothing.
    pub async fn start_tracking(&self, chat: &str) {
        self.tracked.lock().untracked.remove(chat);
        let key = self.row_key(chat);
        if self.rows.get::<Vec<i64>>(&key).await.is_none() {
            self.rows.put(vec![json_row(&key, &Vec::<i64>::new(), STORED_MS)]).await;
        }
    }

    /// Records a message that a user posted in a chat.
    pub async fn record_message(&self, chat: &str, message: i64) {
        let now = Instant::now();
        let Some(mut messages) = self.tracked.lock().add(chat, message, now) else { return };
        let key = self.row_key(chat);
        let Some(before) = self.rows.get::<Vec<i64>>(&key).await else {
            self.tracked.lock().untracked.insert(chat.to_owned(), now);
            return;
        };
        // With concurrent writes the last one wins: the count matters, not the ids.
        messages.extend(before);
        messages.sort_unstable();
        messages.dedup();
        let over = messages.len().saturating_sub(STORED_MAX);
        messages.drain(..over);
        self.rows.put(vec![json_row(&key, &messages, STORED_MS)]).await;
    }

    /// Returns the newest messages that any process has published for a chat.
    pub async fn load_messages(&self, chat: &str) -> Vec<i64> {
        self.rows.get(&self.row_key(chat)).await.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::memory_kv::MemoryKeyValueStore;
    use super::*;

    #[tokio::test]
    async fn messages_below_a_board_are_known_to_other_processes_and_others_are_not_stored() {
        let store = Arc::new(MemoryKeyValueStore::default());
        let rows = PlatformRows::new(store.clone());
        let hears = MessageTracker::new(&rows, "dc");
        let posts = MessageTracker::new(&rows, "dc");
        for message in 0..100 {
            hears.record_message("elsewhere", message).await;
        }
        assert_eq!(store.size().0, 0);
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
