//! Builds the pages of sled's tree from the messages of its log, and the rows from the pages.
//!
//! Where nothing is missing, the leaves from left to right hold exactly the rows of the tree. Where
//! something is missing, the newest page that is left for a range of keys counts, and where there
//! is none, rows of earlier pages.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Bound;

use super::super::totals::Totals;
use super::super::{keys, row};
use super::format::{Bytes, Kind, ROOTS_PAGE, TREE};
use super::scan::{Message, Scan};

/// Rows by their keys.
pub(super) type Rows = BTreeMap<Vec<u8>, Vec<u8>>;

/// A page of the tree.
struct Page {
    lo: Vec<u8>,
    /// Empty for the last page.
    hi: Vec<u8>,
    next: Option<u64>,
    /// Its rows are in the page to the left by now.
    is_merged: bool,
    prefix: usize,
    /// Where in the log it was written whole.
    position: u64,
    data: Data,
}

enum Data {
    Leaf(Rows),
    Index(Vec<u64>),
}

/// The tree as far as its pages are there.
pub(super) struct Pages {
    pages: HashMap<u64, Page>,
    root: Option<u64>,
}

impl Pages {
    /// Builds the pages from all messages, or without those that had to be repaired. `look` sees
    /// every row that any page ever held.
    pub(super) fn build(
        scan: &Scan,
        counts: impl Fn(&Message) -> bool,
        mut look: impl FnMut(&[u8], &[u8]),
    ) -> Pages {
        let (mut pages, mut root) = (HashMap::<u64, Page>::new(), None);
        for message in scan.messages.iter().filter(|it| counts(it)) {
            match message.kind {
                Kind::Canceled | Kind::Cap | Kind::Batch | Kind::Counter => {}
                Kind::Free => {
                    pages.remove(&message.page);
                }
                Kind::Roots if message.page == ROOTS_PAGE => {
                    root = scan.content(message).and_then(|it| root_of(&it)).or(root);
                }
                Kind::Roots => {}
                Kind::Page => {
                    let content = scan.content(message);
                    if let Some(page) = content.and_then(|it| Page::read(&it, message.position)) {
                        page.show(&mut look);
                        pages.insert(message.page, page);
                    }
                }
                Kind::Change => {
                    let content = scan.content(message);
                    if let (Some(page), Some(content)) = (pages.get_mut(&message.page), content) {
                        page.change(&content, &mut look);
                    }
                }
            }
        }
        Pages { pages, root }
    }

    /// The rows of the leaves from left to right; `None` if a page is missing among them.
    pub(super) fn rows(&self) -> Option<Rows> {
        let mut at = self.root?;
        let mut seen = HashSet::new();
        while let Data::Index(children) = &self.pages.get(&at)?.data {
            if !seen.insert(at) {
                return None;
            }
            at = *children.first()?;
        }
        let (mut rows, mut next) = (Rows::new(), Some(at));
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

    /// The rows of what is left, for each range of keys of the best page there is; with the ranges.
    pub(super) fn rows_left(&self) -> (Rows, Ranges) {
        let reached = self.reached();
        let leaves = self.pages.iter().filter(|(_, page)| !page.is_merged && page.leaf().is_some());
        let mut leaves: Vec<_> = leaves.collect();
        leaves.sort_by_key(|(id, page)| (!reached.contains(id), u64::MAX - page.position));
        let (mut rows, mut ranges) = (Rows::new(), Ranges::default());
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
    fn reached(&self) -> HashSet<u64> {
        let (mut reached, mut left) = (HashSet::new(), Vec::from_iter(self.root));
        while let Some(id) = left.pop() {
            if !reached.insert(id) {
                continue;
            }
            if let Some(page) = self.pages.get(&id) {
                left.extend(page.next);
                if let Data::Index(children) = &page.data {
                    left.extend(children);
                }
            }
        }
        reached
    }
}

impl Page {
    fn read(content: &[u8], position: u64) -> Option<Page> {
        let mut bytes = Bytes(content);
        let next = Some(bytes.number()?).filter(|it| *it != 0);
        let _merging_child = bytes.number()?;
        let is_merged = bytes.byte()? != 0;
        let prefix = usize::from(bytes.byte()?);
        let (lo, hi) = (bytes.text()?.to_vec(), bytes.text()?.to_vec());
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
            let mut rows = Rows::new();
            for name in names {
                rows.insert(name, bytes.text()?.to_vec());
            }
            Data::Leaf(rows)
        } else {
            let children = names.iter().map(|_| bytes.number());
            Data::Index(children.collect::<Option<_>>()?)
        };
        Some(Page { lo, hi, next, is_merged, prefix, position, data })
    }

    fn change(&mut self, content: &[u8], look: &mut impl FnMut(&[u8], &[u8])) {
        let mut bytes = Bytes(content);
        match (bytes.byte(), &mut self.data) {
            (Some(0), Data::Leaf(rows)) => {
                if let (Some(key), Some(row)) = (bytes.text(), bytes.text()) {
                    rows.insert(key.to_vec(), row.to_vec());
                    look(&self.key(key), row);
                }
            }
            (Some(1), Data::Leaf(rows)) => {
                if let Some(key) = bytes.text() {
                    rows.remove(key);
                }
            }
            // The page to the left takes the rows over.
            (Some(4), _) => self.is_merged = true,
            // What an index gives up is still found from leaf to leaf.
            (Some(_) | None, _) => {}
        }
    }

    fn leaf(&self) -> Option<&Rows> {
        match &self.data {
            Data::Leaf(rows) => Some(rows),
            Data::Index(_) => None,
        }
    }

    /// The whole key of a row.
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
    let mut bytes = Bytes(content);
    while !bytes.0.is_empty() {
        let (name, page) = (bytes.text()?, bytes.number()?);
        if name == TREE {
            return Some(page);
        }
    }
    None
}

/// Ranges of keys that do not touch each other: where each begins and ends. An empty end is none.
#[derive(Default)]
pub(super) struct Ranges(BTreeMap<Vec<u8>, Vec<u8>>);

impl Ranges {
    pub(super) fn contains(&self, key: &[u8]) -> bool {
        let before = self.up_to(key);
        before.is_some_and(|(_, hi)| hi.is_empty() || hi.as_slice() > key)
    }

    /// The range that begins last before this key or at it.
    fn up_to(&self, key: &[u8]) -> Option<(&Vec<u8>, &Vec<u8>)> {
        self.0.range::<[u8], _>((Bound::Unbounded, Bound::Included(key))).next_back()
    }

    fn add(&mut self, lo: &[u8], hi: &[u8]) {
        let (mut lo, mut hi) = (lo.to_vec(), hi.to_vec());
        let before = self.up_to(&lo);
        if let Some((start, end)) = before.filter(|(_, end)| end.is_empty() || **end >= lo) {
            lo.clone_from(start);
            hi = later(hi, end);
        }
        while let Some((start, end)) = self.0.range(lo.clone()..).next() {
            if !hi.is_empty() && *start > hi {
                break;
            }
            let (start, end) = (start.clone(), end.clone());
            hi = later(hi, &end);
            self.0.remove(&start);
        }
        self.0.insert(lo, hi);
    }
}

/// The later of two ends.
fn later(a: Vec<u8>, b: &[u8]) -> Vec<u8> {
    if a.is_empty() || b.is_empty() { Vec::new() } else { a.max(b.to_vec()) }
}

/// The number of the group of commits that a page or a change of one tells of.
pub(super) fn group_of(content: &[u8], kind: Kind) -> Option<u64> {
    let row = match kind {
        Kind::Page => {
            let page = Page::read(content, 0)?;
            let rest = keys::TOTALS.strip_prefix(&page.lo[..page.prefix])?;
            page.leaf()?.get(rest)?.clone()
        }
        Kind::Change => {
            let mut bytes = Bytes(content);
            let is_totals = bytes.byte() == Some(0) && bytes.text() == Some(keys::TOTALS);
            is_totals.then(|| bytes.text()).flatten()?.to_vec()
        }
        Kind::Canceled | Kind::Cap | Kind::Batch | Kind::Free | Kind::Counter | Kind::Roots => {
            return None;
        }
    };
    Totals::of_row(&row).ok().map(|totals| totals.group)
}

/// Whether a row is what was written under this key.
pub(super) fn is_proven(key: &[u8], found: &[u8]) -> bool {
    keys::is_counted(key) && row::decode(key, found).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_ranges_are_merged() {
        let mut ranges = Ranges::default();
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
