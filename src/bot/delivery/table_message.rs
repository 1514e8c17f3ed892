//! A message of a table in a chat: public, or for the only person who reads the chat.

use super::board_message::SendContext;
use caravanserai_games::ids::MessageId;
use caravanserai_protocol::{Button, OutgoingMessage, PrivateMessage, SendError, without_media};

/// A message to post or edit in a chat, with its audience.
#[derive(Clone)]
pub(super) enum TableMessage {
    /// All people in the chat may read it.
    Public(OutgoingMessage),
    /// Only the person of a private chat may read it.
    Private(PrivateMessage),
}

impl From<OutgoingMessage> for TableMessage {
    fn from(message: OutgoingMessage) -> Self {
        TableMessage::Public(message)
    }
}

impl TableMessage {
    /// Changes the message; its audience stays.
    #[must_use]
    pub(super) fn map_content(
        self,
        change: impl FnOnce(OutgoingMessage) -> OutgoingMessage,
    ) -> Self {
        match self {
            TableMessage::Public(message) => TableMessage::Public(change(message)),
            TableMessage::Private(message) => TableMessage::Private(message.map(change)),
        }
    }

    /// The rows of buttons of the message.
    pub(super) fn buttons(&self) -> &[Vec<Button>] {
        match self {
            TableMessage::Public(message) => &message.buttons,
            TableMessage::Private(message) => message.buttons(),
        }
    }

    /// The message without its picture and file; `None` if it has none.
    pub(super) fn without_attachments(&self) -> Option<Self> {
        let has_media = match self {
            TableMessage::Public(message) => message.image.is_some() || message.file.is_some(),
            TableMessage::Private(message) => message.image().is_some() || message.file().is_some(),
        };
        has_media.then(|| self.clone().map_content(|it| without_media(&it)))
    }
}

impl SendContext<'_> {
    /// Posts a message to its audience.
    pub(super) async fn post_message(
        &self,
        message: &TableMessage,
    ) -> Result<MessageId, SendError> {
        let posted = match message {
            TableMessage::Public(message) => {
                self.counted(self.platform.post(self.chat, message)).await
            }
            TableMessage::Private(message) => {
                self.counted(self.platform.post_private(self.chat, message)).await
            }
        };
        self.record_answer(&posted);
        posted
    }

    /// Replaces a message of the chat by this one.
    pub(super) async fn edit_message(
        &self,
        id: &MessageId,
        message: &TableMessage,
    ) -> Result<(), SendError> {
        let edited = match message {
            TableMessage::Public(message) => {
                self.counted(self.platform.edit(self.chat, id, message)).await
            }
            TableMessage::Private(message) => {
                self.counted(self.platform.edit_private(self.chat, id, message)).await
            }
        };
        self.record_answer(&edited);
        edited
    }

    /// Deletes a message of the chat.
    pub(super) async fn delete_message(&self, id: &MessageId) -> Result<(), SendError> {
        self.counted(self.platform.delete(self.chat, id)).await
    }

    /// Makes a call to the chat, which counts towards the limit of the chat unless the adapter does
    /// not make it.
    pub(super) async fn counted<T>(
        &self,
        call: impl Future<Output = Result<T, SendError>>,
    ) -> Result<T, SendError> {
        let per_minute = self.platform.call_limit_per_minute(self.chat);
        let now_ms = self.delivery.repository.time_source().monotonic_ms();
        // Before the call, so that nobody makes another one meanwhile.
        self.delivery.rate_limits.record_call(self.chat.without_topic(), per_minute, now_ms);
        let made = call.await;
        if matches!(made, Err(SendError::OverBudget(_))) {
            self.delivery.rate_limits.retract_call(self.chat.without_topic());
        }
        made
    }

    /// Records for the circuit breaker that the platform has answered a call. A rate limit may be
    /// that of this process, without any call.
    pub(super) fn record_answer<T>(&self, result: &Result<T, SendError>) {
        if !result.as_ref().is_err_and(SendError::is_transient) {
            self.delivery.circuit_breaker.record_answer(self.platform.name());
        }
    }
}
