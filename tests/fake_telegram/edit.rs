//! Implements the methods that edit or delete messages.

use serde_json::{Value, json};

use super::send::{Request, known_entities, media};
use super::world::{Answer, ApiError, BOT_ID, Kind, Msg, Standing, Version, World, bad};
use super::{limits, show, via};

pub const SAME: &str = "message is not modified: specified new message content and reply markup \
                        are exactly the same as a current content and reply markup of the message";
/// The time in which a bot may delete a message.
const DELETE_MS: u64 = 48 * 3600 * 1000;

/// editMessageText, editMessageCaption, editMessageMedia, editMessageReplyMarkup.
pub fn edit(world: &mut World, req: &Request) -> Answer {
    if !req.get("inline_message_id").is_null() {
        return via::edit(world, req);
    }
    let chat = world.speak(req.get("chat_id"))?;
    let id =
        req.get("message_id").as_i64().ok_or_else(|| bad("message identifier is not specified"))?;
    let old = world.chat(chat).messages.get(&id).cloned();
    let old = old.ok_or_else(|| bad("message to edit not found"))?;
    if old.from != BOT_ID || old.service.is_some() {
        return Err(bad("message can't be edited"));
    }
    let new = changed(world, req, &old)?;
    if same(&old, &new) {
        return Err(bad(SAME));
    }
    let new = Msg { edited: old.edited + 1, ..new };
    world.reaches(chat, &new);
    world.chat_mut(chat).messages.insert(id, new.clone());
    Ok(show::message(world, world.chat(chat), &new, true))
}

/// The four methods that edit ephemeral messages.
pub fn edit_ephemeral(world: &mut World, req: &Request) -> Answer {
    let (chat, id, old) = ephemeral(world, req, "message to edit not found")?;
    if world.version < Version::V10_3 && !req.files.is_empty() {
        // New files are supported only since 10.3.
        return Err(bad("EPHEMERAL_MEDIA_UPLOAD_UNSUPPORTED"));
    }
    let new = changed(world, req, &old)?;
    if same(&old, &new) {
        return Err(bad(SAME));
    }
    let new = Msg { edited: old.edited + 1, ..new };
    world.reaches(chat, &new);
    world.chat_mut(chat).ephemerals.insert(id, new);
    Ok(json!(true))
}

/// deleteEphemeralMessage.
pub fn delete_ephemeral(world: &mut World, req: &Request) -> Answer {
    let (chat, id, _) = ephemeral(world, req, "message to delete not found")?;
    world.chat_mut(chat).ephemerals.remove(&id);
    Ok(json!(true))
}

fn ephemeral(world: &World, req: &Request, none: &str) -> Result<(i64, i64, Msg), ApiError> {
    let chat = world.speak(req.get("chat_id"))?;
    let id = req.get("ephemeral_message_id").as_i64().unwrap_or_default();
    let person = req.get("receiver_user_id").as_i64();
    let found = world.chat(chat).ephemerals.get(&id);
    let found = found.filter(|it| it.receiver == person && it.from == BOT_ID);
    found.map(|it| (chat, id, it.clone())).ok_or_else(|| bad(none))
}

pub fn same(old: &Msg, new: &Msg) -> bool {
    (&old.text, &old.entities, &old.media, &old.markup)
        == (&new.text, &new.entities, &new.media, &new.markup)
}

pub fn changed(world: &mut World, req: &Request, old: &Msg) -> Result<Msg, ApiError> {
    let markup = req.keyboard()?;
    let mut new = Msg { markup, ..old.clone() };
    if req.method.ends_with("Text") {
        if old.media.is_some() {
            return Err(bad("there is no text in the message to edit"));
        }
        new.text = req.text("text").to_owned();
        new.entities = known_entities(world, req.list("entities"))?;
        limits::text(&new.text, &new.entities)?;
    } else if req.method.ends_with("Caption") {
        if old.media.is_none() {
            return Err(bad("there is no caption in the message to edit"));
        }
        new.text = req.text("caption").to_owned();
        new.entities = known_entities(world, req.list("caption_entities"))?;
        limits::caption(&new.text, &new.entities)?;
    } else if req.method.ends_with("Media") {
        if old.media.is_none() && world.version < Version::V10_2 {
            return Err(bad("there is no media in the message to edit"));
        }
        let input = req.get("media");
        let kind = match input["type"].as_str() {
            Some("photo") => "photo",
            Some("document") => "document",
            other => return Err(bad(format!("media of type {other:?} is not simulated"))),
        };
        new.text = input["caption"].as_str().unwrap_or_default().to_owned();
        let entities = input["caption_entities"].as_array().cloned().unwrap_or_default();
        new.entities = known_entities(world, entities)?;
        limits::caption(&new.text, &new.entities)?;
        let source = input["media"].as_str().unwrap_or_default();
        new.media = Some(media(world, req, kind, source)?);
    }
    Ok(new)
}

/// deleteMessage.
pub fn delete(world: &mut World, req: &Request) -> Answer {
    let chat = world.speak(req.get("chat_id"))?;
    let id = req.get("message_id").as_i64().unwrap_or_default();
    delete_one(world, chat, id)?;
    Ok(json!(true))
}

fn delete_one(world: &mut World, chat: i64, id: i64) -> Result<(), ApiError> {
    let now = world.now_ms;
    let chat = world.chat_mut(chat);
    let msg = chat.messages.get(&id).ok_or_else(|| bad("message to delete not found"))?;
    let own = msg.from == BOT_ID || chat.kind == Kind::Private;
    let mine = own && msg.date_ms + DELETE_MS >= now;
    if !mine && chat.bot != Standing::Admin {
        return Err(bad("message can't be deleted"));
    }
    chat.messages.remove(&id);
    Ok(())
}

/// deleteMessages: messages that cannot be deleted are skipped.
pub fn delete_many(world: &mut World, req: &Request) -> Answer {
    let chat = world.speak(req.get("chat_id"))?;
    for id in req.list("message_ids").iter().filter_map(Value::as_i64) {
        let _skipped = delete_one(world, chat, id);
    }
    Ok(json!(true))
}
