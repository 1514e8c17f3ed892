//! Collects the results of games that ended before results were stored, from logs and records, page
//! by page.
//!
//! The progress is stored, so the work continues after a restart, and several processes read each
//! page only once. When all results are collected and some were new, everything is computed again.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};

use super::progress::ResultWork;
use super::queries::ResultQueries;
use super::row_formats;
use super::stored_results::result_key;
use crate::repository::stored_rows::{parse_json_or_default, put_json};
use crate::repository::{CommitOutcome, Failure, Repository, log_skipped_log};
use caravanserai_games::ids::TableId;
use caravanserai_results::GameResult;
use caravanserai_store::{Commit, Expect, Put, Space, StoreQuery, StoreRow};
use caravanserai_table::archive;
use caravanserai_table::state::Table;

/// The lists of tables to read, in this order.
const TABLE_LISTS: [Space; 2] = [Space::Head, Space::Archive];

/// The most tables that are read at once.
pub(super) const TABLES_PER_PAGE: usize = 20;

/// The version of the contents of results, and of the fixed ratings of computers with which they
/// are rated. After an increase all results are collected once more and all ratings are computed
/// again, because those of earlier programs lack something: with 1, the counts of what players did;
/// with 2, the ratings of computers; with 3, games that a player ended without an outcome, and the
/// limit for the games of a pair in all chats, which is valid for earlier games, too; with 4, the
/// limits for pairs at tables for three and four, and the age of accounts by their games of all
/// kinds; with 5, the rounds that a person had lost before they gave up their seat, those who came
/// back to it, and that games in single messages belong to no chat; with 6, the ways to play that
/// players chose, and best wins; with 7, outcomes among those who are rated, and that a seat
/// belongs to the first player who gave it up; with 8, repeated wins against computers, and losses
/// to new accounts in very short games; with 9, that casual games neither lead to a pause nor
/// prevent one; with 10, that the result of a game stays in the chat in which it was opened.
///
/// It must increase with each change of a file that
/// [`computer_ratings`](caravanserai_games::computer_ratings) reads: otherwise games before the
/// upgrade would keep the ratings of the old file until a late result or a linked account has them
/// computed again.
const RESULT_VERSION: u32 = 10;

/// The progress of the collection.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct CollectionProgress {
    /// The [`RESULT_VERSION`] of the program that collects or has collected.
    version: u32,
    /// The number of finished lists.
    list: usize,
    /// The last processed row of the next list.
    after: String,
    /// Whether results were found that were not stored, or all are to be computed again.
    has_found: bool,
}

impl CollectionProgress {
    /// Nothing was read yet.
    fn begin() -> Self {
        CollectionProgress { version: RESULT_VERSION, ..CollectionProgress::default() }
    }

    /// Nothing was read yet, and everything is computed again afterwards.
    fn begin_rebuild() -> Self {
        CollectionProgress { has_found: true, ..Self::begin() }
    }

    /// The progress in a stored row. A collection of an earlier version begins again.
    fn parse(row: Option<Vec<u8>>) -> Self {
        let is_upgrade = row.is_some();
        let stored: CollectionProgress = parse_json_or_default(row);
        if stored.version < RESULT_VERSION {
            CollectionProgress { has_found: is_upgrade, ..Self::begin() }
        } else {
            stored
        }
    }

    /// The present work on results; `None` if all results are collected.
    fn as_work(&self) -> Option<ResultWork> {
        let is_over = self.list >= TABLE_LISTS.len();
        (!is_over).then(|| ResultWork::Reading {
            in_records: self.list > 0,
            after: self.after.clone(),
            computes_again: self.has_found,
        })
    }
}

impl ResultQueries<'_> {
    /// Whether the results of all games that ended earlier are stored: until then their logs are
    /// needed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn are_collected(self) -> Result<bool, Failure> {
        Ok(self.reading().await?.is_none())
    }

    /// How far results are read from logs and records; `None` if all are.
    pub(super) async fn reading(self) -> Result<Option<ResultWork>, Failure> {
        let row = self.repository.read_value(Space::Meta, row_formats::COLLECTION_STATE).await?;
        Ok(CollectionProgress::parse(row).as_work())
    }

    /// Requests that all results are collected and everything is computed again: a running bot
    /// does it. Returns whether that is not underway already. `audit`: written in the same commit.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn request_rebuild(self, audit: Put) -> Result<bool, Failure> {
        let collector = ResultCollector { repository: self.repository };
        loop {
            let row =
                self.repository.read_value(Space::Meta, row_formats::COLLECTION_STATE).await?;
            if self.progress().await?.work.is_rebuild_of_all() {
                return Ok(false);
            }
            let first = CollectionProgress::begin_rebuild();
            let audit = Commit::from_puts(vec![audit.clone()]);
            if collector.replace_progress(row, &first, audit).await? == CommitOutcome::Committed {
                return Ok(true);
            }
        }
    }
}

/// The result of a step of the collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CollectionStep {
    /// There are more tables.
    More,
    /// All tables were read. The caller acts on what was found and then calls
    /// [`ResultCollector::finish`].
    AllRead {
        /// Whether some of their results were new.
        has_found: bool,
        /// The progress as it is stored.
        row: Option<Vec<u8>>,
    },
    /// The collection was finished before.
    Finished,
}

/// Collects results from the logs and records of tables.
pub(super) struct ResultCollector<'a> {
    pub(super) repository: &'a Repository,
}

impl ResultCollector<'_> {
    /// Begins from the first table again, and computes everything again when all are read.
    pub(super) async fn restart(&self) -> Result<(), Failure> {
        let first = CollectionProgress::begin_rebuild();
        loop {
            let row =
                self.repository.read_value(Space::Meta, row_formats::COLLECTION_STATE).await?;
            let replaced = self.replace_progress(row, &first, Commit::default()).await?;
            if replaced == CommitOutcome::Committed {
                return Ok(());
            }
        }
    }

    async fn replace_progress(
        &self,
        row: Option<Vec<u8>>,
        next: &CollectionProgress,
        mut with: Commit,
    ) -> Result<CommitOutcome, Failure> {
        let key = row_formats::COLLECTION_STATE.to_owned();
        with.expect.push(Expect { space: Space::Meta, key: key.clone(), value: row });
        with.puts.push(put_json(Space::Meta, key, next));
        self.repository.commit_rows(with).await
    }

    /// Reads the next page of tables.
    pub(super) async fn collect_next_page(&self) -> Result<CollectionStep, Failure> {
        let stored = self.repository.read_value(Space::Meta, row_formats::COLLECTION_STATE).await?;
        let progress = CollectionProgress::parse(stored.clone());
        let Some(&space) = TABLE_LISTS.get(progress.list) else {
            return Ok(CollectionStep::Finished);
        };
        let after = &progress.after;
        let found = self.repository.read_rows_after(space, "", after, TABLES_PER_PAGE).await?;
        let new = self.new_results(space, &found).await?;
        let has_found = progress.has_found || !new.puts.is_empty();
        if found.is_empty() && progress.list + 1 == TABLE_LISTS.len() {
            return Ok(CollectionStep::AllRead { has_found, row: stored });
        }
        let next = match found.last() {
            Some((key, _)) => CollectionProgress { after: key.clone(), has_found, ..progress },
            None => {
                let list = progress.list + 1;
                CollectionProgress { list, after: String::new(), has_found, ..progress }
            }
        };
        // After a conflict another process has done this page.
        self.replace_progress(stored, &next, new).await.map(|_| CollectionStep::More)
    }

    /// Marks that all tables were read, and that everything that follows from it is stored. After a
    /// conflict, another process has begun again or finished, too.
    pub(super) async fn finish(&self, row: Option<Vec<u8>>) -> Result<(), Failure> {
        let list = TABLE_LISTS.len();
        let progress = CollectionProgress { list, ..CollectionProgress::begin() };
        self.replace_progress(row, &progress, Commit::default()).await.map(drop)
    }

    /// Writes the results of these tables that are not stored, or differ from the stored ones. A
    /// stored result that changes meanwhile is read again.
    async fn new_results(&self, space: Space, found: &[StoreRow]) -> Result<Commit, Failure> {
        let mut logs: Vec<(String, TableSource)> = Vec::new();
        if space == Space::Archive {
            let record =
                |(key, value): &StoreRow| (key.clone(), TableSource::Record(value.clone()));
            logs.extend(found.iter().map(record));
        } else {
            let ids = found.iter().map(|(key, _)| TableId(key.clone())).collect();
            let read = self.repository.read_readable_logs(ids, log_skipped_log).await?.into_iter();
            logs.extend(read.map(|(id, lines)| (id.0, TableSource::Log(lines))));
        }
        let mut results: Vec<GameResult> = Vec::new();
        for (key, source) in &logs {
            results.extend(source.result(key));
            // Replaying games takes time, and presses must not wait for all of them.
            tokio::task::yield_now().await;
        }
        let query = |it: &GameResult| StoreQuery::value_of(Space::Result, result_key(it));
        let queries: Vec<StoreQuery> = results.iter().map(query).collect();
        let mut commit = Commit::default();
        for (result, answer) in results.into_iter().zip(self.repository.read_many(&queries).await?)
        {
            let key = result_key(&result);
            let stored = answer.value()?;
            let earlier = stored.as_deref().and_then(|it| GameResult::parse(it).ok());
            let encoded = result.with_deleted_people_of(earlier.as_ref()).encode();
            if stored.as_ref() != Some(&encoded) {
                commit.expect.push(Expect {
                    space: Space::Result,
                    key: key.clone(),
                    value: stored,
                });
                commit.puts.push(Put::new(Space::Result, key, encoded));
            }
        }
        Ok(commit)
    }
}

/// The stored form of a table from which its result is read.
enum TableSource {
    Log(Vec<String>),
    Record(Vec<u8>),
}

impl TableSource {
    /// The result of this table. Tables that cannot be read have none: they are reported when they
    /// are used.
    fn result(&self, table: &str) -> Option<GameResult> {
        let id = TableId(table.to_owned());
        let read = || match self {
            TableSource::Log(lines) => Table::from_log(&id, lines).ok()?.game_result(),
            TableSource::Record(record) => {
                Table::from_log(&id, &archive::unpack(record).ok()?).ok()?.game_result()
            }
        };
        catch_unwind(AssertUnwindSafe(read)).ok().flatten()
    }
}
