//! The shell round the pure core: seen? → hold the table → decide → commit → wake the senders.
//!
//! Start reading at [`Service::hear`] in `hear.rs`. Nothing here knows a particular platform.

mod boards;
pub mod clock;
mod confirm;
mod friends;
mod hands;
mod hear;
mod hints;
mod keys;
mod looks;
mod migrate;
mod once;
mod open;
mod outbox;
mod pace;
mod pool;
mod replays;
mod reviews;
mod senders;
mod settings;
mod speak;
mod table_ask;
mod tables;
mod talk;
mod thinkers;
mod timers;
mod which;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock, Weak};

use tokio::sync::watch;

use crate::chat::Platform;
use crate::i18n::I18n;
use crate::ids::TableId;
use crate::ids::{PersonId, PlaceId};
use crate::render::Renderer;
use crate::store::{Store, StoreError};
use clock::Clock;
use tables::Tables;

/// Where random bytes come from: seeds of tables and their codes. Tests hand in their own.
pub type Randomness = Box<dyn Fn(&mut [u8]) + Send + Sync>;

/// Limits that keep one person or group from crowding out the others.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Open tables in one place.
    pub tables_per_place: usize,
    /// Open tables of one person.
    pub tables_per_person: usize,
    /// Tables kept in memory; the others are read from their logs when needed.
    pub tables_in_memory: usize,
    /// How many foreign messages may stand below a board before it is posted anew.
    pub buried: u32,
    /// How long somebody may be silent before they are called, in milliseconds.
    pub call_after_ms: u64,
    /// How long an update is remembered as seen, in milliseconds.
    pub seen_ms: u64,
    /// How many computers think at a time; with 0 they think at once, on the thread that asks.
    pub thinking_threads: usize,
    /// How long the thinking for one review takes at most, in milliseconds.
    pub review_ms: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            tables_per_place: 20,
            tables_per_person: 50,
            tables_in_memory: 10_000,
            buried: 12,
            call_after_ms: 2 * 60_000,
            seen_ms: 3 * 24 * 3_600_000,
            thinking_threads: 2,
            review_ms: 15_000,
        }
    }
}

/// The bot itself, shared by all platforms. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    inner: Arc<Inner>,
}

struct Inner {
    /// This very value, for tasks that outlive a call.
    me: Weak<Inner>,
    store: Arc<dyn Store>,
    i18n: Arc<I18n>,
    renderer: Arc<Renderer>,
    clock: Arc<dyn Clock>,
    randomness: Randomness,
    limits: Limits,
    platforms: RwLock<HashMap<&'static str, Arc<dyn Platform>>>,
    tables: Tables,
    /// Places with a sender at work; `true` when something was added meanwhile.
    senders: Mutex<HashMap<PlaceId, bool>>,
    paces: pace::Paces,
    replays: replays::Replays,
    reviews: reviews::Reviews,
    hints: hints::Hints,
    thinkers: thinkers::Thinkers,
    /// Who pressed once what wants a second press, at which table.
    armed: Mutex<HashMap<(TableId, PersonId), confirm::Armed>>,
    /// Tables that broke the code: set aside until the next start.
    broken: Mutex<HashSet<TableId>>,
    /// Goes up when a deadline was added.
    due: watch::Sender<u64>,
    /// `true` once nothing new is to be begun.
    stopping: watch::Sender<bool>,
    /// Senders, thinkers and timers at work.
    at_work: watch::Sender<usize>,
    /// How many of them are timers, which never rest.
    timers: AtomicUsize,
}

/// What a service is made of.
pub struct Parts {
    /// Where everything is kept.
    pub store: Arc<dyn Store>,
    /// All languages.
    pub i18n: Arc<I18n>,
    /// Draws pictures.
    pub renderer: Arc<Renderer>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Random bytes.
    pub randomness: Randomness,
    /// Limits.
    pub limits: Limits,
}

/// Disk, network, damage: not the fault of whoever asked.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("table {table}: {why}", table = .0.0, why = .1)]
    Damaged(TableId, String),
}

impl Service {
    /// A service without platforms.
    pub fn new(parts: Parts) -> Self {
        let Parts { store, i18n, renderer, clock, randomness, limits } = parts;
        let tables = Tables::new(limits.tables_in_memory);
        let paces = pace::Paces::new(clock.now_ms());
        let thinkers = thinkers::Thinkers::new(limits.thinking_threads);
        let reviews = reviews::Reviews::new(limits.review_ms);
        let inner = Arc::new_cyclic(|me| Inner {
            me: me.clone(),
            store,
            i18n,
            renderer,
            clock,
            randomness,
            limits,
            platforms: RwLock::default(),
            tables,
            senders: Mutex::default(),
            paces,
            replays: replays::Replays::new(),
            reviews,
            hints: hints::Hints::default(),
            thinkers,
            armed: Mutex::default(),
            broken: Mutex::default(),
            due: watch::Sender::new(0),
            stopping: watch::Sender::new(false),
            at_work: watch::Sender::new(0),
            timers: AtomicUsize::new(0),
        });
        Service { inner }
    }

    /// Lets a platform be spoken to.
    pub fn add_platform(&self, platform: Arc<dyn Platform>) {
        let mut platforms = self.inner.platforms.write().expect("nothing panics with this lock");
        platforms.insert(platform.name(), platform);
    }

    /// Takes up what an earlier run left: messages to send, deadlines. Call it once, after the
    /// platforms were added.
    ///
    /// # Errors
    /// With a sentence when the store cannot be read.
    pub async fn start(&self) -> anyhow::Result<()> {
        self.inner.resume_senders("").await?;
        let inner = self.inner.clone();
        inner.begin_work();
        inner.timers.fetch_add(1, Ordering::Relaxed);
        tokio::spawn(async move {
            inner.run_timers().await;
            inner.timers.fetch_sub(1, Ordering::Relaxed);
            inner.end_work();
        });
        Ok(())
    }

    /// Looks again at what waits to be sent, for a platform that was added after the start.
    ///
    /// # Errors
    /// With a sentence when the store cannot be read.
    pub async fn resume(&self) -> anyhow::Result<()> {
        Ok(self.inner.resume_senders("").await?)
    }

    /// Finishes what is being sent and closes the store. New updates are answered kindly but do
    /// nothing.
    ///
    /// # Errors
    /// With a sentence when the store cannot be closed.
    pub async fn stop(&self) -> anyhow::Result<()> {
        self.inner.stopping.send_replace(true);
        let mut at_work = self.inner.at_work.subscribe();
        // The sender of this channel lives in `inner`, which lives as long as `self`.
        at_work.wait_for(|it| *it == 0).await.ok();
        self.inner.store.close().await?;
        Ok(())
    }

    /// Waits until nothing is left to send, as far as this process knows. For tests.
    #[doc(hidden)]
    pub async fn settled(&self) {
        let mut at_work = self.inner.at_work.subscribe();
        let timers = self.inner.timers.load(Ordering::Relaxed);
        at_work.wait_for(|it| *it <= timers).await.ok();
    }

    /// Whether the store answers: for health checks.
    pub async fn is_healthy(&self) -> bool {
        self.inner.store.get(crate::store::Space::Meta, "health").await.is_ok()
    }
}

impl Inner {
    fn platform(&self, place: &PlaceId) -> Option<Arc<dyn Platform>> {
        let platforms = self.platforms.read().expect("nothing panics while holding this lock");
        platforms.get(place.platform()).cloned()
    }

    fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    fn begin_work(&self) {
        self.at_work.send_modify(|it| *it += 1);
    }

    fn end_work(&self) {
        self.at_work.send_modify(|it| *it -= 1);
    }
}
