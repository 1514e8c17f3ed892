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

mod committer;
mod durable;
mod folder;
mod group;
mod keys;
mod reading;
mod row;
mod snapshot;
mod totals;

use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use async_trait::async_trait;
use sled::Db;
use tokio::sync::{broadcast, mpsc, oneshot};

use super::lease::Leases;
use super::{
    Change, Commit, Found, Notices, Read, Row, Snapshot, Space, Store, StoreError, StoreHealth,
    limits,
};
use committer::{Committer, Job, Memory, Shared};
use durable::Durable;
use totals::Totals;

/// How the stored bytes are to be read. Goes up when older programs could not read them.
pub const FORMAT: u32 = 2;

/// Commits that may wait for the writing thread; more of them wait for a place in the queue.
const QUEUE_COMMITS_MAX: usize = 1024;
/// What sled keeps in memory, in bytes; it may pass this by a factor of two.
const CACHE_BYTES: u64 = 64 * 1024 * 1024;

/// A folder of data, opened for this process alone.
pub struct SledStore {
    shared: Arc<Shared>,
    leases: Leases<String>,
    jobs: Option<mpsc::Sender<Job>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl SledStore {
    /// Opens the folder and makes it if there is none. Blocks while reading what is there.
    ///
    /// # Errors
    /// One sentence for the operator if another process has the folder open, if a newer program
    /// wrote it, or if it cannot be read or written.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let told = |error: io::Error| {
            StoreError::Failed(format!("the folder {} cannot be used: {error}", folder.display()))
        };
        folder::make(folder).map_err(told)?;
        let lock = folder::lock(folder)?;
        folder::remove_unfinished_snapshots(folder).map_err(told)?;
        let db = sled::Config::new()
            .path(folder)
            .cache_capacity(CACHE_BYTES)
            .flush_every_ms(None)
            .open()
            .map_err(|error| {
                let folder = folder.display();
                StoreError::Failed(format!("the folder {folder} cannot be opened: {error}"))
            })?;
        check_format(&db, folder)?;
        folder::sync_new_files(folder).map_err(told)?;
        let file = OpenOptions::new().write(true).open(folder.join("db")).map_err(told)?;
        file.sync_all().map_err(told)?;
        let found = db.get(keys::TOTALS).map_err(failed)?;
        let totals = found.map(|row| Totals::of_row(&row)).transpose()?.unwrap_or_default();
        let shared = Arc::new(Shared {
            durable: Durable::new((*db).clone()),
            claims: Leases::default(),
            notices: Notices::new(),
            health: Mutex::default(),
        });
        let (sender, jobs) = mpsc::channel(QUEUE_COMMITS_MAX);
        let committer = Committer {
            db,
            file,
            blobs: folder.join("blobs"),
            lock,
            jobs,
            shared: Arc::clone(&shared),
            memory: Memory::new(totals),
        };
        let thread = thread::Builder::new()
            .name("store".into())
            .spawn(move || committer.run())
            .map_err(told)?;
        let leases = Leases::default();
        Ok(Self { shared, leases, jobs: Some(sender), thread: Mutex::new(Some(thread)) })
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

    fn join(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the writing thread of the store had panicked");
        }
    }
}

#[async_trait]
impl Store for SledStore {
    async fn read(&self, reads: &[Read]) -> Result<Vec<Found>, StoreError> {
        let state = self.shared.durable.read();
        reads.iter().map(|read| state.answer(read)).collect()
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

    async fn claim(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<Row>, StoreError> {
        let state = self.shared.durable.read();
        let claims = &self.shared.claims;
        state.claimed(space, upto, limit, |key| claims.take(key.to_vec(), owner, for_ms))
    }

    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        Ok(Box::new(snapshot::Everything::begin(Arc::clone(&self.shared))))
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.shared.notices.listen()
    }

    fn health(&self) -> StoreHealth {
        self.shared.health.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn close(&self) -> Result<(), StoreError> {
        let end = self.ask(Job::Close).await;
        // The thread has nothing left to do but return.
        self.join();
        end
    }
}

impl Drop for SledStore {
    fn drop(&mut self) {
        self.jobs = None;
        self.join();
    }
}

fn closed() -> StoreError {
    StoreError::Failed("the store is closed".into())
}

fn failed(error: sled::Error) -> StoreError {
    StoreError::Failed(error.to_string())
}

/// Writes the format number into a new folder and compares it in an old one.
fn check_format(db: &Db, folder: &Path) -> Result<(), StoreError> {
    let Some(found) = db.get(keys::FORMAT).map_err(failed)? else {
        if !db.is_empty() {
            return Err(StoreError::Failed(format!(
                "the folder {} holds data of another program",
                folder.display()
            )));
        }
        db.insert(keys::FORMAT, FORMAT.to_string().into_bytes()).map_err(failed)?;
        db.flush().map_err(failed)?;
        return Ok(());
    };
    let found = String::from_utf8_lossy(&found).into_owned();
    if found.parse() == Ok(FORMAT) {
        return Ok(());
    }
    Err(StoreError::Failed(format!(
        "the folder {} was written by a newer program (format {found}, this one knows up to \
         {FORMAT}): install the newer program, or choose another folder with DATA_DIR",
        folder.display()
    )))
}
