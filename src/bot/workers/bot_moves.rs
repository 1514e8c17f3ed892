//! Computes the moves of computers at tables and commits them; outdated results are discarded.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::Workers;
use super::engine_pool::{EngineCache, ThinkError, ThinkPriority};
use crate::repository::effects::THINKING_LEASE_MS;
use crate::repository::quarantine::QuarantineInput;
use crate::repository::{COMPUTER_CAUSE, Failure, TableChange};
use caravanserai_games::ids::{ChatId, TableId};
use caravanserai_games::rules::Entropy;
use caravanserai_games::search::{PlayerEvaluation, SeededRng, ThinkBudget};
use caravanserai_store::Commit;
use caravanserai_table::computer_moves::{self, ComputerPace};
use caravanserai_table::{Decision, EventMeta, Table, postpone_decision};

/// How long a computer may think; then it plays the best move found so far. Time in the queue does
/// not count, so a long wait does not weaken the player.
pub(super) const THINK_TIME: Duration = Duration::from_millis(850);

/// How long the board waits for quick computers, so that a person's move and the replies are shown
/// together.
const BOARD_WAIT: Duration = Duration::from_millis(300);

/// How long all computers together pause before a person is to move again at the calm pace, in
/// percent of the pause of one.
const ALL_PAUSES_PERCENT: u64 = 195;

/// The running searches: the version of each table, and the flag that stops its search.
#[derive(Clone, Default)]
pub(super) struct RunningSearches(Arc<Mutex<HashMap<TableId, RunningSearch>>>);

/// The version of the table, and the flag that stops the search.
type RunningSearch = (u64, Arc<AtomicBool>);

/// Marks a search as running until it is dropped.
struct SearchGuard {
    searches: RunningSearches,
    table: TableId,
    version: u64,
    stop: Arc<AtomicBool>,
}

impl Drop for SearchGuard {
    fn drop(&mut self) {
        self.searches.end(&self.table, self.version);
    }
}

impl RunningSearches {
    /// Begins a search for this version, unless there is one. Stops a search for an older
    /// version.
    fn begin(&self, table: &TableId, version: u64) -> Option<SearchGuard> {
        let mut all = self.0.lock();
        if all.get(table).is_some_and(|(known, _)| *known == version) {
            return None;
        }
        let stop = Arc::new(AtomicBool::new(false));
        if let Some((_, old)) = all.insert(table.clone(), (version, stop.clone())) {
            old.store(true, Ordering::Relaxed);
        }
        Some(SearchGuard { searches: self.clone(), table: table.clone(), version, stop })
    }

    /// Stops a search for an older version of this table.
    fn stop_outdated(&self, table: &TableId, version: u64) {
        let mut all = self.0.lock();
        if let Some((known, stop)) = all.get(table)
            && *known != version
        {
            stop.store(true, Ordering::Relaxed);
            all.remove(table);
        }
    }

    fn end(&self, table: &TableId, version: u64) {
        let mut all = self.0.lock();
        if all.get(table).is_some_and(|(known, _)| *known == version) {
            all.remove(table);
        }
    }
}

/// Whether this action was chosen without a search, so that its winning chance has no meaning.
pub fn is_certain(evaluation: &PlayerEvaluation<String>) -> bool {
    evaluation.nodes <= 1 && evaluation.chance == 500
}

/// The pause before a computer's turn: the shorter, the more computers play in turn. Where they
/// play a second time before a person does, as in the tricks of a card game, it is half as long.
fn pause_before_turn_ms(table: &Table, pause_ms: u64) -> u64 {
    let computers = (0..table.setup.seats).filter(|it| table.seating.is_computer(*it)).count();
    let share_ms = pause_ms * ALL_PAUSES_PERCENT / 100 / (computers as u64).max(1);
    let last_seats = table.history.steps.iter().rev().filter_map(|it| it.seat);
    let mut turns: Vec<u8> = last_seats.take_while(|it| table.seating.is_computer(*it)).collect();
    turns.dedup();
    pause_ms.min(if turns.len() < computers { share_ms } else { share_ms / 2 })
}

/// The decision of the computers at a table, made with the engines of this thread.
fn computer_decision(
    table: &Table,
    players: &mut EngineCache,
    budget: &ThinkBudget<'_>,
    pace: ComputerPace,
    meta: EventMeta,
) -> Result<Decision, String> {
    let game = table.game_id();
    computer_moves::play_computers(
        table,
        &mut |level, question, random: &mut SeededRng| {
            players.engine(game, level)?.think(question, budget, random, &mut |_| {})
        },
        (budget, pace),
        meta,
    )
}

/// The move of a computer whose engine panicked: any legal action, one step.
fn fallback_move(table: &Table, meta: EventMeta) -> Result<Decision, String> {
    let once = AtomicBool::new(true);
    computer_moves::play_computers(
        table,
        &mut |_, question, random| {
            let tokens = question.tokens();
            let count = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
            let action = tokens.get(random.below(count) as usize)?.clone();
            let line = vec![action.clone()];
            Some(PlayerEvaluation { action, score: 0, chance: 500, depth: 0, nodes: 0, line })
        },
        (&ThinkBudget::OF_LEVEL.until(&once), ComputerPace::TurnByTurn),
        meta,
    )
}

/// When the board of a table is shown whose computer thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardTiming {
    /// At once.
    Now,
    /// When the computer has moved, or when that takes too long. Sending is scheduled then.
    AfterComputer,
}

impl Workers {
    /// Starts to think at a table that was just committed, if it waits for a computer.
    /// `can_follow`: whether its chats can show each turn.
    pub fn start_thinking(&self, table: &Arc<Table>, can_follow: bool) -> BoardTiming {
        self.running_searches.stop_outdated(&table.id, table.version);
        if computer_moves::computer_to_move(table).is_none() || self.tasks.is_stopping() {
            return BoardTiming::Now;
        }
        let Some(search_guard) = self.running_searches.begin(&table.id, table.version) else {
            return BoardTiming::Now;
        };
        let Some(workers) = self.weak_self.upgrade() else { return BoardTiming::Now };
        let pause_ms = self.repository.limits().computer_pause_ms;
        let can_follow = can_follow && pause_ms > 0 && computer_moves::can_pace_computers(table);
        let table = table.clone();
        self.tasks.spawn(async move {
            let id = table.id.clone();
            let chats: Vec<_> = table.chats.ids().cloned().collect();
            let input = QuarantineInput::ComputerMove(id.clone());
            let search = workers.think_and_commit(table, search_guard, can_follow);
            if let Ok(Err(failure)) = workers.repository.run_isolated(&input, search).await {
                tracing::error!(table = id.0, %failure, "failed to play a computer's move");
            }
            chats.iter().for_each(|chat| workers.repository.schedule_send(chat));
        });
        if can_follow { BoardTiming::Now } else { BoardTiming::AfterComputer }
    }

    /// The pace of computers at a table whose chats can show each turn: with pauses, unless the
    /// only person there wants quick replies.
    async fn choose_pace(&self, table: &Table, can_follow: bool) -> Result<ComputerPace, Failure> {
        if !can_follow {
            return Ok(ComputerPace::UntilPerson);
        }
        let Some(person) = table.seating.sole_player() else { return Ok(ComputerPace::TurnByTurn) };
        let wants_quick = self.repository.profiles().load_person(person).await?.has_quick_computers;
        Ok(if wants_quick { ComputerPace::UntilPerson } else { ComputerPace::TurnByTurn })
    }

    /// The time at which a computer plays: at the calm pace people see the last action for a while
    /// before.
    fn play_time_ms(&self, table: &Table, pace: ComputerPace) -> u64 {
        let now_ms = self.repository.now_ms();
        if pace == ComputerPace::UntilPerson {
            return now_ms;
        }
        let pause_ms = pause_before_turn_ms(table, self.repository.limits().computer_pause_ms);
        (table.times.last_event_ms + pause_ms).clamp(now_ms, now_ms + pause_ms)
    }

    /// Waits until a time. Returns `false` when nothing is left to do then.
    async fn wait_until(&self, at_ms: u64, stop: &AtomicBool) -> bool {
        let wait_ms = at_ms.saturating_sub(self.repository.now_ms());
        tokio::select! {
            biased;
            () = self.repository.time_source().sleep_ms(wait_ms) => {}
            () = self.tasks.wait_for_stop() => return false,
        }
        !stop.load(Ordering::Relaxed)
    }

    /// Runs a search with the engines of a thread. It is stopped after some time, so that the
    /// result comes soon.
    ///
    /// # Errors
    /// When the queue is full, or when the engine panicked.
    pub async fn run_engine<T: Send + 'static>(
        &self,
        chat: &ChatId,
        priority: ThinkPriority,
        stop: Arc<AtomicBool>,
        search: impl FnOnce(&mut EngineCache, &ThinkBudget<'_>) -> T + Send + 'static,
    ) -> Result<T, ThinkError> {
        let flag = stop.clone();
        let (begin_sender, begin_receiver) = oneshot::channel();
        let search = self.pool.run_job(chat, priority, move |players| {
            // The requester may be gone.
            begin_sender.send(()).ok();
            search(players, &ThinkBudget::OF_LEVEL.until(&flag))
        });
        tokio::pin!(search);
        tokio::select! {
            biased;
            result = &mut search => return result,
            _ = begin_receiver => {}
        }
        tokio::select! {
            biased;
            result = &mut search => result,
            // The time is real, because people wait for the result; it does not depend on the clock
            // of the tables.
            () = tokio::time::sleep(self.pool.think_time()) => {
                stop.store(true, Ordering::Relaxed);
                search.await
            }
        }
    }

    async fn think_and_commit(
        &self,
        table: Arc<Table>,
        search_guard: SearchGuard,
        can_follow: bool,
    ) -> Result<(), Failure> {
        let pace = self.choose_pace(&table, can_follow).await?;
        let lease = format!("think {} {}", table.id.0, table.version);
        let replica = self.repository.replica();
        if !self.repository.store().try_lease(&lease, replica, THINKING_LEASE_MS).await? {
            // Another process thinks about it.
            return Ok(());
        }
        let result = self.think_with_lease(table, search_guard, pace).await;
        self.repository.store().release_lease(&lease, replica).await?;
        result
    }

    /// Thinks about a table that is leased to this process, while people look at the last action.
    async fn think_with_lease(
        &self,
        table: Arc<Table>,
        search_guard: SearchGuard,
        pace: ComputerPace,
    ) -> Result<(), Failure> {
        let id = &table.id;
        let version = table.version;
        let play_at_ms = self.play_time_ms(&table, pace);
        let meta = EventMeta::received_now(play_at_ms, COMPUTER_CAUSE);
        let searched_table = table.clone();
        let when = meta.clone();
        let stop = search_guard.stop.clone();
        let search = self.run_engine(
            table.chats.home(),
            ThinkPriority::Move,
            stop.clone(),
            move |players, budget| computer_decision(&searched_table, players, budget, pace, when),
        );
        tokio::pin!(search);
        let result = tokio::select! {
            biased;
            result = &mut search => result,
            () = tokio::time::sleep(BOARD_WAIT) => {
                table.chats.ids().for_each(|chat| self.repository.schedule_send(chat));
                search.await
            }
        };
        let decision = match result {
            Ok(decision) => decision,
            // The panic is logged already. The game continues.
            Err(ThinkError::Panicked) => fallback_move(&table, meta),
            // The deadline of the table asks again.
            Err(ThinkError::QueueFull) => return Ok(()),
        };
        let decision = decision.map_err(|why| Failure::Damaged(id.clone(), why))?;
        if !self.wait_until(play_at_ms, &stop).await {
            return Ok(());
        }
        let Some(mut guard) = self.repository.lock_table(id).await? else { return Ok(()) };
        // Outdated: the table has changed, and that change started a new search.
        if guard.table().version != version || decision.lines.is_empty() {
            return Ok(());
        }
        let now_ms = self.repository.now_ms();
        let decision = match table.is_timed() && now_ms > play_at_ms {
            // Computers think on no player's clock.
            true => postpone_decision(&table, decision, now_ms)
                .map_err(|why| Failure::Damaged(id.clone(), why))?,
            false => decision,
        };
        drop(search_guard);
        let change = TableChange::new(&mut guard, decision);
        // A conflict means that there was a concurrent action, which starts a new search of the
        // new state.
        let _ = self.repository.commit_changes(vec![change], Commit::default()).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::repository::{BotLimits, SystemClock};
    use crate::service::{Service, ServiceDeps};
    use caravanserai_games::ids::{ChatKind, PersonId};
    use caravanserai_protocol::{
        Arrival, Chat, ParentChats, Person, PersonKind, Update, UpdateHandler, UpdateKind,
    };
    use caravanserai_store::memory::MemoryStore;
    use caravanserai_store::{Space, Store};
    use caravanserai_table::event::Event;

    /// A bot with one thinking thread, and a group with a person in it.
    struct TestWorld {
        service: Service,
        store: Arc<MemoryStore>,
        updates: u32,
    }

    impl TestWorld {
        fn new() -> Self {
            let store = Arc::new(MemoryStore::default());
            let drawn = std::sync::atomic::AtomicU8::new(7);
            let service = Service::new(ServiceDeps {
                store: store.clone(),
                i18n: Arc::new(caravanserai_i18n::I18n::new()),
                renderer: Arc::new(
                    caravanserai_render::Renderer::embedded().expect("the fonts are embedded"),
                ),
                clock: Arc::new(SystemClock),
                randomness: Box::new(move |bytes| {
                    bytes.fill_with(|| drawn.fetch_add(29, Ordering::Relaxed));
                }),
                limits: BotLimits { thinking_threads: 1, ..BotLimits::default() },
                contact: None,
                operator_settings: Default::default(),
            });
            Self { service, store, updates: 0 }
        }

        async fn says(&mut self, text: &str) -> Vec<String> {
            self.updates += 1;
            let id = ChatId("mem:group".into());
            let chat = Chat {
                id,
                kind: ChatKind::Group,
                title: "G".into(),
                locale: None,
                parents: ParentChats::default(),
            };
            let person = Person {
                id: PersonId("mem:Ann".into()),
                name: "Ann".into(),
                username: None,
                locale: None,
                kind: PersonKind::Human,
                admin: false,
            };
            let body = UpdateKind::Text {
                text: text.into(),
                mentions: vec![],
                reply_to: None,
                is_addressed: false,
            };
            let id = format!("mem/{}", self.updates);
            let update = Update { id, chat, person, kind: body, arrival: Arrival::default() };
            let replies = self.service.handle(update).await;
            replies.iter().map(|it| it.message.text().to_plain()).collect()
        }

        /// Keeps the only thread busy until the test uses the returned sender.
        async fn occupy(&self) -> mpsc::Sender<()> {
            let (open, gate) = mpsc::channel();
            let (began, begun) = tokio::sync::oneshot::channel();
            let pool = self.service.workers().pool.clone();
            let elsewhere = ChatId("mem:elsewhere".into());
            tokio::spawn(async move {
                let busy = move |_: &mut EngineCache| {
                    began.send(()).ok();
                    gate.recv().ok();
                };
                pool.run_job(&elsewhere, ThinkPriority::Move, busy).await.ok();
            });
            begun.await.expect("the job begins");
            open
        }

        async fn log(&self) -> Vec<String> {
            let heads =
                self.store.scan(Space::Head, "", None, 9).await.expect("the store can be read");
            let (table, _) = heads.last().expect("a table exists");
            self.store.read_log(table, 0).await.expect("the store can be read")
        }
    }

    fn by_computers(log: &[String]) -> usize {
        log.iter().filter(|it| it.contains(" computer step ")).count()
    }

    #[tokio::test]
    async fn a_search_of_a_game_that_was_given_up_comes_to_nothing() {
        let mut world = TestWorld::new();
        world.says("/togyz me computer").await;
        let gate = world.occupy().await;
        world.says("/move 7").await;
        let refused = world.says("/move 6").await;
        assert!(refused[0].contains("is thinking"), "{refused:?}");
        world.says("/resign").await;
        world.says("/resign").await;
        gate.send(()).expect("the job waits");
        world.service.wait_until_idle().await;
        let log = world.log().await;
        assert!(log.last().expect("the log has lines").contains(" over "), "{log:?}");
        assert_eq!(by_computers(&log), 0);
        assert!(world.service.workers().running_searches.0.lock().is_empty());
    }

    #[tokio::test]
    async fn a_search_of_an_older_position_is_stopped() {
        let searches = RunningSearches::default();
        let table = TableId("7k3fx".into());
        let older = searches.begin(&table, 5).expect("no search is running yet");
        assert!(searches.begin(&table, 5).is_none(), "one search of a position is enough");
        searches.stop_outdated(&table, 5);
        assert!(!older.stop.load(Ordering::Relaxed));
        searches.stop_outdated(&table, 6);
        assert!(older.stop.load(Ordering::Relaxed));
        let newer = searches.begin(&table, 6).expect("the older search is removed");
        drop(older);
        assert!(!newer.stop.load(Ordering::Relaxed));
        assert!(searches.begin(&table, 6).is_none());
        drop(newer);
        assert!(searches.begin(&table, 6).is_some(), "a dropped search can begin again");
    }

    #[tokio::test]
    async fn computers_of_several_tables_are_waited_for_together() {
        let mut world = TestWorld::new();
        let gate = world.occupy().await;
        for _ in 0..3 {
            world.says("/togyz friend computer").await;
        }
        gate.send(()).expect("the job waits");
        world.service.wait_until_idle().await;
        let heads =
            world.store.scan(Space::Head, "", None, 99).await.expect("the store can be read");
        let mut played = 0;
        for (table, _) in heads {
            let log = world.store.read_log(&table, 0).await.expect("the store can be read");
            played += usize::from(by_computers(&log) > 0);
        }
        assert_eq!(played, 3, "each computer has moved");
    }

    #[tokio::test]
    async fn a_panicking_engine_gets_a_legal_move_instead() {
        let mut world = TestWorld::new();
        world.says("/togyz me computer").await;
        let gate = world.occupy().await;
        world.says("/move 7").await;
        let id = world
            .service
            .workers()
            .running_searches
            .0
            .lock()
            .keys()
            .next()
            .cloned()
            .expect("a search is running");
        let repository = &world.service.workers().repository;
        let table = repository
            .load_table(&id)
            .await
            .expect("the table is readable")
            .expect("the table exists");
        let meta = EventMeta::received_now(1, COMPUTER_CAUSE);
        let result = fallback_move(&table, meta).expect("there is a legal move");
        assert!(matches!(result.lines[0].event, Event::Stepped { seat: 1, .. }), "{result:?}");
        gate.send(()).expect("the job waits");
        world.service.wait_until_idle().await;
        assert_eq!(by_computers(&world.log().await), 1);
    }
}
