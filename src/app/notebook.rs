//! The rows of platforms in the store.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;

use caravanserai_protocol::{Notebook, NotebookError, Row};
use caravanserai_store::{Commit, Expect, Put, Read, Space, Store, StoreError};

/// A name that no other process has, for roles.
pub fn process_name() -> String {
    format!("{:016x}", RandomState::new().hash_one(std::process::id()))
}

/// A [`Notebook`] that every process on the same store reads.
pub struct StoreNotebook {
    store: Arc<dyn Store>,
    /// What tells this process from the others, for roles.
    owner: String,
    now_ms: Box<dyn Fn() -> u64 + Send + Sync>,
}

impl StoreNotebook {
    /// Rows in this store, for a process by this name.
    pub fn new(store: Arc<dyn Store>, owner: impl Into<String>) -> Self {
        let now_ms = || {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
        };
        Self::at(store, owner, now_ms)
    }

    /// The same with another clock: milliseconds since 1970.
    pub fn at(
        store: Arc<dyn Store>,
        owner: impl Into<String>,
        now_ms: impl Fn() -> u64 + Send + Sync + 'static,
    ) -> Self {
        Self { store, owner: owner.into(), now_ms: Box::new(now_ms) }
    }

    fn put(&self, row: Row) -> Put {
        let Some(value) = row.value else { return Put::remove(Space::Keep, row.key) };
        let until_ms = (self.now_ms)().saturating_add(row.for_ms);
        Put::new(Space::Keep, row.key, value).until(until_ms)
    }
}

fn failed(error: StoreError) -> NotebookError {
    NotebookError(error.to_string())
}

#[async_trait]
impl Notebook for StoreNotebook {
    async fn read(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, NotebookError> {
        let reads: Vec<Read> = keys.iter().map(|it| Read::value(Space::Keep, it)).collect();
        let found = self.store.read(&reads).await.map_err(failed)?;
        found.into_iter().map(|it| it.value().map_err(failed)).collect()
    }

    async fn scan(
        &self,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, NotebookError> {
        self.store.scan(Space::Keep, prefix, None, limit).await.map_err(failed)
    }

    async fn write(&self, rows: Vec<Row>) -> Result<(), NotebookError> {
        let puts = rows.into_iter().map(|row| self.put(row)).collect();
        self.store.commit(Commit::of(puts)).await.map_err(failed)
    }

    async fn swap(&self, row: Row, was: Option<Vec<u8>>) -> Result<bool, NotebookError> {
        let expect = Expect { space: Space::Keep, key: row.key.clone(), value: was };
        let puts = vec![self.put(row)];
        let commit = Commit { expect: vec![expect], puts, ..Commit::default() };
        match self.store.commit(commit).await {
            Ok(()) => Ok(true),
            Err(StoreError::Conflict) => Ok(false),
            Err(error) => Err(failed(error)),
        }
    }

    async fn lease(&self, name: &str, for_ms: u64) -> Result<bool, NotebookError> {
        self.store.lease(name, &self.owner, for_ms).await.map_err(failed)
    }

    async fn release(&self, name: &str) -> Result<(), NotebookError> {
        self.store.release(name, &self.owner).await.map_err(failed)
    }
}
