//! Time in which no bot ran is given back once; with quick clocks also a short time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use caravanserai_bot::repository::keys;
use caravanserai_bot::service::TimeSource as _;
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{
    Commit, Put, Space, Store, StoreAnswer, StoreError, StoreLayer, StoreQuery, StoreRow,
};
use caravanserai_table::state::TablePhase;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::stage::clock::TestClock;
use crate::stage::memory::MemoryStage;
use crate::stage::web::WebStage;
use crate::stage::{Stage, play};

/// A store that takes every question and answers none while it hangs; it never fails.
struct HangingStore {
    inner: MemoryStore,
    hangs: watch::Receiver<bool>,
}

impl HangingStore {
    async fn answers(&self) {
        self.hangs.clone().wait_for(|hangs| !hangs).await.expect("the test ends later");
    }
}

#[async_trait]
impl StoreLayer for HangingStore {
    fn inner(&self) -> &dyn Store {
        &self.inner
    }

    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        self.answers().await;
        self.inner.read(reads).await
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        self.answers().await;
        self.inner.commit(commit).await
    }
}

/// A store that fails while this is set.
pub struct FailingStore {
    inner: MemoryStore,
    fails: Arc<AtomicBool>,
    kind: FailureKind,
}

/// What fails.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    Reads,
    Commits,
}

impl FailingStore {
    /// An empty store.
    pub fn new(kind: FailureKind, fails: &Arc<AtomicBool>) -> Self {
        Self { inner: MemoryStore::default(), fails: Arc::clone(fails), kind }
    }

    fn check(&self, kind: FailureKind, why: &str) -> Result<(), StoreError> {
        match self.kind == kind && self.fails.load(Ordering::SeqCst) {
            true => Err(StoreError::Failed(why.to_owned())),
            false => Ok(()),
        }
    }
}

#[async_trait]
impl StoreLayer for FailingStore {
    fn inner(&self) -> &dyn Store {
        &self.inner
    }

    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        self.check(FailureKind::Reads, "it is switched over")?;
        self.inner.read(reads).await
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        self.check(FailureKind::Commits, "the disk is full")?;
        self.inner.commit(commit).await
    }
}

/// Makes the error of a store from its description.
type MakeError = fn(String) -> StoreError;

/// A store in which the log of one table makes the program panic or cannot be read, or the next
/// reads take time.
#[derive(Default)]
struct TroubledStore {
    inner: MemoryStore,
    /// The table whose log makes the program panic.
    panics: Mutex<Option<String>>,
    /// The table whose log cannot be read, and what the store says about it.
    unreadable: Mutex<Option<(String, MakeError)>>,
    /// How often that log was to be read.
    unreadable_reads: AtomicUsize,
    /// How often there are still as many expired rows as are deleted at once; each time takes so
    /// many milliseconds.
    expired: Mutex<Option<(Arc<TestClock>, u64, usize)>>,
    /// Whether the list of chats is not answered.
    hides_chats: watch::Sender<bool>,
    /// Whether the next commit is made, but seems to fail.
    loses_reply: AtomicBool,
    /// Whether deadlines that were claimed are kept back if there are any, and whether some are.
    keeps_claims: watch::Sender<bool>,
    has_claims: AtomicBool,
    /// How long each of the next reads takes, and their number.
    slow: Mutex<Option<(Arc<TestClock>, u64, usize)>>,
}

impl TroubledStore {
    /// Whether there are still many expired rows. Deleting some takes time.
    fn has_expired_rows(&self) -> bool {
        let mut expired = self.expired.lock();
        let Some((clock, ms, left)) = expired.as_mut().filter(|it| it.2 > 0) else { return false };
        *left -= 1;
        clock.pass_ms(*ms);
        true
    }

    fn prepare_read(&self, reads: &[StoreQuery]) -> Result<(), StoreError> {
        let (broken, unreadable) = (self.panics.lock().clone(), self.unreadable.lock().clone());
        for read in reads {
            let StoreQuery::Log { table, .. } = read else { continue };
            assert_ne!(broken.as_ref(), Some(table), "made to panic");
            if let Some((_, error)) = unreadable.as_ref().filter(|it| it.0 == *table) {
                self.unreadable_reads.fetch_add(1, Ordering::SeqCst);
                return Err(error("a line cannot be read".to_owned()));
            }
        }
        let mut slow = self.slow.lock();
        if let Some((clock, ms, left)) = slow.as_mut().filter(|it| it.2 > 0) {
            *left -= 1;
            clock.pass_ms(*ms);
        }
        Ok(())
    }
}

#[async_trait]
impl StoreLayer for TroubledStore {
    fn inner(&self) -> &dyn Store {
        &self.inner
    }

    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        self.prepare_read(reads)?;
        let is_of_chats =
            |it: &StoreQuery| matches!(it, StoreQuery::Scan { space: Space::ChatProfile, .. });
        if reads.iter().any(is_of_chats) {
            self.hides_chats.subscribe().wait_for(|it| !it).await.expect("the test ends later");
        }
        self.inner.read(reads).await
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        let changes_table = !commit.appends.is_empty();
        self.inner.commit(commit).await?;
        match changes_table && self.loses_reply.swap(false, Ordering::SeqCst) {
            true => Err(StoreError::Failed("the reply was lost".to_owned())),
            false => Ok(()),
        }
    }

    async fn claim_rows(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError> {
        let rows = self.inner.claim_rows(space, upto, owner, for_ms, limit).await?;
        if !rows.is_empty() && *self.keeps_claims.borrow() {
            self.has_claims.store(true, Ordering::SeqCst);
            self.keeps_claims.subscribe().wait_for(|it| !it).await.expect("the test ends later");
        }
        Ok(rows)
    }

    async fn remove_expired(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        match self.has_expired_rows() {
            true => Ok(limit),
            false => self.inner.remove_expired(now_ms, limit).await,
        }
    }
}

/// When the clock of the turn runs out.
async fn until_ms(stage: &MemoryStage) -> u64 {
    stage.newest_table().await.0.running_clock().expect("Ann is on turn").until_ms
}

/// When a process last looked at deadlines, in milliseconds since 1970.
async fn marked_ms(stage: &MemoryStage) -> u64 {
    let row = stage.store.get(Space::Meta, keys::LAST_ALIVE).await.unwrap();
    row.map_or(0, |it| serde_json::from_slice(&it).unwrap())
}

/// A game of Ann and Bek with this clock, some seconds old.
async fn game(clock: &str) -> MemoryStage {
    game_in(Arc::new(MemoryStore::default()), clock).await
}

/// The same in this store.
async fn game_in(store: Arc<dyn Store>, clock: &str) -> MemoryStage {
    let mut stage = MemoryStage::new(store).await;
    let opens = format!(
        "people Ann Bek\nAnn says /togyz @Bek me {clock}\nBek presses Accept\n\
         everyone sees Ann is to move"
    );
    play("opens", &opens, &mut stage).await;
    for _ in 0..4 {
        stage.ticks(1_000).await;
    }
    stage
}

/// The process ends, and another one starts after so many milliseconds.
async fn is_down(stage: &mut MemoryStage, ms: u64) {
    stage.service.kill_for_test().await;
    stage.ticks(0).await;
    stage.clock.pass_ms(ms);
    stage.restart().await;
}

#[tokio::test]
async fn a_quick_clock_gets_back_what_a_short_restart_takes() {
    let mut stage = game("20 s").await;
    assert!(stage.clock.now_ms() - marked_ms(&stage).await <= 1_000, "marked each second");
    let before_ms = until_ms(&stage).await;
    is_down(&mut stage, 15_000).await;
    let given_ms = until_ms(&stage).await - before_ms;
    assert!((15_000..=16_000).contains(&given_ms), "{given_ms}");
    // Another start gives nothing again, nor does one that takes no time.
    is_down(&mut stage, 0).await;
    is_down(&mut stage, 1_500).await;
    assert_eq!(until_ms(&stage).await - before_ms, given_ms);
}

#[tokio::test]
async fn a_table_that_makes_the_refund_panic_takes_no_time_of_others() {
    let store = Arc::new(TroubledStore::default());
    let mut stage = game_in(store.clone(), "20 s").await;
    let broken = stage.newest_table().await.0.id.0.clone();
    stage.ticks(1_000).await;
    let opens = "people Ann Bek\nAnn says /togyz @Bek me 20 s\nBek presses Accept";
    play("opens another", opens, &mut stage).await;
    stage.ticks(1_000).await;
    let before_ms = until_ms(&stage).await;
    *store.panics.lock() = Some(broken.clone());
    is_down(&mut stage, 8_000).await;
    *store.panics.lock() = None;
    assert_ne!(stage.newest_table().await.0.id.0, broken);
    let given_ms = until_ms(&stage).await - before_ms;
    assert!((8_000..=9_000).contains(&given_ms), "{given_ms}");
}

/// A quick game, and a later one with this clock. Gives the code of the first one.
async fn two_games(store: &Arc<TroubledStore>, clock: &str) -> (MemoryStage, String) {
    let mut stage = game_in(store.clone(), "20 s").await;
    let first = stage.newest_table().await.0.id.0.clone();
    stage.ticks(1_000).await;
    let opens = format!("people Ann Bek\nAnn says /togyz @Bek me {clock}\nBek presses Accept");
    play("opens another", &opens, &mut stage).await;
    stage.ticks(1_000).await;
    assert_ne!(stage.newest_table().await.0.id.0, first);
    (stage, first)
}

/// The reply to a commit was lost, so the player reads that the move was not saved.
#[tokio::test]
async fn a_move_that_was_saved_although_it_seemed_to_fail_is_shown_at_once() {
    let store = Arc::new(TroubledStore::default());
    let mut stage = game_in(store.clone(), "1 day").await;
    store.loses_reply.store(true, Ordering::SeqCst);
    stage.send_group_message("Ann", "/move 7").await;
    play("is shown", "people Ann Bek\neveryone sees Bek is to move", &mut stage).await;
    assert!(!store.loses_reply.load(Ordering::SeqCst));
}

/// The deadline of a clock is claimed, and before it is handled the opponent offers a draw.
#[tokio::test]
async fn an_offer_in_the_last_moment_stops_no_clock() {
    let store = Arc::new(TroubledStore::default());
    let mut stage = game_in(store.clone(), "20 s").await;
    let ends_ms = until_ms(&stage).await + 5_000;
    store.keeps_claims.send_replace(true);
    while !store.has_claims.load(Ordering::SeqCst) {
        assert!(stage.clock.now_ms() < ends_ms, "the clock has a deadline");
        stage.ticks(100).await;
    }
    play("offers", "people Ann Bek\nBek says /draw\nAnn sees offers a draw", &mut stage).await;
    store.keeps_claims.send_replace(false);
    for _ in 0..10 {
        stage.ticks(1_000).await;
    }
    let (table, log) = stage.newest_table().await;
    assert!(table.is_late(table.seat_to_move().unwrap()), "{log:#?}");
}

#[tokio::test]
async fn a_log_that_the_store_cannot_read_stops_no_clock() {
    let store = Arc::new(TroubledStore::default());
    let (mut stage, broken) = two_games(&store, "20 s").await;
    let sound = stage.newest_table().await.0.id.0.clone();
    let log = async || store.inner.read_log(&sound, 0).await.unwrap();
    *store.unreadable.lock() = Some((broken.clone(), StoreError::Damaged));
    is_down(&mut stage, 8_000).await;
    for _ in 0..6 {
        stage.ticks(1_000).await;
    }
    let credits = log().await.iter().filter(|it| it.contains(" outage credit ")).count();
    assert_eq!(credits, 1, "time is given back once");
    assert!(stage.clock.now_ms() - marked_ms(&stage).await <= 1_000, "the process says it runs");
    for _ in 0..60 {
        stage.ticks(1_000).await;
    }
    assert!(log().await.iter().any(|it| it.contains(" late ")), "the clock runs out");
    let reported = stage.store.scan(Space::Meta, "aside due ", None, 9).await.unwrap();
    assert!(reported.iter().any(|(key, _)| key.contains(&broken)), "{reported:?}");
}

#[tokio::test]
async fn a_read_of_one_table_that_fails_keeps_no_other_from_its_refund() {
    let store = Arc::new(TroubledStore::default());
    let (mut stage, broken) = two_games(&store, "60 min").await;
    let sound = stage.newest_table().await.0.id.0.clone();
    *store.unreadable.lock() = Some((broken, StoreError::Failed));
    // Quick clocks come first, and the other game has a slow one.
    is_down(&mut stage, 60_000).await;
    stage.ticks(0).await;
    let log = store.inner.read_log(&sound, 0).await.unwrap();
    assert!(log.iter().any(|it| it.contains(" outage credit ")), "{log:#?}");
}

#[tokio::test]
async fn a_refund_that_failed_waits_although_its_commits_notify() {
    let store = Arc::new(TroubledStore::default());
    let (mut stage, broken) = two_games(&store, "20 s").await;
    *store.unreadable.lock() = Some((broken, StoreError::Failed));
    is_down(&mut stage, 8_000).await;
    stage.ticks(2_000).await;
    let before = store.unreadable_reads.load(Ordering::SeqCst);
    for _ in 0..40 {
        stage.ticks(500).await;
    }
    let tries = store.unreadable_reads.load(Ordering::SeqCst) - before;
    assert!((8..=11).contains(&tries), "{tries} in 20 seconds");
}

#[tokio::test]
async fn a_quick_clock_gets_back_the_time_that_the_refund_at_a_start_takes() {
    let store = Arc::new(TroubledStore::default());
    let mut stage = game_in(store.clone(), "20 s").await;
    let before_ms = until_ms(&stage).await;
    stage.service.kill_for_test().await;
    stage.ticks(0).await;
    stage.clock.pass_ms(15_000);
    // Each read is too short to count as hung.
    *store.slow.lock() = Some((stage.clock.clone(), 900, 5));
    stage.restart().await;
    let given_ms = until_ms(&stage).await - before_ms;
    assert!((15_000 + 4 * 900..=16_000 + 5 * 900).contains(&given_ms), "{given_ms}");
}

#[tokio::test]
async fn marks_are_rare_without_a_quick_clock() {
    let stage = &mut game("1 day").await;
    let mut marks = std::collections::BTreeSet::new();
    for _ in 0..40 {
        stage.ticks(1_000).await;
        marks.insert(marked_ms(stage).await);
    }
    assert!(marks.len() <= 6, "{marks:?}");
    // The row of a quick clock goes when its game is over.
    let stage = &mut game("20 s").await;
    play("ends", "Ann says /resign\nAnn says /resign\nBek sees resigned", stage).await;
    assert!(
        stage.store.scan(Space::Meta, keys::QUICK_CLOCK_PREFIX, None, 1).await.unwrap().is_empty()
    );
}

#[tokio::test]
async fn a_quick_clock_gets_back_the_time_in_which_the_store_hung() {
    // The store begins to hang at each moment of a second, in all requests of the process.
    for asked_ms in [0, 200, 400, 600, 800] {
        let (hanging, hangs) = watch::channel(false);
        let store = HangingStore { inner: MemoryStore::default(), hangs };
        let mut stage = game_in(Arc::new(store), "20 s").await;
        let before_ms = until_ms(&stage).await;
        stage.ticks(asked_ms).await;
        hanging.send_replace(true);
        for _ in 0..30 {
            stage.ticks(1_000).await;
        }
        hanging.send_replace(false);
        stage.ticks(0).await;
        let given_ms = until_ms(&stage).await - before_ms;
        assert!((29_000..=32_000).contains(&given_ms), "{asked_ms}: {given_ms}");
    }
}

#[tokio::test]
async fn many_expired_rows_and_a_message_to_all_chats_hold_up_no_deadline() {
    let store = Arc::new(TroubledStore::default());
    let mut stage = game_in(store.clone(), "2 min").await;
    store.hides_chats.send_replace(true);
    let message = Put::new(Space::Meta, keys::OPERATOR_MESSAGE, r#"{"at_ms":1,"text":"hello"}"#);
    store.inner.commit(Commit::from_puts(vec![message])).await.unwrap();
    *store.expired.lock() = Some((stage.clock.clone(), 400, 200));
    // The work of each minute begins while the clock runs.
    for _ in 0..80 {
        stage.ticks(1_000).await;
    }
    let left = store.expired.lock().as_ref().map(|it| it.2);
    assert!(left.is_some_and(|it| (190..200).contains(&it)), "{left:?} are left");
    for _ in 0..80 {
        stage.ticks(1_000).await;
    }
    let log = stage.newest_table().await.1;
    assert!(log.iter().any(|it| it.contains(" late ")), "{log:#?}");
    store.hides_chats.send_replace(false);
    stage.ticks(60_000).await;
    let message = store.inner.get(Space::Meta, keys::OPERATOR_MESSAGE).await.unwrap();
    assert_eq!(message, None, "it goes on");
}

/// The number of lines of the newest table that give time back after an outage.
async fn outage_credits(stage: &MemoryStage) -> usize {
    stage.newest_table().await.1.iter().filter(|it| it.contains(" outage credit ")).count()
}

#[tokio::test]
async fn a_quick_clock_gets_back_the_time_in_which_the_process_was_frozen() {
    let mut stage = game("20 s").await;
    let before_ms = until_ms(&stage).await;
    stage.clock.freeze_ms(75_000);
    stage.ticks(0).await;
    let given_ms = until_ms(&stage).await - before_ms;
    assert!((75_000..=76_500).contains(&given_ms), "{given_ms}");
    stage.ticks(1_000).await;
    assert_eq!(outage_credits(&stage).await, 1, "once");
}

#[tokio::test]
async fn a_clock_that_is_set_forward_takes_no_time_of_a_player() {
    for by_ms in [5_000, 3_600_000] {
        let mut stage = game("20 s").await;
        let before_ms = until_ms(&stage).await;
        stage.clock.set_ms(by_ms);
        stage.ticks(1_000).await;
        let given_ms = (until_ms(&stage).await - before_ms) as i64;
        assert!((by_ms..=by_ms + 2_500).contains(&given_ms), "{by_ms}: {given_ms}");
        // It is corrected.
        stage.clock.set_ms(-by_ms);
        stage.ticks(1_000).await;
        assert_eq!(outage_credits(&stage).await, 1, "once");
    }
}

#[tokio::test]
async fn a_slow_clock_gets_back_only_what_matters() {
    let clocks = ["1 day", "60 min"];
    for (clock, down_ms, given) in [
        (clocks[0], 20_000, 0),
        (clocks[0], 60_000, 0),
        (clocks[0], 900_000, 1),
        (clocks[1], 60_000, 1),
    ] {
        let mut stage = game(clock).await;
        is_down(&mut stage, down_ms).await;
        stage.ticks(0).await;
        assert_eq!(outage_credits(&stage).await, given, "{clock}: {down_ms}");
    }
}

/// Lets so many minutes pass, one after the other.
async fn minutes(stage: &mut MemoryStage, minutes: u64) {
    for _ in 0..minutes {
        stage.ticks(60_000).await;
    }
}

#[tokio::test]
async fn nothing_is_deleted_in_the_minutes_after_the_clock_was_set_far_forward() {
    const YEAR_MS: i64 = 365 * 24 * 3_600_000;
    for (wrong_minutes, is_kept) in [(8, true), (15, false)] {
        let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
        let opens = "people Ann Bek\nAnn says /togyz @Bek me no clock\nBek presses Accept\n\
                     everyone sees Ann is to move";
        play("opens", opens, &mut stage).await;
        minutes(&mut stage, 2).await;
        stage.clock.set_ms(YEAR_MS);
        minutes(&mut stage, wrong_minutes).await;
        stage.clock.set_ms(-YEAR_MS);
        minutes(&mut stage, 2).await;
        let seen = stage.store.scan(Space::Seen, "", None, 9).await.unwrap();
        assert_eq!(!seen.is_empty(), is_kept, "{wrong_minutes} minutes: {seen:?}");
        let is_playing = stage.newest_table().await.0.phase == TablePhase::Playing;
        assert_eq!(is_playing, is_kept, "{wrong_minutes} minutes");
    }
}

#[tokio::test]
async fn a_table_that_cannot_be_read_now_is_not_gone() {
    let fails = Arc::new(AtomicBool::new(false));
    let mut stage = WebStage::new(Arc::new(FailingStore::new(FailureKind::Reads, &fails))).await;
    play("opens", "people Ann Bek\nAnn says /togyz me\nBek presses Join", &mut stage).await;
    let table = stage.own_tables("Ann").await["tables"][0]["table"].clone();
    let table = format!("rooms/family/tables/{}", table.as_str().unwrap());
    let replay = format!("{table}/replay");
    fails.store(true, Ordering::SeqCst);
    for path in [&table, &replay] {
        assert_eq!(stage.refused("Ann", path).await, 503, "{path}");
    }
    fails.store(false, Ordering::SeqCst);
    for path in [&table, &replay] {
        assert_eq!(stage.refused("Ann", path).await, 200, "{path}");
    }
    assert_eq!(stage.refused("Ann", "rooms/family/tables/zzzzzz9").await, 404);
}
