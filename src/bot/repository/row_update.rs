//! Reads, changes and writes single rows without losing concurrent changes.
//!
//! Two requests may read a row at the same moment, and the second write must not undo the first. So
//! a row is written only if it is unchanged since it was read; otherwise it is read and changed
//! again: [`Repository::update_row`]. If the same commit has more rows, [`StoredRow::set`] adds the
//! row with its condition, and the caller retries on conflict.
//!
//! Profiles are written only here: no other code than [`RowValue::encode`] serializes them. Rows
//! that are written without being read, such as marks, lists and the outbox, do not need this
//! module.

use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::profiles::{ChatProfile, LinkedAccounts, PersonProfile};
use super::stored_rows::parse_json_or_default;
use super::{CommitOutcome, Failure, Repository, keys};
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_store::{Commit, Expect, Put, Space, StoreError};

/// The attempts to read and change a row while others write it at the same moment. Each failed
/// attempt means that another request has succeeded.
const UPDATE_TRIES: usize = 64;

/// A value that can be stored in a row.
pub trait RowValue: Clone + Default + PartialEq + Send + Sync {
    /// Decodes the bytes of a row; returns the default if there are none.
    fn decode(bytes: Option<Vec<u8>>) -> Self;

    /// Encodes the value; `None` removes the row.
    fn encode(&self) -> Option<Vec<u8>>;
}

/// The key of a row, with the type of its value.
#[derive(Clone, Debug)]
pub struct TypedRowKey<T> {
    space: Space,
    key: String,
    until_ms: Option<u64>,
    value_type: PhantomData<fn() -> T>,
}

/// A row as it was read.
#[derive(Debug)]
pub struct StoredRow<T> {
    row_key: TypedRowKey<T>,
    bytes: Option<Vec<u8>>,
    value: T,
}

impl<T> TypedRowKey<T> {
    fn new(space: Space, key: String) -> Self {
        TypedRowKey { space, key, until_ms: None, value_type: PhantomData }
    }

    /// The same key, for values that expire at this time, in milliseconds since 1970.
    #[must_use]
    pub fn with_ttl(self, until_ms: u64) -> Self {
        TypedRowKey { until_ms: Some(until_ms), ..self }
    }

    /// The condition that the row has these bytes.
    fn expect_bytes(&self, bytes: Option<&Vec<u8>>) -> Expect {
        Expect { space: self.space, key: self.key.clone(), value: bytes.cloned() }
    }
}

impl TypedRowKey<PersonProfile> {
    /// The profile of an account.
    pub fn person(person: &PersonId) -> Self {
        Self::new(Space::Person, person.0.clone())
    }
}

impl TypedRowKey<LinkedAccounts> {
    /// The accounts that are linked with this one.
    pub fn links(person: &PersonId) -> Self {
        Self::new(Space::Person, keys::linked_accounts(person))
    }
}

impl TypedRowKey<ChatProfile> {
    /// The profile of the chat that a chat or topic belongs to.
    pub fn chat(chat: &ChatId) -> Self {
        Self::new(Space::ChatProfile, chat.without_topic().to_owned())
    }
}

impl<T: Serialize + DeserializeOwned> TypedRowKey<OptionalRow<T>> {
    /// A separate row for a small value.
    pub fn optional_row(key: String) -> Self {
        Self::new(Space::Meta, key)
    }
}

impl<T: RowValue> StoredRow<T> {
    /// A row that was read with these bytes.
    pub fn read(row_key: TypedRowKey<T>, bytes: Option<Vec<u8>>) -> Self {
        let value = T::decode(bytes.clone());
        StoredRow { row_key, bytes, value }
    }

    /// Whether the row exists.
    pub fn exists(&self) -> bool {
        self.bytes.is_some()
    }

    /// Adds to a commit the removal of the row, on condition that it is unchanged since it was
    /// read.
    pub fn remove(&self, commit: &mut Commit) {
        self.require_unchanged(commit);
        commit.puts.push(Put::remove(self.row_key.space, self.row_key.key.clone()));
    }

    /// The value that was read.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Adds to a commit this new value, on condition that the row is unchanged since it was read.
    pub fn set(&self, value: &T, commit: &mut Commit) {
        self.require_unchanged(commit);
        if *value != self.value || self.bytes.is_none() {
            let TypedRowKey { space, key, until_ms, .. } = &self.row_key;
            let space = *space;
            let key = key.clone();
            let until_ms = *until_ms;
            commit.puts.push(Put { space, key, value: value.encode(), expires_ms: until_ms });
        }
    }

    /// Adds to a commit the condition that the row is unchanged since it was read.
    pub fn require_unchanged(&self, commit: &mut Commit) {
        commit.expect.push(self.unchanged_condition());
    }

    /// The condition that the row is unchanged since it was read.
    pub fn unchanged_condition(&self) -> Expect {
        self.row_key.expect_bytes(self.bytes.as_ref())
    }
}

impl Repository {
    /// Reads a row that may be written later.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn read_row<T: RowValue>(
        &self,
        row_key: TypedRowKey<T>,
    ) -> Result<StoredRow<T>, Failure> {
        let bytes = self.read_value(row_key.space, &row_key.key).await?;
        Ok(StoredRow::read(row_key, bytes))
    }

    /// Reads a row, changes it and writes it, and retries if another request wrote it in between.
    /// Returns the new value. A change that changes nothing writes nothing.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn update_row<T: RowValue>(
        &self,
        row_key: TypedRowKey<T>,
        change: impl Fn(&mut T) + Send + Sync,
    ) -> Result<T, Failure> {
        for _ in 0..UPDATE_TRIES {
            let stored = self.read_row(row_key.clone()).await?;
            let mut value = stored.value.clone();
            change(&mut value);
            if value == stored.value {
                return Ok(value);
            }
            let mut commit = Commit::default();
            stored.set(&value, &mut commit);
            if self.commit_rows(commit).await? == CommitOutcome::Committed {
                return Ok(value);
            }
        }
        let TypedRowKey { space, key, .. } = row_key;
        let why =
            format!("{} {key} was changed by others {UPDATE_TRIES} times in a row", space.name());
        Err(StoreError::Failed(why).into())
    }
}

impl RowValue for PersonProfile {
    fn decode(bytes: Option<Vec<u8>>) -> Self {
        parse_json_or_default(bytes)
    }

    fn encode(&self) -> Option<Vec<u8>> {
        Some(to_json(|it| PersonProfile::serialize(self, it)))
    }
}

impl RowValue for ChatProfile {
    fn decode(bytes: Option<Vec<u8>>) -> Self {
        parse_json_or_default(bytes)
    }

    fn encode(&self) -> Option<Vec<u8>> {
        Some(to_json(|it| ChatProfile::serialize(self, it)))
    }
}

impl RowValue for LinkedAccounts {
    fn decode(bytes: Option<Vec<u8>>) -> Self {
        parse_json_or_default(bytes)
    }

    fn encode(&self) -> Option<Vec<u8>> {
        Some(to_json(|it| LinkedAccounts::serialize(self, it)))
    }
}

/// The value of a separate row, which may be absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionalRow<T>(pub Option<T>);

impl<T> Default for OptionalRow<T> {
    fn default() -> Self {
        OptionalRow(None)
    }
}

impl<T> RowValue for OptionalRow<T>
where
    T: Serialize + DeserializeOwned + Clone + PartialEq + Send + Sync,
{
    fn decode(bytes: Option<Vec<u8>>) -> Self {
        OptionalRow(bytes.and_then(|it| serde_json::from_slice(&it).ok()))
    }

    fn encode(&self) -> Option<Vec<u8>> {
        self.0
            .as_ref()
            .map(|it| serde_json::to_vec(it).expect("the types of the bot serialize to JSON"))
    }
}

/// Serializes a type of the bot to JSON.
fn to_json(
    write: impl FnOnce(&mut serde_json::Serializer<&mut Vec<u8>>) -> serde_json::Result<()>,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut json = serde_json::Serializer::new(&mut bytes);
    write(&mut json).expect("the types of the bot serialize to JSON");
    bytes
}
