//! Folds results, in the order in which their games ended, into the records of their players.

use std::collections::BTreeSet;

use super::current_ids::{CurrentIds, ScopeIds};
use super::record_cache::RecordCache;
use super::result_rows::{FoldedResult, left_seat, let_others_run};
use super::rows::{self, ProjectionState, RecordId};
use super::stored_results::has_ended;
use crate::repository::{Failure, Repository};
use caravanserai_results::abuse_checks::depends_on_account_age;
use caravanserai_results::{
    GameResult, RatedResult, RecordChange, ScopeRecords, computer_rating_in, rate_result,
};
use caravanserai_store::{Put, Space};

/// The most marks of waiting results that are read at once.
const MARKS_PER_READ: usize = 256;

/// Folds results. The records of the players stay in memory until their rows are taken.
pub(super) struct ResultFold<'a> {
    repository: &'a Repository,
    state: &'a ProjectionState,
    ids: CurrentIds,
    cache: RecordCache<'a>,
}

impl<'a> ResultFold<'a> {
    /// Has folded nothing yet.
    pub(super) fn new(repository: &'a Repository, state: &'a ProjectionState) -> Self {
        let cache = RecordCache::new(repository, state);
        ResultFold { repository, state, ids: CurrentIds::default(), cache }
    }

    /// Folds the next results, each with its key.
    pub(super) async fn add(
        &mut self,
        results: &[(String, GameResult)],
    ) -> Result<Vec<FoldedResult>, Failure> {
        let current = self.load(results).await?;
        let waiting = self.waiting_keys(results).await?;
        let mut folded = Vec::with_capacity(results.len());
        let now_ms = self.repository.now_ms();
        for ((key, stored), (result, scopes)) in results.iter().zip(current) {
            let_others_run(folded.len()).await;
            if waiting.contains(key) && !has_ended(stored, now_ms) {
                // A rebuild reads it, too; it waits until it is its time.
                continue;
            }
            let result = self.with_ages(result, stored);
            let records: Vec<_> = scopes.iter().map(|it| scope_records(it, &self.cache)).collect();
            let rated = rate_result(&result, &records, &|level| computer_rating_in(&result, level));
            self.set_records(&result, &scopes, &rated);
            let (key, is_waiting) = (key.clone(), waiting.contains(key));
            folded.push(FoldedResult { key, is_waiting, result, rated });
        }
        if self.state.rebuild.is_some() {
            self.ids.limit();
        }
        Ok(folded)
    }

    /// Reads the ids and records that these results need. Returns the results with the present ids,
    /// and the records that each of them changes.
    async fn load(
        &mut self,
        results: &[(String, GameResult)],
    ) -> Result<Vec<(GameResult, Vec<ScopeIds>)>, Failure> {
        self.ids.load(self.repository, results.iter().map(|(_, result)| result)).await?;
        let current = results.iter().map(|(_, stored)| {
            let result = self.ids.apply_to(stored);
            let scopes = ScopeIds::of(&result);
            (result, scopes)
        });
        let current: Vec<(GameResult, Vec<ScopeIds>)> = current.collect();
        let short = results.iter().filter(|(_, result)| depends_on_account_age(result));
        let ages = short.flat_map(|(_, result)| self.ids.records_of_people(result)).flatten();
        let ages: Vec<RecordId> = ages.collect();
        let changed = current.iter().flat_map(|(_, scopes)| scopes).flat_map(ScopeIds::people);
        self.cache.load(changed.chain(&ages)).await?;
        Ok(current)
    }

    /// Keeps the changed records of a result.
    fn set_records(&mut self, result: &GameResult, scopes: &[ScopeIds], rated: &RatedResult) {
        for change in &rated.changes {
            let scope = scopes.iter().find(|it| it.scope == change.scope);
            let id = scope.and_then(|it| it.people().find(|it| it.person == change.person));
            let Some(id) = id else { continue };
            let (name, record) = (player_name(result, change), change.after.clone());
            self.cache.set(id, &result.table, name, record);
        }
    }

    /// The keys of those results that were never projected.
    async fn waiting_keys(
        &self,
        results: &[(String, GameResult)],
    ) -> Result<BTreeSet<String>, Failure> {
        let (Some((first, _)), Some((last, _))) = (results.first(), results.last()) else {
            return Ok(BTreeSet::new());
        };
        if self.state.rebuild.is_none() {
            return Ok(results.iter().map(|(key, _)| key.clone()).collect());
        }
        let mut keys = BTreeSet::new();
        // Begins a little before the first mark.
        let mut after = rows::pending_result(&first[..first.len() - 1]);
        loop {
            let prefix = rows::PENDING_PREFIX;
            let marks = self
                .repository
                .read_rows_after(Space::Meta, prefix, &after, MARKS_PER_READ)
                .await?;
            let Some((end, _)) = marks.last() else { return Ok(keys) };
            after.clone_from(end);
            let marked = marks.iter().filter_map(|(key, _)| key.strip_prefix(prefix));
            keys.extend(marked.filter(|it| *it <= last.as_str()).map(str::to_owned));
            if after > rows::pending_result(last) {
                return Ok(keys);
            }
        }
    }

    /// The result with the time since when each person is known, where that matters: since their
    /// first game of any kind. What ended later than this game may be folded already.
    fn with_ages(&self, mut result: GameResult, stored: &GameResult) -> GameResult {
        if !depends_on_account_age(&result) {
            return result;
        }
        for ids in self.ids.records_of_people(stored) {
            let first_ms = self.cache.first_game_ms(&ids).filter(|it| *it < result.ended_ms);
            let person = ids.first().map(|it| &it.person);
            for seat in result.seats.iter_mut().filter(|it| Some(&it.person) == person) {
                seat.known_since_ms = seat.known_since_ms.into_iter().chain(first_ms).min();
            }
        }
        result
    }

    /// The number of rows that [`Self::take_months`] gives.
    pub(super) fn month_rows(&self) -> usize {
        self.cache.month_rows()
    }

    /// Takes the records at the ends of months that are to be written: nothing that is folded later
    /// can change them.
    pub(super) fn take_months(&mut self) -> Vec<Put> {
        self.cache.take_month_puts()
    }

    /// Takes the rows of some records that were not used for the longest time, about `rows`, if
    /// there are more than `records_max` in memory; none if there are not. They must be written
    /// before more results are added.
    pub(super) fn take_surplus(&mut self, records_max: usize, rows: usize) -> Vec<Put> {
        while self.cache.len() > records_max {
            let puts = self.cache.take_least_used(rows);
            if !puts.is_empty() {
                return puts;
            }
        }
        Vec::new()
    }

    /// Takes some records after the last result, and gives their rows that are to be written, at
    /// most about `rows`. `None` if all are taken.
    pub(super) fn take_records(&mut self, rows: usize) -> Option<Vec<Put>> {
        (self.cache.len() > 0).then(|| self.cache.take_puts(rows))
    }

    /// Whether the record with this key was computed again and has not changed.
    pub(super) fn keeps(&self, key: &str) -> bool {
        self.cache.keeps(key)
    }
}

/// The records of a scope as they are before a result.
fn scope_records(ids: &ScopeIds, cache: &RecordCache<'_>) -> ScopeRecords {
    let record = |id: &RecordId| cache.record(id).cloned();
    let by_seat = ids.by_seat.iter().map(|it| it.as_ref().and_then(record)).collect();
    let leavers = ids.leavers.iter().map(record).collect();
    ScopeRecords { scope: ids.scope.clone(), by_seat, leavers }
}

/// The displayed name of the person whose record changes.
fn player_name<'a>(result: &'a GameResult, change: &RecordChange) -> &'a str {
    match left_seat(result, change) {
        Some(leaver) => &leaver.name,
        None => &result.seats[usize::from(change.seat)].name,
    }
}
