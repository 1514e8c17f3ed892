//! Reads the whole store as of one moment while commits go on. When a group replaces rows that the
//! snapshot has not read yet, their old values are kept until they are read. Memory grows with the
//! changes made meanwhile, not with the size of the store; a snapshot that is read too slowly
//! fails.

use std::ops::Bound;
use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;
use sled::IVec;

use super::base::catch_sled_panic;
use super::commit_group::value_of;
use super::durable_tree::{DurableView, PreviousValues};
use super::row_codec::RowView;
use super::{CommitterShared, closed_error, keys, row_codec, sled_error};
use crate::snapshot::{ITEMS_PER_BATCH, Snapshot, StoredItem};
use crate::{Space, StoreError};

/// The most memory for old values of one snapshot, in bytes.
const OLD_BYTES_MAX: usize = 256 * 1024 * 1024;

/// The memory of a row besides its key and value, in bytes.
const ROW_OVERHEAD_BYTES: usize = 64;

/// The old values of rows that were replaced after the snapshot began.
#[derive(Default)]
pub(super) struct SnapshotOverlay {
    old: PreviousValues,
    /// The size of the old values.
    old_bytes: usize,
    /// Whether there were too many: they are dropped, and the snapshot can be read no further.
    is_overfull: bool,
    /// The last key that was read.
    read: Vec<u8>,
}

/// The memory of an old value with its key.
fn bytes_of(key: &IVec, value: &Option<IVec>) -> usize {
    ROW_OVERHEAD_BYTES + key.len() + value.as_ref().map_or(0, |it| it.len())
}

impl SnapshotOverlay {
    /// Begins with the previous values of the group in flight, so that the snapshot sees the state
    /// before that group.
    pub(super) fn begin(in_flight: &PreviousValues) -> Self {
        let old_bytes = in_flight.iter().map(|(key, value)| bytes_of(key, value)).sum();
        Self { old: in_flight.clone(), old_bytes, ..Self::default() }
    }

    /// Keeps the rows that a group is about to replace.
    pub(super) fn keep_replaced(&mut self, before: &PreviousValues) {
        self.keep_up_to(before, OLD_BYTES_MAX);
    }

    fn keep_up_to(&mut self, before: &PreviousValues, bytes_max: usize) {
        if self.is_overfull {
            return;
        }
        for (key, value) in before {
            if self.needs(key) && !self.old.contains_key(key) {
                self.old_bytes += bytes_of(key, value);
                self.old.insert(key.clone(), value.clone());
            }
        }
        if self.old_bytes > bytes_max {
            *self = Self { is_overfull: true, ..Self::default() };
        }
    }

    /// Whether the snapshot still has to read this key. Pieces of long values are read with their
    /// row.
    fn needs(&self, key: &[u8]) -> bool {
        key > self.read.as_slice() || key.first() == Some(&keys::PIECE)
    }

    fn advance(&mut self, read: &[u8]) {
        self.read = read.to_vec();
        let Self { old, old_bytes, read, .. } = self;
        old.retain(|key, value| {
            let is_needed = key.as_ref() > read.as_slice() || key.first() == Some(&keys::PIECE);
            if !is_needed {
                *old_bytes -= bytes_of(key, value);
            }
            is_needed
        });
    }
}

/// A snapshot of a sled store.
pub(super) struct SledSnapshot {
    shared: Arc<CommitterShared>,
    kept: Arc<Mutex<SnapshotOverlay>>,
}

impl SledSnapshot {
    pub(super) fn begin(shared: Arc<CommitterShared>) -> Self {
        let kept = shared.durable.begin_snapshot();
        Self { shared, kept }
    }

    fn read(&self) -> Result<Vec<StoredItem>, StoreError> {
        // The locks are taken in the same order as in the writer.
        let state = self.shared.durable.read();
        let mut kept = self.kept.lock();
        if !state.is_open() {
            return Err(closed_error());
        }
        if kept.is_overfull {
            let why = "the store was read too slowly while it changed a lot: begin again";
            return Err(StoreError::Failed(why.to_owned()));
        }
        let mut pieces = Vec::new();
        let mut read = None;
        for pair in state.range_before(&kept.old, Bound::Excluded(kept.read.clone())) {
            let (key, found) = pair.map_err(sled_error)?;
            if key.first().is_some_and(u8::is_ascii_lowercase) {
                pieces.push(row_to_item(&state, &kept.old, &key, &found));
            }
            read = Some(key);
            if pieces.len() == ITEMS_PER_BATCH {
                break;
            }
        }
        if let Some(read) = read {
            kept.advance(&read);
        }
        Ok(pieces)
    }
}

#[async_trait]
impl Snapshot for SledSnapshot {
    async fn next_items(&mut self) -> Result<Vec<StoredItem>, StoreError> {
        catch_sled_panic(|| self.read())
    }
}

fn row_to_item(state: &DurableView, old: &PreviousValues, key: &[u8], found: &IVec) -> StoredItem {
    let get = |key: &[u8]| match old.get(key) {
        Some(value) => Ok(value.clone()),
        None => state.tree_get(key).map_err(sled_error),
    };
    let read = || {
        let RowView { until_ms, content } = row_codec::decode(key, found)?;
        let value = value_of(key, content, get)?;
        to_item(key, value, until_ms).ok_or_else(|| row_codec::damaged_row_error(key))
    };
    match read() {
        Ok(piece) => piece,
        Err(StoreError::Failed(why) | StoreError::Damaged(why)) => StoredItem::Damaged(why),
        Err(error @ StoreError::Conflict) => StoredItem::Damaged(error.to_string()),
    }
}

pub(super) fn to_item(key: &[u8], value: Vec<u8>, until_ms: Option<u64>) -> Option<StoredItem> {
    let (letter, rest) = key.split_first()?;
    if *letter == keys::LOG {
        let (table, number) = rest.split_at_checked(rest.len().checked_sub(9)?)?;
        let table = String::from_utf8(table.to_vec()).ok()?;
        let line = String::from_utf8(value).ok()?;
        return Some(StoredItem::Line { table, number: keys::line_number(number)?, line });
    }
    let space = *Space::ALL.iter().find(|space| space.letter() == *letter)?;
    let key = String::from_utf8(rest.to_vec()).ok()?;
    Some(StoredItem::Row { space, key, value, until_ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(keys: &[&str]) -> PreviousValues {
        keys.iter().map(|it| (IVec::from(*it), Some(IVec::from("0123456789")))).collect()
    }

    #[test]
    fn old_values_take_memory_only_until_they_are_read_or_too_many() {
        let row_bytes = ROW_OVERHEAD_BYTES + 12;
        let mut kept = SnapshotOverlay::begin(&replaced(&["ha"]));
        assert_eq!(kept.old_bytes, row_bytes);
        // A row that is replaced once more, and a new one.
        kept.keep_up_to(&replaced(&["ha", "hb"]), 2 * row_bytes);
        assert_eq!((kept.old.len(), kept.old_bytes), (2, 2 * row_bytes));
        kept.advance(b"ha");
        assert_eq!((kept.old.len(), kept.old_bytes), (1, row_bytes));
        kept.keep_up_to(&replaced(&["hc", "hd"]), 2 * row_bytes);
        assert!(kept.is_overfull && kept.old.is_empty());
        kept.keep_up_to(&replaced(&["he"]), 2 * row_bytes);
        assert!(kept.old.is_empty());
    }
}
