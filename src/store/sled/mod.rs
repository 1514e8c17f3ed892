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
mod keys;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::ops::Bound;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use async_trait::async_trait;
use sled::Db;
use tokio::sync::{mpsc, oneshot};

use super::{Commit, Space, Store, StoreError, limits};
use committer::{Committer, Job, Memory};
use durable::{Durable, State};

/// How the stored bytes are to be read. Goes up when older programs could not read them.
pub const FORMAT: u32 = 1;

/// Commits that may wait for the writing thread; more of them wait for a place in the queue.
const QUEUE_COMMITS_MAX: usize = 1024;
/// What sled keeps in memory, in bytes; it may pass this by a factor of two.
const CACHE_BYTES: u64 = 64 * 1024 * 1024;
/// Key in [`Space::Meta`] of the number [`FORMAT`].
const FORMAT_KEY: &str = "store/format";

/// A folder of data, opened for this process alone.
pub struct SledStore {
    durable: Arc<Durable>,
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
        fs::create_dir_all(folder).map_err(told)?;
        let lock = lock(folder)?;
        remove_unfinished_snapshots(folder).map_err(told)?;
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
        sync_new_files(folder).map_err(told)?;
        let file = OpenOptions::new().write(true).open(folder.join("db")).map_err(told)?;
        file.sync_all().map_err(told)?;
        let durable = Arc::new(Durable::new((*db).clone()));
        let (sender, jobs) = mpsc::channel(QUEUE_COMMITS_MAX);
        let committer = Committer {
            db,
            file,
            blobs: folder.join("blobs"),
            durable: Arc::clone(&durable),
            lock,
            jobs,
            memory: Memory::default(),
        };
        let thread = thread::Builder::new()
            .name("store".into())
            .spawn(move || committer.run())
            .map_err(told)?;
        Ok(Self { durable, jobs: Some(sender), thread: Mutex::new(Some(thread)) })
    }

    fn read<T>(&self, read: impl FnOnce(&State) -> sled::Result<T>) -> Result<T, StoreError> {
        let state = self.durable.read();
        if !state.is_open() {
            return Err(closed());
        }
        read(&state).map_err(failed)
    }

    async fn ask(&self, job: impl FnOnce(committer::Answer) -> Job) -> Result<(), StoreError> {
        let (answer, result) = oneshot::channel();
        let jobs = self.jobs.as_ref().ok_or_else(closed)?;
        jobs.send(job(answer)).await.map_err(|_| closed())?;
        result.await.unwrap_or_else(|_| Err(closed()))
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
    async fn log(&self, table: &str, from: u64) -> Result<Vec<String>, StoreError> {
        let start = Bound::Included(keys::log_key(table, from));
        let end = keys::end_of(&keys::log_prefix(table));
        let lines = self.read(|state| {
            state
                .range(start, end)
                .map(|pair| pair.map(|(_, line)| line))
                .collect::<Result<Vec<_>, _>>()
        })?;
        lines.into_iter().map(|line| text(line.to_vec())).collect()
    }

    async fn get(&self, space: Space, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let value = self.read(|state| state.get(&keys::value_key(space, key)))?;
        Ok(value.map(|value| value.to_vec()))
    }

    async fn scan(
        &self,
        space: Space,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let start = match after {
            Some(after) if after >= prefix => Bound::Excluded(keys::value_key(space, after)),
            _ => Bound::Included(keys::value_key(space, prefix)),
        };
        let end = keys::end_of(&keys::value_key(space, prefix));
        let pairs =
            self.read(|state| state.range(start, end).take(limit).collect::<Result<Vec<_>, _>>())?;
        pairs
            .into_iter()
            .map(|(key, value)| Ok((text(key[1..].to_vec())?, value.to_vec())))
            .collect()
    }

    /// If the caller stops waiting, the commit may still happen.
    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        limits::check(&commit)?;
        self.ask(|answer| Job::Commit(commit, answer)).await
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

fn text(bytes: Vec<u8>) -> Result<String, StoreError> {
    String::from_utf8(bytes).map_err(|_| StoreError::Failed("text is damaged: not UTF-8".into()))
}

/// Our own lock beside sled's: sled's error does not say that it is about a second process.
fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join("lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|error| {
        StoreError::Failed(format!("{} cannot be written: {error}", path.display()))
    })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Failed(format!(
            "the folder {} is in use by another process: stop that one first, or choose another \
             folder with DATA_DIR",
            folder.display()
        ))),
        Err(TryLockError::Error(error)) => {
            Err(StoreError::Failed(format!("{} cannot be locked: {error}", path.display())))
        }
    }
}

/// A process that died while sled summed up its log leaves a half-written summary, which has
/// kept folders from opening. It holds nothing that the log does not.
fn remove_unfinished_snapshots(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("snap.") && name.ends_with(".generating") {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Writes the format number into a new folder and compares it in an old one.
fn check_format(db: &Db, folder: &Path) -> Result<(), StoreError> {
    let key = keys::value_key(Space::Meta, FORMAT_KEY);
    let Some(found) = db.get(&key).map_err(failed)? else {
        if !db.is_empty() {
            return Err(StoreError::Failed(format!(
                "the folder {} holds data of another program",
                folder.display()
            )));
        }
        db.insert(key, FORMAT.to_string().into_bytes()).map_err(failed)?;
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

/// New files survive a power cut only when their folder has been synced too.
fn sync_new_files(folder: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).open(folder.join("conf"))?.sync_all()?;
    sync_folder(&folder.join("blobs"))?;
    sync_folder(folder)?;
    folder.canonicalize()?.parent().map_or(Ok(()), sync_folder)
}

/// Makes the names of the files in a folder survive a power cut.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems do not open folders, and keep the names by themselves.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
