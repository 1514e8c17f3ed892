//! Stores which people a person has blocked.
//!
//! Each blocked account has a row of its own: `block <blocker> <blocked>`. So the deletion of
//! either person finds the row by its key, and a commit that seats two people can require that the
//! row does not exist, see `seat_blocks`. A person with linked accounts is blocked with all of
//! them, also after they are unlinked: the rows of the other accounts name the person in `main`
//! and are not listed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::profiles::{LinkedAccounts, PersonProfile, person_reads};
use super::row_update::{StoredRow, TypedRowKey};
use super::stored_rows::{put_json, remove_row};
use super::{CommitOutcome, Failure, Repository, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_store::{Commit, Expect, Put, Space, StoreQuery};

/// The most people that one person can block.
pub const BLOCKED_MAX: usize = 200;

/// The stored block of an account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct BlockRow {
    /// The displayed name of the blocked person at that time.
    name: String,
    /// Since when, in milliseconds since 1970.
    at_ms: u64,
    /// The blocked person, if this account was linked to them.
    #[serde(skip_serializing_if = "Option::is_none")]
    main: Option<PersonId>,
}

/// A person whom another one has blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedPerson {
    /// The person.
    pub person: PersonId,
    /// Their displayed name when they were blocked.
    pub name: String,
    /// Since when, in milliseconds since 1970.
    pub at_ms: u64,
}

/// The outcome of blocking a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockOutcome {
    /// The person is blocked now.
    Blocked,
    /// The person was blocked already.
    AlreadyBlocked,
    /// There is no room for another one.
    ListFull,
    /// A concurrent change came first: nothing was written.
    Conflict,
}

/// The blocks among some people, and the conditions under which they stay as they are.
#[derive(Debug, Default)]
pub(super) struct BlockCheck {
    /// For each pair, those of the two who block the other one.
    pub(super) blockers: Vec<Vec<PersonId>>,
    /// That no block is added, and no account linked, before the commit that relies on it.
    pub(super) conditions: Vec<Expect>,
}

/// Loads and stores whom people have blocked.
#[derive(Clone, Copy)]
pub struct BlockLists<'a> {
    repository: &'a Repository,
}

impl Repository {
    /// Loads and stores whom people have blocked.
    pub fn block_lists(&self) -> BlockLists<'_> {
        BlockLists { repository: self }
    }
}

impl BlockLists<'_> {
    /// The people whom a person has blocked with any of their accounts, sorted by name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn blocked_by(self, person: &PersonId) -> Result<Vec<BlockedPerson>, Failure> {
        let mut found: BTreeMap<PersonId, BlockedPerson> = BTreeMap::new();
        for (_, blocked, row) in self.rows_of(person).await? {
            if row.main.is_none() {
                let BlockRow { name, at_ms, .. } = row;
                found.insert(blocked.clone(), BlockedPerson { person: blocked, name, at_ms });
            }
        }
        let mut listed: Vec<BlockedPerson> = found.into_values().collect();
        listed.sort_by(|a, b| (&a.name, &a.person).cmp(&(&b.name, &b.person)));
        Ok(listed)
    }

    /// Blocks a person with all their accounts.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn block(
        self,
        blocker: &PersonId,
        person: &PersonId,
        name: &str,
    ) -> Result<BlockOutcome, Failure> {
        // A deletion that begins meanwhile must find the rows.
        let deletion = keys::deletion_request(person);
        let deletion = Expect {
            space: Space::Meta,
            value: self.repository.read_value(Space::Meta, &deletion).await?,
            key: deletion,
        };
        let listed = self.blocked_by(blocker).await?;
        let was_listed = listed.iter().any(|it| it.person == *person);
        if !was_listed && listed.len() >= BLOCKED_MAX {
            return Ok(BlockOutcome::ListFull);
        }
        let at_ms = self.repository.now_ms();
        let accounts = self.repository.profiles().accounts_of(person).await?;
        let puts = accounts.into_iter().map(|account| {
            let main = (account != *person).then(|| person.clone());
            let row = BlockRow { name: name.to_owned(), at_ms, main };
            put_json(Space::Meta, keys::block(blocker, &account), &row)
        });
        let commit = Commit { expect: vec![deletion], ..Commit::from_puts(puts.collect()) };
        Ok(match self.repository.commit_rows(commit).await? {
            CommitOutcome::Conflict => BlockOutcome::Conflict,
            CommitOutcome::Committed if was_listed => BlockOutcome::AlreadyBlocked,
            CommitOutcome::Committed => BlockOutcome::Blocked,
        })
    }

    /// Ends the block of a person. Returns the name under which they were listed; `None` if they
    /// were not blocked.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn unblock(
        self,
        blocker: &PersonId,
        person: &PersonId,
    ) -> Result<Option<String>, Failure> {
        let accounts = self.repository.profiles().accounts_of(person).await?;
        let mut name = None;
        let mut puts: Vec<Put> = Vec::new();
        for (by, blocked, row) in self.rows_of(blocker).await? {
            if accounts.contains(&blocked)
                || row.main.as_ref().is_some_and(|it| accounts.contains(it))
            {
                puts.push(remove_row(Space::Meta, keys::block(&by, &blocked)));
                name = Some(row.name);
            }
        }
        self.repository.put_all(puts).await?;
        Ok(name)
    }

    /// Whether a person has blocked one of these people, or the other way round.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn is_separated(
        self,
        person: &PersonId,
        others: &[&PersonId],
    ) -> Result<bool, Failure> {
        let pairs: Vec<_> = others.iter().map(|it| (*it, person)).collect();
        let check = self.check_pairs(&pairs).await?;
        Ok(check.blockers.iter().any(|it| !it.is_empty()))
    }

    /// Reads which of these people block each other, whatever accounts they have.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) async fn check_pairs(
        self,
        pairs: &[(&PersonId, &PersonId)],
    ) -> Result<BlockCheck, Failure> {
        let people: BTreeSet<&PersonId> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let (accounts, mut conditions) = self.accounts_of_all(people).await?;
        let mut keys: Vec<(usize, &PersonId, String)> = Vec::new();
        for (n, (a, b)) in pairs.iter().enumerate() {
            for (blocker, blocked) in [(*a, *b), (*b, *a)] {
                for by in &accounts[blocker] {
                    let key = |it| (n, blocker, keys::block(by, it));
                    keys.extend(accounts[blocked].iter().map(key));
                }
            }
        }
        let reads: Vec<StoreQuery> =
            keys.iter().map(|(.., key)| StoreQuery::value_of(Space::Meta, key.as_str())).collect();
        let mut blockers = vec![Vec::new(); pairs.len()];
        let found = self.repository.read_many(&reads).await?;
        for ((n, blocker, key), row) in keys.into_iter().zip(found) {
            match row.value()? {
                Some(_) if blockers[n].contains(blocker) => {}
                Some(_) => blockers[n].push(blocker.clone()),
                None => conditions.push(Expect::absent(Space::Meta, key)),
            }
        }
        Ok(BlockCheck { blockers, conditions })
    }

    /// All accounts of these people, and the conditions that their links are unchanged.
    async fn accounts_of_all(
        self,
        people: BTreeSet<&PersonId>,
    ) -> Result<(BTreeMap<PersonId, Vec<PersonId>>, Vec<Expect>), Failure> {
        let reads: Vec<StoreQuery> = people.iter().flat_map(|it| person_reads(it)).collect();
        let mut rows = self.repository.read_many(&reads).await?.into_iter();
        let mut next = || rows.next().map_or(Ok(None), |it| it.value());
        let mut all = BTreeMap::new();
        let mut conditions = Vec::new();
        for person in people {
            let row = next()?;
            let links = next()?;
            let PersonProfile { main, accounts, .. } =
                PersonProfile::decode_rows(row, links.clone());
            let links = StoredRow::<LinkedAccounts>::read(TypedRowKey::links(person), links);
            conditions.push(links.unchanged_condition());
            let own = match main {
                // Tables that ended before accounts were linked name the account.
                Some(main) => self.repository.profiles().accounts_of(&main).await?,
                None => std::iter::once(person.clone()).chain(accounts).collect(),
            };
            all.insert(person.clone(), own);
        }
        Ok((all, conditions))
    }

    /// The rows of all accounts of a person: the blocking account, the blocked one and the value.
    async fn rows_of(
        self,
        person: &PersonId,
    ) -> Result<Vec<(PersonId, PersonId, BlockRow)>, Failure> {
        let mut found = Vec::new();
        for account in self.repository.profiles().accounts_of(person).await? {
            let prefix = keys::blocks_of(&account);
            for (key, value) in self.repository.read_all_rows(Space::Meta, &prefix).await? {
                let blocked = PersonId(keys::last_part(&key).to_owned());
                let row = serde_json::from_slice(&value).unwrap_or_default();
                found.push((account.clone(), blocked, row));
            }
        }
        Ok(found)
    }
}
