//! A platform's rows in the [`KeyValueStore`], as values with a type.
//!
//! None of them is needed for a table to go on: what cannot be read counts as not there, what
//! cannot be written is told to the log.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use caravanserai_protocol::{KeyValueEntry, KeyValueError, KeyValueStore};

/// The rows of one platform.
#[derive(Clone)]
pub struct PlatformRows {
    book: Arc<dyn KeyValueStore>,
}

impl PlatformRows {
    /// The rows in this notebook.
    pub fn new(book: Arc<dyn KeyValueStore>) -> Self {
        PlatformRows { book }
    }

    /// What stands under a key.
    pub async fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let [found] = self.read_raw([key.to_owned()]).await;
        parse_json(key, found)
    }

    /// What stands under two keys at one moment.
    pub async fn get_pair<A: DeserializeOwned, B: DeserializeOwned>(
        &self,
        one: &str,
        other: &str,
    ) -> (Option<A>, Option<B>) {
        let [a, b] = self.read_raw([one.to_owned(), other.to_owned()]).await;
        (parse_json(one, a), parse_json(other, b))
    }

    /// Writes rows, all or none.
    pub async fn put(&self, rows: Vec<KeyValueEntry>) {
        if let Err(error) = self.book.write(rows).await {
            tracing::warn!(%error, "something to remember was not kept");
        }
    }

    /// Writes a row if nothing stands there. Whether this call was the first: also when it cannot
    /// be known.
    pub async fn insert_if_absent(&self, key: String, for_ms: u64) -> bool {
        match self.book.compare_and_swap(KeyValueEntry::put(key, b"1".to_vec(), for_ms), None).await
        {
            Ok(first) => first,
            Err(error) => {
                tracing::warn!(%error, "something to remember was not kept");
                true
            }
        }
    }

    /// Changes what stands under a key, whoever else changes it: `change` makes the new value of
    /// the old one, and is asked again if somebody was quicker. What it said last is told; `None`
    /// leaves the row as it is.
    pub async fn update<T: DeserializeOwned + Serialize + Send>(
        &self,
        key: &str,
        for_ms: u64,
        change: impl Fn(Option<T>) -> Option<T> + Send,
    ) -> bool {
        const TRIES: usize = 8;
        for _ in 0..TRIES {
            let [was] = self.read_raw([key.to_owned()]).await;
            let Some(new) = change(parse_json(key, was.clone())) else { return false };
            match self.book.compare_and_swap(json_row(key, &new, for_ms), was).await {
                Ok(true) => return true,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "something to remember was not kept");
                    return false;
                }
            }
        }
        false
    }

    /// Takes a row away; what stood there, for the one call that took it.
    pub async fn take<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let [was] = self.read_raw([key.to_owned()]).await;
        let was = was?;
        let taken = self
            .book
            .compare_and_swap(KeyValueEntry::delete(key.to_owned()), Some(was.clone()))
            .await;
        taken.unwrap_or(false).then(|| parse_json(key, Some(was))).flatten()
    }

    /// The notebook itself, for roles.
    pub fn store(&self) -> &Arc<dyn KeyValueStore> {
        &self.book
    }

    async fn read_raw<const N: usize>(&self, keys: [String; N]) -> [Option<Vec<u8>>; N] {
        let nothing = || [const { None }; N];
        let read = self.book.read(&keys).await.and_then(|found| {
            found.try_into().map_err(|_| KeyValueError("fewer rows than asked for".to_owned()))
        });
        read.unwrap_or_else(|error| {
            tracing::warn!(%error, "what was remembered cannot be read");
            nothing()
        })
    }
}

/// A row with a value as JSON.
pub fn json_row(key: &str, value: &impl Serialize, for_ms: u64) -> KeyValueEntry {
    let value = serde_json::to_vec(value).expect("rows are plain values");
    KeyValueEntry::put(key.to_owned(), value, for_ms)
}

fn parse_json<T: DeserializeOwned>(key: &str, value: Option<Vec<u8>>) -> Option<T> {
    let parsed = serde_json::from_slice(&value?);
    if let Err(error) = &parsed {
        // The key may name people.
        let kind = key.split(' ').take(2).collect::<Vec<_>>().join(" ");
        tracing::warn!(kind, %error, "a row cannot be read");
    }
    parsed.ok()
}
