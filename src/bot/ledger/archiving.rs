//! Of a table that ended a while ago only its record is kept, see [`archive`].
//!
//! One commit each way: there is always either the whole log or the whole record. It happens only
//! if the log is as it was read, so of several processes one does it. Whoever acts at such a table
//! later puts its log back in the same commit, see `entry`.

use super::rows::cut;
use super::{Entered, Failure, Held, Ledger};
use caravanserai_store::limits::VALUE_BYTES_MAX;
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::archive;
use caravanserai_table::fold::Table;

impl Ledger {
    /// Keeps the record of a table in place of its log, and removes these rows with it. A table
    /// that goes on keeps its log, and so does one of which no record can be made.
    ///
    /// # Errors
    /// When the store fails, or the log cannot be read.
    pub async fn archive(&self, held: &mut Held, rows: Vec<Put>) -> Result<Entered, Failure> {
        let (id, table) = (held.id().clone(), held.table().clone());
        if table.is_open() || held.record().is_some() {
            return self.commit(Commit::of(rows)).await;
        }
        let lines = self.lines(&id).await?;
        if lines.len() as u64 != table.version {
            // Somebody acts there just now.
            held.forget();
            return Ok(Entered::Conflict);
        }
        let record = archive::pack(&lines);
        if record.len() > VALUE_BYTES_MAX || !says_the_same(&table, &record) {
            tracing::warn!(table = id.0, bytes = record.len(), "a log is kept, it makes no record");
            return self.commit(Commit::of(rows)).await;
        }
        let mut puts = rows;
        puts.push(cut(Space::Head, id.0.clone()));
        puts.push(Put::new(Space::Archive, id.0.clone(), record));
        let (appends, drops) = (vec![held.unchanged()], vec![id.0.clone()]);
        let entered = self.commit(Commit { appends, drops, puts, ..Commit::default() }).await;
        // Whether it has happened or somebody else was first: what is in memory is old.
        held.forget();
        if let Ok(Entered::Done) = entered {
            metrics::counter!("caravanserai_archived_total").increment(1);
        }
        entered
    }
}

/// Whether all that is asked of a table that ended reads the same from this record: a log is
/// thrown away for nothing less.
fn says_the_same(table: &Table, record: &[u8]) -> bool {
    let read = archive::unpack(record).and_then(|lines| Table::fold(&table.id, &lines));
    read.is_ok_and(|read| {
        let same =
            (&read.phase, &read.steps, &read.setup) == (&table.phase, &table.steps, &table.setup);
        same && read.version == table.version
            && read.names() == table.names()
            && read.entropy() == table.entropy()
            && read.next == table.next
    })
}
