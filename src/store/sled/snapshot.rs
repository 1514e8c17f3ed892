//! Reads the whole store as of one moment while commits go on. When a group replaces rows that the
//! snapshot has not read yet, their old values are kept until they are read. Memory grows with the
//! changes made meanwhile, not with the size of the store.

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

/// The old values of rows that were replaced after the snapshot began.
#[derive(Default)]
pub(super) struct SnapshotOverlay {
    old: PreviousValues,
    /// The last key that was read.
    read: Vec<u8>,
}

impl SnapshotOverlay {
    /// Begins with the previous values of the group in flight, so that the snapshot sees the state
    /// before that group.
    pub(super) fn begin(in_flight: &PreviousValues) -> Self {
        Self { old: in_flight.clone(), read: Vec::new() }
    }

    /// Keeps the rows that a group is about to replace.
    pub(super) fn keep_replaced(&mut self, before: &PreviousValues) {
        for (key, value) in before {
            if self.needs(key) && !self.old.contains_key(key) {
                self.old.insert(key.clone(), value.clone());
            }
        }
    }

    /// Whether the snapshot still has to read this key. Pieces of long values are read with their
    /// row.
    fn needs(&self, key: &[u8]) -> bool {
        key > self.read.as_slice() || key.first() == Some(&keys::PIECE)
    }

    fn advance(&mut self, read: &[u8]) {
        self.read = read.to_vec();
        let Self { old, read } = self;
        old.retain(|key, _| key.as_ref() > read.as_slice() || key.first() == Some(&keys::PIECE));
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
        let (mut pieces, mut read) = (Vec::new(), None);
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
        Err(StoreError::Failed(why)) => StoredItem::Damaged(why),
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
