//! A message of a table in a place: public, or for the only person who reads the place.

use super::board_message::SendContext;
use caravanserai_games::ids::MessageId;
use caravanserai_protocol::{Button, OutgoingMessage, PrivateMessage, SendError, without_media};

/// A message to post or edit in a place, with its audience.
#[derive(Clone)]
pub(super) enum TableMessage {
    /// All people in the place may read it.
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
            TableMessage::Public(message) => self.platform.post(self.place, message).await,
            TableMessage::Private(message) => self.platform.post_private(self.place, message).await,
        };
        self.record_answer(&posted);
        posted
    }

    /// Replaces a message of the place by this one.
    pub(super) async fn edit_message(
        &self,
        id: &MessageId,
        message: &TableMessage,
    ) -> Result<(), SendError> {
        let edited = match message {
            TableMessage::Public(message) => self.platform.edit(self.place, id, message).await,
            TableMessage::Private(message) => {
                self.platform.edit_private(self.place, id, message).await
            }
        };
        self.record_answer(&edited);
        edited
    }

    /// Records for the circuit breaker that the platform has answered a call. A rate limit may be
    /// that of this process, without any call.
    pub(super) fn record_answer<T>(&self, result: &Result<T, SendError>) {
        if !matches!(result, Err(SendError::Temporary(_) | SendError::RateLimited(_))) {
            self.delivery.circuit_breaker.record_answer(self.platform.name());
        }
    }
}
