//! Sends messages that only one member of a group sees.

use std::sync::Arc;

use serde_json::{Map, json};
use teloxide::payloads::DeleteMessage;
use teloxide::types::ChatId as TelegramChatId;

use super::bot_api::{BotApi, TelegramCallError};
use super::chat_members::ChatMembers;
use super::chat_state::ChatState;
use super::ephemeral_support::EphemeralSupport;
use super::handler_reports::HandlerReports;
use super::parse_update::UpdateOrigin;
use super::private_readers::EphemeralReceiver;
use super::replaceable_messages::TelegramMessageHandle;
use super::send::{
    MessageSender, TOPIC_CLOSED, TelegramSentMessage, TelegramTarget, UNKNOWN_TARGET, is_topic_gone,
};
use caravanserai_protocol::{EphemeralReply, HandPriority, OutgoingMessage, PrivateMessage};

/// A wait of at most this many seconds comes from Telegram's limit per second, not from the one per
/// minute.
const SHORT_WAIT_S: u64 = 3;

/// Whether an error does not mean that ephemeral messages fail in the chat: the limit per second
/// was hit, no call was made, the connection was lost, or one topic takes no messages.
fn says_nothing_of_chat(error: &TelegramCallError) -> bool {
    match error {
        TelegramCallError::Api { retry_after: Some(secs), .. } => *secs <= SHORT_WAIT_S,
        TelegramCallError::Network(_) | TelegramCallError::RateLimited(_) => true,
        error => is_topic_gone(error) || error.description_contains(TOPIC_CLOSED),
    }
}

/// Why a private message was not delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undelivered {
    /// For a reason that will pass.
    ForNow,
    /// It cannot be delivered in this way.
    Refused,
}

impl Undelivered {
    /// Returns the kind of this error.
    pub(super) fn from_error(error: &TelegramCallError) -> Self {
        match error.is_transient() {
            true => Self::ForNow,
            false => Self::Refused,
        }
    }
}

/// Sends ephemeral messages.
pub(super) struct EphemeralSender {
    pub(super) api: BotApi,
    /// The id of the bot.
    pub(super) bot: i64,
    pub(super) sender: Arc<MessageSender>,
    pub(super) chats: Arc<ChatState>,
    pub(super) members: ChatMembers,
    pub(super) support: Arc<EphemeralSupport>,
    pub(super) handler: Arc<HandlerReports>,
}

impl EphemeralSender {
    /// Whether an ephemeral message is likely to work as the reply to a press in this chat.
    pub(super) fn can_show_buttons(&self, chat: i64) -> bool {
        self.support.is_confirmed()
            && !self.chats.lock().are_ephemerals_failing(chat)
            && !self.handler.are_hands_limited(chat)
            && chat != UNKNOWN_TARGET.chat
    }

    /// Replies with an ephemeral message. Where one with a secret fails, alerts show the cards for
    /// some minutes.
    ///
    /// # Errors
    /// Why it was not delivered.
    pub(super) async fn answer(
        &self,
        origin: &UpdateOrigin,
        person: i64,
        reply: &EphemeralReply,
    ) -> Result<TelegramMessageHandle, Undelivered> {
        let message = &reply.message;
        let secret = reply.is_secret();
        let priority = reply.priority();
        if secret && origin.query.is_some() && !self.handler.has_hand_budget(origin.chat, priority)
        {
            if priority == HandPriority::ToMove {
                self.handler.report_capabilities_changed(origin);
            }
            return Err(Undelivered::Refused);
        }
        let could = self.can_show_buttons(origin.chat);
        let sent = self.send(origin, person, message, secret).await;
        if !matches!(sent, Ok(None) | Err(TelegramCallError::RateLimited(_))) {
            self.handler.report_private_call(origin.chat);
        }
        let passes = sent.as_ref().is_err_and(says_nothing_of_chat);
        let sent = match sent {
            Ok(sent) => sent.ok_or(Undelivered::Refused),
            Err(error) => Err(Undelivered::from_error(&error)),
        };
        if sent.is_err() && secret && !passes && could && origin.query.is_some() {
            self.chats.record_ephemeral_failure(origin.chat).await;
            self.handler.report_capabilities_changed(origin);
        }
        sent
    }

    /// Sends a message that only one member of the group sees. Any bot may do so in reply to a
    /// press or to a command that only it saw; an admin at any time. `None` if that is not possible
    /// now.
    ///
    /// # Errors
    /// A temporary failure, or a refusal by the server.
    pub(super) async fn send(
        &self,
        origin: &UpdateOrigin,
        person: i64,
        message: &PrivateMessage,
        secret: bool,
    ) -> Result<Option<TelegramMessageHandle>, TelegramCallError> {
        if self.support.is_ruled_out() || origin.is_chat_unknown() {
            return Ok(None);
        }
        let way = EphemeralReceiver::new(person);
        let mut receiver = json!({ "receiver_user_id": way.person() });
        let mut extra = Map::new();
        // The receiver is sent in two forms: a server of version 10.2 knows only the bare fields
        // and ignores the object of 10.3, which would make the message public.
        extra.insert("receiver_user_id".to_owned(), json!(way.person()));
        if let Some(query) = &origin.query {
            receiver["callback_query_id"] = json!(query);
            extra.insert("callback_query_id".to_owned(), json!(query));
        } else if let Some(id) = origin.ephemeral {
            let parameters = json!({ "ephemeral_message_id": id });
            extra.insert("reply_parameters".to_owned(), parameters);
        } else if !self.members.is_admin(origin.chat, self.bot).await {
            return Ok(None);
        }
        if !self.support.can_try(secret).await {
            return Ok(None);
        }
        extra.insert("ephemeral_message_parameters".to_owned(), receiver);
        let here = TelegramTarget { chat: origin.chat, thread: origin.thread };
        let message = message.for_reader(&way);
        let message = match origin.ephemeral {
            Some(_) => OutgoingMessage { reply_to: None, ..message.clone() },
            None => message.clone(),
        };
        match self.sender.send_message(here, &message, extra).await {
            Ok(sent) => {
                match TelegramMessageHandle::from_sent((origin.chat, person), &message, &sent) {
                    Some(now) => Ok(Some(now)),
                    None => {
                        self.delete_leaked_message(origin.chat, &sent).await;
                        Ok(None)
                    }
                }
            }
            Err(error) => {
                tracing::debug!(chat = origin.chat, %error, "failed to send an ephemeral message");
                Err(error)
            }
        }
    }

    /// Deletes a message that the server has shown to everybody because it does not understand
    /// private messages, and stops using them.
    async fn delete_leaked_message(&self, chat: i64, sent: &TelegramSentMessage) {
        self.support.rule_out();
        let id = teloxide::types::MessageId(sent.message_id);
        if let Err(error) =
            self.api.call::<bool>(&DeleteMessage::new(TelegramChatId(chat), id)).await
        {
            tracing::error!(chat, %error, "failed to delete a private reply that became public");
        }
    }
}
