//! Several processes share a store. One of them is killed, or cannot reach the platform: the others
//! take over its chats within five seconds. One of them is slow: the others let no clock run out
//! meanwhile.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use caravanserai_bot::service::Service;
use caravanserai_bot::service::TimeSource;
use caravanserai_games::ids::{ChatId, MessageId};
use caravanserai_protocol::{
    Capabilities, OutgoingMessage, Platform, SendError, Update, UpdateHandler, UpdateKind,
};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{
    Append, Commit, Space, Store, StoreAnswer, StoreError, StoreLayer, StoreQuery, StoreRow,
};
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::stage::clock::TestClock;
use crate::stage::memory::{MemoryStage, service};
use crate::stage::{LOOK_MS, Stage};

type Leases = Arc<Mutex<BTreeMap<String, (String, u64)>>>;

/// The store as one process has it: leases follow the clock of the test, and no call returns while
/// the process is dead.
struct Shared {
    inner: Arc<MemoryStore>,
    leases: Leases,
    clock: Arc<Mutex<Option<Arc<TestClock>>>>,
    dead: watch::Receiver<bool>,
}

impl Shared {
    async fn hang_while_dead(&self) {
        if self.dead.clone().wait_for(|is_dead| !is_dead).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    fn now_ms(&self) -> u64 {
        self.clock.lock().as_ref().map_or(0, |it| it.monotonic_ms())
    }
}

#[async_trait]
impl StoreLayer for Shared {
    fn inner(&self) -> &dyn Store {
        &*self.inner
    }

    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        self.hang_while_dead().await;
        self.inner.read(reads).await
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        self.hang_while_dead().await;
        self.inner.commit(commit).await
    }

    async fn remove_expired(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        self.hang_while_dead().await;
        self.inner.remove_expired(now_ms, limit).await
    }

    async fn try_lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        self.hang_while_dead().await;
        let now_ms = self.now_ms();
        let mut leases = self.leases.lock();
        let held = leases.get(name).is_some_and(|(by, until)| by != owner && *until > now_ms);
        if !held {
            leases.insert(name.to_owned(), (owner.to_owned(), now_ms + for_ms));
        }
        Ok(!held)
    }

    async fn release_lease(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        self.hang_while_dead().await;
        let mut leases = self.leases.lock();
        if leases.get(name).is_some_and(|(by, _)| by == owner) {
            leases.remove(name);
        }
        Ok(())
    }

    async fn lease_holder(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.hang_while_dead().await;
        let leases = self.leases.lock();
        let held = leases.get(name).filter(|(_, until)| *until > self.now_ms());
        Ok(held.map(|(by, _)| by.clone()))
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn claim_rows(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError> {
        self.hang_while_dead().await;
        self.inner.claim_rows(space, upto, owner, for_ms, limit).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// The platform for a process without a way to it: each call fails.
struct Unreachable;

impl Unreachable {
    fn fail<T>() -> Result<T, SendError> {
        Err(SendError::Temporary("connection refused".into()))
    }
}

#[async_trait]
impl Platform for Unreachable {
    fn name(&self) -> &'static str {
        "mem"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn call_limit_per_minute(&self, _: &ChatId) -> u32 {
        1_000_000
    }

    async fn post(&self, _: &ChatId, _: &OutgoingMessage) -> Result<MessageId, SendError> {
        Self::fail()
    }

    async fn edit(&self, _: &ChatId, _: &MessageId, _: &OutgoingMessage) -> Result<(), SendError> {
        Self::fail()
    }

    async fn delete(&self, _: &ChatId, _: &MessageId) -> Result<(), SendError> {
        Self::fail()
    }
}

/// How many edits of boards the platform has been asked for.
fn edits(stage: &MemoryStage) -> usize {
    stage.platform.calls().iter().filter(|it| it.0 == "edit").count()
}

/// The press of this pit on the board.
fn press(stage: &MemoryStage, pit: &str) -> UpdateKind {
    let messages = stage.platform.messages(&stage.group);
    let board = messages.iter().find(|it| it.is_board()).unwrap();
    let press = board.press(pit).to_owned();
    let message = Some(MessageId(board.id.clone()));
    UpdateKind::Press { callback_data: press, message }
}

/// Lets so many milliseconds pass in small steps, and gives other threads a turn after each.
pub(crate) async fn pass(stage: &mut MemoryStage, ms: u64) {
    for _ in 0..ms / 100 {
        stage.ticks(100).await;
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    }
}

/// Draws the pictures of a game beforehand: a busy machine takes longer to draw one than simulated
/// seconds last, and all stages share what was drawn.
async fn draw_pictures_beforehand(pits: [&str; 2]) {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    stage.send_group_message("Bek", "/accept").await;
    for (name, pit) in ["Ann", "Bek"].into_iter().zip(pits) {
        stage.send_group_message(name, &format!("/move {pit}")).await;
        stage.service.wait_until_idle().await;
    }
}

/// Two processes on one store; the stage is of the first.
pub(crate) struct TwoProcesses {
    pub(crate) stage: MemoryStage,
    pub(crate) other: Service,
    leases: Leases,
    /// Kills the first one.
    kill: watch::Sender<bool>,
    _alive: watch::Sender<bool>,
}

pub(crate) async fn start_two_processes() -> TwoProcesses {
    let (kill, dead) = watch::channel(false);
    let (alive, lives) = watch::channel(false);
    let (inner, leases) = (Arc::new(MemoryStore::new()), Leases::default());
    let clock = Arc::new(Mutex::new(None));
    let shared = |dead: &watch::Receiver<bool>| {
        Arc::new(Shared {
            inner: inner.clone(),
            leases: leases.clone(),
            clock: clock.clone(),
            dead: dead.clone(),
        })
    };
    let stage = MemoryStage::new(shared(&dead)).await;
    *clock.lock() = Some(stage.clock.clone());
    let other = service(shared(&lives), stage.clock.clone(), 77);
    other.add_platform(stage.platform.clone());
    other.start().await.unwrap();
    TwoProcesses { stage, other, leases, kill, _alive: alive }
}

#[tokio::test]
async fn boards_of_a_dead_process_go_on_within_five_seconds() {
    let TwoProcesses { mut stage, other, leases, kill, _alive } = start_two_processes().await;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    stage.send_group_message("Bek", "/accept").await;
    stage.service.wait_until_idle().await;
    // The first process writes to the chat while it lives, whichever process hears a press.
    stage.ticks(LOOK_MS).await;
    let move_of_ann = press(&stage, "5");
    let update = stage.update("Ann", false, move_of_ann);
    stage.hear(update).await;
    stage.service.wait_until_idle().await;
    pass(&mut stage, 8_000).await;
    let held = leases.lock().clone();
    let chat = held.iter().find(|(name, _)| name.starts_with("chat ")).unwrap();
    assert!(chat.1.1 > stage.clock.monotonic_ms(), "it still has the chat: {held:?}");

    kill.send_replace(true);
    let before = edits(&stage);
    stage.ticks(LOOK_MS).await;
    let move_of_bek = press(&stage, "6");
    let update = stage.update("Bek", false, move_of_bek);
    other.handle(update).await;
    pass(&mut stage, 4_900).await;
    // Boards that are being drawn are shown before this returns.
    other.wait_until_idle().await;
    assert!(edits(&stage) > before, "{:?}", leases.lock());
}

/// A process that was frozen for a while comes back: its chats belong to another one by now.
#[tokio::test]
async fn a_process_that_comes_back_leaves_its_chats_to_the_one_that_took_them() {
    draw_pictures_beforehand(["5", "6"]).await;
    let TwoProcesses { mut stage, other, leases, kill, _alive } = start_two_processes().await;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    stage.send_group_message("Bek", "/accept").await;
    stage.service.wait_until_idle().await;
    pass(&mut stage, 2_000).await;
    let holder = || {
        let held = leases.lock();
        held.iter().find(|(name, _)| name.starts_with("chat ")).unwrap().1.0.clone()
    };
    let first = holder();

    kill.send_replace(true);
    stage.ticks(LOOK_MS).await;
    let update = stage.update("Ann", false, press(&stage, "5"));
    other.handle(update).await;
    pass(&mut stage, 4_900).await;
    other.wait_until_idle().await;
    assert_ne!(holder(), first, "the other one has taken the chat over");
    kill.send_replace(false);
    pass(&mut stage, 2_000).await;

    let before = edits(&stage);
    stage.ticks(LOOK_MS).await;
    let update = stage.update("Bek", false, press(&stage, "6"));
    stage.hear(update).await;
    pass(&mut stage, 3_000).await;
    stage.service.wait_until_idle().await;
    other.wait_until_idle().await;
    assert_ne!(holder(), first);
    assert_eq!(edits(&stage), before + 1, "one of them shows the move: {:?}", leases.lock());
}

#[tokio::test]
async fn boards_of_a_process_that_cannot_reach_the_platform_are_shown_by_another() {
    draw_pictures_beforehand(["5", "6"]).await;
    let TwoProcesses { mut stage, other, leases, kill: _kill, _alive } =
        start_two_processes().await;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    stage.send_group_message("Bek", "/accept").await;
    stage.service.wait_until_idle().await;
    stage.service.add_platform(Arc::new(Unreachable));
    let before = edits(&stage);
    stage.ticks(LOOK_MS).await;
    let move_of_ann = press(&stage, "5");
    let update = stage.update("Ann", false, move_of_ann);
    stage.hear(update).await;
    pass(&mut stage, 4_900).await;
    other.wait_until_idle().await;
    let after_move = edits(&stage);
    assert!(after_move > before, "{:?}", leases.lock());
    // From now on the other one writes to the chat, and does not wait for failures.
    let move_of_bek = press(&stage, "6");
    let update = stage.update("Bek", false, move_of_bek);
    stage.hear(update).await;
    pass(&mut stage, 1_500).await;
    other.wait_until_idle().await;
    assert!(edits(&stage) > after_move, "{:?}", leases.lock());
}

#[tokio::test]
async fn a_move_waiting_in_one_process_is_in_time_for_the_others() {
    let TwoProcesses { mut stage, other, leases: _, kill: _kill, _alive } =
        start_two_processes().await;
    stage.send_group_message("Ann", "/togyz @Bek me 20 s").await;
    stage.send_group_message("Bek", "/accept").await;
    stage.service.wait_until_idle().await;
    let until_ms = stage.newest_table().await.0.running_clock().unwrap().until_ms;
    while stage.clock.now_ms() + 5_000 < until_ms {
        pass(&mut stage, 100).await;
    }
    // It is received five seconds before the end, and waits for twenty.
    let arrival = other.record_arrival();
    let update = stage.update("Ann", false, press(&stage, "5"));
    pass(&mut stage, 20_000).await;
    assert!(stage.clock.now_ms() > until_ms + 10_000);
    other.handle(Update { arrival, ..update }).await;
    let (table, log) = stage.newest_table().await;
    let late = log.iter().find(|it| it.contains(" late "));
    assert!(late.is_none() && !table.is_late(0) && !table.is_late(1), "{log:?}");
    assert_eq!(table.history.steps.len(), 1, "{log:?}");
    let _stuck = other.record_arrival();
    pass(&mut stage, 60_000).await;
    let (table, log) = stage.newest_table().await;
    assert!(table.is_late(table.seat_to_move().unwrap()), "nobody waits forever: {log:?}");
}

/// A database that fails over without the last transaction: the other process goes on without the
/// move, and the first one has it in memory, in a log of the same length.
#[tokio::test]
async fn a_process_notices_that_a_failover_has_lost_its_last_move() {
    let TwoProcesses { mut stage, other, leases: _, kill: _kill, _alive } =
        start_two_processes().await;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    stage.send_group_message("Bek", "/accept").await;
    stage.service.wait_until_idle().await;
    stage.ticks(LOOK_MS).await;
    let first = press(&stage, "1");
    let instead = press(&stage, "9");
    let update = stage.update("Ann", false, first);
    stage.hear(update).await;
    let (table, lines) = stage.newest_table().await;
    assert_eq!(table.history.steps.len(), 1);
    let (_, without_move) = lines.split_last().unwrap();
    let id = table.id.0.clone();
    let lost = Commit { drops: vec![id.clone()], ..Commit::default() };
    stage.store.commit(lost).await.unwrap();
    let kept = Append::new(id, 0, without_move.to_vec());
    stage.store.commit(Commit { appends: vec![kept], ..Commit::default() }).await.unwrap();
    let update = stage.update("Ann", false, instead);
    other.handle(update).await;
    let (_, replaced) = stage.newest_table().await;
    assert_eq!(replaced.len(), lines.len());
    // The answer to the move is decided on the board of the store.
    stage.ticks(LOOK_MS).await;
    stage.send_group_message("Bek", "/move 7").await;
    let (table, _) = stage.newest_table().await;
    let steps: Vec<&str> = table.history.steps.iter().map(|it| it.token).collect();
    assert_eq!(steps, ["9", "7"]);
}
