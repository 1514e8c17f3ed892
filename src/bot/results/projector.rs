//! Folds the results of finished games into records, lists and histories.
//!
//! Results are folded in the order in which their games ended. Each page is one commit that
//! requires an unchanged [`ProjectionState`], so of several processes one succeeds, and a process
//! that stops half-way has written nothing.
//!
//! A result that arrives late, from a process that was down or from an import, matters only if one
//! of its players has finished a game since. Then everything from the beginning of its month on is
//! folded again: records of earlier months are kept for that. People keep seeing the old values
//! until the new ones replace them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::sync::Notify;

use super::collector::{CollectionStep, ResultCollector};
use super::facts::{fact_key, projected_put};
use super::record_cache::{RecordCache, is_outdated};
use super::rows::{
    self, GameRatings, HistoryEntry, HistoryPlayer, ProjectionState, RatingChange, RebuildStep,
    RecordId, StoredRecord,
};
use crate::repository::outbox_entry::{BoardTask, OutboxEntry};
use crate::repository::profiles::{PersonProfile, person_reads};
use crate::repository::stored_rows::{parse_json_or_default, put_json, remove_row};
use crate::repository::{CommitOutcome, Failure, Repository, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_results::{
    GameOutcome, GameResult, Leaver, RatedResult, RatingList, RatingScope, RecordChange,
    ScopeRecords, Season, SeatResult, rate_result,
};
use caravanserai_store::{Commit, Expect, Put, Space, StoreQuery, StoreRow};

/// The most results that are folded in one commit.
const RESULTS_PER_PAGE: usize = 64;

/// How long after the end of a game its board still shows new ratings, in milliseconds.
const SHOWN_CHANGE_MS: u64 = 10 * 60_000;

/// The least time between two rebuilds because of late results or linked accounts, in milliseconds:
/// what players do must not keep the bot busy.
const REBUILD_INTERVAL_MS: u64 = 10 * 60_000;

/// The most waiting results that are read at once.
const WAITING_RESULTS_MAX: usize = 500;

/// How far the clocks of processes may differ, in milliseconds.
const CLOCK_SKEW_MAX_MS: u64 = 5 * 60_000;

/// How often a chat may get another id; Telegram's groups do so once.
const CHAT_MOVES_MAX: usize = 8;

/// The most records that are checked in one step after a rebuild.
const RECORDS_PER_PAGE: usize = 500;

/// Keeps records, lists and histories up to date.
pub struct ResultProjector {
    repository: Arc<Repository>,
    /// One page at a time in this process.
    running: tokio::sync::Mutex<()>,
    /// Notified when a game has ended.
    ended: Notify,
    /// The least time between two rebuilds because of late results or linked accounts, in
    /// milliseconds.
    rebuild_interval_ms: u64,
}

/// What stored results name by ids of their time.
#[derive(Default)]
struct CurrentIds {
    /// The person to whom each account belongs.
    people: BTreeMap<PersonId, PersonId>,
    /// The chats that other chats became.
    chats: BTreeMap<String, String>,
}

/// What to do next.
enum NextStep {
    Nothing,
    Fold {
        page: Vec<(String, GameResult)>,
        ids: CurrentIds,
    },
    Rewind {
        to_ms: u64,
    },
    /// Accounts were linked or unlinked, or a chat got another id.
    Recompute {
        from_ms: u64,
        requests: Vec<StoreRow>,
    },
}

/// The stored state, and the row that it was decoded from.
struct LoadedState {
    row: Option<Vec<u8>>,
    state: ProjectionState,
}

impl ResultProjector {
    /// Creates a projector that has nothing to do yet.
    pub fn new(repository: Arc<Repository>) -> Self {
        ResultProjector {
            repository,
            running: tokio::sync::Mutex::new(()),
            ended: Notify::new(),
            rebuild_interval_ms: REBUILD_INTERVAL_MS,
        }
    }

    /// The same, with another least time between two rebuilds, in milliseconds.
    #[must_use]
    pub fn with_rebuild_interval(self, rebuild_interval_ms: u64) -> Self {
        ResultProjector { rebuild_interval_ms, ..self }
    }

    /// Wakes the projector, because a game has ended or other processes may have stopped before
    /// they projected a result.
    pub fn notify(&self) {
        self.ended.notify_one();
    }

    /// Projects what waits, now and after each [`Self::notify`]. Runs until it is dropped.
    pub async fn run(&self) {
        loop {
            if let Err(failure) = self.collect_and_project().await {
                tracing::error!(%failure, "failed to compute ratings");
            }
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
        loop {
            match collector.collect_next_page().await? {
                CollectionStep::More => {}
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
        self.collect_and_project().await
    }

    /// Marks that everything is to be computed again from the stored results;
    /// [`Self::project_pending`] then does it.
    async fn begin_rebuild(&self) -> Result<(), Failure> {
        loop {
            let loaded = self.load_state().await?;
            let commit = rewound(&loaded, 0);
            if self.repository.commit_rows(commit).await? == CommitOutcome::Committed {
                return Ok(());
            }
        }
    }

    async fn load_state(&self) -> Result<LoadedState, Failure> {
        let row = self.repository.read_value(Space::Meta, rows::PROJECTION_STATE).await?;
        Ok(LoadedState { state: parse_json_or_default(row.clone()), row })
    }

    /// Does one step. Returns whether there may be more to do.
    async fn run_step(&self) -> Result<bool, Failure> {
        let loaded = self.load_state().await?;
        let commit = match &loaded.state.rebuild {
            Some(RebuildStep::Fold { after }) => self.fold_again(&loaded, after).await?,
            Some(RebuildStep::Sweep { after }) => self.sweep(&loaded, after).await?,
            None => match self.next_step(&loaded.state).await? {
                NextStep::Recompute { from_ms, requests } => {
                    let mut commit = rewound(&loaded, Season::at(from_ms).start_ms());
                    for (key, row) in requests {
                        commit.expect.push(Expect::equals(Space::Meta, key.clone(), row));
                        commit.puts.push(remove_row(Space::Meta, key));
                    }
                    commit
                }
                NextStep::Nothing => return Ok(false),
                NextStep::Rewind { to_ms } => rewound(&loaded, to_ms),
                NextStep::Fold { page, ids } => {
                    let puts = self.fold_page(&loaded.state, &page, &ids).await?;
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
            return self.requested_recompute(state).await;
        }
        let ids = self.current_ids(&page).await?;
        let overall_ids = |result: &GameResult| {
            let records = record_ids(result, &ids).into_iter();
            records.filter(|it| it.scope == RatingScope::OVERALL)
        };
        let overall = page.iter().flat_map(|(_, result)| overall_ids(result));
        let cache = RecordCache::load(&self.repository, state, overall).await?;
        let is_late = |(_, result): &(String, GameResult)| {
            overall_ids(result).any(|id| cache.last_game(&id) > result.order_key())
        };
        let (late, mut in_time): (Vec<_>, Vec<_>) = page.into_iter().partition(is_late);
        in_time.truncate(RESULTS_PER_PAGE);
        if !in_time.is_empty() {
            return Ok(NextStep::Fold { page: in_time, ids });
        }
        Ok(match late.first() {
            Some((_, late)) if self.may_rebuild(state) => {
                NextStep::Rewind { to_ms: Season::at(late.ended_ms).start_ms() }
            }
            _ => NextStep::Nothing,
        })
    }

    /// The results that are not projected yet, the earliest first. Those that cannot be read wait
    /// for a program that can, and those of a clock that was ahead wait until it is their time.
    async fn waiting_results(&self) -> Result<Vec<(String, GameResult)>, Failure> {
        let prefix = rows::PENDING_PREFIX;
        let marks = self.repository.read_rows(Space::Meta, prefix, WAITING_RESULTS_MAX).await?;
        let marks = marks.into_iter();
        let keys: Vec<String> =
            marks.filter_map(|(key, _)| Some(key.strip_prefix(prefix)?.to_owned())).collect();
        let query = |key: &String| StoreQuery::value_of(Space::Result, key.clone());
        let queries: Vec<StoreQuery> = keys.iter().map(query).collect();
        let mut page = Vec::new();
        for (key, answer) in keys.into_iter().zip(self.repository.read_many(&queries).await?) {
            let result = parse_result(&key, answer.value()?.as_deref());
            page.extend(result.filter(|it| self.has_ended(it)).map(|it| (key, it)));
        }
        Ok(page)
    }

    /// Whether the end of a game is not in the future by this clock.
    fn has_ended(&self, result: &GameResult) -> bool {
        result.ended_ms <= self.repository.now_ms().saturating_add(CLOCK_SKEW_MAX_MS)
    }

    /// Whether the last rebuild was long enough ago. A time in the future comes from a clock that
    /// was ahead.
    fn may_rebuild(&self, state: &ProjectionState) -> bool {
        let now_ms = self.repository.now_ms();
        let next_ms = state.rebuilt_ms.saturating_add(self.rebuild_interval_ms);
        now_ms >= next_ms || state.rebuilt_ms > now_ms
    }

    /// The rebuild that linked accounts need, at most one in a while.
    async fn requested_recompute(&self, state: &ProjectionState) -> Result<NextStep, Failure> {
        if !self.may_rebuild(state) {
            return Ok(NextStep::Nothing);
        }
        let prefix = rows::RECOMPUTE_PREFIX;
        let requests = self.repository.read_rows(Space::Meta, prefix, RECORDS_PER_PAGE).await?;
        let from_ms = |(_, row): &StoreRow| serde_json::from_slice(row).unwrap_or_default();
        Ok(match requests.iter().map(from_ms).min() {
            Some(from_ms) => NextStep::Recompute { from_ms, requests },
            None => NextStep::Nothing,
        })
    }

    /// Folds the next page of a rebuild.
    async fn fold_again(&self, loaded: &LoadedState, after: &str) -> Result<Commit, Failure> {
        let results = Space::Result;
        let found = self.repository.read_rows_after(results, "", after, RESULTS_PER_PAGE).await?;
        let next = match found.last() {
            Some((key, _)) => RebuildStep::Fold { after: key.clone() },
            None => RebuildStep::Sweep { after: String::new() },
        };
        let parsed = found
            .iter()
            .filter_map(|(key, value)| Some((key.clone(), parse_result(key, Some(value))?)));
        let page: Vec<(String, GameResult)> = parsed.collect();
        let ids = self.current_ids(&page).await?;
        let puts = self.fold_page(&loaded.state, &page, &ids).await?;
        metrics::counter!("caravanserai_results_rebuilt_total").increment(page.len() as u64);
        Ok(loaded.commit(puts, ProjectionState { rebuild: Some(next), ..loaded.state.clone() }))
    }

    /// Restores or removes the next records that a rebuild did not touch: no result supports them
    /// any more.
    async fn sweep(&self, loaded: &LoadedState, after: &str) -> Result<Commit, Failure> {
        let state = &loaded.state;
        let prefix = rows::RECORDS_PREFIX;
        let ratings = Space::Rating;
        let found =
            self.repository.read_rows_after(ratings, prefix, after, RECORDS_PER_PAGE).await?;
        let outdated = found.iter().filter(|(_, value)| {
            serde_json::from_slice::<StoredRecord>(value).is_ok_and(|it| is_outdated(&it, state))
        });
        let ids = outdated.filter_map(|(key, _)| RecordId::parse_current(key));
        let puts = RecordCache::load(&self.repository, state, ids).await?.into_puts();
        let rebuild = found.last().map(|(key, _)| RebuildStep::Sweep { after: key.clone() });
        let rebuilt_ms = self.repository.now_ms();
        if rebuild.is_none() {
            tracing::info!(epoch = state.epoch, "ratings were computed again");
        }
        Ok(loaded.commit(puts, ProjectionState { rebuild, rebuilt_ms, ..state.clone() }))
    }

    /// The rows that follow from a page of results.
    async fn fold_page(
        &self,
        state: &ProjectionState,
        page: &[(String, GameResult)],
        ids: &CurrentIds,
    ) -> Result<Vec<Put>, Failure> {
        let records: BTreeSet<RecordId> =
            page.iter().flat_map(|(_, result)| record_ids(result, ids)).collect();
        let mut cache = RecordCache::load(&self.repository, state, records).await?;
        let mut puts = Vec::new();
        for (key, stored) in page {
            puts.push(projected_put(key));
            let result = with_current_ids(stored, ids);
            let scopes = scope_records(&result, &cache);
            // No arena has anchored the ratings of computers yet.
            let rated = rate_result(&result, &scopes, &|_| None);
            let Some(list) = &rated.list else { continue };
            for change in &rated.changes {
                let id = RecordId {
                    scope: change.scope.clone(),
                    list: list.code(),
                    person: change.person.clone(),
                };
                cache.set(&id, &result.table, player_name(&result, change), change.after.clone());
            }
            puts.extend(history_puts(&result, list, &rated));
            puts.extend(self.board_puts(state, &result).await);
        }
        puts.extend(cache.into_puts());
        Ok(puts)
    }

    /// Shows the changes of the ratings under the result of a game that has just ended.
    async fn board_puts(&self, state: &ProjectionState, result: &GameResult) -> Vec<Put> {
        let age_ms = self.repository.now_ms().saturating_sub(result.ended_ms);
        if state.rebuild.is_some() || age_ms > SHOWN_CHANGE_MS {
            return Vec::new();
        }
        // A table that cannot be read is reported when it is used.
        let Ok(Some(table)) = self.repository.load_table(&result.table).await else {
            return Vec::new();
        };
        let table = &*table;
        let task = BoardTask { ratings: true, ..BoardTask::default() };
        let board = |place| OutboxEntry::board(place, table, task.clone()).encode();
        table.chats.ids().map(board).collect()
    }

    /// The persons to whom the accounts of the players of these results belong, and what became of
    /// their chats.
    async fn current_ids(&self, page: &[(String, GameResult)]) -> Result<CurrentIds, Failure> {
        let chats: BTreeSet<&str> = page.iter().map(|(_, result)| result.chat.as_str()).collect();
        let chats = self.successors(chats).await?;
        let people: BTreeSet<&PersonId> =
            page.iter().flat_map(|(_, result)| result_people(result)).collect();
        let queries: Vec<StoreQuery> = people.iter().flat_map(|it| person_reads(it)).collect();
        let mut answers = self.repository.read_many(&queries).await?.into_iter();
        let mut main = BTreeMap::new();
        for person in people {
            let (Some(row), Some(links)) = (answers.next(), answers.next()) else { break };
            let profile = PersonProfile::decode_rows(row.value()?, links.value()?);
            main.insert(person.clone(), profile.main.unwrap_or_else(|| person.clone()));
        }
        Ok(CurrentIds { people: main, chats })
    }

    /// The chats that these chats became; chats that still have their id are left out.
    async fn successors(&self, chats: BTreeSet<&str>) -> Result<BTreeMap<String, String>, Failure> {
        let mut latest: BTreeMap<String, String> =
            chats.into_iter().map(|it| (it.to_owned(), it.to_owned())).collect();
        for _ in 0..CHAT_MOVES_MAX {
            let key = |it: &String| StoreQuery::value_of(Space::Meta, keys::chat_successor(it));
            let queries: Vec<StoreQuery> = latest.values().map(key).collect();
            let mut has_moved = false;
            for (chat, answer) in
                latest.values_mut().zip(self.repository.read_many(&queries).await?)
            {
                let Some(next) = answer.value()?.and_then(|it| String::from_utf8(it).ok()) else {
                    continue;
                };
                (*chat, has_moved) = (next, true);
            }
            if !has_moved {
                break;
            }
        }
        latest.retain(|old, new| old != new);
        Ok(latest)
    }
}

impl CurrentIds {
    /// The present id of the chat of a result; empty for a private game.
    fn chat_of<'a>(&'a self, result: &'a GameResult) -> &'a str {
        self.chats.get(&result.chat).unwrap_or(&result.chat)
    }
}

impl LoadedState {
    /// A commit that succeeds only while the state is as it was loaded.
    fn commit(&self, mut puts: Vec<Put>, next: ProjectionState) -> Commit {
        let key = rows::PROJECTION_STATE.to_owned();
        let expect = vec![Expect { space: Space::Meta, key: key.clone(), value: self.row.clone() }];
        let next = ProjectionState { commits: self.state.commits + 1, ..next };
        puts.push(put_json(Space::Meta, key, &next));
        Commit { expect, ..Commit::from_puts(puts) }
    }
}

/// Begins a rebuild of everything from this time on, in milliseconds since 1970.
fn rewound(loaded: &LoadedState, to_ms: u64) -> Commit {
    let state = &loaded.state;
    // A rebuild that is not finished goes on from the earlier of both times.
    let from_ms = match state.rebuild {
        Some(_) => to_ms.min(state.rewound_to_ms),
        None => to_ms,
    };
    tracing::info!(from_ms, "computing ratings again");
    let rebuild = Some(RebuildStep::Fold { after: format!("{from_ms:016x}") });
    let epoch = state.epoch + 1;
    let next = ProjectionState { epoch, rewound_to_ms: from_ms, rebuild, ..state.clone() };
    loaded.commit(Vec::new(), next)
}

/// A stored result; `None`, with a log line, if it cannot be read.
fn parse_result(key: &str, value: Option<&[u8]>) -> Option<GameResult> {
    let read = value.ok_or_else(|| "it is missing".to_owned());
    let parsed = read.and_then(|it| GameResult::parse(it).map_err(|why| why.to_string()));
    match parsed {
        Ok(result) if fact_key(&result) == key => Some(result),
        Ok(_) => {
            tracing::error!(key, "a stored result has another key");
            None
        }
        Err(why) => {
            tracing::error!(key, why, "failed to read a stored result");
            None
        }
    }
}

/// The result with the persons instead of their accounts, and with the chat's present id.
fn with_current_ids(result: &GameResult, ids: &CurrentIds) -> GameResult {
    let mut result = result.clone();
    result.chat = ids.chat_of(&result).to_owned();
    let seats = result.seats.iter_mut().map(|it| &mut it.person);
    for person in seats.chain(result.leavers.iter_mut().map(|it| &mut it.person)) {
        if let Some(main) = ids.people.get(person) {
            person.clone_from(main);
        }
    }
    result
}

/// The accounts of the people who played, those included who left.
fn result_people(result: &GameResult) -> impl Iterator<Item = &PersonId> {
    let seats = result.seats.iter().filter(|it| !it.is_computer).map(|it| &it.person);
    seats.chain(result.leavers.iter().map(|it| &it.person))
}

/// The records that a result changes.
fn record_ids(result: &GameResult, current: &CurrentIds) -> Vec<RecordId> {
    let Some(list) = RatingList::of(result).map(|it| it.code()) else { return Vec::new() };
    let mut ids = Vec::new();
    for scope in RatingScope::all_of(current.chat_of(result), result.ended_ms) {
        for person in result_people(result).filter_map(|it| current.people.get(it)) {
            let (scope, list, person) = (scope.clone(), list.clone(), person.clone());
            ids.push(RecordId { scope, list, person });
        }
    }
    ids
}

/// The records of the players in all scopes, before a result.
fn scope_records(result: &GameResult, cache: &RecordCache<'_>) -> Vec<ScopeRecords> {
    let Some(list) = RatingList::of(result) else { return Vec::new() };
    let scopes = RatingScope::all_of(&result.chat, result.ended_ms).into_iter();
    let records = |scope: RatingScope| {
        let id = |person: &PersonId| RecordId {
            scope: scope.clone(),
            list: list.code(),
            person: person.clone(),
        };
        let record = |person: &PersonId| cache.record(&id(person)).cloned();
        let by_seat = result.seats.iter().map(|it| record(&it.person)).collect();
        let leavers = result.leavers.iter().map(|it| record(&it.person)).collect();
        ScopeRecords { scope, by_seat, leavers }
    };
    scopes.map(records).collect()
}

/// The rows for the histories of the players, and for the line under the result.
fn history_puts(result: &GameResult, list: &RatingList, rated: &RatedResult) -> Vec<Put> {
    let overall = rated.changes.iter().filter(|it| it.scope == RatingScope::OVERALL);
    let mut puts = Vec::new();
    let mut ratings = GameRatings { casual: rated.reasons.clone(), seats: Vec::new() };
    for change in overall {
        let after = change.after.displayed_rating();
        let rating = RatingChange {
            before: after - change.rating_change,
            after,
            is_provisional: change.after.is_provisional(result.ended_ms),
        };
        let has_left = left_seat(result, change).is_some();
        if !has_left {
            ratings.seats.push((change.seat, rating));
        }
        let entry = HistoryEntry {
            table: result.table.clone(),
            game: result.game.clone(),
            list: list.code(),
            ended_ms: result.ended_ms,
            chat: result.chat.clone(),
            seat: change.seat,
            outcome: match has_left {
                true => GameOutcome::Loss,
                false => result.outcome(usize::from(change.seat)),
            },
            players: history_players(result),
            rating,
            casual: rated.reasons.clone(),
        };
        let key = rows::history(&change.person, result.ended_ms, &result.table);
        // Nobody can read the history of a deleted account.
        puts.push(match change.person.is_deleted() {
            true => remove_row(Space::Rating, key),
            false => put_json(Space::Rating, key, &entry),
        });
    }
    // Who turned out to play against themselves has no such game any more.
    let is_changed =
        |person: &&PersonId| rated.changes.iter().any(|change| change.person == **person);
    for person in result_people(result).filter(|it| !is_changed(it)) {
        let key = rows::history(person, result.ended_ms, &result.table);
        puts.push(remove_row(Space::Rating, key));
    }
    puts.push(put_json(Space::Rating, rows::rating_changes(&result.table), &ratings));
    puts
}

/// Whether this change is that of a person who has left their seat: what they left.
fn left_seat<'a>(result: &'a GameResult, change: &RecordChange) -> Option<&'a Leaver> {
    result.leavers.iter().find(|it| it.seat == change.seat && it.person == change.person)
}

/// The displayed name of the person whose record changes.
fn player_name<'a>(result: &'a GameResult, change: &RecordChange) -> &'a str {
    match left_seat(result, change) {
        Some(leaver) => &leaver.name,
        None => &result.seats[usize::from(change.seat)].name,
    }
}

fn history_players(result: &GameResult) -> Vec<HistoryPlayer> {
    let player = |it: &SeatResult| HistoryPlayer {
        person: it.person.clone(),
        name: it.name.clone(),
        level: it.level.clone(),
        score: it.score,
    };
    result.seats.iter().map(player).collect()
}
