//! Loads and locks tables, writes decisions with all their effects in one commit, and notifies the
//! rest of the bot of changes. All changes of tables and profiles are written here.
//!
//! Start reading at [`Repository::lock_table`] in `table_cache`, then
//! [`Repository::commit_changes`] in `unit_of_work`, which adds to each commit the rows that
//! [`effects`] computes.

mod archive_table;
pub mod background_tasks;
pub mod block_lists;
mod chat_lifecycle;
pub mod chat_settings;
mod clock_watch;
mod code_generator;
mod deletion_conflicts;
pub mod effects;
mod external_events;
mod guests;
pub mod hidden_names;
mod kept_games;
pub mod keys;
mod limits;
mod log_pages;
mod log_separation;
mod membership;
pub mod outbox_entry;
pub mod outbox_key;
mod pair_limits;
pub mod pending_updates;
pub mod preferences;
pub mod profiles;
pub mod quarantine;
mod rating_blocks;
mod rating_pauses;
mod repair_table;
pub mod row_update;
mod seat_blocks;
mod seat_vacations;
pub mod stored_rows;
mod table_cache;
mod time_source;
pub(crate) mod ttl_backfill;
mod unit_of_work;
mod unreadable_tables;
pub mod vacation_balance;

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, OnceLock, Weak};

use parking_lot::{Mutex, RwLock};

use caravanserai_games::ids::{ChatId, TableId};
use caravanserai_store::latency::LatencyStore;
use caravanserai_store::{
    Commit, Put, Space, Store, StoreAnswer, StoreError, StoreQuery, StoreRow,
};

pub use archive_table::{LogReplacement, report_kept_log};
pub use chat_lifecycle::ChatLifecycle;
pub use clock_watch::{ClockJump, ClockWatch};
pub use code_generator::{letters_from, table_code_from};
pub use external_events::{ExternalEvents, LINKING_CAUSE};
pub use kept_games::{GameRemoval, KeptGames, REMOVED_WITH_CHAT};
pub use limits::{BotLimits, DAY_MS, HOUR_MS, MINUTE_MS, SUBSCRIPTION_TTL_MS};
pub use log_pages::{PANICKED, log_skipped_log};
pub use log_separation::LogSeparation;
pub use membership::{LatestReport, MembershipReports};
pub use rating_blocks::{DeletedAccount, RATING_BLOCK_MS};
pub use repair_table::RepairOutcome;
pub use seat_blocks::SeatBlock;
pub use table_cache::TableGuard;
pub use time_source::{SystemClock, TimeSource, utc_date};
pub(crate) use ttl_backfill::ARCHIVE_SPACING_MS;
pub use ttl_backfill::TtlBackfill;
pub use unit_of_work::{COMPUTER_CAUSE, ChangedTable, CommitOutcome, TableChange, WaitingInChat};
pub use unreadable_tables::find_unreadable_tables;

/// The number of rows in a page, where all rows are needed.
const ROWS_PER_PAGE: usize = 200;

/// The source of random bytes for the seeds and codes of tables. Tests pass their own.
pub type Randomness = Box<dyn Fn(&mut [u8]) + Send + Sync>;

/// A failure of the store or the network, or damaged data; not a fault of the request, apart from
/// [`Failure::SeatBlocked`] and [`Failure::ChatBeingDeleted`].
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The store could not do a requested operation.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log of a table cannot be read, or does not describe a valid table.
    #[error("table {table}: {why}", table = .0.0, why = .1)]
    Damaged(TableId, String),
    /// The commit would have seated people together who block each other, or named a person whose
    /// data is being deleted. Nothing was written.
    #[error("these people cannot be at one table")]
    SeatBlocked(Vec<SeatBlock>),
    /// The commit would have brought a table to a chat whose data is being deleted. Nothing was
    /// written.
    #[error("the data of this chat is being deleted")]
    ChatBeingDeleted,
}

/// Acts on committed changes.
pub trait ChangeListener: Send + Sync + 'static {
    /// Handles a changed table: its board must be updated, or a computer has to think first.
    fn handle_table_change(&self, changed: ChangedTable);

    /// Schedules sending to this chat, whose outbox has new entries.
    fn schedule_send(&self, chat: &ChatId);

    /// Schedules sending to this chat and all its topics, whose outbox has new entries.
    fn schedule_chat_send(&self, chat: &str);
}

/// Reads and writes tables, profiles and all other rows of the store.
pub struct Repository {
    store: Arc<dyn Store>,
    /// The same store; measures how long its oldest pending call takes.
    watched_store: Arc<LatencyStore>,
    time_source: Arc<dyn TimeSource>,
    randomness: Randomness,
    limits: BotLimits,
    table_cache: table_cache::TableCache,
    quarantined_tables: quarantine::QuarantinedTables,
    unreadable_tables: unreadable_tables::UnreadableTables,
    hidden_name_cache: hidden_names::HiddenNameCache,
    pending_updates: pending_updates::PendingUpdates,
    change_listener: OnceLock<Weak<dyn ChangeListener>>,
    /// The key of the hashes of accounts, once it was read.
    personal_data_key: OnceLock<String>,
    /// The chats of commits that failed without a clear result.
    uncertain_chats: Mutex<BTreeSet<ChatId>>,
    /// The platforms on which everybody gets accounts.
    guest_platforms: RwLock<BTreeSet<String>>,
    /// The id of this process among all that use the store.
    replica: String,
}

impl Repository {
    /// Creates a repository on this store.
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn TimeSource>,
        randomness: Randomness,
        limits: BotLimits,
    ) -> Self {
        let table_cache = table_cache::TableCache::new(limits.tables_in_memory);
        // Rows expire by the same clock that is used to write them.
        let wall_clock = clock.clone();
        store.set_clock(Arc::new(move || wall_clock.now_ms()));
        let monotonic_clock = clock.clone();
        let watched_store =
            LatencyStore::new(store, Arc::new(move || monotonic_clock.monotonic_ms()));
        let watched_store = Arc::new(watched_store);
        let store: Arc<dyn Store> = watched_store.clone();
        // The seeds of hash maps differ between processes and between calls.
        let replica = format!("{:016x}", RandomState::new().build_hasher().finish());
        let quarantined_tables = quarantine::QuarantinedTables::default();
        let change_listener = OnceLock::new();
        let pending_updates = pending_updates::PendingUpdates::default();
        Repository {
            store,
            watched_store,
            time_source: clock,
            randomness,
            limits,
            table_cache,
            quarantined_tables,
            unreadable_tables: unreadable_tables::UnreadableTables::default(),
            hidden_name_cache: hidden_names::HiddenNameCache::default(),
            pending_updates,
            change_listener,
            personal_data_key: OnceLock::new(),
            uncertain_chats: Mutex::default(),
            guest_platforms: RwLock::default(),
            replica,
        }
    }

    /// Sets the listener that acts on all later commits.
    pub fn subscribe(&self, listener: Weak<dyn ChangeListener>) {
        self.change_listener.set(listener).ok();
    }

    fn notify_listener(&self, notify: impl FnOnce(&dyn ChangeListener)) {
        if let Some(listener) = self.change_listener.get().and_then(Weak::upgrade) {
            notify(&*listener);
        }
    }

    /// Schedules sending to this chat, whose outbox has new entries.
    pub fn schedule_send(&self, chat: &ChatId) {
        self.notify_listener(|it| it.schedule_send(chat));
    }

    /// Schedules sending to this chat and all its topics, whose outbox has new entries.
    pub fn schedule_chat_send(&self, chat: &str) {
        self.notify_listener(|it| it.schedule_chat_send(chat));
    }

    /// The store that this repository reads and writes.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// How long the oldest pending call to the store has been running, in milliseconds.
    pub fn store_silent_ms(&self) -> u64 {
        self.watched_store.oldest_pending_ms()
    }

    /// The longest duration of a store call that ended since the last call of this method, in
    /// milliseconds.
    pub fn take_longest_call_ms(&self) -> u64 {
        self.watched_store.take_longest_call_ms()
    }

    /// The source of the current time.
    pub fn time_source(&self) -> &Arc<dyn TimeSource> {
        &self.time_source
    }

    /// The current time, in milliseconds since 1970.
    pub fn now_ms(&self) -> u64 {
        self.time_source.now_ms()
    }

    /// The updates that were received and are not handled yet.
    pub fn pending_updates(&self) -> &pending_updates::PendingUpdates {
        &self.pending_updates
    }

    /// The limits and retention times of the bot.
    pub fn limits(&self) -> &BotLimits {
        &self.limits
    }

    /// The id of this process among all that use the store.
    pub fn replica(&self) -> &str {
        &self.replica
    }

    /// Fills a buffer with random bytes.
    pub fn fill_random(&self, bytes: &mut [u8]) {
        (self.randomness)(bytes);
    }

    /// Reads the results of many queries in one round trip.
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

    /// The first rows whose keys have this prefix.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn read_rows(
        &self,
        space: Space,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<StoreRow>, Failure> {
        self.read_rows_after(space, prefix, "", limit).await
    }

    /// The first rows whose keys have this prefix and are greater than `after`. An empty `after` is
    /// less than every key, so stored progress begins with it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn read_rows_after(
        &self,
        space: Space,
        prefix: &str,
        after: &str,
        limit: usize,
    ) -> Result<Vec<StoreRow>, Failure> {
        let after = Some(after).filter(|it| !it.is_empty());
        Ok(self.store.scan(space, prefix, after, limit).await?)
    }

    /// The number of rows whose keys have this prefix, read page by page.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn count_rows(&self, space: Space, prefix: &str) -> Result<usize, Failure> {
        let mut count = 0;
        self.for_each_row(space, prefix, |_| count += 1).await?;
        Ok(count)
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
        let mut all = Vec::new();
        self.for_each_row(space, prefix, |row| all.push(row)).await?;
        Ok(all)
    }

    /// Visits all rows whose keys have this prefix, read page by page.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn for_each_row(
        &self,
        space: Space,
        prefix: &str,
        mut visit: impl FnMut(StoreRow),
    ) -> Result<(), Failure> {
        let mut after = String::new();
        loop {
            let page = self.read_rows_after(space, prefix, &after, ROWS_PER_PAGE).await?;
            let is_last = page.len() < ROWS_PER_PAGE;
            after = page.last().map(|(key, _)| key.clone()).unwrap_or_default();
            page.into_iter().for_each(&mut visit);
            if is_last {
                return Ok(());
            }
        }
    }

    /// Writes rows without conditions. New outbox entries are sent.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn put_all(&self, puts: Vec<Put>) -> Result<(), Failure> {
        if puts.is_empty() {
            return Ok(());
        }
        // A commit without conditions cannot conflict.
        self.commit_rows(Commit::from_puts(puts)).await.map(drop)
    }
}
