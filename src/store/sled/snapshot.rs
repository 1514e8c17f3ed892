//! Everything at one moment, while groups of commits go on: what a group replaces behind the
//! place up to which was read is kept until it was read. Memory grows with what changes
//! meanwhile, never with what is there.

use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use sled::IVec;

use super::durable::{Before, State};
use super::group::value_of;
use super::row::RowView;
use super::{Shared, closed, failed, keys, row};
use crate::snapshot::{PIECES, Piece, Snapshot};
use crate::{Space, StoreError};

/// What one snapshot keeps of what was replaced since it was begun.
#[derive(Default)]
pub(super) struct Kept {
    old: Before,
    /// The last key that was read.
    read: Vec<u8>,
}

impl Kept {
    /// A snapshot that begins while a group is being flushed sees what was before that group.
    pub(super) fn begin(in_flight: &Before) -> Self {
        Self { old: in_flight.clone(), read: Vec::new() }
    }

    /// A group is about to replace these.
    pub(super) fn keep(&mut self, before: &Before) {
        for (key, value) in before {
            if self.needs(key) && !self.old.contains_key(key) {
                self.old.insert(key.clone(), value.clone());
            }
        }
    }

    /// Pieces of long values are read with the row that they belong to.
    fn needs(&self, key: &[u8]) -> bool {
        key > self.read.as_slice() || key.first() == Some(&keys::PIECE)
    }

    fn advance(&mut self, read: &[u8]) {
        self.read = read.to_vec();
        let Self { old, read } = self;
        old.retain(|key, _| key.as_ref() > read.as_slice() || key.first() == Some(&keys::PIECE));
    }
}

/// A snapshot of the store in a folder.
pub(super) struct Everything {
    shared: Arc<Shared>,
    kept: Arc<Mutex<Kept>>,
}

impl Everything {
    pub(super) fn begin(shared: Arc<Shared>) -> Self {
        let kept = shared.durable.watch();
        Self { shared, kept }
    }

    fn read(&self) -> Result<Vec<Piece>, StoreError> {
        // In this order, as whoever writes does.
        let state = self.shared.durable.read();
        let mut kept = lock(&self.kept);
        if !state.is_open() {
            return Err(closed());
        }
        let (mut pieces, mut read) = (Vec::new(), None);
        for pair in state.range_before(&kept.old, Bound::Excluded(kept.read.clone())) {
            let (key, found) = pair.map_err(failed)?;
            if key.first().is_some_and(u8::is_ascii_lowercase) {
                pieces.push(piece(&state, &kept.old, &key, &found));
            }
            read = Some(key);
            if pieces.len() == PIECES {
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
impl Snapshot for Everything {
    async fn next(&mut self) -> Result<Vec<Piece>, StoreError> {
        self.read()
    }
}

fn piece(state: &State, old: &Before, key: &[u8], found: &IVec) -> Piece {
    let get = |key: &[u8]| match old.get(key) {
        Some(value) => Ok(value.clone()),
        None => state.tree_get(key).map_err(failed),
    };
    let read = || {
        let RowView { until_ms, content } = row::decode(key, found)?;
        let value = value_of(key, content, get)?;
        named(key, value, until_ms).ok_or_else(|| row::damaged(key))
    };
    match read() {
        Ok(piece) => piece,
        Err(StoreError::Failed(why)) => Piece::Damaged(why),
        Err(error @ StoreError::Conflict) => Piece::Damaged(error.to_string()),
    }
}

pub(super) fn named(key: &[u8], value: Vec<u8>, until_ms: Option<u64>) -> Option<Piece> {
    let (letter, rest) = key.split_first()?;
    if *letter == keys::LOG {
        let (table, number) = rest.split_at_checked(rest.len().checked_sub(9)?)?;
        let table = String::from_utf8(table.to_vec()).ok()?;
        let line = String::from_utf8(value).ok()?;
        return Some(Piece::Line { table, number: keys::line_number(number)?, line });
    }
    let space = *Space::ALL.iter().find(|space| space.letter() == *letter)?;
    let key = String::from_utf8(rest.to_vec()).ok()?;
    Some(Piece::Row { space, key, value, until_ms })
}

pub(super) fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
