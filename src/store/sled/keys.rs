//! How spaces and logs share one tree.
//!
//! A sled batch is atomic within one tree only, so everything is in one: the first byte of a key
//! says which space it belongs to. These bytes are a stored form and never change.

use crate::store::Space;

/// First byte of the keys of log lines.
const LOG: u8 = b'l';

/// The key of a value.
pub(super) fn value_key(space: Space, key: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(1 + key.len());
    bytes.push(space_byte(space));
    bytes.extend_from_slice(key.as_bytes());
    bytes
}

/// The key of line `n` of a log: big endian, so that lines are in order.
pub(super) fn log_key(table: &str, n: u64) -> Vec<u8> {
    let mut bytes = log_prefix(table);
    bytes.extend_from_slice(&n.to_be_bytes());
    bytes
}

/// What all lines of a log start with. Table codes hold no NUL, so no log is inside another.
pub(super) fn log_prefix(table: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(10 + table.len());
    bytes.push(LOG);
    bytes.extend_from_slice(table.as_bytes());
    bytes.push(0);
    bytes
}

/// The number of the line under a key of [`log_key`].
pub(super) fn line_number(key: &[u8]) -> Option<u64> {
    Some(u64::from_be_bytes(*key.last_chunk::<8>()?))
}

/// The smallest key that is greater than all keys with this prefix.
pub(super) fn end_of(prefix: &[u8]) -> Vec<u8> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < u8::MAX {
            end.push(last + 1);
            return end;
        }
    }
    unreachable!("every prefix starts with an ASCII letter")
}

fn space_byte(space: Space) -> u8 {
    match space {
        Space::Head => b'h',
        Space::Seen => b's',
        Space::Due => b'd',
        Space::Outbox => b'o',
        Space::Board => b'b',
        Space::Message => b'm',
        Space::PlaceTable => b'p',
        Space::PersonTable => b'q',
        Space::Place => b'c',
        Space::Person => b'u',
        Space::Meta => b'x',
    }
}
