//! Small rows that platforms keep for a while: where a private message stands, what waits to be
//! opened, with what somebody can be answered. Every process reads the same rows, so a press may
//! come to another one than the one that posted.

use async_trait::async_trait;

/// A row to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyValueEntry {
    /// Under what key; starts with the platform and a space: `tg slot …`.
    pub key: String,
    /// What; `None` removes it.
    pub value: Option<Vec<u8>>,
    /// How long it is kept, in milliseconds.
    pub ttl_ms: u64,
}

impl KeyValueEntry {
    /// A row that is kept so long.
    pub fn put(key: String, value: Vec<u8>, for_ms: u64) -> Self {
        KeyValueEntry { key, value: Some(value), ttl_ms: for_ms }
    }

    /// Removes a row.
    pub fn delete(key: String) -> Self {
        KeyValueEntry { key, value: None, ttl_ms: 0 }
    }
}

/// Why rows could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct KeyValueError(pub String);

/// Where platforms keep rows with a lifetime, and agree with the other processes on who does what.
#[async_trait]
pub trait KeyValueStore: Send + Sync + 'static {
    /// The values under these keys, all of one moment. A row whose time is over is not there.
    async fn read(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, KeyValueError>;

    /// The first rows whose keys have this prefix, in the order of their keys.
    async fn scan(
        &self,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, KeyValueError>;

    /// Writes rows, all or none.
    async fn write(&self, rows: Vec<KeyValueEntry>) -> Result<(), KeyValueError>;

    /// Writes a row if there stands what was expected; whether it did.
    async fn compare_and_swap(
        &self,
        row: KeyValueEntry,
        was: Option<Vec<u8>>,
    ) -> Result<bool, KeyValueError>;

    /// Takes or keeps a role that one process has at a time; whether this one has it now.
    async fn acquire_lease(&self, name: &str, for_ms: u64) -> Result<bool, KeyValueError>;

    /// Gives a role up.
    async fn release_lease(&self, name: &str) -> Result<(), KeyValueError>;
}
