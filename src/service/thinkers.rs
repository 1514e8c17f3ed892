//! Computers at tables: thought about elsewhere, committed like any move, refused when late.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::pool::{Players, Pool, Urgency};
use super::{Failure, Inner};
use crate::search::{Budget, Numbers};
use crate::table::event::{Event, TableId};
use crate::table::{Stamp, Table, computers};

/// How long computers may keep a table waiting; then they answer with the best they have.
const PATIENCE: Duration = Duration::from_millis(850);

/// After this many milliseconds a computer is asked again that has not answered: after a crash,
/// or when too much was to be thought about.
pub(super) const AGAIN_MS: u64 = 3_001;

/// The cause of what computers do, in logs.
const CAUSE: &str = "computer";

/// What is being thought about.
pub(super) struct Thinkers {
    pub(super) pool: Arc<Pool>,
    /// By table: the position and how to stop thinking about it.
    thoughts: Mutex<HashMap<TableId, (u64, Arc<AtomicBool>)>>,
}

impl Thinkers {
    pub(super) fn new(threads: usize) -> Self {
        Self { pool: Arc::new(Pool::new(threads)), thoughts: Mutex::default() }
    }

    fn thoughts(&self) -> std::sync::MutexGuard<'_, HashMap<TableId, (u64, Arc<AtomicBool>)>> {
        self.thoughts.lock().expect("nothing panics while holding this lock")
    }

    /// Begins a thought about this position, unless there is one. One about an older position is
    /// stopped.
    fn begin(&self, table: &TableId, version: u64) -> Option<Arc<AtomicBool>> {
        let mut thoughts = self.thoughts();
        if thoughts.get(table).is_some_and(|(known, _)| *known == version) {
            return None;
        }
        let stop = Arc::new(AtomicBool::new(false));
        if let Some((_, old)) = thoughts.insert(table.clone(), (version, stop.clone())) {
            old.store(true, Ordering::Relaxed);
        }
        Some(stop)
    }

    /// Stops what is thought about an older position of this table.
    fn moved_on(&self, table: &TableId, version: u64) {
        let mut thoughts = self.thoughts();
        if let Some((known, stop)) = thoughts.get(table)
            && *known != version
        {
            stop.store(true, Ordering::Relaxed);
            thoughts.remove(table);
        }
    }

    fn end(&self, table: &TableId, version: u64) {
        let mut thoughts = self.thoughts();
        if thoughts.get(table).is_some_and(|(known, _)| *known == version) {
            thoughts.remove(table);
        }
    }
}

/// What computers do at a table, with the players of this thread.
fn played(
    table: &Table,
    players: &mut Players,
    budget: &Budget<'_>,
    stamp: &Stamp,
) -> Result<Vec<Event>, String> {
    let game = table.game_id();
    computers::play(
        table,
        &mut |level, asked, numbers: &mut Numbers| {
            players.of(game, level)?.think(asked, budget, numbers, &mut |_| {})
        },
        budget,
        stamp,
    )
}

impl Inner {
    /// Has computers think at a table that was committed just now, if it waits for one.
    pub(super) fn think(&self, table: &Table) {
        self.thinkers.moved_on(&table.id, table.version);
        if computers::waited_for(table).is_none() || self.is_stopping() {
            return;
        }
        let Some(stop) = self.thinkers.begin(&table.id, table.version) else { return };
        let Some(inner) = self.me.upgrade() else { return };
        let copy = table.copy();
        inner.begin_work();
        tokio::spawn(async move {
            let (id, version) = (copy.id.clone(), copy.version);
            if let Err(failure) = inner.thought(copy, stop).await {
                tracing::error!(table = id.0, %failure, "a computer could not play");
            }
            inner.thinkers.end(&id, version);
            inner.end_work();
        });
    }

    async fn thought(&self, table: Table, stop: Arc<AtomicBool>) -> Result<(), Failure> {
        let (id, version) = (table.id.clone(), table.version);
        let place = table.place().clone();
        let stamp = Stamp { at_ms: self.clock.now_ms(), cause: CAUSE.to_owned() };
        let flag = stop.clone();
        let thought = self.thinkers.pool.think(&place, Urgency::Move, move |players| {
            played(&table, players, &Budget::OF_LEVEL.until(&flag), &stamp)
        });
        tokio::pin!(thought);
        let done = tokio::select! {
            done = &mut thought => done,
            // Real time: what people wait, not what the clock of the tables says.
            () = tokio::time::sleep(PATIENCE) => {
                stop.store(true, Ordering::Relaxed);
                thought.await
            }
        };
        // Nothing thought of: the deadline of the table asks again.
        let Ok(events) = done else { return Ok(()) };
        let events = events.map_err(|why| Failure::Damaged(id.clone(), why))?;
        let Some(held) = self.hold(&id).await? else { return Ok(()) };
        // Late: the table has moved on, and whoever moved it had computers asked anew.
        if held.table().version != version || events.is_empty() {
            return Ok(());
        }
        self.thinkers.end(&id, version);
        self.happened(held, events, Vec::new(), CAUSE).await
    }
}
