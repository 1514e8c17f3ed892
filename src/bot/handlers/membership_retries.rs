//! Retries updates about members and chats that arrived while the store was down, because platforms
//! do not redeliver them. Those of one chat stay in order; a chat whose rows cannot be read does not
//! hold up others.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use tokio::sync::{Mutex, Notify};

use super::Handlers;
use crate::repository::MINUTE_MS;
use caravanserai_protocol::{Ack, HandleOutcome, Update, UpdateKind};

/// The most updates in the queue; beyond that the oldest is dropped.
const QUEUE_MAX: usize = 10_000;

/// The most chats whose updates fail in one attempt: then the store is down, and the others need
/// not be tried.
const FAILED_CHATS_MAX: usize = 50;

/// The shortest and the longest delay between attempts, in milliseconds.
const RETRY_DELAY_MS: (u64, u64) = (2_000, MINUTE_MS);

/// The updates that wait for a retry, the oldest first.
#[derive(Default)]
pub struct MembershipRetryQueue {
    waiting: Mutex<VecDeque<Update>>,
    /// Notified when an update is added.
    added: Notify,
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
        let mut outcome = HandleOutcome::ready(Vec::new(), Ack::Redeliver);
        let mut waiting = self.membership_retries.waiting.lock().await;
        if has_chat(&waiting, update) {
            self.retry_in_order(&mut waiting).await;
        }
        if !has_chat(&waiting, update) {
            drop(waiting);
            outcome = self.answer(update).await;
            waiting = self.membership_retries.waiting.lock().await;
        }
        if outcome.ack == Ack::Redeliver {
            if waiting.len() == QUEUE_MAX {
                let lost = waiting.pop_front().map(|it| it.id);
                tracing::error!(
                    update = lost,
                    "dropped a membership update: the retry queue is full"
                );
            }
            waiting.push_back(update.clone());
            self.membership_retries.added.notify_one();
            // The platform must not redeliver it.
            outcome.replies.clear();
        }
        outcome
    }

    /// Retries the waiting updates with growing delays, until the bot stops.
    pub async fn retry_waiting_updates(self: &Arc<Self>) {
        loop {
            self.membership_retries.added.notified().await;
            let mut wait_ms = RETRY_DELAY_MS.0;
            self.repository.time_source().sleep_ms(wait_ms).await;
            loop {
                let mut waiting = self.membership_retries.waiting.lock().await;
                self.retry_in_order(&mut waiting).await;
                if waiting.is_empty() {
                    break;
                }
                drop(waiting);
                wait_ms = (wait_ms * 2).min(RETRY_DELAY_MS.1);
                self.repository.time_source().sleep_ms(wait_ms).await;
            }
        }
    }

    /// Handles the waiting updates, those of each chat in order. Those that fail, and the later
    /// ones of their chats, stay.
    async fn retry_in_order(self: &Arc<Self>, waiting: &mut VecDeque<Update>) {
        let mut failed: BTreeSet<String> = BTreeSet::new();
        let mut next = 0;
        while let Some(update) = waiting.get(next) {
            let chat = update.chat.id.chat();
            let is_blocked = failed.len() >= FAILED_CHATS_MAX || failed.contains(chat);
            if is_blocked {
                next += 1;
            } else if self.answer(update).await.ack == Ack::Redeliver {
                failed.insert(chat.to_owned());
                next += 1;
            } else {
                waiting.remove(next);
            }
        }
    }
}

/// Whether updates of the same chat, or of its topics, are waiting.
fn has_chat(waiting: &VecDeque<Update>, update: &Update) -> bool {
    waiting.iter().any(|it| it.chat.id.chat() == update.chat.id.chat())
}
