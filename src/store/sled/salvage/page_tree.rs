//! Builds the pages of sled's tree from the messages of its log, and the rows from the pages.
//!
//! If nothing is missing, the leaves from left to right hold exactly the rows of the tree.
//! Otherwise the newest remaining page of each key range counts, and ranges without one get rows of
//! earlier pages.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Bound;

use super::super::totals::TreeTotals;
use super::super::{keys, row_codec};
use super::log_format::{ByteReader, LogMessageKind, ROOTS_PAGE, TREE};
use super::log_scan::{LogMessage, LogScan};

/// Rows by their keys.
pub(super) type RawRows = BTreeMap<Vec<u8>, Vec<u8>>;

/// A page of the tree.
struct TreePage {
    lo: Vec<u8>,
    /// The exclusive end of its keys; empty for the last page.
    hi: Vec<u8>,
    next: Option<u64>,
    /// Whether its rows have moved to the page on the left.
    is_merged: bool,
    prefix: usize,
    /// Log position at which it was last written completely.
    position: u64,
    data: PageData,
}

enum PageData {
    Leaf(RawRows),
    Index(Vec<u64>),
}

/// The pages of the tree that can be built.
pub(super) struct PageTree {
    pages: HashMap<u64, TreePage>,
    root: Option<u64>,
}

impl PageTree {
    /// Builds the pages from all messages, or without those that had to be repaired. `look` is
    /// called with every row that any page ever held.
    pub(super) fn build(
        scan: &LogScan,
        counts: impl Fn(&LogMessage) -> bool,
        mut look: impl FnMut(&[u8], &[u8]),
    ) -> PageTree {
        let (mut pages, mut root) = (HashMap::<u64, TreePage>::new(), None);
        for message in scan.messages.iter().filter(|it| counts(it)) {
            match message.kind {
                LogMessageKind::Canceled
                | LogMessageKind::Cap
                | LogMessageKind::Batch
                | LogMessageKind::Counter => {}
                LogMessageKind::Free => {
                    pages.remove(&message.page);
                }
                LogMessageKind::Roots if message.page == ROOTS_PAGE => {
                    root = scan.content(message).and_then(|it| root_of(&it)).or(root);
                }
                LogMessageKind::Roots => {}
                LogMessageKind::Page => {
                    let content = scan.content(message);
                    if let Some(page) = content.and_then(|it| TreePage::read(&it, message.position))
                    {
                        page.show(&mut look);
                        pages.insert(message.page, page);
                    }
                }
                LogMessageKind::Change => {
                    let content = scan.content(message);
                    if let (Some(page), Some(content)) = (pages.get_mut(&message.page), content) {
                        page.change(&content, &mut look);
                    }
                }
            }
        }
        PageTree { pages, root }
    }

    /// The rows of the leaves from left to right; `None` if one of those pages is missing.
    pub(super) fn rows(&self) -> Option<RawRows> {
        let mut at = self.root?;
        let mut seen = HashSet::new();
        while let PageData::Index(children) = &self.pages.get(&at)?.data {
            if !seen.insert(at) {
                return None;
            }
            at = *children.first()?;
        }
        let mut rows = RawRows::new();
        let mut next = Some(at);
        while let Some(at) = next {
            if !seen.insert(at) {
                return None;
            }
            let page = self.pages.get(&at)?;
            rows.extend(page.leaf()?.iter().map(|(key, row)| (page.key(key), row.clone())));
            next = page.next;
        }
        Some(rows)
    }

    /// The remaining rows, from the best page of each key range; with the ranges.
    pub(super) fn remaining_rows(&self) -> (RawRows, KeyRanges) {
        let reached = self.reachable_pages();
        let leaves = self.pages.iter().filter(|(_, page)| !page.is_merged && page.leaf().is_some());
        let mut leaves: Vec<_> = leaves.collect();
        leaves.sort_by_key(|(id, page)| (!reached.contains(id), u64::MAX - page.position));
        let mut rows = RawRows::new();
        let mut ranges = KeyRanges::default();
        for (_, page) in leaves {
            for (key, row) in page.leaf().into_iter().flatten() {
                let key = page.key(key);
                if !ranges.contains(&key) {
                    rows.insert(key, row.clone());
                }
            }
            ranges.add(&page.lo, &page.hi);
        }
        (rows, ranges)
    }

    /// The pages that can be reached from the root.
    fn reachable_pages(&self) -> HashSet<u64> {
        let mut reached = HashSet::new();
        let mut left = Vec::from_iter(self.root);
        while let Some(id) = left.pop() {
            if !reached.insert(id) {
                continue;
            }
            if let Some(page) = self.pages.get(&id) {
                left.extend(page.next);
                if let PageData::Index(children) = &page.data {
                    left.extend(children);
                }
            }
        }
        reached
    }
}

impl TreePage {
    fn read(content: &[u8], position: u64) -> Option<TreePage> {
        let mut bytes = ByteReader(content);
        let next = Some(bytes.number()?).filter(|it| *it != 0);
        let _merging_child = bytes.number()?;
        let is_merged = bytes.byte()? != 0;
        let prefix = usize::from(bytes.byte()?);
        let lo = bytes.text()?.to_vec();
        let hi = bytes.text()?.to_vec();
        if prefix > lo.len() {
            return None;
        }
        let kind = bytes.byte()?;
        let count = bytes.number()?;
        let mut names = Vec::new();
        for _ in 0..count {
            names.push(bytes.text()?.to_vec());
        }
        let data = if kind == 0 {
            let mut rows = RawRows::new();
            for name in names {
                rows.insert(name, bytes.text()?.to_vec());
            }
            PageData::Leaf(rows)
        } else {
            let children = names.iter().map(|_| bytes.number());
            PageData::Index(children.collect::<Option<_>>()?)
        };
        Some(TreePage { lo, hi, next, is_merged, prefix, position, data })
    }

    fn change(&mut self, content: &[u8], look: &mut impl FnMut(&[u8], &[u8])) {
        let mut bytes = ByteReader(content);
        match (bytes.byte(), &mut self.data) {
            (Some(0), PageData::Leaf(rows)) => {
                if let (Some(key), Some(row)) = (bytes.text(), bytes.text()) {
                    rows.insert(key.to_vec(), row.to_vec());
                    look(&self.key(key), row);
                }
            }
            (Some(1), PageData::Leaf(rows)) => {
                if let Some(key) = bytes.text() {
                    rows.remove(key);
                }
            }
            // The page on the left takes over the rows.
            (Some(4), _) => self.is_merged = true,
            // Entries that an index drops are still found from leaf to leaf.
            (Some(_) | None, _) => {}
        }
    }

    fn leaf(&self) -> Option<&RawRows> {
        match &self.data {
            PageData::Leaf(rows) => Some(rows),
            PageData::Index(_) => None,
        }
    }

    /// The full key of a row.
    fn key(&self, rest: &[u8]) -> Vec<u8> {
        [&self.lo[..self.prefix], rest].concat()
    }

    fn show(&self, look: &mut impl FnMut(&[u8], &[u8])) {
        for (key, row) in self.leaf().into_iter().flatten() {
            look(&self.key(key), row);
        }
    }
}

/// The root of the tree.
fn root_of(content: &[u8]) -> Option<u64> {
    let mut bytes = ByteReader(content);
    while !bytes.0.is_empty() {
        let name = bytes.text()?;
        let page = bytes.number()?;
        if name == TREE {
            return Some(page);
        }
    }
    None
}

/// Disjoint key ranges by their start, with their end. An empty end means no end.
#[derive(Default)]
pub(super) struct KeyRanges(BTreeMap<Vec<u8>, Vec<u8>>);

impl KeyRanges {
    pub(super) fn contains(&self, key: &[u8]) -> bool {
        let before = self.range_before(key);
        before.is_some_and(|(_, hi)| hi.is_empty() || hi.as_slice() > key)
    }

    /// The range with the greatest start at or before this key.
    fn range_before(&self, key: &[u8]) -> Option<(&Vec<u8>, &Vec<u8>)> {
        self.0.range::<[u8], _>((Bound::Unbounded, Bound::Included(key))).next_back()
    }

    fn add(&mut self, lo: &[u8], hi: &[u8]) {
        let mut lo = lo.to_vec();
        let mut hi = hi.to_vec();
        let before = self.range_before(&lo);
        if let Some((start, end)) = before.filter(|(_, end)| end.is_empty() || **end >= lo) {
            lo.clone_from(start);
            hi = later_end(hi, end);
        }
        while let Some((start, end)) = self.0.range(lo.clone()..).next() {
            if !hi.is_empty() && *start > hi {
                break;
            }
            let start = start.clone();
            let end = end.clone();
            hi = later_end(hi, &end);
            self.0.remove(&start);
        }
        self.0.insert(lo, hi);
    }
}

/// The later of two ends.
fn later_end(a: Vec<u8>, b: &[u8]) -> Vec<u8> {
    if a.is_empty() || b.is_empty() { Vec::new() } else { a.max(b.to_vec()) }
}

/// The number of the group of commits in a page or in a change of a page.
pub(super) fn group_number(content: &[u8], kind: LogMessageKind) -> Option<u64> {
    let row = match kind {
        LogMessageKind::Page => {
            let page = TreePage::read(content, 0)?;
            let rest = keys::TOTALS.strip_prefix(&page.lo[..page.prefix])?;
            page.leaf()?.get(rest)?.clone()
        }
        LogMessageKind::Change => {
            let mut bytes = ByteReader(content);
            let is_totals = bytes.byte() == Some(0) && bytes.text() == Some(keys::TOTALS);
            is_totals.then(|| bytes.text()).flatten()?.to_vec()
        }
        LogMessageKind::Canceled
        | LogMessageKind::Cap
        | LogMessageKind::Batch
        | LogMessageKind::Free
        | LogMessageKind::Counter
        | LogMessageKind::Roots => {
            return None;
        }
    };
    TreeTotals::from_row(&row).ok().map(|totals| totals.group)
}

/// Whether the checksum of a row fits this key.
pub(super) fn is_checksum_valid(key: &[u8], found: &[u8]) -> bool {
    keys::is_counted(key) && row_codec::decode(key, found).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_ranges_are_merged() {
        let mut ranges = KeyRanges::default();
        ranges.add(b"c", b"e");
        ranges.add(b"g", b"i");
        assert!(ranges.contains(b"c") && ranges.contains(b"dz") && !ranges.contains(b"e"));
        ranges.add(b"e", b"g");
        assert_eq!(ranges.0.len(), 1);
        assert!(ranges.contains(b"f") && ranges.contains(b"h") && !ranges.contains(b"i"));
        ranges.add(b"x", b"");
        assert!(ranges.contains(b"zz") && !ranges.contains(b"w"));
        ranges.add(b"", b"");
        assert_eq!(ranges.0.len(), 1);
        assert!(ranges.contains(b"") && ranges.contains(b"w"));
    }
}
