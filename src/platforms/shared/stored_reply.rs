//! A private answer that waits to be opened: as a small row, drawn when it is opened.

use serde::{Deserialize, Serialize};

use caravanserai_games::text::{RichSpan, RichText};
use caravanserai_protocol::view::View;
use caravanserai_protocol::{Button, Chat, EphemeralReply, OutgoingMessage, Person, UpdateHandler};

/// What is kept of a private answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StoredReply {
    /// What it says, in no language and without a picture.
    Note(Box<View>),
    /// Its words, if nothing else is known of it.
    Words(Box<StoredReplyText>),
}

/// An answer without its picture and file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredReplyText {
    text: RichText,
    buttons: Vec<Vec<Button>>,
    brief: bool,
    slot: Option<String>,
    secret: bool,
}

impl StoredReply {
    /// Keeps an answer.
    pub fn from_whisper(whisper: &EphemeralReply) -> Self {
        if let Some(note) = &whisper.view {
            return StoredReply::Note(note.clone());
        }
        let mut text = whisper.message.text().clone();
        if let Some(image) = whisper.message.image().filter(|it| !it.alt.is_empty()) {
            text.0.push(RichSpan::Plain(format!("\n\n{}", image.alt)));
        }
        StoredReply::Words(Box::new(StoredReplyText {
            text,
            buttons: whisper.message.buttons().to_vec(),
            brief: whisper.brief,
            slot: whisper.slot.clone(),
            secret: whisper.secret,
        }))
    }

    /// The answer for the one who opens it; `None` if it is not for them any more.
    pub async fn render(
        self,
        listener: &dyn UpdateHandler,
        place: &Chat,
        person: &Person,
    ) -> Option<EphemeralReply> {
        match self {
            StoredReply::Note(note) => listener.rerender(place, person, *note).await,
            StoredReply::Words(words) => {
                let StoredReplyText { text, buttons, brief, slot, secret } = *words;
                let message =
                    OutgoingMessage { text, buttons, ..OutgoingMessage::default() }.into();
                Some(EphemeralReply { message, brief, slot, secret, ..EphemeralReply::default() })
            }
        }
    }
}
