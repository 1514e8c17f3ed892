//! Folds results, in the order in which their games ended, into the records of their players.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::current_ids::{CurrentIds, ScopeIds};
use super::record_cache::{RecordCache, RecordSlot};
use super::row_builder::{FoldedResult, left_seat, let_others_run};
use super::row_formats::{self, ProjectionState, RecordId};
use super::stored_results::has_ended;
use crate::repository::{Failure, Repository};
use caravanserai_games::ids::PersonId;
use caravanserai_results::abuse_checks::depends_on_account_age;
use caravanserai_results::{
    GameResult, PlayerRecord, RatedGame, RatingScope, ScopeRecords, computer_rating_in, rate_result,
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
        results: Vec<(String, GameResult)>,
    ) -> Result<Vec<FoldedResult>, Failure> {
        let waiting = self.waiting_keys(&results).await?;
        let current = self.load(results).await?;
        let mut folded = Vec::with_capacity(current.len());
        let now_ms = self.repository.now_ms();
        for CurrentResult { key, mut result, ages, scopes } in current {
            let_others_run(folded.len()).await;
            let is_waiting = waiting.contains(&key);
            if is_waiting && !has_ended(&result, now_ms) {
                // A rebuild reads it, too; it waits until it is its time.
                continue;
            }
            self.set_ages(&mut result, &ages);
            let rated = self.rate(&result, &scopes);
            folded.push(FoldedResult { is_waiting, key, result, rated });
        }
        if self.state.rebuild.is_some() {
            self.ids.limit();
        }
        Ok(folded)
    }

    /// Reads the ids and records that these results need.
    async fn load(
        &mut self,
        results: Vec<(String, GameResult)>,
    ) -> Result<Vec<CurrentResult>, Failure> {
        self.ids.load(self.repository, results.iter().map(|(_, result)| result)).await?;
        let current = results.into_iter().map(|(key, mut result)| {
            let ages = match depends_on_account_age(&result) {
                true => self.ids.records_of_people(&result),
                false => Vec::new(),
            };
            self.ids.apply_to(&mut result);
            let ids = ScopeIds::of(&result);
            (CurrentResult { key, result, ages, scopes: Vec::new() }, ids)
        });
        let (mut current, ids): (Vec<CurrentResult>, Vec<Vec<ScopeIds>>) = current.unzip();
        let changed = ids.iter().flatten().flat_map(ScopeIds::people);
        let ages = current.iter().flat_map(|it| &it.ages).flatten();
        let needed: Vec<&RecordId> = changed.chain(ages).collect();
        let mut slots = self.cache.load(&needed).await?.into_iter();
        for (result, ids) in current.iter_mut().zip(ids) {
            result.scopes = ids.into_iter().map(|it| ScopeSlots::new(it, &mut slots)).collect();
        }
        Ok(current)
    }

    /// Applies a result to the records of its players.
    fn rate(&mut self, result: &GameResult, scopes: &[ScopeSlots]) -> RatedGame {
        let records = scopes.iter().map(|it| it.take_records(&mut self.cache, result.ended_ms));
        let mut records: Vec<ScopeRecords> = records.collect();
        let rated = rate_result(result, &mut records, &|level| computer_rating_in(result, level));
        for (scope, records) in scopes.iter().zip(records) {
            scope.give_back(&mut self.cache, records);
        }
        let (game, changes) = rated.into_game(result);
        for change in changes {
            let leaver = left_seat(result, change.seat, &change.person);
            let scope = scopes.iter().find(|it| it.scope == change.scope);
            let Some(slot) = scope.and_then(|it| it.slot(result, &change.person)) else { continue };
            let name = match leaver {
                Some(leaver) => &leaver.name,
                None => &result.seats[usize::from(change.seat)].name,
            };
            self.cache.set(slot, &result.table, name, change.after);
        }
        game
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
        let mut after = row_formats::pending_result(&first[..first.len() - 1]);
        loop {
            let prefix = row_formats::PENDING_PREFIX;
            let marks = self
                .repository
                .read_rows_after(Space::Meta, prefix, &after, MARKS_PER_READ)
                .await?;
            let Some((end, _)) = marks.last() else { return Ok(keys) };
            after.clone_from(end);
            let marked = marks.iter().filter_map(|(key, _)| key.strip_prefix(prefix));
            keys.extend(marked.filter(|it| *it <= last.as_str()).map(str::to_owned));
            if after > row_formats::pending_result(last) {
                return Ok(keys);
            }
        }
    }

    /// Sets the time since when each person is known, where that matters: since their first game
    /// of any kind. What ended later than this game may be folded already. `ages`: the records of
    /// each person, with the current ids.
    fn set_ages(&self, result: &mut GameResult, ages: &[Vec<RecordId>]) {
        for ids in ages {
            let first_ms = self.cache.first_game_ms(ids).filter(|it| *it < result.ended_ms);
            let person = ids.first().map(|it| &it.person);
            for seat in result.seats.iter_mut().filter(|it| Some(&it.person) == person) {
                seat.known_since_ms = seat.known_since_ms.into_iter().chain(first_ms).min();
            }
        }
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

/// A result that is folded next.
struct CurrentResult {
    key: String,
    /// The result, with the current ids.
    result: GameResult,
    /// The records of all games of each person, if their first game matters.
    ages: Vec<Vec<RecordId>>,
    /// The records that it changes.
    scopes: Vec<ScopeSlots>,
}

/// Where the records of the players of a result in one scope are.
struct ScopeSlots {
    scope: RatingScope,
    /// By seat; `None` for computers.
    by_seat: Vec<Option<RecordSlot>>,
    /// Of each of [`GameResult::leavers`].
    leavers: Vec<RecordSlot>,
}

impl ScopeSlots {
    /// `slots`: those of [`ScopeIds::people`], which are taken.
    fn new(ids: ScopeIds, slots: &mut impl Iterator<Item = RecordSlot>) -> Self {
        let by_seat = ids.by_seat.iter().map(|it| it.as_ref().and_then(|_| slots.next())).collect();
        let leavers = slots.take(ids.leavers.len()).collect();
        ScopeSlots { scope: ids.scope, by_seat, leavers }
    }

    /// Takes the records as they are before a result that ended at this time.
    fn take_records(&self, cache: &mut RecordCache<'_>, ended_ms: u64) -> ScopeRecords {
        let mut taken: Vec<(RecordSlot, Option<Arc<PlayerRecord>>)> = Vec::new();
        // A person may be at several seats.
        let mut record = |slot: RecordSlot| match taken.iter().find(|it| it.0 == slot) {
            Some((_, record)) => record.clone(),
            None => {
                let record = cache.take(slot, ended_ms);
                taken.push((slot, record.clone()));
                record
            }
        };
        let by_seat = self.by_seat.iter().map(|it| it.and_then(&mut record)).collect();
        let leavers = self.leavers.iter().map(|it| record(*it)).collect();
        ScopeRecords { scope: self.scope.clone(), by_seat, leavers }
    }

    /// Gives back the records that have not changed.
    fn give_back(&self, cache: &mut RecordCache<'_>, records: ScopeRecords) {
        let seats = self.by_seat.iter().copied().zip(records.by_seat);
        let leavers = self.leavers.iter().copied().map(Some).zip(records.leavers);
        for (slot, record) in seats.chain(leavers) {
            if let (Some(slot), Some(record)) = (slot, record) {
                cache.give_back(slot, record);
            }
        }
    }

    /// The record of this person.
    fn slot(&self, result: &GameResult, person: &PersonId) -> Option<RecordSlot> {
        let seat = || result.seats.iter().position(|it| !it.is_computer && it.person == *person);
        let leaver = || result.leavers.iter().position(|it| it.person == *person);
        match seat() {
            Some(seat) => self.by_seat.get(seat).copied().flatten(),
            None => self.leavers.get(leaver()?).copied(),
        }
    }
}
