//! Size limits of a commit, the same in every store.

use super::encrypted::envelope;
use super::{Commit, StoreError};

/// Longest key, in bytes.
pub const KEY_BYTES_MAX: usize = 512;
/// Longest table code, in bytes.
pub const TABLE_BYTES_MAX: usize = 128;
/// Longest line of a log, in bytes.
pub const LINE_BYTES_MAX: usize = 64 * 1024;
/// Longest value, in bytes. The caller splits longer values or stores them elsewhere.
pub const VALUE_BYTES_MAX: usize = 96 * 1024;
/// Longest topic, in bytes.
pub const TOPIC_BYTES_MAX: usize = 600;

/// Refuses a commit that exceeds a limit or is malformed. That is a bug of the caller, never a
/// conflict.
///
/// # Errors
/// [`StoreError::Failed`] that names the limit.
pub fn check_commit(commit: &Commit) -> Result<(), StoreError> {
    for expect in &commit.expect {
        check_key(&expect.key)?;
    }
    for put in &commit.puts {
        check_key(&put.key)?;
        if put.value.as_ref().is_some_and(|value| !is_value(value)) {
            return limit_error(format!("the value under {:?} is too long", put.key));
        }
    }
    for topic in &commit.topics {
        if topic.is_empty() || topic.len() > TOPIC_BYTES_MAX || topic.contains('\0') {
            return limit_error(format!("a topic of {} bytes is too long", topic.len()));
        }
    }
    check_logs(commit)
}

fn check_logs(commit: &Commit) -> Result<(), StoreError> {
    for (at, append) in commit.appends.iter().enumerate() {
        let table = &append.table;
        check_table(table)?;
        if commit.appends[..at].iter().any(|earlier| earlier.table == *table) {
            return limit_error(format!("table {table:?} is appended to twice in one commit"));
        }
        if append.lines.iter().any(|line| !is_line(line)) {
            return limit_error(format!("a line for table {table:?} is too long or not one line"));
        }
        if !append.lines.is_empty() && commit.drops.contains(table) {
            return limit_error(format!(
                "table {table:?} is appended to and removed in one commit"
            ));
        }
    }
    for (at, rewrite) in commit.rewrites.iter().enumerate() {
        let table = &rewrite.table;
        check_table(table)?;
        let is_elsewhere = commit.rewrites[..at].iter().any(|it| it.table == *table)
            || commit.appends.iter().any(|it| it.table == *table)
            || commit.drops.contains(table);
        if is_elsewhere {
            return limit_error(format!("table {table:?} is rewritten and changed in one commit"));
        }
        if rewrite.lines.iter().any(|line| !is_line(line)) {
            return limit_error(format!("a line for table {table:?} is too long or not one line"));
        }
    }
    commit.drops.iter().try_for_each(|table| check_table(table))
}

/// Whether a value is short enough; an encrypted one may be longer by what encryption adds.
fn is_value(value: &[u8]) -> bool {
    let is_encrypted = value.len() > VALUE_BYTES_MAX && envelope::is_encrypted(value);
    let added = if is_encrypted { envelope::OVERHEAD_BYTES } else { 0 };
    value.len() <= VALUE_BYTES_MAX + added
}

/// Whether a line is one and short enough; an encrypted one may be longer by what encryption adds.
fn is_line(line: &str) -> bool {
    let is_encrypted = line.len() > LINE_BYTES_MAX && envelope::is_encrypted_line(line);
    let most =
        if is_encrypted { envelope::encrypted_line_bytes(LINE_BYTES_MAX) } else { LINE_BYTES_MAX };
    line.len() <= most && !line.contains(['\n', '\0'])
}

fn check_key(key: &str) -> Result<(), StoreError> {
    if key.is_empty() || key.len() > KEY_BYTES_MAX || key.contains('\0') {
        return limit_error(format!("a key of {} bytes cannot be stored", key.len()));
    }
    Ok(())
}

fn check_table(table: &str) -> Result<(), StoreError> {
    if table.is_empty() || table.len() > TABLE_BYTES_MAX || table.contains('\0') {
        return limit_error(format!("{table:?} cannot name a table"));
    }
    Ok(())
}

fn limit_error(why: String) -> Result<(), StoreError> {
    Err(StoreError::Failed(why))
}
