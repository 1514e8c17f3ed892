//! Reads and writes a platform's rows in the [`KeyValueStore`] as typed values.
//!
//! No table depends on these rows: a row that cannot be read counts as absent, and a failed write
//! is logged.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use caravanserai_protocol::{KeyValueEntry, KeyValueError, KeyValueStore};

/// The rows of one platform.
#[derive(Clone)]
pub struct PlatformRows {
    store: Arc<dyn KeyValueStore>,
}

impl PlatformRows {
    /// Creates access to the rows in this store.
    pub fn new(store: Arc<dyn KeyValueStore>) -> Self {
        PlatformRows { store }
    }

    /// Reads the value of a key.
    pub async fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let [found] = self.read_raw([key.to_owned()]).await;
        parse_json(key, found)
    }

    /// Reads the values of two keys at one moment.
    pub async fn get_pair<A: DeserializeOwned, B: DeserializeOwned>(
        &self,
        one: &str,
        other: &str,
    ) -> (Option<A>, Option<B>) {
        let [a, b] = self.read_raw([one.to_owned(), other.to_owned()]).await;
        (parse_json(one, a), parse_json(other, b))
    }

    /// Writes rows, all or none. A failure is logged.
    pub async fn put(&self, rows: Vec<KeyValueEntry>) {
        if let Err(error) = self.store.write(rows).await {
            tracing::warn!(%error, "failed to write platform rows");
        }
    }

    /// Writes a row if there is none. Returns whether this call was the first; true also if the
    /// store fails and that is unknown.
    pub async fn insert_if_absent(&self, key: String, for_ms: u64) -> bool {
        match self
            .store
            .compare_and_swap(KeyValueEntry::put(key, b"1".to_vec(), for_ms), None)
            .await
        {
            Ok(first) => first,
            Err(error) => {
                tracing::warn!(%error, "failed to write a platform row");
                true
            }
        }
    }

    /// Changes a row, safe against concurrent writers: `change` makes the new value from the old
    /// one and is called again if another writer was faster; `None` leaves the row as it is.
    /// Returns whether the row was written.
    pub async fn update<T: DeserializeOwned + Serialize + Send>(
        &self,
        key: &str,
        for_ms: u64,
        change: impl Fn(Option<T>) -> Option<T> + Send,
    ) -> bool {
        self.try_update(key, for_ms, change).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "failed to update a platform row");
            false
        })
    }

    /// The same as [`Self::update`].
    ///
    /// # Errors
    /// When the store fails.
    pub async fn try_update<T: DeserializeOwned + Serialize + Send>(
        &self,
        key: &str,
        for_ms: u64,
        change: impl Fn(Option<T>) -> Option<T> + Send,
    ) -> Result<bool, KeyValueError> {
        const TRIES: usize = 8;
        for _ in 0..TRIES {
            let [was] = self.try_read_raw([key.to_owned()]).await?;
            let Some(new) = change(parse_json(key, was.clone())) else { return Ok(false) };
            if self.store.compare_and_swap(json_row(key, &new, for_ms), was).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Deletes a row and returns its value; of concurrent calls only one gets it.
    pub async fn take<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let [was] = self.read_raw([key.to_owned()]).await;
        let was = was?;
        let taken = self
            .store
            .compare_and_swap(KeyValueEntry::delete(key.to_owned()), Some(was.clone()))
            .await;
        taken.unwrap_or(false).then(|| parse_json(key, Some(was))).flatten()
    }

    /// Returns the store itself, for leases.
    pub fn store(&self) -> &Arc<dyn KeyValueStore> {
        &self.store
    }

    async fn read_raw<const N: usize>(&self, keys: [String; N]) -> [Option<Vec<u8>>; N] {
        self.try_read_raw(keys).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "failed to read platform rows");
            [const { None }; N]
        })
    }

    async fn try_read_raw<const N: usize>(
        &self,
        keys: [String; N],
    ) -> Result<[Option<Vec<u8>>; N], KeyValueError> {
        let found = self.store.read(&keys).await?;
        found.try_into().map_err(|_| KeyValueError("fewer rows than asked for".to_owned()))
    }
}

/// Creates a row with a value as JSON.
pub fn json_row(key: &str, value: &impl Serialize, for_ms: u64) -> KeyValueEntry {
    let value = serde_json::to_vec(value).expect("rows are plain values");
    KeyValueEntry::put(key.to_owned(), value, for_ms)
}

fn parse_json<T: DeserializeOwned>(key: &str, value: Option<Vec<u8>>) -> Option<T> {
    let parsed = serde_json::from_slice(&value?);
    if let Err(error) = &parsed {
        // Only the first words of the key are logged: the rest may name people.
        let kind = key.split(' ').take(2).collect::<Vec<_>>().join(" ");
        tracing::warn!(kind, %error, "failed to parse a platform row");
    }
    parsed.ok()
}
