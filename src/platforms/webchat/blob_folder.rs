//! Stores images and files by their hash in a folder, outside the store. Messages refer to them;
//! files without a message are deleted after some time. They are encrypted with the keys of the
//! store, if it has any: a file may be an export of personal data.
//!
//! Several processes may share the folder: a file never changes, and it appears only when it is
//! complete.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use caravanserai_store::encrypted::key_file::StoreKeys;
use caravanserai_store::encrypted::{FILE_HEAD_BYTES, FileFailure};
use sha2::{Digest, Sha256};

/// How long an unused file is kept: a page that was asleep may still read it.
const UNUSED_BLOB_TIME: Duration = Duration::from_secs(3_600);
/// How long it is kept if there is no room: the message that shows it may be on its way.
const NEW_BLOB_TIME: Duration = Duration::from_secs(60);

/// The names of files that are not complete begin so.
const DRAFT_PREFIX: &str = "new-";

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
    keys: Option<Arc<StoreKeys>>,
    count: AtomicU64,
}

/// The result of encrypting or decrypting the files of a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileConversion {
    /// The files that are stored again, as new ones are.
    pub converted: usize,
    /// The files that cannot be decrypted.
    pub left: usize,
}

impl BlobFolder {
    /// Uses this folder; it is created when it is first needed. `keys`: those of the store.
    pub fn new(folder: PathBuf, keys: Option<Arc<StoreKeys>>) -> Self {
        let mut random = [0; 8];
        // Without random bytes the process id has to be enough.
        let _ = getrandom::fill(&mut random);
        let process = format!("{}-{}", std::process::id(), hex::encode(random));
        Self { folder, process, keys, count: AtomicU64::new(0) }
    }

    /// Stores bytes; when this returns they survive a power cut.
    pub fn store(&self, hash: &str, bytes: &[u8]) -> std::io::Result<()> {
        let path = self.blob_path(hash);
        let stored = self.encrypt(hash, bytes);
        let length = u64::try_from(stored.len()).unwrap_or(u64::MAX);
        if fs::metadata(&path).is_ok_and(|it| it.len() == length) {
            // The file counts as new, so that the cleanup leaves it alone.
            return File::options().append(true).open(&path)?.set_modified(SystemTime::now());
        }
        self.write_file(&path, &stored, None)
    }

    /// The bytes of a file as they are stored.
    fn encrypt<'a>(&self, hash: &str, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        match &self.keys {
            Some(keys) => Cow::Owned(keys.encrypt_file(hash, bytes.to_vec())),
            None => Cow::Borrowed(bytes),
        }
    }

    /// Writes a whole file, which counts as stored at that time, or now.
    fn write_file(
        &self,
        path: &Path,
        stored: &[u8],
        at: Option<SystemTime>,
    ) -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(&self.folder);
        make_private(folder)?;
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let draft = folder.join(format!("{DRAFT_PREFIX}{}-{count}", self.process));
        let written = write_whole(&draft, stored, at).and_then(|()| fs::rename(&draft, path));
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
        let stored = match fs::read(&path) {
            Ok(stored) => stored,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e),
        };
        let decrypted = match &self.keys {
            Some(keys) => keys.decrypt_file(hash, stored),
            None => Ok(stored),
        };
        match decrypted {
            Ok(bytes) if hex::encode(Sha256::digest(&bytes)) == hash => return Ok(Some(bytes)),
            Err(FileFailure::UnknownKey) => {
                tracing::warn!(hash, "an image or file is encrypted with an unknown key");
                return Ok(None);
            }
            Ok(_) | Err(FileFailure::Damaged) => {}
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

    /// Stores all files as new ones are stored: encrypted with the current key, or not encrypted if
    /// there is none. Others may use the folder meanwhile. It can stop anywhere, and does so when
    /// `stops` says it; the next call goes on with the rest.
    pub fn reencrypt(&self, stops: &dyn Fn() -> bool) -> std::io::Result<FileConversion> {
        let mut conversion = FileConversion::default();
        let Some(keys) = &self.keys else { return Ok(conversion) };
        for folder in entries(&self.folder)? {
            for path in entries(&folder)? {
                if stops() {
                    return Ok(conversion);
                }
                let hash = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                // A file that has just been deleted needs no work.
                let Ok((head, stored)) = read_head(&path) else { continue };
                if hash.starts_with(DRAFT_PREFIX) || !keys.is_file_stale(&head) {
                    continue;
                }
                match self.read(&hash)? {
                    Some(bytes) => {
                        self.write_file(&path, &self.encrypt(&hash, &bytes), Some(stored))?;
                        conversion.converted += 1;
                    }
                    None => conversion.left += 1,
                }
            }
        }
        Ok(conversion)
    }

    fn blob_path(&self, hash: &str) -> PathBuf {
        self.folder.join(hash.get(..2).unwrap_or("00")).join(hash)
    }
}

fn write_whole(path: &Path, bytes: &[u8], at: Option<SystemTime>) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    if let Some(at) = at {
        file.set_modified(at)?;
    }
    file.sync_all()
}

/// The first bytes of a file, and when it was stored.
fn read_head(path: &Path) -> std::io::Result<(Vec<u8>, SystemTime)> {
    let file = File::open(path)?;
    let stored = file.metadata()?.modified()?;
    let mut head = Vec::with_capacity(FILE_HEAD_BYTES);
    file.take(FILE_HEAD_BYTES as u64).read_to_end(&mut head)?;
    Ok((head, stored))
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
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

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
        let files = BlobFolder::new(folder.path().join("files"), None);
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
        let files = BlobFolder::new(folder.path().join("files"), None);
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
        let files = BlobFolder::new(folder.path().join("files"), None);
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

    /// A key file: a number is a key whose bytes all have this value, 0 is `plain`.
    fn keys(order: &[u8]) -> Option<Arc<StoreKeys>> {
        let lines = order.iter().map(|it| match it {
            0 => "plain\n".to_owned(),
            it => format!("{it} {}\n", STANDARD.encode([*it; 32])),
        });
        Some(Arc::new(StoreKeys::parse(&lines.collect::<String>()).unwrap()))
    }

    const EXPORT: &[u8] = b"PK account.json: the name and all messages of Aigerim";

    fn is_readable(files: &BlobFolder, hash: &str) -> bool {
        let stored = fs::read(files.blob_path(hash)).unwrap();
        stored.windows(7).any(|part| part == b"Aigerim")
    }

    #[test]
    fn files_beside_an_encrypted_store_are_encrypted() {
        let folder = tempfile::tempdir().unwrap();
        let at = |keys| BlobFolder::new(folder.path().join("files"), keys);
        let files = at(keys(&[1]));
        let hash = name(EXPORT);
        files.store(&hash, EXPORT).unwrap();
        assert!(!is_readable(&files, &hash));
        assert_eq!(files.read(&hash).unwrap().unwrap(), EXPORT);
        assert_eq!(at(keys(&[2])).read(&hash).unwrap(), None);
        files.store(&hash, EXPORT).unwrap();
        assert_eq!(files.read(&hash).unwrap().unwrap(), EXPORT, "the file is kept");
        // Under another name it is another file.
        let other = name(b"other");
        make_private(files.blob_path(&other).parent().unwrap()).unwrap();
        fs::copy(files.blob_path(&hash), files.blob_path(&other)).unwrap();
        assert_eq!(files.read(&other).unwrap(), None);
    }

    #[test]
    fn files_follow_the_keys_of_the_store() {
        let folder = tempfile::tempdir().unwrap();
        let at = |order: &[u8]| BlobFolder::new(folder.path().join("files"), keys(order));
        let plain = BlobFolder::new(folder.path().join("files"), None);
        let hash = name(EXPORT);
        plain.store(&hash, EXPORT).unwrap();
        age(&plain, &hash, UNUSED_BLOB_TIME);
        let stored = fs::metadata(plain.blob_path(&hash)).unwrap().modified().unwrap();
        let orders: [&[u8]; 4] = [&[0, 1], &[1, 2], &[2], &[2, 0]];
        for (order, converted) in orders.into_iter().zip([1, 1, 0, 1]) {
            let files = at(order);
            assert_eq!(files.read(&hash).unwrap().unwrap(), EXPORT, "{order:?}");
            assert_eq!(files.reencrypt(&|| true).unwrap(), FileConversion::default());
            let expected = FileConversion { converted, left: 0 };
            assert_eq!(files.reencrypt(&|| false).unwrap(), expected, "{order:?}");
            assert_eq!(is_readable(&files, &hash), order.ends_with(&[0]), "{order:?}");
            let now = fs::metadata(files.blob_path(&hash)).unwrap().modified().unwrap();
            assert_eq!(now, stored, "it is as old as before");
        }
        assert_eq!(plain.read(&hash).unwrap().unwrap(), EXPORT);
        at(&[1]).reencrypt(&|| false).unwrap();
        let lost = FileConversion { converted: 0, left: 1 };
        assert_eq!(at(&[2]).reencrypt(&|| false).unwrap(), lost);
        assert_eq!(at(&[1]).read(&hash).unwrap().unwrap(), EXPORT, "the key may come back");
    }
}
