//! Converts people, chats and messages to JSON of the Bot API.

use serde_json::{Map, Value, json};

use super::spec::SPEC;
use super::world::{BOT_ID, Chat, Kind, Msg, Standing, World};

/// A person.
pub fn user(world: &World, id: i64) -> Value {
    let user = &world.users[&id];
    let mut out = json!({ "id": id, "is_bot": user.is_bot, "first_name": user.first });
    if let Some(name) = &user.username {
        out["username"] = json!(name);
    }
    if let Some(lang) = &user.lang {
        out["language_code"] = json!(lang);
    }
    out
}

/// The bot as `getMe` describes it.
pub fn me(world: &World) -> Value {
    let mut out = user(world, BOT_ID);
    for (name, value) in [
        ("can_join_groups", true),
        ("can_read_all_group_messages", !world.privacy),
        ("supports_inline_queries", world.inline),
        ("can_connect_to_business", false),
        ("has_main_web_app", false),
        ("supports_guest_queries", world.guests),
    ] {
        out[name] = json!(value);
    }
    out
}

/// A chat.
pub fn chat(world: &World, chat: &Chat) -> Value {
    let mut out = json!({ "id": chat.id, "type": chat.kind.word() });
    if chat.kind == Kind::Private {
        let user = &world.users[&chat.id];
        out["first_name"] = json!(user.first);
        if let Some(name) = &user.username {
            out["username"] = json!(name);
        }
        return out;
    }
    out["title"] = json!(chat.title);
    if let Some(name) = &chat.username {
        out["username"] = json!(name);
    }
    if !chat.topics.is_empty() {
        out["is_forum"] = json!(true);
    }
    out
}

/// The membership of a person in a chat.
pub fn member(world: &World, chat: &Chat, id: i64) -> Value {
    let user = user(world, id);
    let here = chat.members.get(&id).filter(|_| !chat.left.contains(&id));
    let standing = match (id == BOT_ID, here) {
        (true, _) => chat.bot,
        (false, Some(true)) => Standing::Admin,
        (false, Some(false)) => Standing::Member,
        (false, None) => Standing::Outside,
    };
    standing_of(user, standing)
}

/// A `ChatMember` of this standing.
pub fn standing_of(user: Value, standing: Standing) -> Value {
    match standing {
        Standing::Member => json!({ "status": "member", "user": user }),
        Standing::Outside => json!({ "status": "left", "user": user }),
        Standing::Kicked => json!({ "status": "kicked", "user": user, "until_date": 0 }),
        Standing::Muted | Standing::NoMedia => {
            let words = standing == Standing::NoMedia;
            let except: &[&str] =
                if words { &["is_member", "can_send_messages"] } else { &["is_member"] };
            let mut out = rights("ChatMemberRestricted", false, except);
            out["status"] = json!("restricted");
            out["user"] = user;
            out["until_date"] = json!(0);
            out
        }
        Standing::Admin => {
            let refused = ["can_be_edited", "is_anonymous", "can_promote_members"];
            let mut out = rights("ChatMemberAdministrator", true, &refused);
            out["status"] = json!("administrator");
            out["user"] = user;
            out
        }
    }
}

/// All required rights of a kind of member, with the same value except for `except`.
fn rights(kind: &str, all: bool, except: &[&str]) -> Value {
    let names = SPEC.required_bools(kind);
    names.map(|it| (it.to_owned(), json!(all != except.contains(&it)))).collect()
}

/// A message; the message that it replies to is included once, not recursively.
pub fn message(world: &World, chat: &Chat, msg: &Msg, with_reply: bool) -> Value {
    let mut out = Map::new();
    let mut set = |name: &str, value: Value| out.insert(name.to_owned(), value);
    set("message_id", json!(msg.id));
    set("date", json!(msg.date_ms / 1000));
    set("chat", self::chat(world, chat));
    if chat.kind != Kind::Channel {
        set("from", user(world, msg.from));
    }
    if let Some(id) = msg.sender_chat {
        set("sender_chat", self::chat(world, world.chat(id)));
    }
    if let Some(thread) = msg.thread {
        set("message_thread_id", json!(thread));
        if chat.topics.contains_key(&thread) {
            set("is_topic_message", json!(true));
        }
    }
    if let Some(id) = msg.ephemeral {
        set("ephemeral_message_id", json!(id));
    }
    if let Some(id) = msg.receiver {
        set("receiver_user", user(world, id));
    }
    if msg.via_bot {
        set("via_bot", user(world, BOT_ID));
    }
    if let Some(id) = msg.forwarded_from {
        let (date, sender) = (msg.date_ms / 1000, user(world, id));
        set("forward_origin", json!({ "type": "user", "date": date, "sender_user": sender }));
    }
    if msg.edited > 0 {
        set("edit_date", json!(world.now_ms / 1000));
    }
    if let Some(markup) = &msg.markup {
        set("reply_markup", markup.clone());
    }
    if let Some((name, value)) = &msg.service {
        set(name, value.clone());
    }
    let (text, entities) = match &msg.media {
        Some(media) => {
            set(media.kind, file_of(world, media.kind, &media.file_id));
            if media.kind == "animation" {
                // For programs that do not know animations.
                set("document", file_of(world, "document", &media.file_id));
            }
            ("caption", "caption_entities")
        }
        None => ("text", "entities"),
    };
    if !msg.text.is_empty() {
        set(text, json!(msg.text));
    }
    if !msg.entities.is_empty() {
        set(entities, json!(msg.entities));
    }
    let replied = msg.reply_to.filter(|_| with_reply).and_then(|id| chat.messages.get(&id));
    if let Some(replied) = replied {
        set("reply_to_message", message(world, chat, replied, false));
    }
    Value::Object(out)
}

fn file_of(world: &World, kind: &str, file_id: &str) -> Value {
    let file = &world.files[file_id];
    let base = json!({
        "file_id": file_id,
        "file_unique_id": format!("u{file_id}"),
        "file_size": file.bytes.len(),
    });
    let mut out = base.clone();
    if kind == "document" {
        out["file_name"] = json!(file.name);
        return out;
    }
    out["width"] = json!(file.size.0);
    out["height"] = json!(file.size.1);
    if kind == "animation" {
        out["duration"] = json!(1);
        out["file_name"] = json!(file.name);
        return out;
    }
    let mut thumb = out.clone();
    thumb["file_id"] = json!(format!("{file_id}-s"));
    thumb["width"] = json!(90);
    thumb["height"] = json!(60);
    json!([thumb, out])
}
