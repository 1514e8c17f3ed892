//! Everything that a store holds at one moment, while it goes on working.

use async_trait::async_trait;

use super::{Space, StoreError};

/// The letter under which logs stand among the letters of spaces, where all is in one order.
pub(super) const LOG_LETTER: u8 = b'l';

/// One thing that a store holds. Leases and claims are not among them: they die with time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredItem {
    /// A row of a space.
    Row {
        /// Where.
        space: Space,
        /// Under what key.
        key: String,
        /// What.
        value: Vec<u8>,
        /// From when on it may be swept away.
        until_ms: Option<u64>,
    },
    /// A line of a log.
    Line {
        /// Table code.
        table: String,
        /// Its number, from 0.
        number: u64,
        /// What it says.
        line: String,
    },
    /// Something that cannot be read any more: one sentence that names it.
    Damaged(String),
}

/// What a store held when this was asked for, piece by piece: rows by the letter of their space
/// and by key, and among them, as if their letter were `l`, the logs by table and number. All
/// stores have the same order, so that two of them can be compared.
#[async_trait]
pub trait Snapshot: Send {
    /// The next pieces, some hundred at a time; none at the end.
    async fn next_items(&mut self) -> Result<Vec<StoredItem>, StoreError>;
}

/// Pieces that are all in memory already, in order.
pub(super) struct BufferedSnapshot {
    pieces: std::vec::IntoIter<StoredItem>,
}

/// Pieces that are handed out at a time.
pub(super) const ITEMS_PER_BATCH: usize = 500;

impl BufferedSnapshot {
    pub(super) fn new(mut pieces: Vec<StoredItem>) -> Self {
        pieces.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        Self { pieces: pieces.into_iter() }
    }
}

/// Where a piece stands.
fn sort_key(piece: &StoredItem) -> (u8, &str, u64) {
    match piece {
        StoredItem::Row { space, key, .. } => (space.letter(), key, 0),
        StoredItem::Line { table, number, .. } => (LOG_LETTER, table, *number),
        StoredItem::Damaged(_) => (u8::MAX, "", 0),
    }
}

#[async_trait]
impl Snapshot for BufferedSnapshot {
    async fn next_items(&mut self) -> Result<Vec<StoredItem>, StoreError> {
        Ok(self.pieces.by_ref().take(ITEMS_PER_BATCH).collect())
    }
}
