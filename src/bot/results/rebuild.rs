//! Folds all results again from a moment on, in one go, with the records in memory.
//!
//! A record changes with each game of its player, so it is written once, at the end, or when too
//! many others are in memory. Rows that are stored already are not written again. A rebuild cannot
//! continue from the rows in the store: if its process stops, it begins again.
//!
//! The process that rebuilds has a lease. Each commit also requires an unchanged
//! [`ProjectionState`], so a process that has lost its lease writes nothing any more.

use std::sync::Arc;

use super::fold::ResultFold;
use super::projection_state::LoadedState;
use super::rebuild_tasks::{ResultReader, RowTasks};
use super::record_cache::{RecordCache, is_outdated};
use super::row_formats::{self, ProjectionState, RebuildStep, RecordId, StoredRecord};
use crate::repository::{CommitOutcome, Failure, Repository};
use caravanserai_store::{Put, Space, StoreRow};

/// The most results that are read at once.
const RESULTS_PER_READ: usize = 256;

/// The records that a game for two changes: of each player overall and in the chat, for good and
/// for the month.
const RECORDS_PER_RESULT: usize = 8;

/// The most results between two commits, which show the progress.
const RESULTS_PER_COMMIT: usize = 16_384;

/// The progress is logged each time that so many results are folded.
const RESULTS_PER_LOG_LINE: usize = 50_000;

/// A commit has about so many rows: a larger one would delay moves.
const ROWS_PER_COMMIT: usize = 4_000;

/// The most records that are checked at once after all results are folded.
const RECORDS_PER_PAGE: usize = 500;

/// The name of the lease of the process that rebuilds, and its length in milliseconds.
const LEASE: &str = "results rebuild";
const LEASE_MS: u64 = 30_000;

/// A rebuild that was requested, in the process that does it.
pub(super) struct Rebuild<'a> {
    repository: &'a Arc<Repository>,
    /// The state as this process has stored it last.
    loaded: LoadedState,
    /// The last result that was folded.
    after: String,
    /// The most records in memory.
    records_max: usize,
}

/// Why this process does not finish the rebuild.
enum Interruption {
    /// Another process has changed the state, or has the lease.
    Lost,
    /// The store failed.
    Failed(Failure),
}

impl From<Failure> for Interruption {
    fn from(failure: Failure) -> Self {
        Interruption::Failed(failure)
    }
}

/// Becomes, or stays, the process that rebuilds. Returns whether no other one is.
///
/// # Errors
/// When the store fails.
pub(super) async fn try_lease(repository: &Repository) -> Result<bool, Failure> {
    Ok(repository.store().try_lease(LEASE, repository.replica(), LEASE_MS).await?)
}

impl<'a> Rebuild<'a> {
    /// A rebuild of everything after this result, requested by this state. The caller has the
    /// lease.
    pub(super) fn new(
        repository: &'a Arc<Repository>,
        loaded: LoadedState,
        after: String,
        records_max: usize,
    ) -> Self {
        Rebuild { repository, loaded, after, records_max }
    }

    /// Folds the results, and removes what no result supports any more. Stops early when another
    /// process has begun the rebuild again.
    ///
    /// # Errors
    /// When the store fails. The rebuild then begins again.
    pub(super) async fn run(mut self) -> Result<(), Failure> {
        let epoch = self.loaded.state.epoch;
        match self.run_to_end().await {
            Ok(()) => {
                tracing::info!(epoch, "ratings were computed again");
                self.repository.store().release_lease(LEASE, self.repository.replica()).await?;
                Ok(())
            }
            Err(Interruption::Lost) => {
                tracing::info!(epoch, "another process computes the ratings again");
                Ok(())
            }
            Err(Interruption::Failed(failure)) => Err(failure),
        }
    }

    async fn run_to_end(&mut self) -> Result<(), Interruption> {
        let state = self.loaded.state.clone();
        let mut fold = ResultFold::new(self.repository, &state);
        self.fold_all(&mut fold).await?;
        self.write_records(&mut fold).await?;
        self.sweep(&fold).await?;
        let finished = ProjectionState {
            rebuild: None,
            rebuilt_ms: self.repository.now_ms(),
            rewound_to_ms: u64::MAX,
            compares_histories: false,
            ..self.loaded.state.clone()
        };
        self.commit_state(Vec::new(), finished).await
    }

    /// Folds all results.
    async fn fold_all(&mut self, fold: &mut ResultFold<'_>) -> Result<(), Interruption> {
        // Before the first row is written, the rebuild is marked as begun.
        self.commit(Vec::new()).await?;
        // The records of a page are in memory at the same time.
        let limit = (self.records_max / RECORDS_PER_RESULT).clamp(1, RESULTS_PER_READ);
        let mut reader = ResultReader::new(self.repository, &self.after, limit);
        let mut tasks = RowTasks::new(self.repository, self.loaded.state.clone());
        let mut rows = Vec::new();
        let mut uncommitted = 0;
        let mut total = 0;
        while let Some(page) = reader.next().await? {
            self.keep_lease().await?;
            let count = page.results.len();
            let has_many_rows = rows.len() + fold.month_rows() >= ROWS_PER_COMMIT;
            let folded = if has_many_rows || uncommitted >= RESULTS_PER_COMMIT {
                uncommitted = 0;
                rows.extend(fold.take_months());
                let commit = self.commit(std::mem::take(&mut rows));
                // The store writes while the next results are folded.
                let (committed, folded) = tokio::join!(commit, fold.add(page.results));
                committed?;
                folded?
            } else {
                fold.add(page.results).await?
            };
            rows.extend(tasks.add(folded).await?);
            self.after = page.last;
            uncommitted += count;
            report_progress(total, count);
            total += count;
            self.write_surplus(fold).await?;
        }
        rows.extend(tasks.finish().await?);
        rows.extend(fold.take_months());
        self.commit(rows).await
    }

    /// Writes records until there is room for others.
    async fn write_surplus(&mut self, fold: &mut ResultFold<'_>) -> Result<(), Interruption> {
        loop {
            let puts = fold.take_surplus(self.records_max, ROWS_PER_COMMIT);
            if puts.is_empty() {
                return Ok(());
            }
            self.commit(puts).await?;
        }
    }

    /// Writes the records that are in memory.
    async fn write_records(&mut self, fold: &mut ResultFold<'_>) -> Result<(), Interruption> {
        while let Some(puts) = fold.take_records(ROWS_PER_COMMIT) {
            self.write_page(puts).await?;
        }
        Ok(())
    }

    /// Restores or removes the records that were not computed again: no result supports them any
    /// more.
    async fn sweep(&mut self, fold: &ResultFold<'_>) -> Result<(), Interruption> {
        let mut after = String::new();
        loop {
            let found = self
                .repository
                .read_rows_after(
                    Space::Rating,
                    row_formats::RECORDS_PREFIX,
                    &after,
                    RECORDS_PER_PAGE,
                )
                .await?;
            let Some((last, _)) = found.last() else { return Ok(()) };
            after.clone_from(last);
            let state = self.loaded.state.clone();
            let is_unsupported = |(key, value): &&StoreRow| {
                let stored = || serde_json::from_slice::<StoredRecord>(value);
                !fold.keeps(key) && stored().is_ok_and(|it| is_outdated(&it, &state))
            };
            let unsupported = found.iter().filter(is_unsupported);
            let ids = unsupported.filter_map(|(key, _)| RecordId::parse_current(key));
            let ids: Vec<RecordId> = ids.collect();
            let mut cache = RecordCache::new(self.repository, &state);
            cache.load(&ids.iter().collect::<Vec<_>>()).await?;
            let puts = cache.take_puts(usize::MAX);
            self.write_page(puts).await?;
        }
    }

    /// Writes the rows of a page, which may be none, and lets other work run.
    async fn write_page(&mut self, puts: Vec<Put>) -> Result<(), Interruption> {
        self.keep_lease().await?;
        if !puts.is_empty() {
            self.commit(puts).await?;
        }
        tokio::task::yield_now().await;
        Ok(())
    }

    async fn keep_lease(&self) -> Result<(), Interruption> {
        match try_lease(self.repository).await? {
            true => Ok(()),
            false => Err(Interruption::Lost),
        }
    }

    /// Writes rows and how far the rebuild has got.
    async fn commit(&mut self, puts: Vec<Put>) -> Result<(), Interruption> {
        let rebuild = Some(RebuildStep::Underway { after: self.after.clone() });
        let next = ProjectionState { rebuild, ..self.loaded.state.clone() };
        self.commit_state(puts, next).await
    }

    async fn commit_state(
        &mut self,
        puts: Vec<Put>,
        next: ProjectionState,
    ) -> Result<(), Interruption> {
        let (commit, stored) = self.loaded.commit_and_continue(puts, next);
        match self.repository.commit_rows(commit).await? {
            CommitOutcome::Committed => {
                self.loaded = stored;
                Ok(())
            }
            CommitOutcome::Conflict => Err(Interruption::Lost),
        }
    }
}

/// Reports that results were folded, after so many others.
fn report_progress(before: usize, folded: usize) {
    metrics::counter!("caravanserai_results_rebuilt_total").increment(folded as u64);
    if (before + folded) / RESULTS_PER_LOG_LINE > before / RESULTS_PER_LOG_LINE {
        tracing::info!(results = before + folded, "computing ratings again");
    }
}
