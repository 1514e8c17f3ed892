//! Replaces private messages by newer ones: the hand at a table, the pages of a menu.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::{Mutex, MutexGuard};

use super::bot_api::{ATTACHED, BotApi, TelegramCallError};
use super::ephemeral_support::EphemeralSupport;
use super::markup::{CAPTION_MAX, utf16_len};
use super::send::{
    MessageSender, TelegramSentMessage, TelegramTarget, picture_upload, send_error, to_chat_id,
};
use caravanserai_games::ids::MessageId;
use caravanserai_protocol::{Image, OutgoingMessage, PrivateMessage, SendError, without_media};

/// How many locks all private messages share.
const EDIT_LOCKS: u64 = 256;

/// A private message that was sent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct TelegramMessageHandle {
    /// The group in which only one person sees it, or their private chat.
    chat: i64,
    /// The person who sees it.
    person: i64,
    id: PrivateMessageId,
    /// Whether the message has an image.
    pictured: bool,
    /// The fingerprint of its picture and buttons; 0 if it is unknown.
    #[serde(default)]
    content: u64,
}

/// The id of a private message, in one of Telegram's two numberings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum PrivateMessageId {
    /// In the numbering of ephemeral messages.
    Ephemeral(i64),
    /// In the numbering of the private chat.
    Chat(i32),
}

impl TelegramMessageHandle {
    /// Creates the handle of a sent message; `None` if it is not private.
    pub(super) fn from_sent(
        (chat, person): (i64, i64),
        message: &OutgoingMessage,
        sent: &TelegramSentMessage,
    ) -> Option<Self> {
        let id = match sent.ephemeral_message_id {
            Some(id) => PrivateMessageId::Ephemeral(id),
            None if chat == person => PrivateMessageId::Chat(sent.message_id),
            None => return None,
        };
        let pictured = sent.has_picture();
        let content = content_fingerprint(message);
        Some(Self { chat, person, id, pictured, content })
    }

    /// Returns the ephemeral message whose button was pressed, if it was one.
    pub(super) fn from_pressed(query: &Value) -> Option<Self> {
        let message = query.get("message")?;
        let id = PrivateMessageId::Ephemeral(message["ephemeral_message_id"].as_i64()?);
        let chat = message["chat"]["id"].as_i64()?;
        let person = query["from"]["id"].as_i64()?;
        Some(Self { chat, person, id, pictured: message.get("photo").is_some(), content: 0 })
    }

    /// Returns the chat of the message.
    pub(super) fn chat(&self) -> i64 {
        self.chat
    }

    /// Returns the key that is unique among existing messages.
    pub(super) fn key(&self) -> (i64, i64, PrivateMessageId) {
        (self.chat, self.person, self.id)
    }

    /// Creates the handle of a private reply in a private chat.
    pub(super) fn in_private_chat(chat: i64, message: i32, pictured: bool) -> Self {
        Self { chat, person: chat, id: PrivateMessageId::Chat(message), pictured, content: 0 }
    }

    /// Whether the message has an image.
    pub(super) fn has_picture(&self) -> bool {
        self.pictured
    }

    /// Whether the message shows the picture and the buttons of this one.
    pub(super) fn has_content_of(&self, message: &PrivateMessage) -> bool {
        self.content != 0 && self.content == content_fingerprint(message.for_reader(self))
    }

    /// Whether both refer to the same message.
    pub(super) fn is_same_message(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

/// Edits and deletes private messages.
pub(super) struct ReplaceableMessages {
    pub(super) api: BotApi,
    pub(super) sender: Arc<MessageSender>,
    pub(super) support: Arc<EphemeralSupport>,
    pub(super) edits: EditLocks,
}

/// Locks that all private messages share: a message has one edit under way at a time. The hand that
/// is sent after a move and the answer to a press may replace the same message.
pub(super) struct EditLocks(Vec<Mutex<()>>);

impl Default for EditLocks {
    fn default() -> Self {
        EditLocks((0..EDIT_LOCKS).map(|_| Mutex::default()).collect())
    }
}

impl EditLocks {
    /// Waits until no edit of this message is under way.
    async fn lock(&self, message: TelegramMessageHandle) -> MutexGuard<'_, ()> {
        let mut hasher = DefaultHasher::new();
        message.key().hash(&mut hasher);
        let number = usize::try_from(hasher.finish() % EDIT_LOCKS).unwrap_or_default();
        self.0[number].lock().await
    }
}

impl ReplaceableMessages {
    /// Edits a private message, after an edit of it that is under way. Nobody else can see the
    /// content even if this fails: a server that does not support ephemeral messages has no method
    /// to edit them.
    ///
    /// # Errors
    /// [`SendError::MessageGone`] also when the message cannot be changed into the new one.
    pub(super) async fn replace(
        &self,
        old: TelegramMessageHandle,
        message: &PrivateMessage,
    ) -> Result<TelegramMessageHandle, SendError> {
        let message = message.for_reader(&old);
        if message.file.is_some() {
            return Err(SendError::MessageGone);
        }
        let _edit = self.edits.lock(old).await;
        let pictured = match old.id {
            PrivateMessageId::Chat(id) => {
                let id = MessageId(id.to_string());
                self.sender.edit_at(&to_chat_id(old.chat, None), &id, message).await?;
                old.pictured || message.image.is_some()
            }
            PrivateMessageId::Ephemeral(id) => match self.edit_ephemeral(old, id, message).await {
                Ok(pictured) => pictured,
                Err(error) => {
                    if error.code() == Some(404) {
                        self.support.rule_out();
                    }
                    let here = TelegramTarget { chat: old.chat, thread: None };
                    return Err(match error.is_transient() {
                        true => send_error(error, here),
                        false => SendError::MessageGone,
                    });
                }
            },
        };
        Ok(TelegramMessageHandle { pictured, content: content_fingerprint(message), ..old })
    }

    /// Edits an ephemeral message; returns whether it has an image afterwards.
    async fn edit_ephemeral(
        &self,
        old: TelegramMessageHandle,
        id: i64,
        message: &OutgoingMessage,
    ) -> Result<bool, TelegramCallError> {
        let mut fields = self.sender.keyboard_markup(message);
        fields.insert("chat_id".to_owned(), json!(old.chat));
        fields.insert("receiver_user_id".to_owned(), json!(old.person));
        fields.insert("ephemeral_message_id".to_owned(), json!(id));
        let barred = self.sender.is_media_barred(old.chat);
        let (done, pictured) = match &message.image {
            Some(image) if !barred => (self.edit_media(fields, message, image).await, true),
            Some(_) => {
                let bare = without_media(message);
                (self.edit_ephemeral_text(fields, &bare, old.pictured, true).await, old.pictured)
            }
            None => {
                (self.edit_ephemeral_text(fields, message, old.pictured, false).await, old.pictured)
            }
        };
        match done {
            Err(error) if !error.description_contains("message is not modified") => Err(error),
            _ => Ok(pictured),
        }
    }

    async fn edit_media(
        &self,
        fields: Map<String, Value>,
        message: &OutgoingMessage,
        image: &Image,
    ) -> Result<(), TelegramCallError> {
        let content: [u8; 32] = Sha256::digest(image.png.as_slice()).into();
        let with = |file: &str| {
            let mut fields = fields.clone();
            let media = self.sender.media_field("photo", file, &message.text);
            fields.insert("media".to_owned(), media);
            fields
        };
        const METHOD: &str = "editEphemeralMessageMedia";
        let with_id = async |file: String| self.api.call_method::<bool>(METHOD, with(&file)).await;
        if self.sender.try_known_file(content, with_id).await?.is_some() {
            return Ok(());
        }
        let fields = with(ATTACHED);
        let upload = Some(picture_upload(&image.png));
        self.api.call_method_with::<bool>(METHOD, fields, upload).await.map(drop)
    }

    /// Edits the text of an ephemeral message. An old image remains above it, which is wrong if the
    /// text replaces another image.
    async fn edit_ephemeral_text(
        &self,
        mut fields: Map<String, Value>,
        message: &OutgoingMessage,
        pictured: bool,
        instead: bool,
    ) -> Result<(), TelegramCallError> {
        if pictured && (instead || utf16_len(&message.text.to_plain()) > CAPTION_MAX) {
            let text = "it needs a message of its own".to_owned();
            return Err(TelegramCallError::Api {
                code: 400,
                text,
                retry_after: None,
                migrate_to: None,
            });
        }
        let (method, words) = match pictured {
            true => ("editEphemeralMessageCaption", self.sender.caption_fields(&message.text)),
            false => ("editEphemeralMessageText", self.sender.text_fields(&message.text)),
        };
        fields.extend(words);
        self.api.call_method::<bool>(method, fields).await.map(drop)
    }

    /// Deletes private messages that a newer one has replaced, except that one.
    pub(super) async fn delete_replaced(
        &self,
        old: impl IntoIterator<Item = TelegramMessageHandle>,
        now: TelegramMessageHandle,
    ) {
        let mut gone: Vec<TelegramMessageHandle> = Vec::new();
        for old in old {
            if old.is_same_message(&now) || gone.iter().any(|it| it.is_same_message(&old)) {
                continue;
            }
            gone.push(old);
            // Deletions do not count towards the rate limits of chats.
            let done = match old.id {
                PrivateMessageId::Chat(id) => {
                    let id = MessageId(id.to_string());
                    self.sender.delete_at(&to_chat_id(old.chat, None), &id).await
                }
                PrivateMessageId::Ephemeral(id) => self.delete_ephemeral(old, id).await,
            };
            if let Err(error) = done {
                tracing::debug!(chat = old.chat, %error, "failed to delete an old private message");
            }
        }
    }

    async fn delete_ephemeral(&self, old: TelegramMessageHandle, id: i64) -> Result<(), SendError> {
        let mut fields = Map::new();
        fields.insert("chat_id".to_owned(), json!(old.chat));
        fields.insert("receiver_user_id".to_owned(), json!(old.person));
        fields.insert("ephemeral_message_id".to_owned(), json!(id));
        let here = TelegramTarget { chat: old.chat, thread: None };
        let done = self.api.call_method::<bool>("deleteEphemeralMessage", fields).await;
        done.map(drop).map_err(|error| send_error(error, here))
    }
}

/// The fingerprint of the picture and the buttons of a message; 0 without buttons. The buttons of a
/// hand name its position, so a hand of another position has another fingerprint.
fn content_fingerprint(message: &OutgoingMessage) -> u64 {
    if message.buttons.is_empty() {
        return 0;
    }
    let mut digest = Sha256::new();
    for button in message.buttons.iter().flatten() {
        digest.update(format!("{button:?}\n"));
    }
    digest.update(message.image.as_ref().map_or(&[][..], |it| it.png.as_slice()));
    let digest: [u8; 32] = digest.finalize().into();
    let first = digest.first_chunk().expect("it has 32 bytes");
    u64::from_le_bytes(*first)
}
