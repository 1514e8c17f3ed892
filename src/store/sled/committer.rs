//! The one thread that writes.
//!
//! It takes all commits that wait, decides each against the state with the earlier ones of the
//! same group, applies what passed as one batch, flushes once, and only then answers all of
//! them. So the price of reaching the disk is shared, and order needs no locks.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::sync::Arc;
use std::sync::mpsc as std_mpsc;

use sled::{Batch, IVec};
use tokio::sync::{mpsc, oneshot};

use super::base::{Base, guarded};
use super::durable::{Before, Durable};
use super::folder::sync_folder;
use super::group::{Group, Tree, Write};
use super::mark::Mark;
use super::room::Room;
use super::{closed, failed, keys};
use crate::clock::Watch;
use crate::lease::Leases;
use crate::{Commit, Notices, StoreError, clock};

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
    pub(super) base: Base,
    pub(super) mark: Mark,
    /// Held as long as the thread lives, so that no second process opens the folder.
    pub(super) lock: File,
    pub(super) jobs: mpsc::Receiver<Job>,
    pub(super) shared: Arc<Shared>,
    pub(super) memory: Memory,
    /// Goes when the thread has ended.
    pub(super) alive: std_mpsc::Sender<()>,
}

/// What the thread shares with everybody else.
pub(super) struct Shared {
    pub(super) durable: Durable,
    pub(super) claims: Leases<IVec>,
    pub(super) notices: Notices,
    pub(super) room: Room,
    /// By which lifetimes are over.
    pub(super) watch: Watch,
}

/// What the thread remembers between groups.
#[derive(Default)]
pub(super) struct Memory {
    lengths: HashMap<String, u64>,
    synced_blobs: HashSet<OsString>,
    /// Why nothing may be written any more.
    broken: Option<String>,
}

impl Committer {
    /// Works until it is asked to close or nobody is left to ask.
    pub(super) fn run(mut self) {
        let mut closing = None;
        while closing.is_none() {
            let Some(job) = self.jobs.blocking_recv() else {
                break;
            };
            closing = self.one_group(job);
        }
        self.jobs.close();
        self.shared.durable.close();
        let end = self.end();
        while let Some(job) = self.jobs.blocking_recv() {
            // Who no longer waits for the answer does not need it.
            let _ = match job {
                Job::Commit(_, answer) | Job::Close(answer) => answer.send(Err(closed())).is_ok(),
                Job::Sweep(_, _, answer) => answer.send(Err(closed())).is_ok(),
            };
        }
        let Self { base, mark, lock, memory, alive, .. } = self;
        if memory.broken.is_some() {
            // Closing sled after a failed write can wait for ever. What it holds goes with the
            // process, and so does the lock: only a new process may use the folder.
            std::mem::forget((base, mark, lock));
        } else {
            drop(base);
            drop(mark);
            drop(lock);
        }
        if let Some(answer) = closing {
            let _ = answer.send(end);
        }
        drop(alive);
    }

    fn end(&mut self) -> Result<(), StoreError> {
        if let Some(why) = &self.memory.broken {
            return Err(StoreError::Failed(why.clone()));
        }
        let synced = self.sync().and_then(|()| self.mark.sync());
        synced.map_err(|error| {
            self.memory.broken = Some(error.to_string());
            StoreError::Failed(error.to_string())
        })
    }

    /// Takes what waits, as far as it fits, and settles it. Returns whom to tell of the closing.
    fn one_group(&mut self, first: Job) -> Option<Answer<()>> {
        let mut group = Group::default();
        let mut waiting = Vec::new();
        let mut next = Some(first);
        let mut closing = None;
        let now_ms = self.shared.watch.now_ms();
        while let Some(job) = next.take() {
            let Memory { lengths, broken, .. } = &self.memory;
            let tree = Tree { db: &self.base.db, lengths, now_ms };
            let may = || broken.as_ref().map_or(Ok(()), |why| Err(StoreError::Failed(why.clone())));
            match job {
                Job::Close(answer) => {
                    closing = Some(answer);
                    break;
                }
                Job::Commit(commit, answer) => {
                    let decided = may().and_then(|()| guarded(|| group.decide(&tree, commit)));
                    waiting.push(Waiting::Commit(answer, decided));
                }
                Job::Sweep(now_ms, limit, answer) => {
                    let decided =
                        may().and_then(|()| guarded(|| group.sweep(&tree, now_ms, limit)));
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
        let bytes = group.bytes as u64;
        self.notice_failure(&waiting);
        let refused = match self.shared.room.is_enough(bytes) {
            // Nothing was touched: it goes on by itself as soon as there is room.
            Err(why) if !group.writes.is_empty() => Some(why),
            Ok(()) | Err(_) => self.write_all(&mut group),
        };
        // A conflict may rest on a commit of this group, so it too waits for the disk.
        let refused = || refused.clone().map(StoreError::Failed);
        for waiting in waiting {
            let _ = match waiting {
                Waiting::Commit(answer, decided) => {
                    answer.send(refused().map_or(decided, Err)).is_ok()
                }
                Waiting::Sweep(answer, decided) => {
                    answer.send(refused().map_or(decided, Err)).is_ok()
                }
            };
        }
    }

    /// Sled writes in the background too, and a failure there is first met by whoever reads next:
    /// from then on sled refuses everything. A row that is damaged is no such failure.
    fn notice_failure(&mut self, waiting: &[Waiting]) {
        let has_failed = |it: &Waiting| match it {
            Waiting::Commit(_, decided) => matches!(decided, Err(StoreError::Failed(_))),
            Waiting::Sweep(_, decided) => matches!(decided, Err(StoreError::Failed(_))),
        };
        if self.memory.broken.is_none()
            && waiting.iter().any(has_failed)
            && let Err(error) = guarded(|| self.base.db.flush().map_err(failed))
        {
            self.end_writing(&error);
        }
    }

    /// After a failed write nobody can know what is on disk: the kernel may have thrown the dirty
    /// pages away and report the next flush as fine. Says why nothing more is stored.
    fn end_writing(&mut self, error: &StoreError) -> String {
        let why = format!("nothing more is stored, because writing failed: {error}");
        tracing::error!(%error, "the store failed and takes no further changes");
        self.shared.room.is_broken(why.clone());
        self.memory.broken = Some(why.clone());
        why
    }

    /// Writes and says what follows; why nothing is stored any more if that fails.
    fn write_all(&mut self, group: &mut Group) -> Option<String> {
        if self.memory.broken.is_some() || group.writes.is_empty() {
            return self.memory.broken.clone();
        }
        self.shared.room.begin();
        let written = guarded(|| self.write(group));
        self.shared.room.end();
        if let Err(error) = written {
            return Some(self.end_writing(&error));
        }
        if self.memory.lengths.len() + group.lengths.len() > LENGTHS_MAX {
            self.memory.lengths.clear();
        }
        self.memory.lengths.extend(std::mem::take(&mut group.lengths));
        self.forget_claims(group);
        self.shared.notices.tell(std::mem::take(&mut group.tell));
        None
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
        let mut totals = group.totals(self.base.totals);
        totals.group += 1;
        totals.at_ms = clock::now_ms();
        let before = |(key, write): (&IVec, &Write)| (key.clone(), write.before.clone());
        let before: Before = group.writes.iter().map(before).collect();
        let mut batch = Batch::default();
        for (key, write) in &group.writes {
            match &write.after {
                Some(value) => batch.insert(key, value),
                None => batch.remove(key),
            }
        }
        batch.insert(keys::TOTALS, totals.row());
        self.shared.durable.hold(before);
        self.base.db.apply_batch(batch).map_err(failed)?;
        let io = |error: io::Error| StoreError::Failed(error.to_string());
        self.sync().map_err(io)?;
        self.base.totals = totals;
        self.mark.write(&totals).map_err(io)?;
        self.shared.durable.release();
        Ok(())
    }

    /// Makes everything written so far survive a power cut.
    fn sync(&mut self) -> io::Result<()> {
        self.base.db.flush().map_err(io::Error::other)?;
        self.sync_blobs()?;
        self.base.file.sync_data()
    }

    /// Pages over 128 KB are files of their own, which sled never syncs.
    fn sync_blobs(&mut self) -> io::Result<()> {
        let blobs = self.base.path.join("blobs");
        let mut found = HashSet::new();
        let mut any_new = false;
        for entry in fs::read_dir(&blobs)? {
            let name = entry?.file_name();
            if !self.memory.synced_blobs.contains(&name) {
                match File::open(blobs.join(&name)) {
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
        if any_new { sync_folder(&blobs) } else { Ok(()) }
    }
}
