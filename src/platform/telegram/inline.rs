//! Inline mode: what somebody may choose while they type a message to the bot. Only they see it.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use teloxide::types::User;

use super::Telegram;
use super::markup::{TEXT_MAX, shorten};
use super::updates::person;
use crate::chat::{Listener, Offered};

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

impl Telegram {
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

fn article(n: usize, offered: &Offered) -> Value {
    let mut out = json!({
        "type": "article",
        "id": n.to_string(),
        "title": offered.title,
        "input_message_content": { "message_text": shorten(&offered.says, TEXT_MAX) },
    });
    if !offered.more.is_empty() {
        out["description"] = json!(offered.more);
    }
    out
}
