//! Folds results, in the order in which their games ended, into the rows that are derived from
//! them.

use std::collections::BTreeSet;

use super::current_ids::{CurrentIds, ScopeIds, result_people};
use super::private_warnings::{NOTICE_AGE_MAX_MS, warning_puts};
use super::record_cache::RecordCache;
use super::rows::{
    self, GameRatings, HistoryEntry, HistoryPlayer, ProjectionState, RatingChange, RecordId,
};
use super::stored_results::projected_put;
use super::unrated_games::unrated_game_put;
use crate::repository::outbox_entry::{BoardTask, OutboxEntry};
use crate::repository::stored_rows::{put_json, remove_row};
use crate::repository::{DAY_MS, Failure, MINUTE_MS, Repository, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_results::abuse_checks::depends_on_account_age;
use caravanserai_results::{
    GameOutcome, GameResult, Leaver, RatedResult, RatingList, RatingScope, RecordChange,
    ScopeRecords, SeatResult, computer_rating_in, hash_texts, rate_result,
};
use caravanserai_store::{Put, Space, StoreQuery};

/// How long after the end of a game its board still shows new ratings, in milliseconds.
const SHOWN_CHANGE_MS: u64 = 10 * MINUTE_MS;

/// The most marks of waiting results that are read at once.
const MARKS_PER_READ: usize = 256;

/// How long a group counts as one in which a game has ended recently, in milliseconds: until the
/// digest of the week is sent, which may be a day late.
const ACTIVE_CHAT_TTL_MS: u64 = 9 * DAY_MS;

/// Folds results. The records of the players stay in memory until their rows are taken.
pub(super) struct ResultFold<'a> {
    repository: &'a Repository,
    state: &'a ProjectionState,
    ids: CurrentIds,
    cache: RecordCache<'a>,
    /// The rows of the folded results, besides the records.
    puts: Vec<Put>,
}

impl<'a> ResultFold<'a> {
    /// Has folded nothing yet.
    pub(super) fn new(repository: &'a Repository, state: &'a ProjectionState) -> Self {
        let cache = RecordCache::new(repository, state);
        ResultFold { repository, state, ids: CurrentIds::default(), cache, puts: Vec::new() }
    }

    /// Folds the next results, each with its key.
    pub(super) async fn add(&mut self, results: &[(String, GameResult)]) -> Result<(), Failure> {
        let current = self.load(results).await?;
        let waiting = self.waiting_keys(results).await?;
        let (mut games, mut puts) = (Vec::new(), Vec::new());
        let now_ms = self.repository.now_ms();
        let is_rebuild = self.state.rebuild.is_some();
        for ((key, stored), (result, scopes)) in results.iter().zip(current) {
            let is_waiting = waiting.contains(key);
            if is_waiting {
                self.puts.push(projected_put(key));
            }
            let result = self.with_ages(result, stored);
            let records: Vec<_> = scopes.iter().map(|it| scope_records(it, &self.cache)).collect();
            let rated = rate_result(&result, &records, &|level| computer_rating_in(&result, level));
            let Some(list) = &rated.list else { continue };
            self.set_records(&result, &scopes, &rated);
            // A rebuild also projects games that end meanwhile; all others are known to their
            // players.
            let is_new = is_waiting
                && (!is_rebuild || now_ms.saturating_sub(result.ended_ms) <= NOTICE_AGE_MAX_MS);
            if is_new {
                puts.extend(warning_puts(&result, &rated, now_ms));
            }
            if result.is_aborted() {
                // Nobody sees a result; it counts for the abuse checks alone.
                continue;
            }
            games.push(GamePuts::new(&result, list, &rated));
            puts.extend(active_chat_put(&result, now_ms));
            puts.extend(unrated_game_put(&result, &rated.reasons, now_ms, is_rebuild));
            if is_new {
                puts.extend(self.board_puts(&result).await);
            }
        }
        if is_rebuild {
            self.ids.limit();
        }
        if is_rebuild && !self.state.compares_histories {
            games = self.changed_games(games).await?;
        }
        puts.extend(games.into_iter().flat_map(GamePuts::into_puts));
        if is_rebuild {
            puts = self.without_unchanged(puts).await?;
        }
        self.puts.extend(puts);
        Ok(())
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

    /// The number of rows that [`Self::take_puts`] gives.
    pub(super) fn rows(&self) -> usize {
        self.puts.len() + self.cache.month_rows()
    }

    /// Takes the rows to write that nothing folded later can change.
    pub(super) fn take_puts(&mut self) -> Vec<Put> {
        let mut puts = std::mem::take(&mut self.puts);
        puts.extend(self.cache.take_month_puts());
        puts
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

    /// The rows to write.
    pub(super) fn into_puts(mut self) -> Vec<Put> {
        let mut puts = self.puts;
        puts.extend(self.cache.take_puts(usize::MAX));
        puts
    }

    /// Leaves out the games whose rows are stored already: most of a rebuild. One row of a game is
    /// read for all its rows.
    async fn changed_games(&self, games: Vec<GamePuts>) -> Result<Vec<GamePuts>, Failure> {
        let are_stored = self.are_stored(games.iter().map(|it| &it.changes)).await?;
        let games = games.into_iter().zip(are_stored);
        Ok(games.filter(|(_, is_stored)| !is_stored).map(|(game, _)| game).collect())
    }

    /// Leaves out the rows that are stored already: reading is cheaper than writing.
    async fn without_unchanged(&self, puts: Vec<Put>) -> Result<Vec<Put>, Failure> {
        let are_stored = self.are_stored(puts.iter()).await?;
        let puts = puts.into_iter().zip(are_stored);
        Ok(puts.filter(|(_, is_stored)| !is_stored).map(|(put, _)| put).collect())
    }

    /// Whether the store has each of these rows already.
    async fn are_stored<'p>(
        &self,
        puts: impl Iterator<Item = &'p Put> + Clone,
    ) -> Result<Vec<bool>, Failure> {
        let query = |it: &Put| StoreQuery::value_of(it.space, it.key.clone());
        let queries: Vec<StoreQuery> = puts.clone().map(query).collect();
        let answers = self.repository.read_many(&queries).await?;
        let mut are_stored = Vec::with_capacity(answers.len());
        for (put, answer) in puts.zip(answers) {
            are_stored.push(answer.value()? == put.value);
        }
        Ok(are_stored)
    }

    /// Shows the changes of the ratings under the result of a game that has just ended.
    async fn board_puts(&self, result: &GameResult) -> Vec<Put> {
        let age_ms = self.repository.now_ms().saturating_sub(result.ended_ms);
        if age_ms > SHOWN_CHANGE_MS {
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
}

/// The mark of a group in which a game has ended recently. It changes each day, so that a rebuild
/// writes it again.
fn active_chat_put(result: &GameResult, now_ms: u64) -> Option<Put> {
    let is_recent = result.ended_ms.saturating_add(ACTIVE_CHAT_TTL_MS) > now_ms;
    let put = || {
        let row = put_json(Space::Meta, keys::active_chat(&result.chat), &(now_ms / DAY_MS));
        row.expires_at(now_ms + ACTIVE_CHAT_TTL_MS)
    };
    (is_recent && !result.chat.is_empty()).then(put)
}

/// The records of a scope as they are before a result.
fn scope_records(ids: &ScopeIds, cache: &RecordCache<'_>) -> ScopeRecords {
    let record = |id: &RecordId| cache.record(id).cloned();
    let by_seat = ids.by_seat.iter().map(|it| it.as_ref().and_then(record)).collect();
    let leavers = ids.leavers.iter().map(record).collect();
    ScopeRecords { scope: ids.scope.clone(), by_seat, leavers }
}

/// The rows of a game.
struct GamePuts {
    /// The changes of ratings, for the line under the result. The row has a hash of the others.
    changes: Put,
    /// The game in the histories of its players.
    history: Vec<Put>,
}

impl GamePuts {
    fn new(result: &GameResult, list: &RatingList, rated: &RatedResult) -> Self {
        let mut ratings = GameRatings {
            casual: rated.reasons.clone(),
            list: list.code(),
            achieved: rated.achievements(result),
            milestone: rated.milestone(result),
            ..GameRatings::default()
        };
        let history = history_puts(result, list, rated, &mut ratings);
        ratings.history_hash = hash_of_rows(&history);
        let key = rows::rating_changes(&result.table);
        GamePuts { changes: put_json(Space::Rating, key, &ratings), history }
    }

    fn into_puts(self) -> impl Iterator<Item = Put> {
        self.history.into_iter().chain([self.changes])
    }
}

/// A hash of rows with texts, the same in every process and version.
fn hash_of_rows(puts: &[Put]) -> u64 {
    let texts = puts.iter().flat_map(|it| {
        let value = it.value.as_deref().and_then(|it| std::str::from_utf8(it).ok());
        [it.key.as_str(), value.unwrap_or_default()]
    });
    hash_texts(texts)
}

/// The game in the histories of the players. Adds the ratings of its players to those of the game.
fn history_puts(
    result: &GameResult,
    list: &RatingList,
    rated: &RatedResult,
    ratings: &mut GameRatings,
) -> Vec<Put> {
    let overall = rated.changes.iter().filter(|it| it.scope == RatingScope::OVERALL);
    let mut puts = Vec::new();
    for change in overall {
        let after = change.after.displayed_rating();
        let rating = RatingChange {
            before: after - change.rating_change,
            after,
            is_provisional: change.after.is_provisional(result.ended_ms),
        };
        let leaver = left_seat(result, change);
        let is_rated = change.casual.is_empty();
        match leaver {
            Some(_) if is_rated => ratings.leavers.push((change.seat, rating)),
            // A person who took over a seat is not rated in a game that is rated for the others.
            None if is_rated == rated.is_rated() => ratings.seats.push((change.seat, rating)),
            Some(_) | None => {}
        }
        let entry = HistoryEntry {
            table: result.table.clone(),
            game: result.game.clone(),
            list: list.code(),
            ended_ms: result.ended_ms,
            chat: result.chat.clone(),
            seat: change.seat,
            outcome: match leaver {
                Some(_) => GameOutcome::Loss,
                None => result.outcome_in_record(usize::from(change.seat)),
            },
            players: history_players(result, change.seat, leaver),
            rating,
            casual: change.casual.clone(),
            options: result.options.clone(),
            clock: result.clock.clone(),
        };
        let key = rows::history(&change.person, result.ended_ms, &result.table);
        // Nobody can read the history of a deleted account.
        puts.push(match change.person.is_deleted() {
            true => remove_row(Space::Rating, key),
            false => put_json(Space::Rating, key, &entry),
        });
    }
    // The game leaves the history of a person who turned out to have played against themselves.
    let is_changed =
        |person: &&PersonId| rated.changes.iter().any(|change| change.person == **person);
    for person in result_people(result).filter(|it| !is_changed(it)) {
        let key = rows::history(person, result.ended_ms, &result.table);
        puts.push(remove_row(Space::Rating, key));
    }
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

/// The players of a game in the history of the person at this seat. `leaver`: the person, if they
/// gave it up.
fn history_players(result: &GameResult, seat: u8, leaver: Option<&Leaver>) -> Vec<HistoryPlayer> {
    let player = |it: SeatResult| HistoryPlayer {
        person: it.person,
        name: it.name,
        level: it.level,
        score: it.score,
    };
    result.seats_in_history(usize::from(seat), leaver).into_iter().map(player).collect()
}
