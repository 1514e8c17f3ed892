//! Private messages that take each other's place: the hand at a table, the pages of a panel.

use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::Telegram;
use super::api::{CallError, UPLOAD};
use super::markup::{CAPTION_MAX, TEXT_MAX, entities, utf16};
use super::privately::ephemeral;
use super::send::{Sent, Target, picture, place, send_error, unknown_file};
use caravanserai_games::ids::MessageId;
use caravanserai_protocol::{Image, Outgoing, PrivateMessage, SendError, without_media};

/// A private message that stands somewhere.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Standing {
    /// The group in which only one person sees it, or their private chat.
    chat: i64,
    /// Who sees it.
    person: i64,
    id: PrivateId,
    /// Whether a picture stands above its words.
    pictured: bool,
}

/// How Telegram counts a private message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum PrivateId {
    /// Among those that one member of a group sees.
    Ephemeral(i64),
    /// Among those of a private chat.
    Chat(i32),
}

impl Standing {
    /// What was sent so that only this person sees it; `None` if everybody in the group does.
    pub(super) fn of(chat: i64, person: i64, sent: &Sent) -> Option<Self> {
        let id = match sent.ephemeral_message_id {
            Some(id) => PrivateId::Ephemeral(id),
            None if chat == person => PrivateId::Chat(sent.message_id),
            None => return None,
        };
        Some(Self { chat, person, id, pictured: sent.pictured() })
    }

    /// The ephemeral message under which a button was pressed, if it was one.
    pub(super) fn under(query: &Value) -> Option<Self> {
        let message = query.get("message")?;
        let id = PrivateId::Ephemeral(message["ephemeral_message_id"].as_i64()?);
        let (chat, person) = (message["chat"]["id"].as_i64()?, query["from"]["id"].as_i64()?);
        Some(Self { chat, person, id, pictured: message.get("photo").is_some() })
    }

    /// Where it stands.
    pub(super) fn chat(&self) -> i64 {
        self.chat
    }

    /// What tells it from every other message that stands now.
    pub(super) fn key(&self) -> (i64, i64, PrivateId) {
        (self.chat, self.person, self.id)
    }

    /// A private answer in a private chat.
    pub(super) fn answer(chat: i64, message: i32, pictured: bool) -> Self {
        Self { chat, person: chat, id: PrivateId::Chat(message), pictured }
    }

    /// Whether a picture stands above its words.
    pub(super) fn is_pictured(&self) -> bool {
        self.pictured
    }

    /// Whether it is the same message.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Telegram {
    /// Makes a private message show this instead. Nobody else can see it whatever goes wrong: a
    /// server that knows no ephemeral messages knows no method to edit them.
    ///
    /// # Errors
    /// [`SendError::MessageGone`] also when it cannot become what is wanted.
    pub(super) async fn replace(
        &self,
        old: Standing,
        message: &PrivateMessage,
    ) -> Result<Standing, SendError> {
        let message = message.for_reader(&old);
        if message.file.is_some() {
            return Err(SendError::MessageGone);
        }
        let pictured = match old.id {
            PrivateId::Chat(id) => {
                let id = MessageId(id.to_string());
                self.edit_at(&place(old.chat, None), &id, message).await?;
                old.pictured || message.image.is_some()
            }
            PrivateId::Ephemeral(id) => match self.edit_ephemeral(old, id, message).await {
                Ok(pictured) => pictured,
                Err(error) => {
                    if error.code() == Some(404) {
                        self.ephemerals.store(ephemeral::NO, Ordering::Relaxed);
                    }
                    let here = Target { chat: old.chat, thread: None };
                    return Err(match error.passes() {
                        true => send_error(error, here),
                        false => SendError::MessageGone,
                    });
                }
            },
        };
        Ok(Standing { pictured, ..old })
    }

    /// Tells whether a picture stands above the words afterwards.
    async fn edit_ephemeral(
        &self,
        old: Standing,
        id: i64,
        message: &Outgoing,
    ) -> Result<bool, CallError> {
        let mut fields = self.markup(message);
        fields.insert("chat_id".to_owned(), json!(old.chat));
        fields.insert("receiver_user_id".to_owned(), json!(old.person));
        fields.insert("ephemeral_message_id".to_owned(), json!(id));
        let barred = self.bars_media(old.chat);
        let (done, pictured) = match &message.image {
            Some(image) if !barred => (self.edit_media(fields, message, image).await, true),
            Some(_) => {
                let bare = without_media(message);
                (self.edit_said(fields, &bare, old.pictured, true).await, old.pictured)
            }
            None => (self.edit_said(fields, message, old.pictured, false).await, old.pictured),
        };
        match done {
            Err(error) if !error.says("message is not modified") => Err(error),
            _ => Ok(pictured),
        }
    }

    async fn edit_media(
        &self,
        fields: Map<String, Value>,
        message: &Outgoing,
        image: &Image,
    ) -> Result<(), CallError> {
        let content: [u8; 32] = Sha256::digest(image.png.as_slice()).into();
        let (text, marks) = entities(&message.text, CAPTION_MAX);
        let with = |file: String| {
            let media = json!({
                "type": "photo", "media": file, "caption": text, "caption_entities": marks,
            });
            let mut fields = fields.clone();
            fields.insert("media".to_owned(), media);
            fields
        };
        const METHOD: &str = "editEphemeralMessageMedia";
        let known = self.memory().file(&content);
        if let Some(known) = known {
            match self.api.named::<bool>(METHOD, with(known)).await {
                Err(error) if unknown_file(&error) => self.memory().keep_file(content, None),
                other => return other.map(drop),
            }
        }
        let fields = with(format!("attach://{UPLOAD}"));
        let upload = Some(picture(&image.png));
        self.api.named_with::<bool>(METHOD, fields, upload).await.map(drop)
    }

    /// The words of an ephemeral message. An old picture above them stays, which is wrong for
    /// words that stand for another picture.
    async fn edit_said(
        &self,
        mut fields: Map<String, Value>,
        message: &Outgoing,
        pictured: bool,
        instead: bool,
    ) -> Result<(), CallError> {
        if pictured && (instead || utf16(&message.text.to_plain()) > CAPTION_MAX) {
            let text = "it needs a message of its own".to_owned();
            return Err(CallError::Api { code: 400, text, retry_after: None, migrate_to: None });
        }
        let (method, words, list, most) = match pictured {
            true => ("editEphemeralMessageCaption", "caption", "caption_entities", CAPTION_MAX),
            false => ("editEphemeralMessageText", "text", "entities", TEXT_MAX),
        };
        let (text, marks) = entities(&message.text, most);
        fields.insert(words.to_owned(), json!(text));
        fields.insert(list.to_owned(), json!(marks));
        self.api.named::<bool>(method, fields).await.map(drop)
    }

    /// Takes private messages away that a newer one has replaced, all but that one.
    pub(super) async fn clear(&self, old: impl IntoIterator<Item = Standing>, now: Standing) {
        let mut gone: Vec<Standing> = Vec::new();
        for old in old {
            if old.is(&now) || gone.iter().any(|it| it.is(&old)) {
                continue;
            }
            gone.push(old);
            // Deletions do not count towards the limits of chats.
            let done = match old.id {
                PrivateId::Chat(id) => {
                    let id = MessageId(id.to_string());
                    self.delete_at(&place(old.chat, None), &id).await
                }
                PrivateId::Ephemeral(id) => self.delete_ephemeral(old, id).await,
            };
            if let Err(error) = done {
                tracing::debug!(chat = old.chat, %error, "an old private message stays");
            }
        }
    }

    async fn delete_ephemeral(&self, old: Standing, id: i64) -> Result<(), SendError> {
        let mut fields = Map::new();
        fields.insert("chat_id".to_owned(), json!(old.chat));
        fields.insert("receiver_user_id".to_owned(), json!(old.person));
        fields.insert("ephemeral_message_id".to_owned(), json!(id));
        let here = Target { chat: old.chat, thread: None };
        let done = self.api.named::<bool>("deleteEphemeralMessage", fields).await;
        done.map(drop).map_err(|error| send_error(error, here))
    }
}
