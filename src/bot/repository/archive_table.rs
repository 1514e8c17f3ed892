//! Replaces the log of a table that ended a while ago by its compact record, see
//! [`archive_table`](caravanserai_table::archive).
//!
//! Each direction is one commit, so there is always either the whole log or the whole record. The
//! commit requires that the log is unchanged since it was read, so of several processes one
//! succeeds. A later action at such a table restores its log in the same commit, see
//! [`unit_of_work`](super::unit_of_work).

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::effects::list_puts;
use super::outbox_entry::{BoardTask, OutboxEntry};
use super::stored_rows::{remove_row, replaced_head_put};
use super::{CommitOutcome, Failure, Repository, TableGuard, keys};
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_store::commit_limits::VALUE_BYTES_MAX;
use caravanserai_store::{Commit, Expect, Put, Rewrite, Space};
use caravanserai_table::archive;
use caravanserai_table::identity_replacement::IdentityReplacement;
use caravanserai_table::state::Table;

/// The attempts to replace people in a log while others act at the table.
const REPLACEMENT_TRIES: usize = 4;

impl Repository {
    /// Replaces the log of a table by its record, and removes these rows with it. A table that is
    /// still in play keeps its log, and so does a table that no record can represent.
    ///
    /// # Errors
    /// When the store fails, or the log cannot be read.
    pub async fn archive_table(
        &self,
        guard: &mut TableGuard,
        rows: Vec<Put>,
    ) -> Result<CommitOutcome, Failure> {
        let id = guard.id().clone();
        let table = guard.table().clone();
        if table.is_open() || guard.record().is_some() {
            return self.commit_rows(Commit::from_puts(rows)).await;
        }
        let lines = self.load_log_lines(&id).await?;
        if lines.len() as u64 != table.version {
            // A concurrent action has changed the table.
            guard.invalidate();
            return Ok(CommitOutcome::Conflict);
        }
        let record = archive::pack(&lines);
        // The table in memory has the names that are shown, and a record has all of them.
        let stored =
            Table::from_log(&id, &lines).map_err(|why| Failure::Damaged(id.clone(), why))?;
        if record.len() > VALUE_BYTES_MAX || !is_lossless_record(&stored, &record) {
            tracing::warn!(
                table = id.0,
                bytes = record.len(),
                "skipped archiving a table: its record would lose data"
            );
            return self.commit_rows(Commit::from_puts(rows)).await;
        }
        let mut puts = rows;
        puts.push(remove_row(Space::Head, id.0.clone()));
        puts.push(Put::new(Space::Archive, id.0.clone(), record));
        let appends = vec![guard.unchanged_condition()];
        let drops = vec![id.0.clone()];
        let outcome = self.commit_rows(Commit { appends, drops, puts, ..Commit::default() }).await;
        // The table in memory is outdated in both cases: it was archived, or another writer was
        // first.
        guard.invalidate();
        if let Ok(CommitOutcome::Committed) = outcome {
            metrics::counter!("caravanserai_archived_games_total").increment(1);
        }
        outcome
    }
}

/// The result of replacing people in the log of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogReplacement {
    /// The log names none of them, or there is no such table.
    NotNamed,
    /// They are replaced.
    Replaced,
    /// One of them has a seat at the open table, or others act there: the log is replaced later.
    StillOpen,
    /// The log cannot be read, or no record can represent it. It stays as it is and is reported.
    Kept,
}

/// The result of one attempt to replace people in a log.
enum ReplacementAttempt {
    Done(LogReplacement),
    /// The log was to be replaced by this commit.
    Tried(CommitOutcome),
}

impl Repository {
    /// Replaces people in the log or record of a table where none of them has a seat any more. A
    /// log of an ended table becomes a record by that, so a process that still knows the old log
    /// cannot append to it. A log of an open table keeps its number of lines, and all processes
    /// read it again.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn replace_people_in_log(
        &self,
        id: &TableId,
        replacement: &IdentityReplacement,
    ) -> Result<LogReplacement, Failure> {
        match self.try_to_replace_people(id, replacement).await {
            Err(Failure::Damaged(_, why)) => {
                report_kept_log(id, &why);
                Ok(LogReplacement::Kept)
            }
            other => other,
        }
    }

    async fn try_to_replace_people(
        &self,
        id: &TableId,
        replacement: &IdentityReplacement,
    ) -> Result<LogReplacement, Failure> {
        if !replacement.is_named_in(&self.load_log_lines(id).await?) {
            return Ok(LogReplacement::NotNamed);
        }
        let Some(mut guard) = self.lock_table(id).await? else {
            return Ok(LogReplacement::NotNamed);
        };
        for _ in 0..REPLACEMENT_TRIES {
            let attempt = match guard.table().is_open() {
                true => self.replace_in_open_log(&guard, replacement).await,
                false => self.replace_by_record(&guard, replacement).await,
            };
            let outcome = match attempt? {
                ReplacementAttempt::Done(done) => return Ok(done),
                ReplacementAttempt::Tried(outcome) => outcome,
            };
            guard.invalidate();
            match outcome {
                CommitOutcome::Committed => return Ok(LogReplacement::Replaced),
                CommitOutcome::Conflict if self.reload_table(&mut guard).await? => {}
                CommitOutcome::Conflict => return Ok(LogReplacement::NotNamed),
            }
        }
        Ok(LogReplacement::StillOpen)
    }

    /// Replaces people in the log of an ended table by writing its record.
    async fn replace_by_record(
        &self,
        guard: &TableGuard,
        replacement: &IdentityReplacement,
    ) -> Result<ReplacementAttempt, Failure> {
        let id = guard.id();
        let lines = self.load_log_lines(id).await?;
        let replaced = replaced_record(id, &lines, replacement);
        let Some(record) = replaced.map_err(|why| Failure::Damaged(id.clone(), why))? else {
            return Ok(ReplacementAttempt::Done(LogReplacement::NotNamed));
        };
        let put = Put::new(Space::Archive, id.0.clone(), record);
        let mut commit = Commit::from_puts(vec![put]);
        commit.appends.push(guard.unchanged_condition());
        match guard.record() {
            Some(old) => {
                commit.expect.push(Expect::equals(Space::Archive, id.0.clone(), old));
            }
            None if lines.len() as u64 == guard.table().version => {
                commit.drops.push(id.0.clone());
                commit.puts.push(remove_row(Space::Head, id.0.clone()));
            }
            None => return Ok(ReplacementAttempt::Tried(CommitOutcome::Conflict)),
        }
        Ok(ReplacementAttempt::Tried(self.commit_rows(commit).await?))
    }

    /// Replaces people in the log of an open table, unless one of them has a seat there: they may
    /// still have to act. The boards are shown again without their names.
    async fn replace_in_open_log(
        &self,
        guard: &TableGuard,
        replacement: &IdentityReplacement,
    ) -> Result<ReplacementAttempt, Failure> {
        let id = guard.id();
        let table = guard.table();
        let damaged = |why| Failure::Damaged(id.clone(), why);
        if replacement.accounts.keys().any(|it| table.seating.is_seated(it)) {
            return Ok(ReplacementAttempt::Done(LogReplacement::StillOpen));
        }
        // Read before the log: another replacement in between changes it.
        let names_version = self.read_value(Space::Meta, keys::HIDDEN_NAMES).await?;
        let lines = self.load_log_lines(id).await?;
        if lines.len() as u64 != table.version {
            return Ok(ReplacementAttempt::Tried(CommitOutcome::Conflict));
        }
        let Some(replaced) = replacement.replace_in_log(&lines).map_err(damaged)? else {
            return Ok(ReplacementAttempt::Done(LogReplacement::NotNamed));
        };
        let next = rebuild(id, &replaced).map_err(damaged)?;
        let is_deleted_chat = |it: &ChatId| PersonId(it.0.clone()).is_deleted();
        if next.chats.ids().any(is_deleted_chat) {
            return Ok(ReplacementAttempt::Done(LogReplacement::StillOpen));
        }
        if (&next.phase, &next.history.steps, next.version)
            != (&table.phase, &table.history.steps, table.version)
        {
            return Err(damaged("the replaced log is another game".to_owned()));
        }
        let board = |chat| OutboxEntry::board(chat, &next, BoardTask::default()).encode();
        let mut puts: Vec<Put> = next.chats.ids().map(board).collect();
        puts.extend(list_puts(Some(&**table), &next, &self.limits));
        puts.push(replaced_head_put(&next, &replaced));
        puts.push(self.hidden_names_changed_put());
        let mut commit = Commit::from_puts(puts);
        let key = keys::HIDDEN_NAMES.to_owned();
        commit.expect.push(Expect { space: Space::Meta, key, value: names_version });
        commit.rewrites.push(Rewrite { table: id.0.clone(), lines: replaced });
        Ok(ReplacementAttempt::Tried(self.commit_rows(commit).await?))
    }
}

/// Reports that people stay named in a log that cannot be replaced.
pub fn report_kept_log(id: &TableId, why: &str) {
    tracing::error!(table = id.0, why, "failed to replace a deleted person in a log");
    metrics::counter!("caravanserai_deletion_kept_logs_total").increment(1);
}

/// The table of a log in which people were replaced.
fn rebuild(id: &TableId, replaced: &[String]) -> Result<Table, String> {
    let rebuilt = catch_unwind(AssertUnwindSafe(|| Table::from_log(id, replaced)));
    rebuilt.unwrap_or_else(|_| Err("the replaced log breaks the rules".to_owned()))
}

/// The record of a log in which people are replaced; `None` if it names none of them.
fn replaced_record(
    id: &TableId,
    lines: &[String],
    replacement: &IdentityReplacement,
) -> Result<Option<Vec<u8>>, String> {
    let Some(replaced) = replacement.replace_in_log(lines)? else { return Ok(None) };
    let table = rebuild(id, &replaced)?;
    let record = archive::pack(&replaced);
    if record.len() > VALUE_BYTES_MAX || !is_lossless_record(&table, &record) {
        return Err("its record loses data".to_owned());
    }
    Ok(Some(record))
}

/// Whether all data of an ended table reads the same from this record. Otherwise the log must not
/// be removed.
fn is_lossless_record(table: &Table, record: &[u8]) -> bool {
    let unpacked = archive::unpack(record).and_then(|lines| Table::from_log(&table.id, &lines));
    unpacked.is_ok_and(|unpacked| {
        let same = (&unpacked.phase, &unpacked.history.steps, &unpacked.setup)
            == (&table.phase, &table.history.steps, &table.setup);
        same && unpacked.version == table.version
            && unpacked.chats.home() == table.chats.home()
            && unpacked.record_names() == table.record_names()
            && unpacked.seating.people_entropy() == table.seating.people_entropy()
            && unpacked.next_table == table.next_table
    })
}
