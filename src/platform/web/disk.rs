//! The chat's own memory on disk: one committer thread, one sled tree, grouped flushes.
//!
//! sled's `flush` alone does not survive a power cut, so the thread also calls `fdatasync` on
//! the log file before it tells anybody that their change is kept.

use std::{
    fs::{File, OpenOptions},
    path::Path,
    sync::mpsc,
    thread::JoinHandle,
};

use tokio::sync::{oneshot, watch};

/// A value to keep under a key, or `None` to forget the key.
pub type Op = (Vec<u8>, Option<Vec<u8>>);

/// A stored key with its value.
pub type Pair = (Vec<u8>, Vec<u8>);

/// Where the number of the format is kept, and the format of this version. It goes up when an
/// older version could not read what this one writes.
const FORMAT_KEY: &[u8] = b"meta/format";
const FORMAT: u32 = 1;

/// Where the number of the last change is kept.
pub const LAST_CHANGE: &[u8] = b"meta/seq";

/// At most so many changes are flushed together.
const GROUP_MAX: usize = 512;
/// Longer values are cut: sled would put them into separate files, which nobody syncs.
const PIECE_BYTES: usize = 64 * 1024;

/// Answers when the change is durable, or says why it is not.
pub type Kept = oneshot::Receiver<Result<(), String>>;

struct Job {
    ops: Vec<Op>,
    seq: u64,
    done: oneshot::Sender<Result<(), String>>,
}

/// The open database with its committer thread.
pub struct Disk {
    tree: sled::Db,
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    durable: watch::Receiver<u64>,
}

impl Disk {
    /// Opens or creates the database in a folder.
    pub fn open(folder: &Path) -> Result<Self, String> {
        let tree = sled::Config::new()
            .path(folder)
            .flush_every_ms(None)
            .cache_capacity(32 * 1024 * 1024)
            .open()
            .map_err(|e| e.to_string())?;
        check_format(&tree)?;
        let log = OpenOptions::new()
            .write(true)
            .open(folder.join("db"))
            .map_err(|e| format!("log file: {e}"))?;
        // The name of a new file is durable only when its folder is.
        let entries = File::open(folder).and_then(|it| it.sync_all());
        entries.map_err(|e| format!("folder: {e}"))?;
        let (jobs, inbox) = mpsc::channel();
        let last = tree.get(LAST_CHANGE).map_err(|e| e.to_string())?;
        let last = last.map_or(Ok(0), |it| serde_json::from_slice(&it));
        let (told, durable) = watch::channel(last.map_err(|e| e.to_string())?);
        let db = tree.clone();
        let thread = std::thread::Builder::new()
            .name("web-chat-disk".into())
            .spawn(move || commit_all(&db, &log, &inbox, told))
            .map_err(|e| e.to_string())?;
        Ok(Self { tree, jobs: Some(jobs), thread: Some(thread), durable })
    }

    /// Every pair whose key starts with this.
    pub fn scan(&self, prefix: &[u8]) -> Result<Vec<Pair>, String> {
        self.tree
            .scan_prefix(prefix)
            .map(|pair| pair.map(|(k, v)| (k.to_vec(), v.to_vec())).map_err(|e| e.to_string()))
            .collect()
    }

    /// Queues a change. Changes become durable in the order of these calls.
    pub fn commit(&self, ops: Vec<Op>, seq: u64) -> Kept {
        let (done, kept) = oneshot::channel();
        if let Some(jobs) = &self.jobs {
            // A dead thread drops the job, and the receiver learns that from its sender.
            let _ = jobs.send(Job { ops, seq, done });
        }
        kept
    }

    /// The newest change that is on disk; readers must not see newer ones.
    pub fn durable(&self) -> watch::Receiver<u64> {
        self.durable.clone()
    }

    /// The bytes that [`pieces`] has cut.
    pub fn blob(&self, hash: &str) -> Result<Option<Vec<u8>>, String> {
        let parts = self.scan(format!("b/{hash}/").as_bytes())?;
        if parts.is_empty() {
            return Ok(None);
        }
        Ok(Some(parts.into_iter().flat_map(|(_, part)| part).collect()))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Cuts bytes into pairs that are stored as a whole.
pub fn pieces(hash: &str, bytes: &[u8]) -> Vec<Op> {
    let cut = |(n, part): (usize, &[u8])| (piece_key(hash, n), Some(part.to_vec()));
    bytes.chunks(PIECE_BYTES).enumerate().map(cut).collect()
}

/// Forgets what [`pieces`] wrote for so many bytes.
pub fn no_pieces(hash: &str, len: u64) -> Vec<Op> {
    let count = usize::try_from(len).unwrap_or(usize::MAX).div_ceil(PIECE_BYTES);
    (0..count).map(|n| (piece_key(hash, n), None)).collect()
}

/// Refuses a database of a newer version; marks a new one.
fn check_format(tree: &sled::Db) -> Result<(), String> {
    let found = tree.get(FORMAT_KEY).map_err(|e| e.to_string())?;
    let Some(found) = found else {
        // Durable with the first change, which is flushed after it.
        let mark = FORMAT.to_string();
        return tree.insert(FORMAT_KEY, mark.as_bytes()).map(drop).map_err(|e| e.to_string());
    };
    let format = std::str::from_utf8(&found).ok().and_then(|it| it.parse::<u32>().ok());
    match format {
        Some(format) if format <= FORMAT => Ok(()),
        _ => Err("it was written by a newer version of this program".into()),
    }
}

fn piece_key(hash: &str, n: usize) -> Vec<u8> {
    format!("b/{hash}/{n:04}").into_bytes()
}

fn commit_all(db: &sled::Db, log: &File, inbox: &mpsc::Receiver<Job>, told: watch::Sender<u64>) {
    // After one failure memory and disk differ: refuse everything until a restart. Dropping the
    // sender ends the waiting of readers.
    let mut told = Some(told);
    let mut broken: Option<String> = None;
    while let Ok(first) = inbox.recv() {
        let mut group = vec![first];
        while group.len() < GROUP_MAX {
            let Ok(job) = inbox.try_recv() else { break };
            group.push(job);
        }
        if broken.is_none() {
            broken = write_group(db, log, &mut group).err();
            if let Some(why) = &broken {
                tracing::error!(why, "the chat's disk failed; it refuses changes until restarted");
                told = None;
            }
        }
        let newest = group.iter().map(|job| job.seq).max().unwrap_or(0);
        if let Some(told) = &told {
            told.send_if_modified(|seen| {
                let moved = newest > *seen;
                *seen = newest.max(*seen);
                moved
            });
        }
        for job in group {
            let _ = job.done.send(broken.clone().map_or(Ok(()), Err));
        }
    }
}

fn write_group(db: &sled::Db, log: &File, group: &mut [Job]) -> Result<(), String> {
    let mut batch = sled::Batch::default();
    for (key, value) in group.iter_mut().flat_map(|job| job.ops.drain(..)) {
        match value {
            Some(value) => batch.insert(key, value),
            None => batch.remove(key),
        }
    }
    db.apply_batch(batch).map_err(|e| e.to_string())?;
    db.flush().map_err(|e| e.to_string())?;
    log.sync_data().map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn long_values_come_back_whole_after_a_restart_and_can_be_forgotten() {
        let folder = tempfile::tempdir().expect("a folder");
        let bytes: Vec<u8> = (0..200_000_u32).map(|n| (n % 251) as u8).collect();
        let disk = Disk::open(folder.path()).expect("a new database");
        let seq = (LAST_CHANGE.to_vec(), Some(b"7".to_vec()));
        let ops = pieces("aa", &bytes).into_iter().chain([seq]).collect();
        disk.commit(ops, 7).await.expect("an answer").expect("kept");
        assert_eq!(*disk.durable().borrow(), 7);
        drop(disk);

        let disk = Disk::open(folder.path()).expect("the same database");
        assert_eq!(*disk.durable().borrow(), 7);
        assert_eq!(disk.blob("aa"), Ok(Some(bytes.clone())));
        let gone = no_pieces("aa", bytes.len() as u64);
        disk.commit(gone, 8).await.expect("an answer").expect("kept");
        assert_eq!(disk.blob("aa"), Ok(None));
    }

    #[test]
    fn a_folder_of_a_newer_version_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = Disk::open(folder.path()).expect("a new database");
        disk.tree.insert(FORMAT_KEY, b"2").expect("written");
        drop(disk);
        let refused = Disk::open(folder.path()).err().expect("a newer format");
        assert!(refused.contains("newer version"), "{refused}");
    }
}
