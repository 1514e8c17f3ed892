//! The one thread that writes.
//!
//! It takes all commits that wait, decides each against the state with the earlier ones of the
//! same group, applies what passed as one batch, flushes once, and only then answers all of
//! them. So the price of reaching the disk is shared, and order needs no locks.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use sled::{Batch, Db};
use tokio::sync::{mpsc, oneshot};

use super::durable::{Before, Durable};
use super::folder::sync_folder;
use super::group::{Group, Tree};
use super::totals::Totals;
use super::{closed, failed, keys};
use crate::store::lease::Leases;
use crate::store::{Commit, Notices, StoreError, StoreHealth, clock};

/// Most commits in one group. With 256 writers, a limit of 128 gave 18,000 commits a second and
/// no limit 13,000 (one run each); a group also makes its first commit wait for its last.
const GROUP_COMMITS_MAX: usize = 128;
/// A group takes no further commit once it holds this many bytes.
const GROUP_BYTES_MAX: usize = 1024 * 1024;
/// Lengths of logs that are remembered; beyond that the memory starts anew.
const LENGTHS_MAX: usize = 100_000;

/// Where the answer to a job goes.
pub(super) type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// What the thread is asked to do.
pub(super) enum Job {
    /// Decide, write, flush, answer.
    Commit(Commit, Answer<()>),
    /// Remove up to so many rows whose lifetime is over at this time.
    Sweep(u64, usize, Answer<usize>),
    /// Finish what came before, then stop.
    Close(Answer<()>),
}

/// An answer that waits until the group is on disk.
enum Waiting {
    Commit(Answer<()>, Result<(), StoreError>),
    Sweep(Answer<usize>, Result<usize, StoreError>),
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
    /// Held as long as the thread lives, so that no second process opens the folder.
    pub(super) lock: File,
    pub(super) jobs: mpsc::Receiver<Job>,
    pub(super) shared: Arc<Shared>,
    pub(super) memory: Memory,
}

/// What the thread shares with everybody else.
pub(super) struct Shared {
    pub(super) durable: Durable,
    pub(super) claims: Leases<Vec<u8>>,
    pub(super) notices: Notices,
    pub(super) health: Mutex<StoreHealth>,
}

/// What the thread remembers between groups.
#[derive(Default)]
pub(super) struct Memory {
    totals: Totals,
    lengths: HashMap<String, u64>,
    synced_blobs: HashSet<OsString>,
    /// Why nothing may be written any more.
    broken: Option<String>,
}

impl Memory {
    /// Of a tree that was just opened.
    pub(super) fn new(totals: Totals) -> Self {
        Self { totals, ..Self::default() }
    }
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
        self.shared.durable.close();
        while let Some(job) = self.jobs.blocking_recv() {
            // Who no longer waits for the answer does not need it.
            let _ = match job {
                Job::Commit(_, answer) | Job::Close(answer) => answer.send(Err(closed())).is_ok(),
                Job::Sweep(_, _, answer) => answer.send(Err(closed())).is_ok(),
            };
        }
        let Self { db, lock, .. } = self;
        drop(db);
        drop(lock);
        if let Some(answer) = closing {
            let _ = answer.send(end);
        }
    }

    /// Takes what waits, as far as it fits, and settles it. Returns whom to tell of the closing.
    fn one_group(&mut self, first: Job) -> Option<Answer<()>> {
        let mut group = Group::default();
        let mut waiting = Vec::new();
        let mut next = Some(first);
        let mut closing = None;
        while let Some(job) = next.take() {
            let Memory { lengths, broken, .. } = &self.memory;
            let tree = Tree { db: &self.db, lengths };
            let may = || broken.as_ref().map_or(Ok(()), |why| Err(StoreError::Failed(why.clone())));
            match job {
                Job::Close(answer) => {
                    closing = Some(answer);
                    break;
                }
                Job::Commit(commit, answer) => {
                    let decided = may().and_then(|()| group.decide(&tree, commit));
                    waiting.push(Waiting::Commit(answer, decided));
                }
                Job::Sweep(now_ms, limit, answer) => {
                    let decided = may().and_then(|()| group.sweep(&tree, now_ms, limit));
                    waiting.push(Waiting::Sweep(answer, decided));
                }
            }
            if waiting.len() < GROUP_COMMITS_MAX && group.bytes < GROUP_BYTES_MAX {
                next = self.jobs.try_recv().ok();
            }
        }
        self.settle(group, waiting);
        closing
    }

    /// Writes the group, makes it durable and answers.
    fn settle(&mut self, mut group: Group, waiting: Vec<Waiting>) {
        let outcome = if group.writes.is_empty() { Ok(()) } else { self.write(&group) };
        if let Err(error) = &outcome {
            // After a failed flush nobody can know what is on disk: the kernel may have thrown
            // the dirty pages away and report the next flush as fine.
            let why = format!("nothing more is stored, because writing failed: {error}");
            tracing::error!(%error, "the store failed and takes no further changes");
            *self.shared.health.lock().unwrap_or_else(PoisonError::into_inner) =
                StoreHealth::Ended { why: why.clone(), since_ms: clock::now_ms() };
            self.memory.broken = Some(why);
        } else {
            if self.memory.lengths.len() + group.lengths.len() > LENGTHS_MAX {
                self.memory.lengths.clear();
            }
            self.memory.lengths.extend(std::mem::take(&mut group.lengths));
            self.forget_claims(&group);
            self.shared.notices.tell(std::mem::take(&mut group.tell));
        }
        // A conflict may rest on a commit of this group, so it too waits for the disk.
        let broken = || self.memory.broken.clone().map(StoreError::Failed);
        for waiting in waiting {
            let _ = match waiting {
                Waiting::Commit(answer, decided) => {
                    answer.send(broken().map_or(decided, Err)).is_ok()
                }
                Waiting::Sweep(answer, decided) => {
                    answer.send(broken().map_or(decided, Err)).is_ok()
                }
            };
        }
    }

    /// Whoever claimed a row that is gone holds it no more.
    fn forget_claims(&self, group: &Group) {
        if !self.shared.claims.is_empty() {
            for (key, _) in group.writes.iter().filter(|(_, write)| write.after.is_none()) {
                self.shared.claims.forget(key);
            }
        }
    }

    fn write(&mut self, group: &Group) -> Result<(), StoreError> {
        let mut totals = group.totals(self.memory.totals);
        totals.group += 1;
        totals.at_ms = clock::now_ms();
        let mut before = Before::new();
        let mut batch = Batch::default();
        for (key, write) in &group.writes {
            before.insert(key.clone(), write.before.clone());
            match &write.after {
                Some(value) => batch.insert(key.as_slice(), value),
                None => batch.remove(key.as_slice()),
            }
        }
        batch.insert(keys::TOTALS, totals.row());
        self.shared.durable.hold(before);
        self.db.apply_batch(batch).map_err(failed)?;
        self.sync().map_err(|error| StoreError::Failed(error.to_string()))?;
        self.memory.totals = totals;
        self.shared.durable.release();
        Ok(())
    }

    /// Makes everything written so far survive a power cut.
    fn sync(&mut self) -> io::Result<()> {
        self.db.flush().map_err(io::Error::other)?;
        self.sync_blobs()?;
        self.file.sync_data()
    }

    /// Pages over 128 KB are files of their own, which sled never syncs.
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
        if any_new { sync_folder(&self.blobs) } else { Ok(()) }
    }
}
