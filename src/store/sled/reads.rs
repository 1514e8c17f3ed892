//! Answers queries from the durable state.

use std::ops::Bound;

use sled::IVec;

use super::base::catch_sled_panic;
use super::commit_group::value_of;
use super::durable_tree::DurableView;
use super::row_codec::RowContent;
use super::{closed_error, keys, row_codec, sled_error};
use crate::{Space, StoreAnswer, StoreError, StoreQuery, StoreRow};

impl DurableView {
    /// Answers one query. Data that sled cannot read is an error, never a panic in the caller.
    pub(super) fn answer_query(
        &self,
        read: &StoreQuery,
        now_ms: u64,
    ) -> Result<StoreAnswer, StoreError> {
        catch_sled_panic(|| self.find(read, now_ms))
    }

    fn find(&self, read: &StoreQuery, now_ms: u64) -> Result<StoreAnswer, StoreError> {
        if !self.is_open() {
            return Err(closed_error());
        }
        match read {
            StoreQuery::Value { space, key } => {
                let key = keys::value_key(*space, key);
                let found = self.get(&key).map_err(sled_error)?;
                let value = found.map(|found| self.live_value(&key, &found, now_ms)).transpose()?;
                Ok(StoreAnswer::Value(value.flatten()))
            }
            StoreQuery::Scan { space, prefix, after, limit } => {
                let (start, end) = scan_range(*space, prefix, after.as_deref());
                let pairs = self.range(start, end);
                let rows = pairs.filter_map(|pair| self.row(pair, now_ms, |_| true).transpose());
                Ok(StoreAnswer::Rows(rows.take(*limit).collect::<Result<_, _>>()?))
            }
            StoreQuery::Log { table, from } => Ok(StoreAnswer::Lines(self.lines(table, *from)?)),
            StoreQuery::Length { table } => Ok(StoreAnswer::Length(self.length(table)?)),
        }
    }

    /// Rows in key order whose keys are at most `upto`, until `want` has enough of them.
    pub(super) fn claim_rows(
        &self,
        (space, upto): (Space, &str),
        now_ms: u64,
        limit: usize,
        mut want: impl FnMut(&[u8]) -> bool,
    ) -> Result<Vec<StoreRow>, StoreError> {
        if !self.is_open() {
            return Err(closed_error());
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

    /// Converts an entry of the tree to a row, unless it is expired or its key is not wanted. A
    /// deadline that is damaged on disk has no value: the bot quarantines it, and all others are
    /// met.
    fn row(
        &self,
        pair: sled::Result<(IVec, IVec)>,
        now_ms: u64,
        mut want: impl FnMut(&[u8]) -> bool,
    ) -> Result<Option<StoreRow>, StoreError> {
        let (key, found) = pair.map_err(sled_error)?;
        let row = row_codec::decode_live(&key, &found, now_ms);
        if row.is_err() && key.first() == Some(&Space::Due.letter()) {
            return match want(&key) {
                true => Ok(Some((text(&key, &key[1..])?, Vec::new()))),
                false => Ok(None),
            };
        }
        match row? {
            Some(row) if want(&key) => {
                Ok(Some((text(&key, &key[1..])?, self.value(&key, row.content)?)))
            }
            Some(_) | None => Ok(None),
        }
    }

    /// The value of a row, unless it is expired.
    fn live_value(
        &self,
        key: &[u8],
        found: &[u8],
        now_ms: u64,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let row = row_codec::decode_live(key, found, now_ms)?;
        row.map(|row| self.value(key, row.content)).transpose()
    }

    fn value(&self, key: &[u8], content: RowContent<'_>) -> Result<Vec<u8>, StoreError> {
        value_of(key, content, |key| self.get(key).map_err(sled_error))
    }

    fn lines(&self, table: &str, from: u64) -> Result<Vec<String>, StoreError> {
        let start = Bound::Included(keys::log_key(table, from));
        let end = keys::prefix_end(&keys::log_prefix(table));
        let mut lines = Vec::new();
        for (pair, n) in self.range(start, end).zip(from..) {
            let (key, found) = pair.map_err(sled_error)?;
            if keys::line_number(&key) != Some(n) {
                return Err(row_codec::missing_row_error(&keys::log_key(table, n)));
            }
            let line = self.value(&key, row_codec::decode(&key, &found)?.content)?;
            lines.push(text(&key, &line)?);
        }
        Ok(lines)
    }

    fn length(&self, table: &str) -> Result<u64, StoreError> {
        let start = Bound::Included(keys::log_prefix(table));
        let end = keys::prefix_end(&keys::log_prefix(table));
        let last = self.last_in_range(start, end).transpose().map_err(sled_error)?;
        Ok(last.and_then(|(key, _)| keys::line_number(&key)).map_or(0, |n| n + 1))
    }
}

/// The start (inclusive or exclusive) and the exclusive end of a scan.
fn scan_range(space: Space, prefix: &str, after: Option<&str>) -> (Bound<Vec<u8>>, Vec<u8>) {
    let start = match after {
        Some(after) if after >= prefix => Bound::Excluded(keys::value_key(space, after)),
        Some(_) | None => Bound::Included(keys::value_key(space, prefix)),
    };
    (start, keys::prefix_end(&keys::value_key(space, prefix)))
}

fn text(key: &[u8], bytes: &[u8]) -> Result<String, StoreError> {
    String::from_utf8(bytes.to_vec()).map_err(|_| row_codec::damaged_row_error(key))
}

#[cfg(test)]
mod tests {
    use super::super::durable_tree::DurableTree;
    use super::*;

    #[test]
    fn a_damaged_deadline_delays_no_other() {
        let db = sled::Config::new().temporary(true).open().unwrap();
        let rows = [(Space::Due, "1 a tick"), (Space::Due, "2 b tick"), (Space::Meta, "m")];
        for (space, key) in rows {
            let key = keys::value_key(space, key);
            let (row, _) = row_codec::encode(&key, b"{}", None);
            db.insert(key, row).unwrap();
        }
        for (space, key) in [rows[0], rows[2]] {
            let key = keys::value_key(space, key);
            let mut row = db.get(&key).unwrap().unwrap().to_vec();
            *row.last_mut().unwrap() ^= 1;
            db.insert(key, row).unwrap();
        }
        let durable = DurableTree::new((*db).clone());
        let state = durable.read();
        let expected: Vec<StoreRow> =
            vec![("1 a tick".into(), Vec::new()), ("2 b tick".into(), b"{}".to_vec())];
        assert_eq!(state.claim_rows((Space::Due, "9"), 0, 9, |_| true).unwrap(), expected);
        let scan = |space| {
            let (prefix, after) = (String::new(), None);
            state.answer_query(&StoreQuery::Scan { space, prefix, after, limit: 9 }, 0)
        };
        assert_eq!(scan(Space::Due).unwrap(), StoreAnswer::Rows(expected));
        assert!(scan(Space::Meta).is_err(), "other rows are not passed over");
    }
}
