//! Combines several commits into one statement, as parallel lists in the form that the SQL function
//! `apply_2` takes.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use crate::{Commit, Put, Space};

/// Most commits per statement.
const COMMITS_MAX: usize = 64;
/// A batch takes no further commit once it has this many locks.
const LOCKS_MAX: usize = 400;
/// A batch takes no further commit once it has this many bytes.
const BYTES_MAX: usize = 512 * 1024;

/// A commit with the ids of the locks it needs.
pub(super) struct PreparedCommit {
    commit: Commit,
    locks: HashSet<i64>,
    bytes: usize,
}

impl PreparedCommit {
    pub(super) fn new(mut commit: Commit) -> Self {
        keep_last_puts(&mut commit);
        let mut locks = HashSet::new();
        for expect in &commit.expect {
            locks.insert(lock_id(expect.space.letter(), &expect.key));
        }
        for put in &commit.puts {
            locks.insert(lock_id(put.space.letter(), &put.key));
        }
        let logs = commit.appends.iter().map(|append| &append.table).chain(&commit.drops);
        let logs = logs.chain(commit.rewrites.iter().map(|rewrite| &rewrite.table));
        locks.extend(logs.map(|table| lock_id(b'l', table)));
        let lines = commit.appends.iter().map(|append| &append.lines);
        let lines = lines.chain(commit.rewrites.iter().map(|rewrite| &rewrite.lines));
        let lines = lines.flatten().map(String::len);
        let values =
            commit.puts.iter().map(|put| put.key.len() + put.value.as_ref().map_or(0, Vec::len));
        let bytes = lines.chain(values).sum();
        Self { commit, locks, bytes }
    }
}

/// Of several puts of one key only the last one counts.
fn keep_last_puts(commit: &mut Commit) {
    let mut seen: HashSet<(Space, &str)> = HashSet::new();
    let last: Vec<bool> =
        commit.puts.iter().rev().map(|put| seen.insert((put.space, &put.key))).collect();
    if last.contains(&false) {
        let mut last = last.into_iter().rev();
        commit.puts.retain(|_| last.next().unwrap_or(true));
    }
}

/// The id of an advisory lock. It must be the same in every program that ever works on one
/// database.
fn lock_id(letter: u8, key: &str) -> i64 {
    let hash = Sha256::new().chain_update([letter]).chain_update(key.as_bytes()).finalize();
    let mut first = [0; 8];
    first.copy_from_slice(&hash[..8]);
    i64::from_le_bytes(first)
}

/// Commits that can be applied together, because no two of them share a key.
#[derive(Default)]
pub(super) struct Batch {
    commits: Vec<Commit>,
    locks: HashSet<i64>,
    bytes: usize,
}

impl Batch {
    /// Adds a commit, or returns it if it belongs in a later batch.
    pub(super) fn add(&mut self, commit: PreparedCommit) -> Result<(), Box<PreparedCommit>> {
        let first = self.commits.is_empty();
        let full = self.commits.len() >= COMMITS_MAX
            || self.locks.len() + commit.locks.len() > LOCKS_MAX
            || self.bytes + commit.bytes > BYTES_MAX;
        if !first && (full || commit.locks.iter().any(|lock| self.locks.contains(lock))) {
            return Err(Box::new(commit));
        }
        self.bytes += commit.bytes;
        self.locks.extend(commit.locks);
        self.commits.push(commit.commit);
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.commits.len()
    }

    /// One batch per commit.
    pub(super) fn split(self) -> Vec<Batch> {
        let alone = |commit| {
            let mut batch = Batch::default();
            // An empty batch accepts any commit.
            let _ = batch.add(PreparedCommit::new(commit));
            batch
        };
        self.commits.into_iter().map(alone).collect()
    }

    pub(super) fn columns(&self) -> BatchColumns<'_> {
        let mut columns =
            BatchColumns { alone: self.locks.len() > LOCKS_MAX, ..BatchColumns::default() };
        if !columns.alone {
            columns.locks = self.locks.iter().copied().collect();
            columns.locks.sort_unstable();
        }
        for (n, commit) in (0..).zip(&self.commits) {
            columns.add(n, commit);
        }
        columns
    }
}

/// The parameters of `apply_2` after the first, in its order.
#[derive(Default)]
pub(super) struct BatchColumns<'a> {
    pub(super) alone: bool,
    pub(super) locks: Vec<i64>,
    pub(super) expect: RowColumns<'a, Option<&'a [u8]>>,
    pub(super) append: LogColumns<'a>,
    pub(super) append_length: Vec<i64>,
    pub(super) drop: LogColumns<'a>,
    pub(super) line: LogColumns<'a>,
    pub(super) line_number: Vec<i64>,
    pub(super) line_line: Vec<&'a str>,
    pub(super) put: RowColumns<'a, &'a [u8]>,
    pub(super) put_until: Vec<Option<i64>>,
    pub(super) remove: RowColumns<'a, ()>,
    pub(super) tell_n: Vec<i32>,
    pub(super) tell_topic: Vec<&'a str>,
}

/// Rows of spaces, with the number of their commit.
#[derive(Default)]
pub(super) struct RowColumns<'a, V> {
    pub(super) n: Vec<i32>,
    pub(super) space: Vec<i8>,
    pub(super) key: Vec<&'a str>,
    pub(super) value: Vec<V>,
}

/// Logs, with the number of their commit.
#[derive(Default)]
pub(super) struct LogColumns<'a> {
    pub(super) n: Vec<i32>,
    pub(super) log: Vec<&'a str>,
}

impl<'a, V> RowColumns<'a, V> {
    fn push(&mut self, n: i32, space: Space, key: &'a str, value: V) {
        self.n.push(n);
        self.space.push(space_code(space));
        self.key.push(key);
        self.value.push(value);
    }
}

impl<'a> LogColumns<'a> {
    fn push(&mut self, n: i32, log: &'a str) {
        self.n.push(n);
        self.log.push(log);
    }
}

impl<'a> BatchColumns<'a> {
    fn add(&mut self, n: i32, commit: &'a Commit) {
        for expect in &commit.expect {
            self.expect.push(n, expect.space, &expect.key, expect.value.as_deref());
        }
        for append in &commit.appends {
            self.append.push(n, &append.table);
            self.append_length.push(to_i64(append.expect));
            for (at, line) in (append.expect..).zip(&append.lines) {
                self.line.push(n, &append.table);
                self.line_number.push(to_i64(at));
                self.line_line.push(line);
            }
        }
        for table in &commit.drops {
            self.drop.push(n, table);
        }
        // The statement removes lines before it inserts others.
        for rewrite in &commit.rewrites {
            self.append.push(n, &rewrite.table);
            self.append_length.push(to_i64(rewrite.lines.len() as u64));
            self.drop.push(n, &rewrite.table);
            for (at, line) in (0..).zip(&rewrite.lines) {
                self.line.push(n, &rewrite.table);
                self.line_number.push(at);
                self.line_line.push(line);
            }
        }
        for Put { space, key, value, expires_ms: until_ms } in &commit.puts {
            match value {
                Some(value) => {
                    self.put.push(n, *space, key, value);
                    self.put_until.push(until_ms.map(to_i64));
                }
                None => self.remove.push(n, *space, key, ()),
            }
        }
        for topic in &commit.topics {
            self.tell_n.push(n);
            self.tell_topic.push(topic);
        }
    }
}

/// The letter of a space as stored in the database.
pub(super) fn space_code(space: Space) -> i8 {
    i8::try_from(space.letter()).expect("letters of spaces are ASCII")
}

/// A number as stored in the database. Greater numbers are never stored and match nothing.
pub(super) fn to_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(keys: &[&str]) -> PreparedCommit {
        PreparedCommit::new(Commit::from_puts(
            keys.iter().map(|key| Put::new(Space::Meta, *key, "")).collect(),
        ))
    }

    #[test]
    fn commits_that_share_a_key_do_not_go_together() {
        let mut batch = Batch::default();
        assert!(batch.add(of(&["a", "b"])).is_ok());
        assert!(batch.add(of(&["c", "b"])).is_err());
        assert!(batch.add(of(&["c"])).is_ok());
        assert_eq!(batch.columns().put.n, [0, 0, 1]);
        assert!(batch.columns().locks.is_sorted());
    }

    #[test]
    fn of_several_puts_under_one_key_the_last_one_counts() {
        let puts = vec![
            Put::new(Space::Meta, "a", "1"),
            Put::remove(Space::Meta, "b"),
            Put::new(Space::Keep, "a", "other"),
            Put::new(Space::Meta, "b", "2"),
            Put::remove(Space::Meta, "a"),
        ];
        let mut batch = Batch::default();
        assert!(batch.add(PreparedCommit::new(Commit::from_puts(puts))).is_ok());
        let columns = batch.columns();
        assert_eq!(columns.put.key, ["a", "b"]);
        assert_eq!(columns.remove.key, ["a"]);
    }

    #[test]
    fn a_commit_with_very_many_keys_is_alone_and_locks_everything() {
        let keys: Vec<String> = (0..=LOCKS_MAX).map(|n| n.to_string()).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let mut batch = Batch::default();
        assert!(batch.add(of(&keys)).is_ok());
        assert!(batch.add(of(&["other"])).is_err());
        let columns = batch.columns();
        assert!(columns.alone && columns.locks.is_empty());
    }
}
