//! One rule for poison: what breaks the code is set aside, told to the host and to the table, and
//! everything else goes on.

use std::collections::HashSet;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;

use futures::FutureExt;

use super::stored_rows::{note_put, remove_row};
use super::{Repository, keys};
use caravanserai_games::ids::{PlaceId, TableId};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;
use caravanserai_store::{Put, Space};

/// How long a row is kept that was set aside, in milliseconds: 30 days.
const QUARANTINE_TTL_MS: u64 = 30 * 24 * 3_600_000;

/// Everything that makes the bot do something. Each comes through [`Repository::run_guarded`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuardedInput {
    /// Somebody did something; at this table, if they named it.
    Update(String, Option<TableId>),
    /// A row of the list of deadlines.
    Deadline(String, Option<TableId>),
    /// A computer is to think at a table.
    Thought(TableId),
    /// A replay is to be drawn.
    Replay(TableId),
    /// A review is to be made.
    Review(TableId),
    /// Something waits to be sent to a place: these rows of the outbox.
    Outbox(PlaceId, Vec<String>),
}

impl GuardedInput {
    /// What it is, for logs and counts.
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

    /// The table that is not touched again if this breaks the code. A picture or a message that
    /// cannot be made harms no game.
    fn table(&self) -> Option<&TableId> {
        match self {
            GuardedInput::Update(_, table) | GuardedInput::Deadline(_, table) => table.as_ref(),
            GuardedInput::Thought(_)
            | GuardedInput::Replay(_)
            | GuardedInput::Review(_)
            | GuardedInput::Outbox(..) => None,
        }
    }

    /// The rows that are taken out of their lists.
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

/// It broke the code and is set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputPanicked;

/// Tables that broke the code: not touched again in this run.
#[derive(Default)]
pub(super) struct QuarantinedTables(Mutex<HashSet<TableId>>);

impl Repository {
    /// Does something, unless it breaks the code: then it is set aside.
    ///
    /// # Errors
    /// [`InputPanicked`] when it panicked.
    pub async fn run_guarded<T>(
        &self,
        input: &GuardedInput,
        work: impl Future<Output = T>,
    ) -> Result<T, InputPanicked> {
        match AssertUnwindSafe(work).catch_unwind().await {
            Ok(done) => Ok(done),
            Err(_) => {
                self.quarantine(input, "a bug: the code panicked").await;
                Err(InputPanicked)
            }
        }
    }

    /// Whether a table was set aside.
    pub fn is_quarantined(&self, table: &TableId) -> bool {
        self.quarantined_tables
            .0
            .lock()
            .expect("nothing panics while holding this lock")
            .contains(table)
    }

    /// Takes an input out of the way, so that the others go on.
    pub async fn quarantine(&self, input: &GuardedInput, why: &str) {
        tracing::error!(?input, why, "set aside, see `caravanserai store list-damaged`");
        metrics::counter!("caravanserai_set_aside_total", "kind" => input.kind()).increment(1);
        let mut puts = self.quarantine_puts(input);
        if let Some(table) = input.table() {
            let places = self.quarantine_table(table).await;
            let note = View::brief(Text::new("refuse-table-damaged"));
            let name = format!("aside-{}", table.0);
            puts.extend(places.iter().map(|place| note_put(place, &name, note.clone())));
        }
        if let Err(failure) = self.put_all(puts).await {
            tracing::error!(%failure, "what was set aside could not be written");
        }
    }

    /// Sets a table aside; where it stands, if it was not set aside before and can be read.
    async fn quarantine_table(&self, table: &TableId) -> Vec<PlaceId> {
        let is_new = {
            let mut all =
                self.quarantined_tables.0.lock().expect("nothing panics while holding this lock");
            all.insert(table.clone())
        };
        if !is_new {
            return Vec::new();
        }
        let looked = AssertUnwindSafe(self.load_table(table)).catch_unwind().await;
        let table = looked.ok().and_then(Result::ok).flatten();
        table.map(|it| it.chats().cloned().collect()).unwrap_or_default()
    }

    fn quarantine_puts(&self, input: &GuardedInput) -> Vec<Put> {
        let (space, rows) = input.rows();
        let until = self.now_ms() + QUARANTINE_TTL_MS;
        let kept = |key: &String| {
            Put::new(Space::Meta, keys::quarantined(space, key), Vec::new()).expires_at(until)
        };
        rows.iter().flat_map(|key| [kept(key), remove_row(space, key.clone())]).collect()
    }
}
