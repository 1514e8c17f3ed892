//! Decides at the start of a game whether its players have reached the limit of rated games against
//! each other today, and records that in the line of the start.
//!
//! For each pair and day (UTC) a row lists the rated games that began. The commit of a start
//! changes the rows of all its pairs, so two games that start at the same moment count each other.
//! The rows do not depend on when games end or when ratings are computed: otherwise players could
//! delay the end of games that they lose, and a fast rematch would not count the game before.
//!
//! Games that were aborted, or turned out not to be rated, do not use up the limit: if it seems to
//! be reached, the listed tables and their ratings are read.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};

use super::row_update::{OptionalRow, StoredRow, TypedRowKey};
use super::stored_rows::parse_json_or_default;
use super::unit_of_work::TableChange;
use super::{DAY_MS, Failure, Repository, keys};
use crate::results::row_formats::{self, GameRatings};
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_results::abuse_checks::{MAX_PAIR_GAMES, MAX_PAIR_GAMES_EVERYWHERE};
use caravanserai_results::{CasualReason, PairLimit};
use caravanserai_store::{Commit, Space, StoreQuery};
use caravanserai_table::Table;
use caravanserai_table::event::Event;
use caravanserai_table::rated_games::state_pair_limit;

/// A rated game of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PairGame {
    /// The chat of its result; empty for a game in private.
    chat: String,
    /// Its table.
    table: TableId,
}

/// A game that starts.
struct StartingGame {
    game: PairGame,
    /// The pairs of people who play against each other.
    pairs: Vec<(PersonId, PersonId)>,
    /// The day of the start in UTC, counted from 1970.
    day: u64,
}

impl Repository {
    /// States in each decision that starts a rated game of several people which limit for the games
    /// of a pair is reached, and counts the game for its pairs if it is rated.
    ///
    /// # Errors
    /// When the store cannot be read. Nothing is written then.
    pub(super) async fn add_pair_limits<'a>(
        &self,
        changes: Vec<TableChange<'a>>,
        commit: &mut Commit,
    ) -> Result<Vec<TableChange<'a>>, Failure> {
        let mut stated = Vec::with_capacity(changes.len());
        for mut change in changes {
            if let Some(starting) = starting_game(&change) {
                let limit = self.count_start(starting, commit).await?;
                change.decision = state_pair_limit(change.decision, limit);
            }
            stated.push(change);
        }
        Ok(stated)
    }

    /// The limit that is reached when this game starts. Adds the game to the rows of its pairs if
    /// it is rated.
    async fn count_start(
        &self,
        starting: StartingGame,
        commit: &mut Commit,
    ) -> Result<PairLimit, Failure> {
        let StartingGame { game, pairs, day } = starting;
        let mut rows: Vec<StoredRow<OptionalRow<Vec<PairGame>>>> = Vec::with_capacity(pairs.len());
        for (one, other) in &pairs {
            let key = TypedRowKey::optional_row(keys::pair_games(day, one, other));
            rows.push(self.read_row(key.with_ttl((day + 2) * DAY_MS)).await?);
        }
        let mut lists = Vec::with_capacity(pairs.len());
        for (row, (one, other)) in rows.iter().zip(&pairs) {
            let mut games = row.value().0.clone().unwrap_or_default();
            games.extend(self.games_before_linking(day, one, other).await?);
            lists.push(self.with_current_chats(games, &game.chat).await?);
        }
        if reached_limit(&lists, &game.chat) != PairLimit::NotReached {
            for list in &mut lists {
                *list = self.games_that_count(std::mem::take(list)).await?;
            }
        }
        let limit = reached_limit(&lists, &game.chat);
        if limit != PairLimit::InChat {
            for (row, mut list) in rows.iter().zip(lists) {
                list.push(game.clone());
                row.set(&OptionalRow(Some(list)), commit);
            }
        }
        Ok(limit)
    }

    /// The games that these people began on this day under their other accounts, before these were
    /// linked.
    async fn games_before_linking(
        &self,
        day: u64,
        one: &PersonId,
        other: &PersonId,
    ) -> Result<Vec<PairGame>, Failure> {
        let profiles = self.profiles();
        let [ones, others] = [profiles.accounts_of(one).await?, profiles.accounts_of(other).await?];
        let pairs = ones.iter().flat_map(|it| others.iter().map(move |other| (it, other)));
        let queries = pairs
            .filter(|it| *it != (one, other))
            .map(|(one, other)| {
                StoreQuery::value_of(Space::Meta, keys::pair_games(day, one, other))
            })
            .collect::<Vec<_>>();
        let mut games: Vec<PairGame> = Vec::new();
        for answer in self.read_many(&queries).await? {
            games.extend(parse_json_or_default::<Vec<PairGame>>(answer.value()?));
        }
        Ok(games)
    }

    /// These games, each once, with the current id of this chat: a group that became a supergroup
    /// has another one.
    async fn with_current_chats(
        &self,
        games: Vec<PairGame>,
        chat: &str,
    ) -> Result<Vec<PairGame>, Failure> {
        let mut present: Vec<PairGame> = Vec::with_capacity(games.len());
        for mut game in games {
            if present.iter().any(|it| it.table == game.table) {
                continue;
            }
            if !game.chat.is_empty() && game.chat != chat {
                let key = keys::chat_successor(&game.chat);
                let successor = self.read_value(Space::Meta, &key).await?;
                if successor.is_some_and(|it| it == chat.as_bytes()) {
                    chat.clone_into(&mut game.chat);
                }
            }
            present.push(game);
        }
        Ok(present)
    }

    /// Those of these games that use up the limit. Tables are read without a lock, because the
    /// caller may hold one.
    async fn games_that_count(&self, games: Vec<PairGame>) -> Result<Vec<PairGame>, Failure> {
        let mut counting = Vec::with_capacity(games.len());
        for game in games {
            if self.is_played_for_ratings(&game.table).await? {
                counting.push(game);
            }
        }
        Ok(counting)
    }

    /// Whether a game that began as a rated one still is, as far as it is known now.
    async fn is_played_for_ratings(&self, id: &TableId) -> Result<bool, Failure> {
        let key = row_formats::rating_changes(id);
        let ratings = self.read_value(Space::Rating, &key).await?;
        let ratings = ratings.and_then(|it| serde_json::from_slice::<GameRatings>(&it).ok());
        let is_reason = |it: &CasualReason| *it != CasualReason::PairLimitEverywhere;
        if ratings.is_some_and(|it| it.casual.iter().any(is_reason)) {
            return Ok(false);
        }
        let lines = match self.load_log_lines(id).await {
            Ok(lines) => lines,
            Err(failure @ Failure::Store(_)) => return Err(failure),
            // A table that cannot be read is reported when it is used.
            Err(_) => return Ok(true),
        };
        let table = catch_unwind(AssertUnwindSafe(|| Table::from_log(id, &lines)));
        Ok(table.ok().and_then(Result::ok).is_none_or(|it| it.uses_pair_limit()))
    }
}

/// The rated game of several people that starts by this change.
fn starting_game(change: &TableChange<'_>) -> Option<StartingGame> {
    let table = &change.decision.table;
    change.decision.events().find(|it| matches!(it, Event::Started { .. }))?;
    let pairs = table.rated_pairs().into_iter();
    let pairs: Vec<_> = pairs.map(|(one, other)| (one.clone(), other.clone())).collect();
    (!pairs.is_empty()).then(|| StartingGame {
        game: PairGame { chat: table.result_chat().to_owned(), table: table.id.clone() },
        pairs,
        day: table.times.started_ms / DAY_MS,
    })
}

/// The limit that all pairs with these games have reached in this chat.
fn reached_limit(lists: &[Vec<PairGame>], chat: &str) -> PairLimit {
    let here = |list: &Vec<PairGame>| list.iter().filter(|it| it.chat == chat).count();
    if lists.iter().all(|it| here(it) >= MAX_PAIR_GAMES as usize) {
        PairLimit::InChat
    } else if lists.iter().all(|it| it.len() >= MAX_PAIR_GAMES_EVERYWHERE as usize) {
        PairLimit::Everywhere
    } else {
        PairLimit::NotReached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(chats: &[&str]) -> Vec<PairGame> {
        let game =
            |chat: &&str| PairGame { chat: (*chat).to_owned(), table: TableId("7k3fx".to_owned()) };
        chats.iter().map(game).collect()
    }

    #[test]
    fn a_pair_begins_five_rated_games_in_a_chat_and_ten_in_all() {
        let mut chats = vec!["one"; 4];
        assert_eq!(reached_limit(&[games(&chats)], "one"), PairLimit::NotReached);
        chats.push("one");
        assert_eq!(reached_limit(&[games(&chats)], "one"), PairLimit::InChat);
        assert_eq!(reached_limit(&[games(&chats)], "two"), PairLimit::NotReached);
        chats.extend(["two"; 5]);
        assert_eq!(reached_limit(&[games(&chats)], "two"), PairLimit::InChat);
        assert_eq!(reached_limit(&[games(&chats)], "three"), PairLimit::Everywhere);
        // A game of more people counts until all pairs have had so many.
        let lists = [games(&chats), games(&chats[..4])];
        assert_eq!(reached_limit(&lists, "one"), PairLimit::NotReached);
    }

    #[test]
    fn a_pair_has_one_row_a_day() {
        let [one, other] = ["tg:1", "tg:2"].map(|it| PersonId(it.to_owned()));
        let key = keys::pair_games(20_000, &one, &other);
        assert_eq!(key, keys::pair_games(20_000, &other, &one));
        assert_ne!(key, keys::pair_games(20_001, &one, &other));
    }
}
