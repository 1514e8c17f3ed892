//! Opens and verifies a base, the sled database in a folder of its own.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use sled::Db;

use super::data_folder::retry_while_locked;
use super::totals::TreeTotals;
use super::{FORMAT, data_folder, folder_error, keys, row_codec, salvage};
use crate::{OpenError, StoreError};

/// Size of sled's cache, in bytes; sled may exceed it by a factor of two.
const CACHE_BYTES: u64 = 64 * 1024 * 1024;
/// Bases up to this size are read completely at a start; that takes about a second.
const READ_AT_START_BYTES: u64 = 64 * 1024 * 1024;
/// Longest error text of sled in a message, in characters.
const ERROR_TEXT_MAX: usize = 160;

/// An open sled database.
pub(super) struct SledBase {
    pub(super) db: Db,
    pub(super) path: PathBuf,
    /// The file that sled writes to, opened a second time. sled's own flush asks the kernel to
    /// start writing and waits for that, but does not make the drive persist it and does not write
    /// the file's length.
    pub(super) file: File,
    pub(super) totals: TreeTotals,
}

/// Opens a base; creates it if it is missing.
pub(super) fn open(path: &Path) -> Result<SledBase, OpenError> {
    let db = open_sled(path)?;
    check_format(&db, path)?;
    let synced = || -> io::Result<File> {
        data_folder::sync_new_files(path)?;
        let file = OpenOptions::new().write(true).open(path.join("db"))?;
        file.sync_all()?;
        Ok(file)
    };
    let file = synced().map_err(|error| unusable_error(path, &error))?;
    let found = catch_sled_panic(|| db.get(keys::TOTALS).map_err(super::sled_error))?;
    let totals = found.map(|row| TreeTotals::from_row(&row)).transpose()?.unwrap_or_default();
    let base = SledBase { db, path: path.to_owned(), file, totals };
    if base.db.size_on_disk().is_ok_and(|bytes| bytes <= READ_AT_START_BYTES) {
        base.verify_rows()?;
    }
    Ok(base)
}

impl SledBase {
    /// Reads every row and compares the totals with the stored ones.
    pub(super) fn verify_rows(&self) -> Result<(), StoreError> {
        let found = catch_sled_panic(|| read_and_verify(&self.db, |_, _| {}))?;
        if found.has_same_rows(&self.totals) {
            return Ok(());
        }
        Err(damaged_base_error(
            &self.path,
            &format!(
                "{} rows with {} log lines expected, {} with {} found",
                self.totals.rows, self.totals.lines, found.rows, found.lines
            ),
        ))
    }
}

/// Reads every row, verifies its checksum, passes it to `show`, and returns the totals.
pub(super) fn read_and_verify(
    db: &Db,
    mut show: impl FnMut(&[u8], &[u8]),
) -> Result<TreeTotals, StoreError> {
    let mut totals = TreeTotals::default();
    for pair in db.iter() {
        let (key, found) = pair.map_err(super::sled_error)?;
        if keys::is_counted(&key) {
            row_codec::decode(&key, &found)?;
            totals.add(&key, &found);
        }
        show(&key, &found);
    }
    Ok(totals)
}

/// The error for a base that differs from what was written, with advice for the operator.
pub(super) fn damaged_base_error(path: &Path, what: &str) -> StoreError {
    let what: String = what.chars().take(ERROR_TEXT_MAX).collect();
    let at = salvage::first_damage_offset(path);
    let at = at.map(|at| format!(" at byte {at} of its file db")).unwrap_or_default();
    StoreError::Failed(format!(
        "the store in {} is damaged{at} ({what}): look at the disk, then save what is whole into a \
         new folder with `caravanserai store salvage`, or restore the last backup with \
         `caravanserai restore`",
        path.display()
    ))
}

/// Turns a panic of sled into an error: sled panics where it cannot read on.
pub(super) fn catch_sled_panic<T>(
    read: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        Err(StoreError::Failed(
            "the base on disk cannot be read: look at the disk, then save what is whole with \
             `caravanserai store salvage`"
                .into(),
        ))
    })
}

fn unusable_error(path: &Path, error: &io::Error) -> OpenError {
    folder_error(format!("{} cannot be used", path.display()), error)
}

/// Opens sled. If that fails, tries again without sled's snapshot file, which only repeats the
/// contents of the log.
pub(super) fn open_sled(path: &Path) -> Result<Db, OpenError> {
    let to_open_error = |error: io::Error| unusable_error(path, &error);
    data_folder::create(path).map_err(to_open_error)?;
    data_folder::remove_unfinished_snapshots(path).map_err(to_open_error)?;
    let first = match try_open_sled(path) {
        Ok(db) => return Ok(db),
        Err(OpenFailure::Disk(error)) => return Err(to_open_error(error)),
        Err(OpenFailure::Damaged(first)) => first,
    };
    let mut any = false;
    for entry in fs::read_dir(path).map_err(to_open_error)? {
        let entry = entry.map_err(to_open_error)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("snap.") {
            fs::rename(entry.path(), path.join(format!("unreadable-{name}")))
                .map_err(to_open_error)?;
            any = true;
        }
    }
    if any && let Ok(db) = try_open_sled(path) {
        tracing::warn!("the snapshot file of the store was damaged, recovered it from the log");
        return Ok(db);
    }
    Err(damaged_base_error(path, &first).into())
}

/// Why sled could not open a base.
enum OpenFailure {
    /// The disk refused it, which says nothing about the base.
    Disk(io::Error),
    /// The base is damaged: sled's error text.
    Damaged(String),
}

fn try_open_sled(path: &Path) -> Result<Db, OpenFailure> {
    let open =
        || sled::Config::new().path(path).cache_capacity(CACHE_BYTES).flush_every_ms(None).open();
    let is_held = |error: &sled::Error| {
        matches!(error, sled::Error::Io(it) if it.kind() == io::ErrorKind::WouldBlock
            || it.to_string().contains("could not acquire lock"))
    };
    let open = || {
        retry_while_locked(open, is_held).map_err(|error| match error {
            sled::Error::Io(error) if is_disk_error(&error) => OpenFailure::Disk(error),
            error => OpenFailure::Damaged(super::sled_error_text(error)),
        })
    };
    catch_unwind(open).unwrap_or_else(|_| Err(OpenFailure::Damaged("it cannot be read".into())))
}

fn is_disk_error(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
}

/// Writes the format number into a new base; compares it in an existing one.
fn check_format(db: &Db, path: &Path) -> Result<(), OpenError> {
    let Some(found) = catch_sled_panic(|| db.get(keys::FORMAT).map_err(super::sled_error))? else {
        if !db.is_empty() {
            return Err(damaged_base_error(path, "its format row is missing").into());
        }
        let to_open_error = |error: sled::Error| match error {
            sled::Error::Io(error) => unusable_error(path, &error),
            error => super::sled_error(error).into(),
        };
        db.insert(keys::FORMAT, FORMAT.to_string().into_bytes()).map_err(to_open_error)?;
        db.flush().map_err(to_open_error)?;
        return Ok(());
    };
    Ok(check_format_row(&found, path)?)
}

/// Refuses a base whose format row names another format.
pub(super) fn check_format_row(found: &[u8], path: &Path) -> Result<(), StoreError> {
    let found = String::from_utf8_lossy(found).into_owned();
    if found.parse() == Ok(FORMAT) {
        return Ok(());
    }
    Err(StoreError::Failed(format!(
        "the folder {} was written by a newer program (format {found}, this one knows up to \
         {FORMAT}): install the newer program, or choose another folder with DATA_DIR",
        path.display()
    )))
}
