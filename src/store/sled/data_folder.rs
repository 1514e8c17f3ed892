//! Manages the data folder of a store: ownership, layout, and names that survive a power cut.
//!
//! ```text
//! lock       held by the one process that uses the folder
//! mark       how far the base had come, see `durable_mark`
//! conf       a sentence: programs that know only format 1 stop at it
//! base-7     the base; of several, the one with the highest number
//! base-8.new an unfinished base, which is ignored
//! ```
//!
//! A new base is created beside the old one and gets its name when it is complete and synced. The
//! rename is atomic: a power cut before or after it does no harm.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{OpenError, StoreError};

/// Number of retries while another process holds a lock, and the pause between them.
const LOCK_TRIES: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(100);

/// Creates the folder if it is missing. Only its owner may read it: it holds the seeds of running
/// games.
pub(super) fn create(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    make_private(folder)
}

#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let found = fs::metadata(folder)?.permissions().mode();
    if found & 0o077 == 0 {
        return Ok(());
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

/// Other systems have other access controls; this leaves them alone.
#[cfg(not(unix))]
fn make_private(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Locks the folder. This is a lock besides sled's own, because sled's error does not mention a
/// second process.
pub(super) fn lock(folder: &Path) -> Result<File, OpenError> {
    let path = folder.join("lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|error| {
        super::folder_error(format!("{} cannot be written", path.display()), &error)
    })?;
    try_lock(&file, folder, &path)?;
    Ok(file)
}

/// Locks a file of the folder for this process.
pub(super) fn try_lock(file: &File, folder: &Path, path: &Path) -> Result<(), OpenError> {
    match retry_while_locked(|| file.try_lock(), |it| matches!(it, TryLockError::WouldBlock)) {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse(format!(
            "the folder {} is in use by another process: stop that one first, or choose another \
             folder with DATA_DIR",
            folder.display()
        ))),
        Err(TryLockError::Error(error)) => {
            Err(StoreError::Failed(format!("{} cannot be locked: {error}", path.display())).into())
        }
    }
}

/// Retries for a moment while another process holds a lock: one that is just ending, or one that
/// was just started and still holds inherited files.
pub(super) fn retry_while_locked<T, E>(
    mut attempt: impl FnMut() -> Result<T, E>,
    is_held: impl Fn(&E) -> bool,
) -> Result<T, E> {
    for _ in 0..LOCK_TRIES {
        match attempt() {
            Err(error) if is_held(&error) => std::thread::sleep(LOCK_PAUSE),
            other => return other,
        }
    }
    attempt()
}

/// Removes half-written snapshot files. sled leaves one behind when the process dies while it is
/// summarizing its log, and such files have prevented folders from opening. They hold nothing that
/// the log does not.
pub(super) fn remove_unfinished_snapshots(folder: &Path) -> io::Result<()> {
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

/// The base with the highest number, if there is one.
pub(super) fn newest_base(folder: &Path) -> io::Result<Option<(u64, PathBuf)>> {
    let mut newest = None;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let number = base_number(&entry.file_name().to_string_lossy());
        if let Some(number) = number {
            newest = newest.max(Some((number, entry.path())));
        }
    }
    Ok(newest)
}

fn base_number(name: &str) -> Option<u64> {
    name.strip_prefix("base-")?.parse().ok()
}

/// The path of the base with this number.
pub(super) fn base_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("base-{number}"))
}

/// The path of the unfinished base with this number.
pub(super) fn unfinished_base_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("base-{number}.new"))
}

/// Whether the folder holds a base of format 1, which was in the folder itself.
pub(super) fn has_format_1(folder: &Path) -> bool {
    folder.join("db").is_file()
}

/// Renames a complete and synced base to its final name.
pub(super) fn finish_base(folder: &Path, number: u64) -> io::Result<PathBuf> {
    let path = base_path(folder, number);
    fs::rename(unfinished_base_path(folder, number), &path)?;
    sync_folder(folder)?;
    Ok(path)
}

/// Removes the bases that the newest one has replaced, and unfinished ones.
pub(super) fn remove_all_but(folder: &Path, newest: u64) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let old = base_number(&name).is_some_and(|number| number != newest);
        let unfinished = name.starts_with("base-") && name.ends_with(".new");
        let format_1 = name == "blobs" || name == "db" || name.starts_with("snap.");
        if old || unfinished || (format_1 && name == "blobs") {
            fs::remove_dir_all(entry.path())?;
        } else if format_1 {
            fs::remove_file(entry.path())?;
        }
    }
    let conf = folder.join("conf");
    if !fs::read(&conf).is_ok_and(|found| found == CONF.as_bytes()) {
        fs::write(&conf, CONF)?;
        File::open(&conf)?.sync_all()?;
    }
    sync_folder(folder)
}

const CONF: &str = "This store is of a newer format than 1. Use a newer caravanserai.\n";

/// The total size of all files in a folder, in bytes.
///
/// # Errors
/// When the folder cannot be read.
pub fn folder_bytes(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        bytes += if about.is_dir() { folder_bytes(&entry.path())? } else { about.len() };
    }
    Ok(bytes)
}

/// The free bytes and the total bytes of the disk under a folder.
///
/// # Errors
/// When the folder does not exist or the system does not tell.
pub fn free_bytes(folder: &Path) -> io::Result<(u64, u64)> {
    #[cfg(unix)]
    {
        let about = rustix::fs::statvfs(folder)?;
        let bytes = |blocks: u64| blocks.saturating_mul(about.f_frsize);
        Ok((bytes(about.f_bavail), bytes(about.f_blocks)))
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        Ok((u64::MAX, u64::MAX))
    }
}

/// Reads a part of a file.
#[cfg(unix)]
pub(super) fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

/// Writes a part of a file.
#[cfg(unix)]
pub(super) fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Reads a part of a file.
#[cfg(not(unix))]
pub(super) fn read_at(mut file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(bytes)
}

/// Writes a part of a file.
#[cfg(not(unix))]
pub(super) fn write_at(mut file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)
}

/// Syncs the folder of new files: they survive a power cut only after that.
pub(super) fn sync_new_files(folder: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).open(folder.join("conf"))?.sync_all()?;
    sync_folder(&folder.join("blobs"))?;
    sync_folder(folder)?;
    folder.canonicalize()?.parent().map_or(Ok(()), sync_folder)
}

/// Makes the file names in a folder survive a power cut.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems do not open folders and persist names by themselves.
#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
