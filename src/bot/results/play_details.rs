//! Reads how a person plays, beyond their ratings: their favourite openings, their best win and
//! their luck.
//!
//! Favourites and best wins are in the records. Luck is known only of games that an engine has
//! analysed: those that were judged after their end, and those with a stored review. It is summed
//! up when it is read, so a rebuild neither needs nor changes it.

use serde::Deserialize;

use super::queries::{HistoryFilter, ResultQueries, shown_entry};
use super::row_formats::{HistoryEntry, StoredRecord, history};
use crate::repository::{Failure, keys};
use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_results::{BestWin, LuckSum, RatingList, RatingScope, ResultShare};
use caravanserai_store::{Space, StoreQuery};

/// How many games of one kind, the latest ones of a person, are searched for luck.
const LUCK_GAMES_MAX: usize = 50;

/// How many times the history is searched on for games of one list.
const SEARCHES_MAX: usize = 10;

/// How a person plays in one list, beyond their record there.
pub struct PlayDetails {
    /// The best game that they have won.
    pub best: Option<BestGame>,
    /// Their luck; `None` in a game without chance.
    pub luck: Option<RecentLuck>,
}

/// The best game that a person has won.
pub struct BestGame {
    /// The entry about it in their record.
    pub win: BestWin,
    /// The game in their history.
    pub entry: HistoryEntry,
    /// Whether its chat does not keep it any longer.
    pub is_removed: bool,
}

/// The luck of a person in their last games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecentLuck {
    /// The luck in those of them that were analysed.
    pub sum: LuckSum,
    /// The number of these games, analysed or not.
    pub games: u32,
}

/// The parts of a stored review that are read.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ReviewedShares {
    shares: Vec<ResultShare>,
    shared_seats: Vec<u8>,
}

impl ResultQueries<'_> {
    /// How a person plays in the lists of these records, which are theirs in this scope, in the
    /// order of the records.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn play_details(
        self,
        person: &PersonId,
        scope: &RatingScope,
        records: &[(RatingList, StoredRecord)],
    ) -> Result<Vec<PlayDetails>, Failure> {
        let mut best_games = self.best_games(person, records).await?.into_iter().peekable();
        let mut details = Vec::new();
        for (list, stored) in records {
            let win = stored.record.best_win.as_ref();
            let best = best_games.next_if(|it| Some(&it.win) == win);
            let luck = self.recent_luck(person, scope, list).await?;
            details.push(PlayDetails { best, luck });
        }
        Ok(details)
    }

    /// The best wins in these records that are in the history of the person, in the order of the
    /// records.
    async fn best_games(
        self,
        person: &PersonId,
        records: &[(RatingList, StoredRecord)],
    ) -> Result<Vec<BestGame>, Failure> {
        let wins: Vec<&BestWin> =
            records.iter().filter_map(|(_, it)| it.record.best_win.as_ref()).collect();
        let row = |it: &&BestWin| {
            StoreQuery::value_of(Space::Rating, history(person, it.at_ms, &it.table))
        };
        let queries: Vec<StoreQuery> = wins.iter().map(row).collect();
        let hidden = self.repository.hidden_names().await?;
        let tables: Vec<&TableId> = wins.iter().map(|it| &it.table).collect();
        let removed = self.repository.kept_games().removal_texts(&tables).await?;
        let answers = self.repository.read_many(&queries).await?;
        let mut found = Vec::new();
        for ((win, answer), removed) in wins.into_iter().zip(answers).zip(removed) {
            let entry = answer.value()?.and_then(|it| shown_entry(&it, &hidden));
            let is_removed = removed.is_some();
            found.extend(entry.map(|entry| BestGame { win: win.clone(), entry, is_removed }));
        }
        Ok(found)
    }

    /// The latest games of a list among those that a filter keeps.
    async fn latest_games_of_list(
        self,
        person: &PersonId,
        filter: &HistoryFilter,
        list: &RatingList,
    ) -> Result<Vec<HistoryEntry>, Failure> {
        let code = list.code();
        let mut games = Vec::new();
        let mut after = None::<String>;
        for _ in 0..SEARCHES_MAX {
            let found =
                self.search_history(person, filter, after.as_deref(), LUCK_GAMES_MAX).await?;
            games.extend(found.entries.into_iter().filter(|it| it.list == code));
            after = found.next;
            if after.is_none() || games.len() >= LUCK_GAMES_MAX {
                break;
            }
        }
        games.truncate(LUCK_GAMES_MAX);
        Ok(games)
    }

    /// The luck of a person in their last games of a list; `None` in a game without chance.
    async fn recent_luck(
        self,
        person: &PersonId,
        scope: &RatingScope,
        list: &RatingList,
    ) -> Result<Option<RecentLuck>, Failure> {
        let game = GameId::from_code(list.game()).filter(|it| it.info().has_chance);
        let Some(game) = game else { return Ok(None) };
        let game = Some(game);
        let chat = scope.chat.clone();
        let filter = HistoryFilter { game, chat, ..HistoryFilter::default() };
        let games = self.latest_games_of_list(person, &filter, list).await?;
        let judged = self.judged_games(&games).await?;
        let row = |it: &HistoryEntry| StoreQuery::value_of(Space::Meta, keys::review(&it.table));
        let queries: Vec<StoreQuery> = games.iter().map(row).collect();
        let reviews = self.repository.read_many(&queries).await?;
        let mut sum = LuckSum::default();
        for ((entry, judged), review) in games.iter().zip(judged).zip(reviews) {
            let review = review.value()?;
            let reviewed: Option<ReviewedShares> =
                review.and_then(|it| serde_json::from_slice(&it).ok());
            // A review thinks longer.
            let known = reviewed.filter(|it| !it.shared_seats.contains(&entry.seat));
            let shares = known.map(|it| it.shares).filter(|it| !it.is_empty());
            let shares = shares.or(judged.map(|it| it.shares)).unwrap_or_default();
            sum.add(&shares, entry.seat);
        }
        let games = u32::try_from(games.len()).unwrap_or(u32::MAX);
        Ok(Some(RecentLuck { sum, games }))
    }
}
