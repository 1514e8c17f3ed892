//! Takes reports of the platforms: calls that they made, and what they learned about chats.

use async_trait::async_trait;

use super::{Service, log_failure_as_none};
use caravanserai_games::ids::{ChatId, MessageId, PersonId};
use caravanserai_protocol::{
    AdapterMessageTask, ChatReports, DeliveryReports, HandPriority, Unavailable,
};

#[async_trait]
impl DeliveryReports for Service {
    fn record_call(&self, chat: &ChatId) {
        self.modules().delivery.record_call(chat);
    }

    fn apply_retry_after(&self, chat: &ChatId, wait_ms: u64) {
        self.modules().delivery.apply_retry_after(chat, wait_ms);
    }

    fn record_ephemeral_call(&self, chat: &ChatId) {
        self.modules().delivery.record_ephemeral_call(chat);
    }

    fn has_hand_budget(&self, chat: &ChatId, priority: HandPriority) -> bool {
        self.modules().delivery.has_hand_budget(chat, priority)
    }

    fn has_message_budget(&self, chat: &ChatId) -> bool {
        self.modules().delivery.has_message_budget(chat)
    }

    fn run_after_boards(&self, chat: &ChatId, task: AdapterMessageTask) {
        self.modules().delivery.run_after_boards(chat, task);
    }

    fn are_hands_limited(&self, chat: &ChatId) -> bool {
        self.modules().delivery.are_hands_limited(chat)
    }

    async fn capabilities_changed(&self, chat: &ChatId) {
        if let Err(failure) = self.modules().handlers.refresh_hand_boards(chat).await {
            tracing::error!(chat = %chat.0, %failure, "failed to refresh keyboards");
        }
    }
}

#[async_trait]
impl ChatReports for Service {
    async fn may_be_known(&self, person: &PersonId) -> bool {
        let known = self.modules().handlers.is_known_person(person).await;
        log_failure_as_none("look for a person", known).unwrap_or(true)
    }

    async fn chats_with_tables(&self, chats: Vec<ChatId>) -> Result<Vec<ChatId>, Unavailable> {
        let found = self.modules().handlers.chats_with_tables(chats).await;
        log_failure_as_none("list the tables of chats", found).ok_or(Unavailable)
    }

    async fn report_deleted_messages(&self, chat: &ChatId, deleted: &[MessageId]) {
        let restored = self.modules().handlers.restore_boards(chat, deleted).await;
        log_failure_as_none("post a deleted board again", restored);
    }

    async fn report_changed_rights(&self, chat: &ChatId) {
        let ended = self.modules().delivery.end_pauses(chat).await;
        log_failure_as_none("try a chat again whose rights changed", ended);
    }
}
