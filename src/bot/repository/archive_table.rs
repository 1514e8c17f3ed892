//! Replaces the log of a table that ended a while ago by its compact record, see
//! [`archive_table`](caravanserai_table::archive).
//!
//! Each direction is one commit, so there is always either the whole log or the whole record. The
//! commit requires that the log is unchanged since it was read, so of several processes one
//! succeeds. A later action at such a table restores its log in the same commit, see
//! [`unit_of_work`](super::unit_of_work).

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::stored_rows::remove_row;
use super::{CommitOutcome, Failure, Repository, TableGuard};
use caravanserai_games::ids::TableId;
use caravanserai_store::commit_limits::VALUE_BYTES_MAX;
use caravanserai_store::{Commit, Expect, Put, Space};
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
        let (id, table) = (guard.id().clone(), guard.table().clone());
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
            tracing::warn!(table = id.0, bytes = record.len(), "kept a log: its record loses data");
            return self.commit_rows(Commit::from_puts(rows)).await;
        }
        let mut puts = rows;
        puts.push(remove_row(Space::Head, id.0.clone()));
        puts.push(Put::new(Space::Archive, id.0.clone(), record));
        let (appends, drops) = (vec![guard.unchanged_condition()], vec![id.0.clone()]);
        let outcome = self.commit_rows(Commit { appends, drops, puts, ..Commit::default() }).await;
        // The table in memory is outdated in both cases: it was archived, or another writer was
        // first.
        guard.invalidate();
        if let Ok(CommitOutcome::Committed) = outcome {
            metrics::counter!("caravanserai_archived_total").increment(1);
        }
        outcome
    }
}

/// What was done to replace people in the log of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogReplacement {
    /// The log names none of them, or there is no such table.
    NotNamed,
    /// They are replaced.
    Replaced,
    /// The table is open: the log is replaced after its end.
    StillOpen,
    /// The log cannot be read, or no record can represent it. It stays as it is and is reported.
    Kept,
}

impl Repository {
    /// Replaces people in the log or record of an ended table. A log becomes a record by that, so
    /// a process that still knows the old log cannot append to it.
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
                tracing::error!(table = id.0, why, "failed to replace a deleted person in a log");
                metrics::counter!("caravanserai_deletion_kept_logs_total").increment(1);
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
            let lines = self.load_log_lines(id).await?;
            if guard.table().is_open() {
                return Ok(match replacement.replace_in_log(&lines) {
                    Ok(None) => LogReplacement::NotNamed,
                    Ok(Some(_)) | Err(_) => LogReplacement::StillOpen,
                });
            }
            let replaced = replaced_record(id, &lines, replacement);
            let Some(record) = replaced.map_err(|why| Failure::Damaged(id.clone(), why))? else {
                return Ok(LogReplacement::NotNamed);
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
                None => {
                    self.reload_table(&mut guard).await?;
                    continue;
                }
            }
            let outcome = self.commit_rows(commit).await;
            guard.invalidate();
            match outcome? {
                CommitOutcome::Committed => return Ok(LogReplacement::Replaced),
                CommitOutcome::Conflict if self.reload_table(&mut guard).await? => {}
                CommitOutcome::Conflict => return Ok(LogReplacement::NotNamed),
            }
        }
        // Others act there: the next pass finds it.
        Ok(LogReplacement::StillOpen)
    }
}

/// The record of a log in which people are replaced; `None` if it names none of them.
fn replaced_record(
    id: &TableId,
    lines: &[String],
    replacement: &IdentityReplacement,
) -> Result<Option<Vec<u8>>, String> {
    let Some(replaced) = replacement.replace_in_log(lines)? else { return Ok(None) };
    let rebuilt = catch_unwind(AssertUnwindSafe(|| Table::from_log(id, &replaced)));
    let table = rebuilt.unwrap_or_else(|_| Err("the replaced log breaks the rules".to_owned()))?;
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
