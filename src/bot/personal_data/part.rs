//! Defines what every part of the store that holds personal data declares.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use parking_lot::Mutex;

use super::export::{ExportSource, PersonalExport};
use super::subject::{DeletedPeople, SubjectIndex};
use crate::delivery::Delivery;
use crate::repository::{CommitOutcome, Failure, Repository};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Commit, Expect, Put, Space, StoreRow};

/// The most rows that are read at once.
const ROWS_PER_PAGE: usize = 200;

/// Separates the number of a family from a key in stored progress.
const PROGRESS_SEPARATOR: char = '|';

/// A part of the store that holds personal data: which rows, what they are and how long they are
/// kept, how they are exported and how they are deleted.
///
/// A part is listed in [`PARTS`](super::parts::PARTS). A test fails for rows that belong neither
/// to a part nor to [`WITHOUT_PERSONAL_DATA`](super::parts::WITHOUT_PERSONAL_DATA).
///
/// # Examples
///
/// A part whose rows expire by themselves, and are copies of what other parts export:
///
/// ```
/// use async_trait::async_trait;
/// use caravanserai_bot::personal_data::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
/// use caravanserai_bot::repository::Failure;
/// use caravanserai_store::Space;
///
/// struct Answers;
///
/// #[async_trait]
/// impl PersonalDataPart for Answers {
///     fn families(&self) -> &'static [KeyFamily] {
///         const FAMILIES: &[KeyFamily] = &[KeyFamily::all(Space::Seen)];
///         FAMILIES
///     }
///
///     fn about(&self) -> &'static str {
///         "answer-data-answers"
///     }
///
///     async fn delete_page(
///         &self,
///         _job: &DeletionJob<'_>,
///         _after: &str,
///     ) -> Result<PageEnd, Failure> {
///         Ok(PageEnd::Done)
///     }
/// }
///
/// assert!(Answers.families()[0].contains(Space::Seen, "tg/17"));
/// ```
#[async_trait]
pub trait PersonalDataPart: Send + Sync {
    /// The rows that it covers.
    fn families(&self) -> &'static [KeyFamily];

    /// The key of the sentence that tells people what it is and how long it is kept. It also
    /// identifies the part in stored progress, so it never changes.
    fn about(&self) -> &'static str;

    /// Adds what it holds about a person to their export. A part adds nothing if its rows are
    /// copies of what other parts export.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn export(
        &self,
        _source: &ExportSource<'_>,
        _export: &mut PersonalExport,
    ) -> Result<(), Failure> {
        Ok(())
    }

    /// Deletes or replaces a page of what it holds about the people; without an implementation, the
    /// rows that name one of them are removed. `after` is empty for the first page, then what the
    /// last page returned. A page may run twice, and beside other commits.
    ///
    /// # Errors
    /// When the store fails. The page is repeated then.
    async fn delete_page(&self, job: &DeletionJob<'_>, after: &str) -> Result<PageEnd, Failure> {
        job.remove_naming_rows(self.families(), after, || None).await
    }
}

/// The context in which a part deletes its rows.
pub struct DeletionJob<'a> {
    /// The store.
    pub repository: &'a Repository,
    /// The platforms.
    pub delivery: &'a Delivery,
    /// The people whose data is deleted.
    pub people: &'a DeletedPeople,
    /// The open tables that a person has to leave first.
    open_tables: Mutex<BTreeMap<SubjectIndex, BTreeSet<TableId>>>,
}

impl<'a> DeletionJob<'a> {
    /// Deletes the data of these people.
    pub(super) fn new(
        repository: &'a Repository,
        delivery: &'a Delivery,
        people: &'a DeletedPeople,
    ) -> Self {
        DeletionJob { repository, delivery, people, open_tables: Mutex::default() }
    }
}

impl DeletionJob<'_> {
    /// Notes that the deletion of a person waits for a table.
    pub(super) fn wait_for_table(&self, person: SubjectIndex, table: &TableId) {
        self.open_tables.lock().entry(person).or_default().insert(table.clone());
    }

    /// The tables for which deletions wait.
    pub(super) fn into_open_tables(self) -> BTreeMap<SubjectIndex, BTreeSet<TableId>> {
        self.open_tables.into_inner()
    }

    /// Writes the changes of a page and returns its end; after a conflict, the page is repeated.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn commit_page(
        &self,
        commit: Commit,
        after: &str,
        end: PageEnd,
    ) -> Result<PageEnd, Failure> {
        let is_refused = !commit.puts.is_empty()
            && self.repository.commit_rows(commit).await? == CommitOutcome::Conflict;
        Ok(if is_refused { PageEnd::More(after.to_owned()) } else { end })
    }

    /// Removes the rows of a page that name one of the people in their keys or values. `after` and
    /// `also`: as for [`Self::change_rows`].
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn remove_naming_rows(
        &self,
        families: &[KeyFamily],
        after: &str,
        also: impl Fn() -> Option<Put>,
    ) -> Result<PageEnd, Failure> {
        let removal = |space: Space, row: &StoreRow| {
            self.names_people(space, row).then(|| Put::remove(space, row.0.clone()))
        };
        self.change_rows(families, after, removal, also).await
    }

    /// Changes the rows of a page for which `change` gives a put. If there are any, the same commit
    /// writes the row of `also`. `after`: the number of the family and the last key.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn change_rows(
        &self,
        families: &[KeyFamily],
        after: &str,
        change: impl Fn(Space, &StoreRow) -> Option<Put>,
        also: impl Fn() -> Option<Put>,
    ) -> Result<PageEnd, Failure> {
        let (number, key) = after.split_once(PROGRESS_SEPARATOR).unwrap_or(("0", ""));
        let number: usize = number.parse().unwrap_or_default();
        let Some(family) = families.get(number) else { return Ok(PageEnd::Done) };
        let space = family.space;
        let prefix = family.scan_prefix();
        let rows = self.repository.read_rows_after(space, prefix, key, ROWS_PER_PAGE).await?;
        let mut commit = Commit::default();
        for row in &rows {
            let Some(put) = change(space, row) else { continue };
            // A row that has changed since is read again.
            commit.expect.push(Expect::equals(space, row.0.clone(), row.1.clone()));
            commit.puts.push(put);
        }
        if !commit.puts.is_empty() {
            commit.puts.extend(also());
        }
        let next = match rows.last() {
            Some((last, _)) if rows.len() == ROWS_PER_PAGE => {
                format!("{number}{PROGRESS_SEPARATOR}{last}")
            }
            _ => format!("{}{PROGRESS_SEPARATOR}", number + 1),
        };
        self.commit_page(commit, after, PageEnd::More(next)).await
    }

    /// Whether a row is about one of the people. Settings of groups stay, whatever they name.
    fn names_people(&self, space: Space, (key, value): &StoreRow) -> bool {
        let by_value = match space {
            Space::ChatProfile | Space::Keep => false,
            // The linked accounts of a person are removed with the keys of each of them.
            Space::Person => key.starts_with('@'),
            _ => true,
        };
        self.people.is_in_key(key) || (by_value && self.people.is_in_value(value))
    }
}

/// How a page of a deletion ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageEnd {
    /// There are more pages: the next one begins here.
    More(String),
    /// Something must end first, such as a game. The next page begins here, at the earliest after
    /// this time in milliseconds.
    Wait {
        /// Where the next page begins.
        after: String,
        /// The least time until then, in milliseconds.
        for_ms: u64,
    },
    /// The part holds nothing about the people any more, apart from rows that expire.
    Done,
}

impl PageEnd {
    /// The end of a page of rows that are read in the order of their keys: a page without rows is
    /// the last one.
    pub(super) fn after_rows(rows: &[StoreRow]) -> Self {
        rows.last().map_or(PageEnd::Done, |(last, _)| PageEnd::More(last.clone()))
    }
}

/// A group of rows of a space whose keys have the same form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyFamily {
    space: Space,
    form: KeyForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyForm {
    All,
    Prefix(&'static str),
    Exact(&'static str),
    Account,
}

impl KeyFamily {
    /// All rows of a space.
    pub const fn all(space: Space) -> Self {
        KeyFamily { space, form: KeyForm::All }
    }

    /// The rows whose keys begin so.
    pub const fn prefix(space: Space, prefix: &'static str) -> Self {
        KeyFamily { space, form: KeyForm::Prefix(prefix) }
    }

    /// One row.
    pub const fn exact(space: Space, key: &'static str) -> Self {
        KeyFamily { space, form: KeyForm::Exact(key) }
    }

    /// The rows whose keys are the ids of accounts.
    pub const fn accounts(space: Space) -> Self {
        KeyFamily { space, form: KeyForm::Account }
    }

    /// The space.
    pub fn space(&self) -> Space {
        self.space
    }

    /// The prefix of all its keys. Other families may have keys with the same prefix.
    pub fn scan_prefix(&self) -> &'static str {
        match self.form {
            KeyForm::All | KeyForm::Account => "",
            KeyForm::Prefix(prefix) | KeyForm::Exact(prefix) => prefix,
        }
    }

    /// Whether it contains the row with this key.
    pub fn contains(&self, space: Space, key: &str) -> bool {
        let has_form = match self.form {
            KeyForm::All => true,
            KeyForm::Prefix(prefix) => key.starts_with(prefix),
            KeyForm::Exact(exact) => key == exact,
            KeyForm::Account => !key.contains(' ') && !key.starts_with('@'),
        };
        space == self.space && has_form
    }
}
