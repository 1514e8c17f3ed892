//! Renders the chat as JSON for one person. Every field is added explicitly, so that secrets stay
//! out by default.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use super::{
    Webchat,
    model::{StoredBlob, WebchatMember, WebchatMessage},
    state::{RoomData, WebchatState},
};
use caravanserai_games::text::{RichSpan, RichText};
use caravanserai_protocol::{Button, EphemeralReply};

/// A private reply as JSON.
pub struct ReplyJson(Value);

impl ReplyJson {
    /// Renders a reply. `id` is the id of the message as which it stays, if it does.
    pub fn new(reply: &EphemeralReply, id: Option<u64>) -> Self {
        let text = reply.message.text();
        let brief = reply.form.is_toast() && id.is_none();
        let passing = brief && reply.purpose.is_ack();
        let mut value = json!({
            "text": text.to_plain(), "spans": spans_json(text), "brief": brief, "passing": passing,
            "id": id,
        });
        add_marks(&mut value, reply);
        Self(value)
    }

    /// Joins replies into an array.
    pub fn to_array(replies: Vec<Self>) -> Value {
        Value::Array(replies.into_iter().map(|it| it.0).collect())
    }
}

/// Renders private replies for a user who has signed in from another platform: nothing of them is
/// stored, so images and files are included. Hands are left out, because the board shows them.
pub fn guest_replies_json(replies: &[EphemeralReply]) -> Value {
    let rendered = replies.iter().filter(|it| it.slot.is_none()).map(|it| {
        let message = &it.message;
        let buttons: Vec<Vec<Value>> = message
            .buttons()
            .iter()
            .map(|row| row.iter().filter_map(guest_button_json).collect())
            .collect();
        let image = message.image();
        let file = message.file();
        let mut value = json!({
            "text": message.text().to_plain(),
            "spans": spans_json(message.text()),
            "brief": it.form.is_toast(),
            "passing": it.purpose.is_ack(),
            "buttons": buttons,
            "image": image.map(|it| json!({ "png": BASE64.encode(&*it.png), "alt": it.alt })),
            "file": file.map(|it| json!({ "name": it.name, "bytes": BASE64.encode(&*it.bytes) })),
        });
        add_marks(&mut value, it);
        value
    });
    Value::Array(rendered.collect())
}

/// Adds what the page shows on the board or its button: the action that a hint recommends, and
/// whether a press has to be repeated.
fn add_marks(value: &mut Value, reply: &EphemeralReply) {
    let Some(view) = &reply.view else { return };
    if let Some(hint) = &view.hint {
        value["hint"] = json!(hint);
    }
    if view.asks_again {
        value["again"] = json!(true);
    }
}

fn guest_button_json(it: &Button) -> Option<Value> {
    let does = it.begins.is_none() && it.opens.is_none();
    does.then(|| json!({ "label": it.label, "press": it.press, "tone": it.tone.name() }))
}

/// Returns the name of a room for its members: every private chat is `@`.
pub fn room_name(name: &str) -> &str {
    if name.starts_with('@') { "@" } else { name }
}

/// Renders a message.
pub fn message_json(room: &str, it: &WebchatMessage) -> Value {
    let mut value = json!({
        "room": room_name(room),
        "id": it.id,
        "seq": it.changed,
        "time": it.time_ms,
        "bot": it.author.is_none(),
        "reply_to": it.reply_to,
        "only": it.only.is_some(),
        "gone": it.gone,
    });
    if let Some(author) = &it.author {
        value["author"] = json!({ "id": format!("web:{author}"), "name": it.name });
    }
    if it.gone {
        return value;
    }
    value["text"] = json!(it.text.to_plain());
    value["spans"] = spans_json(&it.text);
    value["loud"] = json!(it.loud);
    value["edited"] = json!(it.edited);
    value["waits_for"] = json!(it.waits_for);
    value["table"] = json!(it.table);
    if let Some(board) = &it.board {
        value["board"] = json!(board);
    }
    if let Some(look) = &it.look {
        value["look"] = json!(look);
    }
    value["image"] = it.image.as_ref().map_or(Value::Null, image_json);
    value["file"] = it.file.as_ref().map_or(Value::Null, file_json);
    let rows = it.buttons.iter().map(|row| {
        let keys = row
            .iter()
            .map(|key| json!({ "label": key.label, "press": key.press, "tone": key.tone.name() }));
        keys.collect::<Vec<_>>()
    });
    value["buttons"] = json!(rows.collect::<Vec<_>>());
    value
}

/// Renders a room's settings and members.
pub fn room_json(web: &Webchat, state: &WebchatState, place: &RoomData, viewer: &str) -> Value {
    let room = &place.room;
    let people = room.people.iter().filter_map(|id| state.people.get(id));
    let people = people.map(|it| {
        let id = format!("web:{}", it.id);
        let muted = room.muted.contains(&it.id);
        json!({ "id": id, "name": it.name, "online": web.hub.is_online(&it.id), "muted": muted })
    });
    let admin = room.admin() == Some(viewer);
    let mut value = json!({
        "room": room_name(&room.name),
        "bot": room.bot,
        "admin": admin,
        "closed": room.invite.is_some(),
        "people": people.collect::<Vec<_>>(),
        "seq": room.changed,
    });
    if admin {
        let removed = room.removed.iter().filter_map(|id| state.people.get(id));
        let removed = removed.map(|it| json!({ "id": format!("web:{}", it.id), "name": it.name }));
        value["removed"] = json!(removed.collect::<Vec<_>>());
        value["invite"] = json!(room.invite);
    }
    value
}

/// Renders a person for themselves.
pub fn me_json(member: &WebchatMember, seq: u64) -> Value {
    let rooms: Vec<&str> = member.rooms.iter().map(|it| room_name(it)).collect();
    json!({
        "id": format!("web:{}", member.id),
        "name": member.name,
        "locale": member.locale,
        "rooms": rooms,
        "seq": seq,
    })
}

fn image_json(blob: &StoredBlob) -> Value {
    json!({
        "src": format!("/api/pictures/{}.png", blob.hash),
        "alt": blob.label,
        "width": blob.width,
        "height": blob.height,
    })
}

fn file_json(blob: &StoredBlob) -> Value {
    json!({
        "src": format!("/api/files/{}", blob.hash),
        "name": blob.label,
        "bytes": blob.len,
        // Width of media that the chat shows, such as an animation.
        "width": blob.width,
        "height": blob.height,
    })
}

fn spans_json(text: &RichText) -> Value {
    let span = |it: &RichSpan| match it {
        RichSpan::Plain(text) => json!({ "kind": "plain", "text": text }),
        RichSpan::Bold(text) => json!({ "kind": "bold", "text": text }),
        RichSpan::Code(text) => json!({ "kind": "code", "text": text }),
        RichSpan::Mention { person, name } => {
            json!({ "kind": "mention", "text": name, "person": person })
        }
        // The page shows it in the reader's time zone.
        RichSpan::Time { at_ms, day, away } => {
            let kind = if *day { "day" } else { "time" };
            json!({ "kind": kind, "text": away, "time": at_ms })
        }
    };
    Value::Array(text.0.iter().map(span).collect())
}
