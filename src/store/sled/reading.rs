//! Answers to questions, from the state that readers see.

use std::ops::Bound;

use sled::IVec;

use super::base::guarded;
use super::durable::State;
use super::group::value_of;
use super::row::Content;
use super::{closed, failed, keys, row};
use crate::{Found, Read, Row, Space, StoreError};

impl State {
    /// Answers one question. What sled cannot read is an error, never the end of the asker.
    pub(super) fn answer(&self, read: &Read, now_ms: u64) -> Result<Found, StoreError> {
        guarded(|| self.find(read, now_ms))
    }

    fn find(&self, read: &Read, now_ms: u64) -> Result<Found, StoreError> {
        if !self.is_open() {
            return Err(closed());
        }
        match read {
            Read::Value { space, key } => {
                let key = keys::value_key(*space, key);
                let found = self.get(&key).map_err(failed)?;
                let value = found.map(|found| self.living(&key, &found, now_ms)).transpose()?;
                Ok(Found::Value(value.flatten()))
            }
            Read::Scan { space, prefix, after, limit } => {
                let (start, end) = range_of(*space, prefix, after.as_deref());
                let pairs = self.range(start, end);
                let rows = pairs.filter_map(|pair| self.row(pair, now_ms, |_| true).transpose());
                Ok(Found::Rows(rows.take(*limit).collect::<Result<_, _>>()?))
            }
            Read::Log { table, from } => Ok(Found::Lines(self.lines(table, *from)?)),
            Read::Length { table } => Ok(Found::Length(self.length(table)?)),
        }
    }

    /// Rows whose keys are at most `upto`, in order, as long as `want` does not say enough.
    pub(super) fn claimed(
        &self,
        (space, upto): (Space, &str),
        now_ms: u64,
        limit: usize,
        mut want: impl FnMut(&[u8]) -> bool,
    ) -> Result<Vec<Row>, StoreError> {
        if !self.is_open() {
            return Err(closed());
        }
        let start = Bound::Included(vec![space.letter()]);
        let mut end = keys::value_key(space, upto);
        end.push(0);
        let mut rows = Vec::new();
        for pair in self.range(start, end) {
            if rows.len() == limit {
                break;
            }
            rows.extend(self.row(pair, now_ms, &mut want)?);
        }
        Ok(rows)
    }

    /// A pair of the tree as a row, unless its lifetime is over or its key is not wanted.
    fn row(
        &self,
        pair: sled::Result<(IVec, IVec)>,
        now_ms: u64,
        mut want: impl FnMut(&[u8]) -> bool,
    ) -> Result<Option<Row>, StoreError> {
        let (key, found) = pair.map_err(failed)?;
        match row::living(&key, &found, now_ms)? {
            Some(row) if want(&key) => {
                Ok(Some((text(&key, &key[1..])?, self.value(&key, row.content)?)))
            }
            Some(_) | None => Ok(None),
        }
    }

    /// The value of a row, unless its lifetime is over.
    fn living(&self, key: &[u8], found: &[u8], now_ms: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let row = row::living(key, found, now_ms)?;
        row.map(|row| self.value(key, row.content)).transpose()
    }

    fn value(&self, key: &[u8], content: Content<'_>) -> Result<Vec<u8>, StoreError> {
        value_of(key, content, |key| self.get(key).map_err(failed))
    }

    fn lines(&self, table: &str, from: u64) -> Result<Vec<String>, StoreError> {
        let start = Bound::Included(keys::log_key(table, from));
        let end = keys::end_of(&keys::log_prefix(table));
        let mut lines = Vec::new();
        for (pair, n) in self.range(start, end).zip(from..) {
            let (key, found) = pair.map_err(failed)?;
            if keys::line_number(&key) != Some(n) {
                return Err(row::missing(&keys::log_key(table, n)));
            }
            let line = self.value(&key, row::decode(&key, &found)?.content)?;
            lines.push(text(&key, &line)?);
        }
        Ok(lines)
    }

    fn length(&self, table: &str) -> Result<u64, StoreError> {
        let start = Bound::Included(keys::log_prefix(table));
        let end = keys::end_of(&keys::log_prefix(table));
        let last = self.last(start, end).transpose().map_err(failed)?;
        Ok(last.and_then(|(key, _)| keys::line_number(&key)).map_or(0, |n| n + 1))
    }
}

/// Where a scan begins, and before what it ends.
fn range_of(space: Space, prefix: &str, after: Option<&str>) -> (Bound<Vec<u8>>, Vec<u8>) {
    let start = match after {
        Some(after) if after >= prefix => Bound::Excluded(keys::value_key(space, after)),
        Some(_) | None => Bound::Included(keys::value_key(space, prefix)),
    };
    (start, keys::end_of(&keys::value_key(space, prefix)))
}

fn text(key: &[u8], bytes: &[u8]) -> Result<String, StoreError> {
    String::from_utf8(bytes.to_vec()).map_err(|_| row::damaged(key))
}
