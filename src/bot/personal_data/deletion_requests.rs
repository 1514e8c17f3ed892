//! Stores requests to delete an account.
//!
//! A request is one row for each person. It becomes the progress of the deletion when it is due;
//! from then on it cannot be cancelled.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::subject::DeletionSubject;
use crate::repository::row_update::{OptionalRow, StoredRow, TypedRowKey};
use crate::repository::{CommitOutcome, DAY_MS, Failure, Repository, keys};
use crate::results::private_warnings::{deletion_notice_put, deletion_notice_removal};
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_store::{Commit, Put, Space, StoreError, StoreRow};

/// The time in which a person can cancel the deletion of their account, in milliseconds.
pub const DELETION_DELAY_MS: u64 = 7 * DAY_MS;

/// The attempts to write a request while others write it at the same moment.
const REQUEST_TRIES: usize = 8;

/// A stored request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct DeletionRequest {
    /// When the deletion begins, in milliseconds since 1970.
    pub(super) due_ms: u64,
    /// Whether the platform reported that the account was deleted: anything that the account does
    /// later cancels the request.
    pub(super) is_reported: bool,
    /// Whether the deletion had begun before the store was restored from a backup. So it begins
    /// again whatever the clock shows.
    pub(super) is_repeated: bool,
    /// The private chats of the person, as far as they are known.
    #[serde(rename = "places")]
    pub(super) chats: BTreeSet<ChatId>,
    /// The deletion, once it has begun.
    pub(super) started: Option<StartedDeletion>,
}

impl DeletionRequest {
    /// Whether there is something to do for it at this time, in milliseconds since 1970.
    pub(super) fn is_due(&self, now_ms: u64) -> bool {
        match &self.started {
            Some(started) => started.not_before_ms <= now_ms,
            None => self.due_ms <= now_ms,
        }
    }

    /// Whether it may go on while the wall clock is in doubt: it cannot be cancelled any more.
    pub(super) fn is_final(&self) -> bool {
        self.started.is_some() || self.is_repeated
    }
}

/// A deletion that has begun.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct StartedDeletion {
    /// The person whose data is deleted.
    pub(super) subject: DeletionSubject,
    /// The part that is being deleted, see [`PersonalDataPart::about`].
    ///
    /// [`PersonalDataPart::about`]: super::PersonalDataPart::about
    pub(super) part: String,
    /// Where its next page begins.
    pub(super) after: String,
    /// The earliest time of the next page, in milliseconds since 1970.
    pub(super) not_before_ms: u64,
    /// The tables that have to end first, because the person has a seat there.
    pub(super) open_tables: BTreeSet<TableId>,
}

/// The row of a request.
pub(super) type RequestRow = StoredRow<OptionalRow<DeletionRequest>>;

/// Requests to delete accounts.
#[derive(Clone, Copy)]
pub struct DeletionRequests<'a> {
    repository: &'a Repository,
}

/// The origin of a request for a deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeletionCause {
    /// The person.
    Person,
    /// The platform, which reported that the account was deleted.
    Platform,
    /// The operator, for a person who cannot ask for it themselves. The bot tells the person.
    Operator,
}

impl<'a> DeletionRequests<'a> {
    /// Requests in this store.
    pub fn new(repository: &'a Repository) -> Self {
        DeletionRequests { repository }
    }

    /// Requests the deletion of a person with all their accounts. A request that exists stays as
    /// it is. Returns when the deletion begins, in milliseconds since 1970.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn request(
        self,
        person: &PersonId,
        private_chat_id: Option<ChatId>,
        cause: DeletionCause,
    ) -> Result<u64, Failure> {
        self.request_with(person, private_chat_id, cause, Vec::new()).await
    }

    /// Requests a deletion, as [`Self::request`], and writes these rows in the same commit.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn request_with(
        self,
        person: &PersonId,
        private_chat_id: Option<ChatId>,
        cause: DeletionCause,
        puts: Vec<Put>,
    ) -> Result<u64, Failure> {
        let request = DeletionRequest {
            due_ms: self.repository.now_ms() + DELETION_DELAY_MS,
            is_reported: cause == DeletionCause::Platform,
            chats: private_chat_id.into_iter().collect(),
            ..DeletionRequest::default()
        };
        for _ in 0..REQUEST_TRIES {
            let row = self.repository.read_row(request_key(person)).await?;
            let mut requested = row.value().0.clone().unwrap_or_else(|| request.clone());
            // A report of the platform is cancelled by anything, the wish of the person is not.
            requested.is_reported &= request.is_reported;
            // A later time comes from a clock that was ahead.
            requested.due_ms = requested.due_ms.min(request.due_ms);
            let due_ms = requested.due_ms;
            let mut commit = Commit::from_puts(puts.clone());
            if cause == DeletionCause::Operator {
                let text = Text::new("answer-deletion-operator").with("day", Arg::day(due_ms));
                commit.puts.push(deletion_notice_put(person, text, due_ms));
            }
            row.set(&OptionalRow(Some(requested)), &mut commit);
            if self.repository.commit_rows(commit).await? == CommitOutcome::Committed {
                return Ok(due_ms);
            }
        }
        let why = "too many conflicting writes to a request for deletion".to_owned();
        Err(StoreError::Failed(why).into())
    }

    /// Adds to a commit the request to delete an account that its platform reported as deleted. A
    /// request that exists stays as it is.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn add_report(
        self,
        account: &PersonId,
        commit: &mut Commit,
    ) -> Result<(), Failure> {
        let row = self.repository.read_row(request_key(account)).await?;
        let due_ms = self.repository.now_ms() + DELETION_DELAY_MS;
        let report = || DeletionRequest { due_ms, is_reported: true, ..Default::default() };
        let requested = row.value().0.clone().unwrap_or_else(report);
        row.set(&OptionalRow(Some(requested)), commit);
        Ok(())
    }

    /// Requests that the deletion of a person with all their accounts begins at once, because it
    /// had begun before the store was restored from a backup.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn request_now(self, person: &PersonId) -> Result<(), Failure> {
        let due_ms = self.repository.now_ms();
        let requested = |row: &mut OptionalRow<DeletionRequest>| {
            let request =
                row.0.get_or_insert_with(|| DeletionRequest { due_ms, ..Default::default() });
            request.due_ms = due_ms.min(request.due_ms);
            request.is_reported = false;
            request.is_repeated = true;
        };
        self.repository.update_row(request_key(person), requested).await.map(drop)
    }

    /// Postpones all requests that have not begun: from now on they can be cancelled for as long as
    /// new ones. Returns whose requests they are.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn postpone_all(self) -> Result<Vec<PersonId>, Failure> {
        let due_ms = self.repository.now_ms() + DELETION_DELAY_MS;
        let mut people = Vec::new();
        let add = |person, request: DeletionRequest| {
            people.extend(request.started.is_none().then_some(person));
        };
        self.for_each(add).await?;
        for person in &people {
            let postponed = |row: &mut OptionalRow<DeletionRequest>| {
                if let Some(request) = row.0.as_mut().filter(|it| it.started.is_none()) {
                    request.due_ms = due_ms.max(request.due_ms);
                    request.is_repeated = false;
                }
            };
            self.repository.update_row(request_key(person), postponed).await?;
        }
        Ok(people)
    }

    /// Cancels a request. Returns whether there was one that had not begun, here or before a
    /// restore.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn cancel(self, person: &PersonId) -> Result<bool, Failure> {
        self.cancel_with(person, Vec::new()).await
    }

    /// Cancels a request, as [`Self::cancel`], and writes these rows in the same commit.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn cancel_with(
        self,
        person: &PersonId,
        puts: Vec<Put>,
    ) -> Result<bool, Failure> {
        self.cancel_if(person, puts, |_| true).await
    }

    /// Cancels the request that a platform made, because the account has acted since.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn cancel_report(self, person: &PersonId) -> Result<bool, Failure> {
        self.cancel_if(person, Vec::new(), |it| it.is_reported).await
    }

    async fn cancel_if(
        self,
        person: &PersonId,
        puts: Vec<Put>,
        is_meant: impl Fn(&DeletionRequest) -> bool,
    ) -> Result<bool, Failure> {
        for _ in 0..REQUEST_TRIES {
            let row = self.repository.read_row(request_key(person)).await?;
            let request = row.value().0.as_ref();
            if !request.is_some_and(|it| !it.is_final() && is_meant(it)) {
                return Ok(false);
            }
            let mut commit = Commit::from_puts(puts.clone());
            commit.puts.push(deletion_notice_removal(person));
            row.remove(&mut commit);
            if self.repository.commit_rows(commit).await? == CommitOutcome::Committed {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the data of a person is being deleted: then nothing can be cancelled any more, and
    /// nothing new may begin.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn is_running(self, person: &PersonId) -> Result<bool, Failure> {
        let row = self.repository.read_row(request_key(person)).await?;
        Ok(row.value().0.as_ref().is_some_and(|it| it.started.is_some()))
    }

    /// All accounts that are deleted together with this one, itself included, once that has begun;
    /// none otherwise. The links between them may be gone already.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn accounts_in_deletion(
        self,
        account: &PersonId,
    ) -> Result<Vec<PersonId>, Failure> {
        let mut together = Vec::new();
        let look = |_: PersonId, request: DeletionRequest| {
            let accounts = request.started.map(|it| it.subject.accounts);
            let accounts = accounts.filter(|it| it.contains_key(account));
            together.extend(accounts.into_iter().flat_map(BTreeMap::into_keys));
        };
        self.for_each(look).await?;
        Ok(together)
    }

    /// Visits all requests. Those that cannot be read are passed over.
    pub(super) async fn for_each(
        self,
        mut visit: impl FnMut(PersonId, DeletionRequest),
    ) -> Result<(), Failure> {
        let prefix = keys::DELETION_PREFIX;
        let look = |(key, value): StoreRow| {
            let request = serde_json::from_slice(&value).ok();
            if let (Some(person), Some(request)) = (key.strip_prefix(prefix), request) {
                visit(PersonId(person.to_owned()), request);
            }
        };
        self.repository.for_each_row(Space::Meta, prefix, look).await
    }

    /// When the deletion of a person begins, in milliseconds since 1970; `None` without a request
    /// that can be cancelled.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn due_ms(self, person: &PersonId) -> Result<Option<u64>, Failure> {
        let row = self.repository.read_row(request_key(person)).await?;
        let request = row.value().0.as_ref().filter(|it| it.started.is_none());
        Ok(request.map(|it| it.due_ms))
    }
}

/// Whether the deletion with this stored request has begun.
pub(crate) fn has_begun(stored: &[u8]) -> bool {
    let request: Option<DeletionRequest> = serde_json::from_slice(stored).ok();
    request.is_some_and(|it| it.started.is_some())
}

/// The key of the request of a person.
pub(super) fn request_key(person: &PersonId) -> TypedRowKey<OptionalRow<DeletionRequest>> {
    TypedRowKey::optional_row(keys::deletion_request(person))
}
