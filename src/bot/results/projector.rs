//! Folds the results of finished games into records, lists and histories.
//!
//! Results are folded in the order in which their games ended. Each page of new ones is one commit
//! that requires an unchanged [`ProjectionState`], so of several processes one succeeds, and a
//! process that stops half-way has written nothing.
//!
//! A result that arrives late, from a process that was down or from an import, matters only if one
//! of its players has finished a game of this kind since, or if it is the first game of one of
//! them. Then everything from the beginning of its month on is folded again (see `rebuild`):
//! records of earlier months are kept for that. People keep seeing the old values until the new
//! ones replace them.

use std::sync::Arc;

use tokio::sync::Notify;

use super::collector::{CollectionStep, ResultCollector, TABLES_PER_PAGE};
use super::current_ids::{CurrentIds, ScopeIds};
use super::fold::ResultFold;
use super::progress::{ResultProgress, ResultWork};
use super::projection_state::LoadedState;
use super::rebuild::{self, Rebuild};
use super::record_cache::RecordCache;
use super::row_builder::rows_of_results;
use super::row_formats::{self, ProjectionState, RebuildStep, RecordId};
use super::stored_results::{has_ended, read_waiting_results};
use crate::repository::stored_rows::remove_row;
use crate::repository::{CommitOutcome, Failure, MINUTE_MS, Repository};
use caravanserai_results::{GameResult, RatingScope, Season};
use caravanserai_store::{Expect, Space, StoreRow};

/// The most new results that are folded in one commit.
const RESULTS_PER_PAGE: usize = 64;

/// The least time between two rebuilds because of late results or linked accounts, in milliseconds:
/// what players do must not keep the bot busy.
pub(super) const REBUILD_INTERVAL_MS: u64 = 10 * MINUTE_MS;

/// The progress is logged each time that so many pages of tables are read for their results.
const PAGES_PER_LOG_LINE: usize = 250;

/// The most records, of about two kilobytes each, that a rebuild keeps in memory.
const RECORDS_IN_MEMORY: usize = 50_000;

/// The most requests for a rebuild that are read at once.
const REQUESTS_PER_REBUILD: usize = 500;

/// How often a process looks whether another one has finished a rebuild, in milliseconds.
const REBUILD_POLL_MS: u64 = 1_000;

/// Keeps records, lists and histories up to date.
pub struct ResultProjector {
    repository: Arc<Repository>,
    /// One page at a time in this process.
    running: tokio::sync::Mutex<()>,
    /// Notified when a game has ended.
    ended: Notify,
    /// Notified when the results that waited are projected.
    projected: Notify,
    /// The least time between two rebuilds because of late results or linked accounts, in
    /// milliseconds.
    rebuild_interval_ms: u64,
    /// The most records that a rebuild keeps in memory.
    records_in_memory: usize,
}

/// The next step of the projection.
enum NextStep {
    Nothing,
    Fold {
        page: Vec<(String, GameResult)>,
    },
    /// A result is late, accounts were linked or unlinked, or a chat got another id.
    Recompute {
        from_ms: u64,
        /// The stored requests that this answers.
        requests: Vec<StoreRow>,
    },
}

impl ResultProjector {
    /// Creates a projector that has nothing to do yet.
    pub fn new(repository: Arc<Repository>) -> Self {
        ResultProjector {
            repository,
            running: tokio::sync::Mutex::new(()),
            ended: Notify::new(),
            projected: Notify::new(),
            rebuild_interval_ms: REBUILD_INTERVAL_MS,
            records_in_memory: RECORDS_IN_MEMORY,
        }
    }

    /// The same, with another least time between two rebuilds, in milliseconds.
    #[must_use]
    pub fn with_rebuild_interval(self, rebuild_interval_ms: u64) -> Self {
        ResultProjector { rebuild_interval_ms, ..self }
    }

    /// The same, with another number of records that a rebuild keeps in memory at most. With fewer
    /// it takes longer.
    #[must_use]
    pub fn with_records_in_memory(self, records_in_memory: usize) -> Self {
        ResultProjector { records_in_memory, ..self }
    }

    /// Wakes the projector, because a game has ended or other processes may have stopped before
    /// they projected a result.
    pub fn notify(&self) {
        self.ended.notify_one();
    }

    /// Waits until [`Self::run`] has projected what waited. For one waiting task.
    pub(super) async fn wait_until_projected(&self) {
        self.projected.notified().await;
    }

    /// Projects what waits, now and after each [`Self::notify`]. Runs until it is dropped.
    pub async fn run(&self) {
        loop {
            if let Err(failure) = self.collect_and_project().await {
                tracing::error!(%failure, "failed to compute ratings");
            }
            self.projected.notify_one();
            self.ended.notified().await;
        }
    }

    /// Folds all results that are not projected yet, and finishes a rebuild that was begun.
    ///
    /// # Errors
    /// When the store fails. Everything that was not written is done by the next call.
    pub async fn project_pending(&self) -> Result<(), Failure> {
        let _running = self.running.lock().await;
        while self.run_step().await? {}
        Ok(())
    }

    /// Collects the results of earlier games that are not stored yet, and projects everything.
    ///
    /// # Errors
    /// When the store fails. The next call goes on where this one stopped.
    pub async fn collect_and_project(&self) -> Result<(), Failure> {
        let collector = ResultCollector { repository: &self.repository };
        let mut pages: usize = 0;
        loop {
            match collector.collect_next_page().await? {
                CollectionStep::More => {
                    pages += 1;
                    if pages.is_multiple_of(PAGES_PER_LOG_LINE) {
                        let tables = pages * TABLES_PER_PAGE;
                        tracing::info!(tables, "reading the results of earlier games");
                    }
                }
                CollectionStep::AllRead { has_found, row } => {
                    if has_found {
                        self.begin_rebuild().await?;
                    }
                    collector.finish(row).await?;
                }
                CollectionStep::Finished => break,
            }
        }
        self.project_pending().await
    }

    /// Collects all results from logs and records again, and computes everything again from them.
    /// The request is stored: after a restart, [`Self::run`] goes on with it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn rebuild_all(&self) -> Result<(), Failure> {
        ResultCollector { repository: &self.repository }.restart().await?;
        self.collect_and_project().await?;
        // Another process may do it, and it may stop.
        while LoadedState::load(&self.repository).await?.state.rebuild.is_some() {
            self.repository.time_source().sleep_ms(REBUILD_POLL_MS).await;
            self.project_pending().await?;
        }
        Ok(())
    }

    /// Marks that everything is to be computed again from the stored results;
    /// [`Self::project_pending`] then does it.
    async fn begin_rebuild(&self) -> Result<(), Failure> {
        loop {
            let loaded = LoadedState::load(&self.repository).await?;
            let commit = loaded.rewound(0, false);
            if self.repository.commit_rows(commit).await? == CommitOutcome::Committed {
                return Ok(());
            }
        }
    }

    /// Does one step. Returns whether there may be more to do.
    async fn run_step(&self) -> Result<bool, Failure> {
        let loaded = LoadedState::load(&self.repository).await?;
        if loaded.state.rebuild.is_some() && !rebuild::try_lease(&self.repository).await? {
            return Ok(false);
        }
        let commit = match loaded.state.rebuild.clone() {
            Some(RebuildStep::Requested { after }) => {
                let records_max = self.records_in_memory;
                Rebuild::new(&self.repository, loaded, after, records_max).run().await?;
                return Ok(true);
            }
            // Its process has stopped, or it failed.
            Some(RebuildStep::Underway { .. }) => loaded.rewound(loaded.state.rewound_to_ms, false),
            None => match self.next_step(&loaded.state).await? {
                NextStep::Recompute { from_ms, requests } => {
                    let first_ms = Season::at(from_ms).start_ms();
                    let mut commit = loaded.rewound(first_ms, !requests.is_empty());
                    for (key, row) in requests {
                        commit.expect.push(Expect::equals(Space::Meta, key.clone(), row));
                        commit.puts.push(remove_row(Space::Meta, key));
                    }
                    commit
                }
                NextStep::Nothing => return Ok(false),
                NextStep::Fold { page } => {
                    let mut fold = ResultFold::new(&self.repository, &loaded.state);
                    let folded = fold.add(page).await?;
                    let mut puts =
                        rows_of_results(&self.repository, &loaded.state, &folded).await?;
                    puts.extend(fold.take_records(usize::MAX).unwrap_or_default());
                    loaded.commit(puts, loaded.state.clone())
                }
            },
        };
        // After a conflict the next step reads what another process has done.
        self.repository.commit_rows(commit).await.map(|_| true)
    }

    /// The next results that wait, or the rebuild that late ones need.
    async fn next_step(&self, state: &ProjectionState) -> Result<NextStep, Failure> {
        let page = self.waiting_results().await?;
        if page.is_empty() {
            return self.recompute(state, None).await;
        }
        let mut ids = CurrentIds::default();
        ids.load(&self.repository, page.iter().map(|(_, result)| result)).await?;
        let overall_ids = |result: &GameResult| {
            let mut result = result.clone();
            ids.apply_to(&mut result);
            let scopes = ScopeIds::of(&result).into_iter();
            let overall = scopes.filter(|it| it.scope == RatingScope::OVERALL);
            overall.flat_map(|it| it.people().cloned().collect::<Vec<_>>())
        };
        let overall = page.iter().flat_map(|(_, result)| overall_ids(result));
        let people = page.iter().flat_map(|(_, result)| ids.records_of_people(result));
        let mut cache = RecordCache::new(&self.repository, state);
        let needed: Vec<RecordId> = overall.chain(people.flatten()).collect();
        cache.load(&needed.iter().collect::<Vec<_>>()).await?;
        let is_late = |(_, result): &(String, GameResult)| {
            let is_first = |ids: Vec<RecordId>| {
                cache.first_game_ms(&ids).is_some_and(|it| it > result.ended_ms)
            };
            overall_ids(result).any(|id| cache.last_game(&id) > result.order_key())
                // It shows that later games were not those of a new player.
                || ids.records_of_people(result).into_iter().any(is_first)
        };
        let (late, mut in_time): (Vec<_>, Vec<_>) = page.into_iter().partition(is_late);
        in_time.truncate(RESULTS_PER_PAGE);
        if !in_time.is_empty() {
            return Ok(NextStep::Fold { page: in_time });
        }
        self.recompute(state, late.first().map(|(_, late)| late.ended_ms)).await
    }

    /// The results that are not projected yet, the earliest first. Those of a clock that was ahead
    /// wait until it is their time.
    async fn waiting_results(&self) -> Result<Vec<(String, GameResult)>, Failure> {
        let mut page = read_waiting_results(&self.repository).await?;
        page.retain(|(_, result)| has_ended(result, self.repository.now_ms()));
        Ok(page)
    }

    /// Whether games have ended that are not in the records yet, or are to be counted again: the
    /// histories of their players may lack them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn has_open_work(&self) -> Result<bool, Failure> {
        let ResultProgress { work, requests, .. } = self.repository.results().progress().await?;
        let is_at_work = work != ResultWork::None || requests > 0;
        Ok(is_at_work || !self.waiting_results().await?.is_empty())
    }

    /// Whether the last rebuild was long enough ago. A time in the future comes from a clock that
    /// was ahead.
    fn may_rebuild(&self, state: &ProjectionState) -> bool {
        let now_ms = self.repository.now_ms();
        let next_ms = state.rebuilt_ms.saturating_add(self.rebuild_interval_ms);
        now_ms >= next_ms || state.rebuilt_ms > now_ms
    }

    /// The rebuild that a late result and requests need, at most one in a while. One does it for
    /// all of them: otherwise each late result could delay the requests again.
    async fn recompute(
        &self,
        state: &ProjectionState,
        late_ms: Option<u64>,
    ) -> Result<NextStep, Failure> {
        if !self.may_rebuild(state) {
            return Ok(NextStep::Nothing);
        }
        let prefix = row_formats::RECOMPUTE_PREFIX;
        let requests = self.repository.read_rows(Space::Meta, prefix, REQUESTS_PER_REBUILD).await?;
        let from_ms = |(_, row): &StoreRow| serde_json::from_slice(row).unwrap_or_default();
        Ok(match requests.iter().map(from_ms).chain(late_ms).min() {
            Some(from_ms) => NextStep::Recompute { from_ms, requests },
            None => NextStep::Nothing,
        })
    }
}
