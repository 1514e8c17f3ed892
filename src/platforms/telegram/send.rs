//! Posting, editing and deleting messages; the errors of the Bot API in the words of `chat`.

use std::time::Instant;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use teloxide::payloads::{
    DeleteMessage, EditMessageCaption, EditMessageCaptionSetters, EditMessageMedia,
    EditMessageReplyMarkup, EditMessageText, EditMessageTextSetters, SendAnimation,
    SendAnimationSetters, SendDocument, SendDocumentSetters, SendMessage, SendMessageSetters,
    SendPhoto, SendPhotoSetters,
};
use teloxide::types::{
    ChatId, FileId, InputFile, InputMedia, InputMediaDocument, InputMediaPhoto, Recipient,
    ReplyParameters, ThreadId,
};

use super::Telegram;
use super::api::{CallError, UPLOAD, Upload};
use super::inline::inline_message;
use super::markup::{CAPTION_MAX, TEXT_MAX, entities, keyboard};
use super::rights::media_forbidden;
use super::rows::talk_of;
use caravanserai_games::ids::{MessageId, PlaceId};
use caravanserai_protocol::{Outgoing, SendError, without_media};

/// Said of a picture whose text was to be edited.
const NO_TEXT: &str = "there is no text in the message to edit";

/// A chat or a topic in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// Telegram's number of the chat; people's are positive, groups' negative.
    pub(super) chat: i64,
    /// Telegram's number of the topic.
    pub(super) thread: Option<i32>,
}

/// Where a message is that was said via the bot: Telegram does not tell the chat.
pub(super) const NOWHERE: Target = Target { chat: 0, thread: None };

/// Reads `tg:<chat>` or `tg:<chat>/<topic>`.
pub(super) fn target(place: &PlaceId) -> Option<Target> {
    let rest = place.0.strip_prefix("tg:")?;
    let (chat, thread) = match rest.split_once('/') {
        Some((chat, thread)) => (chat, Some(thread.parse().ok()?)),
        None => (rest, None),
    };
    Some(Target { chat: chat.parse().ok()?, thread })
}

/// Spells a place.
pub(super) fn place(chat: i64, thread: Option<i32>) -> PlaceId {
    match thread {
        Some(thread) => PlaceId(format!("tg:{chat}/{thread}")),
        None => PlaceId(format!("tg:{chat}")),
    }
}

/// What matters of a message that was sent.
#[derive(Debug, Deserialize)]
pub(super) struct Sent {
    /// 0 for an ephemeral one.
    pub(super) message_id: i32,
    /// Set if it is ephemeral.
    pub(super) ephemeral_message_id: Option<i64>,
    #[serde(default)]
    photo: Vec<Size>,
}

impl Sent {
    /// Whether a picture stands above its words.
    pub(super) fn pictured(&self) -> bool {
        !self.photo.is_empty()
    }
}

#[derive(Debug, Deserialize)]
struct Size {
    file_id: String,
}

impl Telegram {
    pub(super) async fn post_to(
        &self,
        place: &PlaceId,
        message: &Outgoing,
    ) -> Result<MessageId, SendError> {
        if inline_message(place).is_some() {
            // There is nothing beside the message that is the place, and that is gone.
            return Err(SendError::PlaceGone);
        }
        let target = target(place).ok_or(SendError::NotAllowed)?;
        let sent = self
            .transmit(target, message, Map::new())
            .await
            .map_err(|error| self.refusal(error, target))?;
        self.memory().saw(target.chat, target.thread, sent.message_id);
        if !message.buttons.is_empty() {
            self.talk.begins(&talk_of(target.chat, target.thread)).await;
        }
        Ok(MessageId(sent.message_id.to_string()))
    }

    /// Sends with whatever method fits; `extra` are fields that teloxide does not know.
    pub(super) async fn transmit(
        &self,
        target: Target,
        message: &Outgoing,
        mut extra: Map<String, Value>,
    ) -> Result<Sent, CallError> {
        if !message.buttons.is_empty() {
            extra.insert("reply_markup".to_owned(), self.keyboard(message));
        }
        let reply = message.reply_to.as_ref().and_then(|it| it.0.parse().ok());
        if let Some(id) = reply.filter(|_| !extra.contains_key("reply_parameters")) {
            let parameters =
                ReplyParameters::new(teloxide::types::MessageId(id)).allow_sending_without_reply();
            extra.insert("reply_parameters".to_owned(), json!(parameters));
        }
        let sent = match (&message.image, &message.file) {
            (None, None) => return self.words(target, message, extra).await,
            _ if self.bars_media(target.chat) => {
                return self.words(target, &without_media(message), extra).await;
            }
            (Some(image), _) => self.photo(target, message, &image.png, extra.clone()).await,
            (None, Some(_)) => self.document(target, message, extra.clone()).await,
        };
        match sent {
            Err(error) if media_forbidden(&error) => {
                self.media_refused(target, message);
                self.words(target, &without_media(message), extra).await
            }
            Ok(sent) if message.image.is_some() && message.file.is_some() => {
                extra.remove("reply_markup");
                let alone = Outgoing { text: Default::default(), ..message.clone() };
                if let Err(error) = self.document(target, &alone, extra).await {
                    tracing::warn!(%error, "a file beside a picture was not sent");
                }
                Ok(sent)
            }
            other => other,
        }
    }

    /// Whether a chat is known to want no pictures.
    pub(super) fn bars_media(&self, chat: i64) -> bool {
        self.memory().forbids_media(chat, Instant::now())
    }

    /// Remembers that a chat wants no pictures; files may be forbidden alone.
    fn media_refused(&self, target: Target, message: &Outgoing) {
        tracing::debug!(chat = target.chat, "no pictures or files here: said in words");
        if message.image.is_some() {
            self.memory().media_refused(target.chat, Instant::now());
        }
    }

    async fn words(
        &self,
        target: Target,
        message: &Outgoing,
        extra: Map<String, Value>,
    ) -> Result<Sent, CallError> {
        let (text, marks) = entities(&message.text, TEXT_MAX);
        let mut call = SendMessage::new(ChatId(target.chat), text)
            .entities(marks)
            .disable_notification(!message.loud);
        call.message_thread_id = thread(target);
        self.api.call_with(&call, extra, None).await
    }

    async fn photo(
        &self,
        target: Target,
        message: &Outgoing,
        png: &[u8],
        extra: Map<String, Value>,
    ) -> Result<Sent, CallError> {
        let content: [u8; 32] = Sha256::digest(png).into();
        let (text, marks) = entities(&message.text, CAPTION_MAX);
        let mut call = SendPhoto::new(ChatId(target.chat), attached())
            .caption(text)
            .caption_entities(marks)
            .disable_notification(!message.loud);
        call.message_thread_id = thread(target);
        let known = self.memory().file(&content);
        if let Some(id) = known {
            call.photo = InputFile::file_id(FileId(id));
            match self.api.call_with(&call, extra.clone(), None).await {
                Err(error) if unknown_file(&error) => self.memory().keep_file(content, None),
                other => return other,
            }
            call.photo = attached();
        }
        let sent: Sent = self.api.call_with(&call, extra, Some(picture(png))).await?;
        self.keep_photo(content, &sent);
        Ok(sent)
    }

    async fn document(
        &self,
        target: Target,
        message: &Outgoing,
        extra: Map<String, Value>,
    ) -> Result<Sent, CallError> {
        if message.file.as_ref().is_some_and(|it| it.animation.is_some()) {
            return self.animation(target, message, extra).await;
        }
        let (text, marks) = entities(&message.text, CAPTION_MAX);
        let mut call = SendDocument::new(ChatId(target.chat), attached())
            .caption(text)
            .caption_entities(marks)
            .disable_notification(!message.loud);
        call.message_thread_id = thread(target);
        self.api.call_with(&call, extra, upload_of(message)).await
    }

    /// A moving picture, which plays in the chat.
    async fn animation(
        &self,
        target: Target,
        message: &Outgoing,
        extra: Map<String, Value>,
    ) -> Result<Sent, CallError> {
        let (text, marks) = entities(&message.text, CAPTION_MAX);
        let mut call = SendAnimation::new(ChatId(target.chat), attached())
            .caption(text)
            .caption_entities(marks)
            .disable_notification(!message.loud);
        call.message_thread_id = thread(target);
        self.api.call_with(&call, extra, upload_of(message)).await
    }

    fn keep_photo(&self, content: [u8; 32], sent: &Sent) {
        if let Some(largest) = sent.photo.last() {
            self.memory().keep_file(content, Some(largest.file_id.clone()));
        }
    }

    pub(super) async fn edit_at(
        &self,
        place: &PlaceId,
        id: &MessageId,
        message: &Outgoing,
    ) -> Result<(), SendError> {
        if let Some(inline) = inline_message(place) {
            return self.edit_inline(inline, message).await;
        }
        let target = target(place).ok_or(SendError::NotAllowed)?;
        let id = id.0.parse().map_err(|_| SendError::MessageGone)?;
        let id = teloxide::types::MessageId(id);
        let barred = self.bars_media(target.chat);
        let result = match (&message.image, &message.file) {
            (None, None) => self.edit_words(target, id, message).await,
            _ if barred => self.edit_bare(target, id, message).await,
            (Some(image), _) => self.edit_photo(target, id, message, &image.png).await,
            (None, Some(_)) => self.edit_document(target, id, message).await,
        };
        let result = match result {
            Err(error) if !barred && media_forbidden(&error) => {
                self.media_refused(target, message);
                self.edit_bare(target, id, message).await
            }
            other => other,
        };
        match result {
            Err(error) if error.says(NO_TEXT) => Err(SendError::MessageGone),
            Err(error) if error.says("there is no media in the message to edit") => {
                // An older server: words stay words there. The picture is posted anew.
                if let Err(error) = self.delete_at(place, &MessageId(id.0.to_string())).await {
                    tracing::debug!(chat = target.chat, %error, "words stay above a picture");
                }
                Err(SendError::MessageGone)
            }
            Err(error) if !error.says("message is not modified") => {
                Err(self.refusal(error, target))
            }
            _ => Ok(()),
        }
    }

    async fn edit_photo(
        &self,
        target: Target,
        id: teloxide::types::MessageId,
        message: &Outgoing,
        png: &[u8],
    ) -> Result<(), CallError> {
        let content: [u8; 32] = Sha256::digest(png).into();
        let (text, marks) = entities(&message.text, CAPTION_MAX);
        let media = |file| {
            let photo = InputMediaPhoto::new(file).caption(text.clone());
            InputMedia::Photo(photo.caption_entities(marks.clone()))
        };
        let call = |file| EditMessageMedia::new(ChatId(target.chat), id, media(file));
        let known = self.memory().file(&content);
        if let Some(known) = known {
            let call = call(InputFile::file_id(FileId(known)));
            match self.api.call_with::<_, Sent>(&call, self.markup(message), None).await {
                Err(error) if unknown_file(&error) => self.memory().keep_file(content, None),
                other => return other.map(drop),
            }
        }
        let call = call(attached());
        let sent = self.api.call_with(&call, self.markup(message), Some(picture(png))).await?;
        self.keep_photo(content, &sent);
        Ok(())
    }

    async fn edit_document(
        &self,
        target: Target,
        id: teloxide::types::MessageId,
        message: &Outgoing,
    ) -> Result<(), CallError> {
        let (text, marks) = entities(&message.text, CAPTION_MAX);
        let media = InputMediaDocument::new(attached()).caption(text).caption_entities(marks);
        let call = EditMessageMedia::new(ChatId(target.chat), id, InputMedia::Document(media));
        let sent =
            self.api.call_with::<_, Sent>(&call, self.markup(message), upload_of(message)).await;
        sent.map(drop)
    }

    /// A message of words where there would be a picture. One that has a picture, from before the
    /// chat forbade them, cannot lose it: it counts as gone, and the words are posted anew.
    async fn edit_bare(
        &self,
        target: Target,
        id: teloxide::types::MessageId,
        message: &Outgoing,
    ) -> Result<(), CallError> {
        let bare = without_media(message);
        let (text, marks) = entities(&bare.text, TEXT_MAX);
        let chat = Recipient::Id(ChatId(target.chat));
        let call = EditMessageText::new(chat, id, text).entities(marks);
        self.api.call_with::<_, Sent>(&call, self.markup(message), None).await.map(drop)
    }

    /// The words of a message, whether they stand alone or under a picture.
    async fn edit_words(
        &self,
        target: Target,
        id: teloxide::types::MessageId,
        message: &Outgoing,
    ) -> Result<(), CallError> {
        let chat = Recipient::Id(ChatId(target.chat));
        let (text, marks) = entities(&message.text, TEXT_MAX);
        let call = EditMessageText::new(chat.clone(), id, text).entities(marks);
        let sent = self.api.call_with::<_, Sent>(&call, self.markup(message), None).await;
        match sent {
            Err(error) if error.says(NO_TEXT) => {
                let (text, marks) = entities(&message.text, CAPTION_MAX);
                let call = EditMessageCaption::new(chat, id).caption(text).caption_entities(marks);
                self.api.call_with::<_, Sent>(&call, self.markup(message), None).await.map(drop)
            }
            other => other.map(drop),
        }
    }

    fn keyboard(&self, message: &Outgoing) -> Value {
        keyboard(&message.buttons, self.me.supports_inline_queries)
    }

    /// The keyboard of an edit: an empty one takes old buttons away.
    pub(super) fn markup(&self, message: &Outgoing) -> Map<String, Value> {
        [("reply_markup".to_owned(), self.keyboard(message))].into_iter().collect()
    }

    pub(super) async fn delete_at(&self, place: &PlaceId, id: &MessageId) -> Result<(), SendError> {
        if inline_message(place).is_some() {
            // Only whoever said it can take it back.
            return Ok(());
        }
        let target = target(place).ok_or(SendError::NotAllowed)?;
        let Ok(id) = id.0.parse() else { return Ok(()) };
        let id = teloxide::types::MessageId(id);
        let result = self.api.call::<bool>(&DeleteMessage::new(ChatId(target.chat), id)).await;
        match result {
            Ok(_) => Ok(()),
            Err(error) if error.says("message to delete not found") => Ok(()),
            Err(error) if error.says("message can't be deleted") => {
                // Older than 48 hours: it stays, and at least loses its buttons.
                let call = EditMessageReplyMarkup::new(ChatId(target.chat), id);
                let bare = self.markup(&Outgoing::default());
                let bared = self.api.call_with::<_, Sent>(&call, bare, None).await;
                match bared {
                    Err(error) if error.code() == Some(429) => Err(send_error(error, target)),
                    _ => Ok(()),
                }
            }
            Err(error) => Err(send_error(error, target)),
        }
    }
}

fn thread(target: Target) -> Option<ThreadId> {
    target.thread.map(|it| ThreadId(teloxide::types::MessageId(it)))
}

/// A file that comes as a part of the same request.
fn attached() -> InputFile {
    InputFile::file_id(FileId(format!("attach://{UPLOAD}")))
}

pub(super) fn picture(png: &[u8]) -> Upload {
    Upload { name: "board.png".to_owned(), bytes: png.to_vec() }
}

fn upload_of(message: &Outgoing) -> Option<Upload> {
    let file = message.file.as_ref()?;
    Some(Upload { name: file.name.clone(), bytes: file.bytes.to_vec() })
}

pub(super) fn unknown_file(error: &CallError) -> bool {
    ["wrong file identifier", "wrong remote file", "FILE_REFERENCE"].iter().any(|it| error.says(it))
}

/// What the service does next after an error.
pub(super) fn send_error(error: CallError, target: Target) -> SendError {
    let (code, text) = match error {
        CallError::Network(text) => return SendError::Temporary(text),
        CallError::Busy(ms) => return SendError::Wait(ms),
        CallError::Api { retry_after: Some(seconds), .. } => {
            return SendError::Wait(seconds.saturating_mul(1000));
        }
        CallError::Api { migrate_to: Some(chat), .. } => {
            return SendError::Moved(place(chat, target.thread));
        }
        CallError::Api { code, text, .. } => (code, text),
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
        400 if any(&["message thread not found", "TOPIC_DELETED", "TOPIC_ID_INVALID"]) => {
            SendError::PlaceGone
        }
        400 if any(&[
            "chat not found",
            "not enough rights",
            "have no rights",
            "need administrator rights",
            "TOPIC_CLOSED",
            "CHAT_WRITE_FORBIDDEN",
            "CHAT_RESTRICTED",
            "CHAT_SEND_",
            "group chat was deactivated",
            "PEER_ID_INVALID",
        ]) =>
        {
            SendError::NotAllowed
        }
        403 if any(&["chat was deleted", "user is deactivated"]) => SendError::PlaceGone,
        403 => SendError::NotAllowed,
        429 => SendError::Wait(1000),
        401 | 404 => SendError::Temporary(text),
        400..=499 => SendError::Refused(text),
        _ => SendError::Temporary(format!("{code}: {text}")),
    }
}
