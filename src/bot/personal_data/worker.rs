//! Runs the deletions that are due, page by page.
//!
//! Deletions that have reached the same page run as one group, so that each part of the store is
//! read once for all of them, however many are due. New ones begin together, at most once an hour.
//! A deletion that waits for games leaves its group: it checks these tables by itself, and
//! continues with the next group.
//!
//! The progress is stored after some pages, and only if nothing else has changed it. So a deletion
//! continues after a restart, and two processes do not disturb each other. A page may run twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::chat_deletion::{is_wanted, run_chat_deletions};
use super::deletion_requests::{
    DeletionRequest, DeletionRequests, RequestRow, StartedDeletion, request_key,
};
use super::isolated_step::run_isolated;
use super::part::{DeletionJob, PageEnd};
use super::parts::{PARTS, retry_tables};
use super::subject::{DeletedPeople, DeletionSubject, SubjectIndex};
use crate::admin::bans::ban_all_accounts;
use crate::delivery::Delivery;
use crate::repository::profiles::LinkedAccounts;
use crate::repository::quarantine::catch_panic;
use crate::repository::row_update::{OptionalRow, StoredRow, TypedRowKey};
use crate::repository::{CommitOutcome, Failure, MINUTE_MS, Repository, keys};
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_store::{Commit, Space, StoreError, StoreQuery};

/// The most deletions that begin together.
const GROUP_MAX: usize = 500;

/// The least time between two groups that begin, in milliseconds: each reads every log and every
/// record.
const GROUP_INTERVAL_MS: u64 = 60 * MINUTE_MS;

/// The pages after which progress is stored.
const PAGES_PER_STEP: usize = 20;

/// The most requests that one commit changes.
const REQUESTS_PER_COMMIT: usize = 100;

/// The interval at which a deletion looks again whether the last games of the person have ended, in
/// milliseconds.
const OPEN_TABLES_RETRY_MS: u64 = 10 * MINUTE_MS;

/// The page of a deletion that waits for open tables. An earlier version reads all tables again
/// there.
const AT_OPEN_TABLES: &str = "h!";

/// The page of a deletion whose tables have ended: it goes on with the next group. An earlier
/// version reads all tables again there, too.
const TABLES_ENDED: &str = "h-";

/// The lease of the process that deletes, in milliseconds.
const LEASE_MS: u64 = MINUTE_MS;

/// The name of the lease.
const LEASE: &str = "personal data deletion";

/// Whose data is deleted, in log lines: they name nobody.
const OF_A_PERSON: &str = "of a person";

/// The number of random letters in an id that replaces an account.
const REPLACEMENT_LETTERS: usize = 16;

/// Runs deletions.
pub struct DeletionWorker {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
    /// When the last group of this process began, in milliseconds since 1970.
    group_began_ms: Mutex<Option<u64>>,
    /// Notified when deletions may be due.
    wake: Notify,
    /// Whether the wall clock may be wrong: then only deletions go on that cannot be cancelled.
    is_clock_in_doubt: AtomicBool,
}

/// Where deletions go on: the number of the part, and where its next page begins.
type Position = (usize, String);

/// Private chats by the account that reads them.
type ChatsByReader = BTreeMap<PersonId, BTreeSet<ChatId>>;

/// Deletions that go on at the same page.
#[derive(Debug)]
struct DeletionGroup {
    position: Position,
    people: Vec<PersonId>,
}

/// A deletion of a group, as it is stored.
struct StoredDeletion {
    person: PersonId,
    row: RequestRow,
    request: DeletionRequest,
    started: StartedDeletion,
}

impl DeletionGroup {
    /// The group in two halves: what fails for one person must not stop all others.
    fn split(mut self) -> Vec<DeletionGroup> {
        let people = self.people.split_off(self.people.len() / 2);
        let other = DeletionGroup { position: self.position.clone(), people };
        vec![self, other]
    }
}

impl StartedDeletion {
    fn position(&self) -> Position {
        let number = PARTS.iter().position(|it| it.about() == self.part);
        (number.unwrap_or_default(), self.after.clone())
    }
}

impl DeletionWorker {
    /// Creates a worker that is idle until [`Self::run`].
    pub fn new(repository: Arc<Repository>, delivery: Arc<Delivery>) -> Self {
        DeletionWorker {
            repository,
            delivery,
            group_began_ms: Mutex::default(),
            wake: Notify::new(),
            is_clock_in_doubt: AtomicBool::default(),
        }
    }

    /// Wakes the worker, because deletions may be due.
    pub fn notify(&self) {
        self.is_clock_in_doubt.store(false, Ordering::Relaxed);
        self.wake.notify_one();
    }

    /// Wakes the worker while the wall clock is in doubt.
    pub fn notify_in_doubt(&self) {
        self.is_clock_in_doubt.store(true, Ordering::Relaxed);
        self.wake.notify_one();
    }

    /// Runs the deletions that are due, after each [`Self::notify`]. Runs until it is dropped.
    pub async fn run(&self) {
        loop {
            self.wake.notified().await;
            if let Err(failure) = self.run_due().await {
                tracing::error!(%failure, "failed to delete the data of people");
            }
            if let Err(failure) = self.delete_chats().await {
                tracing::error!(%failure, "failed to delete the data of chats");
            }
        }
    }

    /// Goes on with the deletions of the data of chats.
    async fn delete_chats(&self) -> Result<(), Failure> {
        if !is_wanted(&self.repository).await? || !self.try_lease().await? {
            return Ok(());
        }
        run_chat_deletions(&self.repository, &self.delivery).await
    }

    /// Runs the deletions that are due, some pages of each group in turn, until all of them are
    /// done or wait.
    ///
    /// # Errors
    /// When the store fails. The next call goes on where this one stopped.
    async fn run_due(&self) -> Result<(), Failure> {
        let due = self.find_due().await?;
        if due.is_empty() || !self.try_lease().await? {
            return Ok(());
        }
        let mut groups = self.form_groups(due).await?;
        while !groups.is_empty() && self.try_lease().await? {
            // Chats must not wait for all deletions of people.
            run_chat_deletions(&self.repository, &self.delivery).await?;
            let mut unfinished = Vec::new();
            for group in groups {
                unfinished.extend(self.run_group(group).await);
                // Presses must not wait for all pages.
                tokio::task::yield_now().await;
            }
            groups = unfinished;
        }
        Ok(())
    }

    /// The people whose deletion is due, or goes on now. All requests are looked at: most of them
    /// wait for a week, some for a running game.
    async fn find_due(&self) -> Result<Vec<(PersonId, DeletionRequest)>, Failure> {
        let now_ms = self.repository.now_ms();
        let is_trusted = !self.is_clock_in_doubt.load(Ordering::Relaxed);
        let mut people = Vec::new();
        let add = |person, request: DeletionRequest| {
            let is_due = request.is_due(now_ms) && (is_trusted || request.is_final());
            people.extend(is_due.then_some((person, request)));
        };
        DeletionRequests::new(&self.repository).for_each(add).await?;
        Ok(people)
    }

    /// Tries to become, or to stay, the process that deletes.
    async fn try_lease(&self) -> Result<bool, Failure> {
        let replica = self.repository.replica();
        Ok(self.repository.store().try_lease(LEASE, replica, LEASE_MS).await?)
    }

    /// The groups that go on now. Begins a new one if it is time for that.
    async fn form_groups(
        &self,
        due: Vec<(PersonId, DeletionRequest)>,
    ) -> Result<Vec<DeletionGroup>, Failure> {
        let mut groups: BTreeMap<Position, Vec<PersonId>> = BTreeMap::new();
        let mut waiting = Vec::new();
        for (person, request) in due {
            match request.started {
                Some(started) if started.after == AT_OPEN_TABLES => {
                    run_isolated(OF_A_PERSON, self.look_at_open_tables(&person)).await;
                }
                Some(started) if started.after != TABLES_ENDED => {
                    groups.entry(started.position()).or_default().push(person);
                }
                Some(_) | None => waiting.push(person),
            }
        }
        let now_ms = self.repository.now_ms();
        let began_ms = *self.group_began_ms.lock();
        // The wall clock may have been set back since.
        if !waiting.is_empty() && began_ms.is_none_or(|it| now_ms.abs_diff(it) >= GROUP_INTERVAL_MS)
        {
            waiting.truncate(GROUP_MAX);
            let chats = self.private_chats_of(&waiting).await?;
            for person in waiting {
                let begun = run_isolated(OF_A_PERSON, self.begin(&person, &chats)).await;
                if let Some(Some(position)) = begun {
                    groups.entry(position).or_default().push(person);
                    *self.group_began_ms.lock() = Some(now_ms);
                }
            }
        }
        let group = |(position, people)| DeletionGroup { position, people };
        Ok(groups.into_iter().map(group).collect())
    }

    /// The private chats of all accounts of these people that are known from their profiles.
    async fn private_chats_of(&self, people: &[PersonId]) -> Result<ChatsByReader, Failure> {
        let mut accounts = BTreeSet::new();
        for person in people {
            accounts.extend(self.repository.profiles().accounts_of(person).await?);
        }
        self.repository.profiles().private_chats_of(&accounts).await
    }

    /// Runs the next pages of a group. Returns what may go on now.
    async fn run_group(&self, group: DeletionGroup) -> Vec<DeletionGroup> {
        let is_single = group.people.len() < 2;
        match catch_panic(self.run_pages(&group)).await {
            Some(Ok(next)) => next.into_iter().collect(),
            Some(Err(failure)) if is_single || matches!(failure, Failure::Store(_)) => {
                tracing::error!(%failure, "failed to delete the data of people");
                Vec::new()
            }
            None if is_single => {
                tracing::error!("failed to delete the data of a person: the code panicked");
                Vec::new()
            }
            // One of them may be the cause.
            Some(Err(_)) | None => group.split(),
        }
    }

    /// Runs the next pages of a group and stores how far it has come. Returns the group as it goes
    /// on now, if it does.
    ///
    /// # Errors
    /// When the store fails. The pages are repeated by the next call.
    async fn run_pages(&self, group: &DeletionGroup) -> Result<Option<DeletionGroup>, Failure> {
        let members = self.load_members(group).await?;
        if members.is_empty() {
            return Ok(None);
        }
        let subjects = members.iter().map(|it| it.started.subject.clone()).collect();
        let people = DeletedPeople::new(subjects);
        let job = DeletionJob::new(&self.repository, &self.delivery, &people);
        let (number, after) = &group.position;
        let mut end = PageEnd::More(after.clone());
        for _ in 0..PAGES_PER_STEP {
            let PageEnd::More(after) = end.clone() else { break };
            end = PARTS[*number].delete_page(&job, &after).await?;
            tokio::task::yield_now().await;
        }
        let open_tables = job.into_open_tables();
        self.store_progress(members, *number, &end, &open_tables).await
    }

    /// The deletions of a group that are still at its page.
    async fn load_members(&self, group: &DeletionGroup) -> Result<Vec<StoredDeletion>, Failure> {
        let now_ms = self.repository.now_ms();
        let query = |it| StoreQuery::value_of(Space::Meta, keys::deletion_request(it));
        let queries: Vec<StoreQuery> = group.people.iter().map(query).collect();
        let mut members = Vec::new();
        for (person, answer) in group.people.iter().zip(self.repository.read_many(&queries).await?)
        {
            let row = StoredRow::read(request_key(person), answer.value()?);
            let Some(request) = row.value().0.clone().filter(|it| it.is_due(now_ms)) else {
                continue;
            };
            if let Some(started) = request.started.clone()
                && started.position() == group.position
            {
                members.push(StoredDeletion { person: person.clone(), row, request, started });
            }
        }
        Ok(members)
    }

    /// Stores the end of a page. Returns the group as it goes on now, if it does.
    async fn store_progress(
        &self,
        members: Vec<StoredDeletion>,
        number: usize,
        end: &PageEnd,
        open_tables: &BTreeMap<SubjectIndex, BTreeSet<TableId>>,
    ) -> Result<Option<DeletionGroup>, Failure> {
        let now_ms = self.repository.now_ms();
        let mut going_on = DeletionGroup { position: Position::default(), people: Vec::new() };
        let members: Vec<(SubjectIndex, StoredDeletion)> =
            members.into_iter().enumerate().collect();
        for some in members.chunks(REQUESTS_PER_COMMIT) {
            let mut commit = Commit::default();
            let mut go_on = Vec::new();
            let mut done = 0;
            for (person, member) in some {
                let next = member.next(number, end, open_tables.get(person), now_ms);
                match &next {
                    Some(next) if next.not_before_ms <= now_ms => {
                        going_on.position = next.position();
                        go_on.push(member.person.clone());
                    }
                    Some(_) => {}
                    None => done += 1,
                }
                member.set(next, &mut commit);
            }
            // After a conflict another process has gone on with one of them.
            if self.repository.commit_rows(commit).await? == CommitOutcome::Committed {
                going_on.people.extend(go_on);
                count_deletions(done);
            }
        }
        Ok(Some(going_on).filter(|it| !it.people.is_empty()))
    }

    /// Looks again at the tables for which a deletion waits.
    async fn look_at_open_tables(&self, person: &PersonId) -> Result<(), Failure> {
        let row = self.repository.read_row(request_key(person)).await?;
        let Some(request) = row.value().0.clone() else { return Ok(()) };
        let Some(started) = request.started.clone() else { return Ok(()) };
        let people = DeletedPeople::new(vec![started.subject.clone()]);
        let job = DeletionJob::new(&self.repository, &self.delivery, &people);
        retry_tables(&job, 0, &started.open_tables).await?;
        let open_tables = job.into_open_tables().remove(&0).unwrap_or_default();
        let (after, wait_ms) = match open_tables.is_empty() {
            true => (TABLES_ENDED, 0),
            false => (AT_OPEN_TABLES, OPEN_TABLES_RETRY_MS),
        };
        let not_before_ms = self.repository.now_ms() + wait_ms;
        let next =
            StartedDeletion { after: after.to_owned(), not_before_ms, open_tables, ..started };
        let mut commit = Commit::default();
        let next = DeletionRequest { started: Some(next), ..request };
        row.set(&OptionalRow(Some(next)), &mut commit);
        self.repository.commit_rows(commit).await.map(drop)
    }

    /// Begins a deletion, or goes on with one whose tables have ended. Returns where; `None` if it
    /// was cancelled or another process has done so.
    async fn begin(
        &self,
        person: &PersonId,
        chats: &ChatsByReader,
    ) -> Result<Option<Position>, Failure> {
        let row = self.repository.read_row(request_key(person)).await?;
        let request = row.value().0.clone().filter(|it| it.is_due(self.repository.now_ms()));
        let Some(request) = request else { return Ok(None) };
        let started = match &request.started {
            Some(started) if started.after == TABLES_ENDED => {
                let (number, _) = started.position();
                let part = PARTS.get(number + 1).map(|it| it.about().to_owned());
                let part = part.unwrap_or_default();
                let after = String::new();
                let next = StartedDeletion { part, after, ..started.clone() };
                let mut commit = Commit::default();
                let stored = DeletionRequest { started: Some(next.clone()), ..request.clone() };
                row.set(&OptionalRow(Some(stored)), &mut commit);
                let outcome = self.repository.commit_rows(commit).await?;
                Some(next).filter(|_| outcome == CommitOutcome::Committed)
            }
            Some(_) => None,
            None => self.start(person, &row, &request, chats).await?,
        };
        Ok(started.map(|it| it.position()))
    }

    /// Starts a deletion: from now on it cannot be cancelled, and new games of the same accounts
    /// count for no rating for a while. `None` if it did not start.
    async fn start(
        &self,
        person: &PersonId,
        row: &RequestRow,
        request: &DeletionRequest,
        chats: &ChatsByReader,
    ) -> Result<Option<StartedDeletion>, Failure> {
        let mut commit = Commit::default();
        // Accounts that are linked or unlinked meanwhile are seen by the next attempt.
        let links = self.repository.read_row(TypedRowKey::links(person)).await?;
        links.require_unchanged(&mut commit);
        if self.repository.profiles().load_person(person).await?.main.is_some() {
            // The account was linked to another person after the request: that person stays.
            row.remove(&mut commit);
            return self.repository.commit_rows(commit).await.map(|_| None);
        }
        let subject = self.find_subject(person, request, chats).await?;
        commit.puts = self.repository.rating_block_puts(subject.accounts.keys()).await?;
        let accounts: Vec<&PersonId> = subject.accounts.keys().collect();
        ban_all_accounts(&self.repository, &accounts, &mut commit).await?;
        for (account, replacement) in &subject.accounts {
            if let Some(main) = subject.main_replacement().filter(|_| account != person) {
                // Computed ratings need to know which of the new ids are one person.
                let links = TypedRowKey::links(replacement);
                let links = self.repository.read_row(links).await?;
                let one_person =
                    LinkedAccounts { main: Some(main.clone()), ..LinkedAccounts::default() };
                links.set(&one_person, &mut commit);
            }
        }
        let part = PARTS.first().map(|it| it.about().to_owned()).unwrap_or_default();
        let started = StartedDeletion { subject, part, ..StartedDeletion::default() };
        let next = DeletionRequest { started: Some(started.clone()), ..request.clone() };
        row.set(&OptionalRow(Some(next)), &mut commit);
        // After a conflict the request was cancelled, or another process has begun.
        let outcome = self.repository.commit_rows(commit).await?;
        Ok(Some(started).filter(|_| outcome == CommitOutcome::Committed))
    }

    /// Collects the accounts and private chats of a person, and draws the ids that replace
    /// the accounts.
    async fn find_subject(
        &self,
        person: &PersonId,
        request: &DeletionRequest,
        chats: &ChatsByReader,
    ) -> Result<DeletionSubject, Failure> {
        let profile = self.repository.profiles().load_person(person).await?;
        let mut subject = DeletionSubject {
            accounts: BTreeMap::new(),
            main: Some(person.clone()),
            chats: request.chats.clone(),
            ..DeletionSubject::default()
        };
        let stores = self.delivery.account_stores();
        let accounts = std::iter::once(person).chain(&profile.accounts);
        for account in accounts {
            let own = self.repository.profiles().load_person(account).await?;
            let username =
                own.username.map(|it| (account.platform().to_owned(), it.to_lowercase()));
            subject.usernames.extend(username);
            // Opening a private chat could write to the person.
            subject.chats.extend(self.delivery.derived_private_chat(account));
            subject.chats.extend(stores.private_chats_of(account));
            subject.chats.extend(chats.get(account).into_iter().flatten().cloned());
            let token = self.repository.random_letters(REPLACEMENT_LETTERS);
            subject.accounts.insert(account.clone(), PersonId::deleted(&token));
        }
        // No account is linked or unlinked while a request waits, and a person has one on each
        // platform. An earlier version may have unlinked the account that asked for the deletion:
        // its chat belongs to another person now.
        let accounts = &subject.accounts;
        subject.chats.retain(|chat| accounts.keys().any(|it| it.platform() == chat.platform()));
        if subject.accounts.is_empty() {
            return Err(StoreError::Failed("a deletion names no account".to_owned()).into());
        }
        Ok(subject)
    }
}

impl StoredDeletion {
    /// The deletion after a page of the part with this number; `None` if all parts are done.
    /// `new_tables`: the open tables that the page has found.
    fn next(
        &self,
        number: usize,
        end: &PageEnd,
        new_tables: Option<&BTreeSet<TableId>>,
        now_ms: u64,
    ) -> Option<StartedDeletion> {
        let mut next = StartedDeletion { not_before_ms: 0, ..self.started.clone() };
        next.open_tables.extend(new_tables.into_iter().flatten().cloned());
        match end {
            PageEnd::More(after) => next.after.clone_from(after),
            PageEnd::Wait { after, for_ms } => {
                next.after.clone_from(after);
                next.not_before_ms = now_ms + for_ms;
            }
            PageEnd::Done if !next.open_tables.is_empty() => {
                AT_OPEN_TABLES.clone_into(&mut next.after);
                next.not_before_ms = now_ms + OPEN_TABLES_RETRY_MS;
            }
            PageEnd::Done => {
                PARTS.get(number + 1)?.about().clone_into(&mut next.part);
                next.after.clear();
            }
        }
        Some(next)
    }

    /// Adds to a commit that this is the deletion now; `None` if it is done.
    fn set(&self, next: Option<StartedDeletion>, commit: &mut Commit) {
        match next {
            Some(next) => {
                let next = DeletionRequest { started: Some(next), ..self.request.clone() };
                self.row.set(&OptionalRow(Some(next)), commit);
            }
            None => self.row.remove(commit),
        }
    }
}

/// Reports deletions that are done.
fn count_deletions(done: u64) {
    for _ in 0..done {
        tracing::info!("deleted the data of a person");
    }
    metrics::counter!("caravanserai_accounts_deleted_total").increment(done);
}
