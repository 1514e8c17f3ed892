//! Handles deletions in a store that was restored from a backup: repeats those that began later,
//! and postpones those that had not begun, because people may have cancelled them since.

use std::collections::{BTreeMap, BTreeSet};

use super::deletion_requests::DeletionRequests;
use super::part::KeyFamily;
use crate::repository::{DAY_MS, DeletedAccount, Failure, Repository};
use crate::results::private_warnings::deletion_notice_put;
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::{Arg, Text};
use caravanserai_results::GameResult;
use caravanserai_store::{Space, StoreRow};

/// Deletions that expire within this time are not repeated: another process may have removed their
/// row by a clock that is ahead.
const EXPIRY_MARGIN_MS: u64 = DAY_MS;

/// What a deletion means that the store knows of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownDeletions {
    /// It was done: who is there has come back since.
    Done,
    /// Its person may be back, because damaged parts were replaced by earlier ones.
    Repeated,
}

/// The result of repeating deletions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepeatedDeletions {
    /// The people whose deletion begins at once.
    pub people: usize,
    /// People with an account that was deleted and another one that was not: they were separated
    /// after the backup was made, and keep all their accounts.
    pub linked: usize,
    /// Accounts whose hashes have another key than this store: it is of the time before the first
    /// deletion, or of another bot.
    pub unknown: usize,
    /// Accounts that are found nowhere in this store. Logs of finished tables and messages of the
    /// built-in chat may name some of them.
    pub missing: usize,
}

/// Requests the deletion of all people of this store whose accounts are in the list, unless the
/// store knows of the same deletion and that counts as done. Nobody waits for a week: they have
/// done so before. A repeated call changes nothing. `chat_people`: the accounts of the built-in
/// chat in this store.
///
/// # Errors
/// When the store fails.
pub async fn repeat_deletions(
    repository: &Repository,
    deleted: &[DeletedAccount],
    known: KnownDeletions,
    chat_people: Vec<PersonId>,
) -> Result<RepeatedDeletions, Failure> {
    let mut outcome = RepeatedDeletions::default();
    let key_tag = repository.deletion_key_tag().await?;
    let known = match known {
        KnownDeletions::Done => repository.deleted_accounts().await?,
        KnownDeletions::Repeated => Vec::new(),
    };
    let known: BTreeMap<&str, u64> =
        known.iter().map(|it| (it.hash.as_str(), it.until_ms)).collect();
    let valid_ms = repository.now_ms() + EXPIRY_MARGIN_MS;
    let mut wanted: BTreeSet<&str> = BTreeSet::new();
    for it in deleted.iter().filter(|it| it.until_ms > valid_ms) {
        if it.key_tag != key_tag {
            outcome.unknown += 1;
        } else if known.get(it.hash.as_str()).is_none_or(|until_ms| *until_ms < it.until_ms) {
            wanted.insert(&it.hash);
        }
    }
    if wanted.is_empty() {
        return Ok(outcome);
    }
    let (people, found) = people_of(repository, &wanted, chat_people).await?;
    outcome.missing = wanted.len() - found;
    for person in people {
        let accounts = repository.profiles().accounts_of(&person).await?;
        if are_all_in(repository, &wanted, &accounts).await? {
            DeletionRequests::new(repository).request_now(&person).await?;
            outcome.people += 1;
        } else {
            outcome.linked += 1;
        }
    }
    Ok(outcome)
}

/// Postpones the deletions of this store that have not begun by a week. Returns whose they are.
///
/// # Errors
/// When the store fails.
pub async fn postpone_deletions(repository: &Repository) -> Result<Vec<PersonId>, Failure> {
    DeletionRequests::new(repository).postpone_all().await
}

/// Lets the bot tell those of these people whose deletion still waits when it begins, and how they
/// keep their account. Returns their number.
///
/// # Errors
/// When the store fails.
pub async fn announce_postponed(
    repository: &Repository,
    people: &[PersonId],
) -> Result<usize, Failure> {
    let mut puts = Vec::new();
    for person in people {
        let due_ms = DeletionRequests::new(repository).due_ms(person).await?;
        if let Some(due_ms) = due_ms.filter(|it| *it > repository.now_ms()) {
            let text = Text::new("answer-deletion-restored").with("day", Arg::day(due_ms));
            puts.push(deletion_notice_put(person, text, due_ms));
        }
    }
    let announced = puts.len();
    repository.put_all(puts).await?;
    Ok(announced)
}

/// The people with an account whose hash is in the list, and the number of these accounts.
async fn people_of(
    repository: &Repository,
    hashes: &BTreeSet<&str>,
    chat_people: Vec<PersonId>,
) -> Result<(BTreeSet<PersonId>, usize), Failure> {
    let mut people = BTreeSet::new();
    let mut found = 0;
    let mut accounts = accounts_in_store(repository).await?;
    accounts.extend(chat_people);
    for account in accounts {
        if are_all_in(repository, hashes, std::slice::from_ref(&account)).await? {
            people.insert(repository.profiles().resolve_person(&account).await?);
            found += 1;
        }
    }
    Ok((people, found))
}

/// All accounts with a profile, a result or an open table: people may have deleted their account
/// who had no profile yet when the backup was made.
async fn accounts_in_store(repository: &Repository) -> Result<BTreeSet<PersonId>, Failure> {
    let family = KeyFamily::accounts(Space::Person);
    let mut accounts = BTreeSet::new();
    let profile = |(key, _): StoreRow| {
        accounts.extend(family.contains(Space::Person, &key).then_some(PersonId(key)));
    };
    repository.for_each_row(Space::Person, "", profile).await?;
    let result = |(_, value): StoreRow| {
        // A result that cannot be read is reported when it is folded.
        let seats = GameResult::parse(&value).map(|it| it.seats).unwrap_or_default();
        accounts.extend(seats.into_iter().map(|it| it.person));
    };
    repository.for_each_row(Space::Result, "", result).await?;
    let table = |(key, _): StoreRow| {
        accounts.extend(key.rsplit_once(' ').map(|(person, _)| PersonId(person.to_owned())));
    };
    repository.for_each_row(Space::PersonTable, "", table).await?;
    Ok(accounts)
}

/// Whether the hashes of all these accounts are in the list.
async fn are_all_in(
    repository: &Repository,
    hashes: &BTreeSet<&str>,
    accounts: &[PersonId],
) -> Result<bool, Failure> {
    for account in accounts {
        if !hashes.contains(repository.keyed_hash(&account.0).await?.as_str()) {
            return Ok(false);
        }
    }
    Ok(true)
}
