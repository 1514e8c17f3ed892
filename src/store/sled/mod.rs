//! The default store: sled 0.34 in one folder, written by one thread.
//!
//! Guarantees of sled, found by tracing its system calls and by cutting the power of a virtual
//! disk: a batch on one tree is atomic; `flush` survives the death of the process but not of the
//! machine, so `writer_thread` adds `fdatasync`. sled's own flush timer would flush at other times
//! and is off.
//!
//! Reads run directly on the calling task: they nearly always come from memory and take
//! microseconds, less than a hand-over to another thread. They never wait for the disk to finish a
//! flush, see `durable_tree`.

mod base;
mod commit_group;
mod compaction;
mod data_folder;
mod durable_mark;
mod durable_tree;
mod keys;
mod reads;
mod row_codec;
pub mod salvage;
mod snapshot;
mod totals;
mod write_health;
mod writer_thread;

use std::io;
use std::path::Path;
use std::sync::{Arc, mpsc as std_mpsc};
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::sync::{broadcast, mpsc, oneshot};

use super::clock::StoreClock;
use super::leases::Leases;
use super::{
    ChangeBroadcast, Commit, OpenError, Snapshot, Space, Store, StoreAnswer, StoreChange,
    StoreClockFn, StoreError, StoreHealth, StoreQuery, StoreRow, clock, commit_limits,
};
use base::SledBase;
use durable_mark::DurableMark;
use durable_tree::DurableTree;
use totals::TreeTotals;
use write_health::{FreeBytes, WriteHealth};
use writer_thread::{Committer, CommitterCache, CommitterShared, SledWriterJob};

pub use data_folder::{folder_bytes, free_bytes};

/// Version of the stored form. It increases when older programs could not read the data.
pub const FORMAT: u32 = 2;

/// Commits that may wait for the writing thread; further ones wait for a place in the queue.
const QUEUE_COMMITS_MAX: usize = 1024;
/// File name of the durable mark.
const MARK: &str = "mark";
/// Time limit for closing. A full or missing disk can block sled without end; the process then
/// exits without closing it.
const CLOSE_MAX: Duration = Duration::from_secs(8);

/// Options for opening a folder.
#[derive(Clone, Default)]
pub struct SledOptions {
    /// Continues with the remaining data when acknowledged commits are missing.
    pub accept_loss: bool,
    /// Whether to rewrite the base first, to reclaim space that sled does not free.
    pub compact: CompactMode,
    /// For a command that only reads: a store of an earlier version is refused instead of
    /// converted, and the base is never rewritten.
    pub to_read: bool,
    /// Verifies every row first, whatever the size of the base.
    pub read_all: bool,
    /// Replaces the query for free disk space, for tests.
    pub free_bytes: Option<FreeBytes>,
}

/// Whether a base is rewritten when it is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompactMode {
    /// If it takes much more space than its contents.
    #[default]
    IfWorthwhile,
    /// It is always rewritten.
    Now,
}

/// A data folder, opened for this process alone.
pub struct SledStore {
    shared: Arc<CommitterShared>,
    leases: Leases<String>,
    jobs: Option<mpsc::Sender<SledWriterJob>>,
    /// Closes when the writing thread ends; carries no messages.
    ended: Mutex<Option<std_mpsc::Receiver<()>>>,
}

impl SledStore {
    /// Opens the folder; creates it if it is missing. Blocks while reading the data.
    ///
    /// # Errors
    /// [`OpenError::InUse`] if another process has the folder open; [`OpenError::Retryable`] if the
    /// disk is full; one sentence for the operator if a newer program wrote it, acknowledged data
    /// is missing or damaged, or it cannot be read or written.
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
        Self::open_with(folder, SledOptions::default())
    }

    /// Opens the folder with options.
    ///
    /// # Errors
    /// As [`SledStore::open`].
    pub fn open_with(folder: &Path, options: SledOptions) -> Result<Self, OpenError> {
        let to_open_error = |error: io::Error| unusable_error(folder, &error);
        data_folder::create(folder).map_err(to_open_error)?;
        let lock = data_folder::lock(folder)?;
        let base = open_base(folder, &options)?;
        let mark = DurableMark::open(&folder.join(MARK), &base.totals).map_err(to_open_error)?;
        let shared = Arc::new(CommitterShared {
            durable: DurableTree::new((*base.db).clone()),
            claims: Leases::default(),
            notices: ChangeBroadcast::new(),
            space: WriteHealth::new(folder, options.free_bytes),
            clock: StoreClock::default(),
        });
        let (sender, jobs) = mpsc::channel(QUEUE_COMMITS_MAX);
        let (alive, ended) = std_mpsc::channel();
        let committer = Committer {
            base,
            mark,
            lock,
            jobs,
            shared: Arc::clone(&shared),
            cache: CommitterCache::default(),
            alive,
        };
        thread::Builder::new()
            .name("store".into())
            .spawn(move || committer.run())
            .map_err(to_open_error)?;
        let ended = Mutex::new(Some(ended));
        Ok(Self { shared, leases: Leases::default(), jobs: Some(sender), ended })
    }

    async fn send_job<T>(
        &self,
        job: impl FnOnce(writer_thread::SledReply<T>) -> SledWriterJob,
    ) -> Result<T, StoreError> {
        let (answer, result) = oneshot::channel();
        let jobs = self.jobs.as_ref().ok_or_else(closed_error)?;
        jobs.send(job(answer)).await.map_err(|_| closed_error())?;
        result.await.unwrap_or_else(|_| Err(closed_error()))
    }

    fn is_open(&self) -> Result<(), StoreError> {
        if self.shared.durable.read().is_open() { Ok(()) } else { Err(closed_error()) }
    }
}

/// Waits for the writing thread, up to a limit.
fn wait_for_thread(ended: Option<std_mpsc::Receiver<()>>) {
    let waited = ended.map(|ended| ended.recv_timeout(CLOSE_MAX));
    if waited == Some(Err(std_mpsc::RecvTimeoutError::Timeout)) {
        tracing::error!("failed to close the store: the disk does not answer");
    }
}

fn unusable_error(folder: &Path, error: &io::Error) -> OpenError {
    folder_error(format!("the folder {} cannot be used", folder.display()), error)
}

/// The error for an operation on files that failed while a folder is opened. A full disk may get
/// space again, so a later attempt may succeed.
fn folder_error(what: String, error: &io::Error) -> OpenError {
    let why = format!("{what}: {error}");
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => OpenError::Retryable(why),
        _ => OpenError::Permanent(StoreError::Failed(why)),
    }
}

/// Finds, creates or rewrites the base, and checks that no acknowledged data is missing.
fn open_base(folder: &Path, options: &SledOptions) -> Result<SledBase, OpenError> {
    let to_open_error = |error: io::Error| unusable_error(folder, &error);
    let marked = DurableMark::read(&folder.join(MARK)).map_err(to_open_error)?;
    let (number, mut base) = match data_folder::newest_base(folder).map_err(to_open_error)? {
        Some((_, path))
            if !options.accept_loss && !salvage::is_safe_to_open(&path, marked.as_ref()) =>
        {
            return Err(base::damaged_base_error(
                &path,
                "a part of what was written cannot be read",
            )
            .into());
        }
        Some((number, path)) => (number, base::open(&path)?),
        None if data_folder::has_format_1(folder) && options.to_read => {
            return Err(older_store_error(folder).into());
        }
        None if data_folder::has_format_1(folder) => {
            tracing::info!("migrating the store to format {FORMAT}");
            (1, compaction::migrate_format_1(folder)?)
        }
        None => (1, base::open(&data_folder::base_path(folder, 1))?),
    };
    if options.read_all {
        base.verify_rows()?;
    }
    if let Err(missing) = check_against_mark(folder, &base.totals, marked.as_ref()) {
        if !options.accept_loss {
            return Err(missing.into());
        }
        tracing::warn!("continuing without the missing data, as requested: {missing}");
    }
    data_folder::remove_all_but(folder, number).map_err(to_open_error)?;
    let compact = match options.compact {
        _ if options.to_read => false,
        CompactMode::IfWorthwhile => compaction::is_worthwhile(&base),
        CompactMode::Now => compaction::check_free_space(&base).map(|()| true)?,
    };
    if compact {
        let before = data_folder::folder_bytes(&base.path).unwrap_or(0);
        base = compaction::compact(folder, number, base)?;
        let after = data_folder::folder_bytes(&base.path).unwrap_or(0);
        tracing::info!(before, after, "rewrote the store to reclaim space");
    }
    Ok(base)
}

fn older_store_error(folder: &Path) -> StoreError {
    StoreError::Failed(format!(
        "the store in {} is of an earlier version, and this command only reads it: start the bot \
         once, which converts it, then run the command again",
        folder.display()
    ))
}

/// Checks that a base has everything up to its durable mark; otherwise describes the loss.
fn check_against_mark(
    folder: &Path,
    found: &TreeTotals,
    marked: Option<&TreeTotals>,
) -> Result<(), StoreError> {
    let Some(marked) = marked else {
        if found.group > 0 {
            tracing::warn!(
                "the durable mark of the store is missing, so it is unknown whether data \
                            is lost"
            );
        }
        return Ok(());
    };
    if found.group > marked.group || (found.group == marked.group && found.has_same_rows(marked)) {
        return Ok(());
    }
    let groups = marked.group - found.group;
    let lines = marked.lines.saturating_sub(found.lines);
    let since =
        if found.group == 0 { "the beginning".into() } else { clock::format_utc(found.at_ms) };
    Err(StoreError::Failed(format!(
        "the store in {} has lost what was written: {groups} groups of changes since {since} are \
         missing, {lines} log lines at least; look at the disk, then try `caravanserai store \
         salvage`, restore the last backup, or start once with --accept-loss to go on without \
         them",
        folder.display()
    )))
}

#[async_trait]
impl Store for SledStore {
    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        let state = self.shared.durable.read();
        let now_ms = self.shared.clock.now_ms();
        reads.iter().map(|read| state.answer_query(read, now_ms)).collect()
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        commit_limits::check_commit(&commit)?;
        self.send_job(|answer| SledWriterJob::Commit(commit, answer)).await
    }

    async fn remove_expired(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        self.send_job(|answer| SledWriterJob::Sweep(now_ms, limit, answer)).await
    }

    async fn try_lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        self.is_open()?;
        Ok(self.leases.acquire(name.to_owned(), owner, for_ms))
    }

    async fn release_lease(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        self.is_open()?;
        self.leases.release(&name.to_owned(), owner);
        Ok(())
    }

    async fn lease_holder(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.is_open()?;
        Ok(self.leases.holder(&name.to_owned()))
    }

    async fn claim_rows(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError> {
        let state = self.shared.durable.read();
        let claims = &self.shared.claims;
        let now_ms = self.shared.clock.now_ms();
        base::catch_sled_panic(|| {
            state.claim_rows((space, upto), now_ms, limit, |key| {
                claims.acquire(key.into(), owner, for_ms)
            })
        })
    }

    async fn release_claims(
        &self,
        space: Space,
        rows: &[String],
        owner: &str,
    ) -> Result<(), StoreError> {
        self.is_open()?;
        let claims = &self.shared.claims;
        rows.iter().for_each(|key| claims.release(&keys::value_key(space, key).into(), owner));
        Ok(())
    }

    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        Ok(Box::new(snapshot::SledSnapshot::begin(Arc::clone(&self.shared))))
    }

    fn set_clock(&self, now: StoreClockFn) {
        self.shared.clock.set_source(now);
    }

    fn subscribe_changes(&self) -> broadcast::Receiver<StoreChange> {
        self.shared.notices.subscribe()
    }

    fn health(&self) -> StoreHealth {
        self.shared.space.health()
    }

    async fn close(&self) -> Result<(), StoreError> {
        let (answer, mut result) = oneshot::channel();
        let jobs = self.jobs.as_ref().ok_or_else(closed_error)?;
        jobs.send(SledWriterJob::Close(answer)).await.map_err(|_| closed_error())?;
        let ended = self.ended.lock().take();
        // The thread replies just before it ends.
        let waited = tokio::task::spawn_blocking(|| wait_for_thread(ended)).await;
        if waited.is_err() {
            Err(closed_error())
        } else {
            result.try_recv().unwrap_or_else(|_| Err(no_reply_error()))
        }
    }
}

impl Drop for SledStore {
    fn drop(&mut self) {
        self.jobs = None;
        wait_for_thread(self.ended.lock().take());
    }
}

fn closed_error() -> StoreError {
    StoreError::Failed("the store is closed".into())
}

fn no_reply_error() -> StoreError {
    StoreError::Failed("the disk does not answer".into())
}

fn sled_error(error: sled::Error) -> StoreError {
    StoreError::Failed(sled_error_text(error))
}

/// Turns an error of sled into a text for the operator.
fn sled_error_text(error: sled::Error) -> String {
    match error {
        sled::Error::Corruption { at, .. } => format!(
            "what is on disk {}is not what was written: stop the program, then save what is whole \
             with `caravanserai store salvage`",
            at.map(|at| format!("at byte {} ", at.lid())).unwrap_or_default()
        ),
        sled::Error::Io(error) => error.to_string(),
        sled::Error::Unsupported(why) | sled::Error::ReportableBug(why) => why,
        sled::Error::CollectionNotFound(_) => "a part is missing".into(),
    }
}
