//! What one person is shown, as JSON. Built from nothing upwards: secrets stay out by default.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use super::{
    Web,
    model::{Blob, Member, Message},
    state::{Place, State},
};
use caravanserai_games::words::{Rich, Span};
use caravanserai_protocol::{Button, Whisper};

/// A private answer.
pub struct Whispered(Value);

impl Whispered {
    /// `id` is the number of the message it stays as, if it does.
    pub fn new(whisper: &Whisper, id: Option<u64>) -> Self {
        let text = whisper.message.text();
        let brief = whisper.brief && id.is_none();
        let passing = brief && whisper.passing;
        Self(json!({
            "text": text.to_plain(), "spans": spans(text), "brief": brief, "passing": passing,
            "id": id,
        }))
    }

    /// All of them.
    pub fn all(whispers: Vec<Self>) -> Value {
        Value::Array(whispers.into_iter().map(|it| it.0).collect())
    }
}

/// Private answers for somebody who has signed in from another platform: nothing of them stays
/// anywhere, so pictures and files come along. Hands are left out: the board shows them.
pub fn for_guest(whispers: &[Whisper]) -> Value {
    let told = whispers.iter().filter(|it| it.slot.is_none()).map(|it| {
        let message = &it.message;
        let buttons: Vec<Vec<Value>> = message
            .buttons()
            .iter()
            .map(|row| row.iter().filter_map(guest_key).collect())
            .collect();
        let image = message.image();
        let file = message.file();
        json!({
            "text": message.text().to_plain(),
            "spans": spans(message.text()),
            "brief": it.brief,
            "passing": it.passing,
            "buttons": buttons,
            "image": image.map(|it| json!({ "png": BASE64.encode(&*it.png), "alt": it.alt })),
            "file": file.map(|it| json!({ "name": it.name, "bytes": BASE64.encode(&*it.bytes) })),
        })
    });
    Value::Array(told.collect())
}

fn guest_key(it: &Button) -> Option<Value> {
    let does = it.begins.is_none() && it.opens.is_none();
    does.then(|| json!({ "label": it.label, "press": it.press, "tone": it.tone.name() }))
}

/// The name of a room as its people spell it: everybody's private chat is `@`.
pub fn room_name(name: &str) -> &str {
    if name.starts_with('@') { "@" } else { name }
}

/// A message.
pub fn message(room: &str, it: &Message) -> Value {
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
    value["spans"] = spans(&it.text);
    value["loud"] = json!(it.loud);
    value["edited"] = json!(it.edited);
    value["waits_for"] = json!(it.waits_for);
    value["table"] = json!(it.table);
    if let Some(look) = &it.look {
        value["look"] = json!(look);
    }
    value["image"] = it.image.as_ref().map_or(Value::Null, image);
    value["file"] = it.file.as_ref().map_or(Value::Null, file);
    let rows = it.buttons.iter().map(|row| {
        let keys = row
            .iter()
            .map(|key| json!({ "label": key.label, "press": key.press, "tone": key.tone.name() }));
        keys.collect::<Vec<_>>()
    });
    value["buttons"] = json!(rows.collect::<Vec<_>>());
    value
}

/// A room's settings and people.
pub fn room(web: &Web, state: &State, place: &Place, viewer: &str) -> Value {
    let room = &place.room;
    let people = room.people.iter().filter_map(|id| state.people.get(id));
    let people = people.map(|it| {
        let id = format!("web:{}", it.id);
        let muted = room.muted.contains(&it.id);
        json!({ "id": id, "name": it.name, "online": web.hub.online(&it.id), "muted": muted })
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

/// A person to themselves.
pub fn me(member: &Member, seq: u64) -> Value {
    let rooms: Vec<&str> = member.rooms.iter().map(|it| room_name(it)).collect();
    json!({
        "id": format!("web:{}", member.id),
        "name": member.name,
        "locale": member.locale,
        "rooms": rooms,
        "seq": seq,
    })
}

fn image(blob: &Blob) -> Value {
    json!({
        "src": format!("/api/pictures/{}.png", blob.hash),
        "alt": blob.label,
        "width": blob.width,
        "height": blob.height,
    })
}

fn file(blob: &Blob) -> Value {
    json!({
        "src": format!("/api/files/{}", blob.hash),
        "name": blob.label,
        "bytes": blob.len,
        // Of what is shown in the chat: a moving picture.
        "width": blob.width,
        "height": blob.height,
    })
}

fn spans(text: &Rich) -> Value {
    let span = |it: &Span| match it {
        Span::Plain(text) => json!({ "kind": "plain", "text": text }),
        Span::Bold(text) => json!({ "kind": "bold", "text": text }),
        Span::Code(text) => json!({ "kind": "code", "text": text }),
        Span::Mention { person, name } => {
            json!({ "kind": "mention", "text": name, "person": person })
        }
        // The page shows it in the zone of whoever reads.
        Span::Time { at_ms, day, away } => {
            let kind = if *day { "day" } else { "time" };
            json!({ "kind": kind, "text": away, "time": at_ms })
        }
    };
    Value::Array(text.0.iter().map(span).collect())
}
