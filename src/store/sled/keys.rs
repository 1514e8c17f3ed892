//! Encodes the keys of spaces and logs in one tree.
//!
//! A sled batch is atomic within one tree only, so everything is in one tree. The first byte of a
//! key says what it belongs to: a letter of [`Space::letter`] or one of the bytes below. These
//! bytes are a stored form and never change.

use crate::Space;

/// First byte of the keys of log lines.
pub(super) const LOG: u8 = b'l';
/// First byte of the keys of pieces of long values.
pub(super) const PIECE: u8 = b'%';
/// First byte of expiry entries, which list the rows in order of expiry.
pub(super) const LIFETIME: u8 = b'~';
/// The key of the format number.
pub(super) const FORMAT: &[u8] = b"!format";
/// The key of the totals after the last group, see `totals`.
pub(super) const TOTALS: &[u8] = b"!totals";

/// The key of a value.
pub(super) fn value_key(space: Space, key: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(1 + key.len());
    bytes.push(space.letter());
    bytes.extend_from_slice(key.as_bytes());
    bytes
}

/// The key of line `n` of a log: big endian, so that lines are in order.
pub(super) fn log_key(table: &str, n: u64) -> Vec<u8> {
    let mut bytes = log_prefix(table);
    bytes.extend_from_slice(&n.to_be_bytes());
    bytes
}

/// The common prefix of all lines of a log. Table codes hold no NUL, so no prefix contains another.
pub(super) fn log_prefix(table: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(10 + table.len());
    bytes.push(LOG);
    bytes.extend_from_slice(table.as_bytes());
    bytes.push(0);
    bytes
}

/// The line number in a key made by [`log_key`].
pub(super) fn line_number(key: &[u8]) -> Option<u64> {
    Some(u64::from_be_bytes(*key.last_chunk::<8>()?))
}

/// The key of a piece of the value under a key.
pub(super) fn piece_key(key: &[u8], n: u16) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(3 + key.len());
    bytes.push(PIECE);
    bytes.extend_from_slice(key);
    bytes.extend_from_slice(&n.to_be_bytes());
    bytes
}

/// The key of the expiry entry of a row; such keys sort by time.
pub(super) fn lifetime_key(until_ms: u64, key: &[u8]) -> Vec<u8> {
    let mut bytes = lifetime_start(until_ms);
    bytes.extend_from_slice(key);
    bytes
}

/// All expiry entries before this time have smaller keys.
pub(super) fn lifetime_start(until_ms: u64) -> Vec<u8> {
    let mut bytes = vec![LIFETIME];
    bytes.extend_from_slice(&until_ms.to_be_bytes());
    bytes
}

/// Splits a key made by [`lifetime_key`] into the expiry time and the key of the row.
pub(super) fn parse_lifetime_key(key: &[u8]) -> Option<(u64, &[u8])> {
    let (until, key) = key.strip_prefix(&[LIFETIME])?.split_first_chunk::<8>()?;
    Some((u64::from_be_bytes(*until), key))
}

/// Whether rows with such a key have a checksum and count in the totals.
pub(super) fn is_counted(key: &[u8]) -> bool {
    key.first().is_some_and(|first| first.is_ascii_lowercase() || *first == PIECE)
}

/// The smallest key that is greater than all keys with this prefix.
pub(super) fn prefix_end(prefix: &[u8]) -> Vec<u8> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < u8::MAX {
            end.push(last + 1);
            return end;
        }
    }
    unreachable!("every prefix starts with an ASCII letter")
}

/// Describes a key for the operator.
pub(super) fn describe_key(key: &[u8]) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match key.split_first() {
        Some((&LOG, rest)) if rest.len() > 9 => {
            let (table, n) = rest.split_at(rest.len() - 9);
            let n = line_number(n).unwrap_or_default() + 1;
            format!("line {n} of the log of table {:?}", text(table))
        }
        Some((&PIECE, rest)) if rest.len() > 2 => {
            format!("a piece of {}", describe_key(&rest[..rest.len() - 2]))
        }
        Some((first, rest)) => {
            let space = Space::ALL.iter().find(|space| space.letter() == *first);
            let space = space.map_or("internal", |space| space.name());
            format!("the row {:?} of {space:?}", text(rest))
        }
        None => "the row without a key".into(),
    }
}
