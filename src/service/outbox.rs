//! What is decided and not yet said. An entry is stored with what makes it necessary and removed
//! only after the platform took the message, so a crash in between says it again: an edit shows
//! the same, and a post carries a nonce for platforms that know copies.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::settings::{cut, parse, put};
use super::{Failure, Inner, keys};
use crate::chat::note::Note;
use crate::ids::TableId;
use crate::ids::{MessageId, PlaceId};
use crate::store::{Commit, Put, Space};
use crate::table::fold::Table;
use crate::words::Text;

/// At most so many entries are looked at together.
const PAGE: usize = 200;

/// The standing message of a table has to show what is now.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct BoardTask {
    /// Whether it is wanted at the bottom of the chat.
    pub(super) down: bool,
}

/// Somebody has to be called.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct CallTask {
    pub(super) text: Option<Text>,
    pub(super) version: u64,
}

/// The messages of a table in a place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct BoardState {
    /// The standing message.
    pub(super) message: Option<MessageId>,
    /// The table's version it shows.
    pub(super) shown: u64,
    /// How often it was posted anew: part of the nonce.
    pub(super) posts: u32,
    /// The message that calls somebody, taken away once they act.
    pub(super) call: Option<MessageId>,
    /// The table's version when they were called.
    pub(super) called: u64,
}

impl BoardTask {
    /// The entry. The version is part of the key, so that an entry that came while an older one
    /// was being sent is not lost with it.
    pub(super) fn put(self, table: &Table) -> Put {
        let place = table.place();
        let down = if self.down { "down" } else { "show" };
        let key = format!("{} b {} {:016x} {down}", place.0, table.id.0, table.version);
        put(Space::Outbox, key, &self)
    }
}

impl BoardState {
    /// Makes a message that stands already the board of a table.
    pub(super) fn adopting(table: &Table, message: MessageId) -> Put {
        let state = BoardState { message: Some(message), ..BoardState::default() };
        put(Space::Board, keys::board(&table.id, table.place()), &state)
    }
}

/// The entry that has a seat's hand shown to whoever plays it.
pub(super) fn hand_put(table: &Table, seat: u8) -> Put {
    let key = format!("{} h {}:{seat} {:016x}", table.place().0, table.id.0, table.version);
    put(Space::Outbox, key, &())
}

/// The entry that calls somebody.
pub(super) fn call_put(table: &Table, text: Text) -> Put {
    let key = format!("{} c {} {:016x}", table.place().0, table.id.0, table.version);
    put(Space::Outbox, key, &CallTask { text: Some(text), version: table.version })
}

/// The entry that says something which belongs to no table.
pub(super) fn note_put(place: &PlaceId, update: &str, note: Note) -> Put {
    put(Space::Outbox, format!("{} n {update}", place.0), &note)
}

/// What one call says, with all entries it settles.
pub(super) struct Work {
    /// Which turn it is in: `<kind> <table or update>`.
    pub(super) name: String,
    pub(super) entries: Vec<String>,
    pub(super) task: Task,
}

/// What is to be said.
pub(super) enum Task {
    Board(TableId, BoardTask),
    Hand(TableId, u8),
    Call(TableId, CallTask),
    Replay(TableId),
    Review(TableId),
    Note(Box<Note>),
}

impl Inner {
    /// What this place is told next. Tables take turns: the one after `last` comes first, so that
    /// a fast game does not keep the others waiting.
    pub(super) async fn next_work(
        &self,
        place: &PlaceId,
        last: &str,
    ) -> Result<Option<Work>, Failure> {
        let prefix = format!("{} ", place.0);
        let rows = self.store.scan(Space::Outbox, &prefix, None, PAGE).await?;
        let mut by_turn: BTreeMap<String, Vec<(String, Vec<u8>)>> = BTreeMap::new();
        for (key, value) in rows {
            let name = turn_of(&key[prefix.len()..]);
            if let Some(table) = name.strip_prefix("r ")
                && !self.replay_is_drawn(place, &TableId(table.to_owned())).await?
            {
                continue;
            }
            if let Some(table) = name.strip_prefix("v ")
                && !self.review_is_made(place, &TableId(table.to_owned())).await?
            {
                continue;
            }
            by_turn.entry(name).or_default().push((key, value));
        }
        let later = by_turn.range(last.to_owned()..).find(|(name, _)| *name != last);
        let Some((name, rows)) = later.or_else(|| by_turn.first_key_value()) else {
            return Ok(None);
        };
        let entries = rows.iter().map(|(key, _)| key.clone()).collect();
        let (kind, of) = name.split_once(' ').unwrap_or((name, ""));
        let newest = rows.last().map(|(_, value)| value.clone());
        let table = || TableId(of.to_owned());
        let task = match kind {
            "b" => {
                let wanted = |(_, it): &(String, Vec<u8>)| parse::<BoardTask>(Some(it.clone()));
                let down = rows.iter().any(|row| wanted(row).down);
                Task::Board(table(), BoardTask { down })
            }
            "h" => {
                let (table, seat) = of.split_once(':').unwrap_or((of, ""));
                // An entry that cannot be read concerns no seat and is dropped.
                Task::Hand(TableId(table.to_owned()), seat.parse().unwrap_or(u8::MAX))
            }
            "c" => Task::Call(table(), parse(newest)),
            "r" => Task::Replay(table()),
            "v" => Task::Review(table()),
            _ => Task::Note(Box::new(parse(newest))),
        };
        Ok(Some(Work { name: name.clone(), entries, task }))
    }

    /// Removes entries and stores what came of them.
    pub(super) async fn settle(
        &self,
        entries: Vec<String>,
        mut puts: Vec<Put>,
    ) -> Result<(), Failure> {
        puts.extend(entries.into_iter().map(|key| cut(Space::Outbox, key)));
        Ok(self.store.commit(Commit { puts, ..Commit::default() }).await?)
    }
}

/// The kind and the table, or the kind and the update: entries alike are said together.
fn turn_of(key: &str) -> String {
    let mut parts = key.split(' ');
    format!("{} {}", parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}
