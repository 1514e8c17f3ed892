//! The one thread that writes.
//!
//! It takes all commits that wait, decides each against the state with the earlier ones of the
//! same group, applies what passed as one batch, flushes once, and only then answers all of
//! them. So the price of reaching the disk is shared, and order needs no locks.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::ops::Bound;
use std::path::PathBuf;
use std::sync::Arc;

use sled::{Batch, Db, IVec};
use tokio::sync::{mpsc, oneshot};

use super::durable::{Before, Durable};
use super::keys;
use crate::store::{Commit, StoreError};

/// Most commits in one group. With 256 writers, a limit of 128 gave 18,000 commits a second and
/// no limit 13,000 (one run each); a group also makes its first commit wait for its last.
const GROUP_COMMITS_MAX: usize = 128;
/// A group takes no further commit once it holds this many bytes.
const GROUP_BYTES_MAX: usize = 1024 * 1024;
/// Lengths of logs that are remembered; beyond that the memory starts anew.
const LENGTHS_MAX: usize = 100_000;

/// Where the answer to a job goes.
pub(super) type Answer = oneshot::Sender<Result<(), StoreError>>;

/// What the thread is asked to do.
pub(super) enum Job {
    /// Decide, write, flush, answer.
    Commit(Commit, Answer),
    /// Finish what came before, then stop.
    Close(Answer),
}

/// What the thread owns.
pub(super) struct Committer {
    pub(super) db: Db,
    /// The file that sled writes to, opened a second time: sled's own flush asks the kernel to
    /// start writing and waits for that, but does not make the drive keep it, and does not write
    /// the file's length.
    pub(super) file: File,
    /// Where sled puts what is too long for its main file.
    pub(super) blobs: PathBuf,
    pub(super) durable: Arc<Durable>,
    /// Held as long as the thread lives, so that no second process opens the folder.
    pub(super) lock: File,
    pub(super) jobs: mpsc::Receiver<Job>,
    pub(super) memory: Memory,
}

/// What the thread remembers between groups.
#[derive(Default)]
pub(super) struct Memory {
    lengths: HashMap<String, u64>,
    synced_blobs: HashSet<OsString>,
    /// Why nothing may be written any more.
    broken: Option<String>,
}

/// Commits that are applied together.
#[derive(Default)]
struct Group {
    writes: BTreeMap<Vec<u8>, Option<IVec>>,
    lengths: HashMap<String, u64>,
    bytes: usize,
    answers: Vec<(Answer, Result<(), StoreError>)>,
}

impl Committer {
    /// Works until it is asked to close or nobody is left to ask.
    pub(super) fn run(mut self) {
        let mut closing = None;
        while closing.is_none() {
            let Some(job) = self.jobs.blocking_recv() else { break };
            closing = self.one_group(job);
        }
        self.jobs.close();
        let end = self.sync().map_err(|error| StoreError::Failed(error.to_string()));
        let end = match self.memory.broken.take() {
            Some(why) => Err(StoreError::Failed(why)),
            None => end,
        };
        self.durable.close();
        while let Some(job) = self.jobs.blocking_recv() {
            let (Job::Commit(_, answer) | Job::Close(answer)) = job;
            // Who no longer waits for the answer does not need it.
            let _ = answer.send(Err(super::closed()));
        }
        let Self { db, lock, .. } = self;
        drop(db);
        drop(lock);
        if let Some(answer) = closing {
            let _ = answer.send(end);
        }
    }

    /// Takes what waits, as far as it fits, and settles it. Returns whom to tell of the closing.
    fn one_group(&mut self, first: Job) -> Option<Answer> {
        let mut group = Group::default();
        let mut next = Some(first);
        let mut closing = None;
        while let Some(job) = next.take() {
            match job {
                Job::Close(answer) => {
                    closing = Some(answer);
                    break;
                }
                Job::Commit(commit, answer) => {
                    let decided = self.decide(&mut group, commit);
                    group.answers.push((answer, decided));
                }
            }
            if group.answers.len() < GROUP_COMMITS_MAX && group.bytes < GROUP_BYTES_MAX {
                next = self.jobs.try_recv().ok();
            }
        }
        self.settle(group);
        closing
    }

    /// Checks a commit against tree and group, and adds its writes to the group if it passes.
    fn decide(&self, group: &mut Group, commit: Commit) -> Result<(), StoreError> {
        if let Some(why) = &self.memory.broken {
            return Err(StoreError::Failed(why.clone()));
        }
        for (space, key) in &commit.absent {
            let key = keys::value_key(*space, key);
            let taken = match group.writes.get(&key) {
                Some(write) => write.is_some(),
                None => self.db.contains_key(&key).map_err(super::failed)?,
            };
            if taken {
                return Err(StoreError::Conflict);
            }
        }
        for append in &commit.appends {
            if self.length(group, &append.table)? != append.expect {
                return Err(StoreError::Conflict);
            }
        }
        for append in commit.appends {
            let mut n = append.expect;
            for line in append.lines {
                group.write(keys::log_key(&append.table, n), Some(IVec::from(line.into_bytes())));
                n += 1;
            }
            group.lengths.insert(append.table, n);
        }
        for put in commit.puts {
            group.write(keys::value_key(put.space, &put.key), put.value.map(IVec::from));
        }
        Ok(())
    }

    /// How many lines a log has, the group included.
    fn length(&self, group: &Group, table: &str) -> Result<u64, StoreError> {
        if let Some(n) = group.lengths.get(table).or_else(|| self.memory.lengths.get(table)) {
            return Ok(*n);
        }
        let prefix = keys::log_prefix(table);
        let end = keys::end_of(&prefix);
        let mut lines = self.db.range((Bound::Included(prefix), Bound::Excluded(end)));
        let last = lines.next_back().transpose().map_err(super::failed)?;
        Ok(last.and_then(|(key, _)| keys::line_number(&key)).map_or(0, |n| n + 1))
    }

    /// Writes the group, makes it durable and answers.
    fn settle(&mut self, group: Group) {
        let Group { writes, lengths, answers, .. } = group;
        let outcome = if writes.is_empty() { Ok(()) } else { self.write(writes) };
        if let Err(error) = &outcome {
            // After a failed flush nobody can know what is on disk: the kernel may have thrown
            // the dirty pages away and report the next flush as fine.
            let why = format!("nothing more is stored, because writing failed: {error}");
            tracing::error!(%error, "the store failed and takes no further changes");
            self.memory.broken = Some(why);
        } else {
            if self.memory.lengths.len() + lengths.len() > LENGTHS_MAX {
                self.memory.lengths.clear();
            }
            self.memory.lengths.extend(lengths);
        }
        for (answer, decided) in answers {
            // A conflict may rest on a commit of this group, so it too waits for the disk.
            let result = match &self.memory.broken {
                Some(why) => Err(StoreError::Failed(why.clone())),
                None => decided,
            };
            let _ = answer.send(result);
        }
    }

    fn write(&mut self, writes: BTreeMap<Vec<u8>, Option<IVec>>) -> Result<(), StoreError> {
        let mut before = Before::new();
        for key in writes.keys() {
            before.insert(key.clone(), self.db.get(key).map_err(super::failed)?);
        }
        let mut batch = Batch::default();
        for (key, value) in writes {
            match value {
                Some(value) => batch.insert(key, value),
                None => batch.remove(key),
            }
        }
        self.durable.hold(before);
        self.db.apply_batch(batch).map_err(super::failed)?;
        self.sync().map_err(|error| StoreError::Failed(error.to_string()))?;
        self.durable.release();
        Ok(())
    }

    /// Makes everything written so far survive a power cut.
    fn sync(&mut self) -> io::Result<()> {
        self.db.flush().map_err(io::Error::other)?;
        self.sync_blobs()?;
        self.file.sync_data()
    }

    /// Values and pages over 128 KB are files of their own, which sled never syncs.
    fn sync_blobs(&mut self) -> io::Result<()> {
        let mut found = HashSet::new();
        let mut any_new = false;
        for entry in fs::read_dir(&self.blobs)? {
            let name = entry?.file_name();
            if !self.memory.synced_blobs.contains(&name) {
                match File::open(self.blobs.join(&name)) {
                    Ok(file) => file.sync_all()?,
                    // Sled has already replaced it.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Err(error),
                }
                any_new = true;
            }
            found.insert(name);
        }
        self.memory.synced_blobs = found;
        if any_new { super::sync_folder(&self.blobs) } else { Ok(()) }
    }
}

impl Group {
    fn write(&mut self, key: Vec<u8>, value: Option<IVec>) {
        self.bytes += key.len() + value.as_ref().map_or(0, |value| value.len());
        self.writes.insert(key, value);
    }
}
