//! Lists the latest games of a chat that only abuse checks kept from being rated, for the admins of
//! the chat.
//!
//! The commit that computes a result writes a row for such a game. It names the chat, the table and
//! the reasons, and expires after 30 days.

use super::current_ids::CurrentIds;
use super::queries::ResultQueries;
use super::stored_results::result_key_of;
use crate::repository::stored_rows::{put_json, remove_row};
use crate::repository::{DAY_MS, Failure, keys};
use caravanserai_games::ids::TableId;
use caravanserai_results::{CasualReason, GameResult};
use caravanserai_store::{Put, Space, StoreQuery};

/// How long a game is listed after its end, in milliseconds.
const LISTED_MS: u64 = 30 * DAY_MS;

/// The most games that are listed, the latest first.
const GAMES_SHOWN: usize = 10;

/// A game that an abuse check kept from being rated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnratedGame {
    /// Its result, with the names that are shown in the chat.
    pub result: GameResult,
    /// The reasons.
    pub reasons: Vec<CasualReason>,
}

/// Whether an abuse check gives this reason, and not the players or the table.
fn is_of_guard(reason: CasualReason) -> bool {
    matches!(
        reason,
        CasualReason::PairLimit
            | CasualReason::PairLimitEverywhere
            | CasualReason::NewAccount
            | CasualReason::Farming
            | CasualReason::DeletedAccount
            | CasualReason::RatingPause
    )
}

/// The row of a result with these reasons; none for a game that counts for the lists of its chat,
/// or that would not be rated without abuse checks either. A rebuild removes it then.
pub(super) fn unrated_game_put(
    result: &GameResult,
    reasons: &[CasualReason],
    now_ms: u64,
    is_rebuild: bool,
) -> Option<Put> {
    let until_ms = result.ended_ms.saturating_add(LISTED_MS);
    if result.chat.is_empty() || until_ms <= now_ms {
        return None;
    }
    let key = keys::unrated_game(&result.chat, result.ended_ms, &result.table);
    // It has changed the lists of the chat.
    let is_rated_here = reasons.iter().all(|it| it.spares_lists_of_chat());
    match !is_rated_here && reasons.iter().all(|it| is_of_guard(*it)) {
        true => Some(put_json(Space::Meta, key, &reasons).expires_at(until_ms)),
        false => is_rebuild.then(|| remove_row(Space::Meta, key)),
    }
}

impl ResultQueries<'_> {
    /// Whether there are such games in this chat.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn has_unrated_games(self, chat: &str) -> Result<bool, Failure> {
        let prefix = keys::unrated_games_of(chat);
        Ok(!self.repository.read_rows(Space::Meta, &prefix, 1).await?.is_empty())
    }

    /// The latest games of this chat that an abuse check kept from being rated, the latest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn unrated_games(self, chat: &str) -> Result<Vec<UnratedGame>, Failure> {
        let prefix = keys::unrated_games_of(chat);
        let rows = self.repository.read_rows(Space::Meta, &prefix, GAMES_SHOWN).await?;
        let listed = rows.iter().filter_map(|(key, value)| {
            let (time, table) = key.strip_prefix(&prefix)?.split_once(' ')?;
            let ended_ms = u64::MAX - u64::from_str_radix(time, 16).ok()?;
            let reasons: Vec<CasualReason> = serde_json::from_slice(value).ok()?;
            Some((result_key_of(ended_ms, &TableId(table.to_owned())), reasons))
        });
        let listed: Vec<(String, Vec<CasualReason>)> = listed.collect();
        let query =
            |it: &(String, Vec<CasualReason>)| StoreQuery::value_of(Space::Result, it.0.clone());
        let queries: Vec<StoreQuery> = listed.iter().map(query).collect();
        let mut found: Vec<(GameResult, Vec<CasualReason>)> = Vec::new();
        let answers = self.repository.read_many(&queries).await?;
        for ((_, reasons), answer) in listed.into_iter().zip(answers) {
            let result = answer.value()?.and_then(|it| GameResult::parse(&it).ok());
            found.extend(result.map(|it| (it, reasons)));
        }
        let mut ids = CurrentIds::default();
        ids.load(self.repository, found.iter().map(|(result, _)| result)).await?;
        let hidden = self.repository.hidden_names().await?;
        let shown = |(result, reasons): (GameResult, Vec<CasualReason>)| UnratedGame {
            result: ids.shown_in(chat, &hidden, &result),
            reasons,
        };
        Ok(found.into_iter().map(shown).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_game_that_counts_for_the_lists_of_its_chat_is_not_listed() {
        let stored = json!({
            "table": "7k3fx", "game": "togyzkumalak", "started": 1, "ended": 2, "chat": "web:one",
            "seats": [],
        });
        let result = GameResult::parse(stored.to_string().as_bytes()).expect("a result");
        let everywhere = CasualReason::PairLimitEverywhere;
        let is_listed = |reasons: &[CasualReason], is_rebuild: bool| {
            unrated_game_put(&result, reasons, 3, is_rebuild).map(|it| it.value.is_some())
        };
        assert_eq!(is_listed(&[everywhere], false), None);
        assert_eq!(is_listed(&[everywhere], true), Some(false), "that of an earlier version");
        assert_eq!(is_listed(&[everywhere, CasualReason::NewAccount], false), Some(true));
        assert_eq!(is_listed(&[CasualReason::PairLimit], false), Some(true));
        assert_eq!(is_listed(&[CasualReason::Hints], false), None);
        // The players chose a casual game; that a pause or a limit holds, too, changes nothing.
        let chosen = [CasualReason::Chosen, CasualReason::RatingPause];
        assert_eq!(is_listed(&chosen, false), None);
        assert_eq!(is_listed(&chosen, true), Some(false), "that of an earlier version");
        assert_eq!(is_listed(&[CasualReason::PairLimit, CasualReason::Aborted], false), None);
    }
}
