//! Stores small rows with a lifetime for platform adapters: the position of a private message,
//! content that waits to be opened, tokens for answering a person. All processes read the same
//! rows, so a press may reach another process than the one that posted the message.

use async_trait::async_trait;

/// A row to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyValueEntry {
    /// The key; starts with the platform and a space: `tg slot …`.
    pub key: String,
    /// The value; `None` removes the row.
    pub value: Option<Vec<u8>>,
    /// The lifetime, in milliseconds.
    pub ttl_ms: u64,
}

impl KeyValueEntry {
    /// Creates an entry that writes a row with this lifetime.
    pub fn put(key: String, value: Vec<u8>, for_ms: u64) -> Self {
        KeyValueEntry { key, value: Some(value), ttl_ms: for_ms }
    }

    /// Creates an entry that removes a row.
    pub fn delete(key: String) -> Self {
        KeyValueEntry { key, value: None, ttl_ms: 0 }
    }
}

/// The reason why rows could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct KeyValueError(pub String);

/// A key-value store with row lifetimes, and leases that coordinate the processes.
#[async_trait]
pub trait KeyValueStore: Send + Sync + 'static {
    /// Reads the values of these keys from one snapshot. An expired row reads as absent.
    async fn read(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, KeyValueError>;

    /// Reads the first rows whose keys have this prefix, in key order.
    async fn scan(
        &self,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, KeyValueError>;

    /// Writes all rows or none.
    async fn write(&self, rows: Vec<KeyValueEntry>) -> Result<(), KeyValueError>;

    /// Writes a row if the stored value is the expected one; returns whether it was written.
    async fn compare_and_swap(
        &self,
        row: KeyValueEntry,
        was: Option<Vec<u8>>,
    ) -> Result<bool, KeyValueError>;

    /// Acquires or renews a lease that one process has at a time; returns whether this process has
    /// it now.
    async fn acquire_lease(&self, name: &str, for_ms: u64) -> Result<bool, KeyValueError>;

    /// Releases a lease.
    async fn release_lease(&self, name: &str) -> Result<(), KeyValueError>;
}
