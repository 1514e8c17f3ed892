//! A store that forgets everything when it goes: for tests and for trying things out.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::{Commit, Space, Store, StoreError, limits};

/// Keeps everything in maps behind one lock; each commit holds the lock from its first check to
/// its last write.
#[derive(Debug, Default)]
pub struct MemoryStore {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    logs: HashMap<String, Vec<String>>,
    values: BTreeMap<(Space, String), Vec<u8>>,
    closed: bool,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn open(&self) -> Result<MutexGuard<'_, Inner>, StoreError> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.closed {
            return Err(StoreError::Failed("the store is closed".into()));
        }
        Ok(inner)
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn log(&self, table: &str, from: u64) -> Result<Vec<String>, StoreError> {
        let inner = self.open()?;
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let lines = inner.logs.get(table).and_then(|log| log.get(from..));
        Ok(lines.map(<[String]>::to_vec).unwrap_or_default())
    }

    async fn get(&self, space: Space, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.open()?.values.get(&(space, key.to_owned())).cloned())
    }

    async fn scan(
        &self,
        space: Space,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let inner = self.open()?;
        let start = match after {
            Some(after) if after >= prefix => Bound::Excluded((space, after.to_owned())),
            _ => Bound::Included((space, prefix.to_owned())),
        };
        let pairs = inner.values.range((start, Bound::Unbounded));
        Ok(pairs
            .take_while(|((s, key), _)| *s == space && key.starts_with(prefix))
            .take(limit)
            .map(|((_, key), value)| (key.clone(), value.clone()))
            .collect())
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        limits::check(&commit)?;
        let mut inner = self.open()?;
        for at in &commit.absent {
            if inner.values.contains_key(at) {
                return Err(StoreError::Conflict);
            }
        }
        for append in &commit.appends {
            let length = inner.logs.get(&append.table).map_or(0, Vec::len);
            if length as u64 != append.expect {
                return Err(StoreError::Conflict);
            }
        }
        for append in commit.appends {
            inner.logs.entry(append.table).or_default().extend(append.lines);
        }
        for put in commit.puts {
            match put.value {
                Some(value) => inner.values.insert((put.space, put.key), value),
                None => inner.values.remove(&(put.space, put.key)),
            };
        }
        Ok(())
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        Ok(())
    }
}
