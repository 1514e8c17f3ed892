//! Where tables live: one small trait, several stores.
//!
//! A store knows bytes and strings, nothing of games, chats or platforms. Everything that
//! belongs together goes into one [`Commit`]; when `commit` returns it survives a power cut.
//!
//! Start reading at [`Store`]; [`sled::SledStore`] is what the program runs on,
//! [`memory::MemoryStore`] is for tests and [`faulty::FaultyStore`] makes any of them misbehave.

#[doc(hidden)]
pub mod faulty;
pub mod limits;
pub mod memory;
pub mod sled;

use async_trait::async_trait;

/// A named part of the store. Keys are compared by bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// Table code → what lists and timers need without reading the log (JSON).
    Head,
    /// Update id → time and the answer it got (JSON).
    Seen,
    /// `<time, 16 hexadecimal digits> <table>` → what then (JSON).
    Due,
    /// `<place> <kind> <table> <version>` → what is not yet said there (JSON).
    Outbox,
    /// `<table> <place>` → the standing messages of a table in a place (JSON).
    Board,
    /// `<place> <message>` → table code.
    Message,
    /// `<place> <table>` → empty: open tables of a place.
    PlaceTable,
    /// `<person> <table>` → empty: open tables of a person.
    PersonTable,
    /// Place → settings (JSON).
    Place,
    /// Person → settings and last known name (JSON).
    Person,
    /// Small things of the service itself.
    Meta,
}

/// New lines for the log of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// Table code.
    pub table: String,
    /// How many lines the log must have; else the whole commit is refused.
    pub expect: u64,
    /// The lines, without line feeds.
    pub lines: Vec<String>,
}

/// What is stored or removed under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Put {
    /// Where.
    pub space: Space,
    /// Under what key: UTF-8, not empty, at most 512 bytes.
    pub key: String,
    /// `None` removes it.
    pub value: Option<Vec<u8>>,
}

/// A change that happens wholly or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// Keys that must be absent; else the whole commit is refused. The service puts the id of
    /// the update here, so that the same update never acts twice.
    pub absent: Vec<(Space, String)>,
    /// Log lines by table, each table once.
    pub appends: Vec<Append>,
    /// Values, applied in order.
    pub puts: Vec<Put>,
}

/// Why a commit or a read failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else was first: load again and decide again. Nothing was written.
    #[error("the table has changed meanwhile")]
    Conflict,
    /// Disk, network, damage.
    #[error("store: {0}")]
    Failed(String),
}

/// What keeps everything. Cheap to share behind an `Arc`.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// The log of a table from line `from` on; empty if there is none.
    async fn log(&self, table: &str, from: u64) -> Result<Vec<String>, StoreError>;

    /// The value under a key.
    async fn get(&self, space: Space, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Up to `limit` pairs in order of key, of the keys that start with `prefix` and are greater
    /// than `after`.
    async fn scan(
        &self,
        space: Space,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, StoreError>;

    /// Applies a change. When it returns `Ok`, the change survives a power cut.
    async fn commit(&self, commit: Commit) -> Result<(), StoreError>;

    /// Waits until everything is on disk and closes; later commits fail.
    async fn close(&self) -> Result<(), StoreError>;
}
