//! The single writing thread.
//!
//! It takes all waiting commits, decides each as if the earlier commits of its group were
//! applied, applies the accepted ones as one batch, flushes once, and only then replies
//! to all of them. So the commits of a group share the cost of reaching the disk, and ordering
//! needs no locks.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::sync::Arc;
use std::sync::mpsc as std_mpsc;

use sled::{Batch, IVec};
use tokio::sync::{mpsc, oneshot};

use super::base::{SledBase, catch_sled_panic};
use super::commit_group::{CommitGroup, GroupTree, KeyWrite};
use super::data_folder::sync_folder;
use super::durable_mark::DurableMark;
use super::durable_tree::{DurableTree, PreviousValues};
use super::write_health::WriteHealth;
use super::{closed_error, keys, sled_error};
use crate::clock::StoreClock;
use crate::leases::Leases;
use crate::{ChangeBroadcast, Commit, StoreError, clock};

/// Most commits in one group. With 256 writers, a limit of 128 gave 18,000 commits a second and no
/// limit 13,000 (one run each); in a large group the first commit also waits for the last.
const GROUP_COMMITS_MAX: usize = 128;
/// A group takes no further commit once it has this many bytes.
const GROUP_BYTES_MAX: usize = 1024 * 1024;
/// Most log lengths in the cache; it is cleared when it is full.
const LENGTHS_MAX: usize = 100_000;

/// The reply channel of a job.
pub(super) type SledReply<T> = oneshot::Sender<Result<T, StoreError>>;

/// A job of the thread.
pub(super) enum SledWriterJob {
    /// Decide, write, flush, reply.
    Commit(Commit, SledReply<()>),
    /// Remove up to this many rows that have expired at this time.
    Sweep(u64, usize, SledReply<usize>),
    /// Finish earlier jobs, then stop.
    Close(SledReply<()>),
}

/// A reply that waits until the group is on disk.
enum SledPendingReply {
    Commit(SledReply<()>, Result<(), StoreError>),
    Sweep(SledReply<usize>, Result<usize, StoreError>),
}

/// The state that the thread owns.
pub(super) struct Committer {
    pub(super) base: SledBase,
    pub(super) mark: DurableMark,
    /// Held as long as the thread lives, so that no second process opens the folder.
    pub(super) lock: File,
    pub(super) jobs: mpsc::Receiver<SledWriterJob>,
    pub(super) shared: Arc<CommitterShared>,
    pub(super) cache: CommitterCache,
    /// Dropped when the thread ends.
    pub(super) alive: std_mpsc::Sender<()>,
}

/// State that the thread shares with the store.
pub(super) struct CommitterShared {
    pub(super) durable: DurableTree,
    pub(super) claims: Leases<IVec>,
    pub(super) notices: ChangeBroadcast,
    pub(super) space: WriteHealth,
    /// Decides when rows expire.
    pub(super) clock: StoreClock,
}

/// Data that the thread keeps between groups.
#[derive(Default)]
pub(super) struct CommitterCache {
    lengths: HashMap<String, u64>,
    synced_blobs: HashSet<OsString>,
    /// Why writing has stopped for good.
    broken: Option<String>,
}

impl Committer {
    /// Works until it is asked to close or all senders are gone.
    pub(super) fn run(mut self) {
        let mut closing = None;
        while closing.is_none() {
            let Some(job) = self.jobs.blocking_recv() else {
                break;
            };
            closing = self.write_group(job);
        }
        self.jobs.close();
        self.shared.durable.close();
        let end = self.stop();
        while let Some(job) = self.jobs.blocking_recv() {
            // Callers that stopped waiting do not need the reply.
            let _ = match job {
                SledWriterJob::Commit(_, answer) | SledWriterJob::Close(answer) => {
                    answer.send(Err(closed_error())).is_ok()
                }
                SledWriterJob::Sweep(_, _, answer) => answer.send(Err(closed_error())).is_ok(),
            };
        }
        let Self { base, mark, lock, cache, alive, .. } = self;
        if cache.broken.is_some() {
            // Closing sled after a failed write can block without end. So sled and the lock are
            // leaked: the process ends soon, and only a new one may use the folder.
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

    fn stop(&mut self) -> Result<(), StoreError> {
        if let Some(why) = &self.cache.broken {
            return Err(StoreError::Failed(why.clone()));
        }
        let synced = self.sync().and_then(|()| self.mark.sync());
        synced.map_err(|error| {
            self.cache.broken = Some(error.to_string());
            StoreError::Failed(error.to_string())
        })
    }

    /// Takes waiting jobs up to the limits of a group and settles them. Returns the reply channel
    /// of a close job.
    fn write_group(&mut self, first: SledWriterJob) -> Option<SledReply<()>> {
        let mut group = CommitGroup::default();
        let mut waiting = Vec::new();
        let mut next = Some(first);
        let mut closing = None;
        let now_ms = self.shared.clock.now_ms();
        while let Some(job) = next.take() {
            let CommitterCache { lengths, broken, .. } = &self.cache;
            let tree = GroupTree { db: &self.base.db, lengths, now_ms };
            let may = || broken.as_ref().map_or(Ok(()), |why| Err(StoreError::Failed(why.clone())));
            match job {
                SledWriterJob::Close(answer) => {
                    closing = Some(answer);
                    break;
                }
                SledWriterJob::Commit(commit, answer) => {
                    let decided =
                        may().and_then(|()| catch_sled_panic(|| group.decide(&tree, commit)));
                    waiting.push(SledPendingReply::Commit(answer, decided));
                }
                SledWriterJob::Sweep(now_ms, limit, answer) => {
                    let decided = may().and_then(|()| {
                        catch_sled_panic(|| group.remove_expired(&tree, now_ms, limit))
                    });
                    waiting.push(SledPendingReply::Sweep(answer, decided));
                }
            }
            if waiting.len() < GROUP_COMMITS_MAX && group.bytes < GROUP_BYTES_MAX {
                next = self.jobs.try_recv().ok();
            }
        }
        self.flush_and_reply(group, waiting);
        closing
    }

    /// Writes the group, makes it durable and replies.
    fn flush_and_reply(&mut self, mut group: CommitGroup, waiting: Vec<SledPendingReply>) {
        let bytes = group.bytes as u64;
        self.check_background_failure(&waiting);
        let refused = match self.shared.space.check_space(bytes) {
            // sled was not touched, so writing resumes as soon as there is space.
            Err(why) if !group.writes.is_empty() => Some(why),
            Ok(()) | Err(_) => self.write_all(&mut group),
        };
        // A conflict may depend on a commit of this group, so it waits for the disk, too.
        let refused = || refused.clone().map(StoreError::Failed);
        for waiting in waiting {
            let _ = match waiting {
                SledPendingReply::Commit(answer, decided) => {
                    answer.send(refused().map_or(decided, Err)).is_ok()
                }
                SledPendingReply::Sweep(answer, decided) => {
                    answer.send(refused().map_or(decided, Err)).is_ok()
                }
            };
        }
    }

    /// Stops writing after a failure of sled's background writes. sled then refuses everything, and
    /// the next read is the first to see it. A damaged row is not such a failure.
    fn check_background_failure(&mut self, waiting: &[SledPendingReply]) {
        let has_failed = |it: &SledPendingReply| match it {
            SledPendingReply::Commit(_, decided) => matches!(decided, Err(StoreError::Failed(_))),
            SledPendingReply::Sweep(_, decided) => matches!(decided, Err(StoreError::Failed(_))),
        };
        if self.cache.broken.is_none()
            && waiting.iter().any(has_failed)
            && let Err(error) = catch_sled_panic(|| self.base.db.flush().map_err(sled_error))
        {
            self.stop_writing(&error);
        }
    }

    /// Stops writing for good and returns the reason. After a failed write the state on disk is
    /// unknown: the kernel may have dropped the dirty pages and report success for the next flush.
    fn stop_writing(&mut self, error: &StoreError) -> String {
        let why = format!("nothing more is stored, because writing failed: {error}");
        tracing::error!(%error, "the store failed and refuses all further writes");
        self.shared.space.set_broken(why.clone());
        self.cache.broken = Some(why.clone());
        why
    }

    /// Writes the group and publishes its topics; on failure returns why writing has stopped.
    fn write_all(&mut self, group: &mut CommitGroup) -> Option<String> {
        if self.cache.broken.is_some() || group.writes.is_empty() {
            return self.cache.broken.clone();
        }
        self.shared.space.begin_write();
        let written = catch_sled_panic(|| self.write(group));
        self.shared.space.end_write();
        if let Err(error) = written {
            return Some(self.stop_writing(&error));
        }
        if self.cache.lengths.len() + group.lengths.len() > LENGTHS_MAX {
            self.cache.lengths.clear();
        }
        self.cache.lengths.extend(std::mem::take(&mut group.lengths));
        self.forget_claims(group);
        self.shared.notices.publish_topics(std::mem::take(&mut group.topics));
        None
    }

    /// Ends claims on rows that are removed.
    fn forget_claims(&self, group: &CommitGroup) {
        if !self.shared.claims.is_empty() {
            for (key, _) in group.writes.iter().filter(|(_, write)| write.after.is_none()) {
                self.shared.claims.revoke(key);
            }
        }
    }

    fn write(&mut self, group: &CommitGroup) -> Result<(), StoreError> {
        let mut totals = group.totals(self.base.totals);
        totals.group += 1;
        totals.at_ms = clock::now_ms();
        let before = |(key, write): (&IVec, &KeyWrite)| (key.clone(), write.before.clone());
        let before: PreviousValues = group.writes.iter().map(before).collect();
        let mut batch = Batch::default();
        for (key, write) in &group.writes {
            match &write.after {
                Some(value) => batch.insert(key, value),
                None => batch.remove(key),
            }
        }
        batch.insert(keys::TOTALS, totals.to_row());
        self.shared.durable.mask(before);
        self.base.db.apply_batch(batch).map_err(sled_error)?;
        let io = |error: io::Error| StoreError::Failed(error.to_string());
        self.sync().map_err(io)?;
        self.base.totals = totals;
        self.mark.write(&totals).map_err(io)?;
        self.shared.durable.unmask();
        Ok(())
    }

    /// Makes everything written so far survive a power cut.
    fn sync(&mut self) -> io::Result<()> {
        self.base.db.flush().map_err(io::Error::other)?;
        self.sync_blobs()?;
        self.base.file.sync_data()
    }

    /// Syncs blobs: sled writes pages over 128 KB to files of their own and never syncs them.
    fn sync_blobs(&mut self) -> io::Result<()> {
        let blobs = self.base.path.join("blobs");
        let mut found = HashSet::new();
        let mut any_new = false;
        for entry in fs::read_dir(&blobs)? {
            let name = entry?.file_name();
            if !self.cache.synced_blobs.contains(&name) {
                match File::open(blobs.join(&name)) {
                    Ok(file) => file.sync_all()?,
                    // sled has already replaced it.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Err(error),
                }
                any_new = true;
            }
            found.insert(name);
        }
        self.cache.synced_blobs = found;
        if any_new { sync_folder(&blobs) } else { Ok(()) }
    }
}
