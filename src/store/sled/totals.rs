//! Sums up the whole tree after each group, so that lost rows are detected.
//!
//! The totals are a row of the tree itself and change in the same batch as the group. Their sum
//! adds the checksums of all rows, so it does not depend on the order of rows, and a group needs to
//! know only the rows that it adds and removes.

use super::{keys, row_codec};
use crate::StoreError;

/// Counts and sums of the tree after a group. The numbers are stored in this order, 8 bytes each,
/// little endian, as the value of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TreeTotals {
    /// Number of the last group of commits.
    pub(super) group: u64,
    /// When it was written, in milliseconds of Unix time.
    pub(super) at_ms: u64,
    /// Rows with a checksum: values, pieces and log lines.
    pub(super) rows: u64,
    /// Log lines among them.
    pub(super) lines: u64,
    /// The sum of all their checksums.
    pub(super) sum: u64,
    /// Bytes of keys and rows.
    pub(super) bytes: u64,
}

/// The number of stored numbers.
const NUMBERS: usize = 6;

impl TreeTotals {
    /// Adds a row to the totals.
    pub(super) fn add(&mut self, key: &[u8], row: &[u8]) {
        if keys::is_counted(key) {
            self.rows = self.rows.wrapping_add(1);
            self.lines = self.lines.wrapping_add(u64::from(key[0] == keys::LOG));
            self.sum = self.sum.wrapping_add(row_codec::stored_checksum(row).into());
            self.bytes = self.bytes.wrapping_add((key.len() + row.len()) as u64);
        }
    }

    /// Subtracts a removed row.
    pub(super) fn subtract(&mut self, key: &[u8], row: &[u8]) {
        if keys::is_counted(key) {
            self.rows = self.rows.wrapping_sub(1);
            self.lines = self.lines.wrapping_sub(u64::from(key[0] == keys::LOG));
            self.sum = self.sum.wrapping_sub(row_codec::stored_checksum(row).into());
            self.bytes = self.bytes.wrapping_sub((key.len() + row.len()) as u64);
        }
    }

    /// Whether both count the same rows, regardless of the time of writing.
    pub(super) fn has_same_rows(&self, other: &TreeTotals) -> bool {
        let rows = |it: &TreeTotals| (it.rows, it.lines, it.sum, it.bytes);
        rows(self) == rows(other)
    }

    /// Encodes the numbers.
    pub(super) fn encode(&self) -> Vec<u8> {
        let numbers = [self.group, self.at_ms, self.rows, self.lines, self.sum, self.bytes];
        numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
    }

    /// Decodes the bytes of [`TreeTotals::encode`].
    pub(super) fn decode(bytes: &[u8]) -> Option<TreeTotals> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        let numbers: [u64; NUMBERS] =
            numbers.iter().map(|n| u64::from_le_bytes(*n)).collect::<Vec<_>>().try_into().ok()?;
        let [group, at_ms, rows, lines, sum, bytes] = numbers;
        rest.is_empty().then_some(TreeTotals { group, at_ms, rows, lines, sum, bytes })
    }

    /// Encodes the totals as a row.
    pub(super) fn to_row(self) -> Vec<u8> {
        row_codec::encode(keys::TOTALS, &self.encode(), None).0
    }

    /// Decodes the row of [`TreeTotals::to_row`].
    pub(super) fn from_row(bytes: &[u8]) -> Result<TreeTotals, StoreError> {
        let totals = match row_codec::decode(keys::TOTALS, bytes)?.content {
            row_codec::RowContent::Inline(bytes) => TreeTotals::decode(bytes),
            row_codec::RowContent::Pieces(_) => None,
        };
        totals.ok_or_else(|| row_codec::damaged_row_error(keys::TOTALS))
    }
}
