//! Consistent views of everything in a store, read in batches while the store keeps working.

use async_trait::async_trait;

use super::{Space, StoreError};

/// Sorts logs among spaces, as if they were a space with this letter.
pub(super) const LOG_LETTER: u8 = b'l';

/// One row or log line of a store. Leases and claims are not included, because they expire soon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredItem {
    /// A row.
    Row {
        /// The space of the row.
        space: Space,
        /// The key of the row.
        key: String,
        /// The value of the row.
        value: Vec<u8>,
        /// When the row expires, in milliseconds of Unix time.
        until_ms: Option<u64>,
    },
    /// A line of a log.
    Line {
        /// Table code.
        table: String,
        /// The number of the line, from 0.
        number: u64,
        /// The text of the line.
        line: String,
    },
    /// An item that cannot be read any more: one sentence that names it.
    Damaged(String),
}

/// Reads everything that a store held at one moment, in batches. Rows are ordered by the letter of
/// their space and by key; logs come as if their letter were `l`, ordered by table and line number.
/// All stores use the same order, so that two of them can be compared.
#[async_trait]
pub trait Snapshot: Send {
    /// The next items, a few hundred at a time; empty at the end.
    async fn next_items(&mut self) -> Result<Vec<StoredItem>, StoreError>;
}

/// A snapshot whose items are all in memory.
pub(super) struct BufferedSnapshot {
    items: std::vec::IntoIter<StoredItem>,
}

/// Items per call of [`Snapshot::next_items`].
pub(super) const ITEMS_PER_BATCH: usize = 500;

impl BufferedSnapshot {
    pub(super) fn new(mut items: Vec<StoredItem>) -> Self {
        items.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        Self { items: items.into_iter() }
    }
}

/// The position of an item in the common order.
fn sort_key(item: &StoredItem) -> (u8, &str, u64) {
    match item {
        StoredItem::Row { space, key, .. } => (space.letter(), key, 0),
        StoredItem::Line { table, number, .. } => (LOG_LETTER, table, *number),
        StoredItem::Damaged(_) => (u8::MAX, "", 0),
    }
}

#[async_trait]
impl Snapshot for BufferedSnapshot {
    async fn next_items(&mut self) -> Result<Vec<StoredItem>, StoreError> {
        Ok(self.items.by_ref().take(ITEMS_PER_BATCH).collect())
    }
}
