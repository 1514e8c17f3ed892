//! Gives readers the durable state: the tree as of the last flush.
//!
//! A group of commits is in the tree before it is on disk. A reader that saw it then could show
//! players a move that a power cut undoes. So while a group is being flushed, the values that it
//! replaces are kept here, and readers get those. Reads never wait for the disk to finish a flush.

use std::collections::{BTreeMap, btree_map};
use std::iter::Peekable;
use std::ops::Bound;
use std::sync::{Arc, Weak};

use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use sled::{IVec, Tree};

use super::snapshot::SnapshotOverlay;

/// The keys of a group with their values before it.
pub(super) type PreviousValues = BTreeMap<IVec, Option<IVec>>;

/// The tree and the values that the group in flight replaces. Closed when there is no tree.
pub(super) struct DurableTree {
    state: RwLock<DurableView>,
}

/// A consistent view for one reader, as long as it holds the lock.
pub(super) struct DurableView {
    tree: Option<Tree>,
    before: PreviousValues,
    /// Open snapshots: they need the values that groups replace.
    watching: Vec<Weak<Mutex<SnapshotOverlay>>>,
}

impl DurableTree {
    pub(super) fn new(tree: Tree) -> Self {
        Self {
            state: RwLock::new(DurableView {
                tree: Some(tree),
                before: PreviousValues::new(),
                watching: Vec::new(),
            }),
        }
    }

    /// Locks the view for one read. Drop the guard before waiting for anything.
    pub(super) fn read(&self) -> RwLockReadGuard<'_, DurableView> {
        self.state.read()
    }

    /// From now on readers get these values instead of those in the tree.
    pub(super) fn mask(&self, before: PreviousValues) {
        let mut state = self.state.write();
        state.watching.retain(|kept| {
            let kept = kept.upgrade();
            kept.inspect(|kept| kept.lock().keep_replaced(&before)).is_some()
        });
        state.before = before;
    }

    /// Starts a snapshot of the current durable state.
    pub(super) fn begin_snapshot(&self) -> Arc<Mutex<SnapshotOverlay>> {
        let mut state = self.state.write();
        let kept = Arc::new(Mutex::new(SnapshotOverlay::begin(&state.before)));
        state.watching.push(Arc::downgrade(&kept));
        kept
    }

    /// Ends the masking of a group that is on disk: readers get the tree again.
    pub(super) fn unmask(&self) {
        // The old map is dropped after the lock is released.
        let _old = std::mem::take(&mut self.state.write().before);
    }

    /// Drops the tree; later reads fail.
    pub(super) fn close(&self) {
        self.state.write().tree = None;
    }
}

impl DurableView {
    pub(super) fn is_open(&self) -> bool {
        self.tree.is_some()
    }

    pub(super) fn get(&self, key: &[u8]) -> sled::Result<Option<IVec>> {
        if let Some(before) = self.before.get(key) {
            return Ok(before.clone());
        }
        self.tree.as_ref().map_or(Ok(None), |tree| tree.get(key))
    }

    /// The current row in the tree, durable or not.
    pub(super) fn tree_get(&self, key: &[u8]) -> sled::Result<Option<IVec>> {
        self.tree.as_ref().map_or(Ok(None), |tree| tree.get(key))
    }

    /// All rows from `start` on; `before` takes precedence over the tree.
    pub(super) fn range_before<'a>(
        &self,
        before: &'a PreviousValues,
        start: Bound<Vec<u8>>,
    ) -> MergedIter<'a> {
        let bounds = (start, Bound::Unbounded);
        let tree = self.tree.as_ref().map(|tree| tree.range(bounds.clone()).peekable());
        MergedIter { before: before.range::<[u8], _>(as_slices(&bounds)).peekable(), tree }
    }

    /// Rows from `start` (inclusive) to `end` (exclusive), in order.
    pub(super) fn range(&self, start: Bound<Vec<u8>>, end: Vec<u8>) -> MergedIter<'_> {
        let bounds = (start, Bound::Excluded(end));
        let before = if range_is_empty(&bounds) {
            PreviousValues::range::<[u8], _>(&EMPTY, ..)
        } else {
            self.before.range::<[u8], _>(as_slices(&bounds))
        };
        let tree = self.tree.as_ref().map(|tree| tree.range(bounds).peekable());
        MergedIter { before: before.peekable(), tree }
    }

    /// The last row from `start` (inclusive) to `end` (exclusive).
    pub(super) fn last_in_range(
        &self,
        start: Bound<Vec<u8>>,
        end: Vec<u8>,
    ) -> Option<sled::Result<(IVec, IVec)>> {
        let mut bounds = (start, end);
        loop {
            let tree = self.tree.as_ref()?;
            let range = (bounds.0.clone(), Bound::Excluded(bounds.1.clone()));
            if range_is_empty(&range) {
                return None;
            }
            let held = self.before.range::<[u8], _>(as_slices(&range)).next_back();
            let found = match tree.range(range).next_back().transpose() {
                Ok(found) => found,
                Err(error) => return Some(Err(error)),
            };
            match (held, found) {
                (None, found) => return found.map(Ok),
                (Some((key, _)), Some(found)) if *key < found.0 => {
                    return Some(Ok(found));
                }
                (Some((key, Some(value))), _) => {
                    return Some(Ok((key.clone(), value.clone())));
                }
                // The row is new in the group: look below it.
                (Some((key, None)), _) => bounds.1 = key.to_vec(),
            }
        }
    }
}

static EMPTY: PreviousValues = PreviousValues::new();

fn as_slices(bounds: &(Bound<Vec<u8>>, Bound<Vec<u8>>)) -> (Bound<&[u8]>, Bound<&[u8]>) {
    (bounds.0.as_ref().map(Vec::as_slice), bounds.1.as_ref().map(Vec::as_slice))
}

/// Whether a range is empty: `BTreeMap::range` panics on such ranges instead of returning nothing.
fn range_is_empty((start, end): &(Bound<Vec<u8>>, Bound<Vec<u8>>)) -> bool {
    match (start, end) {
        (Bound::Included(start) | Bound::Excluded(start), Bound::Excluded(end)) => start >= end,
        _ => false,
    }
}

/// Merges the tree and the previous values in key order; previous values win.
pub(super) struct MergedIter<'a> {
    before: Peekable<btree_map::Range<'a, IVec, Option<IVec>>>,
    tree: Option<Peekable<sled::Iter>>,
}

impl Iterator for MergedIter<'_> {
    type Item = sled::Result<(IVec, IVec)>;

    fn next(&mut self) -> Option<Self::Item> {
        let tree = self.tree.as_mut()?;
        loop {
            let Some((held, _)) = self.before.peek() else {
                return tree.next();
            };
            match tree.peek() {
                Some(Err(_)) => return tree.next(),
                Some(Ok((key, _))) if key < *held => return tree.next(),
                Some(Ok((key, _))) if key == *held => {
                    tree.next();
                }
                Some(Ok(_)) | None => {}
            }
            if let Some((key, Some(value))) = self.before.next() {
                return Some(Ok((key.clone(), value.clone())));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(0..3_u8, 1..4)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
        /// The group replaces values, removes some and adds others; readers see none of it until it
        /// is unmasked.
        #[test]
        fn readers_see_the_state_before_the_group(
            old in prop::collection::btree_map(key(), any::<u8>(), 0..20),
            group in prop::collection::btree_map(key(), any::<Option<u8>>(), 0..20),
            start in key(),
            end in key(),
        ) {
            let db = sled::Config::new().temporary(true).open().unwrap();
            for (key, value) in &old {
                db.insert(key, &[*value]).unwrap();
            }
            let durable = DurableTree::new((*db).clone());
            let get = |key: &[u8]| durable.read().get(key).unwrap().map(|value| value[0]);
            let range = || -> Vec<(Vec<u8>, u8)> {
                let state = durable.read();
                let pairs = state.range(Bound::Excluded(start.clone()), end.clone());
                pairs.map(|pair| pair.map(|(k, v)| (k.to_vec(), v[0])).unwrap()).collect()
            };
            let last = || {
                let from = Bound::Excluded(start.clone());
                let last = durable.read().last_in_range(from, end.clone());
                last.map(|pair| pair.map(|(k, v)| (k.to_vec(), v[0])).unwrap())
            };
            let in_range = |all: &BTreeMap<Vec<u8>, u8>| -> Vec<(Vec<u8>, u8)> {
                let inside = all.iter().filter(|(key, _)| **key > start && **key < end);
                inside.map(|(key, value)| (key.clone(), *value)).collect()
            };

            let before = group.keys().map(|key| (key[..].into(), db.get(key).unwrap())).collect();
            durable.mask(before);
            let mut new = old.clone();
            for (key, value) in &group {
                if let Some(value) = value {
                    db.insert(key, &[*value]).unwrap();
                    new.insert(key.clone(), *value);
                } else {
                    db.remove(key).unwrap();
                    new.remove(key);
                }
            }
            for key in old.keys().chain(group.keys()) {
                prop_assert_eq!(get(key), old.get(key).copied());
            }
            prop_assert_eq!(range(), in_range(&old));
            prop_assert_eq!(last(), in_range(&old).pop());
            durable.unmask();
            for key in old.keys().chain(group.keys()) {
                prop_assert_eq!(get(key), new.get(key).copied());
            }
            prop_assert_eq!(range(), in_range(&new));
            prop_assert_eq!(last(), in_range(&new).pop());
        }
    }
}
