//! Keeps the state of chats: the cache of this process, and the rows that processes share.

use parking_lot::{Mutex, MutexGuard};

use super::send::TelegramTarget;
use super::storage::TelegramStorage;
use super::telegram_cache::{TelegramCache, UpdateThread};
use caravanserai_platform_shared::message_tracker::MessageTracker;

/// The state of the chats that the bot knows.
pub(super) struct ChatState {
    memory: Mutex<TelegramCache>,
    /// The messages that people post, counted for all processes.
    message_tracker: MessageTracker,
    storage: TelegramStorage,
}

/// Builds the key of a chat for the message tracker.
fn tracker_key(TelegramTarget { chat, thread }: TelegramTarget) -> String {
    format!("{chat} {}", thread.unwrap_or_default())
}

impl ChatState {
    /// Creates an empty state over these rows.
    pub(super) fn new(storage: TelegramStorage) -> Self {
        let message_tracker = MessageTracker::new(storage.rows(), "tg");
        Self { memory: Mutex::new(TelegramCache::new()), message_tracker, storage }
    }

    /// Locks the cache of this process.
    pub(super) fn lock(&self) -> MutexGuard<'_, TelegramCache> {
        self.memory.lock()
    }

    /// Loads the state of a chat that other processes have stored.
    pub(super) async fn load_chat(&self, target: TelegramTarget) {
        let TelegramTarget { chat, thread } = target;
        let said = self.message_tracker.load_messages(&tracker_key(target)).await;
        let fails = self.storage.has_ephemeral_failure(chat).await;
        let mut memory = self.lock();
        let said = said.into_iter().filter_map(|it| i32::try_from(it).ok());
        said.for_each(|it| memory.add_message(chat, thread, it));
        if fails && !memory.are_ephemerals_failing(chat) {
            memory.note_ephemeral_failure(chat);
        }
    }

    /// Counts a message of a person, for all processes.
    pub(super) async fn record_message(&self, target: TelegramTarget, message: i32) {
        self.message_tracker.record_message(&tracker_key(target), message.into()).await;
    }

    /// Starts to count the messages below a board.
    pub(super) async fn start_tracking(&self, target: TelegramTarget) {
        self.message_tracker.start_tracking(&tracker_key(target)).await;
    }

    /// Stores the message of an update from a thread that is no topic: its answers may be posted by
    /// another process, or after a restart.
    pub(super) async fn keep_comment(&self, update: &str) {
        let thread = self.lock().thread_of(update);
        if let Some(UpdateThread::Comments { chat, message }) = thread {
            self.storage.store_comment(update, (chat, message)).await;
        }
    }

    /// Returns the message that an answer in this chat has to reply to, to be seen in the thread of
    /// the update.
    pub(super) async fn comment_of(&self, update: &str, chat: i64) -> Option<i32> {
        let thread = self.lock().thread_of(update);
        let comment = match thread {
            Some(UpdateThread::Ordinary) => None,
            Some(UpdateThread::Comments { chat, message }) => Some((chat, message)),
            None => self.storage.comment(update).await,
        };
        comment.filter(|it| it.0 == chat).map(|it| it.1)
    }

    /// Notes that an ephemeral message failed in a chat, for all processes.
    pub(super) async fn record_ephemeral_failure(&self, chat: i64) {
        self.lock().note_ephemeral_failure(chat);
        self.storage.store_ephemeral_failure(chat).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use caravanserai_platform_shared::memory_kv::MemoryKeyValueStore;
    use caravanserai_platform_shared::platform_rows::PlatformRows;

    use super::*;

    #[tokio::test]
    async fn another_process_answers_a_comment_in_its_thread() {
        let rows = PlatformRows::new(Arc::new(MemoryKeyValueStore::default()));
        let process = || ChatState::new(TelegramStorage::new(rows.clone()));
        let (one, other) = (process(), process());
        one.lock().add_comment("tg/1/5", -7, 42);
        one.keep_comment("tg/1/5").await;
        one.keep_comment("tg/1/6").await;
        for chats in [&one, &other] {
            assert_eq!(chats.comment_of("tg/1/5", -7).await, Some(42));
            assert_eq!(chats.comment_of("tg/1/5", -8).await, None, "it is in another chat");
            assert_eq!(chats.comment_of("tg/1/6", -7).await, None);
        }
        // What this process has received itself is not looked up.
        let receiver = process();
        receiver.lock().add_update("tg/1/5");
        assert_eq!(receiver.comment_of("tg/1/5", -7).await, None);
    }
}
