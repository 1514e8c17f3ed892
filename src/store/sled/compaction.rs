//! Rewrites a base: to migrate an older format, or to reclaim space, which sled never does.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

use sled::{Batch, Db};

use super::base::{self, SledBase};
use super::totals::TreeTotals;
use super::{FORMAT, data_folder, keys, row_codec, sled_error};
use crate::{Space, StoreError};

/// Rows per batch.
const BATCH_ROWS: usize = 500;
/// The key of the format number in format 1.
const FORMAT_1: &[u8] = b"xstore/format";
/// Bases smaller than this are not rewritten, in bytes.
const SMALL_BYTES: u64 = 32 * 1024 * 1024;
/// A base is rewritten when it takes more than this many times the size of its contents.
const TIMES_MAX: u64 = 5;

/// Batches the rows written to a new base.
struct RewriteBatch {
    db: Db,
    batch: Batch,
    rows: usize,
}

impl RewriteBatch {
    fn put(&mut self, key: &[u8], row: &[u8]) -> Result<(), StoreError> {
        self.batch.insert(key, row);
        self.rows += 1;
        if self.rows.is_multiple_of(BATCH_ROWS) {
            let batch = std::mem::take(&mut self.batch);
            self.db.apply_batch(batch).map_err(sled_error)?;
        }
        Ok(())
    }
}

/// Whether a base takes much more space than its contents.
pub(super) fn is_worthwhile(base: &SledBase) -> bool {
    let Ok(bytes) = data_folder::folder_bytes(&base.path) else {
        return false;
    };
    let live = base.totals.bytes.max(1);
    bytes > SMALL_BYTES && bytes / TIMES_MAX > live && check_free_space(base).is_ok()
}

/// Checks that the disk has space for a second base: the old one stays until the new one is
/// complete.
pub(super) fn check_free_space(base: &SledBase) -> Result<(), StoreError> {
    // A new base needs at most about three times the size of its contents.
    let needed = 4 * base.totals.bytes + SMALL_BYTES;
    let (free, _) = data_folder::free_bytes(&base.path)
        .map_err(|error| unwritable_error(&base.path, &error))?;
    if free > needed {
        return Ok(());
    }
    Err(StoreError::Failed(format!(
        "to rewrite the store in {}, its disk needs {} MB of free space, but has {} MB",
        base.path.display(),
        needed / 1_000_000,
        free / 1_000_000
    )))
}

/// Rewrites a base of the current format under the next number. Closes the old one.
pub(super) fn compact(folder: &Path, number: u64, old: SledBase) -> Result<SledBase, StoreError> {
    let before = old.totals;
    create_base(folder, number + 1, |new| {
        let mut outcome = Ok(());
        let is_kept = |key: &[u8]| key != keys::FORMAT && key != keys::TOTALS;
        // Insert all keys with empty values first. sled splits a leaf of more than 16 rows and
        // rewrites both halves: while they are empty that costs nothing, and each value is then
        // written only once.
        base::catch_sled_panic(|| {
            for key in old.db.iter().keys() {
                let key = key.map_err(sled_error)?;
                if is_kept(&key) {
                    new.put(&key, &[])?;
                }
            }
            Ok(())
        })?;
        let totals = base::catch_sled_panic(|| {
            base::read_and_verify(&old.db, |key, row| {
                if outcome.is_ok() && is_kept(key) {
                    outcome = new.put(key, row);
                }
            })
        })?;
        outcome?;
        if !totals.has_same_rows(&before) {
            return Err(base::damaged_base_error(&old.path, "some rows are missing"));
        }
        Ok(before)
    })?;
    drop(old);
    open_new(folder, number + 1)
}

/// Creates the first base of this format from one of format 1.
pub(super) fn migrate_format_1(folder: &Path) -> Result<SledBase, StoreError> {
    let old = base::open_sled(folder)?;
    let found = old.get(FORMAT_1).map_err(sled_error)?;
    if found.as_deref() != Some(b"1") {
        return Err(StoreError::Failed(format!(
            "the folder {} holds data of another program",
            folder.display()
        )));
    }
    create_base(folder, 1, |new| {
        let mut totals = TreeTotals::default();
        for pair in old.iter() {
            let (key, value) = pair.map_err(sled_error)?;
            let ours = Space::ALL.iter().any(|space| key.first() == Some(&space.letter()));
            if key == FORMAT_1 || !(ours || key.first() == Some(&keys::LOG)) {
                continue;
            }
            let (row, pieces) = row_codec::encode(&key, &value, None);
            for (key, row) in
                pieces.iter().map(|(k, r)| (&k[..], &r[..])).chain([(&key[..], &row[..])])
            {
                totals.add(key, row);
                new.put(key, row)?;
            }
        }
        Ok(totals)
    })?;
    drop(old);
    open_new(folder, 1)
}

fn open_new(folder: &Path, number: u64) -> Result<SledBase, StoreError> {
    let base = base::open(&data_folder::base_path(folder, number))?;
    data_folder::remove_all_but(folder, number)
        .map_err(|error| unwritable_error(folder, &error))?;
    Ok(base)
}

/// Creates a base beside the others and renames it when it is complete and synced.
fn create_base(
    folder: &Path,
    number: u64,
    fill: impl FnOnce(&mut RewriteBatch) -> Result<TreeTotals, StoreError>,
) -> Result<(), StoreError> {
    let path = data_folder::unfinished_base_path(folder, number);
    let to_store_error = |error: io::Error| unwritable_error(folder, &error);
    if path.exists() {
        fs::remove_dir_all(&path).map_err(to_store_error)?;
    }
    let mut writer = RewriteBatch { db: base::open_sled(&path)?, batch: Batch::default(), rows: 0 };
    let written = || -> Result<(), StoreError> {
        let totals = fill(&mut writer)?;
        writer.batch.insert(keys::FORMAT, FORMAT.to_string().as_bytes());
        writer.batch.insert(keys::TOTALS, totals.to_row());
        writer.db.apply_batch(std::mem::take(&mut writer.batch)).map_err(sled_error)?;
        writer.db.flush().map_err(sled_error)?;
        Ok(())
    };
    if let Err(error) = written() {
        // Closing sled can hang on a full disk; a later start removes the unfinished base.
        std::mem::forget(writer);
        return Err(error);
    }
    drop(writer);
    let synced = || -> io::Result<()> {
        OpenOptions::new().write(true).open(path.join("db"))?.sync_all()?;
        for blob in fs::read_dir(path.join("blobs"))? {
            OpenOptions::new().write(true).open(blob?.path())?.sync_all()?;
        }
        data_folder::sync_new_files(&path)?;
        data_folder::finish_base(folder, number).map(drop)
    };
    synced().map_err(to_store_error)
}

fn unwritable_error(folder: &Path, error: &io::Error) -> StoreError {
    StoreError::Failed(format!("the folder {} cannot be written: {error}", folder.display()))
}
