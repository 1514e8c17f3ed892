//! Encrypts the values and log lines of a store, on the way to any other store.
//!
//! [`EncryptedStore`] encrypts what a commit writes and decrypts what is read, see `envelope`. Keys
//! of rows, table codes, lengths, expiry times, topics and leases are not encrypted.
//!
//! A commit expects exact bytes, and encryption is deterministic: so an expected value is encrypted
//! with the current key and compared by the inner store, without a further round trip. The bytes
//! differ only while a row is still encrypted with an older key; then the refused commit is
//! repeated with the stored bytes, if those decrypt to the expected value.
//!
//! Start reading at [`open_encrypted`]; [`EncryptedStore::reencrypt`] converts and rotates.

pub(crate) mod envelope;
mod file;
mod key_check;
pub mod key_file;
mod reencrypt;
mod snapshot;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use parking_lot::RwLock;

use super::{
    Commit, Expect, OpenError, Snapshot, Space, Store, StoreAnswer, StoreError, StoreLayer,
    StoreQuery, StoreRow, StoredItem, commit_limits,
};
use envelope::{DecryptFailure, PlainValues, ValuePlace};
use key_file::StoreKeys;

pub use file::{FILE_HEAD_BYTES, FileFailure};
pub use reencrypt::{ReencryptCount, ReencryptOutcome};

/// How often a commit is repeated because an expected row was encrypted with another key meanwhile.
/// Each repetition needs another rotation, so that more than one is rare.
const REPEATS_MAX: usize = 4;

/// The purpose for which a store is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenPurpose {
    /// To be written, too: the current key is registered in the store.
    Write,
    /// To be read only: the store does not change.
    Read,
    /// As `Read`, and refused if it could not be opened to be written.
    Inspect,
}

/// Counts what operators watch. Cheap to clone; clones share the counts.
#[derive(Clone, Debug, Default)]
pub struct EncryptionCounters(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    reencrypted: AtomicU64,
    open_failures: AtomicU64,
}

impl EncryptionCounters {
    /// Rows and lines that conversion or rotation has encrypted or decrypted.
    pub fn reencrypted(&self) -> u64 {
        self.0.reencrypted.load(Ordering::Relaxed)
    }

    /// Values that could not be decrypted.
    pub fn open_failures(&self) -> u64 {
        self.0.open_failures.load(Ordering::Relaxed)
    }
}

/// A store whose values and log lines are encrypted in the store below it.
pub struct EncryptedStore {
    inner: Arc<dyn Store>,
    codec: Arc<ValueCodec>,
}

/// Encrypts and decrypts with a set of keys.
struct ValueCodec {
    keys: StoreKeys,
    /// Whether other processes use the store. They may have other keys.
    is_shared: bool,
    plain: RwLock<PlainValues>,
    counters: EncryptionCounters,
}

/// A store that was opened with or without keys.
#[derive(Clone)]
pub struct OpenedStore {
    /// The store to use.
    pub store: Arc<dyn Store>,
    /// The same store if it is encrypted: it can be reencrypted.
    pub encrypted: Option<Arc<EncryptedStore>>,
}

/// Opens the encryption of a store. Without keys, or to read a store that is not encrypted, that is
/// the store itself.
///
/// # Errors
/// One sentence for the operator when the store is encrypted and a key is missing or wrong, or when
/// it is not encrypted and the keys do not accept that. Nothing was changed then.
pub async fn open_encrypted(
    inner: Arc<dyn Store>,
    keys: Option<&StoreKeys>,
    purpose: OpenPurpose,
) -> Result<OpenedStore, OpenError> {
    let found = key_check::read_state(inner.as_ref(), keys).await?;
    let plain = OpenedStore { store: inner.clone(), encrypted: None };
    let Some(keys) = keys else { return Ok(plain) };
    let state = match (purpose, found) {
        (OpenPurpose::Read, None) => return Ok(plain),
        (OpenPurpose::Inspect, None) => {
            key_check::check_plain_store(inner.as_ref(), keys).await?;
            return Ok(plain);
        }
        (OpenPurpose::Read | OpenPurpose::Inspect, Some((state, _))) => state,
        (OpenPurpose::Write, _) => key_check::register_key(inner.as_ref(), keys).await?,
    };
    // Another process may write values that are not encrypted until it is started again.
    let refuses_plain = !keys.accepts_plain() || state.is_complete && !inner.is_shared();
    let plain = if refuses_plain { PlainValues::Refuse } else { PlainValues::Accept };
    let keys = keys.clone();
    let counters = EncryptionCounters::default();
    let is_shared = inner.is_shared();
    let plain = RwLock::new(plain);
    let codec = Arc::new(ValueCodec { keys, is_shared, plain, counters });
    let store = Arc::new(EncryptedStore { inner, codec });
    Ok(OpenedStore { store: store.clone(), encrypted: Some(store) })
}

/// Opens items that were read from the store below, for example from a damaged data folder. The row
/// that describes the encryption is left out; items that cannot be decrypted become
/// [`StoredItem::Damaged`].
pub fn open_items(keys: &StoreKeys, items: Vec<StoredItem>) -> Vec<StoredItem> {
    let keys = keys.clone();
    let counters = EncryptionCounters::default();
    let plain = RwLock::new(PlainValues::Accept);
    let codec = ValueCodec { keys, is_shared: false, plain, counters };
    items.into_iter().filter_map(|item| codec.decrypt_item(item)).collect()
}

/// Whether the items of a store belong to an encrypted one.
pub fn is_encrypted(items: &[StoredItem]) -> bool {
    items.iter().any(|item| match item {
        StoredItem::Row { value, .. } => is_state_row(item) || envelope::is_encrypted(value),
        StoredItem::Line { line, .. } => envelope::is_encrypted_line(line),
        StoredItem::Damaged(_) => false,
    })
}

fn is_state_row(item: &StoredItem) -> bool {
    matches!(item, StoredItem::Row { space, key, .. } if is_state_key(*space, key))
}

fn is_state_key(space: Space, key: &str) -> bool {
    space == Space::Meta && key == key_check::ROW
}

impl EncryptedStore {
    /// The counters for operators.
    pub fn counters(&self) -> EncryptionCounters {
        self.codec.counters.clone()
    }

    /// The keys in use.
    pub fn keys(&self) -> &StoreKeys {
        &self.codec.keys
    }

    /// Expects the stored bytes of rows that are encrypted otherwise than with the current key.
    /// Returns whether a commit that was refused is worth repeating: every row has the expected
    /// value, and one of them in other bytes than `encrypted` expects.
    async fn expect_stored_bytes(
        &self,
        wanted: &[Expect],
        encrypted: &mut [Expect],
    ) -> Result<bool, StoreError> {
        let is_compared = |expect: &Expect| is_value(expect.value.as_deref());
        let reads = wanted.iter().filter(|expect| is_compared(expect));
        let reads: Vec<_> =
            reads.map(|it| StoreQuery::value_of(it.space, it.key.as_str())).collect();
        let mut found = self.inner.read(&reads).await?.into_iter();
        let mut differs = false;
        for (wanted, encrypted) in wanted.iter().zip(encrypted).filter(|(it, _)| is_compared(it)) {
            let Some(StoreAnswer::Value(Some(stored))) = found.next() else { return Ok(false) };
            if encrypted.value.as_ref() == Some(&stored) {
                continue;
            }
            let decrypted = self.codec.decrypt_value(wanted.space, &wanted.key, stored.clone())?;
            if wanted.value.as_ref() != Some(&decrypted) {
                return Ok(false);
            }
            encrypted.value = Some(stored);
            differs = true;
        }
        Ok(differs)
    }

    /// Whether the store is encrypted with keys that this process does not have.
    async fn has_wrong_keys(&self) -> Result<bool, StoreError> {
        match key_check::read_state(self.inner.as_ref(), Some(&self.codec.keys)).await {
            Ok(_) => Ok(false),
            Err(OpenError::Permanent(_)) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens claimed deadlines. One that cannot be decrypted has no value, so that its reader
    /// restores it. If another process may decrypt it, its claim is released instead.
    async fn open_claimed(
        &self,
        rows: Vec<StoreRow>,
        owner: &str,
    ) -> Result<Vec<StoreRow>, StoreError> {
        let open = |(key, stored): StoreRow| {
            let value = self.codec.open_value(Space::Due, &key, stored);
            (key, value)
        };
        let opened: Vec<(String, Result<Vec<u8>, DecryptFailure>)> =
            rows.into_iter().map(open).collect();
        let is_shared = self.codec.is_shared;
        let has_failed = opened.iter().any(|(_, value)| value.is_err());
        let has_wrong_keys = is_shared && has_failed && self.has_wrong_keys().await?;
        let mut claimed = Vec::new();
        let mut left = Vec::new();
        for (key, value) in opened {
            // A process registers a key before it encrypts with it, so an unknown key is damage
            // where this process has all that are registered.
            let may_open_elsewhere =
                has_wrong_keys || matches!(value, Err(DecryptFailure::UnknownLayout(_)));
            match value {
                Ok(value) => claimed.push((key, value)),
                Err(_) if is_shared && may_open_elsewhere => left.push(key),
                Err(_) => claimed.push((key, Vec::new())),
            }
        }
        if !left.is_empty() {
            tracing::warn!(
                deadlines = left.len(),
                "skipped deadlines that were encrypted with an unknown key"
            );
            self.inner.release_claims(Space::Due, &left, owner).await?;
        }
        Ok(claimed)
    }
}

/// Whether a scan passes over a row that cannot be decrypted. One that another process could
/// decrypt is passed over only in the list of deadlines: a pass over all records must not miss it.
fn is_passed_over(space: Space, failure: DecryptFailure) -> bool {
    space == Space::Due
        || (space.scans_damaged_rows() && matches!(failure, DecryptFailure::Damaged))
}

/// Whether a value needs a key or a program that another process may have.
fn may_open_elsewhere(failure: DecryptFailure) -> bool {
    match failure {
        DecryptFailure::MissingKey(_) | DecryptFailure::UnknownLayout(_) => true,
        DecryptFailure::Plain | DecryptFailure::Damaged => false,
    }
}

/// Whether an expected value is one whose bytes depend on the key.
fn is_value(value: Option<&[u8]>) -> bool {
    value.is_some_and(|value| !value.is_empty())
}

impl ValueCodec {
    /// The error of a value that cannot be decrypted. What another process can decrypt is not
    /// damaged: work on it has to wait, and must not be given up.
    fn decrypt_error(&self, place: ValuePlace<'_>, failure: DecryptFailure) -> StoreError {
        let why = place.describe(failure);
        match self.is_shared && may_open_elsewhere(failure) {
            true => StoreError::Failed(why),
            false => StoreError::Damaged(why),
        }
    }

    fn encrypt_commit(&self, mut commit: Commit) -> Commit {
        let keys = &self.keys;
        for Expect { space, key, value } in &mut commit.expect {
            *value =
                value.take().map(|it| envelope::encrypt(keys, ValuePlace::Row(*space, key), it));
        }
        for put in &mut commit.puts {
            let place = ValuePlace::Row(put.space, &put.key);
            put.value = put.value.take().map(|value| envelope::encrypt(keys, place, value));
        }
        for append in &mut commit.appends {
            append.lines = self.seal_lines(&append.table, append.expect, &mut append.lines);
        }
        for rewrite in &mut commit.rewrites {
            rewrite.lines = self.seal_lines(&rewrite.table, 0, &mut rewrite.lines);
        }
        commit
    }

    fn seal_lines(&self, table: &str, from: u64, lines: &mut Vec<String>) -> Vec<String> {
        let lines = std::mem::take(lines).into_iter().zip(from..);
        lines.map(|(line, n)| envelope::encrypt_line(&self.keys, table, n, line)).collect()
    }

    /// Opens a value. A failure is counted.
    fn open_value(
        &self,
        space: Space,
        key: &str,
        stored: Vec<u8>,
    ) -> Result<Vec<u8>, DecryptFailure> {
        envelope::decrypt(&self.keys, ValuePlace::Row(space, key), stored, *self.plain.read())
            .inspect_err(|_| self.count_failure())
    }

    fn decrypt_value(
        &self,
        space: Space,
        key: &str,
        stored: Vec<u8>,
    ) -> Result<Vec<u8>, StoreError> {
        self.open_value(space, key, stored)
            .map_err(|failure| self.decrypt_error(ValuePlace::Row(space, key), failure))
    }

    fn decrypt_line(&self, table: &str, number: u64, stored: String) -> Result<String, StoreError> {
        envelope::decrypt_line(&self.keys, table, number, stored, *self.plain.read())
            .inspect_err(|_| self.count_failure())
            .map_err(|failure| self.decrypt_error(ValuePlace::Line(table, number), failure))
    }

    fn count_failure(&self) {
        self.counters.0.open_failures.fetch_add(1, Ordering::Relaxed);
    }

    /// Opens the rows of a scan. Some that cannot be decrypted have no value then, so that the rows
    /// after them are read.
    fn open_rows(&self, space: Space, rows: Vec<StoreRow>) -> Result<Vec<StoreRow>, StoreError> {
        let rows = rows.into_iter().filter(|(key, _)| !is_state_key(space, key));
        rows.map(|(key, stored)| match self.open_value(space, &key, stored) {
            Ok(value) => Ok((key, value)),
            Err(failure) if is_passed_over(space, failure) => Ok((key, Vec::new())),
            Err(failure) => Err(self.decrypt_error(ValuePlace::Row(space, &key), failure)),
        })
        .collect()
    }

    fn open_answer(
        &self,
        query: &StoreQuery,
        answer: StoreAnswer,
    ) -> Result<StoreAnswer, StoreError> {
        Ok(match (query, answer) {
            (StoreQuery::Value { space, key }, StoreAnswer::Value(_))
                if is_state_key(*space, key) =>
            {
                StoreAnswer::Value(None)
            }
            (StoreQuery::Value { space, key }, StoreAnswer::Value(Some(stored))) => {
                StoreAnswer::Value(Some(self.decrypt_value(*space, key, stored)?))
            }
            (StoreQuery::Scan { space, limit, .. }, StoreAnswer::Rows(rows)) => {
                let mut rows = self.open_rows(*space, rows)?;
                rows.truncate(*limit);
                StoreAnswer::Rows(rows)
            }
            (StoreQuery::Log { table, from }, StoreAnswer::Lines(lines)) => {
                let lines = lines.into_iter().zip(*from..);
                let lines = lines.map(|(line, number)| self.decrypt_line(table, number, line));
                StoreAnswer::Lines(lines.collect::<Result<_, _>>()?)
            }
            (_, answer) => answer,
        })
    }

    /// Opens an item; `None` for the row that describes the encryption.
    fn decrypt_item(&self, item: StoredItem) -> Option<StoredItem> {
        if is_state_row(&item) {
            return None;
        }
        let decrypted = match item {
            StoredItem::Row { space, key, value, until_ms } => self
                .decrypt_value(space, &key, value)
                .map(|value| StoredItem::Row { space, key, value, until_ms }),
            StoredItem::Line { table, number, line } => self
                .decrypt_line(&table, number, line)
                .map(|line| StoredItem::Line { table, number, line }),
            StoredItem::Damaged(what) => Ok(StoredItem::Damaged(what)),
        };
        Some(decrypted.unwrap_or_else(|error| match error {
            StoreError::Failed(why) | StoreError::Damaged(why) => StoredItem::Damaged(why),
            StoreError::Conflict => StoredItem::Damaged(error.to_string()),
        }))
    }
}

/// The query for the store below: one row more where the hidden row may be among the rows.
fn inner_query(query: &StoreQuery) -> StoreQuery {
    let mut query = query.clone();
    if let StoreQuery::Scan { space: Space::Meta, prefix, limit, .. } = &mut query
        && key_check::ROW.starts_with(prefix.as_str())
        && *limit > 0
    {
        *limit += 1;
    }
    query
}

#[async_trait]
impl StoreLayer for EncryptedStore {
    fn inner(&self) -> &dyn Store {
        self.inner.as_ref()
    }

    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        let inner: Vec<StoreQuery> = reads.iter().map(inner_query).collect();
        let found = self.inner.read(&inner).await?;
        reads.iter().zip(found).map(|(query, it)| self.codec.open_answer(query, it)).collect()
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        commit_limits::check_commit(&commit)?;
        if !commit.expect.iter().any(|expect| is_value(expect.value.as_deref())) {
            return self.inner.commit(self.codec.encrypt_commit(commit)).await;
        }
        let wanted = commit.expect.clone();
        let mut encrypted = self.codec.encrypt_commit(commit);
        for _ in 0..REPEATS_MAX {
            match self.inner.commit(encrypted.clone()).await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
            if !self.expect_stored_bytes(&wanted, &mut encrypted.expect).await? {
                break;
            }
        }
        Err(StoreError::Conflict)
    }

    async fn claim_rows(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError> {
        let rows = self.inner.claim_rows(space, upto, owner, for_ms, limit).await?;
        match space {
            Space::Due => self.open_claimed(rows, owner).await,
            _ => self.codec.open_rows(space, rows),
        }
    }

    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        let inner = self.inner.snapshot().await?;
        Ok(Box::new(snapshot::OpenedSnapshot::new(inner, self.codec.clone())))
    }
}
