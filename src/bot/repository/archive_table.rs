//! Replaces the log of a table that ended a while ago by its compact record, see
//! [`archive_table`](caravanserai_table::archive).
//!
//! Each direction is one commit, so there is always either the whole log or the whole record. The
//! commit requires that the log is unchanged since it was read, so of several processes one
//! succeeds. A later action at such a table restores its log in the same commit, see
//! [`unit_of_work`](super::unit_of_work).

use super::stored_rows::remove_row;
use super::{CommitOutcome, Failure, Repository, TableGuard};
use caravanserai_store::commit_limits::VALUE_BYTES_MAX;
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::archive;
use caravanserai_table::state::Table;

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
        if record.len() > VALUE_BYTES_MAX || !is_lossless_record(&table, &record) {
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
