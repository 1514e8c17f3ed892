//! The only room with a pen: holds tables, writes what is decided with all that follows from it,
//! and tells the other rooms what they have to act on.
//!
//! Start reading at [`Ledger::hold`] in `tables`, then [`Ledger::enter`] in `entry`, which puts
//! into each commit what [`consequences`] lists.

mod ageing;
mod archiving;
pub mod arrivals;
pub mod aside;
pub mod changes;
pub mod choices;
mod clock;
mod codes;
pub mod consequences;
mod entry;
pub mod inherited;
pub mod keys;
mod limits;
mod membership;
mod moving;
pub mod profiles;
pub mod rows;
mod seating;
mod separating;
mod tables;
pub mod tasks;
pub mod vacations;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, OnceLock, Weak};

use caravanserai_games::ids::{PlaceId, TableId};
use caravanserai_store::watched::WatchedStore;
use caravanserai_store::{Commit, Found, Put, Read, Row, Space, Store, StoreError};

pub use clock::{Clock, SystemClock};
pub use codes::code_of;
pub use entry::{COMPUTER, Changed, Deed, Entered};
pub use limits::{AWAITED_MS, DAY_MS, Limits};
pub use membership::Newest;
pub use tables::Held;

/// The number of rows that are read at once where all are needed.
const PAGE: usize = 200;

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
pub trait Aftermath: Send + Sync + 'static {
    /// A table has changed: its place is to be shown it, or a computer is to think first.
    fn changed(&self, changed: Changed);

    /// Something waits to be sent to this place.
    fn wake(&self, place: &PlaceId);

    /// Something waits to be sent to this chat and all its topics.
    fn wake_chat(&self, chat: &str);
}

/// Holds tables and writes.
pub struct Ledger {
    store: Arc<dyn Store>,
    /// The same store, which measures how long it has not answered.
    watched: Arc<WatchedStore>,
    clock: Arc<dyn Clock>,
    randomness: Randomness,
    limits: Limits,
    tables: tables::Tables,
    aside: aside::SetAside,
    arrivals: arrivals::Arrivals,
    aftermath: OnceLock<Weak<dyn Aftermath>>,
    /// The name of this process among all that use the store.
    replica: String,
}

impl Ledger {
    /// A ledger in this store.
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        randomness: Randomness,
        limits: Limits,
    ) -> Self {
        let tables = tables::Tables::new(limits.tables_in_memory);
        // What is written by this clock is over by this clock.
        let wall = clock.clone();
        store.go_by(Arc::new(move || wall.now_ms()));
        let monotonic = clock.clone();
        let watched = WatchedStore::new(store, Arc::new(move || monotonic.monotonic_ms()));
        let watched = Arc::new(watched);
        let store: Arc<dyn Store> = watched.clone();
        // The seeds of hash maps differ from process to process and from call to call.
        let replica = format!("{:016x}", RandomState::new().build_hasher().finish());
        let (aside, aftermath) = (aside::SetAside::default(), OnceLock::new());
        let arrivals = arrivals::Arrivals::default();
        Ledger {
            store,
            watched,
            clock,
            randomness,
            limits,
            tables,
            aside,
            arrivals,
            aftermath,
            replica,
        }
    }

    /// Has somebody act on what is written from now on.
    pub fn follow(&self, aftermath: Weak<dyn Aftermath>) {
        self.aftermath.set(aftermath).ok();
    }

    fn told(&self, tell: impl FnOnce(&dyn Aftermath)) {
        if let Some(aftermath) = self.aftermath.get().and_then(Weak::upgrade) {
            tell(&*aftermath);
        }
    }

    /// Something waits to be sent to this place.
    pub fn wake(&self, place: &PlaceId) {
        self.told(|it| it.wake(place));
    }

    /// Something waits to be sent to this chat and all its topics.
    pub fn wake_chat(&self, chat: &str) {
        self.told(|it| it.wake_chat(chat));
    }

    /// Where everything is kept.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// How long the store has not answered, in milliseconds.
    pub fn store_silent_ms(&self) -> u64 {
        self.watched.silent_ms()
    }

    /// The time that the longest call of the store took which has ended since this was asked last,
    /// in milliseconds.
    pub fn take_longest_call_ms(&self) -> u64 {
        self.watched.take_longest_ms()
    }

    /// Time.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// Milliseconds since 1970.
    pub fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// The updates that are not handled yet.
    pub fn arrivals(&self) -> &arrivals::Arrivals {
        &self.arrivals
    }

    /// What is allowed and kept.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The name of this process among all that use the store.
    pub fn replica(&self) -> &str {
        &self.replica
    }

    /// Random bytes.
    pub fn random(&self, bytes: &mut [u8]) {
        (self.randomness)(bytes);
    }

    /// Answers many questions in one round trip.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn read(&self, reads: &[Read]) -> Result<Vec<Found>, Failure> {
        Ok(self.store.read(reads).await?)
    }

    /// The value under a key.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn value(&self, space: Space, key: &str) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.store.get(space, key).await?)
    }

    /// The first rows whose keys begin so.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn rows(
        &self,
        space: Space,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<Row>, Failure> {
        Ok(self.store.scan(space, prefix, None, limit).await?)
    }

    /// All rows whose keys have this prefix, read page by page.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn all_rows(&self, space: Space, prefix: &str) -> Result<Vec<Row>, Failure> {
        let mut all: Vec<Row> = Vec::new();
        loop {
            let after = all.last().map(|(key, _)| key.as_str());
            let page = self.store.scan(space, prefix, after, PAGE).await?;
            let is_last = page.len() < PAGE;
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
    pub async fn keep(&self, puts: Vec<Put>) -> Result<(), Failure> {
        if puts.is_empty() {
            return Ok(());
        }
        // What expects nothing meets no conflict.
        self.commit(Commit::of(puts)).await.map(drop)
    }
}
