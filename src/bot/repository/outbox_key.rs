//! Builds and parses the keys of outbox entries: the only place that knows their stored form.
//!
//! A key is `<chat> <letter> <target>` and, for most kinds, a last part that tells the entries of
//! one subject apart. Entries of the same subject are sent as one message. [`OutboxKey::parse`]
//! accepts exactly the keys that [`OutboxKey`] formats, so a parsed key names the row that it came
//! from.

use std::fmt;

use caravanserai_games::ids::{ChatId, MessageId, PersonId, TableId};

/// The key of an outbox entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxKey {
    chat: ChatId,
    subject: OutboxSubject,
    detail: KeyDetail,
}

/// What a waiting message is about; the variants are in the order in which subjects alternate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutboxSubject {
    /// The board of a table.
    Board(TableId),
    /// A ping of players of a table.
    Ping(TableId),
    /// The list of a person's tables.
    TableList(PersonId),
    /// The hand of a seat.
    Hand(TableId, u8),
    /// A view that belongs to no table, named after the update that caused it.
    Post(String),
    /// The replay of a table.
    Replay(TableId),
    /// The review of a table.
    Review(TableId),
    /// The removal of older boards of a table.
    Removal(TableId),
}

/// How a board is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardMode {
    /// At the bottom of the chat.
    Bottom,
    /// Where it is, for people who wait to see their action: a later request of the same version
    /// must not overwrite who waits.
    Awaited,
    /// Where it is, with this page of buttons, from 0.
    InPlace(u8),
    /// Where it is, with the ratings that the finished game has changed: the board without them may
    /// be on its way under [`BoardMode::InPlace`].
    Ratings,
}

/// The last part of a key. The constructors of [`OutboxKey`] choose the one of each kind.
#[derive(Clone, Debug, PartialEq, Eq)]
enum KeyDetail {
    None,
    /// The version of the table, so that a newer entry is not removed together with an older one
    /// that was being sent.
    Version(u64),
    Board(u64, BoardMode),
    Message(MessageId),
    Word(&'static str),
}

impl OutboxKey {
    /// The entry that shows the board of a table at this version.
    pub fn board(chat: &ChatId, table: &TableId, version: u64, mode: BoardMode) -> Self {
        let subject = OutboxSubject::Board(table.clone());
        Self::new(chat, subject, KeyDetail::Board(version, mode))
    }

    /// The entry that pings players of a table at this version.
    pub fn ping(chat: &ChatId, table: &TableId, version: u64) -> Self {
        Self::new(chat, OutboxSubject::Ping(table.clone()), KeyDetail::Version(version))
    }

    /// The entry that updates the list of a person's tables.
    pub fn table_list(chat: &ChatId, person: &PersonId) -> Self {
        Self::new(chat, OutboxSubject::TableList(person.clone()), KeyDetail::None)
    }

    /// The entry that shows the hand of a seat at this version of the table.
    pub fn hand(chat: &ChatId, table: &TableId, seat: u8, version: u64) -> Self {
        Self::new(chat, OutboxSubject::Hand(table.clone(), seat), KeyDetail::Version(version))
    }

    /// The entry that posts the view of an update.
    pub fn post(chat: &ChatId, update: &str) -> Self {
        Self::new(chat, OutboxSubject::Post(update.to_owned()), KeyDetail::None)
    }

    /// The entry that posts the replay of a table.
    pub fn replay(chat: &ChatId, table: &TableId) -> Self {
        Self::new(chat, OutboxSubject::Replay(table.clone()), KeyDetail::Word("replay"))
    }

    /// The entry that posts the review of a table.
    pub fn review(chat: &ChatId, table: &TableId) -> Self {
        Self::new(chat, OutboxSubject::Review(table.clone()), KeyDetail::Word("review"))
    }

    /// The entry that removes an older board of a table.
    pub fn removal(chat: &ChatId, table: &TableId, message: &MessageId) -> Self {
        let subject = OutboxSubject::Removal(table.clone());
        Self::new(chat, subject, KeyDetail::Message(message.clone()))
    }

    fn new(chat: &ChatId, subject: OutboxSubject, detail: KeyDetail) -> Self {
        OutboxKey { chat: chat.clone(), subject, detail }
    }

    /// The chat to which the entry is sent.
    pub fn chat(&self) -> &ChatId {
        &self.chat
    }

    /// What the entry is about.
    pub fn subject(&self) -> &OutboxSubject {
        &self.subject
    }

    /// The message that an entry of [`OutboxSubject::Removal`] removes.
    pub fn removed_message(&self) -> Option<&MessageId> {
        match &self.detail {
            KeyDetail::Message(message) => Some(message),
            KeyDetail::None | KeyDetail::Version(_) | KeyDetail::Board(..) | KeyDetail::Word(_) => {
                None
            }
        }
    }

    /// The stored form.
    pub fn encode(&self) -> String {
        self.to_string()
    }

    /// Parses a stored key; `None` if it is not exactly one that [`OutboxKey::encode`] returns.
    pub fn parse(key: &str) -> Option<Self> {
        let (chat, rest) = key.split_once(' ')?;
        let (letter, rest) = rest.split_once(' ')?;
        let chat = &ChatId(chat.to_owned());
        let parsed = match letter {
            "g" => Self::table_list(chat, &PersonId(rest.to_owned())),
            "n" => Self::post(chat, rest),
            _ => {
                let (target, detail) = rest.split_once(' ')?;
                let table = &TableId(target.to_owned());
                match letter {
                    "b" => {
                        let (version, mode) = detail.split_once(' ')?;
                        Self::board(chat, table, parse_version(version)?, BoardMode::parse(mode)?)
                    }
                    "c" => Self::ping(chat, table, parse_version(detail)?),
                    "h" => {
                        let (table, seat) = target.rsplit_once(':')?;
                        let table = TableId(table.to_owned());
                        let seat = seat.parse().ok()?;
                        Self::hand(chat, &table, seat, parse_version(detail)?)
                    }
                    "r" => Self::replay(chat, table),
                    "v" => Self::review(chat, table),
                    "x" => Self::removal(chat, table, &MessageId(detail.to_owned())),
                    _ => return None,
                }
            }
        };
        // Other spellings of numbers, such as `+1`, are not the key of any entry.
        (!parsed.has_empty_part() && parsed.encode() == key).then_some(parsed)
    }

    fn has_empty_part(&self) -> bool {
        let is_empty_target = match &self.subject {
            OutboxSubject::TableList(person) => person.0.is_empty(),
            OutboxSubject::Post(update) => update.is_empty(),
            OutboxSubject::Board(table)
            | OutboxSubject::Ping(table)
            | OutboxSubject::Hand(table, _)
            | OutboxSubject::Replay(table)
            | OutboxSubject::Review(table)
            | OutboxSubject::Removal(table) => table.0.is_empty(),
        };
        let is_empty_message = self.removed_message().is_some_and(|it| it.0.is_empty());
        self.chat.0.is_empty() || is_empty_target || is_empty_message
    }

    /// The prefix of the keys of a chat, without those of its topics.
    pub fn chat_prefix(chat: &ChatId) -> String {
        format!("{} ", chat.0)
    }

    /// The chat of a stored key, also of one that cannot be parsed.
    pub fn chat_of(key: &str) -> ChatId {
        ChatId(key.split(' ').next().unwrap_or_default().to_owned())
    }

    /// The table of a stored key; `None` if it is about none or cannot be parsed.
    pub fn table_of(key: &str) -> Option<TableId> {
        Self::parse(key)?.subject.table().cloned()
    }

    /// Whether a stored key belongs to a chat or to a topic of it. The id of another chat may begin
    /// with the id of this one.
    pub fn is_of_chat(key: &str, chat: &ChatId) -> bool {
        key.strip_prefix(&*chat.0).is_some_and(|rest| rest.starts_with([' ', '/']))
    }

    /// A stored key of [`OutboxKey::is_of_chat`] under the new id of the chat, also if it cannot be
    /// parsed.
    pub fn moved_to_chat(key: &str, from: &ChatId, to: &ChatId) -> Option<String> {
        let rest = key.strip_prefix(&*from.0).filter(|_| Self::is_of_chat(key, from))?;
        Some(format!("{}{rest}", to.0))
    }
}

impl fmt::Display for OutboxKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.chat.0, self.subject)?;
        match &self.detail {
            KeyDetail::None => Ok(()),
            KeyDetail::Version(version) => write!(f, " {version:016x}"),
            KeyDetail::Board(version, mode) => write!(f, " {version:016x} {mode}"),
            KeyDetail::Message(message) => write!(f, " {}", message.0),
            KeyDetail::Word(word) => write!(f, " {word}"),
        }
    }
}

impl OutboxSubject {
    /// The table that the message is about.
    pub fn table(&self) -> Option<&TableId> {
        match self {
            OutboxSubject::Board(table)
            | OutboxSubject::Ping(table)
            | OutboxSubject::Hand(table, _)
            | OutboxSubject::Replay(table)
            | OutboxSubject::Review(table)
            | OutboxSubject::Removal(table) => Some(table),
            OutboxSubject::TableList(_) | OutboxSubject::Post(_) => None,
        }
    }
}

/// The part of a key that entries of the same subject share. It is also the nonce of a note.
impl fmt::Display for OutboxSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutboxSubject::Board(table) => write!(f, "b {}", table.0),
            OutboxSubject::Ping(table) => write!(f, "c {}", table.0),
            OutboxSubject::TableList(person) => write!(f, "g {}", person.0),
            OutboxSubject::Hand(table, seat) => write!(f, "h {}:{seat}", table.0),
            OutboxSubject::Post(update) => write!(f, "n {update}"),
            OutboxSubject::Replay(table) => write!(f, "r {}", table.0),
            OutboxSubject::Review(table) => write!(f, "v {}", table.0),
            OutboxSubject::Removal(table) => write!(f, "x {}", table.0),
        }
    }
}

impl BoardMode {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "await" => Some(BoardMode::Awaited),
            "down" => Some(BoardMode::Bottom),
            "show" => Some(BoardMode::InPlace(0)),
            "rated" => Some(BoardMode::Ratings),
            _ => Some(BoardMode::InPlace(text.strip_prefix("show.")?.parse().ok()?)),
        }
    }
}

impl fmt::Display for BoardMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardMode::Awaited => f.write_str("await"),
            BoardMode::Bottom => f.write_str("down"),
            BoardMode::InPlace(0) => f.write_str("show"),
            BoardMode::Ratings => f.write_str("rated"),
            BoardMode::InPlace(page) => write!(f, "show.{page}"),
        }
    }
}

fn parse_version(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn chat() -> ChatId {
        ChatId("tg:-100/7".into())
    }

    fn table() -> TableId {
        TableId("7k3fx".into())
    }

    /// One key of each kind, and those that differ in form, with the stored form of each.
    fn samples() -> Vec<(OutboxKey, &'static str)> {
        let chat = &chat();
        let table = &table();
        let board = |version, mode| OutboxKey::board(chat, table, version, mode);
        let message = MessageId("31".into());
        vec![
            (board(1, BoardMode::InPlace(0)), "tg:-100/7 b 7k3fx 0000000000000001 show"),
            (board(31, BoardMode::Awaited), "tg:-100/7 b 7k3fx 000000000000001f await"),
            (board(31, BoardMode::InPlace(2)), "tg:-100/7 b 7k3fx 000000000000001f show.2"),
            (board(31, BoardMode::Ratings), "tg:-100/7 b 7k3fx 000000000000001f rated"),
            (board(31, BoardMode::Bottom), "tg:-100/7 b 7k3fx 000000000000001f down"),
            (board(u64::MAX, BoardMode::Bottom), "tg:-100/7 b 7k3fx ffffffffffffffff down"),
            (OutboxKey::ping(chat, table, 10), "tg:-100/7 c 7k3fx 000000000000000a"),
            (OutboxKey::table_list(chat, &PersonId("tg:5".into())), "tg:-100/7 g tg:5"),
            (OutboxKey::hand(chat, table, 3, 16), "tg:-100/7 h 7k3fx:3 0000000000000010"),
            (OutboxKey::post(chat, "tg/923/5"), "tg:-100/7 n tg/923/5"),
            (OutboxKey::replay(chat, table), "tg:-100/7 r 7k3fx replay"),
            (OutboxKey::review(chat, table), "tg:-100/7 v 7k3fx review"),
            (OutboxKey::removal(chat, table, &message), "tg:-100/7 x 7k3fx 31"),
        ]
    }

    #[test]
    fn the_stored_form_of_each_kind_stays_the_same() {
        for (key, stored) in samples() {
            assert_eq!(key.encode(), stored);
            assert_eq!(OutboxKey::parse(stored), Some(key));
        }
    }

    #[test]
    fn subjects_sort_by_their_letter() {
        let subjects: Vec<OutboxSubject> =
            samples().into_iter().map(|(key, _)| key.subject().clone()).collect();
        assert!(subjects.is_sorted());
        let names: Vec<String> = subjects.iter().map(OutboxSubject::to_string).collect();
        assert!(names.is_sorted(), "{names:?}");
    }

    #[test]
    fn keys_of_any_other_form_are_not_parsed() {
        for key in [
            "",
            "tg:1",
            "tg:1 ",
            "nonsense",
            "tg:1 n",
            "tg:1 n ",
            " n tg/1/2",
            "tg:1 g ",
            "tg:1 z 7k3fx 0000000000000001",
            "tg:1 bb 7k3fx 0000000000000001 show",
            "tg:1 B 7k3fx 0000000000000001 show",
            "tg:1 b 7k3fx",
            "tg:1 b 7k3fx 0000000000000001",
            "tg:1 b  0000000000000001 show",
            "tg:1 b 7k3fx 1 show",
            "tg:1 b 7k3fx 000000000000000A show",
            "tg:1 b 7k3fx +000000000000001 show",
            "tg:1 b 7k3fx 00000000000000001 show",
            "tg:1 b 7k3fx 0000000000000001 show.0",
            "tg:1 b 7k3fx 0000000000000001 show.02",
            "tg:1 b 7k3fx 0000000000000001 show.256",
            "tg:1 b 7k3fx 0000000000000001 down.1",
            "tg:1 b 7k3fx 0000000000000001 down ",
            "tg:1 b 7k3fx 0000000000000001 await.1",
            "tg:1 c 7k3fx",
            "tg:1 c 7k3fx 0000000000000001 show",
            "tg:1 h 7k3fx 0000000000000001",
            "tg:1 h 7k3fx: 0000000000000001",
            "tg:1 h 7k3fx:x 0000000000000001",
            "tg:1 h 7k3fx:+1 0000000000000001",
            "tg:1 h 7k3fx:01 0000000000000001",
            "tg:1 h 7k3fx:256 0000000000000001",
            "tg:1 h :1 0000000000000001",
            "tg:1 r 7k3fx",
            "tg:1 r 7k3fx review",
            "tg:1 v 7k3fx replay",
            "tg:1 x 7k3fx",
            "tg:1 x 7k3fx ",
        ] {
            assert_eq!(OutboxKey::parse(key), None, "{key:?}");
        }
    }

    #[test]
    fn a_chat_has_the_keys_of_its_topics_and_no_others() {
        let chat_id = ChatId("tg:-100".into());
        let new = ChatId("tg:-1007".into());
        let moved = |key| OutboxKey::moved_to_chat(key, &chat_id, &new);
        assert_eq!(moved("tg:-100 n tg/1/2").as_deref(), Some("tg:-1007 n tg/1/2"));
        assert_eq!(moved("tg:-100/7 n tg/1/2").as_deref(), Some("tg:-1007/7 n tg/1/2"));
        assert_eq!(moved("tg:-100 nonsense").as_deref(), Some("tg:-1007 nonsense"));
        assert_eq!(moved("tg:-1001 n tg/1/2"), None);
        assert_eq!(OutboxKey::chat_of("tg:-100/7 nonsense").0, "tg:-100/7");
        let prefix = OutboxKey::chat_prefix(&chat());
        assert!(samples().iter().all(|(_, stored)| stored.starts_with(&prefix)));
        let hand = OutboxKey::hand(&chat_id, &table(), 0, 1).encode();
        assert_eq!(OutboxKey::table_of(&hand), Some(table()));
        assert_eq!(OutboxKey::table_of("tg:-100 n 7k3fx"), None);
    }

    fn key() -> impl Strategy<Value = OutboxKey> {
        let id = || "[!-~à-ж]{1,12}";
        let mode = prop_oneof![Just(BoardMode::Bottom), any::<u8>().prop_map(BoardMode::InPlace),];
        (0..8_u8, (id(), id(), id()), any::<u64>(), any::<u8>(), mode).prop_map(
            |(kind, (chat, target, detail), version, seat, mode)| {
                let chat = &ChatId(chat);
                let table = &TableId(target.clone());
                match kind {
                    0 => OutboxKey::board(chat, table, version, mode),
                    1 => OutboxKey::ping(chat, table, version),
                    2 => OutboxKey::table_list(chat, &PersonId(target)),
                    3 => OutboxKey::hand(chat, table, seat, version),
                    4 => OutboxKey::post(chat, &target),
                    5 => OutboxKey::replay(chat, table),
                    6 => OutboxKey::review(chat, table),
                    _ => OutboxKey::removal(chat, table, &MessageId(detail)),
                }
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None, ..ProptestConfig::default()
        })]

        #[test]
        fn a_key_is_parsed_as_it_was_encoded(key in key()) {
            prop_assert_eq!(OutboxKey::parse(&key.encode()), Some(key));
        }

        /// Changes of one character are refused, or give another key with exactly that form.
        #[test]
        fn a_parsed_key_names_its_own_row(
            key in key(), at in any::<prop::sample::Index>(), new in "[ -~]{0,2}",
        ) {
            let mut stored: Vec<char> = key.encode().chars().collect();
            let at = at.index(stored.len());
            stored.splice(at..=at, new.chars());
            let stored: String = stored.into_iter().collect();
            if let Some(parsed) = OutboxKey::parse(&stored) {
                prop_assert_eq!(parsed.encode(), stored.clone());
                prop_assert_eq!(parsed.chat(), &OutboxKey::chat_of(&stored));
            }
        }
    }
}
