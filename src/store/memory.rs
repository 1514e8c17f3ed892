//! A store that forgets everything when it goes: for tests and for trying things out.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tokio::sync::broadcast;

use super::clock::Watch;
use super::lease::Leases;
use super::snapshot::Whole;
use super::{
    Change, Commit, Found, Notices, Now, Piece, Put, Read, Row, Snapshot, Space, Store, StoreError,
    StoreHealth, limits,
};

/// Where a row is.
type At = (Space, String);

/// Keeps everything in maps behind one lock; each commit holds the lock from its first check to
/// its last write.
#[derive(Debug, Default)]
pub struct MemoryStore {
    inner: Mutex<Inner>,
    leases: Leases<String>,
    claims: Leases<At>,
    notices: Notices,
    watch: Watch,
}

#[derive(Debug, Default)]
struct Inner {
    logs: HashMap<String, Vec<String>>,
    rows: BTreeMap<At, Kept>,
    lifetimes: BTreeSet<(u64, At)>,
    closed: bool,
}

#[derive(Debug)]
struct Kept {
    value: Vec<u8>,
    until_ms: Option<u64>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn open(&self) -> Result<MutexGuard<'_, Inner>, StoreError> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.closed {
            return Err(StoreError::Failed("the store is closed".into()));
        }
        Ok(inner)
    }
}

impl Kept {
    fn is_there(&self, now_ms: u64) -> bool {
        self.until_ms.is_none_or(|until_ms| until_ms > now_ms)
    }
}

impl Inner {
    fn answer(&self, read: &Read, now_ms: u64) -> Found {
        match read {
            Read::Value { space, key } => {
                let kept = self.rows.get(&(*space, key.clone()));
                let kept = kept.filter(|kept| kept.is_there(now_ms));
                Found::Value(kept.map(|kept| kept.value.clone()))
            }
            Read::Scan { space, prefix, after, limit } => {
                let start = match after {
                    Some(after) if after >= prefix => Bound::Excluded((*space, after.clone())),
                    Some(_) | None => Bound::Included((*space, prefix.clone())),
                };
                let rows = self.rows.range((start, Bound::Unbounded));
                let inside = rows.take_while(|((s, key), _)| s == space && key.starts_with(prefix));
                let there = inside.filter(|(_, kept)| kept.is_there(now_ms));
                Found::Rows(there.take(*limit).map(row).collect())
            }
            Read::Log { table, from } => {
                let from = usize::try_from(*from).unwrap_or(usize::MAX);
                let lines = self.logs.get(table).and_then(|log| log.get(from..));
                Found::Lines(lines.map(<[String]>::to_vec).unwrap_or_default())
            }
            Read::Length { table } => Found::Length(self.length(table)),
        }
    }

    fn length(&self, table: &str) -> u64 {
        self.logs.get(table).map_or(0, |log| log.len() as u64)
    }

    fn may(&self, commit: &Commit, now_ms: u64) -> bool {
        let equal = commit.expect.iter().all(|expect| {
            let found = self.rows.get(&(expect.space, expect.key.clone()));
            let found = found.filter(|kept| kept.is_there(now_ms));
            found.map(|kept| &kept.value) == expect.value.as_ref()
        });
        equal && commit.appends.iter().all(|append| self.length(&append.table) == append.expect)
    }

    fn put(&mut self, put: Put) {
        let at = (put.space, put.key);
        let old = match put.value {
            Some(value) => {
                if let Some(until_ms) = put.until_ms {
                    self.lifetimes.insert((until_ms, at.clone()));
                }
                let kept = Kept { value, until_ms: put.until_ms };
                self.rows.insert(at.clone(), kept)
            }
            None => self.rows.remove(&at),
        };
        let was = old.and_then(|old| old.until_ms);
        if let Some(was) = was.filter(|was| Some(*was) != put.until_ms) {
            self.lifetimes.remove(&(was, at));
        }
    }
}

fn row((at, kept): (&At, &Kept)) -> Row {
    (at.1.clone(), kept.value.clone())
}

#[async_trait]
impl Store for MemoryStore {
    async fn read(&self, reads: &[Read]) -> Result<Vec<Found>, StoreError> {
        let inner = self.open()?;
        let now_ms = self.watch.now_ms();
        Ok(reads.iter().map(|read| inner.answer(read, now_ms)).collect())
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        limits::check(&commit)?;
        let mut inner = self.open()?;
        if !inner.may(&commit, self.watch.now_ms()) {
            return Err(StoreError::Conflict);
        }
        for table in &commit.drops {
            inner.logs.remove(table);
        }
        for append in commit.appends.into_iter().filter(|append| !append.lines.is_empty()) {
            inner.logs.entry(append.table).or_default().extend(append.lines);
        }
        for put in commit.puts {
            if put.value.is_none() {
                self.claims.forget(&(put.space, put.key.clone()));
            }
            inner.put(put);
        }
        drop(inner);
        self.notices.tell(commit.tell);
        Ok(())
    }

    async fn sweep(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        let mut inner = self.open()?;
        let mut swept = 0;
        while swept < limit && inner.lifetimes.first().is_some_and(|(until, _)| *until <= now_ms) {
            if let Some((_, at)) = inner.lifetimes.pop_first() {
                inner.rows.remove(&at);
                self.claims.forget(&at);
                swept += 1;
            }
        }
        Ok(swept)
    }

    async fn lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        drop(self.open()?);
        Ok(self.leases.take(name.to_owned(), owner, for_ms))
    }

    async fn release(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        drop(self.open()?);
        self.leases.give_back(&name.to_owned(), owner);
        Ok(())
    }

    async fn holder(&self, name: &str) -> Result<Option<String>, StoreError> {
        drop(self.open()?);
        Ok(self.leases.holder(&name.to_owned()))
    }

    async fn claim(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<Row>, StoreError> {
        let inner = self.open()?;
        let due = inner.rows.range((space, String::new())..=(space, upto.to_owned()));
        let (mut claimed, now_ms) = (Vec::new(), self.watch.now_ms());
        for pair in due.filter(|(_, kept)| kept.is_there(now_ms)) {
            if claimed.len() == limit {
                break;
            }
            if self.claims.take(pair.0.clone(), owner, for_ms) {
                claimed.push(row(pair));
            }
        }
        Ok(claimed)
    }

    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        let inner = self.open()?;
        let rows = inner.rows.iter().map(|((space, key), kept)| Piece::Row {
            space: *space,
            key: key.clone(),
            value: kept.value.clone(),
            until_ms: kept.until_ms,
        });
        let lines = inner.logs.iter().flat_map(|(table, lines)| {
            (0..).zip(lines).map(|(number, line)| Piece::Line {
                table: table.clone(),
                number,
                line: line.clone(),
            })
        });
        Ok(Box::new(Whole::new(rows.chain(lines).collect())))
    }

    fn go_by(&self, now: Now) {
        self.watch.go_by(now);
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.notices.listen()
    }

    fn health(&self) -> StoreHealth {
        StoreHealth::Good
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        Ok(())
    }
}
