//! Decides and collects commits that are applied together: each is decided against the tree with
//! the earlier commits of the group applied.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;

use sled::{Db, IVec};

use super::row_codec::{self, RowContent};
use super::totals::TreeTotals;
use super::{keys, sled_error};
use crate::{Commit, Expect, Put, StoreError};

/// The combined writes of a group of commits.
#[derive(Default)]
pub(super) struct CommitGroup {
    pub(super) writes: BTreeMap<IVec, KeyWrite>,
    /// Rows read for preconditions. A commit usually writes the rows it expects next, and nothing
    /// else changes the tree meanwhile, so the second read is saved.
    looked_at: HashMap<IVec, Option<IVec>>,
    /// Lengths of the logs that the group changes.
    pub(super) lengths: HashMap<String, u64>,
    /// Topics to publish when the group is durable.
    pub(super) topics: Vec<String>,
    pub(super) bytes: usize,
    /// Writes of the commit that is being decided, to roll them back.
    undo: Vec<(IVec, Option<KeyWrite>)>,
}

/// The change of one key.
#[derive(Clone)]
pub(super) struct KeyWrite {
    pub(super) before: Option<IVec>,
    pub(super) after: Option<IVec>,
}

/// The tree that a group is decided against.
pub(super) struct GroupTree<'a> {
    pub(super) db: &'a Db,
    /// Lengths of logs that are known without a read.
    pub(super) lengths: &'a HashMap<String, u64>,
    /// The time at which rows count as expired.
    pub(super) now_ms: u64,
}

impl CommitGroup {
    /// Checks a commit and adds its writes if its preconditions are met.
    pub(super) fn decide(
        &mut self,
        tree: &GroupTree<'_>,
        commit: Commit,
    ) -> Result<(), StoreError> {
        for expect in &commit.expect {
            if !self.is_met(tree, expect)? {
                return Err(StoreError::Conflict);
            }
        }
        for append in &commit.appends {
            if self.length(tree, &append.table)? != append.expect {
                return Err(StoreError::Conflict);
            }
        }
        for rewrite in &commit.rewrites {
            if self.length(tree, &rewrite.table)? != rewrite.lines.len() as u64 {
                return Err(StoreError::Conflict);
            }
        }
        let added = self.add(tree, &commit);
        self.roll_back_on_error(added)?;
        for append in commit.appends {
            self.lengths.insert(append.table, append.expect + append.lines.len() as u64);
        }
        for table in commit.drops {
            self.lengths.insert(table, 0);
        }
        self.topics.extend(commit.topics);
        Ok(())
    }

    fn add(&mut self, tree: &GroupTree<'_>, commit: &Commit) -> Result<(), StoreError> {
        for table in &commit.drops {
            for n in 0..self.length(tree, table)? {
                self.put(tree, keys::log_key(table, n), None, None)?;
            }
        }
        for append in &commit.appends {
            // There are no rows beyond the end of a log, so nothing is replaced.
            for (line, n) in append.lines.iter().zip(append.expect..) {
                let key = keys::log_key(&append.table, n).into();
                self.write(tree, key, None, line.as_bytes(), None)?;
            }
        }
        for rewrite in &commit.rewrites {
            for (line, n) in rewrite.lines.iter().zip(0..) {
                let key = keys::log_key(&rewrite.table, n);
                self.put(tree, key, Some(line.as_bytes()), None)?;
            }
        }
        for Put { space, key, value, expires_ms: until_ms } in &commit.puts {
            self.put(tree, keys::value_key(*space, key), value.as_deref(), *until_ms)?;
        }
        Ok(())
    }

    /// Keeps the writes of the current commit, or rolls all of them back on an error.
    fn roll_back_on_error<T>(&mut self, added: Result<T, StoreError>) -> Result<T, StoreError> {
        let undo = std::mem::take(&mut self.undo);
        if added.is_err() {
            for (key, write) in undo.into_iter().rev() {
                match write {
                    Some(write) => self.writes.insert(key, write),
                    None => self.writes.remove(&key),
                };
            }
        }
        added
    }

    /// Removes up to `limit` expired rows and returns their number.
    pub(super) fn remove_expired(
        &mut self,
        tree: &GroupTree<'_>,
        now_ms: u64,
        limit: usize,
    ) -> Result<usize, StoreError> {
        let swept = self.remove_expired_rows(tree, now_ms, limit);
        self.roll_back_on_error(swept)
    }

    fn remove_expired_rows(
        &mut self,
        tree: &GroupTree<'_>,
        now_ms: u64,
        limit: usize,
    ) -> Result<usize, StoreError> {
        let end = keys::lifetime_start(now_ms.saturating_add(1));
        let over = tree.db.range(keys::lifetime_start(0)..end);
        let mut swept = 0;
        for pair in over {
            if swept == limit {
                break;
            }
            let (lifetime, _) = pair.map_err(sled_error)?;
            // An earlier commit of the group has changed the expiry of the row.
            if self.writes.get(&lifetime).is_some_and(|write| write.after.is_none()) {
                continue;
            }
            let Some((until_ms, key)) = keys::parse_lifetime_key(&lifetime) else {
                continue;
            };
            let old = self.row(tree, key)?;
            let until = old.map(|old| row_codec::decode(key, &old).map(|old| old.until_ms));
            if matches!(until, Some(Ok(Some(is_ms))) if is_ms == until_ms) {
                self.put(tree, key.to_vec(), None, None)?;
                swept += 1;
            } else {
                // The row was damaged and has been replaced, so its expiry entry is stale.
                self.set(lifetime, None, None);
            }
        }
        Ok(swept)
    }

    /// The totals after the group.
    pub(super) fn totals(&self, mut totals: TreeTotals) -> TreeTotals {
        for (key, write) in &self.writes {
            if let Some(before) = &write.before {
                totals.subtract(key, before);
            }
            if let Some(after) = &write.after {
                totals.add(key, after);
            }
        }
        totals
    }

    fn is_met(&mut self, tree: &GroupTree<'_>, expect: &Expect) -> Result<bool, StoreError> {
        let key = keys::value_key(expect.space, &expect.key);
        let found = self.row(tree, &key)?;
        let value = expect.value.as_deref();
        self.looked_at.insert(key.as_slice().into(), found.clone());
        let living = found.as_deref().map(|found| row_codec::decode_live(&key, found, tree.now_ms));
        match (living.transpose()?.flatten(), value) {
            (None, None) => Ok(true),
            (Some(_), None) | (None, Some(_)) => Ok(false),
            (Some(found), Some(value)) => {
                let get = |key: &[u8]| self.row(tree, key);
                Ok(value_of(&key, found.content, get)? == value)
            }
        }
    }

    /// The row under a key, including writes of the group.
    fn row(&self, tree: &GroupTree<'_>, key: &[u8]) -> Result<Option<IVec>, StoreError> {
        if let Some(write) = self.writes.get(key) {
            return Ok(write.after.clone());
        }
        match self.looked_at.get(key) {
            Some(found) => Ok(found.clone()),
            None => tree.db.get(key).map_err(sled_error),
        }
    }

    /// Stores or removes a value together with its pieces and its expiry. A damaged row can be
    /// replaced.
    fn put(
        &mut self,
        tree: &GroupTree<'_>,
        key: Vec<u8>,
        value: Option<&[u8]>,
        until_ms: Option<u64>,
    ) -> Result<(), StoreError> {
        let old = self.row(tree, &key)?;
        let key = IVec::from(key);
        if let Some(old) = old.as_ref().and_then(|old| row_codec::decode(&key, old).ok()) {
            if let Some(was_ms) = old.until_ms {
                self.set(keys::lifetime_key(was_ms, &key).into(), None, None);
            }
            if let RowContent::Pieces(count) = old.content {
                for n in 0..count {
                    self.set_piece(tree, keys::piece_key(&key, n), None)?;
                }
            }
        }
        match value {
            Some(value) => self.write(tree, key, old, value, until_ms)?,
            None if old.is_some() => self.set(key, old, None),
            None => {}
        }
        Ok(())
    }

    /// Stores a value in place of `old`, whose pieces and expiry are removed already.
    fn write(
        &mut self,
        tree: &GroupTree<'_>,
        key: IVec,
        old: Option<IVec>,
        value: &[u8],
        until_ms: Option<u64>,
    ) -> Result<(), StoreError> {
        if let Some(until_ms) = until_ms {
            let key = keys::lifetime_key(until_ms, &key);
            self.set(key.into(), None, Some(IVec::default()));
        }
        let (row, pieces) = row_codec::encode(&key, value, until_ms);
        for (key, piece) in pieces {
            self.set_piece(tree, key, Some(piece.into()))?;
        }
        self.set(key, old, Some(row.into()));
        Ok(())
    }

    fn set_piece(
        &mut self,
        tree: &GroupTree<'_>,
        key: Vec<u8>,
        after: Option<IVec>,
    ) -> Result<(), StoreError> {
        let before = self.row(tree, &key)?;
        self.set(key.into(), before, after);
        Ok(())
    }

    /// Adds one write. `before` is the row in the tree and counts only for the first write of a
    /// key. Expiry entries are read only by `remove_expired`, so their old values need not be
    /// known.
    fn set(&mut self, key: IVec, before: Option<IVec>, after: Option<IVec>) {
        self.bytes += key.len() + after.as_ref().map_or(0, |after| after.len());
        let old = match self.writes.entry(key.clone()) {
            Entry::Vacant(free) => {
                free.insert(KeyWrite { before, after });
                None
            }
            Entry::Occupied(mut taken) => {
                let before = taken.get().before.clone();
                Some(taken.insert(KeyWrite { before, after }))
            }
        };
        self.undo.push((key, old));
    }

    /// The number of lines of a log, including writes of the group.
    fn length(&self, tree: &GroupTree<'_>, table: &str) -> Result<u64, StoreError> {
        if let Some(n) = self.lengths.get(table).or_else(|| tree.lengths.get(table)) {
            return Ok(*n);
        }
        let prefix = keys::log_prefix(table);
        let end = keys::prefix_end(&prefix);
        let mut lines = tree.db.range((Bound::Included(prefix), Bound::Excluded(end)));
        let last = lines.next_back().transpose().map_err(sled_error)?;
        Ok(last.and_then(|(key, _)| keys::line_number(&key)).map_or(0, |n| n + 1))
    }
}

/// The value of a row, assembled from its pieces.
pub(super) fn value_of(
    key: &[u8],
    content: RowContent<'_>,
    get: impl Fn(&[u8]) -> Result<Option<IVec>, StoreError>,
) -> Result<Vec<u8>, StoreError> {
    let count = match content {
        RowContent::Inline(value) => return Ok(value.to_vec()),
        RowContent::Pieces(count) => count,
    };
    let mut value = Vec::with_capacity(usize::from(count) * row_codec::PIECE_BYTES);
    for n in 0..count {
        let key = keys::piece_key(key, n);
        let piece = get(&key)?.ok_or_else(|| row_codec::damaged_row_error(&key))?;
        match row_codec::decode(&key, &piece)?.content {
            RowContent::Inline(part) => value.extend_from_slice(part),
            RowContent::Pieces(_) => return Err(row_codec::damaged_row_error(&key)),
        }
    }
    Ok(value)
}
