//! Stores the results of finished games, from which all ratings and lists are computed.

use super::row_formats;
use crate::repository::stored_rows::remove_row;
use crate::repository::{Failure, MINUTE_MS, Repository};
use caravanserai_games::ids::TableId;
use caravanserai_results::GameResult;
use caravanserai_store::{Put, Space, StoreQuery};
use caravanserai_table::state::Table;

/// The most waiting results that are read at once.
const WAITING_RESULTS_MAX: usize = 500;

/// The rows for the commit that ends a game: its result, and the mark that it is not projected yet.
/// None if the table has no result.
pub fn result_puts(table: &Table) -> Vec<Put> {
    let Some(result) = table.game_result() else { return Vec::new() };
    let key = result_key(&result);
    vec![
        Put::new(Space::Meta, row_formats::pending_result(&key), Vec::new()),
        Put::new(Space::Result, key, result.encode()),
    ]
}

/// The key of a result: keys sort in the order in which results are projected.
pub fn result_key(result: &GameResult) -> String {
    result_key_of(result.ended_ms, &result.table)
}

/// The key of the result of a table whose game ended at this time, in milliseconds since 1970.
pub(super) fn result_key_of(ended_ms: u64, table: &TableId) -> String {
    format!("{ended_ms:016x} {}", table.0)
}

/// The row that removes the mark that a result is not projected yet.
pub(super) fn projected_put(key: &str) -> Put {
    remove_row(Space::Meta, row_formats::pending_result(key))
}

/// How far the clocks of processes may differ, in milliseconds.
const CLOCK_SKEW_MAX_MS: u64 = 5 * MINUTE_MS;

/// Whether the end of a game is not in the future by this clock.
pub(super) fn has_ended(result: &GameResult, now_ms: u64) -> bool {
    result.ended_ms <= now_ms.saturating_add(CLOCK_SKEW_MAX_MS)
}

/// The first results that are not projected yet, the earliest first, each with its key. Those that
/// cannot be read wait for a program that can.
pub(super) async fn read_waiting_results(
    repository: &Repository,
) -> Result<Vec<(String, GameResult)>, Failure> {
    let prefix = row_formats::PENDING_PREFIX;
    let marks = repository.read_rows(Space::Meta, prefix, WAITING_RESULTS_MAX).await?;
    let marks = marks.into_iter();
    let keys: Vec<String> =
        marks.filter_map(|(key, _)| Some(key.strip_prefix(prefix)?.to_owned())).collect();
    let query = |key: &String| StoreQuery::value_of(Space::Result, key.clone());
    let queries: Vec<StoreQuery> = keys.iter().map(query).collect();
    let mut found = Vec::new();
    for (key, answer) in keys.into_iter().zip(repository.read_many(&queries).await?) {
        let result = parse_result(&key, answer.value()?.as_deref());
        found.extend(result.map(|it| (key, it)));
    }
    Ok(found)
}

/// A stored result; `None`, with a log line, if it cannot be read.
pub(super) fn parse_result(key: &str, value: Option<&[u8]>) -> Option<GameResult> {
    let read = value.ok_or_else(|| "it is missing".to_owned());
    let parsed = read.and_then(|it| GameResult::parse(it).map_err(|why| why.to_string()));
    match parsed {
        Ok(result) if result_key(&result) == key => Some(result),
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
