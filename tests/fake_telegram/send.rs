//! Implements the methods that send messages, with code that editing shares.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::limits;
use super::show;
use super::world::{
    Answer, ApiError, BOT_ID, File, Kind, Media, Msg, Standing, Version, World, bad,
};

/// The time after an action of a person in which any bot may send them an ephemeral message.
const EPHEMERAL_MS: u64 = 15_000;

/// A call in progress.
pub struct Request<'a> {
    pub method: &'a str,
    pub params: &'a Map<String, Value>,
    pub files: &'a BTreeMap<String, File>,
}

impl Request<'_> {
    /// A parameter; null if it is missing.
    pub fn get(&self, name: &str) -> &Value {
        self.params.get(name).unwrap_or(&Value::Null)
    }

    /// A text parameter; empty if it is missing.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).as_str().unwrap_or_default()
    }

    /// A list parameter; empty if it is missing.
    pub fn list(&self, name: &str) -> Vec<Value> {
        self.get(name).as_array().cloned().unwrap_or_default()
    }

    /// The keyboard, after its checks.
    pub fn keyboard(&self) -> Result<Option<Value>, ApiError> {
        let markup = self.get("reply_markup");
        limits::keyboard(markup)?;
        let empty = markup["inline_keyboard"].as_array().is_none_or(|rows| {
            rows.iter().all(|row| row.as_array().is_none_or(|row| row.is_empty()))
        });
        Ok((!empty).then(|| markup.clone()))
    }
}

/// sendMessage, sendPhoto, sendDocument, sendAnimation.
pub fn send(world: &mut World, req: &Request) -> Answer {
    let chat = world.speak(req.get("chat_id"))?;
    let mut msg = Msg { from: BOT_ID, ..Msg::default() };
    match req.method {
        "sendMessage" => {
            msg.text = req.text("text").to_owned();
            msg.entities = known_entities(world, req.list("entities"))?;
            limits::text(&msg.text, &msg.entities)?;
        }
        method => {
            msg.text = req.text("caption").to_owned();
            msg.entities = known_entities(world, req.list("caption_entities"))?;
            limits::caption(&msg.text, &msg.entities)?;
            let kind = match method {
                "sendPhoto" => "photo",
                "sendAnimation" => "animation",
                _ => "document",
            };
            msg.media = Some(media(world, req, kind, req.text(kind))?);
        }
    }
    msg.markup = req.keyboard()?;
    msg.silent = req.get("disable_notification") == &json!(true);
    msg.thread = thread(world, chat, req.get("message_thread_id"))?;
    msg.receiver = receiver(world, chat, req)?;
    msg.reply_to = reply(world, chat, req)?;
    let msg = world.put(chat, msg);
    Ok(show::message(world, world.chat(chat), &msg, true))
}

/// Entities as the server stores them: mentions of unknown people are dropped.
pub fn known_entities(world: &World, entities: Vec<Value>) -> Result<Vec<Value>, ApiError> {
    for time in entities.iter().filter(|it| it["type"] == "date_time") {
        if world.version < Version::V10_1 {
            return Err(bad("can't parse MessageEntity: Unsupported type specified"));
        }
        limits::time(time, world.now_ms)?;
    }
    let known = |entity: &Value| match entity["user"]["id"].as_i64() {
        Some(id) => world.users.contains_key(&id),
        None => true,
    };
    let mut known_only: Vec<Value> = entities.into_iter().filter(known).collect();
    for entity in &mut known_only {
        if let Some(id) = entity["user"]["id"].as_i64() {
            entity["user"] = show::user(world, id);
        }
    }
    Ok(known_only)
}

/// A new upload, or a stored file by its id.
pub fn media(
    world: &mut World,
    req: &Request,
    kind: &'static str,
    source: &str,
) -> Result<Media, ApiError> {
    // The chat of an inline message is not known.
    if req.get("inline_message_id").is_null() {
        let chat = world.speak(req.get("chat_id"))?;
        if world.chat(chat).bot == Standing::NoMedia {
            return Err(bad(format!("not enough rights to send {kind}s to the chat")));
        }
    }
    let Some(part) = source.strip_prefix("attach://") else {
        let known = world.files.contains_key(source) && !world.forgotten.contains(source);
        return match known {
            true => Ok(Media { kind, file_id: source.to_owned() }),
            false => Err(bad("wrong file identifier/HTTP URL specified")),
        };
    };
    let mut file = req.files[part].clone();
    match kind {
        "photo" => file.size = limits::photo(&file.bytes)?,
        "animation" => file.size = limits::animation(&file.bytes)?,
        _ => limits::document(&file.bytes)?,
    }
    let file_id = format!("AgAC{:08}", world.fresh());
    world.files.insert(file_id.clone(), file);
    Ok(Media { kind, file_id })
}

fn thread(world: &World, chat: i64, thread: &Value) -> Result<Option<i64>, ApiError> {
    let Some(thread) = thread.as_i64() else { return Ok(None) };
    if world.chat(chat).lost_topics.contains(&thread) {
        return Err(bad("message thread not found"));
    }
    match world.chat(chat).topics.get(&thread) {
        Some(true) => Ok(Some(thread)),
        Some(false) if world.chat(chat).bot == Standing::Admin => Ok(Some(thread)),
        Some(false) => Err(bad("TOPIC_CLOSED")),
        None => Err(bad("message thread not found")),
    }
}

/// The message that this one replies to.
fn reply(world: &World, chat: i64, req: &Request) -> Result<Option<i64>, ApiError> {
    let parameters = req.get("reply_parameters");
    let Some(id) = parameters["message_id"].as_i64() else { return Ok(None) };
    if world.chat(chat).messages.contains_key(&id) {
        return Ok(Some(id));
    }
    match parameters["allow_sending_without_reply"].as_bool() {
        Some(true) => Ok(None),
        _ => Err(bad("message to be replied not found")),
    }
}

/// The only reader of the message, if it is an ephemeral one that may be sent now.
fn receiver(world: &World, chat: i64, req: &Request) -> Result<Option<i64>, ApiError> {
    let parameters = match req.get("ephemeral_message_parameters") {
        Value::Null => req.params,
        other => other.as_object().expect("checked against the specification"),
    };
    let to_ephemeral = req.get("reply_parameters")["ephemeral_message_id"].as_i64();
    let chat = world.chat(chat);
    let Some(person) = parameters.get("receiver_user_id").and_then(Value::as_i64) else {
        return match to_ephemeral {
            Some(_) => Err(bad("EPHEMERAL_RECEIVER_REQUIRED")),
            None => Ok(None),
        };
    };
    if !matches!(chat.kind, Kind::Group | Kind::Supergroup) {
        return Err(bad("EPHEMERAL_CHAT_INVALID"));
    }
    let human = world.users.get(&person).is_some_and(|it| !it.is_bot);
    if !human || !chat.members.contains_key(&person) {
        return Err(bad("PARTICIPANT_ID_INVALID"));
    }
    let fresh = |at_ms: u64| at_ms + EPHEMERAL_MS >= world.now_ms;
    let query = parameters.get("callback_query_id").and_then(Value::as_str);
    let pressed = query.and_then(|id| world.callbacks.get(id));
    if let Some(pressed) = pressed {
        return match pressed.from == person && pressed.chat == chat.id && fresh(pressed.at_ms) {
            true => Ok(Some(person)),
            false => Err(bad("QUERY_ID_INVALID")),
        };
    }
    let commanded = to_ephemeral.and_then(|id| chat.ephemerals.get(&id));
    if commanded.is_some_and(|it| it.from == person && fresh(it.date_ms)) {
        return Ok(Some(person));
    }
    match (chat.bot, query, to_ephemeral) {
        (Standing::Admin, None, None) => Ok(Some(person)),
        (_, Some(_), _) => Err(bad("QUERY_ID_INVALID")),
        (_, _, Some(_)) => Err(bad("message to be replied not found")),
        (_, None, None) => Err(bad("CHAT_ADMIN_REQUIRED")),
    }
}
