//! Encodes and decodes outbox entries: the key and the value of each kind of message that waits to
//! be sent.

use std::hash::{BuildHasher, Hasher, RandomState};

use serde::{Deserialize, Serialize};

use super::outbox_key::{BoardMode, OutboxKey, OutboxSubject};
use super::stored_rows::{
    PingKind, PingPurpose, PingedTurn, is_zero, parse_json_or_default, put_json,
};
use caravanserai_games::ids::{ChatId, MessageId, PersonId, TableId};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;
use caravanserai_store::{Put, Space};
use caravanserai_table::state::Table;

/// The most people that one message lists as waiting.
const WAITING_MAX: usize = 64;

/// An outbox entry: a message that is decided but not sent yet.
#[derive(Clone, Debug)]
pub struct OutboxEntry {
    key: OutboxKey,
    message: OutboxMessage,
}

/// The content of outbox entries.
#[derive(Clone, Debug)]
pub enum OutboxMessage {
    /// Show the board of a table.
    Board(TableId, BoardTask),
    /// Ping players of a table.
    Ping(TableId, PingTask),
    /// Update the list of a person's tables.
    TableList(PersonId),
    /// Show the hand of a seat.
    Hand(TableId, u8),
    /// Post the view of an update.
    Post(String, Box<View>),
    /// Post the replay of a table.
    Replay(TableId),
    /// Post the review of a table.
    Review(TableId),
    /// Remove older boards of a table. Each has an entry of its own.
    Removal(TableId, Vec<MessageId>),
}

/// How the board message of a table is updated.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BoardTask {
    /// Whether the board is requested at the bottom of the chat.
    #[serde(rename = "down")]
    pub to_bottom: bool,
    /// The update that requested it.
    #[serde(rename = "asked")]
    pub requested_by: Option<String>,
    /// The requested page of buttons, from 0, if the board is the only message of the chat.
    pub page: u8,
    /// Whether it shows the ratings that the finished game has changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ratings: bool,
    /// The people who wait there to see their actions. They are part of the entry, because any
    /// process may send it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<WaitingViewer>,
    /// A number that no other request has, see [`OutboxEntry::changed_board`]; 0 in other requests.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub request: u64,
}

/// A number that no other request has, in any process. Requests may write the same key: while a
/// sender handles the first one, the value shows it that there is a second one.
fn request_number() -> u64 {
    // The keys of hash maps differ between processes and between calls.
    RandomState::new().build_hasher().finish()
}

/// A person who waits to see their action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingViewer {
    /// Their seat before the start, if they have one: it stays the same when the game begins.
    pub lobby_seat: Option<u8>,
    /// When the action arrived, in milliseconds since 1970.
    pub since_ms: u64,
}

/// A ping of a player, with a message that mentions them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PingTask {
    /// The text of the ping.
    pub text: Option<Text>,
    /// The ping is sent only while the table still has this version, unless the turn below lasts.
    pub version: u64,
    /// The turn of which a player reminds another: whatever else happens at the table, the ping is
    /// sent while it lasts. Earlier versions never set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<PingedTurn>,
    /// The reason of the ping.
    #[serde(default)]
    pub purpose: PingPurpose,
}

impl BoardTask {
    fn mode(&self) -> BoardMode {
        match (self.to_bottom, self.ratings) {
            (true, _) => BoardMode::Bottom,
            (false, true) => BoardMode::Ratings,
            (false, false) if !self.waiting.is_empty() => BoardMode::Awaited,
            (false, false) => BoardMode::InPlace(self.page),
        }
    }

    /// This update and a newer one in one message.
    fn merge(self, newer: BoardTask) -> BoardTask {
        let waiting = self.waiting.into_iter().chain(newer.waiting).take(WAITING_MAX).collect();
        BoardTask {
            waiting,
            to_bottom: self.to_bottom || newer.to_bottom,
            requested_by: newer.requested_by.or(self.requested_by),
            page: newer.page,
            ratings: self.ratings || newer.ratings,
            request: newer.request,
        }
    }
}

impl OutboxMessage {
    /// This message and a newer one of the same subject in one message.
    pub fn merge(self, newer: OutboxMessage) -> OutboxMessage {
        match (self, newer) {
            (OutboxMessage::Board(_, old), OutboxMessage::Board(table, new)) => {
                OutboxMessage::Board(table, old.merge(new))
            }
            (OutboxMessage::Removal(_, mut old), OutboxMessage::Removal(table, new)) => {
                old.extend(new);
                OutboxMessage::Removal(table, old)
            }
            (_, newer) => newer,
        }
    }
}

impl OutboxEntry {
    /// Updates the board of a table in a chat because something else than the table has changed:
    /// a board of the same version that is being sent at this moment does not show it yet.
    pub fn changed_board(chat: &ChatId, table: &Table) -> Self {
        let task = BoardTask { request: request_number(), ..BoardTask::default() };
        Self::board(chat, table, task)
    }

    /// Updates the board of a table in a chat. Done by a board of the same version that is being
    /// sent at this moment.
    pub fn board(chat: &ChatId, table: &Table, task: BoardTask) -> Self {
        let key = OutboxKey::board(chat, &table.id, table.version, task.mode());
        OutboxEntry { key, message: OutboxMessage::Board(table.id.clone(), task) }
    }

    /// Pings players of a table in a chat.
    pub fn ping(chat: &ChatId, table: &Table, text: Text, purpose: PingPurpose) -> Self {
        let key = OutboxKey::ping(chat, &table.id, table.version);
        let is_nudge = purpose.kind == PingKind::Nudge;
        let turn = is_nudge.then(|| PingedTurn::of(table, purpose)).flatten();
        let task = PingTask { text: Some(text), version: table.version, turn, purpose };
        OutboxEntry { key, message: OutboxMessage::Ping(table.id.clone(), task) }
    }

    /// Updates the list of a person's tables in a chat.
    pub fn table_list(chat: &ChatId, person: &PersonId) -> Self {
        let message = OutboxMessage::TableList(person.clone());
        OutboxEntry { key: OutboxKey::table_list(chat, person), message }
    }

    /// Shows the hand of a seat to its player, in the chat where they play.
    pub fn hand(chat: &ChatId, table: &Table, seat: u8) -> Self {
        let key = OutboxKey::hand(chat, &table.id, seat, table.version);
        OutboxEntry { key, message: OutboxMessage::Hand(table.id.clone(), seat) }
    }

    /// Posts a view that belongs to no table.
    pub fn post(chat: &ChatId, update: &str, view: View) -> Self {
        let message = OutboxMessage::Post(update.to_owned(), Box::new(view));
        OutboxEntry { key: OutboxKey::post(chat, update), message }
    }

    /// Posts the replay of a table.
    pub fn replay(chat: &ChatId, table: &TableId) -> Self {
        let message = OutboxMessage::Replay(table.clone());
        OutboxEntry { key: OutboxKey::replay(chat, table), message }
    }

    /// Posts the review of a table.
    pub fn review(chat: &ChatId, table: &TableId) -> Self {
        let message = OutboxMessage::Review(table.clone());
        OutboxEntry { key: OutboxKey::review(chat, table), message }
    }

    /// Removes an older board of a table from a chat.
    pub fn removal(chat: &ChatId, table: &TableId, message: &MessageId) -> Self {
        let key = OutboxKey::removal(chat, table, message);
        let message = OutboxMessage::Removal(table.clone(), vec![message.clone()]);
        OutboxEntry { key, message }
    }

    /// The key of the entry.
    pub fn key(&self) -> &OutboxKey {
        &self.key
    }

    /// The content of the entry.
    pub fn into_message(self) -> OutboxMessage {
        self.message
    }

    /// The put that stores the entry.
    pub fn encode(&self) -> Put {
        let key = self.key.encode();
        match &self.message {
            OutboxMessage::Board(_, task) => put_json(Space::Outbox, key, task),
            OutboxMessage::Ping(_, task) => put_json(Space::Outbox, key, task),
            OutboxMessage::Post(_, view) => put_json(Space::Outbox, key, view),
            OutboxMessage::Removal(..) => put_json(Space::Outbox, key, &self.key.removed_message()),
            OutboxMessage::TableList(_) => put_json(Space::Outbox, key, &request_number()),
            OutboxMessage::Hand(..) | OutboxMessage::Replay(_) | OutboxMessage::Review(_) => {
                put_json(Space::Outbox, key, &())
            }
        }
    }

    /// Decodes a stored row; `None` if it is no entry, or a note whose view cannot be read. Boards
    /// and pings with an unreadable value have the default one: their table says the rest.
    pub fn decode(key: &str, value: Vec<u8>) -> Option<Self> {
        let key = OutboxKey::parse(key)?;
        let message = match key.subject().clone() {
            OutboxSubject::Board(table) => {
                OutboxMessage::Board(table, parse_json_or_default(Some(value)))
            }
            OutboxSubject::Ping(table) => {
                OutboxMessage::Ping(table, parse_json_or_default(Some(value)))
            }
            OutboxSubject::TableList(person) => OutboxMessage::TableList(person),
            OutboxSubject::Hand(table, seat) => OutboxMessage::Hand(table, seat),
            OutboxSubject::Post(update) => {
                OutboxMessage::Post(update, serde_json::from_slice(&value).ok()?)
            }
            OutboxSubject::Replay(table) => OutboxMessage::Replay(table),
            OutboxSubject::Review(table) => OutboxMessage::Review(table),
            // The value repeats the message that the key names.
            OutboxSubject::Removal(table) => {
                OutboxMessage::Removal(table, key.removed_message().cloned().into_iter().collect())
            }
        };
        Some(OutboxEntry { key, message })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::stored_rows::PingKind;

    const VERSION: u64 = 16;

    /// One entry of each kind with its stored form, except lists of tables.
    fn samples() -> Vec<(OutboxEntry, &'static str, &'static str)> {
        let chat = &ChatId("tg:-100".into());
        let table = &TableId("7k3fx".into());
        let requested_by = Some("tg/923/5".to_owned());
        let board = |task: BoardTask| OutboxEntry {
            key: OutboxKey::board(chat, table, VERSION, task.mode()),
            message: OutboxMessage::Board(table.clone(), task),
        };
        let purpose =
            PingPurpose { kind: PingKind::Nudge, deferred: true, ..PingPurpose::default() };
        let text = Some(Text::new("call-turn"));
        let ping = PingTask { text, version: VERSION, turn: None, purpose };
        vec![
            (
                board(BoardTask { to_bottom: true, requested_by, ..BoardTask::default() }),
                "tg:-100 b 7k3fx 0000000000000010 down",
                r#"{"down":true,"asked":"tg/923/5","page":0}"#,
            ),
            (
                board(BoardTask { page: 2, ..BoardTask::default() }),
                "tg:-100 b 7k3fx 0000000000000010 show.2",
                r#"{"down":false,"asked":null,"page":2}"#,
            ),
            (
                board(BoardTask {
                    waiting: vec![WaitingViewer { lobby_seat: Some(1), since_ms: 5 }],
                    ..BoardTask::default()
                }),
                "tg:-100 b 7k3fx 0000000000000010 await",
                concat!(
                    r#"{"down":false,"asked":null,"page":0,"#,
                    r#""waiting":[{"lobby_seat":1,"since_ms":5}]}"#
                ),
            ),
            (
                OutboxEntry {
                    key: OutboxKey::ping(chat, table, VERSION),
                    message: OutboxMessage::Ping(table.clone(), ping),
                },
                "tg:-100 c 7k3fx 0000000000000010",
                CALL,
            ),
            (
                OutboxEntry {
                    key: OutboxKey::hand(chat, table, 1, VERSION),
                    message: OutboxMessage::Hand(table.clone(), 1),
                },
                "tg:-100 h 7k3fx:1 0000000000000010",
                "null",
            ),
            (OutboxEntry::post(chat, "tg/923/5", View::default()), "tg:-100 n tg/923/5", NOTE),
            (OutboxEntry::replay(chat, table), "tg:-100 r 7k3fx replay", "null"),
            (OutboxEntry::review(chat, table), "tg:-100 v 7k3fx review", "null"),
            (
                OutboxEntry::removal(chat, table, &MessageId("31".into())),
                "tg:-100 x 7k3fx 31",
                r#""31""#,
            ),
        ]
    }

    const CALL: &str = concat!(
        r#"{"text":{"key":"call-turn","args":[]},"version":16,"#,
        r#""purpose":{"kind":"Nudge","deferred":true}}"#
    );

    const NOTE: &str = concat!(
        r#"{"texts":[],"picture":null,"record_of":null,"keys":[],"brief":false,"passing":false,"#,
        r#""posts":false,"launches":false,"loud":false,"reply_to":null,"slot":null,"secret":false}"#
    );

    #[test]
    fn the_stored_form_of_each_kind_stays_the_same() {
        for (entry, key, value) in samples() {
            let put = entry.encode();
            let stored = String::from_utf8(put.value.expect("an entry has a value"));
            assert_eq!((put.space, &*put.key), (Space::Outbox, key));
            assert_eq!(stored.as_deref(), Ok(value));
            let decoded = OutboxEntry::decode(key, value.into()).expect("the entry can be read");
            assert_eq!(format!("{decoded:?}"), format!("{entry:?}"));
        }
    }

    #[test]
    fn requests_of_the_same_message_differ() {
        let chat = ChatId("tg:-100".into());
        let table = TableId("7k3fx".into());
        let list = || OutboxEntry::table_list(&chat, &PersonId("tg:5".into())).encode();
        assert_eq!(list().key, "tg:-100 g tg:5");
        assert_ne!(list(), list());
        for value in [list().value.expect("an entry has a value"), b"null".to_vec()] {
            let decoded = OutboxEntry::decode("tg:-100 g tg:5", value).expect("it can be read");
            assert!(matches!(decoded.into_message(), OutboxMessage::TableList(_)));
        }
        let task = BoardTask { request: request_number(), ..BoardTask::default() };
        let key = OutboxKey::board(&chat, &table, VERSION, task.mode());
        let entry = OutboxEntry { key, message: OutboxMessage::Board(table, task.clone()) };
        let put = entry.encode();
        let stored = put.value.expect("an entry has a value");
        let decoded = OutboxEntry::decode(&put.key, stored).expect("it can be read");
        let OutboxMessage::Board(_, decoded) = decoded.into_message() else { panic!("a board") };
        assert_eq!(decoded.request, task.request);
    }

    #[test]
    fn a_later_request_keeps_who_waits() {
        let waiting = vec![WaitingViewer { lobby_seat: Some(1), since_ms: 5 }];
        let action = BoardTask { waiting, ..BoardTask::default() };
        let chat = ChatId("tg:-100".into());
        let table = TableId("7k3fx".into());
        let key = |it: &BoardTask| OutboxKey::board(&chat, &table, VERSION, it.mode());
        for page in [0, 2] {
            let request = BoardTask { page, ..BoardTask::default() };
            assert_ne!(key(&action), key(&request));
            assert!(key(&action).encode() < key(&request).encode(), "the page of the request");
            let merged = action.clone().merge(request);
            assert_eq!((merged.page, merged.waiting.len()), (page, 1));
        }
    }

    #[test]
    fn only_notes_need_a_readable_value() {
        let nonsense = b"{\xff\0 nonsense";
        for (entry, key, _) in samples() {
            let decoded = OutboxEntry::decode(key, nonsense.to_vec());
            let is_note = matches!(entry.message, OutboxMessage::Post(..));
            assert_eq!(decoded.is_none(), is_note, "{key}");
            if let Some(OutboxMessage::Removal(_, old)) = decoded.map(OutboxEntry::into_message) {
                assert_eq!(old, [MessageId("31".into())], "the key names it");
            }
        }
        let view = serde_json::to_vec(&View::default()).expect("a view serializes");
        assert!(OutboxEntry::decode("tg:-100 z 7k3fx", view).is_none(), "no such kind");
    }

    #[test]
    fn boards_of_one_subject_are_one_message() {
        let task = |to_bottom, asked: Option<&str>, page| {
            OutboxMessage::Board(
                TableId("7k3fx".into()),
                BoardTask {
                    to_bottom,
                    requested_by: asked.map(str::to_owned),
                    page,
                    ratings: false,
                    waiting: vec![WaitingViewer { lobby_seat: None, since_ms: u64::from(page) }],
                    request: u64::from(page),
                },
            )
        };
        let tasks = [task(true, Some("1"), 3), task(false, Some("2"), 2), task(false, None, 1)];
        let merged = tasks.into_iter().reduce(OutboxMessage::merge);
        let Some(OutboxMessage::Board(_, merged)) = merged else { panic!("{merged:?}") };
        assert_eq!(
            (merged.to_bottom, merged.requested_by.as_deref(), merged.page),
            (true, Some("2"), 1)
        );
        let since: Vec<u64> = merged.waiting.iter().map(|it| it.since_ms).collect();
        assert_eq!(since, [3, 2, 1], "each of them waits for this message");
    }
}
