//! Keeps recently used tables in memory, loads others from their logs, and allows one writer at a
//! time for each table.
//!
//! Cached tables are always checked against the store: [`Repository::lock_table`] first reads the
//! lines that any process has added since. A table that ended a while ago has a record in place of
//! its log, see [`archive_table`](super::archive_table); callers do not see the difference.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::hidden_names::HiddenNames;
use super::{CommitOutcome, Failure, Repository, TableChange, keys};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Append, Commit, Space, StoreAnswer, StoreError, StoreQuery};
use caravanserai_table::event::{EndReason, Event, LogLine};
use caravanserai_table::state::Table;
use caravanserai_table::{self as table, EventMeta, archive};

/// The cause of the end of a game whose rules have changed.
const NEW_RULES_CAUSE: &str = "rules";

/// A table that was read from the store.
#[derive(Clone)]
struct LoadedTable {
    table: Arc<Table>,
    /// The last line of its log, as stored. A log of the same length may have other lines: a
    /// database that failed over has lost the last ones, and other processes went on without them.
    last_line: Option<String>,
    /// Its record, if the store has a record in place of its log.
    record: Option<Vec<u8>>,
    /// The version of the hidden names with which it was read.
    names_version: Option<Vec<u8>>,
}

/// The slot of one table; empty until it is loaded.
type TableSlot = Arc<AsyncMutex<Option<LoadedTable>>>;

/// The recently used tables.
pub(super) struct TableCache {
    slots: Mutex<HashMap<TableId, (TableSlot, u64)>>,
    capacity: usize,
}

impl TableCache {
    /// Creates a cache for about `capacity` tables.
    pub(super) fn new(capacity: usize) -> Self {
        TableCache { slots: Mutex::default(), capacity }
    }

    fn slot(&self, id: &TableId, used_ms: u64) -> TableSlot {
        let mut slots = self.slots.lock();
        if slots.len() > self.capacity {
            self.drop_oldest(&mut slots);
        }
        let (slot, used) = slots.entry(id.clone()).or_default();
        *used = used_ms;
        slot.clone()
    }

    /// Drops the older half of the slots that no request uses now.
    fn drop_oldest(&self, slots: &mut HashMap<TableId, (TableSlot, u64)>) {
        let mut used: Vec<u64> = slots.values().map(|(_, used)| *used).collect();
        used.sort_unstable();
        let middle = used[used.len() / 2];
        slots.retain(|_, (slot, used)| *used > middle || Arc::strong_count(slot) > 1);
    }

    /// Drops the slot of a table that does not exist.
    fn drop_empty(&self, id: &TableId) {
        let mut slots = self.slots.lock();
        // Any other reference belongs to a request that has locked this table or waits for it.
        if slots.get(id).is_some_and(|(slot, _)| Arc::strong_count(slot) == 1) {
            slots.remove(id);
        }
    }
}

/// Exclusive use of a table within this process.
pub struct TableGuard {
    id: TableId,
    guard: OwnedMutexGuard<Option<LoadedTable>>,
}

impl TableGuard {
    /// The id of the table.
    pub fn id(&self) -> &TableId {
        &self.id
    }

    /// The locked table.
    pub fn table(&self) -> &Arc<Table> {
        self.opened_table().expect("a locked table is loaded")
    }

    /// Ends the exclusive use and returns the table in its current state.
    pub fn release(self) -> Arc<Table> {
        self.table().clone()
    }

    /// Its record, if the store has a record in place of its log.
    pub fn record(&self) -> Option<&[u8]> {
        self.guard.as_ref()?.record.as_deref()
    }

    /// The condition for a commit that the log of the table is unchanged.
    pub fn unchanged_condition(&self) -> Append {
        let lines = if self.record().is_some() { 0 } else { self.table().version };
        Append::new(self.id.0.clone(), lines, Vec::new())
    }

    /// The table, unless it is about to be opened.
    pub(super) fn opened_table(&self) -> Option<&Arc<Table>> {
        self.guard.as_ref().map(|it| &it.table)
    }

    /// Drops the table from memory, so that the next user reads its log again.
    pub fn invalidate(&mut self) {
        *self.guard = None;
    }

    /// Stores the table that was just read.
    fn set_loaded(
        &mut self,
        read: Result<Table, String>,
        last_line: Option<&String>,
        record: Option<Vec<u8>>,
        names: &HiddenNames,
    ) -> Result<(), Failure> {
        let names_version = names.version().map(<[u8]>::to_vec);
        let loaded = read.map(|table| LoadedTable {
            table: Arc::new(table),
            last_line: last_line.cloned(),
            record,
            names_version,
        });
        match loaded {
            Ok(loaded) => *self.guard = Some(loaded),
            Err(why) => {
                self.invalidate();
                return Err(Failure::Damaged(self.id.clone(), why));
            }
        }
        Ok(())
    }

    /// Stores the table that was just committed with these lines. A new table is read again if
    /// names are hidden: this may have changed since its people were named.
    pub(super) fn set_committed(
        &mut self,
        table: Arc<Table>,
        lines: &[LogLine],
        names: &HiddenNames,
    ) {
        let (names_version, known_line) = match self.guard.take() {
            Some(known) => (known.names_version, known.last_line),
            None => (names.version().map(|_| Vec::new()), None),
        };
        let last_line = lines.last().map(LogLine::encode).or(known_line);
        *self.guard = Some(LoadedTable { table, last_line, record: None, names_version });
    }
}

impl Repository {
    /// Locks a table for exclusive use. Returns `None` if there is no such table.
    ///
    /// # Errors
    /// When the store cannot be read or the log is damaged.
    pub async fn lock_table(&self, id: &TableId) -> Result<Option<TableGuard>, Failure> {
        let mut guard = self.lock_code(id).await;
        self.refresh_table(&mut guard).await?;
        if guard.guard.is_none() {
            self.unreadable_tables.remove(id);
            drop(guard);
            self.table_cache.drop_empty(id);
            return Ok(None);
        }
        if guard.table().misplaced.is_some() {
            self.log_separation().separate_table(&mut guard).await?;
        }
        if guard.table().setup.is_outdated() && guard.table().is_open() {
            self.end_outdated_game(&mut guard).await?;
        }
        self.unreadable_tables.remove(id);
        Ok(Some(guard))
    }

    /// Ends a table whose game has incompatible newer rules, with a message to its players.
    async fn end_outdated_game(&self, guard: &mut TableGuard) -> Result<(), Failure> {
        let meta = EventMeta::received_now(self.now_ms(), NEW_RULES_CAUSE);
        let closed = Event::TableClosed { reason: EndReason::Outdated };
        let decision = table::apply_external_event(guard.table(), closed, meta)
            .map_err(|why| Failure::Damaged(guard.id.clone(), why))?;
        let change = TableChange::new(guard, decision);
        if self.commit_changes(vec![change], Commit::default()).await? == CommitOutcome::Conflict {
            self.refresh_table(guard).await?;
        }
        Ok(())
    }

    /// The current state of a table, for reading only.
    ///
    /// # Errors
    /// When the store cannot be read or the log is damaged.
    pub async fn load_table(&self, id: &TableId) -> Result<Option<Arc<Table>>, Failure> {
        Ok(self.lock_table(id).await?.map(|it| it.table().clone()))
    }

    /// The whole log of a table.
    ///
    /// # Errors
    /// When the store cannot be read, or the log or the record is damaged.
    pub async fn load_log_lines(&self, id: &TableId) -> Result<Vec<String>, Failure> {
        let (lines, record) = self.read_log_or_record(id).await?;
        match record {
            Some(record) if lines.is_empty() => unpack_record(id, &record),
            Some(_) | None => Ok(lines),
        }
    }

    /// The same; `None` if the log or the record is damaged.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn load_readable_log(&self, id: &TableId) -> Result<Option<Vec<String>>, Failure> {
        match self.load_log_lines(id).await {
            Err(Failure::Damaged(..)) => Ok(None),
            lines => lines.map(Some),
        }
    }

    /// Reads rows and lines of one table, with the row of the hidden names, at the same moment. If
    /// the store cannot read them as they were written, only this table is damaged.
    async fn read_table(
        &self,
        id: &TableId,
        reads: &[StoreQuery],
    ) -> Result<Vec<StoreAnswer>, Failure> {
        match self.read_many(reads).await {
            Err(Failure::Store(StoreError::Damaged(why))) => {
                // The row of the hidden names belongs to all tables.
                self.read_value(Space::Meta, keys::HIDDEN_NAMES).await?;
                Err(Failure::Damaged(id.clone(), why))
            }
            answers => answers,
        }
    }

    /// Reads the log or the record of a table, both at the same moment.
    async fn read_log_or_record(
        &self,
        id: &TableId,
    ) -> Result<(Vec<String>, Option<Vec<u8>>), Failure> {
        let reads = [StoreQuery::log(&*id.0, 0), StoreQuery::value_of(Space::Archive, &*id.0)];
        let mut found = self.read_table(id, &reads).await?.into_iter();
        let mut next = || found.next().ok_or_else(incomplete_answer_error);
        Ok((next()?.lines()?, next()?.value()?))
    }

    /// Reads the log or the record of a table, and the hidden names, all at the same moment.
    async fn read_log_and_names(
        &self,
        id: &TableId,
    ) -> Result<(Vec<String>, Option<Vec<u8>>, Arc<HiddenNames>), Failure> {
        let reads = [
            StoreQuery::log(&*id.0, 0),
            StoreQuery::value_of(Space::Archive, &*id.0),
            StoreQuery::value_of(Space::Meta, keys::HIDDEN_NAMES),
        ];
        let mut found = self.read_table(id, &reads).await?.into_iter();
        let mut next = || found.next().ok_or_else(incomplete_answer_error);
        let lines = next()?.lines()?;
        let record = next()?.value()?;
        let version = next()?.value()?;
        Ok((lines, record, self.hidden_names_at(version).await?))
    }

    /// Applies the lines that were added to a known table. Returns whether it is current now;
    /// otherwise its whole log has to be read.
    async fn apply_new_lines(
        &self,
        guard: &mut TableGuard,
        known: &LoadedTable,
    ) -> Result<bool, Failure> {
        // The last known line is read again: it shows that the log still exists, and that it still
        // is the log that was read.
        let from = known.table.version.saturating_sub(1);
        let reads = [
            StoreQuery::log(&*guard.id.0, from),
            StoreQuery::value_of(Space::Meta, keys::HIDDEN_NAMES),
        ];
        let mut found = self.read_table(&guard.id, &reads).await?.into_iter();
        let mut next = || found.next().ok_or_else(incomplete_answer_error);
        let lines = next()?.lines()?;
        let version = next()?.value()?;
        let is_current =
            version == known.names_version && lines.first() == known.last_line.as_ref();
        Ok(match lines.split_first() {
            Some((_, [])) if is_current => true,
            // New lines may name people whose names are hidden.
            Some((_, new @ [.., last])) if is_current => {
                let names = self.hidden_names_at(version).await?;
                let has_none = names.has_none();
                if has_none {
                    let next = apply_log_lines(&known.table, new);
                    guard.set_loaded(next, Some(last), None, &names)?;
                }
                has_none
            }
            Some(_) | None => false,
        })
    }

    /// Reserves a code for a table that is to be opened. Returns `None` if a table with this code
    /// is in memory, or another request uses the code: then another code has to be drawn. The
    /// commit that opens the table proves that the store has no such table either, see
    /// [`Repository::commit_changes`].
    pub fn reserve_table(&self, id: &TableId) -> Option<TableGuard> {
        let slot = self.table_cache.slot(id, self.time_source.monotonic_ms());
        // Waiting could cause a deadlock: the request that has locked it may wait for a table of
        // this request.
        let guard = slot.try_lock_owned().ok().filter(|it| it.is_none())?;
        Some(TableGuard { id: id.clone(), guard })
    }

    /// Waits for exclusive use of a code, whether or not its table exists.
    async fn lock_code(&self, id: &TableId) -> TableGuard {
        let slot = self.table_cache.slot(id, self.time_source.monotonic_ms());
        TableGuard { id: id.clone(), guard: slot.lock_owned().await }
    }

    /// Reads a locked table again, after a concurrent write or when a commit had an unknown result.
    ///
    /// # Errors
    /// When the store cannot be read or the log is damaged.
    pub async fn reload_table(&self, guard: &mut TableGuard) -> Result<bool, Failure> {
        guard.invalidate();
        self.refresh_table(guard).await?;
        Ok(guard.guard.is_some())
    }

    /// Applies the lines that were added to the log of a locked table since it was read.
    async fn refresh_table(&self, guard: &mut TableGuard) -> Result<(), Failure> {
        let known = guard.guard.as_ref().filter(|it| it.record.is_none()).cloned();
        if let Some(known) = known
            && self.apply_new_lines(guard, &known).await?
        {
            return Ok(());
        }
        let (lines, record, names) = self.read_log_and_names(&guard.id).await?;
        let is_known = guard.guard.as_ref().is_some_and(|it| {
            it.record.is_some()
                && it.record == record
                && it.names_version.as_deref() == names.version()
        });
        match record {
            _ if !lines.is_empty() => {
                let table = names.fold(&guard.id, &lines);
                guard.set_loaded(table, lines.last(), None, &names)
            }
            Some(_) if is_known => Ok(()),
            Some(record) => {
                let lines = unpack_record(&guard.id, &record)?;
                guard.set_loaded(names.fold(&guard.id, &lines), None, Some(record), &names)
            }
            None => {
                guard.invalidate();
                Ok(())
            }
        }
    }
}

fn incomplete_answer_error() -> StoreError {
    StoreError::Failed("the store returned too few answers".into())
}

/// The lines of a record.
fn unpack_record(id: &TableId, record: &[u8]) -> Result<Vec<String>, Failure> {
    archive::unpack(record).map_err(|why| Failure::Damaged(id.clone(), why))
}

/// Applies stored lines to a table.
fn apply_log_lines(table: &Table, lines: &[String]) -> Result<Table, String> {
    let mut next = table.duplicate();
    for line in lines {
        next.apply_stored_line(line)?;
    }
    Ok(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shelf_that_another_request_uses_is_not_dropped() {
        let tables = TableCache::new(10);
        let id = TableId("7k3fx".into());
        let used = tables.slot(&id, 1);
        tables.drop_empty(&id);
        // The next request waits for the same slot.
        assert!(Arc::ptr_eq(&used, &tables.slot(&id, 2)));
        drop(used);
        tables.drop_empty(&id);
        assert!(tables.slots.lock().is_empty());
    }
}
