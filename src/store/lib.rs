//! Where tables live: one small trait, several stores.
//!
//! A store knows bytes and strings, nothing of games, chats or platforms. Everything that
//! belongs together goes into one [`Commit`]; when `commit` returns it survives a power cut.
//! What is asked together is read together, at one moment.
//!
//! Start reading at [`Store`]; [`sled::SledStore`] is what the program runs on,
//! [`memory::MemoryStore`] is for tests and [`faulty::FaultyStore`] makes any of them misbehave.

pub mod backup;
mod change_feed;
mod clock;
mod commit;
pub mod commit_limits;
pub mod data_dir;
#[doc(hidden)]
pub mod faulty;
pub mod latency;
mod layer;
mod leases;
pub mod memory;
pub mod postgres;
mod query;
pub mod sled;
pub mod snapshot;
mod space;
pub mod store_address;
pub mod transfer;

use async_trait::async_trait;
use tokio::sync::broadcast;

pub use change_feed::{ChangeBroadcast, StoreChange, next_change};
pub use clock::StoreClockFn;
pub use commit::{Append, Commit, Expect, Put};
pub use layer::StoreLayer;
pub use query::{StoreAnswer, StoreQuery, StoreRow};
pub use snapshot::{Snapshot, StoredItem};
pub use space::Space;

/// Why a commit or a read failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else was first: load again and decide again. Nothing was written.
    #[error("the table has changed meanwhile")]
    Conflict,
    /// Disk, network, damage. A commit may have happened all the same; whether it has is seen by
    /// what it would have written.
    #[error("store: {0}")]
    Failed(String),
}

/// Why a store was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A later try may succeed: a database that does not answer, a disk that cannot be written.
    #[error("store: {0}")]
    Retryable(String),
    /// Only the operator can change it.
    #[error(transparent)]
    Permanent(#[from] StoreError),
}

impl OpenError {
    /// A failure after which a later try may succeed.
    pub fn retryable(error: StoreError) -> Self {
        match error {
            StoreError::Failed(why) => OpenError::Retryable(why),
            StoreError::Conflict => OpenError::Retryable(error.to_string()),
        }
    }
}

/// Whether a store takes writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StoreHealth {
    /// As far as is known, it does.
    #[default]
    Good,
    /// Not now, and it goes on by itself when the cause is gone, as when a disk is full.
    Paused {
        /// One sentence for whoever runs the program.
        why: String,
        /// Since when, in milliseconds of Unix time.
        since_ms: u64,
    },
    /// Never again in this process: the program should end with a failure, so that whoever
    /// watches over it starts it anew.
    Ended {
        /// One sentence for whoever runs the program.
        why: String,
        /// Since when, in milliseconds of Unix time.
        since_ms: u64,
    },
}

/// What keeps everything. Cheap to share behind an `Arc`.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Answers many questions in one round trip, in the same order and all of one moment: no
    /// commit is seen half. A row whose lifetime is over is not there, swept or not; the same
    /// holds for what a commit expects and for claims.
    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError>;

    /// Applies a change. When it returns `Ok`, the change survives a power cut. If the caller
    /// stops waiting, it may still happen.
    async fn commit(&self, commit: Commit) -> Result<(), StoreError>;

    /// Removes up to `limit` rows whose lifetime is over at this time, and says how many. Costs
    /// what it removes, not what is there.
    async fn remove_expired(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError>;

    /// Holds a name for an owner until the time has run out by the store's own clock, which
    /// never jumps; `false` if somebody else holds it. The same owner may renew at any time.
    async fn try_lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError>;

    /// Lets go of a name, if this owner holds it.
    async fn release_lease(&self, name: &str, owner: &str) -> Result<(), StoreError>;

    /// Who holds a name now; `None` if nobody does.
    async fn lease_holder(&self, name: &str) -> Result<Option<String>, StoreError>;

    /// Whether other processes may use the store at the same time.
    fn is_shared(&self) -> bool {
        false
    }

    /// Up to `limit` rows in order of key, of those whose keys are at most `upto` and that
    /// nobody else has claimed. They are held for this owner until the time has run out by the
    /// store's own clock or the row is removed; the same owner gets them again.
    async fn claim_rows(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError>;

    /// Everything it holds at this moment, to be read piece by piece while it goes on.
    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError>;

    /// Lifetimes are over by this clock from now on, instead of that of the machine: the one by
    /// which they are written.
    fn set_clock(&self, now: StoreClockFn);

    /// What commits of all processes tell from now on; see [`next_change`].
    fn subscribe_changes(&self) -> broadcast::Receiver<StoreChange>;

    /// Whether it takes writes, as far as is known without asking anybody.
    fn health(&self) -> StoreHealth;

    /// Waits until everything is on disk and closes; later commits fail.
    async fn close(&self) -> Result<(), StoreError>;

    /// The log of a table from line `from` on; empty if there is none.
    async fn read_log(&self, table: &str, from: u64) -> Result<Vec<String>, StoreError> {
        single_answer(self.read(&[StoreQuery::log(table, from)]).await?)?.lines()
    }

    /// How many lines the log of a table has.
    async fn log_length(&self, table: &str) -> Result<u64, StoreError> {
        single_answer(self.read(&[StoreQuery::length(table)]).await?)?.length()
    }

    /// The value under a key.
    async fn get(&self, space: Space, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        single_answer(self.read(&[StoreQuery::value_of(space, key)]).await?)?.value()
    }

    /// Up to `limit` pairs in order of key, of the keys that start with `prefix` and are greater
    /// than `after`.
    async fn scan(
        &self,
        space: Space,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError> {
        let after = after.map(str::to_owned);
        let scan = StoreQuery::Scan { space, prefix: prefix.to_owned(), after, limit };
        single_answer(self.read(&[scan]).await?)?.rows()
    }
}

/// The answer to a single question.
fn single_answer(mut found: Vec<StoreAnswer>) -> Result<StoreAnswer, StoreError> {
    found.pop().ok_or_else(|| StoreError::Failed("a question was not answered".into()))
}
