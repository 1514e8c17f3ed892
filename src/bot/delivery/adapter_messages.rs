//! Delays public messages that an adapter sends by itself, so that they delay no board.
//!
//! Such a message is a button behind which an answer for one person waits. It shares the call limit
//! of its chat with the boards, which everybody waits for.

use super::Delivery;
use super::outbox::SendLane;
use super::rate_limits::MessageBudget;
use caravanserai_games::ids::ChatId;
use caravanserai_protocol::AdapterMessageTask;

/// How long an adapter message is delayed at most, in milliseconds.
const NOTICE_DELAY_MAX_MS: u64 = 15_000;

/// How often it is checked whether the boards are sent, in milliseconds.
const BOARD_CHECK_MS: u64 = 1_000;

impl Delivery {
    /// Whether so many calls are left in this chat that an adapter message delays no board.
    pub fn has_message_budget(&self, chat: &ChatId) -> bool {
        self.rate_limit(chat).is_none_or(|(per_minute, now_ms)| {
            let budget = self.rate_limits.message_budget(chat.without_topic(), per_minute, now_ms);
            budget == MessageBudget::Plenty
        })
    }

    /// Applies the platform's refusal of calls in a chat for `wait_ms` milliseconds.
    pub fn apply_retry_after(&self, chat: &ChatId, wait_ms: u64) {
        if let Some((per_minute, now_ms)) = self.rate_limit(chat) {
            self.rate_limits.apply_retry_after(chat.without_topic(), per_minute, now_ms, wait_ms);
        }
    }

    /// Runs a task that sends an adapter message once no board of the chat waits and the limit
    /// allows it: after 15 seconds at the latest, unless the platform still refuses calls, and at
    /// once when the bot stops.
    pub fn run_after_boards(&self, chat: &ChatId, task: AdapterMessageTask) {
        let Some(delivery) = self.weak_self.upgrade() else { return };
        let chat = chat.clone();
        self.tasks.spawn(async move {
            delivery.wait_for_boards(&chat).await;
            task.await;
        });
    }

    async fn wait_for_boards(&self, chat: &ChatId) {
        let until_ms = self.repository.time_source().monotonic_ms() + NOTICE_DELAY_MAX_MS;
        while let Some((per_minute, now_ms)) = self.rate_limit(chat) {
            let wait_ms =
                match self.rate_limits.message_budget(chat.without_topic(), per_minute, now_ms) {
                    MessageBudget::Plenty => return,
                    MessageBudget::Short { wait_ms: 0 } if !self.is_sending_to_chat(chat) => return,
                    MessageBudget::Short { wait_ms } => wait_ms.max(BOARD_CHECK_MS),
                };
            let refused_ms = self.rate_limits.refused_ms(chat.without_topic(), now_ms);
            let left_ms = until_ms.saturating_sub(now_ms).max(refused_ms);
            if left_ms == 0 || !self.wait_unless_stopping(wait_ms.min(left_ms)).await {
                return;
            }
        }
    }

    /// Whether messages for everybody wait to be sent to a chat or one of its topics.
    fn is_sending_to_chat(&self, chat: &ChatId) -> bool {
        let is_sender = |key: &(ChatId, SendLane)| {
            key.0.without_topic() == chat.without_topic() && key.1 == SendLane::Public
        };
        self.senders.lock().keys().any(is_sender)
    }
}
