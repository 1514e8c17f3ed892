//! Prevents players from erasing losses by deleting or unlinking an account: for a while
//! afterwards, games of the same account are not rated.
//!
//! Games that a person finished while accounts were linked stay with the account that gave the
//! code, so the other account would return to the rating it had before them.
//!
//! Only a keyed hash of the account is stored, and it expires. The table records in its log that
//! its game does not count, so a rebuild of the ratings gives the same.
//!
//! A list of deletions outside of the store is made from the rows of deleted accounts.

use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::unit_of_work::TableChange;
use super::{CommitOutcome, DAY_MS, Failure, Repository, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_store::{Commit, Expect, Put, Space, StoreError, StoreQuery};
use caravanserai_table::rated_games::add_rating_blocks;

/// How long games of a deleted or unlinked account count for no rating, in milliseconds.
pub const RATING_BLOCK_MS: u64 = 90 * DAY_MS;

/// The prefixes of the rows that block ratings.
const BLOCK_PREFIXES: [&str; 2] = [keys::RATING_BLOCK_PREFIX, keys::UNLINKED_BLOCK_PREFIX];

/// The text whose hash is the tag of a key. It is no id.
const KEY_TAG_TEXT: &str = "key of deleted accounts";

/// The number of letters of the tag of a key.
const KEY_TAG_LETTERS: usize = 16;

/// An account whose deletion has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedAccount {
    /// The tag of the key of the hash.
    pub key_tag: String,
    /// A keyed hash of the account.
    pub hash: String,
    /// The end of the time in which its games count for no rating, in milliseconds since 1970:
    /// [`RATING_BLOCK_MS`] after the deletion has begun.
    pub until_ms: u64,
}

/// The block of an account that is linked again with the person from whom it was unlinked.
#[derive(Clone, Debug)]
pub struct EndedBlock {
    /// Removes the block.
    pub removal: Put,
    /// When the account had been linked, in milliseconds since 1970; 0 if that is not known. The
    /// rated games since then still stay with the person if the account is unlinked again.
    pub linked_ms: u64,
}

/// The attempts to store a new key while other processes do the same.
const KEY_TRIES: usize = 4;

impl Repository {
    /// Returns the rows that block ratings for these accounts from now on.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn rating_block_puts(
        &self,
        accounts: impl Iterator<Item = &PersonId>,
    ) -> Result<Vec<Put>, Failure> {
        let until_ms = (self.now_ms() + RATING_BLOCK_MS).to_string();
        let blocks = accounts.map(|it| (it, until_ms.clone()));
        self.block_puts(keys::RATING_BLOCK_PREFIX, blocks).await
    }

    /// Returns the rows that block ratings for accounts that are unlinked from this person, each
    /// with the time when it was linked.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn unlinked_block_puts(
        &self,
        person: &PersonId,
        accounts: impl Iterator<Item = (&PersonId, u64)>,
    ) -> Result<Vec<Put>, Failure> {
        let person = self.keyed_hash(&person.0).await?;
        let blocks = accounts.map(|(it, linked_ms)| (it, format!("{person} {linked_ms}")));
        self.block_puts(keys::UNLINKED_BLOCK_PREFIX, blocks).await
    }

    /// The rows with this prefix that block ratings for these accounts from now on, each with its
    /// value.
    async fn block_puts(
        &self,
        prefix: &str,
        blocks: impl Iterator<Item = (&PersonId, String)>,
    ) -> Result<Vec<Put>, Failure> {
        let key = self.personal_data_key().await?;
        let until_ms = self.now_ms() + RATING_BLOCK_MS;
        let put = |(account, value): (&PersonId, String)| {
            Put::new(Space::Meta, block_key(prefix, key, account), value).expires_at(until_ms)
        };
        Ok(blocks.map(put).collect())
    }

    /// The block that ends when an account is linked again with the person from whom it was
    /// unlinked: the games that it left behind are its own again.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn block_ended_by_link(
        &self,
        person: &PersonId,
        account: &PersonId,
    ) -> Result<Option<EndedBlock>, Failure> {
        let key = self.personal_data_key().await?;
        let row = block_key(keys::UNLINKED_BLOCK_PREFIX, key, account);
        let Some(value) = self.read_value(Space::Meta, &row).await? else { return Ok(None) };
        let (left, linked_ms) = parse_unlinked(&value);
        let removal = Put::remove(Space::Meta, row);
        Ok((left == hash_id(key, &person.0)).then_some(EndedBlock { removal, linked_ms }))
    }

    /// Adds to each decision that the games of people who get a seat by it before the game, or
    /// whose game starts, do not count, if they deleted or unlinked an account recently.
    ///
    /// # Errors
    /// When the store cannot be read. Nothing is written then.
    pub(super) async fn add_rating_blocks<'a>(
        &self,
        changes: Vec<TableChange<'a>>,
    ) -> Result<Vec<TableChange<'a>>, Failure> {
        let seated = changes.iter().map(TableChange::people_before_start);
        let seated: Vec<Vec<PersonId>> = seated.collect();
        if seated.iter().all(Vec::is_empty) {
            return Ok(changes);
        }
        let mut is_any_blocked = false;
        for prefix in BLOCK_PREFIXES {
            is_any_blocked |= !self.read_rows(Space::Meta, prefix, 1).await?.is_empty();
        }
        if !is_any_blocked {
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

    /// Whether one of the accounts of a person was deleted recently, or unlinked from an account
    /// with which it is not linked now. Where it is, whichever of them is the main one, all games
    /// are united again; the block stays in case they are unlinked again.
    async fn is_rating_blocked(&self, key: &str, person: &PersonId) -> Result<bool, Failure> {
        let accounts = self.profiles().accounts_of(person).await?;
        let keys_of = |it| BLOCK_PREFIXES.map(|prefix| block_key(prefix, key, it));
        let queries = accounts.iter().flat_map(keys_of);
        let queries: Vec<StoreQuery> =
            queries.map(|it| StoreQuery::value_of(Space::Meta, it)).collect();
        let mut answers = self.read_many(&queries).await?.into_iter();
        for account in &accounts {
            let (Some(deleted), Some(unlinked)) = (answers.next(), answers.next()) else { break };
            if deleted.value()?.is_some() {
                return Ok(true);
            }
            let Some(value) = unlinked.value()? else { continue };
            let (left, _) = parse_unlinked(&value);
            let mut others = accounts.iter().filter(|it| *it != account);
            if !others.any(|it| hash_id(key, &it.0) == left) {
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

    /// The tag of the personal data key, which reveals nothing about the key.
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

    /// The key of the hashes of accounts and chats. It never changes, so it is read once.
    async fn personal_data_key(&self) -> Result<&str, Failure> {
        if let Some(key) = self.personal_data_key.get() {
            return Ok(key);
        }
        let key = self.load_or_create_personal_data_key().await?;
        Ok(self.personal_data_key.get_or_init(|| key))
    }

    /// Reads the personal data key, which the first call stores.
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
        Err(StoreError::Failed("failed to store the personal data key".to_owned()).into())
    }
}

/// The key of the row that blocks ratings for an account: a keyed hash of its id.
fn block_key(prefix: &str, key: &str, account: &PersonId) -> String {
    format!("{prefix}{}", hash_id(key, &account.0))
}

/// The keyed hash of the person from whom an account was unlinked, and when it had been linked, in
/// milliseconds since 1970. Rows of earlier versions contain no time.
fn parse_unlinked(value: &[u8]) -> (String, u64) {
    let value = String::from_utf8_lossy(value);
    let (left, linked_ms) = value.split_once(' ').unwrap_or((&value, "0"));
    (left.to_owned(), linked_ms.parse().unwrap_or_default())
}

/// A keyed hash of an id.
fn hash_id(key: &str, id: &str) -> String {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(key.as_bytes()).expect("any key length is allowed");
    mac.update(id.as_bytes());
    hex::encode(mac.finalize().into_bytes())
}
