//! A base is written anew: from an older format, or because sled never gives space back.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

use sled::{Batch, Db};

use super::base::{self, Base};
use super::totals::Totals;
use super::{FORMAT, failed, folder, keys, row};
use crate::{Space, StoreError};

/// Rows that are written together.
const BATCH_ROWS: usize = 500;
/// The number of the stored form under format 1.
const FORMAT_1: &[u8] = b"xstore/format";
/// A base smaller than this is left as it is.
const SMALL_BYTES: u64 = 32 * 1024 * 1024;
/// A base that takes more than this many times what is in it is written anew.
const TIMES_MAX: u64 = 5;

/// Rows on their way to a new base.
struct Writer {
    db: Db,
    batch: Batch,
    rows: usize,
}

impl Writer {
    fn put(&mut self, key: &[u8], row: &[u8]) -> Result<(), StoreError> {
        self.batch.insert(key, row);
        self.rows += 1;
        if self.rows.is_multiple_of(BATCH_ROWS) {
            let batch = std::mem::take(&mut self.batch);
            self.db.apply_batch(batch).map_err(failed)?;
        }
        Ok(())
    }
}

/// Whether a base takes much more room than what is in it.
pub(super) fn is_worth_it(base: &Base) -> bool {
    let Ok(bytes) = folder::bytes_of(&base.path) else {
        return false;
    };
    let live = base.totals.bytes.max(1);
    bytes > SMALL_BYTES && bytes / TIMES_MAX > live && fits(base).is_ok()
}

/// Whether there is room for a second base beside this one, which stays until the new one is whole.
pub(super) fn fits(base: &Base) -> Result<(), StoreError> {
    // A new base needs at most about three times what is in it.
    let needed = 4 * base.totals.bytes + SMALL_BYTES;
    let (free, _) =
        folder::free_bytes(&base.path).map_err(|error| unwritable(&base.path, &error))?;
    if free > needed {
        return Ok(());
    }
    Err(StoreError::Failed(format!(
        "to write the store in {} anew, {} MB must be free on its disk, and {} MB are",
        base.path.display(),
        needed / 1_000_000,
        free / 1_000_000
    )))
}

/// Writes a base of this format anew under the next number. The old one is let go of.
pub(super) fn compact(folder: &Path, number: u64, old: Base) -> Result<Base, StoreError> {
    let before = old.totals;
    make(folder, number + 1, |new| {
        let mut outcome = Ok(());
        let is_kept = |key: &[u8]| key != keys::FORMAT && key != keys::TOTALS;
        // All keys come first, with nothing under them. sled divides a leaf of more than 16 rows
        // and writes both halves anew: while they are empty that costs nothing, and what is put
        // into them afterwards is written once.
        base::guarded(|| {
            for key in old.db.iter().keys() {
                let key = key.map_err(failed)?;
                if is_kept(&key) {
                    new.put(&key, &[])?;
                }
            }
            Ok(())
        })?;
        let totals = base::guarded(|| {
            base::verify(&old.db, |key, row| {
                if outcome.is_ok() && is_kept(key) {
                    outcome = new.put(key, row);
                }
            })
        })?;
        outcome?;
        if !totals.same_rows(&before) {
            return Err(base::damaged(&old.path, "some rows are missing"));
        }
        Ok(before)
    })?;
    drop(old);
    open_new(folder, number + 1)
}

/// Makes the first base of this format from one of format 1.
pub(super) fn from_format_1(folder: &Path) -> Result<Base, StoreError> {
    let old = base::open_sled(folder)?;
    let found = old.get(FORMAT_1).map_err(failed)?;
    if found.as_deref() != Some(b"1") {
        return Err(StoreError::Failed(format!(
            "the folder {} holds data of another program",
            folder.display()
        )));
    }
    make(folder, 1, |new| {
        let mut totals = Totals::default();
        for pair in old.iter() {
            let (key, value) = pair.map_err(failed)?;
            let ours = Space::ALL.iter().any(|space| key.first() == Some(&space.letter()));
            if key == FORMAT_1 || !(ours || key.first() == Some(&keys::LOG)) {
                continue;
            }
            let (row, pieces) = row::encode(&key, &value, None);
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

fn open_new(folder: &Path, number: u64) -> Result<Base, StoreError> {
    let base = base::open(&folder::base(folder, number))?;
    folder::remove_all_but(folder, number).map_err(|error| unwritable(folder, &error))?;
    Ok(base)
}

/// Makes a base beside the others and gives it its name when it is whole and synced.
fn make(
    folder: &Path,
    number: u64,
    fill: impl FnOnce(&mut Writer) -> Result<Totals, StoreError>,
) -> Result<(), StoreError> {
    let path = folder::unfinished_base(folder, number);
    let told = |error: io::Error| unwritable(folder, &error);
    if path.exists() {
        fs::remove_dir_all(&path).map_err(told)?;
    }
    let mut writer = Writer { db: base::open_sled(&path)?, batch: Batch::default(), rows: 0 };
    let written = || -> Result<(), StoreError> {
        let totals = fill(&mut writer)?;
        writer.batch.insert(keys::FORMAT, FORMAT.to_string().as_bytes());
        writer.batch.insert(keys::TOTALS, totals.row());
        writer.db.apply_batch(std::mem::take(&mut writer.batch)).map_err(failed)?;
        writer.db.flush().map_err(failed)?;
        Ok(())
    };
    if let Err(error) = written() {
        // Closing it could wait for ever for a disk that is full; a later start removes it.
        std::mem::forget(writer);
        return Err(error);
    }
    drop(writer);
    let synced = || -> io::Result<()> {
        OpenOptions::new().write(true).open(path.join("db"))?.sync_all()?;
        for blob in fs::read_dir(path.join("blobs"))? {
            OpenOptions::new().write(true).open(blob?.path())?.sync_all()?;
        }
        folder::sync_new_files(&path)?;
        folder::finish_base(folder, number).map(drop)
    };
    synced().map_err(told)
}

fn unwritable(folder: &Path, error: &io::Error) -> StoreError {
    StoreError::Failed(format!("the folder {} cannot be written: {error}", folder.display()))
}
