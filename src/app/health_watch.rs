//! Checks the bot's health every few seconds and reports it to metrics, the log and the supervisor.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant, UNIX_EPOCH};

use super::event_format::refuse_newer_events;
use super::health::{HealthCheck, StoreProblem};
use super::shutdown::Shutdown;
use super::systemd;
use caravanserai_bot::delivery::find_paused_chats;
use caravanserai_bot::repository::outbox_key::OutboxKey;
use caravanserai_bot::repository::{
    ClockJump, ClockWatch, SystemClock, TimeSource, find_unreadable_tables,
};
use caravanserai_games::ids::{ChatId, TableId};
use caravanserai_protocol::PlatformHealth;
use caravanserai_store::{OpenError, Space, Store, StoreRow};

/// Smaller differences of the wall clock are gradual corrections, in milliseconds.
const CLOCK_JUMP_MIN_MS: u64 = 2_000;

/// Interval of the checks.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);
/// Unsent messages are read up to this number; more than this are late anyway.
const UNSENT_MAX: usize = 10_000;

/// How long it is not looked again which chats forbid the bot to write: they may be many.
const PAUSES_KNOWN_FOR: Duration = Duration::from_secs(60);
/// Time limit for reading the unsent messages. When a database hangs, the error comes earlier.
const READ_TIMEOUT: Duration = Duration::from_secs(30);
/// A store that has not answered for so long will not: the process stops reporting itself alive, so
/// that its supervisor restarts it. Not earlier, because a restart heals no slow disk, and the bot
/// forgets who left a chat meanwhile.
const SILENCE_MAX: Duration = Duration::from_secs(5 * 60);

/// State kept between checks.
struct HealthWatch {
    health: Arc<HealthCheck>,
    store: Arc<dyn Store>,
    clock: ClockWatch,
    clock_steps: u64,
    problem: Option<StoreProblem>,
    /// When each unsent message was first seen.
    unsent_since: HashMap<String, Instant>,
    /// The chats with unsent messages that forbid the bot to write, and when that was read.
    paused: (HashSet<ChatId>, Option<Instant>),
    /// The tables whose messages wait until their logs can be read, as of the same time.
    unreadable: HashSet<TableId>,
    silence: StoreSilence,
}

/// Since when the store answers nothing, not even with an error.
#[derive(Default)]
struct StoreSilence {
    since: Option<Instant>,
}

impl StoreSilence {
    /// Records whether the store has answered. Returns whether it will answer later, as far as is
    /// known.
    fn record(&mut self, answered: bool, now: Instant) -> bool {
        if answered {
            self.since = None;
            return true;
        }
        now - *self.since.get_or_insert(now) < SILENCE_MAX
    }
}

/// Checks until `stop`.
///
/// # Errors
/// When the store has ended for good, and only a restart helps; when a newer program uses it.
pub async fn watch_health(
    health: Arc<HealthCheck>,
    store: Arc<dyn Store>,
    stop: Shutdown,
) -> anyhow::Result<()> {
    let mut watch = HealthWatch::new(health, store);
    loop {
        watch.check_clock();
        watch.check_platforms();
        watch.check_stored().await?;
        if !stop.sleep_unless_stopping(CHECK_INTERVAL).await {
            return Ok(());
        }
    }
}

impl HealthWatch {
    fn new(health: Arc<HealthCheck>, store: Arc<dyn Store>) -> Self {
        health.set_alive(Instant::now());
        Self {
            health,
            store,
            clock: ClockWatch::new(CLOCK_JUMP_MIN_MS),
            clock_steps: 0,
            problem: None,
            unsent_since: HashMap::new(),
            paused: (HashSet::new(), None),
            unreadable: HashSet::new(),
            silence: StoreSilence::default(),
        }
    }

    /// Checks the store, and reports the process alive unless the store hangs. A store that refuses
    /// writes is no reason to be restarted: it resumes by itself.
    async fn check_stored(&mut self) -> anyhow::Result<()> {
        let reads = async {
            self.check_unsent().await;
            refuse_newer_events(self.store.as_ref()).await
        };
        let read = match tokio::time::timeout(READ_TIMEOUT, reads).await {
            // In a rolling update, this program could not read what the newer one writes.
            Ok(Err(newer @ OpenError::Permanent(_))) => return Err(newer.into()),
            Ok(_) => true,
            Err(_) => false,
        };
        let answers = self.check_store().await?;
        if self.silence.record(read && answers, Instant::now()) {
            self.health.set_alive(Instant::now());
            systemd::notify_alive();
        }
        Ok(())
    }

    fn check_clock(&mut self) {
        let now_ms = SystemClock.now_ms();
        let steady_ms = SystemClock.monotonic_ms();
        let Some(jump) = self.clock.compare(now_ms, steady_ms) else { return };
        let (by_ms, way) = match jump {
            ClockJump::Forward(by_ms) => (by_ms, "forward"),
            ClockJump::Back(by_ms) => (by_ms, "back"),
        };
        tracing::warn!(seconds = by_ms / 1_000, way, "the clock of this machine jumped");
        metrics::counter!("caravanserai_clock_steps_total").increment(1);
        self.clock_steps += 1;
        self.health.set_clock_steps(self.clock_steps);
    }

    fn check_platforms(&self) {
        let mut serving = Vec::new();
        for platform in self.health.platforms() {
            let up = platform.health == PlatformHealth::Serving;
            let since = platform.since_time.duration_since(UNIX_EPOCH).unwrap_or_default();
            let name = platform.name;
            metrics::gauge!("caravanserai_platform_up", "platform" => name).set(f64::from(up));
            metrics::gauge!("caravanserai_platform_state_timestamp_seconds", "platform" => name)
                .set(since.as_secs_f64());
            if up {
                serving.push(name);
            }
        }
        systemd::notify_status(&serving);
    }

    /// Reads again which chats with unsent messages forbid the bot to write, and which tables with
    /// unsent messages cannot be read.
    async fn read_paused_chats(&mut self, rows: &[StoreRow], now: Instant) {
        if self.paused.1.is_some_and(|it| now - it < PAUSES_KNOWN_FOR) {
            return;
        }
        let chats: BTreeSet<ChatId> = rows.iter().map(|it| OutboxKey::chat_of(&it.0)).collect();
        let chats: Vec<ChatId> = chats.into_iter().collect();
        let now_ms = SystemClock.now_ms();
        if let Ok(tables) = find_unreadable_tables(&*self.store, rows, now_ms).await {
            self.unreadable = tables;
        }
        if let Ok(paused) = find_paused_chats(&*self.store, &chats, now_ms).await {
            metrics::gauge!("caravanserai_paused_chats").set(paused.len() as f64);
            self.paused = (paused, Some(now));
        }
    }

    /// Measures the age of the oldest unsent message on the monotonic clock. Messages to a chat
    /// that forbids the bot to write wait there on purpose, for up to a week, and those of a table
    /// whose log cannot be read for a day; they do not count.
    async fn check_unsent(&mut self) {
        // A failing store is reported by `check_store`.
        let Ok(rows) = self.store.scan(Space::Outbox, "", None, UNSENT_MAX).await else { return };
        let now = Instant::now();
        self.read_paused_chats(&rows, now).await;
        let mut before = std::mem::take(&mut self.unsent_since);
        for (key, _) in rows {
            let is_paused = self.paused.0.contains(&OutboxKey::chat_of(&key));
            let table = OutboxKey::table_of(&key);
            if is_paused || table.is_some_and(|it| self.unreadable.contains(&it)) {
                continue;
            }
            let since = before.remove(&key).unwrap_or(now);
            self.unsent_since.insert(key, since);
        }
        let oldest = self.unsent_since.values().map(|since| now - *since).max().unwrap_or_default();
        self.health.set_oldest_unsent(oldest);
        metrics::gauge!("caravanserai_outbox_messages").set(self.unsent_since.len() as f64);
        metrics::gauge!("caravanserai_oldest_outbox_message_seconds").set(oldest.as_secs_f64());
    }

    /// Checks whether the store accepts writes. Logs changes. Returns whether the store answers, if
    /// only with a refusal.
    async fn check_store(&mut self) -> anyhow::Result<bool> {
        let found = self.health.check_store().await.err();
        metrics::gauge!("caravanserai_store_up").set(f64::from(found.is_none()));
        if found.is_some() {
            metrics::counter!("caravanserai_store_failures_total").increment(1);
        }
        if found != self.problem {
            match &found {
                Some(problem) => tracing::error!("{problem}"),
                None => tracing::info!("the store accepts writes again"),
            }
            self.problem.clone_from(&found);
        }
        match found {
            Some(problem @ StoreProblem::Ended(_)) => Err(problem.into()),
            Some(StoreProblem::Stuck(_) | StoreProblem::Silent) => Ok(false),
            Some(StoreProblem::Paused(_) | StoreProblem::Failing(_)) | None => Ok(true),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use caravanserai_bot::repository::keys;
    use caravanserai_store::memory::MemoryStore;
    use caravanserai_store::{Commit, Put, StoreError, StoreHealth, StoreLayer};
    use caravanserai_table::event::EVENTS_FORMAT;

    use super::super::event_format::note_event_format;
    use super::*;

    /// Reports these states, one for each check, and fails all writes.
    struct Troubled {
        inner: MemoryStore,
        states: Vec<StoreHealth>,
        checks: AtomicUsize,
    }

    #[async_trait]
    impl StoreLayer for Troubled {
        fn inner(&self) -> &dyn Store {
            &self.inner
        }

        async fn commit(&self, _: Commit) -> Result<(), StoreError> {
            Err(StoreError::Failed("no writes".to_owned()))
        }

        fn health(&self) -> StoreHealth {
            self.states[self.checks.fetch_add(1, Ordering::Relaxed)].clone()
        }
    }

    #[tokio::test]
    async fn a_store_that_refuses_writes_answers_and_one_that_hangs_does_not() {
        let why = "the disk is full".to_owned();
        let since_ms = 0;
        let states = vec![
            StoreHealth::Good,
            StoreHealth::Paused { why: why.clone(), since_ms },
            StoreHealth::Stuck { why: why.clone(), since_ms },
            StoreHealth::Ended { why, since_ms },
        ];
        let checks = AtomicUsize::new(0);
        let store: Arc<dyn Store> =
            Arc::new(Troubled { inner: MemoryStore::new(), states, checks });
        let mut watch = HealthWatch::new(Arc::new(HealthCheck::new(store.clone())), store);
        assert!(watch.check_store().await.unwrap(), "it answers with a failure");
        assert!(watch.check_store().await.unwrap(), "it waits for space");
        assert!(!watch.check_store().await.unwrap(), "a write hangs");
        assert!(watch.check_store().await.is_err(), "only a restart helps");
    }

    /// Counts as paused since a read failed, until something is written, as PostgreSQL does.
    #[derive(Default)]
    struct OnceFailed {
        inner: MemoryStore,
        writes: AtomicUsize,
    }

    #[async_trait]
    impl StoreLayer for OnceFailed {
        fn inner(&self) -> &dyn Store {
            &self.inner
        }

        async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
            self.writes.fetch_add(commit.puts.len(), Ordering::Relaxed);
            self.inner.commit(commit).await
        }

        fn health(&self) -> StoreHealth {
            match self.writes.load(Ordering::Relaxed) {
                0 => StoreHealth::Paused { why: "a read took too long".to_owned(), since_ms: 0 },
                _ => StoreHealth::Good,
            }
        }
    }

    #[tokio::test]
    async fn an_idle_process_recovers_from_one_failed_read() {
        let store = Arc::new(OnceFailed::default());
        let health = HealthCheck::new(store.clone());
        for _ in 0..3 {
            assert_eq!(health.check_store().await, Ok(()));
        }
        assert_eq!(store.writes.load(Ordering::Relaxed), 1, "a healthy store is not written to");
    }

    #[tokio::test]
    async fn messages_to_chats_that_forbid_them_are_no_backlog() {
        let row = |space, key: &str, value: &str| Put::new(space, key, value);
        let pause = |until_ms: u64| format!("{{\"until_ms\":{until_ms},\"tries\":3}}");
        let rows = vec![
            row(Space::Outbox, "tg:-1 n x", "{}"),
            row(Space::Meta, "mute tg:-1", "[]"),
            row(Space::Meta, "send-pause tg:-1", &pause(u64::MAX)),
            // Its pause is over.
            row(Space::Outbox, "tg:-2 n x", "{}"),
            row(Space::Meta, "mute tg:-2", "[]"),
            row(Space::Meta, "send-pause tg:-2", &pause(1)),
            // It allows the bot to write again.
            row(Space::Outbox, "tg:-3 n x", "{}"),
            row(Space::Meta, "send-pause tg:-3", &pause(u64::MAX)),
            row(Space::Outbox, "tg:-4 n x", "{}"),
        ];
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        store.commit(Commit::from_puts(rows)).await.unwrap();
        let mut watch = HealthWatch::new(Arc::new(HealthCheck::new(store.clone())), store);
        watch.check_unsent().await;
        let counted: BTreeSet<&str> = watch.unsent_since.keys().map(String::as_str).collect();
        assert_eq!(counted, BTreeSet::from(["tg:-2 n x", "tg:-3 n x", "tg:-4 n x"]));
    }

    #[tokio::test]
    async fn messages_of_tables_that_cannot_be_read_are_no_backlog() {
        let row = |space, key: &str, value: &str| Put::new(space, key, value);
        let mark = |at_ms: u64| format!("{{\"at_ms\":{at_ms},\"why\":\"\"}}");
        let board = "tg:-1 b 7k3fx 0000000000000001 show";
        let hand = "tg:-2 h 7k3fx:0 000000000000001f";
        let old = "tg:-1 r 9ab2c replay";
        let other = "tg:-1 b 5abcd 0000000000000001 show";
        let of = |key: &str| keys::quarantined(Space::Outbox, key);
        let rows = vec![
            row(Space::Outbox, board, "{}"),
            row(Space::Meta, &of(board), &mark(SystemClock.now_ms())),
            // A message of the same table that was not tried yet.
            row(Space::Outbox, hand, "{}"),
            // An earlier message under this key was marked.
            row(Space::Outbox, old, "{}"),
            row(Space::Meta, &of(old), &mark(1)),
            row(Space::Outbox, other, "{}"),
        ];
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        store.commit(Commit::from_puts(rows)).await.unwrap();
        let mut watch = HealthWatch::new(Arc::new(HealthCheck::new(store.clone())), store);
        watch.check_unsent().await;
        let counted: BTreeSet<&str> = watch.unsent_since.keys().map(String::as_str).collect();
        assert_eq!(counted, BTreeSet::from([old, other]));
    }

    #[tokio::test]
    async fn a_program_ends_when_a_newer_one_uses_its_store() {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        note_event_format(store.as_ref()).await.unwrap();
        let mut watch = HealthWatch::new(Arc::new(HealthCheck::new(store.clone())), store.clone());
        watch.check_stored().await.unwrap();
        let newer = (EVENTS_FORMAT + 1).to_string();
        let row = Put::new(Space::Meta, keys::EVENT_FORMAT, newer);
        store.commit(Commit::from_puts(vec![row])).await.unwrap();
        let ended = watch.check_stored().await.unwrap_err().to_string();
        assert!(ended.contains("a newer program writes to this store"), "{ended}");
    }

    #[test]
    fn only_long_silence_ends_the_reports_of_being_alive() {
        let mut silence = StoreSilence::default();
        let begin = Instant::now();
        let at = |seconds: u64| begin + Duration::from_secs(seconds);
        assert!(silence.record(true, at(0)));
        assert!(silence.record(false, at(10)));
        assert!(silence.record(false, at(300)));
        assert!(!silence.record(false, at(310)));
        assert!(silence.record(true, at(320)), "it has answered");
        assert!(silence.record(false, at(330)));
        assert!(silence.record(false, at(629)));
        assert!(!silence.record(false, at(630)));
    }
}
