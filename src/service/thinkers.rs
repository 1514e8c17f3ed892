//! Computers at tables: thought about elsewhere, committed like any move, refused when late.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::pool::{NoThought, Players, Pool, Urgency};
use super::{Failure, Inner};
use crate::ids::PlaceId;
use crate::ids::TableId;
use crate::rules::Entropy;
use crate::search::{Budget, Numbers, Thought};
use crate::table::event::Event;
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
        let table = Arc::new(table);
        let (thought_about, when) = (table.clone(), stamp.clone());
        let thought = self.thinks(&place, Urgency::Move, stop, move |players, budget| {
            played(&thought_about, players, budget, &when)
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::chat::{Body, Listener, Person, PersonKind, Place, Update};
    use crate::ids::{PersonId, PlaceKind};
    use crate::service::clock::SystemClock;
    use crate::service::{Limits, Parts, Service};
    use crate::store::memory::MemoryStore;
    use crate::store::{Space, Store};

    /// A bot with one thread for thinking, and a person in a group with it.
    struct World {
        service: Service,
        store: Arc<MemoryStore>,
        updates: u32,
    }

    impl World {
        fn new() -> Self {
            let store = Arc::new(MemoryStore::default());
            let drawn = std::sync::atomic::AtomicU8::new(7);
            let service = Service::new(Parts {
                store: store.clone(),
                i18n: Arc::new(crate::i18n::I18n::new()),
                renderer: Arc::new(crate::render::Renderer::embedded().expect("it is embedded")),
                clock: Arc::new(SystemClock),
                randomness: Box::new(move |bytes| {
                    bytes.fill_with(|| drawn.fetch_add(29, Ordering::Relaxed));
                }),
                limits: Limits { thinking_threads: 1, ..Limits::default() },
            });
            Self { service, store, updates: 0 }
        }

        async fn says(&mut self, text: &str) -> Vec<String> {
            self.updates += 1;
            let id = PlaceId("mem:group".into());
            let place = Place { id, kind: PlaceKind::Group, title: "G".into(), locale: None };
            let person = Person {
                id: PersonId("mem:Ann".into()),
                name: "Ann".into(),
                username: None,
                locale: None,
                kind: PersonKind::Human,
                admin: false,
            };
            let body = Body::Text { text: text.into(), mentions: vec![], reply_to: None };
            let update = Update { id: format!("mem/{}", self.updates), place, person, body };
            let told = self.service.hear(update).await;
            told.iter().map(|it| it.message.text.to_plain()).collect()
        }

        /// Keeps the only thread busy until the sender that comes back says so.
        async fn occupy(&self) -> mpsc::Sender<()> {
            let (open, gate) = mpsc::channel();
            let (began, begun) = tokio::sync::oneshot::channel();
            let pool = self.service.inner.thinkers.pool.clone();
            let elsewhere = PlaceId("mem:elsewhere".into());
            tokio::spawn(async move {
                let busy = move |_: &mut Players| {
                    began.send(()).ok();
                    gate.recv().ok();
                };
                pool.think(&elsewhere, Urgency::Move, busy).await.ok();
            });
            begun.await.expect("it begins");
            open
        }

        async fn log(&self) -> Vec<String> {
            let heads = self.store.scan(Space::Head, "", None, 9).await.expect("it can be read");
            let (table, _) = heads.last().expect("there is a table");
            self.store.log(table, 0).await.expect("it can be read")
        }
    }

    fn by_computers(log: &[String]) -> usize {
        log.iter().filter(|it| it.contains(" computer step ")).count()
    }

    #[tokio::test]
    async fn a_thought_about_a_game_that_was_given_up_comes_to_nothing() {
        let mut world = World::new();
        world.says("/togyz me computer").await;
        let gate = world.occupy().await;
        world.says("/move 7").await;
        let refused = world.says("/move 6").await;
        assert!(refused[0].contains("is thinking"), "{refused:?}");
        world.says("/resign").await;
        gate.send(()).expect("it waits");
        world.service.settled().await;
        let log = world.log().await;
        assert!(log.last().expect("it has lines").contains(" over "), "{log:?}");
        assert_eq!(by_computers(&log), 0);
        assert!(world.service.inner.thinkers.thoughts().is_empty());
    }

    #[tokio::test]
    async fn a_thought_about_an_older_position_is_stopped() {
        let thinkers = Thinkers::new(1);
        let table = TableId("7k3fx".into());
        let stop = thinkers.begin(&table, 5).expect("nobody thinks yet");
        assert!(thinkers.begin(&table, 5).is_none(), "one thought about a position is enough");
        thinkers.moved_on(&table, 5);
        assert!(!stop.load(Ordering::Relaxed));
        thinkers.moved_on(&table, 6);
        assert!(stop.load(Ordering::Relaxed));
        let newer = thinkers.begin(&table, 6).expect("the older one is gone");
        thinkers.end(&table, 5);
        assert!(!newer.load(Ordering::Relaxed));
        assert!(thinkers.begin(&table, 6).is_none());
    }

    #[tokio::test]
    async fn computers_of_several_tables_are_waited_for_together() {
        let mut world = World::new();
        let gate = world.occupy().await;
        for _ in 0..3 {
            world.says("/togyz friend computer").await;
        }
        gate.send(()).expect("it waits");
        world.service.settled().await;
        let heads = world.store.scan(Space::Head, "", None, 99).await.expect("it can be read");
        let mut played = 0;
        for (table, _) in heads {
            let log = world.store.log(&table, 0).await.expect("it can be read");
            played += usize::from(by_computers(&log) > 0);
        }
        assert_eq!(played, 3, "each has moved");
    }

    #[tokio::test]
    async fn whose_player_is_broken_plays_all_the_same() {
        let mut world = World::new();
        world.says("/togyz me computer").await;
        let gate = world.occupy().await;
        world.says("/move 7").await;
        let id = world.service.inner.thinkers.thoughts().keys().next().cloned().expect("thinks");
        let held = world.service.inner.hold(&id).await.expect("it is whole").expect("it is there");
        let stamp = Stamp { at_ms: 1, cause: CAUSE.into() };
        let events = played_anyhow(held.table(), &stamp).expect("it follows");
        assert!(matches!(events[0], Event::Stepped { seat: 1, .. }), "{events:?}");
        drop(held);
        gate.send(()).expect("it waits");
        world.service.settled().await;
        assert_eq!(by_computers(&world.log().await), 1);
    }
}
