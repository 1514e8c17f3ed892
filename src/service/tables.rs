//! Tables in memory: loaded from their logs when needed, one command at a time each.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::{Failure, Inner};
use crate::ids::TableId;
use crate::table::event::Line;
use crate::table::fold::Table;

/// A place for one table; empty until it is loaded.
type Slot = Arc<AsyncMutex<Option<Table>>>;

/// The tables that were used lately.
pub(super) struct Tables {
    slots: Mutex<HashMap<TableId, (Slot, u64)>>,
    kept: usize,
}

impl Tables {
    /// Keeps about `kept` tables in memory.
    pub(super) fn new(kept: usize) -> Self {
        Tables { slots: Mutex::default(), kept }
    }

    fn slot(&self, id: &TableId, now_ms: u64) -> Slot {
        let mut slots = self.slots.lock().expect("nothing panics while holding this lock");
        if slots.len() > self.kept {
            self.drop_oldest(&mut slots);
        }
        let (slot, used) = slots.entry(id.clone()).or_default();
        *used = now_ms;
        slot.clone()
    }

    /// Forgets the older half of what nobody uses right now.
    fn drop_oldest(&self, slots: &mut HashMap<TableId, (Slot, u64)>) {
        let mut used: Vec<u64> = slots.values().map(|(_, used)| *used).collect();
        used.sort_unstable();
        let middle = used[used.len() / 2];
        slots.retain(|_, (slot, used)| *used > middle || Arc::strong_count(slot) > 1);
    }
}

/// Exclusive use of a table.
pub(super) struct Held {
    guard: OwnedMutexGuard<Option<Table>>,
}

impl Held {
    /// The table.
    pub(super) fn table(&self) -> &Table {
        self.guard.as_ref().expect("a held table is loaded")
    }

    /// Forgets what is in memory, so that the next user reads the log anew.
    pub(super) fn forget(mut self) {
        *self.guard = None;
    }

    /// Puts a table that was just opened in its place.
    pub(super) fn replace(&mut self, table: Table) {
        *self.guard = Some(table);
    }
}

/// What a table becomes by these lines, before they are committed.
pub(super) fn advanced(table: &Table, lines: &[Line]) -> Result<Table, Failure> {
    let mut next = table.copy();
    for line in lines {
        next.apply(line).map_err(|why| Failure::Damaged(table.id.clone(), why))?;
    }
    Ok(next)
}

impl Inner {
    /// Takes a table for exclusive use; `None` if there is no such table.
    pub(super) async fn hold(&self, id: &TableId) -> Result<Option<Held>, Failure> {
        let slot = self.tables.slot(id, self.clock.now_ms());
        let mut guard = slot.lock_owned().await;
        if guard.is_none() {
            let lines = self.store.log(&id.0, 0).await?;
            if lines.is_empty() {
                return Ok(None);
            }
            let table = Table::fold(id, &lines).map_err(|why| Failure::Damaged(id.clone(), why))?;
            *guard = Some(table);
        }
        Ok(Some(Held { guard }))
    }

    /// Takes the place of a table that is about to be opened.
    pub(super) async fn hold_new(&self, id: &TableId) -> Held {
        let slot = self.tables.slot(id, self.clock.now_ms());
        Held { guard: slot.lock_owned().await }
    }
}
