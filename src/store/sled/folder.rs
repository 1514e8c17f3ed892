//! The folder of a store: whose it is, and that its names survive a power cut.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use crate::store::StoreError;

/// Makes the folder if there is none. Only its owner may look into it: it holds the seeds of
/// games that are being played.
pub(super) fn make(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    keep_private(folder)
}

#[cfg(unix)]
fn keep_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let found = fs::metadata(folder)?.permissions().mode();
    if found & 0o077 == 0 {
        return Ok(());
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

/// Other systems have other ways to say who may look.
#[cfg(not(unix))]
fn keep_private(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Our own lock beside sled's: sled's error does not say that it is about a second process.
pub(super) fn lock(folder: &Path) -> Result<File, StoreError> {
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
