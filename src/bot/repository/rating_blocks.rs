//! Keeps a deletion from erasing losses: for a while after an account was deleted, games of the
//! same account are not rated.
//!
//! Only a keyed hash of the account is stored, and it expires. The table records in its log that
//! its game does not count, so a rebuild of the ratings gives the same.
//!
//! A list of deletions outside of the store is made from the same rows.

use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::unit_of_work::TableChange;
use super::{CommitOutcome, DAY_MS, Failure, Repository, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_store::{Commit, Expect, Put, Space, StoreError, StoreQuery};
use caravanserai_table::rated_games::add_rating_blocks;

/// How long games of a deleted account count for no rating, in milliseconds.
pub const RATING_BLOCK_MS: u64 = 90 * DAY_MS;

/// The text whose hash marks a key. It is no id.
const KEY_TAG_TEXT: &str = "key of deleted accounts";

/// The number of letters of the mark of a key.
const KEY_TAG_LETTERS: usize = 16;

/// An account whose deletion has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedAccount {
    /// The mark of the key of the hash.
    pub key_tag: String,
    /// A keyed hash of the account.
    pub hash: String,
    /// The end of the time in which its games count for no rating, in milliseconds since 1970:
    /// [`RATING_BLOCK_MS`] after the deletion has begun.
    pub until_ms: u64,
}

/// The attempts to store a new key while other processes do the same.
const KEY_TRIES: usize = 4;

impl Repository {
    /// The rows that block ratings for these accounts from now on.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn rating_block_puts(
        &self,
        accounts: impl Iterator<Item = &PersonId>,
    ) -> Result<Vec<Put>, Failure> {
        let key = self.personal_data_key().await?;
        let until_ms = self.now_ms() + RATING_BLOCK_MS;
        let put = |it: &PersonId| {
            let end = until_ms.to_string();
            Put::new(Space::Meta, block_key(key, it), end).expires_at(until_ms)
        };
        Ok(accounts.map(put).collect())
    }

    /// Adds to each decision that the games of people who get a seat by it, before the game or with
    /// its start, do not count, if they deleted their account recently.
    ///
    /// # Errors
    /// When the store cannot be read. Nothing is written then.
    pub(super) async fn add_rating_blocks<'a>(
        &self,
        changes: Vec<TableChange<'a>>,
    ) -> Result<Vec<TableChange<'a>>, Failure> {
        let seated = changes.iter().map(TableChange::newly_seated_before_start);
        let seated: Vec<Vec<PersonId>> = seated.collect();
        if seated.iter().all(Vec::is_empty) {
            return Ok(changes);
        }
        let prefix = keys::RATING_BLOCK_PREFIX;
        if self.read_rows(Space::Meta, prefix, 1).await?.is_empty() {
            return Ok(changes);
        }
        let key = self.personal_data_key().await?;
        let mut checked = Vec::with_capacity(changes.len());
        for (mut change, people) in changes.into_iter().zip(seated) {
            let mut blocked = Vec::new();
            for person in people {
                if self.is_rating_blocked(key, &person).await? {
                    blocked.push(person);
                }
            }
            change.decision = add_rating_blocks(change.decision, blocked);
            checked.push(change);
        }
        Ok(checked)
    }

    /// Whether one of the accounts of a person was deleted recently.
    async fn is_rating_blocked(&self, key: &str, person: &PersonId) -> Result<bool, Failure> {
        let profile = self.profiles().load_person(person).await?;
        let accounts = std::iter::once(person).chain(&profile.accounts);
        let query = |it: &PersonId| StoreQuery::value_of(Space::Meta, block_key(key, it));
        let queries: Vec<StoreQuery> = accounts.map(query).collect();
        for answer in self.read_many(&queries).await? {
            if answer.value()?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The accounts whose deletion has begun in the last 90 days, except for those that an earlier
    /// version has deleted: it stored no time.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn deleted_accounts(&self) -> Result<Vec<DeletedAccount>, Failure> {
        let key_tag = self.deletion_key_tag().await?;
        let prefix = keys::RATING_BLOCK_PREFIX;
        let account = |(key, value): (String, Vec<u8>)| {
            let until_ms = std::str::from_utf8(&value).ok()?.parse().ok()?;
            let hash = key.strip_prefix(prefix)?.to_owned();
            Some(DeletedAccount { key_tag: key_tag.clone(), hash, until_ms })
        };
        let rows = self.read_all_rows(Space::Meta, prefix).await?;
        Ok(rows.into_iter().filter_map(account).collect())
    }

    /// The mark of the key of the hashes, which tells nothing about the key.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn deletion_key_tag(&self) -> Result<String, Failure> {
        let mut tag = self.keyed_hash(KEY_TAG_TEXT).await?;
        tag.truncate(KEY_TAG_LETTERS);
        Ok(tag)
    }

    /// A keyed hash of an account or chat, from which nobody can read its id.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keyed_hash(&self, id: &str) -> Result<String, Failure> {
        Ok(hash_id(self.personal_data_key().await?, id))
    }

    /// The key of the hashes. It never changes, so it is read once.
    async fn personal_data_key(&self) -> Result<&str, Failure> {
        if let Some(key) = self.personal_data_key.get() {
            return Ok(key);
        }
        let key = self.load_or_create_personal_data_key().await?;
        Ok(self.personal_data_key.get_or_init(|| key))
    }

    /// Reads the key of the hashes, which the first call stores.
    async fn load_or_create_personal_data_key(&self) -> Result<String, Failure> {
        let row = keys::PERSONAL_DATA_KEY;
        for _ in 0..KEY_TRIES {
            if let Some(key) = self.read_value(Space::Meta, row).await? {
                return Ok(String::from_utf8_lossy(&key).into_owned());
            }
            let mut bytes = [0; 32];
            self.fill_random(&mut bytes);
            let commit = Commit {
                expect: vec![Expect::absent(Space::Meta, row)],
                ..Commit::from_puts(vec![Put::new(Space::Meta, row, hex::encode(bytes))])
            };
            let _: CommitOutcome = self.commit_rows(commit).await?;
        }
        Err(StoreError::Failed("the key of deleted accounts could not be stored".to_owned()).into())
    }
}

/// The key of the row that blocks ratings for an account: a keyed hash of its id.
fn block_key(key: &str, account: &PersonId) -> String {
    format!("{}{}", keys::RATING_BLOCK_PREFIX, hash_id(key, &account.0))
}

/// A keyed hash of an id.
fn hash_id(key: &str, id: &str) -> String {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(key.as_bytes()).expect("any key length is allowed");
    mac.update(id.as_bytes());
    hex::encode(mac.finalize().into_bytes())
}
