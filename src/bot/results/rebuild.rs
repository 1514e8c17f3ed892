//! Folds all results again from a moment on, in one go, with the records in memory.
//!
//! A record changes with each game of its player, so it is written once, at the end, or when too
//! many others are in memory. Rows that are stored already are not written again. What is in the
//! store meanwhile is no state to continue from: a rebuild whose process has stopped begins again.
//!
//! The process that rebuilds has a lease. Each commit also requires an unchanged
//! [`ProjectionState`], so a process that has lost its lease writes nothing any more.

use super::facts::parse_result;
use super::fold::ResultFold;
use super::projection_state::LoadedState;
use super::record_cache::{RecordCache, is_outdated};
use super::rows::{self, ProjectionState, RebuildStep, RecordId, StoredRecord};
use crate::repository::{CommitOutcome, Failure, Repository};
use caravanserai_results::GameResult;
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
    repository: &'a Repository,
    /// The state as this process has stored it last.
    loaded: LoadedState,
    /// The most records in memory.
    records_max: usize,
}

/// Whether this process still does the rebuild.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// It does.
    Continue,
    /// Another process has changed the state, or has the lease.
    Lost,
}

/// Becomes, or stays, the process that rebuilds. Returns whether no other one is.
///
/// # Errors
/// When the store fails.
pub(super) async fn try_lease(repository: &Repository) -> Result<bool, Failure> {
    Ok(repository.store().try_lease(LEASE, repository.replica(), LEASE_MS).await?)
}

impl<'a> Rebuild<'a> {
    /// A rebuild that was requested by this state. The caller has the lease.
    pub(super) fn new(repository: &'a Repository, loaded: LoadedState, records_max: usize) -> Self {
        Rebuild { repository, loaded, records_max }
    }

    /// Folds all results after this one, and removes what no result supports any more. Stops early
    /// when another process has begun the rebuild again.
    ///
    /// # Errors
    /// When the store fails. The rebuild then begins again.
    pub(super) async fn run(mut self, after: &str) -> Result<(), Failure> {
        let state = self.loaded.state.clone();
        let mut fold = ResultFold::new(self.repository, &state);
        if self.fold_all(&mut fold, after).await? == Progress::Lost
            || self.write_records(&mut fold).await? == Progress::Lost
            || self.sweep(&fold).await? == Progress::Lost
        {
            tracing::info!(epoch = state.epoch, "another process computes the ratings again");
            return Ok(());
        }
        let finished = ProjectionState {
            rebuild: None,
            rebuilt_ms: self.repository.now_ms(),
            rewound_to_ms: u64::MAX,
            ..self.loaded.state.clone()
        };
        let commit = self.loaded.commit(Vec::new(), finished);
        if self.repository.commit_rows(commit).await? == CommitOutcome::Committed {
            tracing::info!(epoch = state.epoch, "ratings were computed again");
        }
        self.repository.store().release_lease(LEASE, self.repository.replica()).await?;
        Ok(())
    }

    /// Folds all results after this one.
    async fn fold_all(
        &mut self,
        fold: &mut ResultFold<'_>,
        after: &str,
    ) -> Result<Progress, Failure> {
        // Before the first row is written, the rebuild is marked as begun.
        if self.commit(Vec::new(), after).await? == Progress::Lost {
            return Ok(Progress::Lost);
        }
        let mut after = after.to_owned();
        let (mut folded, mut total) = (0, 0);
        loop {
            if !try_lease(self.repository).await? {
                return Ok(Progress::Lost);
            }
            let found = self.read_results(&after).await?;
            let Some((last, _)) = found.last() else { break };
            after.clone_from(last);
            let parsed = found
                .iter()
                .filter_map(|(key, value)| Some((key.clone(), parse_result(key, Some(value))?)));
            let page: Vec<(String, GameResult)> = parsed.collect();
            fold.add(&page).await?;
            folded += page.len();
            total += page.len();
            if total / RESULTS_PER_LOG_LINE > (total - page.len()) / RESULTS_PER_LOG_LINE {
                tracing::info!(results = total, "computing ratings again");
            }
            metrics::counter!("caravanserai_results_rebuilt_total").increment(page.len() as u64);
            if fold.rows() >= ROWS_PER_COMMIT || folded >= RESULTS_PER_COMMIT {
                folded = 0;
                if self.commit(fold.take_puts(), &after).await? == Progress::Lost {
                    return Ok(Progress::Lost);
                }
            }
            if self.write_surplus(fold, &after).await? == Progress::Lost {
                return Ok(Progress::Lost);
            }
            // Moves must not wait for the whole commit to be computed.
            tokio::task::yield_now().await;
        }
        self.commit(fold.take_puts(), &after).await
    }

    async fn read_results(&self, after: &str) -> Result<Vec<StoreRow>, Failure> {
        // The records of a page are in memory at the same time.
        let limit = (self.records_max / RECORDS_PER_RESULT).clamp(1, RESULTS_PER_READ);
        self.repository.read_rows_after(Space::Result, "", after, limit).await
    }

    /// Writes records until there is room for others.
    async fn write_surplus(
        &mut self,
        fold: &mut ResultFold<'_>,
        after: &str,
    ) -> Result<Progress, Failure> {
        loop {
            let puts = fold.take_surplus(self.records_max, ROWS_PER_COMMIT);
            if puts.is_empty() {
                return Ok(Progress::Continue);
            }
            if self.commit(puts, after).await? == Progress::Lost {
                return Ok(Progress::Lost);
            }
        }
    }

    /// Writes the records that are in memory.
    async fn write_records(&mut self, fold: &mut ResultFold<'_>) -> Result<Progress, Failure> {
        while let Some(puts) = fold.take_records(ROWS_PER_COMMIT) {
            if !try_lease(self.repository).await?
                || (!puts.is_empty() && self.commit(puts, "").await? == Progress::Lost)
            {
                return Ok(Progress::Lost);
            }
            tokio::task::yield_now().await;
        }
        Ok(Progress::Continue)
    }

    /// Restores or removes the records that were not computed again: no result supports them any
    /// more.
    async fn sweep(&mut self, fold: &ResultFold<'_>) -> Result<Progress, Failure> {
        let mut after = String::new();
        loop {
            let found = self
                .repository
                .read_rows_after(Space::Rating, rows::RECORDS_PREFIX, &after, RECORDS_PER_PAGE)
                .await?;
            let Some((last, _)) = found.last() else { return Ok(Progress::Continue) };
            after.clone_from(last);
            let state = self.loaded.state.clone();
            let is_unsupported = |(key, value): &&StoreRow| {
                let stored = || serde_json::from_slice::<StoredRecord>(value);
                !fold.keeps(key) && stored().is_ok_and(|it| is_outdated(&it, &state))
            };
            let unsupported = found.iter().filter(is_unsupported);
            let ids = unsupported.filter_map(|(key, _)| RecordId::parse_current(key));
            let mut cache = RecordCache::new(self.repository, &state);
            cache.load(ids).await?;
            let puts = cache.take_puts(usize::MAX);
            if !try_lease(self.repository).await?
                || (!puts.is_empty() && self.commit(puts, "").await? == Progress::Lost)
            {
                return Ok(Progress::Lost);
            }
            tokio::task::yield_now().await;
        }
    }

    /// Writes rows and how far the rebuild has got.
    async fn commit(&mut self, puts: Vec<Put>, after: &str) -> Result<Progress, Failure> {
        let rebuild = Some(RebuildStep::Underway { after: after.to_owned() });
        let next = ProjectionState { rebuild, ..self.loaded.state.clone() };
        let (commit, stored) = self.loaded.commit_and_continue(puts, next);
        Ok(match self.repository.commit_rows(commit).await? {
            CommitOutcome::Committed => {
                self.loaded = stored;
                Progress::Continue
            }
            CommitOutcome::Conflict => Progress::Lost,
        })
    }
}
