//! A message of a table in a place: public, or for the only person who reads the place.

use super::boards::Sending;
use caravanserai_games::ids::MessageId;
use caravanserai_protocol::{Button, Outgoing, PrivateMessage, SendError, without_media};

/// What is posted or edited in a place, with its audience.
#[derive(Clone)]
pub(super) enum Message {
    /// All people in the place may read it.
    Public(Outgoing),
    /// Only the person of a private chat may read it.
    Private(PrivateMessage),
}

impl From<Outgoing> for Message {
    fn from(message: Outgoing) -> Self {
        Message::Public(message)
    }
}

impl Message {
    /// Changes the message; its audience stays.
    #[must_use]
    pub(super) fn map(self, change: impl FnOnce(Outgoing) -> Outgoing) -> Self {
        match self {
            Message::Public(message) => Message::Public(change(message)),
            Message::Private(message) => Message::Private(message.map(change)),
        }
    }

    /// Its rows of buttons.
    pub(super) fn buttons(&self) -> &[Vec<Button>] {
        match self {
            Message::Public(message) => &message.buttons,
            Message::Private(message) => message.buttons(),
        }
    }

    /// The message without its picture and file; `None` if it has none.
    pub(super) fn in_words(&self) -> Option<Self> {
        let has_media = match self {
            Message::Public(message) => message.image.is_some() || message.file.is_some(),
            Message::Private(message) => message.image().is_some() || message.file().is_some(),
        };
        has_media.then(|| self.clone().map(|it| without_media(&it)))
    }
}

impl Sending<'_> {
    /// Posts a message to its audience.
    pub(super) async fn post(&self, message: &Message) -> Result<MessageId, SendError> {
        match message {
            Message::Public(message) => self.platform.post(self.place, message).await,
            Message::Private(message) => self.platform.post_private(self.place, message).await,
        }
    }

    /// Makes a message of the place show this instead.
    pub(super) async fn edit(&self, id: &MessageId, message: &Message) -> Result<(), SendError> {
        match message {
            Message::Public(message) => self.platform.edit(self.place, id, message).await,
            Message::Private(message) => self.platform.edit_private(self.place, id, message).await,
        }
    }
}
