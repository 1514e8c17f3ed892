//! Defines the JSON of the chat's answers and events.
//!
//! Every field is named here, so that secrets stay out by default. The scripts of the page have the
//! same types: `wire_types` writes them to `templates/web/wire-types.d.ts`, where `default` makes a
//! field optional that may be left out. Fields are in alphabetical order.

use serde::Serialize;

use caravanserai_protocol::view::HintedAction;
use caravanserai_protocol::{BoardSummary, ButtonState};

/// Returns an answer or an event as JSON.
pub fn json_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("our own types serialize to JSON")
}

/// A new person, with the secret by which later requests are theirs.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewPersonAnswer {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The secret.
    pub token: String,
}

/// A person for themselves.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnPerson {
    /// The id.
    pub id: String,
    /// The language of their browser.
    pub locale: Option<String>,
    /// The name.
    pub name: String,
    /// The names of their rooms, in the order of joining.
    pub rooms: Vec<String>,
    /// The number of the change that is described.
    pub seq: u64,
}

/// A new token; the one before is invalid.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TokenAnswer {
    /// The token.
    pub token: String,
}

/// An answer that tells only that the request was carried out.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "Record<string, never>"))]
pub struct EmptyAnswer {}

/// Why a request was refused.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RefusalAnswer {
    /// The code, which never changes.
    pub error: &'static str,
    /// The reason for people.
    pub say: String,
    /// How many milliseconds to wait, if there were too many requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub wait_ms: Option<u64>,
}

/// The rooms that a person can join or is in.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoomListAnswer {
    /// The rooms, the one with the latest message first.
    pub rooms: Vec<ListedRoom>,
}

/// A room in a list.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListedRoom {
    /// Whether the person is in the room.
    pub joined: bool,
    /// The name.
    pub name: String,
    /// The number of people in the room.
    pub people: usize,
}

/// The settings and the members of a room, for one of them.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoomView {
    /// Whether the reader is the admin of the room.
    pub admin: bool,
    /// Whether the bot is in the room.
    pub bot: bool,
    /// Whether an invitation is needed to join.
    pub closed: bool,
    /// The code of the invitation, for the admin; null if the room is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub invite: Option<Option<String>>,
    /// The members, in the order of joining.
    pub people: Vec<RoomMember>,
    /// The people who may not come back, for the admin.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub removed: Option<Vec<ListedPerson>>,
    /// The name; `@` for a private chat.
    pub room: String,
    /// The number of the last change.
    pub seq: u64,
}

/// A member of a room.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoomMember {
    /// The id.
    pub id: String,
    /// Whether the admin does not let them write.
    pub muted: bool,
    /// The name.
    pub name: String,
    /// Whether they are online.
    pub online: bool,
}

/// A person by id and name.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListedPerson {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
}

/// A room with a page of its messages.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoomPage {
    /// The boards that are older than the newest messages and still of use; only with these.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub boards: Option<Vec<ShownMessage>>,
    /// The messages, the oldest first.
    pub messages: Vec<ShownMessage>,
    /// Whether there are earlier messages.
    pub more: bool,
    /// The room; its `seq` is the last change of the whole chat.
    #[serde(flatten)]
    pub room: RoomView,
}

/// A message for its readers.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum MessageView {
    /// A message that is there.
    Shown(Box<ShownMessage>),
    /// A message that was deleted.
    Deleted(DeletedMessage),
}

/// The part of a message that stays when it is deleted.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MessageHead {
    /// The author; missing for the bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub author: Option<ListedPerson>,
    /// Whether it is from the bot.
    pub bot: bool,
    /// The id, counted up within its room.
    pub id: u64,
    /// Whether only the reader sees it.
    pub only: bool,
    /// The id of the message to which it replies.
    pub reply_to: Option<u64>,
    /// The room.
    pub room: String,
    /// The number of its last change among all changes of the chat.
    pub seq: u64,
    /// When it was posted, in milliseconds since 1970.
    pub time: u64,
}

/// A deleted message.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DeletedMessage {
    /// Always true.
    #[cfg_attr(test, ts(type = "true"))]
    pub gone: bool,
    /// The part that stays.
    #[serde(flatten)]
    pub head: MessageHead,
}

/// A message that is there.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ShownMessage {
    /// Of a board: what it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub board: Option<BoardSummary>,
    /// Rows of buttons.
    pub buttons: Vec<Vec<ButtonState>>,
    /// Whether the content has changed since it was posted.
    pub edited: bool,
    /// The attached file.
    pub file: Option<MessageFile>,
    /// Always false.
    #[cfg_attr(test, ts(type = "false"))]
    pub gone: bool,
    /// The part that a deleted message has, too.
    #[serde(flatten)]
    pub head: MessageHead,
    /// The picture.
    pub image: Option<MessageImage>,
    /// The page that shows its content on a board, see
    /// [`ViewerPage::url_path`](caravanserai_protocol::ViewerPage::url_path).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub look: Option<String>,
    /// Whether devices may play a sound.
    pub loud: bool,
    /// The parts of the text.
    pub spans: Vec<SpanView>,
    /// Of a board or a hand: the code of its table.
    pub table: Option<String>,
    /// The text without markup.
    pub text: String,
    /// Of a board: the id of the person to move.
    pub waits_for: Option<String>,
}

/// A part of a text.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum SpanView {
    /// Without style.
    Plain {
        /// The text.
        text: String,
    },
    /// Emphasised.
    Bold {
        /// The text.
        text: String,
    },
    /// Fixed width.
    Code {
        /// The text.
        text: String,
    },
    /// A person.
    Mention {
        /// The id of the person.
        person: String,
        /// The name.
        text: String,
    },
    /// A time, which the page shows in the reader's time zone.
    Time {
        /// How far away it is, in words.
        text: String,
        /// The time in milliseconds since 1970.
        time: u64,
    },
    /// A day.
    Day {
        /// The day in words.
        text: String,
        /// A time of that day in milliseconds since 1970.
        time: u64,
    },
}

/// The picture of a message.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MessageImage {
    /// The alternative text.
    pub alt: String,
    /// The height in pixels.
    pub height: u32,
    /// The address.
    pub src: String,
    /// The width in pixels.
    pub width: u32,
}

/// The file of a message.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MessageFile {
    /// The length in bytes.
    pub bytes: u64,
    /// The height in pixels of an animation, which the chat shows; else 0.
    pub height: u32,
    /// The name.
    pub name: String,
    /// The address.
    pub src: String,
    /// The width in pixels of an animation; else 0.
    pub width: u32,
}

/// A private reply to a press or a message.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReplyView {
    /// Whether a press has to be repeated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
    /// Whether it is short enough to be shown only for a moment.
    pub brief: bool,
    /// The action that a hint recommends, to be marked on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub hint: Option<HintedAction>,
    /// The id of the message as which it stays, if it does.
    pub id: Option<u64>,
    /// Whether it only acknowledges what the board shows, too.
    pub passing: bool,
    /// The parts of the text.
    pub spans: Vec<SpanView>,
    /// The text without markup.
    pub text: String,
}

/// A private reply to a person who has signed in from another platform. No chat stores it, so it
/// includes its picture and its file.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GuestReplyView {
    /// Whether a press has to be repeated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
    /// Whether it is short enough to be shown only for a moment.
    pub brief: bool,
    /// Rows of buttons.
    pub buttons: Vec<Vec<ButtonState>>,
    /// The file.
    pub file: Option<GuestFile>,
    /// The action that a hint recommends, to be marked on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub hint: Option<HintedAction>,
    /// The picture.
    pub image: Option<GuestImage>,
    /// Whether it only acknowledges what the board shows, too.
    pub passing: bool,
    /// The parts of the text.
    pub spans: Vec<SpanView>,
    /// The text without markup.
    pub text: String,
}

/// A file inside an answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GuestFile {
    /// The contents in base64.
    pub bytes: String,
    /// The name.
    pub name: String,
}

/// A picture inside an answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GuestImage {
    /// The alternative text.
    pub alt: String,
    /// The picture as PNG in base64.
    pub png: String,
}

/// The answer to a posted message.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SayAnswer {
    /// The id of the message; `None` if nobody in the room reads it.
    pub id: Option<u64>,
    /// The private replies.
    pub whispers: Vec<ReplyView>,
}

/// The answer to a press.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RepliesAnswer {
    /// The private replies.
    pub whispers: Vec<ReplyView>,
}

/// The answer to a press of a person who has signed in from another platform.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GuestRepliesAnswer {
    /// The private replies.
    pub whispers: Vec<GuestReplyView>,
}

/// A person who has signed in from another platform.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GuestAnswer {
    /// The code of the language they read.
    pub lang: String,
    /// The name.
    pub name: String,
    /// The theme of their pictures.
    pub theme: String,
}

/// A person who signs in from another platform.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GuestSignInAnswer {
    /// The person.
    #[serde(flatten)]
    pub guest: GuestAnswer,
    /// The token that the platform's own client expects.
    pub key: Option<String>,
    /// The code of the table for which they opened the page.
    pub table: Option<String>,
    /// The token of later requests, where cookies do not persist.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub token: Option<String>,
}

/// The invitation of a closed room.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoomInvitationAnswer {
    /// The code; `None` if the room is open.
    pub invite: Option<String>,
}

/// What completes the text that a person types.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SuggestionsAnswer {
    /// The suggestions, the best first.
    pub suggestions: Vec<Suggestion>,
}

/// A completion of a text.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Suggestion {
    /// What a command does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub about: Option<String>,
    /// The arguments of a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub arguments: Option<String>,
    /// What is shown.
    pub label: String,
    /// The id of a mentioned person.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub person: Option<String>,
    /// The whole text as it is after choosing it.
    pub text: String,
}

/// The record of a finished game.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameRecordAnswer {
    /// The name of its file.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The event `busy`: a person writes.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TypingEvent {
    /// The name of the person.
    pub name: String,
    /// The id of the person.
    pub person: String,
    /// The room.
    pub room: String,
}

/// The event `presence`: a person is online or offline now.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PresenceEvent {
    /// Whether the person is online.
    pub online: bool,
    /// The id of the person.
    pub person: String,
    /// The room.
    pub room: String,
}

/// The event `ready`: all changes so far were sent.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReadyEvent {
    /// The number of the last change.
    pub seq: u64,
}

/// The event `table`: a table has changed, for people who have signed in from another platform.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableChangeEvent {
    /// The number of the change, see
    /// [`TableStateView::change`](caravanserai_protocol::TableStateView::change).
    pub change: u64,
    /// The code of the table.
    pub table: String,
}
