//! Encodes and decodes the values of rows in the store, such as board states and deadlines. Outbox
//! entries are in [`super::outbox_entry`].

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::keys;
use caravanserai_games::ids::{ChatId, MessageId, TableId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::View;
use caravanserai_store::{Commit, Expect, Put, Space};
use caravanserai_table::clock::{SlowTurn, TurnId};
use caravanserai_table::state::{Table, TablePhase};

/// Parses a JSON value; returns the default if it is absent or unreadable.
pub fn parse_json_or_default<T: Default + for<'a> Deserialize<'a>>(bytes: Option<Vec<u8>>) -> T {
    bytes.and_then(|it| serde_json::from_slice(&it).ok()).unwrap_or_default()
}

/// Whether a stored number is the one that earlier programs leave out.
pub(crate) fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A put of a JSON value.
pub fn put_json<T: Serialize>(space: Space, key: String, value: &T) -> Put {
    Put::new(space, key, serde_json::to_vec(value).expect("the types of the bot serialize to JSON"))
}

/// A put that removes a row.
pub fn remove_row(space: Space, key: String) -> Put {
    Put::remove(space, key)
}

/// The permissions that the bot lacks in a chat, for messages: at least the permission to write.
pub fn missing_rights(lacking: Vec<Arg>) -> Vec<Arg> {
    if lacking.is_empty() { vec![Text::new("right-write").into()] } else { lacking }
}

/// The stored reply to an update. It is sent again when the update is redelivered.
#[derive(Default, Serialize, Deserialize)]
pub struct StoredAnswer {
    /// The time of the reply, in milliseconds since 1970.
    pub at_ms: u64,
    /// The replies to the sender.
    #[serde(rename = "notes")]
    pub replies: Vec<View>,
}

/// The reason of a ping. The settings of the person who is pinged depend on it, see
/// [`PersonProfile::wanted_ping_time`](super::profiles::PersonProfile::wanted_ping_time).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PingPurpose {
    /// The kind of the ping.
    pub kind: PingKind,
    /// Whether it was already deferred because of quiet hours.
    pub deferred: bool,
    /// When it was deferred last, in milliseconds since 1970: those who wanted it then were pinged.
    /// Earlier versions never set it, and deferred once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deferred_ms: Option<u64>,
    /// Whether it reminds the player to move of a slow turn, whatever else the table waits for.
    /// Earlier versions never set it, and kept no such reminder while an offer was pending.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_turn_reminder: bool,
}

/// The kinds of pings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PingKind {
    /// The game waits for them: a move, an answer, the start, a claim.
    #[default]
    Waiting,
    /// Another player reminds them of their turn.
    Nudge,
    /// The opener reminds invited people who have not answered.
    Invitation,
    /// A lobby in which they have a seat closes soon.
    Closing,
}

impl PingPurpose {
    /// A ping of this kind that was not deferred yet.
    pub fn first(kind: PingKind) -> Self {
        PingPurpose { kind, ..PingPurpose::default() }
    }

    /// A reminder of a slow turn.
    pub fn turn_reminder() -> Self {
        PingPurpose { is_turn_reminder: true, ..PingPurpose::default() }
    }

    /// The slow turn of which this ping reminds; `None` if it is about something else.
    pub fn reminded_turn(self, table: &Table) -> Option<SlowTurn> {
        let is_reminder = self.is_turn_reminder || table.offers.pending.is_none();
        table.slow_turn().filter(|_| self.kind == PingKind::Waiting && is_reminder)
    }
}

/// The messages of a table in a chat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BoardState {
    /// The board message.
    pub message: Option<MessageId>,
    /// The version of the table that it shows.
    #[serde(rename = "shown")]
    pub shown_version: u64,
    /// How often it was posted: part of the nonce.
    pub posts: u32,
    /// The message that pings a player; deleted once they act.
    #[serde(rename = "call")]
    pub ping: Option<MessageId>,
    /// The version of the table at the time of the ping.
    #[serde(rename = "called")]
    pub pinged_version: u64,
    /// Whether a post of the board is in progress. This is stored before the call, so that after a
    /// crash the unknown newer board is found, if the platform does not detect duplicates.
    #[serde(rename = "moving")]
    pub is_post_in_progress: bool,
    /// How often a player was pinged: part of the nonce.
    #[serde(rename = "calls")]
    pub ping_count: u32,
    /// Whether readers of the chat may not see the table; the board then says so.
    #[serde(rename = "closed")]
    pub is_hidden: bool,
    /// Older boards that could not be removed yet; each has an outbox entry of its own.
    #[serde(skip)]
    pub unremoved_messages: Vec<MessageId>,
    /// The row that this was decoded from. A new state is stored only while the row is unchanged:
    /// see [`BoardState::expect_unchanged`].
    #[serde(skip)]
    pub stored: Option<Vec<u8>>,
}

impl BoardState {
    /// Decodes a stored row; returns the default if there is none.
    pub fn decode(stored: Option<Vec<u8>>) -> Self {
        Self { stored: stored.clone(), ..parse_json_or_default(stored) }
    }

    /// The row for one chat of a table.
    pub fn put(&self, table: &TableId, chat: &ChatId) -> Put {
        put_json(Space::Board, keys::board(table, chat), self)
    }

    /// The condition that the row is unchanged since it was read: a slow process that has lost the
    /// lease of the chat must not overwrite a state that another process has stored since.
    pub fn expect_unchanged(&self, table: &TableId, chat: &ChatId) -> Expect {
        Expect { space: Space::Board, key: keys::board(table, chat), value: self.stored.clone() }
    }

    /// The commit that makes an existing message the board of a table at its home, unless the
    /// message belongs to another table: two people may choose from one message at the same time.
    pub fn adopt_message_commit(table: &Table, message: MessageId) -> Commit {
        let known = message_put(table, table.chats.home(), &message);
        let state = BoardState { message: Some(message), ..BoardState::default() };
        Commit {
            expect: vec![Expect::absent(Space::Message, known.key.clone())],
            ..Commit::from_puts(vec![state.put(&table.id, table.chats.home()), known])
        }
    }
}

/// The row of the list of all tables that have a log.
pub fn table_head_put(table: &Table) -> Put {
    Put::new(Space::Head, table.id.0.clone(), table.game_id().info().code)
}

/// The row of the list of all tables that have a log, after these lines have replaced the log. It
/// differs from the row before: encryption with another key notices by it that the log it has read
/// is not the log that is stored.
pub fn replaced_head_put(table: &Table, lines: &[String]) -> Put {
    let mut hasher = Sha256::new();
    for line in lines {
        hasher.update(line);
        hasher.update("\n");
    }
    let head = format!("{} {}", table.game_id().info().code, hex::encode(hasher.finalize()));
    Put::new(Space::Head, table.id.0.clone(), head)
}

/// The row that maps a message in a chat to its table.
pub fn message_put(table: &Table, chat: &ChatId, message: &MessageId) -> Put {
    Put::new(Space::Message, keys::message(chat, message), table.id.0.clone())
}

/// A stored deadline of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadline {
    /// The version of the table that the deadline applies to; [`Deadline::ANY_VERSION`] for every
    /// version.
    pub version: u64,
    /// The task at the deadline.
    #[serde(default)]
    pub kind: DeadlineKind,
    /// The reason of a ping that was deferred.
    #[serde(default)]
    pub purpose: PingPurpose,
    /// The turn of a ping that was deferred: the ping stays due while the turn lasts, whatever else
    /// happens at the table. Earlier versions never set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<PingedTurn>,
    /// Whether it was put off, because the log of the table could not be read. Earlier versions
    /// never set it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub was_unreadable: bool,
}

/// The turn that a deferred ping is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PingedTurn {
    /// The seat, and the number of its turn.
    turn: TurnId,
    /// The first version of the table that shows the running clock. A clock that begins again has
    /// reminders of its own.
    clock_version: Option<u64>,
}

impl PingedTurn {
    /// The present turn for a ping of this purpose; `None` while the table waits for answers to an
    /// offer, except for reminders of a slow turn.
    pub fn of(table: &Table, purpose: PingPurpose) -> Option<Self> {
        let is_meant = purpose.is_turn_reminder || table.offers.pending.is_none();
        Self::under_offers(table).filter(|_| is_meant)
    }

    /// The present turn, whether or not an offer is pending.
    fn under_offers(table: &Table) -> Option<Self> {
        let turn = table.current_turn()?;
        Some(Self { turn, clock_version: table.running_clock().map(|it| it.version) })
    }
}

/// The task of a deadline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeadlineKind {
    /// Ping the player to move.
    #[default]
    #[serde(rename = "Call")]
    Ping,
    /// Tell the opener that the lobby closes soon.
    Closing,
    /// Apply the events that the passing of time causes.
    Tick,
    /// Ask a computer that has not moved again.
    Think,
    /// Replace the log of a table that ended a while ago by its record.
    Archive,
    /// No task. Until then a player may object to being replaced, and time lost by an outage is
    /// refunded to them.
    #[serde(rename = "Patience")]
    ObjectionWindowEnd,
}

impl Deadline {
    /// The version of a deadline that applies to every version of the table.
    pub const ANY_VERSION: u64 = u64::MAX;

    /// The deadline at which to check whether a game is abandoned.
    pub fn abandonment_check() -> Self {
        Deadline { version: Self::ANY_VERSION, kind: DeadlineKind::Tick, ..Deadline::default() }
    }

    /// Whether it is one of [`Deadline::abandonment_check`].
    pub fn is_abandonment_check(self) -> bool {
        self.version == Self::ANY_VERSION
    }

    /// Whether the deadline applies to the table in this state.
    pub fn applies_to(self, table: &Table) -> bool {
        if self.purpose.deferred && self.purpose.kind == PingKind::Invitation {
            // It reaches only people who have not answered.
            return table.phase == TablePhase::Lobby;
        }
        match self.turn {
            Some(turn) => PingedTurn::of(table, self.purpose) == Some(turn),
            None => self.version == table.version || self.version == Self::ANY_VERSION,
        }
    }

    /// Whether the deadline is a ping that was deferred and whose turn lasts, while the table waits
    /// for answers to an offer.
    pub fn waits_for_answers(self, table: &Table) -> bool {
        let is_turn = self.turn.is_some() && PingedTurn::under_offers(table) == self.turn;
        is_turn && !self.purpose.is_turn_reminder && table.offers.pending.is_some()
    }

    /// The key of the row of this deadline.
    pub fn key(self, at_ms: u64, table: &TableId) -> String {
        let kind = match self.kind {
            // Another deadline of the table may have the same time, as at the end of quiet hours.
            DeadlineKind::Ping if self.purpose.is_turn_reminder => "remind",
            DeadlineKind::Ping if self.purpose.kind == PingKind::Invitation => "invite",
            DeadlineKind::Ping => "call",
            DeadlineKind::Closing => "closing",
            DeadlineKind::Tick if self.is_abandonment_check() => "abandoned",
            DeadlineKind::Tick => "tick",
            DeadlineKind::Think => "think",
            DeadlineKind::Archive => "archive",
            DeadlineKind::ObjectionWindowEnd => "patience",
        };
        format!("{} {kind}", keys::deadline(at_ms, table))
    }

    /// The row of this deadline.
    pub fn put(self, at_ms: u64, table: &TableId) -> Put {
        put_json(Space::Due, self.key(at_ms, table), &self)
    }
}
