//! Tables in memory: loaded from their logs when needed, one writer at a time each.
//!
//! What lies here is never believed without asking: whoever takes a table gets the lines that
//! were added since, by whichever process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::{Deed, Entered, Failure, Ledger};
use crate::ids::TableId;
use crate::store::Commit;
use crate::table::event::{Event, Line, Reason};
use crate::table::fold::Table;
use crate::table::{self, Stamp};

/// A place for one table; empty until it is loaded.
type Shelf = Arc<AsyncMutex<Option<Arc<Table>>>>;

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
        // This one and the shelf of whoever found it empty.
        if shelves.get(id).is_some_and(|(shelf, _)| Arc::strong_count(shelf) <= 2) {
            shelves.remove(id);
        }
    }
}

/// Exclusive use of a table in this process.
pub struct Held {
    id: TableId,
    guard: OwnedMutexGuard<Option<Arc<Table>>>,
}

impl Held {
    /// Which table it is.
    pub fn id(&self) -> &TableId {
        &self.id
    }

    /// The table.
    pub fn table(&self) -> &Arc<Table> {
        self.guard.as_ref().expect("a held table is loaded")
    }

    /// The table, unless it is about to be opened.
    pub(super) fn opened(&self) -> Option<&Arc<Table>> {
        self.guard.as_ref()
    }

    /// Forgets what is in memory, so that the next user reads the log anew.
    pub fn forget(&mut self) {
        *self.guard = None;
    }

    /// Puts in its place what was committed just now.
    pub(super) fn replace(&mut self, table: Arc<Table>) {
        *self.guard = Some(table);
    }
}

impl Ledger {
    /// Takes a table for exclusive use; `None` if there is no such table.
    ///
    /// # Errors
    /// When the store cannot be read or the log is damaged.
    pub async fn hold(&self, id: &TableId) -> Result<Option<Held>, Failure> {
        let mut held = self.hold_new(id).await;
        self.refresh(&mut held).await?;
        if held.guard.is_none() {
            drop(held);
            self.tables.drop_empty(id);
            return Ok(None);
        }
        if held.table().outdated && held.table().is_open() {
            self.retire(&mut held).await?;
        }
        Ok(Some(held))
    }

    /// Ends a table kindly whose game has other rules by now.
    async fn retire(&self, held: &mut Held) -> Result<(), Failure> {
        let stamp = Stamp { at_ms: self.now_ms(), cause: "rules".to_owned() };
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
    /// When the store cannot be read.
    pub async fn lines(&self, id: &TableId) -> Result<Vec<String>, Failure> {
        Ok(self.store.log(&id.0, 0).await?)
    }

    /// Takes the place of a table that is about to be opened.
    pub async fn hold_new(&self, id: &TableId) -> Held {
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
        let from = held.guard.as_ref().map_or(0, |it| it.version);
        let lines = self.store.log(&held.id.0, from).await?;
        let damaged = |why| Failure::Damaged(held.id.clone(), why);
        let table = match &*held.guard {
            Some(_) if lines.is_empty() => return Ok(()),
            Some(known) => advanced(known, &lines).map_err(damaged),
            None if lines.is_empty() => return Ok(()),
            None => Table::fold(&held.id, &lines).map_err(damaged),
        };
        match table {
            Ok(table) => held.replace(Arc::new(table)),
            Err(failure) => {
                held.forget();
                return Err(failure);
            }
        }
        Ok(())
    }
}

/// What a table becomes by these stored lines.
fn advanced(table: &Table, lines: &[String]) -> Result<Table, String> {
    let mut next = table.copy();
    for line in lines {
        next.apply(&Line::read(line)?)?;
    }
    Ok(next)
}
