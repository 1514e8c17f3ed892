//! Stores a private reply until its reader opens it: as a small row that is rendered when it is
//! opened.

use serde::{Deserialize, Serialize};

use caravanserai_games::text::{RichSpan, RichText};
use caravanserai_protocol::view::View;
use caravanserai_protocol::{
    Button, Chat, EphemeralReply, OutgoingMessage, Person, ReplyForm, UpdateHandler,
};

/// A stored private reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StoredReply {
    /// Its content, independent of language and without an image.
    Note(Box<View>),
    /// Its text, if there is no view.
    Words(Box<StoredReplyText>),
}

/// A reply without its image and file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredReplyText {
    text: RichText,
    buttons: Vec<Vec<Button>>,
    brief: bool,
    slot: Option<String>,
    secret: bool,
}

impl StoredReply {
    /// Converts a reply for storing.
    pub fn from_reply(reply: &EphemeralReply) -> Self {
        if let Some(note) = &reply.view {
            return StoredReply::Note(note.clone());
        }
        let mut text = reply.message.text().clone();
        if let Some(image) = reply.message.image().filter(|it| !it.alt.is_empty()) {
            text.0.push(RichSpan::Plain(format!("\n\n{}", image.alt)));
        }
        StoredReply::Words(Box::new(StoredReplyText {
            text,
            buttons: reply.message.buttons().to_vec(),
            brief: reply.form.is_toast(),
            slot: reply.slot.clone(),
            secret: reply.secret,
        }))
    }

    /// Renders those of these replies that are still valid for their reader.
    pub async fn render_valid(
        replies: Vec<Self>,
        handler: &dyn UpdateHandler,
        chat: &Chat,
        person: &Person,
    ) -> Vec<EphemeralReply> {
        let mut rendered = Vec::new();
        for reply in replies {
            rendered.extend(reply.render(handler, chat, person).await);
        }
        rendered
    }

    /// Renders the reply for its reader; `None` if it is not valid for them any more.
    pub async fn render(
        self,
        handler: &dyn UpdateHandler,
        chat: &Chat,
        person: &Person,
    ) -> Option<EphemeralReply> {
        match self {
            StoredReply::Note(note) => {
                handler.reply_renderer()?.rerender(chat, person, *note).await
            }
            StoredReply::Words(words) => {
                let StoredReplyText { text, buttons, brief, slot, secret } = *words;
                let message =
                    OutgoingMessage { text, buttons, ..OutgoingMessage::default() }.into();
                let form = ReplyForm::toast_if(brief);
                Some(EphemeralReply { message, form, slot, secret, ..EphemeralReply::default() })
            }
        }
    }
}
