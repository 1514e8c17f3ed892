//! The folder of a store: whose it is, what lies where, and that names survive a power cut.
//!
//! ```text
//! lock       held by the one process that uses the folder
//! mark       how far the base had come, see `mark`
//! conf       a sentence: programs that knew only format 1 stop at it
//! base-7     the base; of several, the one with the highest number
//! base-8.new a base that is being made and counts for nothing yet
//! ```
//!
//! A new base is made beside the old one and gets its name when it is whole and synced. That
//! one renaming is the moment of the change: a cut before or after it harms nothing.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::StoreError;

/// How often what another process holds is tried again, and how long after.
const LOCK_TRIES: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(100);

/// Makes the folder if there is none. Only its owner may look into it: it holds the seeds of
/// games that are being played.
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

/// Other systems have other ways to say who may look.
#[cfg(not(unix))]
fn make_private(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Our own lock beside sled's: sled's error does not say that it is about a second process.
pub(super) fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join("lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|error| {
        StoreError::Failed(format!("{} cannot be written: {error}", path.display()))
    })?;
    try_lock(&file, folder, &path)?;
    Ok(file)
}

/// Locks a file of the folder for this process.
pub(super) fn try_lock(file: &File, folder: &Path, path: &Path) -> Result<(), StoreError> {
    match retry_while_locked(|| file.try_lock(), |it| matches!(it, TryLockError::WouldBlock)) {
        Ok(()) => Ok(()),
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

/// Tries again for a moment as long as another process holds what is wanted: one that ends just
/// now, or that was begun just now and has not let go of what it inherited.
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

/// A process that died while sled summed up its log leaves a half-written summary, which has
/// kept folders from opening. It holds nothing that the log does not.
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

/// The base with the highest number, if there is any.
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

/// Where the base of this number lies.
pub(super) fn base_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("base-{number}"))
}

/// Where it is made.
pub(super) fn unfinished_base_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("base-{number}.new"))
}

/// Whether the folder holds a base of format 1, which lay in the folder itself.
pub(super) fn has_format_1(folder: &Path) -> bool {
    folder.join("db").is_file()
}

/// Gives a base that is whole and synced its name.
pub(super) fn finish_base(folder: &Path, number: u64) -> io::Result<PathBuf> {
    let path = base_path(folder, number);
    fs::rename(unfinished_base_path(folder, number), &path)?;
    sync_folder(folder)?;
    Ok(path)
}

/// Removes what the newest base has replaced and what was never finished.
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

/// How many bytes all files of a folder have.
///
/// # Errors
/// When it cannot be read.
pub fn folder_bytes(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        bytes += if about.is_dir() { folder_bytes(&entry.path())? } else { about.len() };
    }
    Ok(bytes)
}

/// How many bytes of the disk under a folder are free, and how many there are.
pub(super) fn free_bytes(folder: &Path) -> io::Result<(u64, u64)> {
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

/// New files survive a power cut only when their folder has been synced too.
pub(super) fn sync_new_files(folder: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).open(folder.join("conf"))?.sync_all()?;
    sync_folder(&folder.join("blobs"))?;
    sync_folder(folder)?;
    folder.canonicalize()?.parent().map_or(Ok(()), sync_folder)
}

/// Makes the names of the files in a folder survive a power cut.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems do not open folders, and keep the names by themselves.
#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
