//! Defines a message for a single reader, as a type that public send functions do not accept.

use super::{Attachment, Button, Image, OutgoingMessage, SendError};
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::RichText;

/// A way of sending in which exactly one person reads the message: an ephemeral answer, or a chat
/// with a single reader. Adapters implement it only for types that they construct after checking
/// this.
pub trait SingleReader {}

/// Proof that the platform has named the single reader of a chat.
pub(super) struct ProvenReader(());

impl SingleReader for ProvenReader {}

impl ProvenReader {
    /// Returns the proof if the chat has a single reader.
    pub(super) fn of(reader: Option<PersonId>) -> Result<Self, SendError> {
        reader.map(|_| ProvenReader(())).ok_or(SendError::NotAllowed)
    }
}

/// A message that only one person may read, such as a hand.
///
/// Every message can be made private, but not the other way round: the content is available only
/// for a [`SingleReader`]. [`Platform::post`](super::Platform::post) and
/// [`Platform::edit`](super::Platform::edit), which show a message to everybody in a chat, do not
/// accept it.
///
/// # Examples
///
/// ```
/// use caravanserai_games::ids::ChatId;
/// use caravanserai_protocol::{Platform, PrivateMessage};
///
/// async fn show(platform: &dyn Platform, chat: &ChatId, hand: &PrivateMessage) {
///     platform.post_private(chat, hand).await.ok();
/// }
/// ```
///
/// ```compile_fail
/// use caravanserai_games::ids::ChatId;
/// use caravanserai_protocol::{Platform, PrivateMessage};
///
/// async fn show(platform: &dyn Platform, chat: &ChatId, hand: &PrivateMessage) {
///     platform.post(chat, hand).await.ok();
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrivateMessage(OutgoingMessage);

impl From<OutgoingMessage> for PrivateMessage {
    fn from(message: OutgoingMessage) -> Self {
        PrivateMessage(message)
    }
}

impl PrivateMessage {
    /// Returns the content, to be sent to the single reader.
    pub fn for_reader(&self, _way: &impl SingleReader) -> &OutgoingMessage {
        &self.0
    }

    /// Changes the message; it stays private.
    #[must_use]
    pub fn map(self, change: impl FnOnce(OutgoingMessage) -> OutgoingMessage) -> Self {
        PrivateMessage(change(self.0))
    }

    /// The text of the message.
    pub fn text(&self) -> &RichText {
        &self.0.text
    }

    /// The rows of buttons.
    pub fn buttons(&self) -> &[Vec<Button>] {
        &self.0.buttons
    }

    /// The picture above the text.
    pub fn image(&self) -> Option<&Image> {
        self.0.image.as_ref()
    }

    /// The attached file.
    pub fn file(&self) -> Option<&Attachment> {
        self.0.file.as_ref()
    }

    /// Whether the message is text only, as a toast is.
    pub fn is_text_only(&self) -> bool {
        self.0.image.is_none() && self.0.file.is_none() && self.0.buttons.is_empty()
    }
}
