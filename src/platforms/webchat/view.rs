//! Renders the chat for one person.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::{
    Webchat,
    answers::{
        DeletedMessage, GuestFile, GuestImage, GuestReplyView, ListedPerson, MessageFile,
        MessageHead, MessageImage, MessageView, OwnPerson, ReplyView, RoomMember, RoomView,
        ShownMessage, SpanView,
    },
    model::{StoredBlob, WebchatButton, WebchatMember, WebchatMessage},
    state::{RoomData, WebchatState},
};
use caravanserai_games::text::{RichSpan, RichText};
use caravanserai_protocol::view::HintedAction;
use caravanserai_protocol::{Button, ButtonState, EphemeralReply};

/// Renders a private reply. `id` is the id of the message as which it stays, if it does.
pub fn reply_view(reply: &EphemeralReply, id: Option<u64>) -> ReplyView {
    let text = reply.message.text();
    let brief = reply.form.is_toast() && id.is_none();
    ReplyView {
        again: asks_again(reply),
        brief,
        hint: hinted_action(reply),
        id,
        passing: brief && reply.purpose.is_ack(),
        spans: span_views(text),
        text: text.to_plain(),
    }
}

/// Renders private replies for a user who has signed in from another platform: nothing of them is
/// stored, so images and files are included. Hands are left out, because the board shows them.
pub fn guest_reply_views(replies: &[EphemeralReply]) -> Vec<GuestReplyView> {
    let rendered = replies.iter().filter(|it| it.slot.is_none()).map(|it| {
        let message = &it.message;
        let rows = message.buttons().iter();
        GuestReplyView {
            again: asks_again(it),
            brief: it.form.is_toast(),
            buttons: rows.map(|row| row.iter().filter_map(guest_button).collect()).collect(),
            file: message
                .file()
                .map(|it| GuestFile { bytes: BASE64.encode(&*it.bytes), name: it.name.clone() }),
            hint: hinted_action(it),
            image: message
                .image()
                .map(|it| GuestImage { alt: it.alt.clone(), png: BASE64.encode(&*it.png) }),
            passing: it.purpose.is_ack(),
            spans: span_views(message.text()),
            text: message.text().to_plain(),
        }
    });
    rendered.collect()
}

fn asks_again(reply: &EphemeralReply) -> bool {
    reply.view.as_ref().is_some_and(|it| it.asks_again)
}

fn hinted_action(reply: &EphemeralReply) -> Option<HintedAction> {
    reply.view.as_ref()?.hint.clone()
}

fn guest_button(it: &Button) -> Option<ButtonState> {
    let does = it.inline_query.is_none() && it.link.is_none();
    does.then(|| ButtonState {
        label: it.label.clone(),
        callback_data: it.callback_data.clone(),
        tone: it.tone,
        look: None,
    })
}

/// Returns the name of a room for its members: every private chat is `@`.
pub fn room_name(name: &str) -> &str {
    if name.starts_with('@') { "@" } else { name }
}

/// Renders a message that may be deleted.
pub fn message_view(room: &str, it: &WebchatMessage) -> MessageView {
    if it.gone {
        return MessageView::Deleted(DeletedMessage { gone: true, head: message_head(room, it) });
    }
    MessageView::Shown(Box::new(shown_message(room, it)))
}

/// Renders a message that is not deleted.
pub fn shown_message(room: &str, it: &WebchatMessage) -> ShownMessage {
    ShownMessage {
        board: it.board.clone(),
        buttons: it.buttons.iter().map(|row| row.iter().map(button_view).collect()).collect(),
        edited: it.edited,
        file: it.file.as_ref().map(file_view),
        gone: false,
        head: message_head(room, it),
        image: it.image.as_ref().map(image_view),
        look: it.look.clone(),
        loud: it.loud,
        spans: span_views(&it.text),
        table: it.table.clone(),
        text: it.text.to_plain(),
        waits_for: it.waits_for.clone(),
    }
}

fn message_head(room: &str, it: &WebchatMessage) -> MessageHead {
    let author = it.author.as_ref();
    MessageHead {
        author: author.map(|id| ListedPerson { id: format!("web:{id}"), name: it.name.clone() }),
        bot: it.author.is_none(),
        id: it.id,
        only: it.only.is_some(),
        reply_to: it.reply_to,
        room: room_name(room).to_owned(),
        seq: it.changed,
        time: it.time_ms,
    }
}

fn button_view(it: &WebchatButton) -> ButtonState {
    ButtonState {
        label: it.label.clone(),
        callback_data: it.callback_data.clone(),
        tone: it.tone,
        look: None,
    }
}

/// Renders a room's settings and members.
pub fn room_view(
    web: &Webchat,
    state: &WebchatState,
    room_data: &RoomData,
    viewer: &str,
) -> RoomView {
    let room = &room_data.room;
    let people = room.people.iter().filter_map(|id| state.people.get(id));
    let people = people.map(|it| RoomMember {
        id: format!("web:{}", it.id),
        muted: room.muted.contains(&it.id),
        name: it.name.clone(),
        online: web.hub.is_online(&it.id),
    });
    let admin = room.admin() == Some(viewer);
    let removed = room.removed.iter().filter_map(|id| state.people.get(id));
    let removed =
        removed.map(|it| ListedPerson { id: format!("web:{}", it.id), name: it.name.clone() });
    RoomView {
        admin,
        bot: room.bot,
        closed: room.invite.is_some(),
        invite: admin.then(|| room.invite.clone()),
        people: people.collect(),
        removed: admin.then(|| removed.collect()),
        room: room_name(&room.name).to_owned(),
        seq: room.changed,
    }
}

/// Renders a person for themselves.
pub fn own_person(member: &WebchatMember, seq: u64) -> OwnPerson {
    OwnPerson {
        id: format!("web:{}", member.id),
        locale: member.locale.clone(),
        name: member.name.clone(),
        rooms: member.rooms.iter().map(|it| room_name(it).to_owned()).collect(),
        seq,
    }
}

fn image_view(blob: &StoredBlob) -> MessageImage {
    MessageImage {
        alt: blob.label.clone(),
        height: blob.height,
        src: format!("/api/pictures/{}.png", blob.hash),
        width: blob.width,
    }
}

fn file_view(blob: &StoredBlob) -> MessageFile {
    MessageFile {
        bytes: blob.len,
        height: blob.height,
        name: blob.label.clone(),
        src: format!("/api/files/{}", blob.hash),
        width: blob.width,
    }
}

fn span_views(text: &RichText) -> Vec<SpanView> {
    let span = |it: &RichSpan| match it.clone() {
        RichSpan::Plain(text) => SpanView::Plain { text },
        RichSpan::Bold(text) => SpanView::Bold { text },
        RichSpan::Code(text) => SpanView::Code { text },
        RichSpan::Mention { person, name } => SpanView::Mention { person, text: name },
        RichSpan::Time { at_ms, day: true, away } => SpanView::Day { text: away, time: at_ms },
        RichSpan::Time { at_ms, day: false, away } => SpanView::Time { text: away, time: at_ms },
    };
    text.0.iter().map(span).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_value};

    use super::*;
    use caravanserai_protocol::ButtonTone;

    fn message() -> WebchatMessage {
        let mention = RichSpan::Mention { person: "web:b2".into(), name: "Bek".into() };
        let day = RichSpan::Time { at_ms: 86_400_000, day: true, away: "tomorrow".into() };
        WebchatMessage {
            id: 3,
            changed: 12,
            time_ms: 5_000,
            author: Some("a1".into()),
            name: "Ann".into(),
            text: RichText(vec![RichSpan::Bold("Hi ".into()), mention, day]),
            image: Some(StoredBlob {
                hash: "f00d".into(),
                len: 9,
                label: "a board".into(),
                width: 4,
                height: 2,
            }),
            buttons: vec![vec![WebchatButton {
                label: "Yes".into(),
                callback_data: "y.1".into(),
                tone: ButtonTone::Good,
            }]],
            nonce: "a nonce".into(),
            key: "a key".into(),
            ..WebchatMessage::default()
        }
    }

    #[test]
    fn a_message_has_its_content_and_neither_nonce_nor_key() {
        let shown = json!({
            "author": { "id": "web:a1", "name": "Ann" },
            "bot": false,
            "buttons": [[{ "label": "Yes", "press": "y.1", "tone": "good" }]],
            "edited": false,
            "file": null,
            "gone": false,
            "id": 3,
            "image": { "alt": "a board", "height": 2, "src": "/api/pictures/f00d.png", "width": 4 },
            "loud": false,
            "only": false,
            "reply_to": null,
            "room": "tea",
            "seq": 12,
            "spans": [
                { "kind": "bold", "text": "Hi " },
                { "kind": "mention", "person": "web:b2", "text": "Bek" },
                { "kind": "day", "text": "tomorrow", "time": 86_400_000 },
            ],
            "table": null,
            "text": "Hi Bektomorrow",
            "time": 5_000,
            "waits_for": null,
        });
        assert_eq!(to_value(message_view("tea", &message())).unwrap(), shown);
    }

    #[test]
    fn of_a_deleted_message_only_the_head_is_left() {
        let deleted = json!({
            "author": { "id": "web:a1", "name": "Ann" },
            "bot": false,
            "gone": true,
            "id": 3,
            "only": false,
            "reply_to": null,
            "room": "@",
            "seq": 12,
            "time": 5_000,
        });
        let message = WebchatMessage { gone: true, ..message() };
        assert_eq!(to_value(message_view("@a1", &message)).unwrap(), deleted);
    }
}
