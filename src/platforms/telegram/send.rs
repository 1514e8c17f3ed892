//! Posts, edits and deletes messages, and converts Bot API errors into [`SendError`]s.

use std::sync::Arc;
use std::time::Instant;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use teloxide::payloads::{
    DeleteMessage, EditMessageReplyMarkup, SendAnimation, SendAnimationSetters, SendDocument,
    SendDocumentSetters, SendMessage, SendMessageSetters, SendPhoto, SendPhotoSetters,
};
use teloxide::types::{
    ChatId as TelegramChatId, FileId, InputFile, MessageId as TelegramMessageId, ReplyParameters,
    ThreadId,
};

use super::bot_api::{ATTACHED, BotApi, TelegramCallError, TelegramUpload};
use super::chat_state::ChatState;
use super::identity::BotIdentity;
use super::inline::inline_message_id;
use super::markup::{
    CAPTION_ENTITIES, CAPTION_MAX, ENTITIES, TEXT_MAX, keyboard_json, to_entities,
};
use super::picture_chat::PictureChat;
use super::rights::is_media_forbidden;
use caravanserai_games::ids::{ChatId, MessageId};
use caravanserai_games::text::RichText;
use caravanserai_protocol::{OutgoingMessage, SendError, without_media};

/// Telegram's error when the text of an image message is edited as plain text.
pub(super) const NO_TEXT_ERROR: &str = "there is no text in the message to edit";
/// The error of older servers when a text is edited into an image.
pub(super) const NO_MEDIA_ERROR: &str = "there is no media in the message to edit";

/// Telegram's error in a topic where only admins write.
pub(super) const TOPIC_CLOSED: &str = "TOPIC_CLOSED";

/// A chat or a topic in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TelegramTarget {
    /// Telegram's chat id; private chats have positive ids, groups negative ones.
    pub(super) chat: i64,
    /// Telegram's topic id.
    pub(super) thread: Option<i32>,
}

/// The target of messages sent via inline mode: Telegram does not reveal the chat.
pub(super) const UNKNOWN_TARGET: TelegramTarget = TelegramTarget { chat: 0, thread: None };

/// Reads `tg:<chat>` or `tg:<chat>/<topic>`.
pub(super) fn parse_chat_id(chat_id: &ChatId) -> Option<TelegramTarget> {
    let rest = chat_id.0.strip_prefix("tg:")?;
    let (chat, thread) = match rest.split_once('/') {
        Some((chat, thread)) => (chat, Some(thread.parse().ok()?)),
        None => (rest, None),
    };
    Some(TelegramTarget { chat: chat.parse().ok()?, thread })
}

/// Builds the id of a chat.
pub(super) fn to_chat_id(chat: i64, thread: Option<i32>) -> ChatId {
    match thread {
        Some(thread) => ChatId(format!("tg:{chat}/{thread}")),
        None => ChatId(format!("tg:{chat}")),
    }
}

/// The relevant fields of a sent message.
#[derive(Debug, Deserialize)]
pub(super) struct TelegramSentMessage {
    /// 0 for an ephemeral message.
    pub(super) message_id: i32,
    /// Set if the message is ephemeral.
    pub(super) ephemeral_message_id: Option<i64>,
    #[serde(default)]
    photo: Vec<PhotoSize>,
}

impl TelegramSentMessage {
    /// Whether the message has an image.
    pub(super) fn has_picture(&self) -> bool {
        !self.photo.is_empty()
    }
}

#[derive(Debug, Deserialize)]
struct PhotoSize {
    file_id: String,
}

/// Builds a call that sends a file; the caption is not part of it.
macro_rules! file_call {
    ($call:ident, $target:ident, $message:ident) => {{
        let mut call = $call::new(TelegramChatId($target.chat), attached_file())
            .disable_notification(!$message.notification.is_audible());
        call.message_thread_id = thread_id($target);
        call
    }};
}

/// Posts, edits and deletes messages.
pub(super) struct MessageSender {
    pub(super) api: BotApi,
    pub(super) chats: Arc<ChatState>,
    pub(super) identity: Arc<BotIdentity>,
    /// The chat for pictures of messages sent via inline mode, if there is one.
    pub(super) picture_chat: Option<PictureChat>,
}

impl MessageSender {
    pub(super) async fn post_to(
        &self,
        chat: &ChatId,
        message: &OutgoingMessage,
    ) -> Result<MessageId, SendError> {
        if inline_message_id(chat).is_some() {
            // The chat consists of this one message, and the message is gone.
            return Err(SendError::ChatGone);
        }
        let target = parse_chat_id(chat).ok_or(SendError::NotAllowed)?;
        let comment = self.comment_reply(target, message).await;
        let sent = self
            .send_message(target, message, comment)
            .await
            .map_err(|error| self.chat_send_error(error, target))?;
        self.chats.lock().add_message(target.chat, target.thread, sent.message_id);
        if !message.buttons.is_empty() {
            self.chats.start_tracking(target).await;
        }
        Ok(MessageId(sent.message_id.to_string()))
    }

    /// The field of a call that shows an answer in the thread of the update that it answers.
    async fn comment_reply(
        &self,
        target: TelegramTarget,
        message: &OutgoingMessage,
    ) -> Map<String, Value> {
        let update = message.answers_update.as_deref().filter(|_| message.reply_to.is_none());
        let comment = match update {
            // Private chats have no such threads.
            Some(update) if target.chat < 0 => self.chats.comment_of(update, target.chat).await,
            Some(_) | None => None,
        };
        comment.map(reply_fields).unwrap_or_default()
    }

    /// Sends with the method that fits; `extra` contains fields that teloxide does not know.
    pub(super) async fn send_message(
        &self,
        target: TelegramTarget,
        message: &OutgoingMessage,
        mut extra: Map<String, Value>,
    ) -> Result<TelegramSentMessage, TelegramCallError> {
        if !message.buttons.is_empty() {
            extra.insert("reply_markup".to_owned(), self.keyboard_of(message));
        }
        let reply = message.reply_to.as_ref().and_then(|it| it.0.parse().ok());
        if let Some(id) = reply.filter(|_| !extra.contains_key("reply_parameters")) {
            extra.extend(reply_fields(id));
        }
        let sent = match (&message.image, &message.file) {
            (None, None) => return self.send_text(target, message, extra).await,
            _ if self.is_media_barred(target.chat) => {
                return self.send_text(target, &without_media(message), extra).await;
            }
            (Some(image), _) => self.send_photo(target, message, &image.png, extra.clone()).await,
            (None, Some(_)) => self.send_document(target, message, extra.clone()).await,
        };
        match sent {
            Err(error) if is_media_forbidden(&error) => {
                self.note_media_refusal(target, message);
                self.send_text(target, &without_media(message), extra).await
            }
            Ok(sent) if message.image.is_some() && message.file.is_some() => {
                extra.remove("reply_markup");
                let alone = OutgoingMessage { text: Default::default(), ..message.clone() };
                if let Err(error) = self.send_document(target, &alone, extra).await {
                    tracing::warn!(%error, "failed to send a file after its image");
                }
                Ok(sent)
            }
            other => other,
        }
    }

    /// Whether a chat is known to forbid images.
    pub(super) fn is_media_barred(&self, chat: i64) -> bool {
        self.chats.lock().is_media_forbidden(chat, Instant::now())
    }

    /// Remembers that a chat forbids images; a refusal of files alone is not remembered.
    fn note_media_refusal(&self, target: TelegramTarget, message: &OutgoingMessage) {
        tracing::debug!(chat = target.chat, "media are forbidden; sending text");
        if message.image.is_some() {
            self.chats.lock().note_media_refusal(target.chat, Instant::now());
        }
    }

    async fn send_text(
        &self,
        target: TelegramTarget,
        message: &OutgoingMessage,
        mut extra: Map<String, Value>,
    ) -> Result<TelegramSentMessage, TelegramCallError> {
        let (text, marks) = to_entities(&message.text, TEXT_MAX, self.api.time_form());
        let mut call = SendMessage::new(TelegramChatId(target.chat), text)
            .disable_notification(!message.notification.is_audible());
        call.message_thread_id = thread_id(target);
        extra.insert(ENTITIES.to_owned(), json!(marks));
        self.api.call_with(&call, extra, None).await
    }

    async fn send_photo(
        &self,
        target: TelegramTarget,
        message: &OutgoingMessage,
        png: &[u8],
        mut extra: Map<String, Value>,
    ) -> Result<TelegramSentMessage, TelegramCallError> {
        let content: [u8; 32] = Sha256::digest(png).into();
        let call = file_call!(SendPhoto, target, message);
        extra.extend(self.caption_fields(&message.text));
        let with_id = async |id: String| {
            let mut call = call.clone();
            call.photo = InputFile::file_id(FileId(id));
            self.api.call_with(&call, extra.clone(), None).await
        };
        if let Some(sent) = self.try_known_file(content, with_id).await? {
            return Ok(sent);
        }
        let sent: TelegramSentMessage =
            self.api.call_with(&call, extra, Some(picture_upload(png))).await?;
        self.keep_photo(content, &sent);
        Ok(sent)
    }

    /// Makes a call with Telegram's id of a content. `None` if Telegram has no such file, or no
    /// longer: then it has to be uploaded.
    ///
    /// # Errors
    /// As the call.
    pub(super) async fn try_known_file<T>(
        &self,
        content: [u8; 32],
        call: impl AsyncFnOnce(String) -> Result<T, TelegramCallError>,
    ) -> Result<Option<T>, TelegramCallError> {
        let known = self.chats.lock().file_id(&content);
        let Some(known) = known else { return Ok(None) };
        match call(known).await {
            Err(error) if is_unknown_file(&error) => {
                self.chats.lock().set_file_id(content, None);
                Ok(None)
            }
            made => made.map(Some),
        }
    }

    async fn send_document(
        &self,
        target: TelegramTarget,
        message: &OutgoingMessage,
        mut extra: Map<String, Value>,
    ) -> Result<TelegramSentMessage, TelegramCallError> {
        extra.extend(self.caption_fields(&message.text));
        if message.file.as_ref().is_some_and(|it| it.animation.is_some()) {
            // An animation plays in the chat.
            let call = file_call!(SendAnimation, target, message);
            return self.api.call_with(&call, extra, upload_of(message)).await;
        }
        let call = file_call!(SendDocument, target, message);
        self.api.call_with(&call, extra, upload_of(message)).await
    }

    /// The fields of a call with the text of a message.
    pub(super) fn text_fields(&self, text: &RichText) -> Map<String, Value> {
        let (text, marks) = to_entities(text, TEXT_MAX, self.api.time_form());
        to_fields([("text", json!(text)), (ENTITIES, json!(marks))])
    }

    /// The fields of a call with the caption of a file.
    pub(super) fn caption_fields(&self, text: &RichText) -> Map<String, Value> {
        let (text, marks) = to_entities(text, CAPTION_MAX, self.api.time_form());
        to_fields([("caption", json!(text)), (CAPTION_ENTITIES, json!(marks))])
    }

    /// The field of an edit that replaces the file of a message and its caption: `kind` is `photo`
    /// or `document`, `file` an id or an upload.
    pub(super) fn media_field(&self, kind: &str, file: &str, text: &RichText) -> Value {
        let mut media = self.caption_fields(text);
        media.extend(to_fields([("type", json!(kind)), ("media", json!(file))]));
        Value::Object(media)
    }

    pub(super) fn keep_photo(&self, content: [u8; 32], sent: &TelegramSentMessage) {
        if let Some(largest) = sent.photo.last() {
            self.chats.lock().set_file_id(content, Some(largest.file_id.clone()));
        }
    }

    pub(super) async fn edit_at(
        &self,
        chat_id: &ChatId,
        id: &MessageId,
        message: &OutgoingMessage,
    ) -> Result<(), SendError> {
        if let Some(inline) = inline_message_id(chat_id) {
            return self.edit_inline(inline, message).await;
        }
        let target = parse_chat_id(chat_id).ok_or(SendError::NotAllowed)?;
        let id = id.0.parse().map_err(|_| SendError::MessageGone)?;
        let id = TelegramMessageId(id);
        let barred = self.is_media_barred(target.chat);
        let result = match (&message.image, &message.file) {
            (None, None) => self.edit_text(target, id, message).await,
            _ if barred => self.edit_text(target, id, &without_media(message)).await,
            (Some(image), _) => self.edit_photo(target, id, message, &image.png).await,
            (None, Some(_)) => self.edit_document(target, id, message).await,
        };
        let result = match result {
            Err(error) if !barred && is_media_forbidden(&error) => {
                self.note_media_refusal(target, message);
                self.edit_text(target, id, &without_media(message)).await
            }
            other => other,
        };
        match result {
            Err(error) if error.description_contains(NO_TEXT_ERROR) => Err(SendError::MessageGone),
            Err(error) if error.description_contains(NO_MEDIA_ERROR) => {
                // An older server cannot turn a text into an image: the image is posted as a new
                // message.
                if let Err(error) = self.delete_at(chat_id, &MessageId(id.0.to_string())).await {
                    tracing::debug!(chat = target.chat, %error, "failed to delete a replaced text");
                }
                Err(SendError::MessageGone)
            }
            Err(error) if !error.description_contains("message is not modified") => {
                Err(self.chat_send_error(error, target))
            }
            _ => Ok(()),
        }
    }

    async fn edit_photo(
        &self,
        target: TelegramTarget,
        id: TelegramMessageId,
        message: &OutgoingMessage,
        png: &[u8],
    ) -> Result<(), TelegramCallError> {
        let content: [u8; 32] = Sha256::digest(png).into();
        let with_id =
            async |file: String| self.edit_media(target, id, message, ("photo", &file), None).await;
        if self.try_known_file(content, with_id).await?.is_some() {
            return Ok(());
        }
        let (file, upload) = (("photo", ATTACHED), Some(picture_upload(png)));
        let sent = self.edit_media(target, id, message, file, upload).await?;
        self.keep_photo(content, &sent);
        Ok(())
    }

    async fn edit_document(
        &self,
        target: TelegramTarget,
        id: TelegramMessageId,
        message: &OutgoingMessage,
    ) -> Result<(), TelegramCallError> {
        let file = ("document", ATTACHED);
        self.edit_media(target, id, message, file, upload_of(message)).await.map(drop)
    }

    async fn edit_media(
        &self,
        target: TelegramTarget,
        id: TelegramMessageId,
        message: &OutgoingMessage,
        (kind, file): (&str, &str),
        upload: Option<TelegramUpload>,
    ) -> Result<TelegramSentMessage, TelegramCallError> {
        let media = self.media_field(kind, file, &message.text);
        let fields = to_fields([("media", media)]);
        self.call_edit("editMessageMedia", target, id, message, fields, upload).await
    }

    /// Edits a message to text. A message with an image from before cannot lose it, and the image
    /// would show what is no longer true: it counts as gone, and the text is posted as a new
    /// message.
    async fn edit_text(
        &self,
        target: TelegramTarget,
        id: TelegramMessageId,
        message: &OutgoingMessage,
    ) -> Result<(), TelegramCallError> {
        let fields = self.text_fields(&message.text);
        self.call_edit("editMessageText", target, id, message, fields, None).await.map(drop)
    }

    /// Makes an edit with the buttons of the message.
    async fn call_edit(
        &self,
        method: &str,
        target: TelegramTarget,
        id: TelegramMessageId,
        message: &OutgoingMessage,
        mut fields: Map<String, Value>,
        upload: Option<TelegramUpload>,
    ) -> Result<TelegramSentMessage, TelegramCallError> {
        fields.extend(to_fields([("chat_id", json!(target.chat)), ("message_id", json!(id.0))]));
        fields.extend(self.keyboard_markup(message));
        self.api.call_method_with(method, fields, upload).await
    }

    fn keyboard_of(&self, message: &OutgoingMessage) -> Value {
        keyboard_json(&message.buttons, self.identity.supports_inline_queries())
    }

    /// Returns the keyboard field of an edit: an empty keyboard removes old buttons.
    pub(super) fn keyboard_markup(&self, message: &OutgoingMessage) -> Map<String, Value> {
        [("reply_markup".to_owned(), self.keyboard_of(message))].into_iter().collect()
    }

    pub(super) async fn delete_at(&self, chat: &ChatId, id: &MessageId) -> Result<(), SendError> {
        if inline_message_id(chat).is_some() {
            // Only the person who sent it can delete it.
            return Ok(());
        }
        let target = parse_chat_id(chat).ok_or(SendError::NotAllowed)?;
        let Ok(id) = id.0.parse() else { return Ok(()) };
        let id = TelegramMessageId(id);
        let result =
            self.api.call::<bool>(&DeleteMessage::new(TelegramChatId(target.chat), id)).await;
        match result {
            Ok(_) => Ok(()),
            Err(error) if error.description_contains("message to delete not found") => Ok(()),
            Err(error) if error.description_contains("message can't be deleted") => {
                // Older than 48 hours: the message remains, but loses its buttons.
                let call = EditMessageReplyMarkup::new(TelegramChatId(target.chat), id);
                let bare = self.keyboard_markup(&OutgoingMessage::default());
                let bared = self.api.call_with::<_, TelegramSentMessage>(&call, bare, None).await;
                match bared {
                    Err(error) if error.is_transient() => Err(send_error(error, target)),
                    _ => Ok(()),
                }
            }
            Err(error) => Err(send_error(error, target)),
        }
    }
}

/// Builds the field that makes a message a reply, if the other message still exists.
fn reply_fields(message: i32) -> Map<String, Value> {
    let parameters = ReplyParameters::new(TelegramMessageId(message)).allow_sending_without_reply();
    to_fields([("reply_parameters", json!(parameters))])
}

fn thread_id(target: TelegramTarget) -> Option<ThreadId> {
    target.thread.map(|it| ThreadId(TelegramMessageId(it)))
}

/// Builds the fields of a call.
pub(super) fn to_fields<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn attached_file() -> InputFile {
    InputFile::file_id(FileId(ATTACHED.to_owned()))
}

pub(super) fn picture_upload(png: &[u8]) -> TelegramUpload {
    TelegramUpload { name: "board.png".to_owned(), bytes: png.to_vec() }
}

fn upload_of(message: &OutgoingMessage) -> Option<TelegramUpload> {
    let file = message.file.as_ref()?;
    Some(TelegramUpload { name: file.name.clone(), bytes: file.bytes.to_vec() })
}

pub(super) fn is_unknown_file(error: &TelegramCallError) -> bool {
    ["wrong file identifier", "wrong remote file", "FILE_REFERENCE"]
        .iter()
        .any(|it| error.description_contains(it))
}

/// Whether the server knows no topic with this id to post to: it was deleted, the topics of the
/// chat were switched off, or it is an old topic of a busy chat, in which people still write.
/// Messages there may still be edited.
pub(super) fn is_topic_gone(error: &TelegramCallError) -> bool {
    ["message thread not found", "TOPIC_DELETED", "TOPIC_ID_INVALID"]
        .iter()
        .any(|it| error.description_contains(it))
}

/// Converts an error into the reaction that the service takes.
pub(super) fn send_error(error: TelegramCallError, target: TelegramTarget) -> SendError {
    let is_topic_gone = is_topic_gone(&error);
    let (code, text) = match error {
        TelegramCallError::Network(text) => return SendError::Temporary(text),
        TelegramCallError::RateLimited(ms) => return SendError::OverBudget(ms),
        TelegramCallError::Api { retry_after: Some(seconds), .. } => {
            return SendError::RateLimited(seconds.saturating_mul(1000));
        }
        TelegramCallError::Api { migrate_to: Some(chat), .. } => {
            return SendError::ChatMoved(to_chat_id(chat, target.thread));
        }
        TelegramCallError::Api { code, text, .. } => (code, text),
    };
    let any = |words: &[&str]| words.iter().any(|it| text.contains(it));
    match code {
        400 if any(&[
            "message to edit not found",
            "message can't be edited",
            "MESSAGE_ID_INVALID",
            "message identifier is not specified",
        ]) =>
        {
            SendError::MessageGone
        }
        // The chat of the topic is still there.
        400 if is_topic_gone => match target.thread {
            Some(_) => SendError::ChatMoved(to_chat_id(target.chat, None)),
            None => SendError::NotAllowed,
        },
        400 if any(&[
            "chat not found",
            "not enough rights",
            "have no rights",
            "need administrator rights",
            TOPIC_CLOSED,
            "CHAT_WRITE_FORBIDDEN",
            "CHAT_RESTRICTED",
            "CHAT_SEND_",
            "group chat was deactivated",
            "PEER_ID_INVALID",
        ]) =>
        {
            SendError::NotAllowed
        }
        403 if any(&["chat was deleted", "user is deactivated"]) => SendError::ChatGone,
        403 => SendError::NotAllowed,
        429 => SendError::RateLimited(1000),
        401 | 404 => SendError::Temporary(text),
        400..=499 => SendError::Refused(text),
        _ => SendError::Temporary(format!("{code}: {text}")),
    }
}
