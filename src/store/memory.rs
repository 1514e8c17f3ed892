//! A store in memory without persistence, for tests and for trials.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

use async_trait::async_trait;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::broadcast;

use super::clock::StoreClock;
use super::leases::Leases;
use super::snapshot::BufferedSnapshot;
use super::{
    ChangeBroadcast, Commit, Put, Snapshot, Space, Store, StoreAnswer, StoreChange, StoreClockFn,
    StoreError, StoreHealth, StoreQuery, StoreRow, StoredItem, commit_limits,
};

/// The position of a row.
type RowKey = (Space, String);

/// Keeps everything in maps behind one lock; each commit holds the lock from its first check to its
/// last write.
#[derive(Debug, Default)]
pub struct MemoryStore {
    inner: Mutex<MemoryData>,
    leases: Leases<String>,
    claims: Leases<RowKey>,
    notices: ChangeBroadcast,
    watch: StoreClock,
}

#[derive(Debug, Default)]
struct MemoryData {
    logs: HashMap<String, Vec<String>>,
    rows: BTreeMap<RowKey, MemoryRow>,
    lifetimes: BTreeSet<(u64, RowKey)>,
    closed: bool,
}

#[derive(Debug)]
struct MemoryRow {
    value: Vec<u8>,
    until_ms: Option<u64>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn lock_data(&self) -> Result<MutexGuard<'_, MemoryData>, StoreError> {
        let inner = self.inner.lock();
        if inner.closed {
            return Err(StoreError::Failed("the store is closed".into()));
        }
        Ok(inner)
    }
}

impl MemoryRow {
    fn is_live(&self, now_ms: u64) -> bool {
        self.until_ms.is_none_or(|until_ms| until_ms > now_ms)
    }
}

impl MemoryData {
    fn answer_read(&self, read: &StoreQuery, now_ms: u64) -> StoreAnswer {
        match read {
            StoreQuery::Value { space, key } => {
                let kept = self.rows.get(&(*space, key.clone()));
                let kept = kept.filter(|kept| kept.is_live(now_ms));
                StoreAnswer::Value(kept.map(|kept| kept.value.clone()))
            }
            StoreQuery::Scan { space, prefix, after, limit } => {
                let start = match after {
                    Some(after) if after >= prefix => Bound::Excluded((*space, after.clone())),
                    Some(_) | None => Bound::Included((*space, prefix.clone())),
                };
                let rows = self.rows.range((start, Bound::Unbounded));
                let inside = rows.take_while(|((s, key), _)| s == space && key.starts_with(prefix));
                let there = inside.filter(|(_, kept)| kept.is_live(now_ms));
                StoreAnswer::Rows(there.take(*limit).map(to_row).collect())
            }
            StoreQuery::Log { table, from } => {
                let from = usize::try_from(*from).unwrap_or(usize::MAX);
                let lines = self.logs.get(table).and_then(|log| log.get(from..));
                StoreAnswer::Lines(lines.map(<[String]>::to_vec).unwrap_or_default())
            }
            StoreQuery::Length { table } => StoreAnswer::Length(self.length(table)),
        }
    }

    fn length(&self, table: &str) -> u64 {
        self.logs.get(table).map_or(0, |log| log.len() as u64)
    }

    fn is_allowed(&self, commit: &Commit, now_ms: u64) -> bool {
        let equal = commit.expect.iter().all(|expect| {
            let found = self.rows.get(&(expect.space, expect.key.clone()));
            let found = found.filter(|kept| kept.is_live(now_ms));
            found.map(|kept| &kept.value) == expect.value.as_ref()
        });
        let has_length = |table: &str, length| self.length(table) == length;
        equal
            && commit.appends.iter().all(|append| has_length(&append.table, append.expect))
            && commit.rewrites.iter().all(|it| has_length(&it.table, it.lines.len() as u64))
    }

    fn put(&mut self, put: Put) {
        let at = (put.space, put.key);
        let old = match put.value {
            Some(value) => {
                if let Some(until_ms) = put.expires_ms {
                    self.lifetimes.insert((until_ms, at.clone()));
                }
                let kept = MemoryRow { value, until_ms: put.expires_ms };
                self.rows.insert(at.clone(), kept)
            }
            None => self.rows.remove(&at),
        };
        let was = old.and_then(|old| old.until_ms);
        if let Some(was) = was.filter(|was| Some(*was) != put.expires_ms) {
            self.lifetimes.remove(&(was, at));
        }
    }
}

fn to_row((at, kept): (&RowKey, &MemoryRow)) -> StoreRow {
    (at.1.clone(), kept.value.clone())
}

#[async_trait]
impl Store for MemoryStore {
    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        let inner = self.lock_data()?;
        let now_ms = self.watch.now_ms();
        Ok(reads.iter().map(|read| inner.answer_read(read, now_ms)).collect())
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        commit_limits::check_commit(&commit)?;
        let mut inner = self.lock_data()?;
        if !inner.is_allowed(&commit, self.watch.now_ms()) {
            return Err(StoreError::Conflict);
        }
        for table in &commit.drops {
            inner.logs.remove(table);
        }
        for rewrite in commit.rewrites.into_iter().filter(|it| !it.lines.is_empty()) {
            inner.logs.insert(rewrite.table, rewrite.lines);
        }
        for append in commit.appends.into_iter().filter(|append| !append.lines.is_empty()) {
            inner.logs.entry(append.table).or_default().extend(append.lines);
        }
        for put in commit.puts {
            if put.value.is_none() {
                self.claims.revoke(&(put.space, put.key.clone()));
            }
            inner.put(put);
        }
        drop(inner);
        self.notices.publish_topics(commit.topics);
        Ok(())
    }

    async fn remove_expired(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        let mut inner = self.lock_data()?;
        let mut swept = 0;
        while swept < limit && inner.lifetimes.first().is_some_and(|(until, _)| *until <= now_ms) {
            if let Some((_, at)) = inner.lifetimes.pop_first() {
                inner.rows.remove(&at);
                self.claims.revoke(&at);
                swept += 1;
            }
        }
        Ok(swept)
    }

    async fn try_lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        drop(self.lock_data()?);
        Ok(self.leases.acquire(name.to_owned(), owner, for_ms))
    }

    async fn release_lease(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        drop(self.lock_data()?);
        self.leases.release(&name.to_owned(), owner);
        Ok(())
    }

    async fn lease_holder(&self, name: &str) -> Result<Option<String>, StoreError> {
        drop(self.lock_data()?);
        Ok(self.leases.holder(&name.to_owned()))
    }

    async fn claim_rows(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError> {
        let inner = self.lock_data()?;
        let due = inner.rows.range((space, String::new())..=(space, upto.to_owned()));
        let mut claimed = Vec::new();
        let now_ms = self.watch.now_ms();
        for pair in due.filter(|(_, kept)| kept.is_live(now_ms)) {
            if claimed.len() == limit {
                break;
            }
            if self.claims.acquire(pair.0.clone(), owner, for_ms) {
                claimed.push(to_row(pair));
            }
        }
        Ok(claimed)
    }

    async fn release_claims(
        &self,
        space: Space,
        keys: &[String],
        owner: &str,
    ) -> Result<(), StoreError> {
        drop(self.lock_data()?);
        keys.iter().for_each(|key| self.claims.release(&(space, key.clone()), owner));
        Ok(())
    }

    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        let inner = self.lock_data()?;
        let rows = inner.rows.iter().map(|((space, key), kept)| StoredItem::Row {
            space: *space,
            key: key.clone(),
            value: kept.value.clone(),
            until_ms: kept.until_ms,
        });
        let lines = inner.logs.iter().flat_map(|(table, lines)| {
            (0..).zip(lines).map(|(number, line)| StoredItem::Line {
                table: table.clone(),
                number,
                line: line.clone(),
            })
        });
        Ok(Box::new(BufferedSnapshot::new(rows.chain(lines).collect())))
    }

    fn set_clock(&self, now: StoreClockFn) {
        self.watch.set_source(now);
    }

    fn subscribe_changes(&self) -> broadcast::Receiver<StoreChange> {
        self.notices.subscribe()
    }

    fn health(&self) -> StoreHealth {
        StoreHealth::Good
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.inner.lock().closed = true;
        Ok(())
    }
}
