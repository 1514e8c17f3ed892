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

    /// Converts an entry of the tree to a row, unless it is expired or its key is not wanted. A row
    /// that is damaged on disk has no value in some spaces, see [`Space::scans_damaged_rows`].
    fn row(
        &self,
        pair: sled::Result<(IVec, IVec)>,
        now_ms: u64,
        mut want: impl FnMut(&[u8]) -> bool,
    ) -> Result<Option<StoreRow>, StoreError> {
        let (key, found) = pair.map_err(sled_error)?;
        let row = row_codec::decode_live(&key, &found, now_ms);
        if matches!(row, Ok(None)) || !want(&key) {
            return Ok(None);
        }
        let value = row.and_then(|row| match row {
            Some(row) => self.value(&key, row.content),
            None => Ok(Vec::new()),
        });
        let value = match value {
            Err(StoreError::Damaged(_)) if is_passed_over(&key) => Vec::new(),
            value => value?,
        };
        Ok(Some((text(&key, &key[1..])?, value)))
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

/// Whether a scan passes over the damage of the row under this key.
fn is_passed_over(key: &[u8]) -> bool {
    let spaces = Space::ALL.iter().filter(|it| it.scans_damaged_rows());
    spaces.map(|it| it.letter()).any(|letter| key.first() == Some(&letter))
}

fn text(key: &[u8], bytes: &[u8]) -> Result<String, StoreError> {
    String::from_utf8(bytes.to_vec()).map_err(|_| row_codec::damaged_row_error(key))
}

#[cfg(test)]
mod tests {
    use super::super::durable_tree::DurableTree;
    use super::*;

    /// A database in which the first of two rows of a space is damaged.
    fn with_damaged_row(space: Space, value: &[u8]) -> sled::Db {
        let db = sled::Config::new().temporary(true).open().unwrap();
        for key in ["1 a tick", "2 b tick"] {
            let (row, pieces) = row_codec::encode(&keys::value_key(space, key), value, None);
            db.insert(keys::value_key(space, key), row).unwrap();
            for (key, piece) in pieces {
                db.insert(key, piece).unwrap();
            }
        }
        let key = keys::value_key(space, "1 a tick");
        let damaged = match value.len() > row_codec::PIECE_BYTES {
            true => keys::piece_key(&key, 0),
            false => key,
        };
        let mut row = db.get(&damaged).unwrap().unwrap().to_vec();
        *row.last_mut().unwrap() ^= 1;
        db.insert(damaged, row).unwrap();
        db
    }

    #[test]
    fn a_damaged_row_of_a_list_of_tables_keeps_no_other_from_being_read() {
        let long = vec![b'x'; 2 * row_codec::PIECE_BYTES];
        for space in [Space::Due, Space::Head, Space::Archive, Space::Meta] {
            for value in [b"{}".to_vec(), long.clone()] {
                let db = with_damaged_row(space, &value);
                let durable = DurableTree::new((*db).clone());
                let state = durable.read();
                let prefix = String::new();
                let after = None;
                let scan = StoreQuery::Scan { space, prefix, after, limit: 9 };
                let found = state.answer_query(&scan, 0);
                if space == Space::Meta {
                    assert!(found.is_err(), "other rows are not passed over");
                    continue;
                }
                let expected: Vec<StoreRow> =
                    vec![("1 a tick".into(), Vec::new()), ("2 b tick".into(), value)];
                assert_eq!(state.claim_rows((space, "9"), 0, 9, |_| true).unwrap(), expected);
                assert_eq!(found.unwrap(), StoreAnswer::Rows(expected));
                let alone = StoreQuery::value_of(space, "1 a tick");
                assert!(state.answer_query(&alone, 0).is_err(), "{space:?}");
            }
        }
    }
}
