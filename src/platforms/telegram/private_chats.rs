//! Sends messages into the private chats of people.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, json};

use super::bot_api::{BotApi, TelegramCallError};
use super::chat_state::ChatState;
use super::private_readers::TelegramPrivateChat;
use super::replaceable_messages::TelegramMessageHandle;
use super::send::{
    MessageSender, TelegramSentMessage, TelegramTarget, is_topic_gone, send_error, to_chat_id,
};
use caravanserai_games::ids::ChatId;
use caravanserai_protocol::{OutgoingMessage, PrivateMessage, SendError};

/// The longest wait in seconds that Telegram may ask for before a private reply is given up.
const RETRY_WAIT_MAX_S: u64 = 10;

/// The private chats between the bot and people.
pub(super) struct PrivateChatSender {
    api: BotApi,
    sender: Arc<MessageSender>,
    chats: Arc<ChatState>,
}

impl PrivateChatSender {
    /// Sends with this sender, and remembers in these chats who cannot be reached.
    pub(super) fn new(api: BotApi, sender: Arc<MessageSender>, chats: Arc<ChatState>) -> Self {
        Self { api, sender, chats }
    }

    /// Sends a reply that has no other way and that no outbox repeats: retries once if the failed
    /// call had no effect.
    pub(super) async fn send_with_retries(
        &self,
        chat: TelegramPrivateChat,
        thread: Option<i32>,
        message: &PrivateMessage,
    ) -> Result<TelegramSentMessage, TelegramCallError> {
        let first = self.send((chat, thread), message).await;
        let pause_secs = match &first {
            Err(TelegramCallError::Api { retry_after: Some(secs), .. })
                if *secs <= RETRY_WAIT_MAX_S =>
            {
                *secs
            }
            Err(TelegramCallError::RateLimited(_)) => 1,
            Err(TelegramCallError::Api { code: 500.., .. }) => 0,
            _ => return first,
        };
        tokio::time::sleep(Duration::from_secs(pause_secs)).await;
        self.send((chat, thread), message).await
    }

    /// Sends a message into a private chat, or a topic of it, once. Where the topic is gone, the
    /// reader finds the message in the chat.
    pub(super) async fn send(
        &self,
        (chat, thread): (TelegramPrivateChat, Option<i32>),
        message: &PrivateMessage,
    ) -> Result<TelegramSentMessage, TelegramCallError> {
        let message = message.for_reader(&chat);
        let here = TelegramTarget { thread, ..chat.target() };
        match self.sender.send_message(here, message, Map::new()).await {
            Err(error) if thread.is_some() && is_topic_gone(&error) => {
                self.sender.send_message(chat.target(), message, Map::new()).await
            }
            other => other,
        }
    }

    /// Sends a message into the private chat with a person.
    pub(super) async fn send_to_person(
        &self,
        person: i64,
        message: &PrivateMessage,
    ) -> Result<TelegramMessageHandle, TelegramCallError> {
        let refused = |text: &str| TelegramCallError::Api {
            code: 403,
            text: text.to_owned(),
            retry_after: None,
            migrate_to: None,
        };
        let known = self.chats.lock().is_unreachable(person);
        if known {
            return Err(refused("the person is known not to be reachable"));
        }
        let chat = TelegramPrivateChat::from_chat_id(person)
            .ok_or_else(|| refused("it is no private chat"))?;
        // A message in the private chat cannot reply to a message of the group.
        let message = OutgoingMessage { reply_to: None, ..message.for_reader(&chat).clone() };
        let sent = self.sender.send_message(chat.target(), &message, Map::new()).await;
        if let Err(error) = &sent
            && (error.code() == Some(403) || error.description_contains("chat not found"))
        {
            self.chats.lock().set_reachable(person, false);
        }
        TelegramMessageHandle::from_sent((person, person), &message, &sent?)
            .ok_or_else(|| refused("it is no private chat"))
    }

    /// Returns the private chat with a person if they let the bot write there. Asks by a chat
    /// action, which shows no message.
    pub(super) async fn open(&self, person: i64) -> Result<ChatId, SendError> {
        let there = TelegramTarget { chat: person, thread: None };
        let fields = [("chat_id", json!(person)), ("action", json!("typing"))];
        let fields = fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        match self.api.call_method::<bool>("sendChatAction", fields).await {
            Ok(_) => {
                self.chats.lock().set_reachable(person, true);
                Ok(to_chat_id(person, None))
            }
            Err(error) => Err(match send_error(error, there) {
                // A person unknown to the bot has not begun the chat.
                SendError::MessageGone | SendError::Refused(_) => SendError::NotAllowed,
                other => other,
            }),
        }
    }
}
