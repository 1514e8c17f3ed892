//! Stores images and files by their hash in a folder, outside the store. Messages refer to them;
//! files without a message are deleted after some time.
//!
//! Several processes may share the folder: a file never changes, and it appears only when it is
//! complete.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

/// How long an unused file is kept: a page that was asleep may still read it.
const UNUSED_BLOB_TIME: Duration = Duration::from_secs(3_600);
/// How long it is kept if there is no room: the message that shows it may be on its way.
const NEW_BLOB_TIME: Duration = Duration::from_secs(60);

/// A file of the folder.
struct StoredBlob {
    /// Whether a message shows it or may show it soon.
    is_needed: bool,
    stored: SystemTime,
    length: u64,
    is_shown: bool,
    path: PathBuf,
}

/// The folder. All calls may block on the disk.
#[derive(Debug)]
pub struct BlobFolder {
    folder: PathBuf,
    /// Distinguishes the drafts of processes that share the folder. Process ids do not: in
    /// containers each process may have the same one.
    process: String,
    count: AtomicU64,
}

impl BlobFolder {
    /// Uses this folder; it is created when it is first needed.
    pub fn new(folder: PathBuf) -> Self {
        let mut random = [0; 8];
        // Without random bytes the process id has to be enough.
        let _ = getrandom::fill(&mut random);
        let process = format!("{}-{}", std::process::id(), hex::encode(random));
        Self { folder, process, count: AtomicU64::new(0) }
    }

    /// Stores bytes; when this returns they survive a power cut.
    pub fn store(&self, hash: &str, bytes: &[u8]) -> std::io::Result<()> {
        let path = self.blob_path(hash);
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if fs::metadata(&path).is_ok_and(|it| it.len() == length) {
            // The file counts as new, so that the cleanup leaves it alone.
            return File::options().append(true).open(&path)?.set_modified(SystemTime::now());
        }
        let folder = path.parent().unwrap_or(&self.folder);
        make_private(folder)?;
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let draft = folder.join(format!("new-{}-{count}", self.process));
        let written = write_whole(&draft, bytes).and_then(|()| fs::rename(&draft, &path));
        if written.is_err() {
            // Half a file is useless; if it cannot be removed either, the first error is reported.
            let _ = fs::remove_file(&draft);
        }
        written?;
        File::open(folder)?.sync_all()
    }

    /// Reads the bytes, if they exist and are complete.
    pub fn read(&self, hash: &str) -> std::io::Result<Option<Vec<u8>>> {
        let path = self.blob_path(hash);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e),
        };
        if hex::encode(Sha256::digest(&bytes)) == hash {
            return Ok(Some(bytes));
        }
        tracing::warn!(hash, "deleting a damaged image or file");
        fs::remove_file(&path)?;
        Ok(None)
    }

    /// Removes unused files, and beyond a total of `bytes_max` more of them: first those that no
    /// message shows, then the oldest. Returns the number of removed files that messages show.
    pub fn remove_unused(
        &self,
        bytes_max: u64,
        shown: &dyn Fn(&str) -> bool,
    ) -> std::io::Result<usize> {
        let now = SystemTime::now();
        let mut all: Vec<StoredBlob> = Vec::new();
        for folder in entries(&self.folder)? {
            for path in entries(&folder)? {
                // A file that has just been deleted needs no work.
                let Ok(found) = fs::metadata(&path) else { continue };
                let stored = found.modified().unwrap_or(now);
                let age = now.duration_since(stored).unwrap_or_default();
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let is_shown = shown(&name);
                if is_shown || age < UNUSED_BLOB_TIME {
                    let is_needed = is_shown || age < NEW_BLOB_TIME;
                    let length = found.len();
                    all.push(StoredBlob { is_needed, stored, length, is_shown, path });
                } else {
                    fs::remove_file(&path)?;
                }
            }
        }
        all.sort_by_key(|it| (it.is_needed, it.stored));
        let mut bytes: u64 = all.iter().map(|it| it.length).sum();
        let mut removed_shown = 0;
        for blob in all {
            if bytes <= bytes_max {
                break;
            }
            fs::remove_file(&blob.path)?;
            bytes -= blob.length;
            removed_shown += usize::from(blob.is_shown);
        }
        Ok(removed_shown)
    }

    fn blob_path(&self, hash: &str) -> PathBuf {
        self.folder.join(hash.get(..2).unwrap_or("00")).join(hash)
    }
}

fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Creates a folder that only its owner may read; makes its parent entries durable, too.
fn make_private(folder: &Path) -> std::io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    for above in folder.ancestors().skip(1).take(2) {
        File::open(above)?.sync_all()?;
    }
    Ok(())
}

fn entries(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(found) => found.map(|it| it.map(|it| it.path())).collect(),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(e),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn name(bytes: &[u8]) -> String {
        hex::encode(Sha256::digest(bytes))
    }

    fn store_all(files: &BlobFolder, contents: [&[u8; 3]; 3]) -> [String; 3] {
        contents.map(|bytes| {
            let hash = name(bytes);
            files.store(&hash, bytes).unwrap();
            hash
        })
    }

    fn age(files: &BlobFolder, hash: &str, by: Duration) {
        let file = File::options().append(true).open(files.blob_path(hash)).unwrap();
        file.set_modified(SystemTime::now() - by).unwrap();
    }

    #[test]
    fn bytes_come_back_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let files = BlobFolder::new(folder.path().join("files"));
        let hash = name(b"board");
        assert_eq!(files.read(&hash).unwrap(), None);
        files.store(&hash, b"board").unwrap();
        files.store(&hash, b"board").unwrap();
        assert_eq!(files.read(&hash).unwrap().unwrap(), b"board");
        fs::write(files.blob_path(&hash), b"bored").unwrap();
        assert_eq!(files.read(&hash).unwrap(), None);
        files.store(&hash, b"board").unwrap();
        assert_eq!(files.read(&hash).unwrap().unwrap(), b"board");
    }

    #[test]
    fn unused_blobs_expire_and_the_oldest_go_when_full() {
        let folder = tempfile::tempdir().unwrap();
        let files = BlobFolder::new(folder.path().join("files"));
        files.remove_unused(0, &|_| true).unwrap();
        let all = store_all(&files, [b"one", b"two", b"six"]);
        age(&files, &all[0], UNUSED_BLOB_TIME * 2);
        age(&files, &all[1], UNUSED_BLOB_TIME * 3);
        let there = |at: usize| files.read(&all[at]).unwrap().is_some();
        files.remove_unused(100, &|hash| hash == all[0]).unwrap();
        assert!(there(0) && !there(1) && there(2), "a fresh one may be on its way");
        assert_eq!(files.remove_unused(3, &|_| true).unwrap(), 1);
        assert!(!there(0) && there(2), "the oldest goes");
    }

    #[test]
    fn pictures_that_messages_show_are_removed_last() {
        let folder = tempfile::tempdir().unwrap();
        let files = BlobFolder::new(folder.path().join("files"));
        let all = store_all(&files, [b"old", b"mid", b"new"]);
        age(&files, &all[0], UNUSED_BLOB_TIME * 99);
        age(&files, &all[1], NEW_BLOB_TIME * 2);
        let there = |at: usize| files.read(&all[at]).unwrap().is_some();
        let is_old = |hash: &str| hash == all[0];
        assert_eq!(files.remove_unused(9, &is_old).unwrap(), 0);
        assert!(there(0) && there(1) && there(2));
        assert_eq!(files.remove_unused(6, &is_old).unwrap(), 0);
        assert!(there(0) && !there(1) && there(2), "the picture of a slow game stays");
        assert_eq!(files.remove_unused(3, &is_old).unwrap(), 1);
        assert!(!there(0) && there(2), "a message for the new one may be on its way");
    }
}
