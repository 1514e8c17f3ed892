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
        let entered = self.commit_rows(Commit { appends, drops, puts, ..Commit::default() }).await;
        // In both cases the table in memory is outdated: it was archived, or another writer was
        // first.
        guard.invalidate();
        if let Ok(CommitOutcome::Committed) = entered {
            metrics::counter!("caravanserai_archived_total").increment(1);
        }
        entered
    }
}

/// Whether all data of an ended table reads the same from this record. Otherwise the log must not
/// be removed.
fn is_lossless_record(table: &Table, record: &[u8]) -> bool {
    let read = archive::unpack(record).and_then(|lines| Table::from_log(&table.id, &lines));
    read.is_ok_and(|read| {
        let same =
            (&read.phase, &read.steps, &read.setup) == (&table.phase, &table.steps, &table.setup);
        same && read.version == table.version
            && read.record_names() == table.record_names()
            && read.people_entropy() == table.people_entropy()
            && read.next_table == table.next_table
    })
}
