//! Retries updates about members and chats that arrived while the store was down, because platforms
//! do not redeliver them. Those of one chat stay in order; one whose rows cannot be read holds up
//! no others.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{Mutex as AsyncMutex, Notify};

use super::Handlers;
use crate::repository::MINUTE_MS;
use caravanserai_protocol::{Ack, HandleOutcome, Update, UpdateKind};

/// The most updates in the queue; beyond that the oldest is dropped.
const QUEUE_MAX: usize = 10_000;

/// The most chats whose updates fail in one attempt: then the store is probably down, and the
/// others wait for the next attempt.
const FAILED_CHATS_MAX: usize = 50;

/// The shortest and the longest delay between attempts, in milliseconds.
const RETRY_DELAY_MS: (u64, u64) = (2_000, MINUTE_MS);

/// The updates that wait for a retry.
#[derive(Default)]
pub struct MembershipRetryQueue {
    /// The oldest first.
    waiting: Mutex<VecDeque<Update>>,
    /// Held by the one who retries: the updates of a chat stay in order.
    pass: AsyncMutex<()>,
    /// Notified when an update is added.
    added: Notify,
}

impl MembershipRetryQueue {
    fn is_empty(&self) -> bool {
        self.waiting.lock().is_empty()
    }

    /// Whether updates of the same chat, or of its topics, are waiting.
    fn has_chat_of(&self, update: &Update) -> bool {
        self.waiting
            .lock()
            .iter()
            .any(|it| it.chat.id.without_topic() == update.chat.id.without_topic())
    }

    /// Adds an update.
    fn add(&self, update: &Update) {
        let mut waiting = self.waiting.lock();
        if waiting.len() == QUEUE_MAX {
            let lost = waiting.pop_front().map(|it| it.id);
            tracing::error!(update = lost, "dropped a membership update: the retry queue is full");
        }
        waiting.push_back(update.clone());
        self.added.notify_one();
    }

    /// The first update of another chat than these.
    fn next_without(&self, failed: &BTreeSet<String>) -> Option<Update> {
        self.waiting.lock().iter().find(|it| !failed.contains(it.chat.id.without_topic())).cloned()
    }

    /// Removes an update that was handled.
    fn remove(&self, id: &str) {
        self.waiting.lock().retain(|it| it.id != id);
    }

    /// Lets the updates of all other chats come first.
    fn move_back(&self, failed: &BTreeSet<String>) {
        let is_failed = |it: &Update| failed.contains(it.chat.id.without_topic());
        self.waiting.lock().make_contiguous().sort_by_key(is_failed);
    }
}

/// Whether an update reports changes of members or chats, so that nobody waits for an answer.
fn is_membership_update(update: &Update) -> bool {
    match update.kind {
        UpdateKind::BotAdded
        | UpdateKind::BotRemoved
        | UpdateKind::ChatDeleted
        | UpdateKind::ChatMoved { .. }
        | UpdateKind::MemberLeft { .. }
        | UpdateKind::MembersJoined { .. } => true,
        UpdateKind::Text { .. } | UpdateKind::Command { .. } | UpdateKind::Press { .. } => false,
    }
}

impl Handlers {
    /// Handles an update. An update about members or chats is handled after all waiting ones of
    /// that kind in its chat, and queued if the store is down.
    pub async fn answer_in_order(self: &Arc<Self>, update: &Update) -> HandleOutcome {
        if !is_membership_update(update) {
            return self.answer(update).await;
        }
        let queue = &self.membership_retries;
        if queue.has_chat_of(update) {
            self.retry_in_order().await;
        }
        let mut outcome = match queue.has_chat_of(update) {
            true => HandleOutcome::ready(Vec::new(), Ack::Redeliver),
            false => self.answer(update).await,
        };
        if outcome.ack == Ack::Redeliver {
            queue.add(update);
            // The platform must not redeliver it.
            outcome.replies.clear();
        }
        outcome
    }

    /// Retries the waiting updates with growing delays, until the bot stops.
    pub async fn retry_waiting_updates(self: &Arc<Self>) {
        let clock = self.repository.time_source().clone();
        loop {
            self.membership_retries.added.notified().await;
            let mut wait_ms = RETRY_DELAY_MS.0;
            while !self.membership_retries.is_empty() {
                clock.sleep_ms(wait_ms).await;
                self.retry_in_order().await;
                wait_ms = (wait_ms * 2).min(RETRY_DELAY_MS.1);
            }
        }
    }

    /// Handles the waiting updates, those of each chat in order. Those that fail, and the later
    /// ones of their chats, stay.
    async fn retry_in_order(self: &Arc<Self>) {
        let queue = &self.membership_retries;
        let _pass = queue.pass.lock().await;
        let mut failed: BTreeSet<String> = BTreeSet::new();
        while failed.len() < FAILED_CHATS_MAX
            && let Some(update) = queue.next_without(&failed)
        {
            match self.answer(&update).await.ack {
                Ack::Redeliver => _ = failed.insert(update.chat.id.without_topic().to_owned()),
                Ack::Confirm => queue.remove(&update.id),
            }
        }
        queue.move_back(&failed);
    }
}
