//! What a commit may hold at most, the same in every store.

use super::{Commit, StoreError};

/// Longest key, in bytes.
pub const KEY_BYTES_MAX: usize = 512;
/// Longest table code, in bytes.
pub const TABLE_BYTES_MAX: usize = 128;
/// Longest line of a log, in bytes.
pub const LINE_BYTES_MAX: usize = 64 * 1024;
/// Longest value, in bytes.
pub const VALUE_BYTES_MAX: usize = 1024 * 1024;

/// Refuses a commit that no store would take: these are faults of the caller, never conflicts.
///
/// # Errors
/// [`StoreError::Failed`] that names what is wrong.
pub fn check(commit: &Commit) -> Result<(), StoreError> {
    for (_, key) in &commit.absent {
        check_key(key)?;
    }
    for put in &commit.puts {
        check_key(&put.key)?;
        if put.value.as_ref().is_some_and(|value| value.len() > VALUE_BYTES_MAX) {
            return refuse(format!("the value under {:?} is too long", put.key));
        }
    }
    for (at, append) in commit.appends.iter().enumerate() {
        let table = &append.table;
        if table.is_empty() || table.len() > TABLE_BYTES_MAX || table.contains('\0') {
            return refuse(format!("{table:?} cannot name a table"));
        }
        if commit.appends[..at].iter().any(|earlier| earlier.table == *table) {
            return refuse(format!("table {table:?} is appended to twice in one commit"));
        }
        if append.lines.iter().any(|line| line.contains('\n') || line.len() > LINE_BYTES_MAX) {
            return refuse(format!("a line for table {table:?} is too long or not one line"));
        }
    }
    Ok(())
}

fn check_key(key: &str) -> Result<(), StoreError> {
    if key.is_empty() || key.len() > KEY_BYTES_MAX {
        return refuse(format!("a key of {} bytes cannot be stored", key.len()));
    }
    Ok(())
}

fn refuse(why: String) -> Result<(), StoreError> {
    Err(StoreError::Failed(why))
}
