//! Answers inline queries, and mentions in chats where the bot is no member (the Bot API's guest
//! mode): one message per mention. Only the person who types sees the results of a query.
//!
//! A chosen result may have buttons: then it is a chat of its own, in a chat that the bot does not
//! know, and consists of that one message. The message can be edited, and presses on it can be
//! answered.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use teloxide::types::User;

use super::TelegramTextsFor;
use super::bot_api::{BotApi, TelegramCallError, no_preview};
use super::markup::{TEXT_MAX, keyboard_json, truncate_utf16};
use super::parse_update::{ParsedUpdate, UpdateAuthor, UpdateOrigin, person_of_user};
use super::picture_chat::PictureChat;
use super::rights::is_media_forbidden;
use super::send::{
    MessageSender, NO_MEDIA_ERROR, NO_TEXT_ERROR, UNKNOWN_TARGET, send_error, to_fields,
};
use caravanserai_games::ids::{ChatId, ChatKind, MessageId};
use caravanserai_protocol::{
    Arrival, Chat, InlineResult, OutgoingMessage, ParentChats, SendError, Update, UpdateHandler,
    UpdateKind, without_media,
};

/// The most results of an answer.
const RESULTS_MAX: usize = 50;
/// The longest label of the button above the results that apps show in full.
const HINT_MAX: usize = 64;
/// How often a picture is tried: Telegram may have forgotten its file.
const PICTURE_TRIES: usize = 2;
/// The errors when the text of a message with a picture is edited: it is a caption.
const HAS_PICTURE: [&str; 2] = [NO_TEXT_ERROR, "CAPTION_TOO_LONG"];
/// The start parameter with which that button opens the private chat.
const START: &str = "play";

/// An inline query: text that a person is typing after the bot's name.
pub(super) struct TypedInlineQuery {
    id: String,
    from: User,
    words: String,
}

impl TypedInlineQuery {
    /// Parses an update of this kind.
    pub(super) fn parse(update: &Value) -> Option<Self> {
        let query = update.get("inline_query")?;
        Some(Self {
            id: query["id"].as_str()?.to_owned(),
            from: serde_json::from_value(query["from"].clone()).ok()?,
            words: query["query"].as_str().unwrap_or_default().to_owned(),
        })
    }
}

/// A mention of the bot in a chat where it is no member (Bot API 10.0).
pub(super) struct GuestMention {
    id: String,
    from: User,
    words: String,
}

impl GuestMention {
    /// Parses an update of this kind; `username` is the bot's name after `@`. Channels and bots get
    /// no reply.
    pub(super) fn parse(update: &Value, username: &str) -> Option<Self> {
        let message = update.get("guest_message")?;
        let from: User = serde_json::from_value(message["from"].clone()).ok()?;
        if from.is_bot || !message["sender_chat"].is_null() {
            return None;
        }
        let said = message["text"].as_str().or_else(|| message["caption"].as_str());
        let own = format!("@{}", username.to_lowercase());
        let word = |word: &str| {
            let at = word.to_lowercase().find(&own).filter(|at| word.is_char_boundary(*at));
            at.map_or(word, |at| &word[..at]).to_owned()
        };
        let words: Vec<String> = said.unwrap_or_default().split_whitespace().map(word).collect();
        let id = message["guest_query_id"].as_str()?.to_owned();
        Some(Self { id, from, words: words.join(" ").trim().to_owned() })
    }
}

/// Answers inline queries and mentions.
#[derive(Clone)]
pub(super) struct InlineAnswers {
    pub(super) api: BotApi,
    pub(super) words: TelegramTextsFor,
}

impl InlineAnswers {
    /// Replies to a mention in a chat where the bot is no member, if the handler has a reply. The
    /// message is then a chat of its own, like a message sent via inline mode.
    pub(super) async fn answer_guest_mention(
        &self,
        handler: &Arc<dyn UpdateHandler>,
        mention: GuestMention,
    ) {
        let person = person_of_user(&mention.from, None, false);
        let Some(queries) = handler.inline_queries() else { return };
        let Some(answer) = queries.mention_reply(&person, &mention.words).await else { return };
        let mut fields = Map::new();
        fields.insert("guest_query_id".to_owned(), json!(mention.id));
        fields.insert("result".to_owned(), inline_article(0, &answer));
        if let Err(error) = self.api.call_method::<Value>("answerGuestQuery", fields).await {
            tracing::debug!(%error, "failed to answer a mention");
        }
    }

    /// Answers an inline query with the handler's results. The server must not cache them: they
    /// change at any moment and are only for this person.
    pub(super) async fn answer_inline_query(
        &self,
        handler: &Arc<dyn UpdateHandler>,
        typed: TypedInlineQuery,
    ) {
        let person = person_of_user(&typed.from, None, false);
        let offers = match handler.inline_queries() {
            Some(queries) => queries.inline_results(&person, &typed.words).await,
            None => Vec::new(),
        };
        let results =
            offers.iter().take(RESULTS_MAX).enumerate().map(|(n, it)| inline_article(n, it));
        let mut fields = Map::new();
        fields.insert("inline_query_id".to_owned(), json!(typed.id));
        fields.insert("results".to_owned(), results.collect());
        fields.insert("is_personal".to_owned(), json!(true));
        fields.insert("cache_time".to_owned(), json!(0));
        if offers.is_empty() {
            let words = (self.words)(typed.from.language_code.as_deref());
            let text = truncate_utf16(&words.nothing, HINT_MAX);
            let button = json!({ "text": text, "start_parameter": START });
            fields.insert("button".to_owned(), button);
        }
        if let Err(error) = self.api.call_method::<bool>("answerInlineQuery", fields).await {
            tracing::debug!(%error, "failed to answer an inline query");
        }
    }
}

/// The prefix of the chat id of a message sent via inline mode.
const INLINE_PREFIX: &str = "tg:~";
/// The id of the only message in such a chat.
const ONLY_MESSAGE_ID: &str = "~";

/// Returns the chat of a message sent via inline mode.
fn inline_chat(message: &str) -> ChatId {
    ChatId(format!("{INLINE_PREFIX}{message}"))
}

/// Returns Telegram's id of the inline message that is this chat, if it is one.
pub(super) fn inline_message_id(chat: &ChatId) -> Option<&str> {
    chat.0.strip_prefix(INLINE_PREFIX)
}

/// Returns the only message of such a chat.
pub(super) fn inline_message_of_chat(chat: &ChatId) -> Option<MessageId> {
    inline_message_id(chat).map(|_| MessageId(ONLY_MESSAGE_ID.to_owned()))
}

/// Parses a press on a message sent via inline mode; `None` for other messages.
pub(super) fn parse_inline_press(id: &str, query: &Value) -> Option<ParsedUpdate> {
    let message = query["inline_message_id"].as_str()?;
    let from: User = serde_json::from_value(query["from"].clone()).ok()?;
    let author = i64::try_from(from.id.0).map_or(UpdateAuthor::Nobody, UpdateAuthor::Person);
    let origin = UpdateOrigin {
        author,
        name: from.full_name(),
        locale: from.language_code.clone(),
        query: query["id"].as_str().map(str::to_owned),
        ..UpdateOrigin::for_unasked_message(UNKNOWN_TARGET, 0)
    };
    let callback_data = query["data"].as_str().unwrap_or_default().to_owned();
    let chat = Chat {
        id: inline_chat(message),
        kind: ChatKind::Group,
        title: String::new(),
        locale: None,
        parents: ParentChats::default(),
    };
    let body =
        UpdateKind::Press { callback_data, message: Some(MessageId(ONLY_MESSAGE_ID.to_owned())) };
    let update = Update {
        id: id.to_owned(),
        chat,
        person: person_of_user(&from, None, false),
        kind: body,
        arrival: Arrival::default(),
    };
    Some(ParsedUpdate::new(update, UpdateOrigin { private: false, ..origin }))
}

impl MessageSender {
    /// Edits a message sent via inline mode. No file can be uploaded to such a message: a board is
    /// a picture only if there is a chat for pictures.
    pub(super) async fn edit_inline(
        &self,
        id: &str,
        message: &OutgoingMessage,
    ) -> Result<(), SendError> {
        let edited = match self.show_inline_picture(id, message).await {
            Ok(InlinePicture::Shown) => Ok(()),
            Ok(InlinePicture::Impossible) => self.edit_inline_text(id, message).await,
            Err(error) => Err(error),
        };
        match edited {
            Err(error) if !error.description_contains("message is not modified") => {
                Err(send_error(error, UNKNOWN_TARGET))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Whether messages sent via inline mode can show pictures now.
    pub(super) fn can_show_inline_pictures(&self) -> bool {
        self.picture_chat.as_ref().is_some_and(PictureChat::is_ready)
    }

    /// Shows the picture of a message, which Telegram may not have yet.
    async fn show_inline_picture(
        &self,
        id: &str,
        message: &OutgoingMessage,
    ) -> Result<InlinePicture, TelegramCallError> {
        let (Some(image), Some(chat)) = (&message.image, &self.picture_chat) else {
            return Ok(InlinePicture::Impossible);
        };
        let content: [u8; 32] = Sha256::digest(image.png.as_slice()).into();
        for _ in 0..PICTURE_TRIES {
            let is_known = self.chats.lock().file_id(&content).is_some();
            if !is_known {
                let Some(sent) = chat.post(&image.png).await? else { break };
                self.keep_photo(content, &sent);
            }
            let with_id = async |file: String| {
                let media = self.media_field("photo", &file, &message.text);
                let fields = to_fields([("media", media)]);
                self.call_inline_edit("editMessageMedia", id, message, fields).await
            };
            match self.try_known_file(content, with_id).await {
                Ok(Some(())) => return Ok(InlinePicture::Shown),
                // Telegram has forgotten the file.
                Ok(None) => {}
                Err(error)
                    if error.description_contains(NO_MEDIA_ERROR) || is_media_forbidden(&error) =>
                {
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(InlinePicture::Impossible)
    }

    /// Shows a message as text only. A picture from before remains above the text, because it
    /// cannot be removed.
    async fn edit_inline_text(
        &self,
        id: &str,
        message: &OutgoingMessage,
    ) -> Result<(), TelegramCallError> {
        let bare = without_media(message);
        let fields = self.text_fields(&bare.text);
        match self.call_inline_edit("editMessageText", id, message, fields).await {
            Err(error) if HAS_PICTURE.iter().any(|it| error.description_contains(it)) => {
                let fields = self.caption_fields(&bare.text);
                self.call_inline_edit("editMessageCaption", id, message, fields).await
            }
            edited => edited,
        }
    }

    /// Makes an edit with the buttons of the message.
    async fn call_inline_edit(
        &self,
        method: &str,
        id: &str,
        message: &OutgoingMessage,
        mut fields: Map<String, Value>,
    ) -> Result<(), TelegramCallError> {
        fields.extend(self.keyboard_markup(message));
        fields.insert("inline_message_id".to_owned(), json!(id));
        self.api.call_method::<bool>(method, fields).await.map(drop)
    }
}

/// Whether a message sent via inline mode shows a picture.
enum InlinePicture {
    Shown,
    /// The message has to be text.
    Impossible,
}

fn inline_article(n: usize, offered: &InlineResult) -> Value {
    let mut out = json!({
        "type": "article",
        "id": n.to_string(),
        "title": offered.title,
        "input_message_content": {
            "message_text": truncate_utf16(&offered.message, TEXT_MAX),
            "link_preview_options": no_preview(),
        },
    });
    if !offered.buttons.is_empty() {
        out["reply_markup"] = keyboard_json(&offered.buttons, true);
    }
    if !offered.description.is_empty() {
        out["description"] = json!(offered.description);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use caravanserai_games::ids::is_single_message;

    #[test]
    fn the_place_of_a_message_is_known_as_a_single_message() {
        let chat = inline_chat("AAx7");
        assert!(is_single_message(&chat.0));
        assert_eq!(inline_message_id(&chat), Some("AAx7"));
        assert!(!is_single_message("tg:-100"));
    }
}
