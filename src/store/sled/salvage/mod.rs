//! Reads a base without sled, to locate damage and to save the data that is still valid.
//!
//! sled stops at the first message that it cannot read, and its writes while opening such a base
//! can destroy later messages. This module only reads. It verifies every message and every row by
//! its checksum, repairs single flipped bits, and detects missing data by the totals of the last
//! group of commits.
//!
//! Start reading at [`read`], or at [`inspect`] for a store that is not damaged. `log_scan` lists
//! messages, `page_tree` builds rows from them.

mod bit_repair;
mod log_format;
mod log_scan;
mod page_tree;

use std::collections::{BTreeMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use sled::IVec;

use super::base::{check_format_row, damaged_base_error};
use super::commit_group::value_of;
use super::durable_mark::DurableMark;
use super::totals::TreeTotals;
use super::{MARK, check_against_mark, data_folder, keys, row_codec, snapshot};
use crate::{OpenError, Put, Space, StoreError, StoredItem};
use log_format::LogMessageKind;
use log_scan::{LogScan, ScanExtent};
use page_tree::{PageTree, RawRows};

/// A base up to this size is read completely before it is opened.
const LOOK_THROUGH_BYTES: u64 = 64 * 1024 * 1024;

/// The data saved from a damaged folder.
#[derive(Debug, Default)]
pub struct SalvageResult {
    /// Every verified row and log line, in the order of a snapshot. Lines of a log may be missing.
    pub items: Vec<StoredItem>,
    /// One sentence for each row whose checksum is wrong.
    pub damaged: Vec<String>,
    /// Whether everything that the last group of commits left is present.
    pub is_whole: bool,
    /// The expected number of log lines and of other rows, if known.
    pub expected: Option<(u64, u64)>,
    /// Byte offsets of damaged places in the file, and whether each was repaired.
    pub damaged_spots: Vec<(u64, bool)>,
}

/// Reads the readable data of a folder without changing anything in it.
///
/// # Errors
/// When another process uses the folder, it holds no base of this format, or the disk cannot be
/// read at all.
pub fn read(folder: &Path) -> Result<SalvageResult, StoreError> {
    let _lock = lock(folder)?;
    let to_store_error = |error: io::Error| {
        StoreError::Failed(format!("the folder {} cannot be read: {error}", folder.display()))
    };
    let Some((_, base)) = data_folder::newest_base(folder).map_err(to_store_error)? else {
        let folder = folder.display();
        return Err(StoreError::Failed(format!("{folder} holds no store that can be salvaged")));
    };
    let scan = LogScan::read(&base, ScanExtent::All).map_err(to_store_error)?;
    let marked = DurableMark::read(&folder.join(MARK)).map_err(to_store_error)?;
    let (rows, is_whole) = best_rows(&scan, marked.as_ref());
    let found = totals_row(&rows);
    let expected = marked.into_iter().chain(found).max_by_key(|it| it.group);
    let mut saved = SalvageResult {
        is_whole,
        expected: expected.map(|it| (it.lines, it.rows - it.lines.min(it.rows))),
        damaged_spots: scan.spots.iter().map(|it| (it.at, it.repaired)).collect(),
        ..SalvageResult::default()
    };
    for (key, found) in
        rows.iter().filter(|(key, _)| key.first().is_some_and(u8::is_ascii_lowercase))
    {
        let get = |key: &[u8]| Ok(rows.get(key).map(|row| IVec::from(row.as_slice())));
        let read = row_codec::decode(key, found).and_then(|view| {
            let value = value_of(key, view.content, get)?;
            snapshot::to_item(key, value, view.until_ms)
                .ok_or_else(|| row_codec::damaged_row_error(key))
        });
        match read {
            Ok(item) => saved.items.push(item),
            Err(_) => saved.damaged.push(keys::describe_key(key)),
        }
    }
    Ok(saved)
}

/// The contents of a data folder.
#[derive(Debug)]
pub enum FolderContents {
    /// No base yet.
    Empty,
    /// A base of an earlier format, which is converted when it is opened.
    Older,
    /// A base of which only opening it shows whether it is complete, for example after a power cut.
    Unclear,
    /// A complete base: its rows of [`Space::Meta`], and one other row if there is any.
    Rows(Vec<Put>),
}

/// Reads a whole folder without changing anything in it, and finds out whether it could be opened
/// without a loss.
///
/// # Errors
/// As [`SledStore::open`](super::SledStore::open).
pub fn inspect(folder: &Path) -> Result<FolderContents, OpenError> {
    let _lock = lock(folder)?;
    let to_store_error = |error: io::Error| {
        StoreError::Failed(format!("the folder {} cannot be read: {error}", folder.display()))
    };
    let Some((_, base)) = data_folder::newest_base(folder).map_err(to_store_error)? else {
        let is_older = data_folder::has_format_1(folder);
        return Ok(if is_older { FolderContents::Older } else { FolderContents::Empty });
    };
    let marked = DurableMark::read(&folder.join(MARK)).map_err(to_store_error)?;
    let scan = LogScan::read(&base, ScanExtent::All).map_err(to_store_error)?;
    let replayed = log_scan::replay_start(&base);
    let rows = PageTree::build(&scan, |it| scan.is_read_by_sled(it, replayed), |_, _| {}).rows();
    let rows = rows.unwrap_or_default();
    if let Some(format) = rows.get(keys::FORMAT) {
        check_format_row(format, &base)?;
    }
    let has_rows = rows.keys().any(|key| keys::is_counted(key));
    let is_new = !has_rows && marked.as_ref().is_none_or(|it| it.group == 0);
    if !is_new && !is_complete(&rows, marked.as_ref()) {
        if let Some(found) = totals_row(&rows) {
            check_against_mark(folder, &found, marked.as_ref())?;
        }
        if is_safe_to_open(&base, marked.as_ref()) {
            return Ok(FolderContents::Unclear);
        }
        let what = "a part of what was written cannot be read";
        return Err(damaged_base_error(&base, what).into());
    }
    Ok(FolderContents::Rows(sample_rows(&rows)?))
}

/// The rows of [`Space::Meta`], and one other row if there is any.
fn sample_rows(rows: &RawRows) -> Result<Vec<Put>, StoreError> {
    let mut puts = Vec::new();
    let mut has_other = false;
    for (key, found) in rows {
        let is_meta = key.first() == Some(&Space::Meta.letter());
        let is_item = key.first().is_some_and(u8::is_ascii_lowercase);
        if !is_item || (!is_meta && has_other) {
            continue;
        }
        let get = |key: &[u8]| Ok(rows.get(key).map(|row| IVec::from(row.as_slice())));
        let view = row_codec::decode(key, found)?;
        let value = value_of(key, view.content, get)?;
        if let Some(StoredItem::Row { space, key, value, until_ms }) =
            snapshot::to_item(key, value, view.until_ms)
        {
            has_other |= !is_meta;
            puts.push(Put { space, key, value: Some(value), expires_ms: until_ms });
        }
    }
    Ok(puts)
}

/// The rows of the tree if it is complete, else all rows that are left; the flag says whether it
/// is.
fn best_rows(scan: &LogScan, marked: Option<&TreeTotals>) -> (RawRows, bool) {
    let pages = PageTree::build(scan, |_| true, |_, _| {});
    if let Some(rows) = pages.rows().filter(|rows| is_complete(rows, marked)) {
        return (rows, true);
    }
    let (mut rows, ranges) = pages.remaining_rows();
    // Messages are sorted by position, so the last version of a row is the newest.
    let mut earlier = BTreeMap::new();
    PageTree::build(
        scan,
        |_| true,
        |key, found| {
            if !ranges.contains(key) && page_tree::is_checksum_valid(key, found) {
                earlier.insert(key.to_vec(), found.to_vec());
            }
        },
    );
    remove_dropped_logs(&mut earlier, &rows);
    earlier.extend(rows);
    rows = earlier;
    (rows, false)
}

/// Removes lines of logs that were dropped long ago and are still in old pages. A live log has a
/// row that lists it.
fn remove_dropped_logs(earlier: &mut RawRows, rows: &RawRows) {
    let head = |key: &[u8]| -> Option<Vec<u8>> {
        let table = key.strip_prefix(&[keys::LOG])?;
        let table = &table[..table.len().checked_sub(9)?];
        Some([&[crate::Space::Head.letter()], table].concat())
    };
    let listed = |key: &Vec<u8>| rows.contains_key(key) || earlier.contains_key(key);
    let heads: HashSet<Vec<u8>> =
        earlier.keys().filter_map(|key| head(key)).filter(listed).collect();
    earlier.retain(|key, _| head(key).is_none_or(|head| heads.contains(&head)));
}

fn totals_row(rows: &RawRows) -> Option<TreeTotals> {
    rows.get(keys::TOTALS).and_then(|row| TreeTotals::from_row(row).ok())
}

/// Whether rows add up to the totals of the last group of commits, which is at least as late as the
/// mark.
fn is_complete(rows: &RawRows, marked: Option<&TreeTotals>) -> bool {
    let Some(expected) = totals_row(rows) else { return false };
    let mut found = TreeTotals::default();
    for (key, row) in rows.iter().filter(|(key, _)| keys::is_counted(key)) {
        if row_codec::decode(key, row).is_err() {
            return false;
        }
        found.add(key, row);
    }
    found.has_same_rows(&expected) && marked.is_none_or(|marked| expected.group >= marked.group)
}

/// The byte offset of the first damage in the file of a base.
pub(super) fn first_damage_offset(base: &Path) -> Option<u64> {
    let scan = LogScan::read(base, ScanExtent::All).ok()?;
    scan.spots.first().map(|it| it.at)
}

/// Whether sled can open a base without losing acknowledged data; checked before sled opens it.
///
/// After a power cut the end of the log may be torn: the rest was never acknowledged, and sled
/// removes it. But if a group of commits that is marked as durable follows an unreadable place, or
/// if the rows add up for this module and not for sled, the base is damaged, and sled would remove
/// data that can still be saved.
pub(super) fn is_safe_to_open(base: &Path, marked: Option<&TreeTotals>) -> bool {
    let is_small = base.join("db").metadata().is_ok_and(|it| it.len() <= LOOK_THROUGH_BYTES);
    let extent = if is_small { ScanExtent::All } else { ScanExtent::Tail };
    // If the file cannot be read at all, sled reports that.
    let Ok(scan) = LogScan::read(base, extent) else { return true };
    if scan.spots.is_empty() {
        return true;
    }
    let torn = scan.spots.iter().map(|it| it.position).filter(|it| *it >= scan.tail).min();
    if let (Some(torn), Some(marked)) = (torn, marked) {
        let before = newest_group(&scan, |position| position < torn);
        let behind = newest_group(&scan, |position| position >= torn);
        if before < Some(marked.group) && behind >= Some(marked.group) {
            return false;
        }
    }
    if extent == ScanExtent::Tail {
        return true;
    }
    let is_whole = |counts: &dyn Fn(&log_scan::LogMessage) -> bool| {
        let rows = PageTree::build(&scan, counts, |_, _| {}).rows();
        rows.is_some_and(|rows| is_complete(&rows, marked))
    };
    let replayed = log_scan::replay_start(base);
    is_whole(&|it| scan.is_read_by_sled(it, replayed)) || !is_whole(&|_| true)
}

/// The number of the newest group of commits in a part of the log.
fn newest_group(scan: &LogScan, is_in: impl Fn(u64) -> bool) -> Option<u64> {
    let mut newest = None;
    let is_page = |it: &log_scan::LogMessage| {
        matches!(it.kind, LogMessageKind::Page | LogMessageKind::Change)
    };
    for message in scan.messages.iter().filter(|it| is_page(it) && is_in(it.position)) {
        newest = newest
            .max(scan.content(message).and_then(|it| page_tree::group_number(&it, message.kind)));
    }
    newest
}

/// Locks the folder against other processes, without creating a file.
fn lock(folder: &Path) -> Result<Option<File>, OpenError> {
    let path = folder.join("lock");
    let file = match OpenOptions::new().read(true).open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            let why = format!("{} cannot be read: {error}", path.display());
            return Err(StoreError::Failed(why).into());
        }
    };
    data_folder::try_lock(&file, folder, &path)?;
    Ok(Some(file))
}
