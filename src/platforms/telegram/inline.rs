//! Inline mode: what somebody may choose while they type a message to the bot. Only they see it.
//! What the Bot API calls guest mode: the one message by which the bot answers whoever names it
//! where it is no member.
//!
//! What is chosen may have buttons: then it is a place of its own, in a chat that the bot does not
//! know, and consists of that one message. It can be edited, and presses on it can be answered.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use teloxide::types::User;

use super::Telegram;
use super::api::no_preview;
use super::markup::{TEXT_MAX, entities, keyboard, shorten};
use super::send::{NOWHERE, send_error};
use super::updates::{Author, Origin, Read, person};
use caravanserai_games::ids::{MessageId, PlaceId, PlaceKind};
use caravanserai_protocol::{
    Arrival, Body, Listener, Offered, Outgoing, Parents, Place, SendError, Update, without_media,
};

/// Most results of an answer.
const RESULTS_MAX: usize = 50;
/// Longest label of the button above the results that apps show whole.
const HINT_MAX: usize = 64;
/// What the private chat is opened with by that button.
const START: &str = "play";

/// Something being typed after the bot's name.
pub(super) struct Typed {
    id: String,
    from: User,
    words: String,
}

impl Typed {
    /// Reads an update of this kind.
    pub(super) fn read(update: &Value) -> Option<Self> {
        let query = update.get("inline_query")?;
        Some(Self {
            id: query["id"].as_str()?.to_owned(),
            from: serde_json::from_value(query["from"].clone()).ok()?,
            words: query["query"].as_str().unwrap_or_default().to_owned(),
        })
    }
}

/// Somebody has named the bot in a chat where it is no member (Bot API 10.0).
pub(super) struct Summons {
    id: String,
    from: User,
    words: String,
}

impl Summons {
    /// Reads an update of this kind to the bot of this name after `@`. Channels and bots get no
    /// answer.
    pub(super) fn read(update: &Value, username: &str) -> Option<Self> {
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

impl Telegram {
    /// Answers somebody who has named the bot where it is no member, if there is an answer. The
    /// message is then a place of its own, as if it had been said via the bot.
    pub(super) async fn answer_summons(&self, listener: &Arc<dyn Listener>, summons: Summons) {
        let person = person(&summons.from, None, false);
        let Some(answer) = listener.summoned(&person, &summons.words).await else { return };
        let mut fields = Map::new();
        fields.insert("guest_query_id".to_owned(), json!(summons.id));
        fields.insert("result".to_owned(), article(0, &answer));
        if let Err(error) = self.api.named::<Value>("answerGuestQuery", fields).await {
            tracing::debug!(%error, "whoever named the bot got no answer");
        }
    }

    /// Offers somebody what the listener has for them. Nothing of it may be kept by the server:
    /// the next moment it may be wrong, and it is for nobody else.
    pub(super) async fn offer(&self, listener: &Arc<dyn Listener>, typed: Typed) {
        let person = person(&typed.from, None, false);
        let offers = listener.offers(&person, &typed.words).await;
        let results = offers.iter().take(RESULTS_MAX).enumerate().map(|(n, it)| article(n, it));
        let mut fields = Map::new();
        fields.insert("inline_query_id".to_owned(), json!(typed.id));
        fields.insert("results".to_owned(), results.collect());
        fields.insert("is_personal".to_owned(), json!(true));
        fields.insert("cache_time".to_owned(), json!(0));
        if offers.is_empty() {
            let words = (self.words)(typed.from.language_code.as_deref());
            let text = shorten(&words.nothing, HINT_MAX);
            let button = json!({ "text": text, "start_parameter": START });
            fields.insert("button".to_owned(), button);
        }
        if let Err(error) = self.api.named::<bool>("answerInlineQuery", fields).await {
            tracing::debug!(%error, "offers came too late");
        }
    }
}

/// How the id of a place begins that is a message said via the bot.
const INLINE: &str = "tg:~";
/// The id of the one message there.
const ONLY: &str = "~";

/// The place that a message is which was said via the bot.
fn inline_place(message: &str) -> PlaceId {
    PlaceId(format!("{INLINE}{message}"))
}

/// Telegram's id of the message that a place is, if it is one.
pub(super) fn inline_message(place: &PlaceId) -> Option<&str> {
    place.0.strip_prefix(INLINE)
}

/// The one message of such a place.
pub(super) fn only_message(place: &PlaceId) -> Option<MessageId> {
    inline_message(place).map(|_| MessageId(ONLY.to_owned()))
}

/// A press on a message that was said via the bot; `None` if it is another.
pub(super) fn read_press(id: &str, query: &Value) -> Option<Read> {
    let message = query["inline_message_id"].as_str()?;
    let from: User = serde_json::from_value(query["from"].clone()).ok()?;
    let author = i64::try_from(from.id.0).map_or(Author::Nobody, Author::Person);
    let origin = Origin {
        author,
        name: from.full_name(),
        locale: from.language_code.clone(),
        query: query["id"].as_str().map(str::to_owned),
        ..Origin::of_whisper(NOWHERE, 0)
    };
    let press = query["data"].as_str().unwrap_or_default().to_owned();
    let place = Place {
        id: inline_place(message),
        kind: PlaceKind::Group,
        title: String::new(),
        locale: None,
        parents: Parents::default(),
    };
    let body = Body::Press { press, message: Some(MessageId(ONLY.to_owned())) };
    let update = Update {
        id: id.to_owned(),
        place,
        person: person(&from, None, false),
        body,
        arrival: Arrival::default(),
    };
    Some(Read::new(update, Origin { private: false, ..origin }))
}

impl Telegram {
    /// Makes a message that was said via the bot show this, in words: by the number of such a
    /// message nothing can be uploaded, a picture must have an address or be on the server
    /// already, and a board is new with every move.
    pub(super) async fn edit_inline(&self, id: &str, message: &Outgoing) -> Result<(), SendError> {
        let bare = without_media(message);
        let (text, marks) = entities(&bare.text, TEXT_MAX);
        let mut fields = self.markup(message);
        fields.insert("inline_message_id".to_owned(), json!(id));
        fields.insert("text".to_owned(), json!(text));
        fields.insert("entities".to_owned(), json!(marks));
        match self.api.named::<bool>("editMessageText", fields).await {
            Err(error) if !error.says("message is not modified") => Err(send_error(error, NOWHERE)),
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

fn article(n: usize, offered: &Offered) -> Value {
    let mut out = json!({
        "type": "article",
        "id": n.to_string(),
        "title": offered.title,
        "input_message_content": {
            "message_text": shorten(&offered.says, TEXT_MAX),
            "link_preview_options": no_preview(),
        },
    });
    if !offered.buttons.is_empty() {
        out["reply_markup"] = keyboard(&offered.buttons, true);
    }
    if !offered.more.is_empty() {
        out["description"] = json!(offered.more);
    }
    out
}
