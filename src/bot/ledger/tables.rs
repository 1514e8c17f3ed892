//! Tables in memory: loaded from their logs when needed, one writer at a time each.
//!
//! What lies here is never believed without asking: whoever takes a table gets the lines that
//! were added since, by whichever process. A table that ended a while ago has no log any more but
//! a record, see [`archive`]; for whoever takes it that makes no difference.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::{Deed, Entered, Failure, Ledger};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Append, Commit, Read, Space, StoreError};
use caravanserai_table::event::{Event, Reason};
use caravanserai_table::fold::Table;
use caravanserai_table::{self as table, Stamp, archive};

/// A table that was read.
#[derive(Clone)]
struct Loaded {
    table: Arc<Table>,
    /// Its record, if that is all that is kept of it.
    record: Option<Vec<u8>>,
}

/// A place for one table; empty until it is loaded.
type Shelf = Arc<AsyncMutex<Option<Loaded>>>;

/// The tables that were used lately.
pub(super) struct Tables {
    shelves: Mutex<HashMap<TableId, (Shelf, u64)>>,
    kept: usize,
}

impl Tables {
    /// Keeps about `kept` tables in memory.
    pub(super) fn new(kept: usize) -> Self {
        Tables { shelves: Mutex::default(), kept }
    }

    fn shelf(&self, id: &TableId, used_ms: u64) -> Shelf {
        let mut shelves = self.shelves.lock().expect("nothing panics while holding this lock");
        if shelves.len() > self.kept {
            self.drop_oldest(&mut shelves);
        }
        let (shelf, used) = shelves.entry(id.clone()).or_default();
        *used = used_ms;
        shelf.clone()
    }

    /// Forgets the older half of what nobody uses right now.
    fn drop_oldest(&self, shelves: &mut HashMap<TableId, (Shelf, u64)>) {
        let mut used: Vec<u64> = shelves.values().map(|(_, used)| *used).collect();
        used.sort_unstable();
        let middle = used[used.len() / 2];
        shelves.retain(|_, (shelf, used)| *used > middle || Arc::strong_count(shelf) > 1);
    }

    /// Forgets a table of which there is nothing.
    fn drop_empty(&self, id: &TableId) {
        let mut shelves = self.shelves.lock().expect("nothing panics while holding this lock");
        // Any other reference belongs to a request that holds this table or waits for it.
        if shelves.get(id).is_some_and(|(shelf, _)| Arc::strong_count(shelf) == 1) {
            shelves.remove(id);
        }
    }
}

/// Exclusive use of a table in this process.
pub struct Held {
    id: TableId,
    guard: OwnedMutexGuard<Option<Loaded>>,
}

impl Held {
    /// Which table it is.
    pub fn id(&self) -> &TableId {
        &self.id
    }

    /// The table.
    pub fn table(&self) -> &Arc<Table> {
        self.opened().expect("a held table is loaded")
    }

    /// Lets others hold the table; gives it as it is now.
    pub fn release(self) -> Arc<Table> {
        self.table().clone()
    }

    /// Its record, if that is all that is kept of it.
    pub fn record(&self) -> Option<&[u8]> {
        self.guard.as_ref()?.record.as_deref()
    }

    /// For a commit that must find the table as it is.
    pub fn unchanged(&self) -> Append {
        let lines = if self.record().is_some() { 0 } else { self.table().version };
        Append::new(self.id.0.clone(), lines, Vec::new())
    }

    /// The table, unless it is about to be opened.
    pub(super) fn opened(&self) -> Option<&Arc<Table>> {
        self.guard.as_ref().map(|it| &it.table)
    }

    /// Forgets what is in memory, so that the next user reads the log anew.
    pub fn forget(&mut self) {
        *self.guard = None;
    }

    /// Puts in its place what was read just now.
    fn become_of(
        &mut self,
        read: Result<Table, String>,
        record: Option<Vec<u8>>,
    ) -> Result<(), Failure> {
        let loaded = read.map(|table| Loaded { table: Arc::new(table), record });
        match loaded {
            Ok(loaded) => *self.guard = Some(loaded),
            Err(why) => {
                self.forget();
                return Err(Failure::Damaged(self.id.clone(), why));
            }
        }
        Ok(())
    }

    /// Puts in its place what was committed just now.
    pub(super) fn replace(&mut self, table: Arc<Table>) {
        *self.guard = Some(Loaded { table, record: None });
    }
}

impl Ledger {
    /// Takes a table for exclusive use; `None` if there is no such table.
    ///
    /// # Errors
    /// When the store cannot be read or the log is damaged.
    pub async fn hold(&self, id: &TableId) -> Result<Option<Held>, Failure> {
        let mut held = self.hold_code(id).await;
        self.refresh(&mut held).await?;
        if held.guard.is_none() {
            drop(held);
            self.tables.drop_empty(id);
            return Ok(None);
        }
        if held.table().misplaced().is_some() {
            self.separate(&mut held).await?;
        }
        if held.table().outdated && held.table().is_open() {
            self.retire(&mut held).await?;
        }
        Ok(Some(held))
    }

    /// Ends a table kindly whose game has other rules by now.
    async fn retire(&self, held: &mut Held) -> Result<(), Failure> {
        let stamp = Stamp::at(self.now_ms(), "rules");
        let closed = Event::Closed { reason: Reason::Outdated };
        let decision = table::happening(held.table(), closed, stamp)
            .map_err(|why| Failure::Damaged(held.id.clone(), why))?;
        let deed = Deed { held, decision, answered: None };
        if self.enter(vec![deed], Commit::default()).await? == Entered::Conflict {
            self.refresh(held).await?;
        }
        Ok(())
    }

    /// The table as it is now, to look at.
    ///
    /// # Errors
    /// When the store cannot be read or the log is damaged.
    pub async fn look(&self, id: &TableId) -> Result<Option<Arc<Table>>, Failure> {
        Ok(self.hold(id).await?.map(|it| it.table().clone()))
    }

    /// The whole log of a table.
    ///
    /// # Errors
    /// When the store cannot be read or the record is damaged.
    pub async fn lines(&self, id: &TableId) -> Result<Vec<String>, Failure> {
        let (lines, record) = self.logged(id).await?;
        match record {
            Some(record) if lines.is_empty() => unpacked(id, &record),
            Some(_) | None => Ok(lines),
        }
    }

    /// What is kept of a table: its log or its record, as they are at one moment.
    async fn logged(&self, id: &TableId) -> Result<(Vec<String>, Option<Vec<u8>>), Failure> {
        let reads = [Read::log(&*id.0, 0), Read::value(Space::Archive, &*id.0)];
        let mut found = self.read(&reads).await?.into_iter();
        let mut next = || found.next().ok_or_else(unanswered);
        Ok((next()?.lines()?, next()?.value()?))
    }

    /// Reserves a code for a table that is to be opened. `None` if a table with this code is in
    /// memory, or another request uses the code: then another code has to be drawn. The commit
    /// that opens the table proves that the store has no such table either, see [`Ledger::enter`].
    pub fn reserve(&self, id: &TableId) -> Option<Held> {
        let shelf = self.tables.shelf(id, self.clock.monotonic_ms());
        // Waiting could be a deadlock: the request that holds it may wait for a table of this one.
        let guard = shelf.try_lock_owned().ok().filter(|it| it.is_none())?;
        Some(Held { id: id.clone(), guard })
    }

    /// Waits for exclusive use of a code, whatever is known of its table.
    async fn hold_code(&self, id: &TableId) -> Held {
        let shelf = self.tables.shelf(id, self.clock.monotonic_ms());
        Held { id: id.clone(), guard: shelf.lock_owned().await }
    }

    /// Reads a held table anew: somebody else has written to it, or what is in memory was only
    /// believed to be so.
    ///
    /// # Errors
    /// When the store cannot be read or the log is damaged.
    pub async fn reload(&self, held: &mut Held) -> Result<bool, Failure> {
        held.forget();
        self.refresh(held).await?;
        Ok(held.guard.is_some())
    }

    /// Adds to a held table what was written to its log since it was read.
    async fn refresh(&self, held: &mut Held) -> Result<(), Failure> {
        let known = held.guard.as_ref().filter(|it| it.record.is_none());
        if let Some(known) = known.map(|it| it.table.clone()) {
            // A line that is known already tells that the log is still there.
            let lines = self.store.log(&held.id.0, known.version.saturating_sub(1)).await?;
            match lines.split_first() {
                Some((_, [])) => return Ok(()),
                Some((_, new)) => return held.become_of(advanced(&known, new), None),
                None => {}
            }
        }
        let (lines, record) = self.logged(&held.id).await?;
        match record {
            _ if !lines.is_empty() => held.become_of(Table::fold(&held.id, &lines), None),
            Some(record) if held.record() == Some(&*record) => Ok(()),
            Some(record) => {
                let lines = unpacked(&held.id, &record)?;
                held.become_of(Table::fold(&held.id, &lines), Some(record))
            }
            None => {
                held.forget();
                Ok(())
            }
        }
    }
}

fn unanswered() -> StoreError {
    StoreError::Failed("a question was not answered".into())
}

/// The lines of a record.
fn unpacked(id: &TableId, record: &[u8]) -> Result<Vec<String>, Failure> {
    archive::unpack(record).map_err(|why| Failure::Damaged(id.clone(), why))
}

/// What a table becomes by these stored lines.
fn advanced(table: &Table, lines: &[String]) -> Result<Table, String> {
    let mut next = table.copy();
    for line in lines {
        next.read_on(line)?;
    }
    Ok(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shelf_that_another_request_uses_is_not_dropped() {
        let (tables, id) = (Tables::new(10), TableId("7k3fx".into()));
        let used = tables.shelf(&id, 1);
        tables.drop_empty(&id);
        // The next request waits for the same shelf.
        assert!(Arc::ptr_eq(&used, &tables.shelf(&id, 2)));
        drop(used);
        tables.drop_empty(&id);
        assert!(tables.shelves.lock().expect("nobody panics").is_empty());
    }
}
