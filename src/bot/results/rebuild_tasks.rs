//! The tasks that run beside the fold of a rebuild: one reads results a page ahead, another
//! computes the rows of folded results while the next ones are folded.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio_util::task::AbortOnDropHandle;

use super::row_builder::{FoldedResult, rows_of_results};
use super::row_formats::ProjectionState;
use super::stored_results::parse_result;
use crate::repository::{Failure, Repository};
use caravanserai_results::GameResult;
use caravanserai_store::{Put, Space, StoreError};

/// The most pages of folded results whose rows are computed at the same time.
const PAGES_UNDER_WAY: usize = 2;

/// Results in the order of their keys.
pub(super) struct ResultPage {
    /// The key of the last result that was read.
    pub(super) last: String,
    /// The results that can be read, each with its key.
    pub(super) results: Vec<(String, GameResult)>,
}

/// A task, which ends when nobody waits for it any more.
type Task<T> = AbortOnDropHandle<Result<T, Failure>>;

/// Reads stored results page by page, one page ahead.
pub(super) struct ResultReader {
    repository: Arc<Repository>,
    /// The most results of a page.
    limit: usize,
    next: Task<Option<ResultPage>>,
}

impl ResultReader {
    /// Begins to read the results after this key.
    pub(super) fn new(repository: &Arc<Repository>, after: &str, limit: usize) -> Self {
        let next = read_page(repository.clone(), after.to_owned(), limit);
        ResultReader { repository: repository.clone(), limit, next }
    }

    /// The next page; `None` after the last one.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn next(&mut self) -> Result<Option<ResultPage>, Failure> {
        let Some(page) = finish(&mut self.next).await? else { return Ok(None) };
        self.next = read_page(self.repository.clone(), page.last.clone(), self.limit);
        Ok(Some(page))
    }
}

fn read_page(repository: Arc<Repository>, after: String, limit: usize) -> Task<Option<ResultPage>> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        let found = repository.read_rows_after(Space::Result, "", &after, limit).await?;
        let Some((last, _)) = found.last() else { return Ok(None) };
        let last = last.clone();
        let parsed = found.into_iter().filter_map(|(key, value)| {
            let result = parse_result(&key, Some(&value))?;
            Some((key, result))
        });
        Ok(Some(ResultPage { last, results: parsed.collect() }))
    }))
}

/// Computes the rows of folded results page by page.
pub(super) struct RowTasks {
    repository: Arc<Repository>,
    state: Arc<ProjectionState>,
    /// The pages, the first one first.
    under_way: VecDeque<Task<Vec<Put>>>,
}

impl RowTasks {
    /// Has nothing to do yet.
    pub(super) fn new(repository: &Arc<Repository>, state: ProjectionState) -> Self {
        let repository = repository.clone();
        let state = Arc::new(state);
        RowTasks { repository, state, under_way: VecDeque::new() }
    }

    /// Begins to compute the rows of a page. Returns the rows of an earlier one that are to be
    /// written; none while few pages are under way.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn add(&mut self, results: Vec<FoldedResult>) -> Result<Vec<Put>, Failure> {
        let repository = self.repository.clone();
        let state = self.state.clone();
        self.under_way.push_back(AbortOnDropHandle::new(tokio::spawn(async move {
            rows_of_results(&repository, &state, &results).await
        })));
        match self.under_way.len() > PAGES_UNDER_WAY {
            true => self.next().await,
            false => Ok(Vec::new()),
        }
    }

    /// The rows of the first page that is under way; none without one.
    async fn next(&mut self) -> Result<Vec<Put>, Failure> {
        match self.under_way.pop_front() {
            Some(mut task) => finish(&mut task).await,
            None => Ok(Vec::new()),
        }
    }

    /// Waits for all pages that are under way, and returns their rows.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn finish(&mut self) -> Result<Vec<Put>, Failure> {
        let mut rows = Vec::new();
        while !self.under_way.is_empty() {
            rows.extend(self.next().await?);
        }
        Ok(rows)
    }
}

/// Waits for a task.
async fn finish<T>(task: &mut Task<T>) -> Result<T, Failure> {
    task.await.unwrap_or_else(|_| {
        Err(StoreError::Failed("a task of the rebuild panicked".to_owned()).into())
    })
}
