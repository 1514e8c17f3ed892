//! Quarantines inputs that make a handler panic: they are removed from their lists and reported to
//! the operator and to the table, and all other work continues.
//!
//! A table whose input panicked is frozen, for all processes and across restarts: nobody can act
//! there, so its clock must not run. A table that cannot be frozen, because its log cannot be read
//! or its game is over, is only refused by this process. Deadlines and messages of a table whose
//! log cannot be read are kept, see `unreadable_tables`.

use std::collections::HashSet;
use std::future::Future;
use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::outbox_entry::OutboxEntry;
use super::stored_rows::{put_json, remove_row};
use super::{CommitOutcome, DAY_MS, Failure, Repository, TableChange, keys};
use caravanserai_games::ids::{ChatId, TableId};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;
use caravanserai_store::{Commit, Put, Space, StoreError};
use caravanserai_table::EventMeta;
use caravanserai_table::operator_actions::{
    OperatorAction, OperatorActionRefusal, decide_operator_action,
};

/// The cause that logs name when a table is frozen because of an input that panicked.
const QUARANTINE_CAUSE: &str = "quarantine";

/// The attempts to freeze a table while people act there.
const FREEZE_TRIES: usize = 8;

/// How long a quarantined row is kept, in milliseconds: 30 days.
const QUARANTINE_TTL_MS: u64 = 30 * DAY_MS;

/// Inputs that trigger work of the bot. Each is processed by [`Repository::run_isolated`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuarantineInput {
    /// The update of a person, and the table if it names one.
    Update(String, Option<TableId>),
    /// A row of the list of deadlines.
    Deadline(String, Option<TableId>),
    /// A computer has to move at a table.
    ComputerMove(TableId),
    /// A replay has to be rendered.
    Replay(TableId),
    /// A review has to be made.
    Review(TableId),
    /// The play of a finished game has to be judged.
    Judging(TableId),
    /// Outbox entries that wait to be sent to a chat.
    Outbox(ChatId, Vec<String>),
}

impl QuarantineInput {
    /// All kinds of inputs: a metric that begins with the first quarantined one would hide it.
    pub const KINDS: [&'static str; 7] =
        ["update", "deadline", "computer_move", "replay", "review", "judging", "outbox"];

    /// The kind of input, for logs and metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            QuarantineInput::Update(..) => "update",
            QuarantineInput::Deadline(..) => "deadline",
            QuarantineInput::ComputerMove(_) => "computer_move",
            QuarantineInput::Replay(_) => "replay",
            QuarantineInput::Review(_) => "review",
            QuarantineInput::Judging(_) => "judging",
            QuarantineInput::Outbox(..) => "outbox",
        }
    }

    /// The table that is quarantined if this input panics; `None` for a picture or a message, which
    /// does not affect the game.
    fn table(&self) -> Option<&TableId> {
        match self {
            QuarantineInput::Update(_, table) | QuarantineInput::Deadline(_, table) => {
                table.as_ref()
            }
            QuarantineInput::ComputerMove(_)
            | QuarantineInput::Replay(_)
            | QuarantineInput::Review(_)
            | QuarantineInput::Judging(_)
            | QuarantineInput::Outbox(..) => None,
        }
    }

    /// The rows to remove from their lists.
    fn rows(&self) -> (Space, &[String]) {
        match self {
            QuarantineInput::Deadline(key, _) => (Space::Due, std::slice::from_ref(key)),
            QuarantineInput::Outbox(_, keys) => (Space::Outbox, keys),
            QuarantineInput::Update(..)
            | QuarantineInput::ComputerMove(_)
            | QuarantineInput::Replay(_)
            | QuarantineInput::Review(_)
            | QuarantineInput::Judging(_) => (Space::Meta, &[]),
        }
    }

    /// The id of an input that is no row.
    fn id(&self) -> Option<&str> {
        match self {
            QuarantineInput::Update(id, _) => Some(id),
            QuarantineInput::ComputerMove(table)
            | QuarantineInput::Replay(table)
            | QuarantineInput::Review(table)
            | QuarantineInput::Judging(table) => Some(&table.0),
            QuarantineInput::Deadline(..) | QuarantineInput::Outbox(..) => None,
        }
    }
}

/// Why and when an input was quarantined.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct QuarantineMark {
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// Why. It may quote a line of a log, so only the operator of the store may read it.
    pub why: String,
}

/// The input panicked and is quarantined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputPanicked;

/// Tables whose inputs panicked and that cannot be frozen: they are not used again in this run.
#[derive(Default)]
pub(super) struct QuarantinedTables(Mutex<HashSet<TableId>>);

/// The result of an attempt to freeze a table.
enum FreezeOutcome {
    /// It is frozen now. Its chats.
    Frozen(Vec<ChatId>),
    /// It was frozen before.
    AlreadyFrozen,
    /// There is no open table with this code.
    NotOpen,
}

/// Runs a piece of work. Returns `None` if it panics.
pub(crate) async fn catch_panic<T>(work: impl Future<Output = T>) -> Option<T> {
    AssertUnwindSafe(Box::pin(work)).catch_unwind().await.ok()
}

impl Repository {
    /// Runs a piece of work; if it panics, its input is quarantined.
    ///
    /// # Errors
    /// [`InputPanicked`] when it panicked.
    pub async fn run_isolated<T>(
        &self,
        input: &QuarantineInput,
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

    /// Whether this process refuses all requests at a table. Tables that are frozen because of an
    /// input that panicked are not among them: they refuse by themselves.
    pub fn is_quarantined(&self, table: &TableId) -> bool {
        self.quarantined_tables.0.lock().contains(table)
    }

    /// Quarantines an input, so that other inputs are processed.
    pub async fn quarantine(&self, input: &QuarantineInput, why: &str) {
        let mut puts = self.report_quarantined(input, why);
        let (space, rows) = input.rows();
        puts.extend(rows.iter().map(|key| remove_row(space, key.clone())));
        if let Some(table) = input.table() {
            let chats = self.quarantine_table(table, why).await;
            let view = View::brief(Text::new("refuse-table-damaged"));
            let name = format!("aside-{}", table.0);
            let note = |chat| OutboxEntry::post(chat, &name, view.clone()).encode();
            puts.extend(chats.iter().map(note));
        }
        if let Err(failure) = self.put_all(puts).await {
            tracing::error!(%failure, "failed to store a quarantined input");
        }
    }

    /// Tries again to freeze a table that this process refuses: the store may have failed before.
    pub async fn freeze_quarantined(&self, table: &TableId) {
        self.quarantine_table(table, "an earlier failure, see the log").await;
    }

    /// Quarantines a table. Returns its chats, if it was not quarantined before and can be read.
    async fn quarantine_table(&self, table: &TableId, why: &str) -> Vec<ChatId> {
        match catch_panic(self.freeze_with_mark(table, why)).await {
            Some(Ok(FreezeOutcome::Frozen(chats))) => {
                let is_new = !self.release_quarantined(table);
                return if is_new { chats } else { Vec::new() };
            }
            Some(Ok(FreezeOutcome::AlreadyFrozen)) => {
                self.release_quarantined(table);
                return Vec::new();
            }
            Some(Ok(FreezeOutcome::NotOpen)) => {}
            Some(Err(failure)) => {
                tracing::error!(table = table.0, %failure, "failed to freeze a quarantined table");
            }
            None => tracing::error!(table = table.0, "failed to freeze a table: it panicked"),
        }
        let is_new = {
            let mut all = self.quarantined_tables.0.lock();
            all.insert(table.clone())
        };
        if !is_new {
            return Vec::new();
        }
        let loaded = catch_panic(self.load_table(table)).await;
        let table = loaded.and_then(Result::ok).flatten();
        table.map(|it| it.chats.ids().cloned().collect()).unwrap_or_default()
    }

    /// Freezes a table, with a row that lists it as quarantined for all processes.
    async fn freeze_with_mark(&self, id: &TableId, why: &str) -> Result<FreezeOutcome, Failure> {
        for _ in 0..FREEZE_TRIES {
            let Some(mut guard) = self.lock_table(id).await? else {
                return Ok(FreezeOutcome::NotOpen);
            };
            // The state in memory may be what broke the code.
            if !self.reload_table(&mut guard).await? {
                return Ok(FreezeOutcome::NotOpen);
            }
            let at_ms = self.now_ms();
            let meta = EventMeta::received_now(at_ms, QUARANTINE_CAUSE);
            let decision = match decide_operator_action(guard.table(), OperatorAction::Freeze, meta)
            {
                Ok(decision) => decision,
                Err(OperatorActionRefusal::Frozen) => return Ok(FreezeOutcome::AlreadyFrozen),
                Err(OperatorActionRefusal::Over | OperatorActionRefusal::NotFrozen) => {
                    return Ok(FreezeOutcome::NotOpen);
                }
            };
            let chats = guard.table().chats.ids().cloned().collect();
            let mark = QuarantineMark { at_ms, why: why.to_owned() };
            let mark = put_json(Space::Meta, keys::quarantined_table(id), &mark)
                .expires_at(at_ms + QUARANTINE_TTL_MS);
            let change = TableChange::new(&mut guard, decision);
            let commit = Commit::from_puts(vec![mark]);
            if self.commit_changes(vec![change], commit).await? == CommitOutcome::Committed {
                return Ok(FreezeOutcome::Frozen(chats));
            }
        }
        let why = format!("too many conflicting writes to table {}", id.0);
        Err(StoreError::Failed(why).into())
    }

    /// Reports a quarantined input to the operator. Returns the marks that list it.
    pub(super) fn report_quarantined(&self, input: &QuarantineInput, why: &str) -> Vec<Put> {
        tracing::error!(?input, why, "quarantined an input, see `caravanserai store list-damaged`");
        metrics::counter!("caravanserai_quarantined_inputs_total", "kind" => input.kind())
            .increment(1);
        let (space, rows) = input.rows();
        let at_ms = self.now_ms();
        let mark = QuarantineMark { at_ms, why: why.to_owned() };
        let marker =
            |key: String| put_json(Space::Meta, key, &mark).expires_at(at_ms + QUARANTINE_TTL_MS);
        let of_row = |key: &String| marker(keys::quarantined(space, key));
        let of_input = input.id().map(|id| marker(keys::quarantined_input(input.kind(), id)));
        rows.iter().map(of_row).chain(of_input).collect()
    }

    /// The tables that this process refuses, in the order of their codes.
    pub fn quarantined_table_codes(&self) -> Vec<TableId> {
        let mut all: Vec<TableId> = self.quarantined_tables.0.lock().iter().cloned().collect();
        all.sort();
        all
    }

    /// Lets this process use a table again. Returns whether it was quarantined.
    pub(super) fn release_quarantined(&self, table: &TableId) -> bool {
        self.quarantined_tables.0.lock().remove(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_input_is_listed() {
        let table = || TableId("7k3fx".to_owned());
        let inputs = [
            QuarantineInput::Update(String::new(), None),
            QuarantineInput::Deadline(String::new(), None),
            QuarantineInput::ComputerMove(table()),
            QuarantineInput::Replay(table()),
            QuarantineInput::Review(table()),
            QuarantineInput::Judging(table()),
            QuarantineInput::Outbox(ChatId("tg:1".to_owned()), Vec::new()),
        ];
        assert_eq!(inputs.map(|it| it.kind()), QuarantineInput::KINDS);
    }
}
