//! Implements [`KeyValueStore`] in memory, for tests and for trying out a platform without a store.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use parking_lot::Mutex;

use caravanserai_protocol::{KeyValueEntry, KeyValueError, KeyValueStore};

/// Rows that are lost when the process ends.
#[derive(Default)]
pub struct MemoryKeyValueStore {
    rows: Mutex<MemoryRows>,
}

#[derive(Default)]
struct MemoryRows {
    kept: HashMap<String, (Vec<u8>, Instant)>,
    /// How far time was moved forward by [`MemoryKeyValueStore::advance`].
    ahead: Duration,
}

impl MemoryRows {
    fn now(&self) -> Instant {
        Instant::now() + self.ahead
    }

    fn get(&self, key: &str) -> Option<&Vec<u8>> {
        self.kept.get(key).filter(|(_, until)| self.now() < *until).map(|(value, _)| value)
    }

    fn write(&mut self, row: KeyValueEntry) {
        let until = self.now() + Duration::from_millis(row.ttl_ms);
        match row.value {
            Some(value) => drop(self.kept.insert(row.key, (value, until))),
            None => drop(self.kept.remove(&row.key)),
        }
    }
}

impl MemoryKeyValueStore {
    /// Moves the time of this store forward.
    pub fn advance(&self, time: Duration) {
        self.rows.lock().ahead += time;
    }

    /// Returns how many rows are stored, and how many bytes they contain.
    pub fn size(&self) -> (usize, usize) {
        let rows = self.rows.lock();
        (rows.kept.len(), rows.kept.iter().map(|(key, (value, _))| key.len() + value.len()).sum())
    }
}

#[async_trait]
impl KeyValueStore for MemoryKeyValueStore {
    async fn read(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, KeyValueError> {
        let rows = self.rows.lock();
        Ok(keys.iter().map(|key| rows.get(key).cloned()).collect())
    }

    async fn scan(
        &self,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, KeyValueError> {
        let rows = self.rows.lock();
        let named = rows.kept.keys().filter(|key| key.starts_with(prefix));
        let found = named.filter_map(|key| Some((key.clone(), rows.get(key)?.clone())));
        let mut found: Vec<_> = found.collect();
        found.sort();
        found.truncate(limit);
        Ok(found)
    }

    async fn write(&self, new: Vec<KeyValueEntry>) -> Result<(), KeyValueError> {
        let mut rows = self.rows.lock();
        new.into_iter().for_each(|row| rows.write(row));
        Ok(())
    }

    async fn compare_and_swap(
        &self,
        row: KeyValueEntry,
        was: Option<Vec<u8>>,
    ) -> Result<bool, KeyValueError> {
        let mut rows = self.rows.lock();
        let same = rows.get(&row.key) == was.as_ref();
        if same {
            rows.write(row);
        }
        Ok(same)
    }

    async fn acquire_lease(&self, _: &str, _: u64) -> Result<bool, KeyValueError> {
        // There is no other process.
        Ok(true)
    }

    async fn release_lease(&self, _: &str) -> Result<(), KeyValueError> {
        Ok(())
    }
}
