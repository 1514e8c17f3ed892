//! One rule for poison: what breaks the code is set aside, told to the host and to the table, and
//! everything else goes on.

use std::collections::HashSet;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;

use futures::FutureExt;

use super::rows::{cut, note_put};
use super::{Ledger, keys};
use caravanserai_games::ids::{PlaceId, TableId};
use caravanserai_games::words::Text;
use caravanserai_protocol::note::Note;
use caravanserai_store::{Put, Space};

/// How long a row is kept that was set aside, in milliseconds: 30 days.
const KEPT_MS: u64 = 30 * 24 * 3_600_000;

/// Everything that makes the bot do something. Each comes through [`Ledger::guarded`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
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
    Letter(PlaceId, Vec<String>),
}

impl Input {
    /// What it is, for logs and counts.
    pub fn kind(&self) -> &'static str {
        match self {
            Input::Update(..) => "update",
            Input::Deadline(..) => "deadline",
            Input::Thought(_) => "thought",
            Input::Replay(_) => "replay",
            Input::Review(_) => "review",
            Input::Letter(..) => "letter",
        }
    }

    /// The table that is not touched again if this breaks the code. A picture or a message that
    /// cannot be made harms no game.
    fn table(&self) -> Option<&TableId> {
        match self {
            Input::Update(_, table) | Input::Deadline(_, table) => table.as_ref(),
            Input::Thought(_) | Input::Replay(_) | Input::Review(_) | Input::Letter(..) => None,
        }
    }

    /// The rows that are taken out of their lists.
    fn rows(&self) -> (Space, &[String]) {
        match self {
            Input::Deadline(key, _) => (Space::Due, std::slice::from_ref(key)),
            Input::Letter(_, keys) => (Space::Outbox, keys),
            Input::Update(..) | Input::Thought(_) | Input::Replay(_) | Input::Review(_) => {
                (Space::Meta, &[])
            }
        }
    }
}

/// It broke the code and is set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

/// Tables that broke the code: not touched again in this run.
#[derive(Default)]
pub(super) struct SetAside(Mutex<HashSet<TableId>>);

impl Ledger {
    /// Does something, unless it breaks the code: then it is set aside.
    ///
    /// # Errors
    /// [`Broken`] when it panicked.
    pub async fn guarded<T>(
        &self,
        input: &Input,
        work: impl Future<Output = T>,
    ) -> Result<T, Broken> {
        match AssertUnwindSafe(work).catch_unwind().await {
            Ok(done) => Ok(done),
            Err(_) => {
                self.set_aside(input, "a bug: the code panicked").await;
                Err(Broken)
            }
        }
    }

    /// Whether a table was set aside.
    pub fn is_set_aside(&self, table: &TableId) -> bool {
        self.aside.0.lock().expect("nothing panics while holding this lock").contains(table)
    }

    /// Takes an input out of the way, so that the others go on.
    pub async fn set_aside(&self, input: &Input, why: &str) {
        tracing::error!(?input, why, "set aside, see `caravanserai store list-damaged`");
        metrics::counter!("caravanserai_set_aside_total", "kind" => input.kind()).increment(1);
        let mut puts = self.rows_aside(input);
        if let Some(table) = input.table() {
            let places = self.newly_aside(table).await;
            let note = Note::brief(Text::new("refuse-table-damaged"));
            let name = format!("aside-{}", table.0);
            puts.extend(places.iter().map(|place| note_put(place, &name, note.clone())));
        }
        if let Err(failure) = self.keep(puts).await {
            tracing::error!(%failure, "what was set aside could not be written");
        }
    }

    /// Sets a table aside; where it stands, if it was not set aside before and can be read.
    async fn newly_aside(&self, table: &TableId) -> Vec<PlaceId> {
        let is_new = {
            let mut all = self.aside.0.lock().expect("nothing panics while holding this lock");
            all.insert(table.clone())
        };
        if !is_new {
            return Vec::new();
        }
        let looked = AssertUnwindSafe(self.look(table)).catch_unwind().await;
        let table = looked.ok().and_then(Result::ok).flatten();
        table.map(|it| it.places().cloned().collect()).unwrap_or_default()
    }

    fn rows_aside(&self, input: &Input) -> Vec<Put> {
        let (space, rows) = input.rows();
        let until = self.now_ms() + KEPT_MS;
        let kept = |key: &String| {
            Put::new(Space::Meta, keys::set_aside(space, key), Vec::new()).until(until)
        };
        rows.iter().flat_map(|key| [kept(key), cut(space, key.clone())]).collect()
    }
}
