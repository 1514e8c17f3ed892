//! Runs the deletions that are due, page by page.
//!
//! The progress is stored after each page, and only if nothing else has changed it: so a deletion
//! goes on after a restart, and two processes do no harm to each other. A page may run twice.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::Notify;

use super::part::{DeletionJob, PageEnd};
use super::parts::PARTS;
use super::requests::{DeletionRequest, RequestRow, StartedDeletion, request_key};
use super::subject::DeletionSubject;
use crate::admin::bans::ban_all_accounts;
use crate::delivery::Delivery;
use crate::repository::profiles::LinkedAccounts;
use crate::repository::row_update::{OptionalRow, TypedRowKey};
use crate::repository::{CommitOutcome, Failure, Repository, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_store::{Commit, Space, StoreError};

/// The most requests that are read at once.
const REQUESTS_PER_PAGE: usize = 500;

/// The lease of the process that deletes, in milliseconds.
const LEASE_MS: u64 = 60_000;

/// The name of the lease.
const LEASE: &str = "personal data deletion";

/// The number of random letters in an id that replaces an account.
const REPLACEMENT_LETTERS: usize = 16;

/// Runs deletions.
pub struct DeletionWorker {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
    /// Notified when deletions may be due.
    wake: Notify,
}

impl DeletionWorker {
    /// Creates a worker that is idle until [`Self::run`].
    pub fn new(repository: Arc<Repository>, delivery: Arc<Delivery>) -> Self {
        DeletionWorker { repository, delivery, wake: Notify::new() }
    }

    /// Wakes the worker, because deletions may be due.
    pub fn notify(&self) {
        self.wake.notify_one();
    }

    /// Runs the deletions that are due, after each [`Self::notify`]. Runs until it is dropped.
    pub async fn run(&self) {
        loop {
            self.wake.notified().await;
            if let Err(failure) = self.run_due().await {
                tracing::error!(%failure, "failed to delete the data of a person");
            }
        }
    }

    /// Runs the deletions that are due, a page of each in turn, until all of them are done or wait.
    ///
    /// # Errors
    /// When the store fails. The next call goes on where this one stopped.
    async fn run_due(&self) -> Result<(), Failure> {
        let mut people = self.find_due().await?;
        while !people.is_empty() && self.try_lease().await? {
            let mut unfinished = Vec::new();
            for person in people {
                match self.run_page(&person).await {
                    Ok(true) => unfinished.push(person),
                    Ok(false) => {}
                    // A deletion that fails must not keep the others from going on.
                    Err(failure) => {
                        tracing::error!(%failure, "failed to delete the data of a person");
                    }
                }
                // Presses must not wait for all pages.
                tokio::task::yield_now().await;
            }
            people = unfinished;
        }
        Ok(())
    }

    /// The people whose deletion is due, or goes on now. All requests are looked at: most of them
    /// wait for a week, some for a running game.
    async fn find_due(&self) -> Result<Vec<PersonId>, Failure> {
        let (prefix, now_ms) = (keys::DELETION_PREFIX, self.repository.now_ms());
        let (mut people, mut after) = (Vec::new(), String::new());
        loop {
            let read =
                self.repository.read_rows_after(Space::Meta, prefix, &after, REQUESTS_PER_PAGE);
            let rows = read.await?;
            for (key, value) in &rows {
                let request: Option<DeletionRequest> = serde_json::from_slice(value).ok();
                let is_due = request.is_some_and(|it| it.is_due(now_ms));
                if let Some(person) = key.strip_prefix(prefix).filter(|_| is_due) {
                    people.push(PersonId(person.to_owned()));
                }
            }
            match rows.last() {
                Some((last, _)) if rows.len() == REQUESTS_PER_PAGE => after.clone_from(last),
                Some(_) | None => return Ok(people),
            }
        }
    }

    /// Tries to become, or to stay, the process that deletes.
    async fn try_lease(&self) -> Result<bool, Failure> {
        let replica = self.repository.replica();
        Ok(self.repository.store().try_lease(LEASE, replica, LEASE_MS).await?)
    }

    /// Runs the next page of a deletion. Returns whether there may be more to do now.
    ///
    /// # Errors
    /// When the store fails. The page is repeated by the next call.
    async fn run_page(&self, person: &PersonId) -> Result<bool, Failure> {
        let row = self.repository.read_row(request_key(person)).await?;
        let Some(request) = row.value().0.clone() else { return Ok(false) };
        if !request.is_due(self.repository.now_ms()) {
            return Ok(false);
        }
        let Some(started) = &request.started else {
            self.start(person, &row, &request).await?;
            return Ok(true);
        };
        let number = PARTS.iter().position(|it| it.about() == started.part).unwrap_or_default();
        let job = DeletionJob {
            repository: &self.repository,
            delivery: &self.delivery,
            subject: &started.subject,
        };
        let end = PARTS[number].delete_page(&job, &started.after).await?;
        self.store_progress(&row, &request, started, number, end).await
    }

    /// Stores the end of a page. Returns whether there may be more to do now.
    async fn store_progress(
        &self,
        row: &RequestRow,
        request: &DeletionRequest,
        started: &StartedDeletion,
        number: usize,
        end: PageEnd,
    ) -> Result<bool, Failure> {
        let (part, after, wait_ms) = match end {
            PageEnd::More(after) => (Some(PARTS[number]), after, 0),
            PageEnd::Wait { after, for_ms } => (Some(PARTS[number]), after, for_ms),
            PageEnd::Done => (PARTS.get(number + 1).copied(), String::new(), 0),
        };
        let mut commit = Commit::default();
        match part {
            Some(part) => {
                let next = StartedDeletion {
                    part: part.about().to_owned(),
                    after,
                    not_before_ms: if wait_ms > 0 { self.repository.now_ms() + wait_ms } else { 0 },
                    ..started.clone()
                };
                let next = DeletionRequest { started: Some(next), ..request.clone() };
                row.set(&OptionalRow(Some(next)), &mut commit);
            }
            None => row.remove(&mut commit),
        }
        let outcome = self.repository.commit_rows(commit).await?;
        if part.is_none() && outcome == CommitOutcome::Committed {
            metrics::counter!("caravanserai_accounts_deleted_total").increment(1);
            tracing::info!("deleted the data of a person");
        }
        Ok(part.is_some() && wait_ms == 0)
    }

    /// Begins a deletion: from now on it cannot be cancelled, and new games of the same accounts
    /// count for no rating for a while.
    async fn start(
        &self,
        person: &PersonId,
        row: &RequestRow,
        request: &DeletionRequest,
    ) -> Result<(), Failure> {
        let mut commit = Commit::default();
        // Accounts that are linked or unlinked meanwhile are seen by the next attempt.
        let links = self.repository.read_row(TypedRowKey::links(person)).await?;
        links.require_unchanged(&mut commit);
        if self.repository.profiles().load_person(person).await?.main.is_some() {
            // The account was linked to another person after the request: that person stays.
            row.remove(&mut commit);
            return self.repository.commit_rows(commit).await.map(drop);
        }
        let subject = self.find_subject(person, request).await?;
        commit.puts = self.repository.rating_block_puts(subject.accounts.keys()).await?;
        let accounts: Vec<&PersonId> = subject.accounts.keys().collect();
        ban_all_accounts(&self.repository, &accounts, &mut commit).await?;
        for (account, replacement) in &subject.accounts {
            if let Some(main) = subject.main_replacement().filter(|_| account != person) {
                // Computed ratings need to know which of the new ids are one person.
                let links = TypedRowKey::links(replacement);
                let links = self.repository.read_row(links).await?;
                let one_person = LinkedAccounts { main: Some(main.clone()), accounts: Vec::new() };
                links.set(&one_person, &mut commit);
            }
        }
        let part = PARTS.first().map(|it| it.about().to_owned()).unwrap_or_default();
        let started = StartedDeletion { subject, part, ..StartedDeletion::default() };
        let next = DeletionRequest { started: Some(started), ..request.clone() };
        row.set(&OptionalRow(Some(next)), &mut commit);
        // After a conflict the request was cancelled, or another process has begun.
        self.repository.commit_rows(commit).await.map(drop)
    }

    /// Collects the accounts and private chats of a person, and draws the ids that replace
    /// the accounts.
    async fn find_subject(
        &self,
        person: &PersonId,
        request: &DeletionRequest,
    ) -> Result<DeletionSubject, Failure> {
        let profile = self.repository.profiles().load_person(person).await?;
        let mut subject = DeletionSubject {
            accounts: BTreeMap::new(),
            main: Some(person.clone()),
            places: request.places.clone(),
            ..DeletionSubject::default()
        };
        let accounts = std::iter::once(person).chain(&profile.accounts);
        for account in accounts {
            let own = self.repository.profiles().load_person(account).await?;
            let username =
                own.username.map(|it| (account.platform().to_owned(), it.to_lowercase()));
            subject.usernames.extend(username);
            // Opening a private chat could write to the person.
            subject.places.extend(self.delivery.derived_private_place(account));
            let token = self.repository.random_letters(REPLACEMENT_LETTERS);
            subject.accounts.insert(account.clone(), PersonId::deleted(&token));
        }
        // No account is linked or unlinked while a request waits, and a person has one on each
        // platform. An earlier version may have unlinked the account that asked for the deletion:
        // its chat belongs to another person now.
        let accounts = &subject.accounts;
        subject.places.retain(|place| accounts.keys().any(|it| it.platform() == place.platform()));
        if subject.accounts.is_empty() {
            return Err(StoreError::Failed("a deletion names no account".to_owned()).into());
        }
        Ok(subject)
    }
}
