//! Encodes and verifies rows: a checksum over key and value, an expiry, the value.
//!
//! ```text
//! checksum, 4 bytes   CRC-32 of the key and everything that follows
//! flags, 1 byte       1: an expiry follows   2: the value is in pieces
//! until, 8 bytes      only with flag 1: milliseconds of Unix time
//! value               with flag 2: the number of pieces, 2 bytes
//! ```
//!
//! All numbers are little endian. Long values are split into pieces under keys of their own: sled
//! keeps 16 neighbours in one page, and writes pages of more than 128 KB to files that it never
//! syncs. This is a stored form and never changes.

use super::keys;
use crate::StoreError;

/// Size of a piece, in bytes; longer values are split.
pub(super) const PIECE_BYTES: usize = 4096;

const HAS_LIFETIME: u8 = 1;
const IN_PIECES: u8 = 2;
/// Length of checksum and flags, in bytes.
const HEAD_BYTES: usize = 5;

/// A decoded row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowView<'a> {
    pub(super) until_ms: Option<u64>,
    pub(super) content: RowContent<'a>,
}

/// The location of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowContent<'a> {
    /// In the row itself.
    Inline(&'a [u8]),
    /// In this many pieces.
    Pieces(u16),
}

/// The key and the encoded bytes of a row.
pub(super) type RawRow = (Vec<u8>, Vec<u8>);

/// Encodes a row and its pieces, if it needs any.
pub(super) fn encode(key: &[u8], value: &[u8], until_ms: Option<u64>) -> (Vec<u8>, Vec<RawRow>) {
    if value.len() <= PIECE_BYTES {
        return (assemble(key, 0, until_ms, value), Vec::new());
    }
    let piece = |(n, part): (usize, &[u8])| {
        let n = u16::try_from(n).expect("a value has less than 65,536 pieces");
        let key = keys::piece_key(key, n);
        let row = assemble(&key, 0, None, part);
        (key, row)
    };
    let pieces: Vec<_> = value.chunks(PIECE_BYTES).enumerate().map(piece).collect();
    let count = u16::try_from(pieces.len()).expect("a value has less than 65,536 pieces");
    (assemble(key, IN_PIECES, until_ms, &count.to_le_bytes()), pieces)
}

fn assemble(key: &[u8], flags: u8, until_ms: Option<u64>, content: &[u8]) -> Vec<u8> {
    let mut row = Vec::with_capacity(HEAD_BYTES + 8 + content.len());
    row.extend_from_slice(&[0; 4]);
    row.push(flags | if until_ms.is_some() { HAS_LIFETIME } else { 0 });
    if let Some(until_ms) = until_ms {
        row.extend_from_slice(&until_ms.to_le_bytes());
    }
    row.extend_from_slice(content);
    let sum = checksum(key, &row[4..]);
    row[..4].copy_from_slice(&sum.to_le_bytes());
    row
}

fn checksum(key: &[u8], rest: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(key);
    hasher.update(rest);
    hasher.finalize()
}

/// Decodes a row and verifies its checksum.
pub(super) fn decode<'a>(key: &[u8], row: &'a [u8]) -> Result<RowView<'a>, StoreError> {
    let whole = || {
        let (sum, rest) = row.split_first_chunk::<4>()?;
        if u32::from_le_bytes(*sum) != checksum(key, rest) {
            return None;
        }
        let (flags, mut rest) = rest.split_first()?;
        let mut until_ms = None;
        if flags & HAS_LIFETIME != 0 {
            let (until, after) = rest.split_first_chunk::<8>()?;
            until_ms = Some(u64::from_le_bytes(*until));
            rest = after;
        }
        let content = match flags & !HAS_LIFETIME {
            0 => RowContent::Inline(rest),
            IN_PIECES => RowContent::Pieces(u16::from_le_bytes(rest.try_into().ok()?)),
            1 | 3.. => return None,
        };
        Some(RowView { until_ms, content })
    };
    whole().ok_or_else(|| damaged_row_error(key))
}

/// Decodes a row unless it is expired at this time.
pub(super) fn decode_live<'a>(
    key: &[u8],
    row: &'a [u8],
    now_ms: u64,
) -> Result<Option<RowView<'a>>, StoreError> {
    let row = decode(key, row)?;
    Ok(row.until_ms.is_none_or(|until_ms| until_ms > now_ms).then_some(row))
}

/// The checksum stored in a row; zero if the row is too short for one.
pub(super) fn stored_checksum(row: &[u8]) -> u32 {
    row.first_chunk::<4>().map_or(0, |sum| u32::from_le_bytes(*sum))
}

/// The error for a row that differs from what was written.
pub(super) fn damaged_row_error(key: &[u8]) -> StoreError {
    StoreError::Damaged(format!(
        "{} is damaged on disk: look at the disk, then save what is whole with `caravanserai store \
         salvage`",
        keys::describe_key(key)
    ))
}

/// The error for a row that should exist but does not.
pub(super) fn missing_row_error(key: &[u8]) -> StoreError {
    StoreError::Damaged(format!(
        "{} is missing on disk: look at the disk, then save what is whole with `caravanserai store \
         salvage`",
        keys::describe_key(key)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_flipped_bit_is_noticed(
            key in prop::collection::vec(any::<u8>(), 1..40),
            value in prop::collection::vec(any::<u8>(), 0..200),
            until_ms in any::<Option<u64>>(),
            bit in any::<prop::sample::Index>(),
        ) {
            let (mut row, pieces) = encode(&key, &value, until_ms);
            prop_assert!(pieces.is_empty());
            let view = RowView { until_ms, content: RowContent::Inline(&value) };
            prop_assert_eq!(decode(&key, &row).unwrap(), view);
            let mut other = key.clone();
            other.push(0);
            prop_assert!(decode(&other, &row).is_err());
            let bit = bit.index(row.len() * 8);
            row[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(decode(&key, &row).is_err());
        }
    }

    #[test]
    fn long_values_lie_in_pieces() {
        let value = vec![7; PIECE_BYTES * 3 + 1];
        let (row, pieces) = encode(b"xkey", &value, Some(9));
        let view = RowView { until_ms: Some(9), content: RowContent::Pieces(4) };
        assert_eq!(decode(b"xkey", &row).unwrap(), view);
        let lengths: Vec<usize> = pieces.iter().map(|(_, row)| row.len() - HEAD_BYTES).collect();
        assert_eq!(lengths, [PIECE_BYTES, PIECE_BYTES, PIECE_BYTES, 1]);
    }
}
