//! Of a table that ended a while ago only its record is kept, see [`archive_table`].
//!
//! One commit each way: there is always either the whole log or the whole record. It happens only
//! if the log is as it was read, so of several processes one does it. Whoever acts at such a table
//! later puts its log back in the same commit, see `entry`.

use super::stored_rows::remove_row;
use super::{CommitOutcome, Failure, Repository, TableGuard};
use caravanserai_store::commit_limits::VALUE_BYTES_MAX;
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::archive;
use caravanserai_table::state::Table;

impl Repository {
    /// Keeps the record of a table in place of its log, and removes these rows with it. A table
    /// that goes on keeps its log, and so does one of which no record can be made.
    ///
    /// # Errors
    /// When the store fails, or the log cannot be read.
    pub async fn archive_table(
        &self,
        held: &mut TableGuard,
        rows: Vec<Put>,
    ) -> Result<CommitOutcome, Failure> {
        let (id, table) = (held.id().clone(), held.table().clone());
        if table.is_open() || held.record().is_some() {
            return self.commit_rows(Commit::from_puts(rows)).await;
        }
        let lines = self.load_log_lines(&id).await?;
        if lines.len() as u64 != table.version {
            // Somebody acts there just now.
            held.invalidate();
            return Ok(CommitOutcome::Conflict);
        }
        let record = archive::pack(&lines);
        if record.len() > VALUE_BYTES_MAX || !is_lossless_record(&table, &record) {
            tracing::warn!(table = id.0, bytes = record.len(), "a log is kept, it makes no record");
            return self.commit_rows(Commit::from_puts(rows)).await;
        }
        let mut puts = rows;
        puts.push(remove_row(Space::Head, id.0.clone()));
        puts.push(Put::new(Space::Archive, id.0.clone(), record));
        let (appends, drops) = (vec![held.unchanged_condition()], vec![id.0.clone()]);
        let entered = self.commit_rows(Commit { appends, drops, puts, ..Commit::default() }).await;
        // Whether it has happened or somebody else was first: what is in memory is old.
        held.invalidate();
        if let Ok(CommitOutcome::Committed) = entered {
            metrics::counter!("caravanserai_archived_total").increment(1);
        }
        entered
    }
}

/// Whether all that is asked of a table that ended reads the same from this record: a log is
/// thrown away for nothing less.
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
