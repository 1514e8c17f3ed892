//! Read-modify-write of single rows.
//!
//! Two requests may read a row at the same moment, and the second write must not undo the first. So
//! a row is written only if it still is what was read, and is else read and changed again:
//! [`Ledger::change`]. Where the same commit has more rows, [`Stored::set`] adds the row with its
//! condition, and the caller retries on conflict.
//!
//! Profiles are written only here: nothing but [`Value::encode`] serializes them. Rows that are
//! written without being read, such as marks, lists and the outbox, do not need this module.

use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::profiles::{Links, PersonProfile, PlaceProfile};
use super::rows::parse;
use super::{Entered, Failure, Ledger, keys};
use caravanserai_games::ids::{PersonId, PlaceId};
use caravanserai_store::{Commit, Expect, Put, Space, StoreError};

/// How often a row is read and changed again when others write it at the same moment. Each of these
/// times another request has succeeded.
const TRIES: usize = 64;

/// The value of a row.
pub trait Value: Clone + Default + PartialEq + Send + Sync {
    /// Reads the bytes of a row, if there is one.
    fn decode(bytes: Option<Vec<u8>>) -> Self;

    /// The bytes of the row; `None` removes it.
    fn encode(&self) -> Option<Vec<u8>>;
}

/// Where a row is, with the type of its value.
#[derive(Clone, Debug)]
pub struct Slot<T> {
    space: Space,
    key: String,
    until_ms: Option<u64>,
    holds: PhantomData<fn() -> T>,
}

/// A row as it was read.
#[derive(Debug)]
pub struct Stored<T> {
    slot: Slot<T>,
    bytes: Option<Vec<u8>>,
    value: T,
}

impl<T> Slot<T> {
    fn new(space: Space, key: String) -> Self {
        Slot { space, key, until_ms: None, holds: PhantomData }
    }

    /// The same, with a lifetime of what is written there, in milliseconds since 1970.
    #[must_use]
    pub fn until(self, until_ms: u64) -> Self {
        Slot { until_ms: Some(until_ms), ..self }
    }

    /// The condition that the row has these bytes.
    fn expects(&self, bytes: Option<&Vec<u8>>) -> Expect {
        Expect { space: self.space, key: self.key.clone(), value: bytes.cloned() }
    }
}

impl Slot<PersonProfile> {
    /// The profile of an account.
    pub fn person(person: &PersonId) -> Self {
        Self::new(Space::Person, person.0.clone())
    }
}

impl Slot<Links> {
    /// The accounts that are linked with this one.
    pub fn links(person: &PersonId) -> Self {
        Self::new(Space::Person, keys::links(person))
    }
}

impl Slot<PlaceProfile> {
    /// The profile of the chat that a place belongs to.
    pub fn place(place: &PlaceId) -> Self {
        Self::new(Space::Place, place.chat().to_owned())
    }
}

impl<T: Serialize + DeserializeOwned> Slot<Small<T>> {
    /// A row of its own for a small value.
    pub fn small(key: String) -> Self {
        Self::new(Space::Meta, key)
    }
}

impl<T: Value> Stored<T> {
    /// The row with these bytes.
    pub fn read(slot: Slot<T>, bytes: Option<Vec<u8>>) -> Self {
        let value = T::decode(bytes.clone());
        Stored { slot, bytes, value }
    }

    /// Whether there was such a row.
    pub fn is_there(&self) -> bool {
        self.bytes.is_some()
    }

    /// Adds to a commit that the row is removed, if it still is what was read.
    pub fn remove(&self, commit: &mut Commit) {
        self.require(commit);
        commit.puts.push(Put::remove(self.slot.space, self.slot.key.clone()));
    }

    /// The value that was read.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Adds to a commit that this becomes the value, if the row still is what was read.
    pub fn set(&self, value: &T, commit: &mut Commit) {
        self.require(commit);
        if *value != self.value || self.bytes.is_none() {
            let Slot { space, key, until_ms, .. } = &self.slot;
            let (space, key, until_ms) = (*space, key.clone(), *until_ms);
            commit.puts.push(Put { space, key, value: value.encode(), until_ms });
        }
    }

    /// Adds to a commit the condition that the row still is what was read.
    pub fn require(&self, commit: &mut Commit) {
        commit.expect.push(self.requires());
    }

    /// The condition that the row still is what was read.
    pub fn requires(&self) -> Expect {
        self.slot.expects(self.bytes.as_ref())
    }
}

impl Ledger {
    /// Reads a row that may be written later.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn stored<T: Value>(&self, slot: Slot<T>) -> Result<Stored<T>, Failure> {
        let bytes = self.value(slot.space, &slot.key).await?;
        Ok(Stored::read(slot, bytes))
    }

    /// Reads a row, changes it and writes it, and retries if another request wrote it in between.
    /// Returns the new value. A change that changes nothing writes nothing.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn change<T: Value>(
        &self,
        slot: Slot<T>,
        change: impl Fn(&mut T) + Send + Sync,
    ) -> Result<T, Failure> {
        for _ in 0..TRIES {
            let stored = self.stored(slot.clone()).await?;
            let mut value = stored.value.clone();
            change(&mut value);
            if value == stored.value {
                return Ok(value);
            }
            let mut commit = Commit::default();
            stored.set(&value, &mut commit);
            if self.commit(commit).await? == Entered::Done {
                return Ok(value);
            }
        }
        let Slot { space, key, .. } = slot;
        let why = format!("{} {key} was changed by others {TRIES} times in a row", space.name());
        Err(StoreError::Failed(why).into())
    }
}

impl Value for PersonProfile {
    fn decode(bytes: Option<Vec<u8>>) -> Self {
        parse(bytes)
    }

    fn encode(&self) -> Option<Vec<u8>> {
        Some(to_json(|it| PersonProfile::serialize(self, it)))
    }
}

impl Value for PlaceProfile {
    fn decode(bytes: Option<Vec<u8>>) -> Self {
        parse(bytes)
    }

    fn encode(&self) -> Option<Vec<u8>> {
        Some(to_json(|it| PlaceProfile::serialize(self, it)))
    }
}

impl Value for Links {
    fn decode(bytes: Option<Vec<u8>>) -> Self {
        parse(bytes)
    }

    fn encode(&self) -> Option<Vec<u8>> {
        Some(to_json(|it| Links::serialize(self, it)))
    }
}

/// The value of a row of its own, which may be absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Small<T>(pub Option<T>);

impl<T> Default for Small<T> {
    fn default() -> Self {
        Small(None)
    }
}

impl<T> Value for Small<T>
where
    T: Serialize + DeserializeOwned + Clone + PartialEq + Send + Sync,
{
    fn decode(bytes: Option<Vec<u8>>) -> Self {
        Small(bytes.and_then(|it| serde_json::from_slice(&it).ok()))
    }

    fn encode(&self) -> Option<Vec<u8>> {
        self.0.as_ref().map(|it| serde_json::to_vec(it).expect("our own types become JSON"))
    }
}

/// Serializes one of our own types to JSON.
fn to_json(
    write: impl FnOnce(&mut serde_json::Serializer<&mut Vec<u8>>) -> serde_json::Result<()>,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut json = serde_json::Serializer::new(&mut bytes);
    write(&mut json).expect("our own types become JSON");
    bytes
}
