//! The only room with a pen: holds tables, writes what is decided with all that follows from it,
//! and tells the other rooms what they have to act on.
//!
//! Start reading at [`Repository::hold`] in `tables`, then [`Repository::enter`] in `entry`, which puts
//! into each commit what [`effects`] lists.

mod archive_table;
pub mod background_tasks;
mod chat_lifecycle;
pub mod chat_settings;
mod code_generator;
pub mod effects;
pub mod keys;
mod limits;
mod log_separation;
mod membership;
pub mod pending_updates;
pub mod preferences;
pub mod profiles;
pub mod quarantine;
pub mod row_update;
mod seat_vacations;
pub mod stored_rows;
mod table_cache;
mod time_source;
mod ttl_backfill;
mod unit_of_work;
pub mod vacations;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, OnceLock, Weak};

use caravanserai_games::ids::{PlaceId, TableId};
use caravanserai_store::latency::LatencyStore;
use caravanserai_store::{
    Commit, Put, Space, Store, StoreAnswer, StoreError, StoreQuery, StoreRow,
};

pub use code_generator::table_code_from;
pub use limits::{BotLimits, DAY_MS, SUBSCRIPTION_TTL_MS};
pub use membership::LatestReport;
pub use table_cache::TableGuard;
pub use time_source::{SystemClock, TimeSource};
pub use unit_of_work::{COMPUTER_CAUSE, ChangedTable, CommitOutcome, TableChange};

/// The number of rows that are read at once where all are needed.
const ROWS_PER_PAGE: usize = 200;

/// Where random bytes come from: seeds of tables and their codes. Tests hand in their own.
pub type Randomness = Box<dyn Fn(&mut [u8]) + Send + Sync>;

/// Disk, network, damage: not the fault of whoever asked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The store did not do what was asked.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log of a table cannot be read, or does not lead anywhere.
    #[error("table {table}: {why}", table = .0.0, why = .1)]
    Damaged(TableId, String),
}

/// Who acts on what was written.
pub trait ChangeListener: Send + Sync + 'static {
    /// A table has changed: its place is to be shown it, or a computer is to think first.
    fn handle_table_change(&self, changed: ChangedTable);

    /// Something waits to be sent to this place.
    fn schedule_send(&self, place: &PlaceId);

    /// Something waits to be sent to this chat and all its topics.
    fn schedule_chat_send(&self, chat: &str);
}

/// Holds tables and writes.
pub struct Repository {
    store: Arc<dyn Store>,
    /// The same store, which measures how long it has not answered.
    watched_store: Arc<LatencyStore>,
    time_source: Arc<dyn TimeSource>,
    randomness: Randomness,
    limits: BotLimits,
    table_cache: table_cache::TableCache,
    quarantined_tables: quarantine::QuarantinedTables,
    pending_updates: pending_updates::PendingUpdates,
    change_listener: OnceLock<Weak<dyn ChangeListener>>,
    /// The name of this process among all that use the store.
    replica: String,
}

impl Repository {
    /// A ledger in this store.
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn TimeSource>,
        randomness: Randomness,
        limits: BotLimits,
    ) -> Self {
        let tables = table_cache::TableCache::new(limits.tables_in_memory);
        // What is written by this clock is over by this clock.
        let wall = clock.clone();
        store.set_clock(Arc::new(move || wall.now_ms()));
        let monotonic = clock.clone();
        let watched = LatencyStore::new(store, Arc::new(move || monotonic.monotonic_ms()));
        let watched = Arc::new(watched);
        let store: Arc<dyn Store> = watched.clone();
        // The seeds of hash maps differ from process to process and from call to call.
        let replica = format!("{:016x}", RandomState::new().build_hasher().finish());
        let (aside, aftermath) = (quarantine::QuarantinedTables::default(), OnceLock::new());
        let arrivals = pending_updates::PendingUpdates::default();
        Repository {
            store,
            watched_store: watched,
            time_source: clock,
            randomness,
            limits,
            table_cache: tables,
            quarantined_tables: aside,
            pending_updates: arrivals,
            change_listener: aftermath,
            replica,
        }
    }

    /// Has somebody act on what is written from now on.
    pub fn subscribe(&self, aftermath: Weak<dyn ChangeListener>) {
        self.change_listener.set(aftermath).ok();
    }

    fn notify_listener(&self, tell: impl FnOnce(&dyn ChangeListener)) {
        if let Some(aftermath) = self.change_listener.get().and_then(Weak::upgrade) {
            tell(&*aftermath);
        }
    }

    /// Something waits to be sent to this place.
    pub fn schedule_send(&self, place: &PlaceId) {
        self.notify_listener(|it| it.schedule_send(place));
    }

    /// Something waits to be sent to this chat and all its topics.
    pub fn schedule_chat_send(&self, chat: &str) {
        self.notify_listener(|it| it.schedule_chat_send(chat));
    }

    /// Where everything is kept.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// How long the store has not answered, in milliseconds.
    pub fn store_silent_ms(&self) -> u64 {
        self.watched_store.oldest_pending_ms()
    }

    /// The time that the longest call of the store took which has ended since this was asked last,
    /// in milliseconds.
    pub fn take_longest_call_ms(&self) -> u64 {
        self.watched_store.take_longest_call_ms()
    }

    /// Time.
    pub fn time_source(&self) -> &Arc<dyn TimeSource> {
        &self.time_source
    }

    /// Milliseconds since 1970.
    pub fn now_ms(&self) -> u64 {
        self.time_source.now_ms()
    }

    /// The updates that are not handled yet.
    pub fn pending_updates(&self) -> &pending_updates::PendingUpdates {
        &self.pending_updates
    }

    /// What is allowed and kept.
    pub fn limits(&self) -> &BotLimits {
        &self.limits
    }

    /// The name of this process among all that use the store.
    pub fn replica(&self) -> &str {
        &self.replica
    }

    /// Random bytes.
    pub fn fill_random(&self, bytes: &mut [u8]) {
        (self.randomness)(bytes);
    }

    /// Answers many questions in one round trip.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn read_many(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, Failure> {
        Ok(self.store.read(reads).await?)
    }

    /// The value under a key.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn read_value(&self, space: Space, key: &str) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.store.get(space, key).await?)
    }

    /// The first rows whose keys begin so.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn read_rows(
        &self,
        space: Space,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<StoreRow>, Failure> {
        Ok(self.store.scan(space, prefix, None, limit).await?)
    }

    /// All rows whose keys have this prefix, read page by page.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn read_all_rows(
        &self,
        space: Space,
        prefix: &str,
    ) -> Result<Vec<StoreRow>, Failure> {
        let mut all: Vec<StoreRow> = Vec::new();
        loop {
            let after = all.last().map(|(key, _)| key.as_str());
            let page = self.store.scan(space, prefix, after, ROWS_PER_PAGE).await?;
            let is_last = page.len() < ROWS_PER_PAGE;
            all.extend(page);
            if is_last {
                return Ok(all);
            }
        }
    }

    /// Writes rows that expect nothing. What is put into the outbox is sent.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn put_all(&self, puts: Vec<Put>) -> Result<(), Failure> {
        if puts.is_empty() {
            return Ok(());
        }
        // What expects nothing meets no conflict.
        self.commit_rows(Commit::from_puts(puts)).await.map(drop)
    }
}
