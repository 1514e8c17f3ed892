//! Keeps the state of chats: the cache of this process, and the rows that processes share.

use parking_lot::{Mutex, MutexGuard};

use super::send::TelegramTarget;
use super::storage::TelegramStorage;
use super::telegram_cache::TelegramCache;
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

    /// Notes that an ephemeral message failed in a chat, for all processes.
    pub(super) async fn record_ephemeral_failure(&self, chat: i64) {
        self.lock().note_ephemeral_failure(chat);
        self.storage.store_ephemeral_failure(chat).await;
    }
}
