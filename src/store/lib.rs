//! Stores table logs and key-value rows behind one small trait, [`Store`], with several
//! implementations.
//!
//! A store knows bytes and strings; it must not know games, chats or platforms. All changes that
//! belong together go into one [`Commit`], which is atomic and, once `commit` returns, survives a
//! power cut. All queries of one [`Store::read`] see the same moment.
//!
//! Start reading at [`Store`]. The program runs on [`sled::SledStore`] or
//! [`postgres::PostgresStore`]; [`memory::MemoryStore`] is for tests. [`faulty::FaultyStore`]
//! injects faults into any of them, and [`encrypted::EncryptedStore`] encrypts what any of them
//! stores.

pub mod backup;
mod change_feed;
mod clock;
mod commit;
pub mod commit_limits;
pub mod data_dir;
pub mod encrypted;
#[doc(hidden)]
pub mod faulty;
pub mod latency;
mod layer;
mod leases;
pub mod memory;
pub mod postgres;
#[cfg(unix)]
pub mod private_socket;
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
pub use commit::{Append, Commit, Expect, Put, Rewrite};
pub use layer::StoreLayer;
pub use query::{StoreAnswer, StoreQuery, StoreRow};
pub use snapshot::{Snapshot, StoredItem};
pub use space::Space;

/// Why a commit or a read failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another commit was first: load again and decide again. Nothing was written.
    #[error("commit conflict: a precondition failed")]
    Conflict,
    /// Disk or network failure. The commit may have happened all the same; read a row that it would
    /// have written to find out.
    #[error("store: {0}")]
    Failed(String),
    /// Stored data is not what was written, or cannot be decrypted: another attempt fails, too.
    #[error("store: {0}")]
    Damaged(String),
}

/// Why a store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A later attempt may succeed: a database that does not answer, a disk that is not writable.
    #[error("store: {0}")]
    Retryable(String),
    /// Another process uses the data folder.
    #[error("store: {0}")]
    InUse(String),
    /// Retrying does not help; only the operator can fix it.
    #[error(transparent)]
    Permanent(#[from] StoreError),
}

impl From<OpenError> for StoreError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Permanent(error) => error,
            OpenError::Retryable(why) | OpenError::InUse(why) => StoreError::Failed(why),
        }
    }
}

impl OpenError {
    /// Marks a failure as one after which a later attempt may succeed.
    pub fn retryable(error: StoreError) -> Self {
        match error {
            StoreError::Failed(why) => OpenError::Retryable(why),
            StoreError::Conflict => OpenError::Retryable(error.to_string()),
            StoreError::Damaged(_) => OpenError::Permanent(error),
        }
    }
}

/// Whether a store takes writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StoreHealth {
    /// It takes writes, as far as is known.
    #[default]
    Good,
    /// It takes no writes now and resumes by itself when the cause is gone, for example a full
    /// disk.
    Paused {
        /// One sentence for the operator.
        why: String,
        /// Start of the pause, in milliseconds of Unix time.
        since_ms: u64,
    },
    /// A write has begun and does not end: the disk does not answer, or the program hangs. It
    /// resumes when the write ends.
    Stuck {
        /// One sentence for the operator.
        why: String,
        /// Start of the write, in milliseconds of Unix time.
        since_ms: u64,
    },
    /// It takes no more writes in this process: the program should exit with a failure, so that its
    /// supervisor restarts it.
    Ended {
        /// One sentence for the operator.
        why: String,
        /// Time of the failure, in milliseconds of Unix time.
        since_ms: u64,
    },
}

/// Transactional storage for logs, rows, leases and claims. Cheap to share behind an `Arc`.
///
/// # Examples
///
/// ```
/// use caravanserai_store::memory::MemoryStore;
/// use caravanserai_store::{Append, Commit, Expect, Put, Space, Store, StoreError};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), StoreError> {
/// let store = MemoryStore::new();
/// let opened = Commit {
///     expect: vec![Expect::absent(Space::Seen, "update/1")],
///     appends: vec![Append::new("7k3fx2a", 0, vec!["table opened".to_owned()])],
///     puts: vec![Put::new(Space::Seen, "update/1", "answered")],
///     ..Commit::default()
/// };
/// store.commit(opened.clone()).await?;
/// assert_eq!(store.read_log("7k3fx2a", 0).await?, ["table opened"]);
///
/// // The same update again acts no second time: nothing of the commit is applied.
/// assert!(matches!(store.commit(opened).await, Err(StoreError::Conflict)));
/// assert_eq!(store.log_length("7k3fx2a").await?, 1);
/// assert_eq!(store.get(Space::Seen, "update/1").await?.as_deref(), Some(&b"answered"[..]));
/// # Ok(())
/// # }
/// ```
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Answers several queries in one round trip, in the same order. All answers are of one moment:
    /// no commit is seen partly. Expired rows count as absent, whether or not they are removed yet;
    /// expectations of commits and claims treat them the same way. A scan returns a damaged row of
    /// some spaces with an empty value, see [`Space::scans_damaged_rows`]; others make it fail.
    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError>;

    /// Applies a commit. When it returns `Ok`, the commit survives a power cut. If the caller stops
    /// waiting, the commit may still happen.
    async fn commit(&self, commit: Commit) -> Result<(), StoreError>;

    /// Removes up to `limit` rows that have expired at `now_ms` and returns their number. The cost
    /// depends on the rows removed, not on the rows stored.
    async fn remove_expired(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError>;

    /// Acquires or renews the lease `name` for `owner` until `for_ms` have passed on the store's
    /// own clock, which never jumps. Returns `false` if another owner holds it. The same owner may
    /// renew at any time.
    async fn try_lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError>;

    /// Releases a lease, if this owner holds it.
    async fn release_lease(&self, name: &str, owner: &str) -> Result<(), StoreError>;

    /// The current owner of a lease; `None` if it is free.
    async fn lease_holder(&self, name: &str) -> Result<Option<String>, StoreError>;

    /// Whether other processes may use the store at the same time.
    fn is_shared(&self) -> bool {
        false
    }

    /// Claims up to `limit` rows in key order, of those whose keys are at most `upto` and that no
    /// other owner has claimed. A claim ends when `for_ms` have passed on the store's own clock or
    /// when the row is removed; the same owner gets its claimed rows again. Damaged rows are
    /// returned as by a scan, unless they are whole for another process: then they stay unclaimed.
    async fn claim_rows(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError>;

    /// Ends the claims of this owner on these rows, so that others can claim them at once.
    async fn release_claims(
        &self,
        space: Space,
        keys: &[String],
        owner: &str,
    ) -> Result<(), StoreError>;

    /// Opens a consistent view of everything stored at this moment. It is read in batches while the
    /// store keeps working.
    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError>;

    /// Replaces the machine's clock by the one that decides when rows expire. It must be the clock
    /// that expiry times are computed with.
    fn set_clock(&self, now: StoreClockFn);

    /// Subscribes to the topics that commits of all processes publish from now on; see
    /// [`next_change`].
    fn subscribe_changes(&self) -> broadcast::Receiver<StoreChange>;

    /// Whether it takes writes, as far as is known without a round trip.
    fn health(&self) -> StoreHealth;

    /// Waits until everything is on disk and closes the store; later commits fail.
    async fn close(&self) -> Result<(), StoreError>;

    /// The log of a table from line `from` on; empty if there is none.
    async fn read_log(&self, table: &str, from: u64) -> Result<Vec<String>, StoreError> {
        single_answer(self.read(&[StoreQuery::log(table, from)]).await?)?.lines()
    }

    /// The number of lines in the log of a table.
    async fn log_length(&self, table: &str) -> Result<u64, StoreError> {
        single_answer(self.read(&[StoreQuery::length(table)]).await?)?.length()
    }

    /// The value under a key, or `None`.
    async fn get(&self, space: Space, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        single_answer(self.read(&[StoreQuery::value_of(space, key)]).await?)?.value()
    }

    /// Up to `limit` rows in key order, of the keys that start with `prefix` and are greater than
    /// `after`.
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

/// The answer to a single query.
fn single_answer(mut found: Vec<StoreAnswer>) -> Result<StoreAnswer, StoreError> {
    found.pop().ok_or_else(|| StoreError::Failed("a query was not answered".into()))
}
