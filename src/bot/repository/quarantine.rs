//! Quarantines inputs that make a handler panic: they are removed from their lists and reported to
//! the operator and to the table, and all other work continues.

use std::collections::HashSet;
use std::future::Future;
use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use parking_lot::Mutex;

use super::outbox_entry::OutboxEntry;
use super::stored_rows::remove_row;
use super::{Repository, keys};
use caravanserai_games::ids::{PlaceId, TableId};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;
use caravanserai_store::{Put, Space};

/// How long a quarantined row is kept, in milliseconds: 30 days.
const QUARANTINE_TTL_MS: u64 = 30 * 24 * 3_600_000;

/// Inputs that trigger work of the bot. Each is processed by [`Repository::run_guarded`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuardedInput {
    /// The update of a person, and the table if it names one.
    Update(String, Option<TableId>),
    /// A row of the list of deadlines.
    Deadline(String, Option<TableId>),
    /// A computer has to think at a table.
    Thought(TableId),
    /// A replay has to be rendered.
    Replay(TableId),
    /// A review has to be made.
    Review(TableId),
    /// Outbox entries that wait to be sent to a place.
    Outbox(PlaceId, Vec<String>),
}

impl GuardedInput {
    /// The kind of input, for logs and metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            GuardedInput::Update(..) => "update",
            GuardedInput::Deadline(..) => "deadline",
            GuardedInput::Thought(_) => "thought",
            GuardedInput::Replay(_) => "replay",
            GuardedInput::Review(_) => "review",
            GuardedInput::Outbox(..) => "letter",
        }
    }

    /// The table that is quarantined if this input panics; `None` for a picture or a message, which
    /// does not affect the game.
    fn table(&self) -> Option<&TableId> {
        match self {
            GuardedInput::Update(_, table) | GuardedInput::Deadline(_, table) => table.as_ref(),
            GuardedInput::Thought(_)
            | GuardedInput::Replay(_)
            | GuardedInput::Review(_)
            | GuardedInput::Outbox(..) => None,
        }
    }

    /// The rows to remove from their lists.
    fn rows(&self) -> (Space, &[String]) {
        match self {
            GuardedInput::Deadline(key, _) => (Space::Due, std::slice::from_ref(key)),
            GuardedInput::Outbox(_, keys) => (Space::Outbox, keys),
            GuardedInput::Update(..)
            | GuardedInput::Thought(_)
            | GuardedInput::Replay(_)
            | GuardedInput::Review(_) => (Space::Meta, &[]),
        }
    }
}

/// The input panicked and is quarantined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputPanicked;

/// Tables whose inputs panicked: they are not used again in this run.
#[derive(Default)]
pub(super) struct QuarantinedTables(Mutex<HashSet<TableId>>);

impl Repository {
    /// Runs a piece of work; if it panics, its input is quarantined.
    ///
    /// # Errors
    /// [`InputPanicked`] when it panicked.
    pub async fn run_guarded<T>(
        &self,
        input: &GuardedInput,
        work: impl Future<Output = T>,
    ) -> Result<T, InputPanicked> {
        match AssertUnwindSafe(work).catch_unwind().await {
            Ok(result) => Ok(result),
            Err(_) => {
                self.quarantine(input, "a bug: the code panicked").await;
                Err(InputPanicked)
            }
        }
    }

    /// Whether a table is quarantined.
    pub fn is_quarantined(&self, table: &TableId) -> bool {
        self.quarantined_tables.0.lock().contains(table)
    }

    /// Quarantines an input, so that other inputs are processed.
    pub async fn quarantine(&self, input: &GuardedInput, why: &str) {
        tracing::error!(?input, why, "quarantined an input, see `caravanserai store list-damaged`");
        metrics::counter!("caravanserai_set_aside_total", "kind" => input.kind()).increment(1);
        let mut puts = self.quarantine_puts(input);
        if let Some(table) = input.table() {
            let places = self.quarantine_table(table).await;
            let view = View::brief(Text::new("refuse-table-damaged"));
            let name = format!("aside-{}", table.0);
            let note = |place| OutboxEntry::note(place, &name, view.clone()).encode();
            puts.extend(places.iter().map(note));
        }
        if let Err(failure) = self.put_all(puts).await {
            tracing::error!(%failure, "failed to store a quarantined input");
        }
    }

    /// Quarantines a table. Returns its places, if it was not quarantined before and can be read.
    async fn quarantine_table(&self, table: &TableId) -> Vec<PlaceId> {
        let is_new = {
            let mut all = self.quarantined_tables.0.lock();
            all.insert(table.clone())
        };
        if !is_new {
            return Vec::new();
        }
        let loaded = AssertUnwindSafe(self.load_table(table)).catch_unwind().await;
        let table = loaded.ok().and_then(Result::ok).flatten();
        table.map(|it| it.chats.ids().cloned().collect()).unwrap_or_default()
    }

    fn quarantine_puts(&self, input: &GuardedInput) -> Vec<Put> {
        let (space, rows) = input.rows();
        let until = self.now_ms() + QUARANTINE_TTL_MS;
        let marker = |key: &String| {
            Put::new(Space::Meta, keys::quarantined(space, key), Vec::new()).expires_at(until)
        };
        rows.iter().flat_map(|key| [marker(key), remove_row(space, key.clone())]).collect()
    }
}
