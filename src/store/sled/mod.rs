//! The default store: sled 0.34 in one folder, written by one thread.
//!
//! What sled promises and what it does not (seen by tracing its system calls and by cutting the
//! power of a virtual disk): a batch on one tree is atomic; `flush` survives the death of the
//! process but not of the machine, so `committer` adds `fdatasync`; sled's own timer would
//! flush behind our back and is off.
//!
//! Reads are made directly on the calling task: they come from memory nearly always and take
//! microseconds, less than handing them to another thread would. They never wait for the disk
//! to finish a flush, see `durable`.

mod base;
mod committer;
mod durable;
mod folder;
mod group;
mod keys;
mod mark;
mod reading;
mod rewrite;
mod room;
mod row;
pub mod salvage;
mod snapshot;
mod totals;

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, mpsc as std_mpsc};
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::{broadcast, mpsc, oneshot};

use super::clock::Watch;
use super::lease::Leases;
use super::{
    Change, Commit, Found, Notices, Now, Read, Row, Snapshot, Space, Store, StoreError,
    StoreHealth, clock, limits,
};
use base::Base;
use committer::{Committer, Job, Memory, Shared};
use durable::Durable;
use mark::Mark;
use room::{FreeBytes, Room};
use totals::Totals;

pub use folder::bytes_of;

/// How the stored bytes are to be read. Goes up when older programs could not read them.
pub const FORMAT: u32 = 2;

/// Commits that may wait for the writing thread; more of them wait for a place in the queue.
const QUEUE_COMMITS_MAX: usize = 1024;
/// The mark beside the base.
const MARK: &str = "mark";
/// Closing takes no longer. A disk that is full or gone can keep sled for ever; the process then
/// ends without it.
const CLOSE_MAX: Duration = Duration::from_secs(8);

/// How a folder is opened.
#[derive(Clone, Default)]
pub struct Options {
    /// Goes on with what is there when acknowledged commits are missing.
    pub accept_loss: bool,
    /// Whether the base is written anew first, to win back what sled does not give back.
    pub compact: Compact,
    /// Reads every row and proves it whole before anything else, whatever the size.
    pub read_all: bool,
    /// Says how much room the disk has instead of the disk itself: for tests.
    pub free_bytes: Option<FreeBytes>,
}

/// Whether a base is written anew when it is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compact {
    /// If it takes much more room than what is in it.
    #[default]
    WhenWorthIt,
    /// In any case.
    Now,
    /// In no case.
    Never,
}

/// A folder of data, opened for this process alone.
pub struct SledStore {
    shared: Arc<Shared>,
    leases: Leases<String>,
    jobs: Option<mpsc::Sender<Job>>,
    /// Nothing ever comes; it ends with the writing thread.
    ended: Mutex<Option<std_mpsc::Receiver<()>>>,
}

impl SledStore {
    /// Opens the folder and makes it if there is none. Blocks while reading what is there.
    ///
    /// # Errors
    /// One sentence for the operator if another process has the folder open, if a newer program
    /// wrote it, if something that was there is missing or damaged, or if it cannot be read or
    /// written.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        Self::open_with(folder, Options::default())
    }

    /// The same, with a choice.
    ///
    /// # Errors
    /// As [`SledStore::open`].
    pub fn open_with(folder: &Path, options: Options) -> Result<Self, StoreError> {
        let told = |error: io::Error| {
            StoreError::Failed(format!("the folder {} cannot be used: {error}", folder.display()))
        };
        folder::make(folder).map_err(told)?;
        let lock = folder::lock(folder)?;
        let base = open_base(folder, &options)?;
        let mark = Mark::open(&folder.join(MARK), &base.totals).map_err(told)?;
        let shared = Arc::new(Shared {
            durable: Durable::new((*base.db).clone()),
            claims: Leases::default(),
            notices: Notices::new(),
            room: Room::new(folder, options.free_bytes),
            watch: Watch::default(),
        });
        let (sender, jobs) = mpsc::channel(QUEUE_COMMITS_MAX);
        let (alive, ended) = std_mpsc::channel();
        let committer = Committer {
            base,
            mark,
            lock,
            jobs,
            shared: Arc::clone(&shared),
            memory: Memory::default(),
            alive,
        };
        thread::Builder::new().name("store".into()).spawn(move || committer.run()).map_err(told)?;
        let ended = Mutex::new(Some(ended));
        Ok(Self { shared, leases: Leases::default(), jobs: Some(sender), ended })
    }

    async fn ask<T>(&self, job: impl FnOnce(committer::Answer<T>) -> Job) -> Result<T, StoreError> {
        let (answer, result) = oneshot::channel();
        let jobs = self.jobs.as_ref().ok_or_else(closed)?;
        jobs.send(job(answer)).await.map_err(|_| closed())?;
        result.await.unwrap_or_else(|_| Err(closed()))
    }

    fn is_open(&self) -> Result<(), StoreError> {
        if self.shared.durable.read().is_open() { Ok(()) } else { Err(closed()) }
    }
}

/// Waits for the writing thread, but not for ever.
fn wait(ended: Option<std_mpsc::Receiver<()>>) {
    let waited = ended.map(|ended| ended.recv_timeout(CLOSE_MAX));
    if waited == Some(Err(std_mpsc::RecvTimeoutError::Timeout)) {
        tracing::error!("the store is left unclosed, because the disk does not answer");
    }
}

/// Finds the base, makes it, or makes it anew, and proves that it holds what it must.
fn open_base(folder: &Path, options: &Options) -> Result<Base, StoreError> {
    let told = |error: io::Error| {
        StoreError::Failed(format!("the folder {} cannot be used: {error}", folder.display()))
    };
    let marked = Mark::read(&folder.join(MARK)).map_err(told)?;
    let (number, mut base) = match folder::newest_base(folder).map_err(told)? {
        Some((_, path))
            if !options.accept_loss && !salvage::is_safe_to_open(&path, marked.as_ref()) =>
        {
            return Err(base::damaged(&path, "a part of what was written cannot be read"));
        }
        Some((number, path)) => (number, base::open(&path)?),
        None if folder::holds_format_1(folder) => {
            tracing::info!("the store is written anew in format {FORMAT}");
            (1, rewrite::from_format_1(folder)?)
        }
        None => (1, base::open(&folder::base(folder, 1))?),
    };
    if options.read_all {
        base.verify()?;
    }
    if let Err(missing) = compare(folder, &base.totals, marked.as_ref()) {
        if !options.accept_loss {
            return Err(missing);
        }
        tracing::warn!("going on without what is missing, as was asked: {missing}");
    }
    folder::remove_all_but(folder, number).map_err(told)?;
    let compact = match options.compact {
        Compact::WhenWorthIt => rewrite::is_worth_it(&base),
        Compact::Now => rewrite::fits(&base).map(|()| true)?,
        Compact::Never => false,
    };
    if compact {
        let before = folder::bytes_of(&base.path).unwrap_or(0);
        base = rewrite::compact(folder, number, base)?;
        let after = folder::bytes_of(&base.path).unwrap_or(0);
        tracing::info!(before, after, "the store was written anew, to win back bytes");
    }
    Ok(base)
}

/// Says what is missing in a base that must have come as far as its mark.
fn compare(folder: &Path, found: &Totals, marked: Option<&Totals>) -> Result<(), StoreError> {
    let Some(marked) = marked else {
        if found.group > 0 {
            tracing::warn!(
                "the mark beside the store is gone; whether something is missing \
                            cannot be said"
            );
        }
        return Ok(());
    };
    if found.group > marked.group || (found.group == marked.group && found.same_rows(marked)) {
        return Ok(());
    }
    let groups = marked.group - found.group;
    let lines = marked.lines.saturating_sub(found.lines);
    let since = if found.group == 0 { "the beginning".into() } else { clock::utc(found.at_ms) };
    Err(StoreError::Failed(format!(
        "the store in {} has lost what was written: {groups} groups of changes since {since} are \
         missing, {lines} log lines at least; look at the disk, then try `caravanserai store \
         salvage`, restore the last back-up, or start once with --accept-loss to go on without \
         them",
        folder.display()
    )))
}

#[async_trait]
impl Store for SledStore {
    async fn read(&self, reads: &[Read]) -> Result<Vec<Found>, StoreError> {
        let (state, now_ms) = (self.shared.durable.read(), self.shared.watch.now_ms());
        reads.iter().map(|read| state.answer(read, now_ms)).collect()
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        limits::check(&commit)?;
        self.ask(|answer| Job::Commit(commit, answer)).await
    }

    async fn sweep(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        self.ask(|answer| Job::Sweep(now_ms, limit, answer)).await
    }

    async fn lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        self.is_open()?;
        Ok(self.leases.take(name.to_owned(), owner, for_ms))
    }

    async fn release(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        self.is_open()?;
        self.leases.give_back(&name.to_owned(), owner);
        Ok(())
    }

    async fn holder(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.is_open()?;
        Ok(self.leases.holder(&name.to_owned()))
    }

    async fn claim(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<Row>, StoreError> {
        let state = self.shared.durable.read();
        let (claims, now_ms) = (&self.shared.claims, self.shared.watch.now_ms());
        state.claimed((space, upto), now_ms, limit, |key| claims.take(key.into(), owner, for_ms))
    }

    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        Ok(Box::new(snapshot::Everything::begin(Arc::clone(&self.shared))))
    }

    fn go_by(&self, now: Now) {
        self.shared.watch.go_by(now);
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.shared.notices.listen()
    }

    fn health(&self) -> StoreHealth {
        self.shared.room.health()
    }

    async fn close(&self) -> Result<(), StoreError> {
        let (answer, mut result) = oneshot::channel();
        let jobs = self.jobs.as_ref().ok_or_else(closed)?;
        jobs.send(Job::Close(answer)).await.map_err(|_| closed())?;
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner).take();
        // The thread answers just before it ends.
        let waited = tokio::task::spawn_blocking(|| wait(ended)).await;
        if waited.is_err() {
            Err(closed())
        } else {
            result.try_recv().unwrap_or_else(|_| Err(unanswered()))
        }
    }
}

impl Drop for SledStore {
    fn drop(&mut self) {
        self.jobs = None;
        wait(self.ended.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

fn closed() -> StoreError {
    StoreError::Failed("the store is closed".into())
}

fn unanswered() -> StoreError {
    StoreError::Failed("the disk does not answer".into())
}

fn failed(error: sled::Error) -> StoreError {
    StoreError::Failed(words(error))
}

/// What sled says, in words for whoever runs the program.
fn words(error: sled::Error) -> String {
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
