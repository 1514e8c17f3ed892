//! Stores the key-value rows of platforms in the store.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;

use caravanserai_protocol::{KeyValueEntry, KeyValueError, KeyValueStore};
use caravanserai_store::{Commit, Expect, Put, Space, Store, StoreError, StoreQuery};

/// A name that no other process has, as the owner of roles.
pub fn process_name() -> String {
    format!("{:016x}", RandomState::new().hash_one(std::process::id()))
}

/// A [`KeyValueStore`] shared by all processes on the same store.
pub struct StoreKeyValues {
    store: Arc<dyn Store>,
    /// Identifies this process as an owner of roles.
    owner: String,
    now_ms: Box<dyn Fn() -> u64 + Send + Sync>,
}

impl StoreKeyValues {
    /// Rows in this store, for a process with this name.
    pub fn new(store: Arc<dyn Store>, owner: impl Into<String>) -> Self {
        let now_ms = || {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
        };
        Self::with_clock(store, owner, now_ms)
    }

    /// The same with another clock, in milliseconds since 1970.
    pub fn with_clock(
        store: Arc<dyn Store>,
        owner: impl Into<String>,
        now_ms: impl Fn() -> u64 + Send + Sync + 'static,
    ) -> Self {
        Self { store, owner: owner.into(), now_ms: Box::new(now_ms) }
    }

    fn put(&self, row: KeyValueEntry) -> Put {
        let Some(value) = row.value else { return Put::remove(Space::Keep, row.key) };
        let until_ms = (self.now_ms)().saturating_add(row.ttl_ms);
        Put::new(Space::Keep, row.key, value).expires_at(until_ms)
    }
}

fn to_notebook_error(error: StoreError) -> KeyValueError {
    KeyValueError(error.to_string())
}

#[async_trait]
impl KeyValueStore for StoreKeyValues {
    async fn read(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, KeyValueError> {
        let reads: Vec<StoreQuery> =
            keys.iter().map(|it| StoreQuery::value_of(Space::Keep, it)).collect();
        let found = self.store.read(&reads).await.map_err(to_notebook_error)?;
        found.into_iter().map(|it| it.value().map_err(to_notebook_error)).collect()
    }

    async fn scan(
        &self,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, KeyValueError> {
        self.store.scan(Space::Keep, prefix, None, limit).await.map_err(to_notebook_error)
    }

    async fn write(&self, rows: Vec<KeyValueEntry>) -> Result<(), KeyValueError> {
        let puts = rows.into_iter().map(|row| self.put(row)).collect();
        self.store.commit(Commit::from_puts(puts)).await.map_err(to_notebook_error)
    }

    async fn compare_and_swap(
        &self,
        row: KeyValueEntry,
        was: Option<Vec<u8>>,
    ) -> Result<bool, KeyValueError> {
        let expect = Expect { space: Space::Keep, key: row.key.clone(), value: was };
        let puts = vec![self.put(row)];
        let commit = Commit { expect: vec![expect], puts, ..Commit::default() };
        match self.store.commit(commit).await {
            Ok(()) => Ok(true),
            Err(StoreError::Conflict) => Ok(false),
            Err(error) => Err(to_notebook_error(error)),
        }
    }

    async fn acquire_lease(&self, name: &str, for_ms: u64) -> Result<bool, KeyValueError> {
        self.store.try_lease(name, &self.owner, for_ms).await.map_err(to_notebook_error)
    }

    async fn release_lease(&self, name: &str) -> Result<(), KeyValueError> {
        self.store.release_lease(name, &self.owner).await.map_err(to_notebook_error)
    }
}
