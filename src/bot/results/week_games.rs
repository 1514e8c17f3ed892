//! Finds the games that ended in one chat within a time, in the histories of its players. It does
//! not read the histories of people who did not play there in these months.

use std::collections::BTreeSet;

use super::current_ids::CurrentIds;
use super::queries::ResultQueries;
use super::row_formats::{
    GameRatings, HistoryEntry, RatingChange, RecordId, StoredRecord, history_prefix,
    rating_changes, records_prefix,
};
use super::stored_results::result_key_of;
use crate::repository::Failure;
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_results::{GameResult, RatingScope, Season, WeekGame};
use caravanserai_store::{Space, StoreQuery};

/// The most games that are found.
const GAMES_MAX: usize = 5_000;

/// The number of rows that are read at once.
const ROWS_PER_READ: usize = 200;

/// A time and a table: together they identify a game.
type EndedGame = (u64, TableId);

impl ResultQueries<'_> {
    /// The games that ended in this chat from one time until before another, in milliseconds since
    /// 1970, at most 5,000. Games of which every player was deleted are not found.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn games_of_chat(
        self,
        chat: &str,
        (from_ms, until_ms): (u64, u64),
    ) -> Result<Vec<WeekGame>, Failure> {
        let mut ended: BTreeSet<EndedGame> = BTreeSet::new();
        for person in self.players_of_chat(chat, from_ms, until_ms).await? {
            if ended.len() >= GAMES_MAX {
                break;
            }
            self.add_ended_games(&mut ended, &person, chat, from_ms, until_ms).await?;
        }
        let ended: Vec<EndedGame> = ended.into_iter().take(GAMES_MAX).collect();
        let mut games = Vec::with_capacity(ended.len());
        for page in ended.chunks(ROWS_PER_READ) {
            games.extend(self.load_games(chat, page).await?);
        }
        Ok(games)
    }

    /// The people who finished a game in this chat in the months of this time.
    async fn players_of_chat(
        self,
        chat: &str,
        from_ms: u64,
        until_ms: u64,
    ) -> Result<BTreeSet<PersonId>, Failure> {
        let seasons = [Season::at(from_ms), Season::at(until_ms.saturating_sub(1))];
        let mut people = BTreeSet::new();
        for season in BTreeSet::from(seasons) {
            let prefix = records_prefix(&RatingScope::of_chat(chat).in_season(season));
            for (key, row) in self.repository.read_all_rows(Space::Rating, &prefix).await? {
                let stored = serde_json::from_slice::<StoredRecord>(&row).ok();
                let played = stored.is_some_and(|it| it.record.last_ms >= from_ms);
                people.extend(RecordId::parse_current(&key).filter(|_| played).map(|it| it.person));
            }
        }
        Ok(people)
    }

    /// Adds the games of a person in this chat and this time.
    async fn add_ended_games(
        self,
        ended: &mut BTreeSet<EndedGame>,
        person: &PersonId,
        chat: &str,
        from_ms: u64,
        until_ms: u64,
    ) -> Result<(), Failure> {
        let prefix = history_prefix(person);
        // Keys of games that ended at this very time continue with a space, which sorts before
        // this mark.
        let mut after = format!("{prefix}{:016x}!", u64::MAX - until_ms);
        while ended.len() < GAMES_MAX {
            let read =
                self.repository.read_rows_after(Space::Rating, &prefix, &after, ROWS_PER_READ);
            let rows = read.await?;
            let is_end = rows.len() < ROWS_PER_READ;
            for (key, row) in rows {
                after = key;
                let Ok(entry) = serde_json::from_slice::<HistoryEntry>(&row) else { continue };
                if entry.ended_ms < from_ms {
                    return Ok(());
                }
                if entry.chat == chat {
                    ended.insert((entry.ended_ms, entry.table));
                }
            }
            if is_end {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The results of these games, with what they changed.
    async fn load_games(self, chat: &str, ended: &[EndedGame]) -> Result<Vec<WeekGame>, Failure> {
        let queries = ended.iter().flat_map(|(ended_ms, table)| {
            [
                StoreQuery::value_of(Space::Result, result_key_of(*ended_ms, table)),
                StoreQuery::value_of(Space::Rating, rating_changes(table)),
            ]
        });
        let queries: Vec<StoreQuery> = queries.collect();
        let mut answers = self.repository.read_many(&queries).await?.into_iter();
        let mut found: Vec<(GameResult, GameRatings)> = Vec::new();
        while let (Some(result), Some(ratings)) = (answers.next(), answers.next()) {
            let result = result.value()?.and_then(|it| GameResult::parse(&it).ok());
            let ratings = ratings.value()?.and_then(|it| serde_json::from_slice(&it).ok());
            found.extend(result.map(|it| (it, ratings.unwrap_or_default())));
        }
        let mut ids = CurrentIds::default();
        ids.load(self.repository, found.iter().map(|(result, _)| result)).await?;
        let hidden = self.repository.hidden_names().await?;
        let game = |(result, ratings): &(GameResult, GameRatings)| WeekGame {
            result: ids.shown_in(chat, &hidden, result),
            changes: match ratings.casual.is_empty() {
                true => certain_changes(&ratings.seats),
                false => Vec::new(),
            },
            leaver_changes: certain_changes(&ratings.leavers),
            milestone: ratings.milestone,
        };
        let mut games: Vec<WeekGame> = found.iter().map(game).collect();
        games.retain(|it| it.result.chat == chat);
        Ok(games)
    }
}

/// Those of these changes of ratings that are certain after the game, by seat.
fn certain_changes(seats: &[(u8, RatingChange)]) -> Vec<(u8, i32)> {
    let certain = seats.iter().filter(|(_, rating)| !rating.is_provisional);
    certain.map(|(seat, rating)| (*seat, rating.after - rating.before)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_certain_ratings_change() {
        let change = |after, is_provisional| RatingChange { before: 1500, after, is_provisional };
        let seats = [(0, change(1520, false)), (1, change(1300, true))];
        assert_eq!(certain_changes(&seats), [(0, 20)]);
    }
}
