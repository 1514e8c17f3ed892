//! Computers at tables: thought about elsewhere, committed like any move, refused when late.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::pool::{NoThought, Players, Pool, Urgency};
use super::{Failure, Inner};
use crate::chat::PlaceId;
use crate::rules::Entropy;
use crate::search::{Budget, Numbers, Thought};
use crate::table::event::{Event, TableId};
use crate::table::{Stamp, Table, computers};

/// How long computers may keep a table waiting; then they answer with the best they have.
const PATIENCE: Duration = Duration::from_millis(850);

/// How long the board waits for quick computers, so that a person's move and their answers are
/// shown together.
const SOON: Duration = Duration::from_millis(300);

/// After this many milliseconds a computer is asked again that has not answered: after a crash,
/// or when too much was to be thought about.
pub(super) const AGAIN_MS: u64 = 3_001;

/// The cause of what computers do, in logs.
pub(super) const CAUSE: &str = "computer";

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

/// What a computer does whose player is broken: anything that it may do, one step.
fn played_anyhow(table: &Table, stamp: &Stamp) -> Result<Vec<Event>, String> {
    let once = AtomicBool::new(true);
    computers::play(
        table,
        &mut |_, asked, numbers| {
            let tokens = asked.tokens();
            let count = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
            let action = tokens.get(numbers.below(count) as usize)?.clone();
            let line = vec![action.clone()];
            Some(Thought { action, score: 0, chance: 500, depth: 0, nodes: 0, line })
        },
        &Budget::OF_LEVEL.until(&once),
        stamp,
    )
}

impl Inner {
    /// Has computers think at a table that was committed just now, if it waits for one: then
    /// `true`, and the place is woken when they have answered or it takes too long to wait for.
    pub(super) fn think(&self, table: &Table) -> bool {
        self.thinkers.moved_on(&table.id, table.version);
        if computers::waited_for(table).is_none() || self.is_stopping() {
            return false;
        }
        let Some(stop) = self.thinkers.begin(&table.id, table.version) else { return false };
        let Some(inner) = self.me.upgrade() else { return false };
        let copy = table.copy();
        inner.begin_work();
        tokio::spawn(async move {
            let (id, version, place) = (copy.id.clone(), copy.version, copy.place().clone());
            if let Err(failure) = inner.thought(copy, stop).await {
                tracing::error!(table = id.0, %failure, "a computer could not play");
            }
            inner.thinkers.end(&id, version);
            inner.wake(&place);
            inner.end_work();
        });
        true
    }

    /// Wakes the sender of a place, unless somebody thinks who will do it.
    pub(super) fn wake_unless(&self, thinks: bool, place: &PlaceId) {
        if !thinks {
            self.wake(place);
        }
    }

    /// Has something thought with the players of a thread; told to stop after a while, so that
    /// the answer comes soon.
    ///
    /// # Errors
    /// When too much waits already, or a player panicked.
    pub(super) async fn thinks<T: Send + 'static>(
        &self,
        place: &PlaceId,
        urgency: Urgency,
        stop: Arc<AtomicBool>,
        thought: impl FnOnce(&mut Players, &Budget<'_>) -> T + Send + 'static,
    ) -> Result<T, NoThought> {
        let flag = stop.clone();
        let thought = self
            .thinkers
            .pool
            .think(place, urgency, move |players| thought(players, &Budget::OF_LEVEL.until(&flag)));
        tokio::pin!(thought);
        tokio::select! {
            done = &mut thought => done,
            // Real time: what people wait, not what the clock of the tables says.
            () = tokio::time::sleep(PATIENCE) => {
                stop.store(true, Ordering::Relaxed);
                thought.await
            }
        }
    }

    async fn thought(&self, table: Table, stop: Arc<AtomicBool>) -> Result<(), Failure> {
        let (id, version) = (table.id.clone(), table.version);
        let place = table.place().clone();
        let stamp = Stamp { at_ms: self.clock.now_ms(), cause: CAUSE.to_owned() };
        let copy = table.copy();
        let when = stamp.clone();
        let thought = self.thinks(&place, Urgency::Move, stop, move |players, budget| {
            played(&copy, players, budget, &when)
        });
        tokio::pin!(thought);
        let done = tokio::select! {
            done = &mut thought => done,
            () = tokio::time::sleep(SOON) => {
                self.wake(&place);
                thought.await
            }
        };
        let events = match done {
            Ok(events) => events,
            // A panic has been logged. The game goes on all the same.
            Err(NoThought::Broke) => played_anyhow(&table, &stamp),
            // The deadline of the table asks again.
            Err(NoThought::Full) => return Ok(()),
        };
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
