//! Separates two tables in one log, see [`misplaced_lines`]: when the first one is used next, and
//! by one search of all logs after a start.
//!
//! One commit records in the first log that the other table has a log of its own, opens that log,
//! and writes the rows of lists, deadlines and boards of both tables. If several processes try it,
//! one succeeds. A process that stops half-way has written nothing.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::effects::{TableTransition, collect_effects};
use super::quarantine::catch_panic;
use super::stored_rows::{parse_json_or_default, put_json, table_head_put};
use super::unit_of_work::ChangedTable;
use super::{CommitOutcome, Failure, Repository, TableChange, TableGuard, keys, log_skipped_log};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Append, Commit, Expect, Space};
use caravanserai_table::event::{Event, LogLine};
use caravanserai_table::misplaced_lines::{self, MisplacedLines};
use caravanserai_table::{Decision, EventMeta, Table, apply_external_event, clock};

/// The attempts to separate two tables while another process does the same.
const SEPARATION_TRIES: usize = 4;

/// The number of logs that are read at once.
const LOGS_PER_PAGE: usize = 50;

/// The progress of the search for logs that contain two tables.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct LogSearchProgress {
    /// The last table whose log was read.
    after: String,
    /// Whether all logs were read.
    done: bool,
}

/// The cause of the log lines about a separation.
const SEPARATION_CAUSE: &str = "parted";

/// Separates tables that earlier versions wrote into one log.
#[derive(Clone, Copy)]
pub struct LogSeparation<'a> {
    repository: &'a Repository,
}

impl Repository {
    /// Separates tables that earlier versions wrote into one log.
    pub fn log_separation(&self) -> LogSeparation<'_> {
        LogSeparation { repository: self }
    }
}

impl LogSeparation<'_> {
    /// Searches the next page of logs for logs of two tables. Returns whether all were searched.
    /// This is done once for a store, because no new ones can appear.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn separate_next_page(&self) -> Result<bool, Failure> {
        let stored = self.repository.read_value(Space::Meta, keys::LOG_SEPARATION).await?;
        let mut search: LogSearchProgress = parse_json_or_default(stored.clone());
        if search.done {
            return Ok(true);
        }
        let after = (!search.after.is_empty()).then_some(search.after.as_str());
        let heads = self.repository.store.scan(Space::Head, "", after, LOGS_PER_PAGE).await?;
        let ids = heads.iter().map(|(key, _)| TableId(key.clone())).collect();
        for (id, lines) in self.repository.read_readable_logs(ids, log_skipped_log).await? {
            self.separate_log(&id, &lines).await;
        }
        search.done = heads.len() < LOGS_PER_PAGE;
        let last = heads.last().filter(|_| !search.done);
        search.after = last.map(|(key, _)| key.clone()).unwrap_or_default();
        let is_last = search.done;
        let expect = vec![Expect {
            space: Space::Meta,
            key: keys::LOG_SEPARATION.to_owned(),
            value: stored,
        }];
        let puts = vec![put_json(Space::Meta, keys::LOG_SEPARATION.to_owned(), &search)];
        let outcome =
            self.repository.commit_rows(Commit { expect, ..Commit::from_puts(puts) }).await?;
        Ok(is_last && outcome == CommitOutcome::Committed)
    }

    /// Separates a log with these lines if it contains two tables. A log that makes the code panic
    /// does not keep the search from the others.
    async fn separate_log(&self, id: &TableId, lines: &[String]) {
        let separating = async {
            match misplaced_lines::has_two_openings(lines) {
                true => self.repository.lock_table(id).await.map(drop),
                false => Ok(()),
            }
        };
        match catch_panic(separating).await {
            Some(Ok(())) => {}
            Some(Err(failure)) => {
                tracing::error!(table = id.0, %failure, "failed to separate two tables");
            }
            None => tracing::error!(table = id.0, "failed to separate two tables: it panicked"),
        }
    }

    /// Moves the table at the end of the log of another one to a log of its own.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn separate_table(&self, guard: &mut TableGuard) -> Result<(), Failure> {
        for _ in 0..SEPARATION_TRIES {
            let Some(misplaced) = guard.table().misplaced else { return Ok(()) };
            if self.try_separate(guard, misplaced).await? == CommitOutcome::Committed {
                return Ok(());
            }
            if !self.repository.reload_table(guard).await? {
                break;
            }
        }
        Err(Failure::Damaged(guard.id().clone(), "two tables have this code".to_owned()))
    }

    async fn try_separate(
        &self,
        guard: &mut TableGuard,
        misplaced: MisplacedLines,
    ) -> Result<CommitOutcome, Failure> {
        let id = guard.id().clone();
        let now_ms = self.repository.now_ms();
        let meta = EventMeta::received_now(now_ms, SEPARATION_CAUSE);
        let lines = self.repository.load_log_lines(&id).await?;
        let from = usize::try_from(misplaced.from).unwrap_or(usize::MAX);
        let other = lines.get(from..).unwrap_or_default();
        let Some(mut new_guard) = self.repository.reserve_new_table() else {
            return Ok(CommitOutcome::Conflict);
        };
        let mut seed = [0; 32];
        self.repository.fill_random(&mut seed);
        let reopened = misplaced_lines::reopen_misplaced(other, new_guard.id(), seed, meta.clone());
        if let Err(why) = &reopened {
            tracing::error!(table = id.0, why, "failed to reopen the second table of a log");
        }
        let table = reopened.is_ok().then(|| new_guard.id().clone());
        let first_decision =
            separation_decision(guard.table(), Event::MisplacedLinesMoved(table), misplaced, meta)
                .map_err(|why| Failure::Damaged(id.clone(), why))?;
        // The lists, deadlines and boards under this code belong to the other table.
        let before = Table::from_log(&id, other).ok();
        let change = TableTransition {
            before: before.as_ref(),
            after: &first_decision.table,
            lines: &first_decision.lines,
            answered_seat: None,
            waiting: None,
        };
        let mut effects = collect_effects(change, self.repository.limits(), now_ms);
        effects.puts.push(table_head_put(&first_decision.table));
        let encoded_lines = first_decision.lines.iter().map(LogLine::encode).collect();
        let appends = vec![Append::new(id.0.clone(), guard.table().version, encoded_lines)];
        let commit = Commit { appends, ..Commit::from_puts(effects.puts) };
        let mut changes = Vec::new();
        if let Ok(decision) = reopened {
            changes.push(TableChange::new(&mut new_guard, decision));
        }
        let outcome = self.repository.commit_seated_changes(changes, commit).await?;
        if outcome == CommitOutcome::Committed {
            tracing::warn!(table = id.0, "separated two tables with the same code");
            let table = Arc::new(first_decision.table);
            let names = self.repository.known_hidden_names();
            guard.set_committed(table.clone(), &first_decision.lines, &names);
            self.repository.notify_listener(|it| {
                it.handle_table_change(ChangedTable {
                    table,
                    computer_thinks: effects.computer_thinks,
                    board_waits: true,
                })
            });
        }
        Ok(outcome)
    }
}

/// Records the separation in the log of the first table. Nobody could play there since the other
/// table was opened, so that time is refunded to the running clock.
fn separation_decision(
    table: &Table,
    event: Event,
    misplaced: MisplacedLines,
    meta: EventMeta,
) -> Result<Decision, String> {
    let now_ms = meta.at_ms;
    let mut decision = apply_external_event(table, event, meta)?;
    if let Some(refund) = clock::refund_outage(&decision.table, misplaced.at_ms, now_ms) {
        decision.lines.extend(refund.lines);
        decision.table = refund.table;
    }
    Ok(decision)
}
