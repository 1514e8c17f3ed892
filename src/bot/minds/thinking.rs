//! Computers at tables: thought about elsewhere, committed like any move, refused when late.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::oneshot;

use super::Minds;
use super::pool::{NoThought, Players, Urgency};
use crate::ledger::aside::Input;
use crate::ledger::{COMPUTER, Deed, Failure};
use caravanserai_games::ids::{PlaceId, TableId};
use caravanserai_games::rules::Entropy;
use caravanserai_games::search::{Budget, Numbers, Thought};
use caravanserai_store::Commit;
use caravanserai_table::computers::{self, Pace};
use caravanserai_table::{Decision, Stamp, Table};

/// How long a computer may think; then it answers with the best it has. What it waited for others
/// to be done does not count: whoever waits long gets no worse a player.
pub(super) const PATIENCE: Duration = Duration::from_millis(850);

/// How long the board waits for quick computers, so that a person's move and their answers are
/// shown together.
const SOON: Duration = Duration::from_millis(300);

/// How long a process has the thought about a position for itself, in milliseconds; then another
/// one that is reminded by the deadline may think.
const CLAIMED_MS: u64 = 3_000;

/// What is being thought about: by table the version and how to stop thinking about it.
#[derive(Clone, Default)]
pub(super) struct Thoughts(Arc<Mutex<HashMap<TableId, UnderWay>>>);

/// The version that is thought about, and what stops the thinking.
type UnderWay = (u64, Arc<AtomicBool>);

/// A thought that is under way until this is dropped.
struct Thinking {
    thoughts: Thoughts,
    table: TableId,
    version: u64,
    stop: Arc<AtomicBool>,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.thoughts.end(&self.table, self.version);
    }
}

impl Thoughts {
    fn all(&self) -> MutexGuard<'_, HashMap<TableId, (u64, Arc<AtomicBool>)>> {
        self.0.lock().expect("nothing panics while holding this lock")
    }

    /// Begins a thought about this version, unless there is one. One about an older version is
    /// stopped.
    fn begin(&self, table: &TableId, version: u64) -> Option<Thinking> {
        let mut all = self.all();
        if all.get(table).is_some_and(|(known, _)| *known == version) {
            return None;
        }
        let stop = Arc::new(AtomicBool::new(false));
        if let Some((_, old)) = all.insert(table.clone(), (version, stop.clone())) {
            old.store(true, Ordering::Relaxed);
        }
        Some(Thinking { thoughts: self.clone(), table: table.clone(), version, stop })
    }

    /// Stops what is thought about an older version of this table.
    fn moved_on(&self, table: &TableId, version: u64) {
        let mut all = self.all();
        if let Some((known, stop)) = all.get(table)
            && *known != version
        {
            stop.store(true, Ordering::Relaxed);
            all.remove(table);
        }
    }

    fn end(&self, table: &TableId, version: u64) {
        let mut all = self.all();
        if all.get(table).is_some_and(|(known, _)| *known == version) {
            all.remove(table);
        }
    }
}

/// Whether this was done without looking at anything: its chance says nothing.
pub fn is_sure(thought: &Thought<String>) -> bool {
    thought.nodes <= 1 && thought.chance == 500
}

/// What computers do at a table, with the players of this thread.
fn played(
    table: &Table,
    players: &mut Players,
    (budget, pace): (&Budget<'_>, Pace),
    stamp: Stamp,
) -> Result<Decision, String> {
    let game = table.game_id();
    computers::play(
        table,
        &mut |level, asked, numbers: &mut Numbers| {
            players.of(game, level)?.think(asked, budget, numbers, &mut |_| {})
        },
        (budget, pace),
        stamp,
    )
}

/// What a computer does whose player is broken: anything that it may do, one step.
fn played_anyhow(table: &Table, stamp: Stamp) -> Result<Decision, String> {
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
        (&Budget::OF_LEVEL.until(&once), Pace::Calm),
        stamp,
    )
}

impl Minds {
    /// Has computers think at a table that was committed just now, if it waits for one. `true`
    /// when the board is to wait for their answer: then the place is woken when they have given
    /// it or it takes too long to wait for. `follows`: whether its places can show turn by turn.
    pub fn think(&self, table: &Arc<Table>, follows: bool) -> bool {
        self.thoughts.moved_on(&table.id, table.version);
        if computers::waited_for(table).is_none() || self.tasks.is_stopping() {
            return false;
        }
        let Some(thinking) = self.thoughts.begin(&table.id, table.version) else { return false };
        let Some(minds) = self.me.upgrade() else { return false };
        let calm_ms = self.ledger.limits().calm_ms;
        let follows = follows && calm_ms > 0 && computers::are_followed(table);
        let table = table.clone();
        self.tasks.spawn(async move {
            let id = table.id.clone();
            let places: Vec<_> = table.places().cloned().collect();
            let input = Input::Thought(id.clone());
            let thought = minds.thought(table, thinking, follows);
            if let Ok(Err(failure)) = minds.ledger.guarded(&input, thought).await {
                tracing::error!(table = id.0, %failure, "a computer could not play");
            }
            places.iter().for_each(|place| minds.ledger.wake(place));
        });
        !follows
    }

    /// How computers go on at a table that can be followed: calmly, unless the only person there
    /// wants it quick.
    async fn pace(&self, table: &Table, follows: bool) -> Result<Pace, Failure> {
        if !follows {
            return Ok(Pace::Quick);
        }
        let Some(person) = table.plays_computers() else { return Ok(Pace::Calm) };
        let wants_quick = self.ledger.person(person).await?.quick;
        Ok(if wants_quick { Pace::Quick } else { Pace::Calm })
    }

    /// Lets what was done last stand for a while; `false` when there is nothing more to do.
    async fn stands_a_while(&self, table: &Table, thinking: &Thinking) -> bool {
        let calm_ms = self.ledger.limits().calm_ms;
        let until_ms = table.last_ms + calm_ms;
        let wait_ms = until_ms.saturating_sub(self.ledger.now_ms()).min(calm_ms);
        tokio::select! {
            biased;
            () = self.ledger.clock().sleep_ms(wait_ms) => {}
            () = self.tasks.stopping() => return false,
        }
        !thinking.stop.load(Ordering::Relaxed)
    }

    /// Has something thought with the players of a thread; told to stop after it has thought for
    /// a while, so that the answer comes soon.
    ///
    /// # Errors
    /// When too much waits already, or a player panicked.
    pub async fn thinks<T: Send + 'static>(
        &self,
        place: &PlaceId,
        urgency: Urgency,
        stop: Arc<AtomicBool>,
        thought: impl FnOnce(&mut Players, &Budget<'_>) -> T + Send + 'static,
    ) -> Result<T, NoThought> {
        let flag = stop.clone();
        let (begins, begun) = oneshot::channel();
        let thought = self.pool.think(place, urgency, move |players| {
            // Whoever asked may have gone.
            begins.send(()).ok();
            thought(players, &Budget::OF_LEVEL.until(&flag))
        });
        tokio::pin!(thought);
        tokio::select! {
            biased;
            done = &mut thought => return done,
            _ = begun => {}
        }
        tokio::select! {
            biased;
            done = &mut thought => done,
            // Real time: what people wait, not what the clock of the tables says.
            () = tokio::time::sleep(self.pool.share()) => {
                stop.store(true, Ordering::Relaxed);
                thought.await
            }
        }
    }

    async fn thought(
        &self,
        table: Arc<Table>,
        thinking: Thinking,
        follows: bool,
    ) -> Result<(), Failure> {
        let pace = self.pace(&table, follows).await?;
        if pace == Pace::Calm && !self.stands_a_while(&table, &thinking).await {
            return Ok(());
        }
        let lease = format!("think {} {}", table.id.0, table.version);
        let own = self.ledger.replica();
        if !self.ledger.store().lease(&lease, own, CLAIMED_MS).await? {
            // Another process thinks about it.
            return Ok(());
        }
        let thought = self.claimed(table, thinking, pace).await;
        self.ledger.store().release(&lease, own).await?;
        thought
    }

    /// Thinks about a table that no other process thinks about.
    async fn claimed(
        &self,
        table: Arc<Table>,
        thinking: Thinking,
        pace: Pace,
    ) -> Result<(), Failure> {
        let (id, version) = (&table.id, table.version);
        let stamp = Stamp::at(self.ledger.now_ms(), COMPUTER);
        let (thought_about, when) = (table.clone(), stamp.clone());
        let stop = thinking.stop.clone();
        let thought = self.thinks(table.home(), Urgency::Move, stop, move |players, budget| {
            played(&thought_about, players, (budget, pace), when)
        });
        tokio::pin!(thought);
        let done = tokio::select! {
            biased;
            done = &mut thought => done,
            () = tokio::time::sleep(SOON) => {
                table.places().for_each(|place| self.ledger.wake(place));
                thought.await
            }
        };
        let decision = match done {
            Ok(decision) => decision,
            // A panic has been logged. The game goes on all the same.
            Err(NoThought::Broke) => played_anyhow(&table, stamp),
            // The deadline of the table asks again.
            Err(NoThought::Full) => return Ok(()),
        };
        let decision = decision.map_err(|why| Failure::Damaged(id.clone(), why))?;
        let Some(mut held) = self.ledger.hold(id).await? else { return Ok(()) };
        // Late: the table has moved on, and whoever moved it had computers asked anew.
        if held.table().version != version || decision.lines.is_empty() {
            return Ok(());
        }
        drop(thinking);
        let deed = Deed { held: &mut held, decision, answered: None };
        // On conflict somebody acted at this very moment, and it is looked at again with what is
        // then.
        let _ = self.ledger.enter(vec![deed], Commit::default()).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::ledger::{Limits, SystemClock};
    use crate::service::{Parts, Service};
    use caravanserai_games::ids::{PersonId, PlaceKind};
    use caravanserai_protocol::{
        Arrival, Body, Listener, Parents, Person, PersonKind, Place, Update,
    };
    use caravanserai_store::memory::MemoryStore;
    use caravanserai_store::{Space, Store};
    use caravanserai_table::event::Event;

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
                i18n: Arc::new(caravanserai_i18n::I18n::new()),
                renderer: Arc::new(
                    caravanserai_render::Renderer::embedded().expect("it is embedded"),
                ),
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
            let place = Place {
                id,
                kind: PlaceKind::Group,
                title: "G".into(),
                locale: None,
                parents: Parents::default(),
            };
            let person = Person {
                id: PersonId("mem:Ann".into()),
                name: "Ann".into(),
                username: None,
                locale: None,
                kind: PersonKind::Human,
                admin: false,
            };
            let body = Body::Text { text: text.into(), mentions: vec![], reply_to: None };
            let id = format!("mem/{}", self.updates);
            let update = Update { id, place, person, body, arrival: Arrival::default() };
            let told = self.service.hear(update).await;
            told.iter().map(|it| it.message.text().to_plain()).collect()
        }

        /// Keeps the only thread busy until the sender that comes back says so.
        async fn occupy(&self) -> mpsc::Sender<()> {
            let (open, gate) = mpsc::channel();
            let (began, begun) = tokio::sync::oneshot::channel();
            let pool = self.service.minds().pool.clone();
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
        world.says("/resign").await;
        gate.send(()).expect("it waits");
        world.service.settled().await;
        let log = world.log().await;
        assert!(log.last().expect("it has lines").contains(" over "), "{log:?}");
        assert_eq!(by_computers(&log), 0);
        assert!(world.service.minds().thoughts.all().is_empty());
    }

    #[tokio::test]
    async fn a_thought_about_an_older_position_is_stopped() {
        let thoughts = Thoughts::default();
        let table = TableId("7k3fx".into());
        let older = thoughts.begin(&table, 5).expect("nobody thinks yet");
        assert!(thoughts.begin(&table, 5).is_none(), "one thought about a position is enough");
        thoughts.moved_on(&table, 5);
        assert!(!older.stop.load(Ordering::Relaxed));
        thoughts.moved_on(&table, 6);
        assert!(older.stop.load(Ordering::Relaxed));
        let newer = thoughts.begin(&table, 6).expect("the older one is gone");
        drop(older);
        assert!(!newer.stop.load(Ordering::Relaxed));
        assert!(thoughts.begin(&table, 6).is_none());
        drop(newer);
        assert!(thoughts.begin(&table, 6).is_some(), "whoever breaks off is asked again");
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
        let id = world.service.minds().thoughts.all().keys().next().cloned().expect("thinks");
        let ledger = &world.service.minds().ledger;
        let table = ledger.look(&id).await.expect("it is whole").expect("it is there");
        let stamp = Stamp::at(1, COMPUTER);
        let done = played_anyhow(&table, stamp).expect("it follows");
        assert!(matches!(done.lines[0].event, Event::Stepped { seat: 1, .. }), "{done:?}");
        gate.send(()).expect("it waits");
        world.service.settled().await;
        assert_eq!(by_computers(&world.log().await), 1);
    }
}
