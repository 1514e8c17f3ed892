//! Computes the rows of folded results, besides the records of their players: histories, the
//! changes of ratings for the line under a result, and the messages about a new result.
//!
//! They do not depend on other results, so a rebuild computes them while it folds the next ones.

use super::current_ids::result_people;
use super::private_warnings::{NOTICE_AGE_MAX_MS, warning_puts};
use super::row_formats::{
    self, GameRatings, HistoryEntry, HistoryPlayer, ProjectionState, RatingChange,
};
use super::stored_results::projected_put;
use super::unrated_games::unrated_game_put;
use crate::repository::outbox_entry::{BoardTask, OutboxEntry};
use crate::repository::stored_rows::{put_json, remove_row};
use crate::repository::{DAY_MS, Failure, HOUR_MS, Repository, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_results::{
    GameOutcome, GameResult, Leaver, RatedGame, RatedPlayer, RatingList, SeatResult, hash_texts,
};
use caravanserai_store::{Put, Space, StoreQuery};

/// How long after the end of a game its board still shows new ratings, in milliseconds. A late
/// result waits for the next rebuild, which may be as far away as
/// [`REBUILD_INTERVAL_MS`](super::projector::REBUILD_INTERVAL_MS).
const SHOWN_CHANGE_MS: u64 = HOUR_MS;
const _: () = assert!(SHOWN_CHANGE_MS > 2 * super::projector::REBUILD_INTERVAL_MS);

/// How long a group counts as one in which a game has ended recently, in milliseconds: until the
/// digest of the week is sent, which may be a day late.
const ACTIVE_CHAT_TTL_MS: u64 = 9 * DAY_MS;

/// After so many results other work runs.
const RESULTS_PER_TURN: usize = 32;

/// A folded result.
pub(super) struct FoldedResult {
    /// Its key.
    pub(super) key: String,
    /// Whether it was never projected before.
    pub(super) is_waiting: bool,
    /// The result, with the current ids.
    pub(super) result: GameResult,
    /// Its consequences.
    pub(super) rated: RatedGame,
}

/// Called before a result of a page, with the number of results before it: moves must not wait for
/// the whole page.
pub(super) async fn let_others_run(before: usize) {
    if before > 0 && before.is_multiple_of(RESULTS_PER_TURN) {
        tokio::task::yield_now().await;
    }
}

/// Computes the rows of folded results that are to be written. A rebuild leaves out those that are
/// stored already: most of them.
///
/// # Errors
/// When the store fails.
pub(super) async fn rows_of_results(
    repository: &Repository,
    state: &ProjectionState,
    results: &[FoldedResult],
) -> Result<Vec<Put>, Failure> {
    let mut marks = Vec::new();
    let mut games = Vec::new();
    let mut puts = Vec::new();
    let now_ms = repository.now_ms();
    let is_rebuild = state.rebuild.is_some();
    for (count, folded) in results.iter().enumerate() {
        let_others_run(count).await;
        let FoldedResult { key, is_waiting, result, rated } = folded;
        if *is_waiting {
            marks.push(projected_put(key));
        }
        let Some(list) = &rated.list else { continue };
        // A rebuild also projects games that end meanwhile; all others are known to their players.
        let is_new = *is_waiting
            && (!is_rebuild || now_ms.saturating_sub(result.ended_ms) <= NOTICE_AGE_MAX_MS);
        if is_new {
            puts.extend(warning_puts(result, &rated.warnings, now_ms));
        }
        if result.is_aborted() {
            // Nobody sees a result; it counts for the abuse checks alone.
            continue;
        }
        games.push(GamePuts::new(result, list, rated));
        puts.extend(active_chat_put(result, now_ms));
        puts.extend(unrated_game_put(result, &rated.all_reasons(), now_ms, is_rebuild));
        if is_new {
            puts.extend(board_puts(repository, result).await);
        }
    }
    if is_rebuild && !state.compares_histories {
        games = changed_games(repository, games).await?;
    }
    puts.extend(games.into_iter().flat_map(GamePuts::into_puts));
    if is_rebuild {
        puts = without_unchanged(repository, puts).await?;
    }
    marks.extend(puts);
    Ok(marks)
}

/// Leaves out the games whose rows are stored already: most of a rebuild. One row of a game is
/// read for all its rows.
async fn changed_games(
    repository: &Repository,
    games: Vec<GamePuts>,
) -> Result<Vec<GamePuts>, Failure> {
    let are_stored = are_stored(repository, games.iter().map(|it| &it.changes)).await?;
    let games = games.into_iter().zip(are_stored);
    Ok(games.filter(|(_, is_stored)| !is_stored).map(|(game, _)| game).collect())
}

/// Leaves out the rows that are stored already: reading is cheaper than writing.
async fn without_unchanged(repository: &Repository, puts: Vec<Put>) -> Result<Vec<Put>, Failure> {
    let are_stored = are_stored(repository, puts.iter()).await?;
    let puts = puts.into_iter().zip(are_stored);
    Ok(puts.filter(|(_, is_stored)| !is_stored).map(|(put, _)| put).collect())
}

/// Whether the store has each of these rows already.
async fn are_stored<'p>(
    repository: &Repository,
    puts: impl Iterator<Item = &'p Put> + Clone,
) -> Result<Vec<bool>, Failure> {
    let query = |it: &Put| StoreQuery::value_of(it.space, it.key.clone());
    let queries: Vec<StoreQuery> = puts.clone().map(query).collect();
    let answers = repository.read_many(&queries).await?;
    let mut are_stored = Vec::with_capacity(answers.len());
    for (put, answer) in puts.zip(answers) {
        are_stored.push(answer.value()? == put.value);
    }
    Ok(are_stored)
}

/// Shows the changes of the ratings under the result of a game that has just ended.
async fn board_puts(repository: &Repository, result: &GameResult) -> Vec<Put> {
    let age_ms = repository.now_ms().saturating_sub(result.ended_ms);
    if age_ms > SHOWN_CHANGE_MS {
        return Vec::new();
    }
    // A table that cannot be read is reported when it is used.
    let Ok(Some(table)) = repository.load_table(&result.table).await else {
        return Vec::new();
    };
    let table = &*table;
    let task = BoardTask { ratings: true, ..BoardTask::default() };
    let board = |chat| OutboxEntry::board(chat, table, task.clone()).encode();
    table.chats.ids().map(board).collect()
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

/// The rows of a game.
struct GamePuts {
    /// The changes of ratings, for the line under the result. The row has a hash of the others.
    changes: Put,
    /// The game in the histories of its players.
    history: Vec<Put>,
}

impl GamePuts {
    fn new(result: &GameResult, list: &RatingList, rated: &RatedGame) -> Self {
        let mut ratings = GameRatings {
            casual: rated.reasons.clone(),
            list: list.code(),
            achieved: rated.achievements.clone(),
            milestone: rated.milestone,
            ..GameRatings::default()
        };
        let history = history_puts(result, list, rated, &mut ratings);
        ratings.history_hash = hash_of_rows(&history);
        let key = row_formats::rating_changes(&result.table);
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
    rated: &RatedGame,
    ratings: &mut GameRatings,
) -> Vec<Put> {
    let mut puts = Vec::new();
    for player in &rated.players {
        let RatedPlayer { seat, person, .. } = player;
        let rating = RatingChange {
            before: player.rating - player.rating_change,
            after: player.rating,
            is_provisional: player.is_provisional,
        };
        let leaver = left_seat(result, *seat, person);
        let is_rated = player.casual.is_empty();
        match leaver {
            Some(_) if is_rated => ratings.leavers.push((*seat, rating)),
            // A person who took over a seat is not rated in a game that is rated for the others.
            None if is_rated == rated.is_rated() => ratings.seats.push((*seat, rating)),
            None if player.is_new_winner() => ratings.new_winners.push(*seat),
            Some(_) | None => {}
        }
        let entry = HistoryEntry {
            table: result.table.clone(),
            game: result.game.clone(),
            list: list.code(),
            ended_ms: result.ended_ms,
            chat: result.chat.clone(),
            seat: *seat,
            outcome: match leaver {
                Some(_) => GameOutcome::Loss,
                None => result.outcome_in_record(usize::from(*seat)),
            },
            players: history_players(result, *seat, leaver),
            rating,
            casual: player.casual.clone(),
            options: result.options.clone(),
            clock: result.clock.clone(),
        };
        let key = row_formats::history(person, result.ended_ms, &result.table);
        // Nobody can read the history of a deleted account.
        puts.push(match person.is_deleted() {
            true => remove_row(Space::Rating, key),
            false => put_json(Space::Rating, key, &entry),
        });
    }
    // The game leaves the history of a person who turned out to have played against themselves.
    let is_changed =
        |person: &&PersonId| rated.players.iter().any(|player| player.person == **person);
    for person in result_people(result).filter(|it| !is_changed(it)) {
        let key = row_formats::history(person, result.ended_ms, &result.table);
        puts.push(remove_row(Space::Rating, key));
    }
    puts
}

/// The entry of this person among those who left, if they gave up this seat.
pub(super) fn left_seat<'a>(
    result: &'a GameResult,
    seat: u8,
    person: &PersonId,
) -> Option<&'a Leaver> {
    result.leavers.iter().find(|it| it.seat == seat && it.person == *person)
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
