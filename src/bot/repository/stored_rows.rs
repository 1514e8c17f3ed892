//! Rows of the store: how values are written and read, and what waits in the outbox and in the
//! list of deadlines.

use serde::{Deserialize, Serialize};

use super::keys;
use caravanserai_games::ids::{MessageId, PlaceId, TableId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::View;
use caravanserai_store::{Commit, Expect, Put, Space};
use caravanserai_table::state::Table;

/// Reads a JSON value; an absent or unreadable one gives the default.
pub fn parse_json_or_default<T: Default + for<'a> Deserialize<'a>>(bytes: Option<Vec<u8>>) -> T {
    bytes.and_then(|it| serde_json::from_slice(&it).ok()).unwrap_or_default()
}

/// A put of a JSON value.
pub fn put_json<T: Serialize>(space: Space, key: String, value: &T) -> Put {
    Put::new(space, key, serde_json::to_vec(value).expect("our own types become JSON"))
}

/// A removal.
pub fn remove_row(space: Space, key: String) -> Put {
    Put::remove(space, key)
}

/// What the bot is not allowed in a place, to be named: at least that it may not write.
pub fn missing_rights(lacking: Vec<Arg>) -> Vec<Arg> {
    if lacking.is_empty() { vec![Text::new("right-write").into()] } else { lacking }
}

/// The answer an update got: given again when the update comes again.
#[derive(Default, Serialize, Deserialize)]
pub struct StoredAnswer {
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// What was told to whoever acted.
    pub notes: Vec<View>,
}

/// The standing message of a table has to show what is now.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BoardTask {
    /// Whether it is wanted at the bottom of the chat.
    pub down: bool,
    /// The update that asked for it.
    pub asked: Option<String>,
    /// Which page of buttons is wanted where the board is all there is, from 0.
    pub page: u8,
}

/// Somebody has to be called.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CallTask {
    /// What is said to them.
    pub text: Option<Text>,
    /// Only while the table has not gone on.
    pub version: u64,
    /// The reason of the call.
    #[serde(default)]
    pub purpose: CallPurpose,
}

/// The reason of a call. The settings of the person who is called depend on it, see
/// [`PersonProfile::wanted_call_time`](super::load_profiles::PersonProfile::wanted_call_time).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallPurpose {
    /// The kind.
    pub kind: CallKind,
    /// Whether it was deferred already because of quiet hours: that happens once.
    pub deferred: bool,
}

/// All kinds of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallKind {
    /// The game waits for them: a move, an answer, the start, a claim.
    #[default]
    Waiting,
    /// Another player reminds them of their turn.
    Nudge,
    /// The opener reminds those who were invited and have not answered.
    Invitation,
    /// A lobby of theirs closes soon.
    Closing,
}

impl CallPurpose {
    /// A call of this kind, for the first time.
    pub fn first(kind: CallKind) -> Self {
        CallPurpose { kind, deferred: false }
    }
}

/// The messages of a table in a place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BoardState {
    /// The standing message.
    pub message: Option<MessageId>,
    /// The table's version it shows.
    pub shown: u64,
    /// How often it was posted anew: part of the nonce.
    pub posts: u32,
    /// The message that calls somebody, taken away once they act.
    pub call: Option<MessageId>,
    /// The table's version when they were called.
    pub called: u64,
    /// Whether it is being posted anew: noted before, so that whoever dies on the way, and where
    /// no copy is known, leaves no newer board behind that nobody knows of.
    pub moving: bool,
    /// How often somebody was called: part of the nonce.
    pub calls: u32,
    /// Whether the readers of the place may not see the table, and the board says so.
    pub closed: bool,
    /// Older boards that could not be taken away just now: entries of their own say so.
    #[serde(skip)]
    pub left: Vec<MessageId>,
    /// The row that this was read from. What was shown is kept only while it is still this one:
    /// see [`BoardState::expect_unchanged`].
    #[serde(skip)]
    pub stored: Option<Vec<u8>>,
}

impl BoardTask {
    /// The entry for one place of a table. The version is part of the key, so that an entry that
    /// came while an older one was being sent is not lost with it.
    pub fn put(self, table: &Table, place: &PlaceId) -> Put {
        let how = match (self.down, self.page) {
            (true, _) => "down".to_owned(),
            (false, 0) => "show".to_owned(),
            (false, page) => format!("show.{page}"),
        };
        let key = format!("{} b {} {:016x} {how}", place.0, table.id.0, table.version);
        put_json(Space::Outbox, key, &self)
    }
}

impl BoardState {
    /// What a row says, if there is one.
    pub fn decode(stored: Option<Vec<u8>>) -> Self {
        Self { stored: stored.clone(), ..parse_json_or_default(stored) }
    }

    /// The row for one place of a table.
    pub fn put(&self, table: &TableId, place: &PlaceId) -> Put {
        put_json(Space::Board, keys::board(table, place), self)
    }

    /// That nobody has kept anything else since this was read: a process that was slow, and has
    /// the chat no more, does not write over what another one has shown since.
    pub fn expect_unchanged(&self, table: &TableId, place: &PlaceId) -> Expect {
        Expect { space: Space::Board, key: keys::board(table, place), value: self.stored.clone() }
    }

    /// Makes a message that stands already the board of a table at home, unless it is another's:
    /// two people may choose from one message at once.
    pub fn adopt_message_commit(table: &Table, message: MessageId) -> Commit {
        let known = message_put(table, table.home(), &message);
        let state = BoardState { message: Some(message), ..BoardState::default() };
        Commit {
            expect: vec![Expect::absent(Space::Message, known.key.clone())],
            ..Commit::from_puts(vec![state.put(&table.id, table.home()), known])
        }
    }
}

/// The row of the list of all tables that have a log.
pub fn table_head_put(table: &Table) -> Put {
    Put::new(Space::Head, table.id.0.clone(), table.game_id().info().code)
}

/// The row that says of which table a message in a place speaks.
pub fn message_put(table: &Table, place: &PlaceId, message: &MessageId) -> Put {
    Put::new(Space::Message, keys::message(place, message), table.id.0.clone())
}

/// The entry that has an older board of a table taken away from a place.
pub fn removal_put(table: &Table, place: &PlaceId, message: &MessageId) -> Put {
    let key = format!("{} x {} {}", place.0, table.id.0, message.0);
    put_json(Space::Outbox, key, &message.0)
}

/// The entry that has a seat's hand shown to whoever plays it, where they are.
pub fn hand_put(table: &Table, place: &PlaceId, seat: u8) -> Put {
    let key = format!("{} h {}:{seat} {:016x}", place.0, table.id.0, table.version);
    put_json(Space::Outbox, key, &())
}

/// The entry that calls somebody in a place.
pub fn call_put(table: &Table, place: &PlaceId, text: Text, purpose: CallPurpose) -> Put {
    let key = format!("{} c {} {:016x}", place.0, table.id.0, table.version);
    put_json(Space::Outbox, key, &CallTask { text: Some(text), version: table.version, purpose })
}

/// The entry that says something which belongs to no table.
pub fn note_put(place: &PlaceId, update: &str, note: View) -> Put {
    put_json(Space::Outbox, format!("{} n {update}", place.0), &note)
}

/// What is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadline {
    /// Only while the table has not gone on, unless it is [`Deadline::ANY_VERSION`].
    pub version: u64,
    /// What is to be done.
    #[serde(default)]
    pub kind: DeadlineKind,
    /// The reason of a call that was deferred.
    #[serde(default)]
    pub purpose: CallPurpose,
}

/// What a deadline is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeadlineKind {
    /// To call whoever is waited for.
    #[default]
    Call,
    /// To tell the opener that the table closes soon.
    Closing,
    /// To see what the time alone has decided.
    Tick,
    /// To ask a computer again that has not answered.
    Think,
    /// To keep of a table that ended a while ago only its record.
    Archive,
    /// Nothing: until then somebody may object to being replaced, and what an outage takes of
    /// that is given back.
    Patience,
}

impl Deadline {
    /// The version of a deadline that holds for every version of the table.
    pub const ANY_VERSION: u64 = u64::MAX;

    /// The deadline at which to check whether a game is abandoned.
    pub fn abandonment_check() -> Self {
        Deadline { version: Self::ANY_VERSION, kind: DeadlineKind::Tick, ..Deadline::default() }
    }

    /// Whether it is about the table at this version.
    pub fn applies_to_version(self, version: u64) -> bool {
        self.version == version || self.version == Self::ANY_VERSION
    }

    /// Where the row of this deadline stands.
    pub fn key(self, at_ms: u64, table: &TableId) -> String {
        let kind = match self.kind {
            DeadlineKind::Call => "call",
            DeadlineKind::Closing => "closing",
            // Another deadline of the table may have the same moment.
            DeadlineKind::Tick if self.version == Self::ANY_VERSION => "abandoned",
            DeadlineKind::Tick => "tick",
            DeadlineKind::Think => "think",
            DeadlineKind::Archive => "archive",
            DeadlineKind::Patience => "patience",
        };
        format!("{} {kind}", keys::deadline(at_ms, table))
    }

    /// The row of this deadline.
    pub fn put(self, at_ms: u64, table: &TableId) -> Put {
        put_json(Space::Due, self.key(at_ms, table), &self)
    }
}
