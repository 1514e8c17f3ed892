//! A message that one person alone may read, as a type that calls for everybody do not accept.

use super::{Attachment, Button, Image, OutgoingMessage, SendError};
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::RichText;

/// A way of sending by which one person alone reads a message: an ephemeral answer, a chat with a
/// single reader. Adapters implement it for types that they make only after they have checked that.
pub trait SingleReader {}

/// Proof that a platform has named the one person who reads a place.
pub(super) struct ProvenReader(());

impl SingleReader for ProvenReader {}

impl ProvenReader {
    /// The proof, if there is such a person.
    pub(super) fn of(reader: Option<PersonId>) -> Result<Self, SendError> {
        reader.map(|_| ProvenReader(())).ok_or(SendError::NotAllowed)
    }
}

/// A message that one person alone may read, such as a hand.
///
/// Every message may be made private, but not the other way round: the content is given only for
/// a [`SingleReader`]. [`Platform::post`](super::Platform::post) and
/// [`Platform::edit`](super::Platform::edit), which show something to everybody in a place, do not
/// accept it.
///
/// # Examples
///
/// ```
/// use caravanserai_games::ids::PlaceId;
/// use caravanserai_protocol::{Platform, PrivateMessage};
///
/// async fn show(platform: &dyn Platform, place: &PlaceId, hand: &PrivateMessage) {
///     platform.post_private(place, hand).await.ok();
/// }
/// ```
///
/// ```compile_fail
/// use caravanserai_games::ids::PlaceId;
/// use caravanserai_protocol::{Platform, PrivateMessage};
///
/// async fn show(platform: &dyn Platform, place: &PlaceId, hand: &PrivateMessage) {
///     platform.post(place, hand).await.ok();
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
    /// The content, to be sent this way.
    pub fn for_reader(&self, _way: &impl SingleReader) -> &OutgoingMessage {
        &self.0
    }

    /// Changes the message; it stays private.
    #[must_use]
    pub fn map(self, change: impl FnOnce(OutgoingMessage) -> OutgoingMessage) -> Self {
        PrivateMessage(change(self.0))
    }

    /// What it says.
    pub fn text(&self) -> &RichText {
        &self.0.text
    }

    /// Its rows of buttons.
    pub fn buttons(&self) -> &[Vec<Button>] {
        &self.0.buttons
    }

    /// The picture above the words.
    pub fn image(&self) -> Option<&Image> {
        self.0.image.as_ref()
    }

    /// Its file.
    pub fn file(&self) -> Option<&Attachment> {
        self.0.file.as_ref()
    }

    /// Whether it consists of words alone, as a passing note does.
    pub fn is_text_only(&self) -> bool {
        self.0.image.is_none() && self.0.file.is_none() && self.0.buttons.is_empty()
    }
}
