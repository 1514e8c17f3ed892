//! Reads ratings, lists and histories for people.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::row_formats::{
    GameRatings, HistoryEntry, LeaderboardEntry, RecordId, StoredRecord, history_prefix,
    list_prefix, listed_points, rating_changes, recompute_request, records_prefix,
    season_lists_prefix,
};
use super::stored_results::read_waiting_results;
use crate::repository::hidden_names::HiddenNames;
use crate::repository::stored_rows::{put_json, remove_row};
use crate::repository::{Failure, Repository, keys};
use crate::settings::Setting;
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_results::{
    GameOutcome, GameResult, JudgedGame, PlayQuality, RatingList, RatingScope, RatingSystem, Season,
};
use caravanserai_store::{Put, Space, StoreQuery, StoreRow};
use caravanserai_table::state::Table;

/// The most games that are removed from a history to be listed again.
const LISTED_AGAIN: usize = 5_000;

/// The most games that a filter looks at.
pub const FILTERED_GAMES_MAX: usize = 1_000;

/// The most seasons that are looked for: fifty years.
const SEASONS_MAX: usize = 600;

/// The most games of a person, the latest ones, whose play is summed up.
const JUDGED_GAMES_MAX: usize = 30;

/// The fewest and the most rows of a list that are read at a time, to find ratings that are certain
/// now.
const LIST_PAGE: (usize, usize) = (16, 500);

/// The most rows of a list that are read for that.
const LISTED_ROWS_MAX: usize = 5_000;

/// The most places of a list that are counted to find the rank of a person.
pub const RANKED_PLACES_MAX: usize = 500;

/// The number of rows that a search in a history reads at a time.
const SEARCHED_ROWS: usize = 200;

/// The most rows that one search in a history reads.
const SEARCHED_ROWS_MAX: usize = 2_000;

/// Reads what was computed from results.
#[derive(Clone, Copy)]
pub struct ResultQueries<'a> {
    pub(super) repository: &'a Repository,
}

/// A page of a person's games.
#[derive(Clone, Debug, Default)]
pub struct HistoryPage {
    /// The games, the latest first.
    pub entries: Vec<HistoryEntry>,
    /// Whether there are older games.
    pub has_more: bool,
    /// The games that their chats do not keep any longer.
    pub removed: BTreeSet<TableId>,
}

/// The games that a search in a history has found.
#[derive(Clone, Debug, Default)]
pub struct HistorySearch {
    /// The games, the latest first.
    pub entries: Vec<HistoryEntry>,
    /// Where to search on; `None` at the end of the history.
    pub next: Option<String>,
}

impl Repository {
    /// Reads ratings, lists and histories.
    pub fn results(&self) -> ResultQueries<'_> {
        ResultQueries { repository: self }
    }
}

/// The places in rows of a list.
fn listed_places(rows: &[StoreRow]) -> Vec<LeaderboardEntry> {
    rows.iter().filter_map(|(_, value)| serde_json::from_slice(value).ok()).collect()
}

/// A place, and the points by which its list orders it.
struct RankedEntry {
    place: LeaderboardEntry,
    points: i32,
}

impl RankedEntry {
    /// The order in a list: the most points first.
    fn order(&self, other: &RankedEntry) -> Ordering {
        let by_points = other.points.cmp(&self.points);
        by_points.then_with(|| self.place.person.cmp(&other.place.person))
    }
}

/// The places in rows of a list whose keys have this prefix, with the points in their keys.
fn ranked_places(rows: &[StoreRow], prefix: &str) -> Vec<RankedEntry> {
    let place = |(key, value): &StoreRow| {
        let place: LeaderboardEntry = serde_json::from_slice(value).ok()?;
        let points = listed_points(key, prefix).unwrap_or(place.rating);
        Some(RankedEntry { place, points })
    };
    rows.iter().filter_map(place).collect()
}

/// Whether ratings in these lists become uncertain without games. The lists of months stay as the
/// last game has left them.
fn can_lapse(scope: &RatingScope) -> bool {
    scope.season.is_none()
}

/// A stored game of a history with the names that are shown in its chat.
pub(super) fn shown_entry(value: &[u8], hidden: &HiddenNames) -> Option<HistoryEntry> {
    let mut entry: HistoryEntry = serde_json::from_slice(value).ok()?;
    for player in &mut entry.players {
        hidden.replace(&entry.chat, &player.person, &mut player.name);
    }
    Some(entry)
}

/// All lists, in the order of the games.
pub fn all_lists() -> Vec<RatingList> {
    let lists = GameId::all().iter().flat_map(|game| {
        let info = game.info();
        let systems: &[RatingSystem] = match info.seats.most {
            2 => &[RatingSystem::Glicko2],
            _ if info.partners => &[RatingSystem::WengLin],
            _ => &RatingSystem::ALL,
        };
        systems.iter().filter_map(|it| RatingList::new(info.code, *it))
    });
    lists.collect()
}

/// Chooses the games of a person that are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryFilter {
    /// The game; `None` for all games.
    pub game: Option<GameId>,
    /// One of the opponents; `None` for all of them.
    pub opponent: Option<PersonId>,
    /// The chat, without its topic; `None` for all chats.
    pub chat: Option<String>,
    /// Whether the games were rated; `None` for both kinds.
    pub is_rated: Option<bool>,
    /// The result for the person; `None` for all results.
    pub outcome: Option<GameOutcome>,
}

impl HistoryFilter {
    /// The games against this person in this chat, named without its topic.
    pub fn against(opponent: PersonId, chat: &str) -> Self {
        let opponent = Some(opponent);
        let chat = Some(chat.to_owned());
        Self { opponent, chat, ..Self::default() }
    }

    /// Whether it keeps all games.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it keeps all games against one opponent in a chat.
    pub fn is_about_opponent_alone(&self) -> bool {
        let Self { game, opponent, chat: _, is_rated, outcome } = self;
        opponent.is_some() && game.is_none() && is_rated.is_none() && outcome.is_none()
    }

    /// Whether it keeps this game.
    pub fn keeps(&self, entry: &HistoryEntry) -> bool {
        let is_against = |opponent: &PersonId| entry.opponents().any(|it| it.person == *opponent);
        self.game.is_none_or(|it| it.info().code == entry.game)
            && self.opponent.as_ref().is_none_or(is_against)
            && self.chat.as_ref().is_none_or(|it| *it == entry.chat)
            && self.is_rated.is_none_or(|it| it == entry.casual.is_empty())
            && self.outcome.is_none_or(|it| it == entry.outcome)
    }
}

impl ResultQueries<'_> {
    /// The first `limit` places of all lists in a scope; lists without anybody are left out.
    /// `reader_chat`: the chat in which they are read, which may hide names.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn lists(
        self,
        scope: &RatingScope,
        reader_chat: &str,
        limit: usize,
    ) -> Result<Vec<(RatingList, Vec<LeaderboardEntry>)>, Failure> {
        self.places_of(scope, reader_chat, all_lists(), limit).await
    }

    /// The first `limit` places of one list in a scope. `reader_chat`: as for [`Self::lists`].
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn leaderboard(
        self,
        scope: &RatingScope,
        reader_chat: &str,
        list: RatingList,
        limit: usize,
    ) -> Result<Vec<LeaderboardEntry>, Failure> {
        let found = self.places_of(scope, reader_chat, vec![list], limit).await?;
        Ok(found.into_iter().next().map(|it| it.1).unwrap_or_default())
    }

    /// The place of a person in a list, with its rank, counted from 1; the rank is `None` after
    /// [`RANKED_PLACES_MAX`] places. `None` if they are not in the list. `reader_chat`: as for
    /// [`Self::lists`].
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn leaderboard_entry(
        self,
        scope: &RatingScope,
        reader_chat: &str,
        list: &RatingList,
        person: &PersonId,
    ) -> Result<Option<(Option<usize>, LeaderboardEntry)>, Failure> {
        let id = RecordId { scope: scope.clone(), list: list.code(), person: person.clone() };
        let row = self.repository.read_value(Space::Rating, &id.current()).await?;
        let stored = row.and_then(|it| serde_json::from_slice::<StoredRecord>(&it).ok());
        let listed = stored.and_then(|it| Some((it.place?, it.record)));
        let Some((key, record)) = listed else { return Ok(None) };
        let places = self.leaderboard(scope, reader_chat, list.clone(), RANKED_PLACES_MAX).await?;
        let ranked = (1..).zip(places).find(|(_, place)| place.person == *person);
        if let Some((rank, place)) = ranked {
            return Ok(Some((Some(rank), place)));
        }
        let row = self.repository.read_value(Space::Rating, &key).await?;
        let place = row.and_then(|it| serde_json::from_slice::<LeaderboardEntry>(&it).ok());
        let Some(mut place) = place else { return Ok(None) };
        if can_lapse(scope) {
            place.is_provisional = record.is_provisional(self.repository.now_ms());
        }
        let hidden = self.repository.hidden_names().await?;
        hidden.replace(reader_chat, &place.person, &mut place.name);
        Ok(Some((None, place)))
    }

    async fn places_of(
        self,
        scope: &RatingScope,
        reader_chat: &str,
        lists: Vec<RatingList>,
        limit: usize,
    ) -> Result<Vec<(RatingList, Vec<LeaderboardEntry>)>, Failure> {
        let page = limit.clamp(LIST_PAGE.0, LIST_PAGE.1);
        let scan = |it: &RatingList| {
            let rows = if can_lapse(scope) { page } else { limit };
            StoreQuery::scan(Space::Rating, list_prefix(scope, &it.code()), rows)
        };
        let queries: Vec<StoreQuery> = lists.iter().map(scan).collect();
        let hidden = self.repository.hidden_names().await?;
        let mut found = Vec::new();
        for (list, answer) in lists.into_iter().zip(self.repository.read_many(&queries).await?) {
            let rows = answer.rows()?;
            let mut places = match can_lapse(scope) {
                true => self.current_places(scope, &list, rows, page, limit).await?,
                false => listed_places(&rows),
            };
            for place in &mut places {
                hidden.replace(reader_chat, &place.person, &mut place.name);
            }
            if !places.is_empty() {
                found.push((list, places));
            }
        }
        Ok(found)
    }

    /// The first `limit` places of a list in which ratings become uncertain: those that are certain
    /// now come first. Rows are written when people play, so they say what was certain then, and
    /// their points can only fall until the next game. `found`: the first `page` rows of the list.
    async fn current_places(
        self,
        scope: &RatingScope,
        list: &RatingList,
        mut found: Vec<StoreRow>,
        mut page: usize,
        limit: usize,
    ) -> Result<Vec<LeaderboardEntry>, Failure> {
        let prefix = list_prefix(scope, &list.code());
        let mut certain = Vec::new();
        let mut uncertain = Vec::new();
        let mut read = 0;
        let mut never_certain = 0;
        // After the first rating that was uncertain when it was written, all are.
        while let Some((last, _)) = found.last() {
            let last = last.clone();
            let is_end = found.len() < page;
            read += found.len();
            let mut places = ranked_places(&found, &prefix);
            never_certain += places.iter().filter(|it| it.place.is_provisional).count();
            self.mark_lapsed(scope, list, &mut places).await?;
            for place in places {
                let is_uncertain = place.place.is_provisional;
                let group = if is_uncertain { &mut uncertain } else { &mut certain };
                group.push(place);
            }
            certain.sort_by(RankedEntry::order);
            let has_all = never_certain > 0 && certain.len() + never_certain >= limit;
            let worst = limit.checked_sub(1).and_then(|it| certain.get(it));
            let listed = listed_points(&last, &prefix);
            if is_end
                || has_all
                || worst.is_some_and(|it| listed.is_none_or(|listed| it.points >= listed))
                || read >= LISTED_ROWS_MAX
            {
                break;
            }
            // Of many who have not played for long, few reads find the others.
            page = (page * 2).min(LIST_PAGE.1);
            found = self.repository.read_rows_after(Space::Rating, &prefix, &last, page).await?;
        }
        for place in &mut uncertain {
            place.points = place.place.rating;
        }
        uncertain.sort_by(RankedEntry::order);
        let all = certain.into_iter().chain(uncertain);
        Ok(all.take(limit).map(|it| it.place).collect())
    }

    /// Marks the places whose ratings have become uncertain since they were written, and sets the
    /// points that the others have now.
    async fn mark_lapsed(
        self,
        scope: &RatingScope,
        list: &RatingList,
        places: &mut [RankedEntry],
    ) -> Result<(), Failure> {
        let now_ms = self.repository.now_ms();
        let query = |it: &RankedEntry| {
            let person = it.place.person.clone();
            let id = RecordId { scope: scope.clone(), list: list.code(), person };
            StoreQuery::value_of(Space::Rating, id.current())
        };
        let listed = places.iter().filter(|it| !it.place.is_provisional);
        let queries: Vec<StoreQuery> = listed.map(query).collect();
        let answers = self.repository.read_many(&queries).await?;
        let listed = places.iter_mut().filter(|it| !it.place.is_provisional);
        for (ranked, answer) in listed.zip(answers) {
            let row = answer.value()?;
            let stored = row.and_then(|it| serde_json::from_slice::<StoredRecord>(&it).ok());
            let Some(record) = stored.map(|it| it.record) else { continue };
            ranked.place.is_provisional = record.is_provisional(now_ms);
            ranked.points = record.list_points(now_ms).min(ranked.points);
        }
        Ok(())
    }

    /// The records of a person in all lists of a scope.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn records(
        self,
        scope: &RatingScope,
        person: &PersonId,
    ) -> Result<Vec<(RatingList, StoredRecord)>, Failure> {
        let lists = all_lists();
        let query = |it: &RatingList| {
            let id = RecordId { scope: scope.clone(), list: it.code(), person: person.clone() };
            StoreQuery::value_of(Space::Rating, id.current())
        };
        let queries: Vec<StoreQuery> = lists.iter().map(query).collect();
        let mut found = Vec::new();
        for (list, answer) in lists.into_iter().zip(self.repository.read_many(&queries).await?) {
            let record = answer.value()?.and_then(|it| serde_json::from_slice(&it).ok());
            found.extend(record.map(|it| (list, it)));
        }
        Ok(found)
    }

    /// The records of a person in all lists of a scope in which they have finished a game: who has
    /// only aborted games has nothing to show.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn played_records(
        self,
        scope: &RatingScope,
        person: &PersonId,
    ) -> Result<Vec<(RatingList, StoredRecord)>, Failure> {
        let mut records = self.records(scope, person).await?;
        records.retain(|(_, stored)| stored.record.games > 0);
        Ok(records)
    }

    /// A page of a person's games, the latest first. Pages count from 0.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn history(
        self,
        person: &PersonId,
        page: usize,
        per_page: usize,
    ) -> Result<HistoryPage, Failure> {
        let first = page * per_page;
        let end = (page + 1) * per_page;
        let rows =
            self.repository.read_rows(Space::Rating, &history_prefix(person), end + 1).await?;
        let has_more = rows.len() > end;
        let shown = rows.into_iter().take(end).skip(first);
        let hidden = self.repository.hidden_names().await?;
        let entries = shown.filter_map(|(_, value)| shown_entry(&value, &hidden)).collect();
        Ok(HistoryPage { entries, has_more, ..HistoryPage::default() })
    }

    /// The page with the games marked that their chats do not keep any longer.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn mark_removed(self, page: HistoryPage) -> Result<HistoryPage, Failure> {
        let tables: Vec<&TableId> = page.entries.iter().map(|it| &it.table).collect();
        let found = self.repository.kept_games().removal_texts(&tables).await?;
        let removed = tables.iter().zip(found).filter(|(_, it)| it.is_some());
        let removed = removed.map(|(table, _)| (*table).clone()).collect();
        Ok(HistoryPage { removed, ..page })
    }

    /// The games of a person that a filter keeps, the latest first, and whether the person has
    /// older games that were not looked at: only the latest [`FILTERED_GAMES_MAX`] are. Then totals
    /// of these games are shown with [`latest_games_text`].
    ///
    /// [`latest_games_text`]: crate::views::result_views::latest_games_text
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn filter_latest(
        self,
        person: &PersonId,
        filter: &HistoryFilter,
    ) -> Result<(Vec<HistoryEntry>, bool), Failure> {
        let HistoryPage { mut entries, has_more, .. } =
            self.history(person, 0, FILTERED_GAMES_MAX).await?;
        entries.retain(|it| filter.keeps(it));
        Ok((entries, has_more))
    }

    /// How well a person has played their last games in a scope, in the games in which play is
    /// judged. `records`: those of the person in this scope; games without a record are left out.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn play_quality(
        self,
        person: &PersonId,
        scope: &RatingScope,
        records: &[(RatingList, StoredRecord)],
    ) -> Result<Vec<(GameId, PlayQuality)>, Failure> {
        let is_played = |it: &GameId| records.iter().any(|(list, _)| list.game() == it.info().code);
        let judged = GameId::all().iter().copied().filter(|it| it.judges_play() && is_played(it));
        let mut found = Vec::new();
        for game in judged {
            let wanted = Some(game);
            let chat = scope.chat.clone();
            let filter = HistoryFilter { game: wanted, chat, ..HistoryFilter::default() };
            let last = self.search_history(person, &filter, None, JUDGED_GAMES_MAX).await?;
            let judged = self.judged_games(&last.entries).await?;
            let mut quality = PlayQuality::default();
            for (entry, judged) in last.entries.iter().zip(judged) {
                judged.iter().for_each(|it| quality.add(it, entry.seat));
            }
            if !quality.is_empty() {
                found.push((game, quality));
            }
        }
        Ok(found)
    }

    /// How these games were played, in their order; `None` for a game that was not judged.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn judged_games(
        self,
        games: &[HistoryEntry],
    ) -> Result<Vec<Option<JudgedGame>>, Failure> {
        let row =
            |it: &HistoryEntry| StoreQuery::value_of(Space::Meta, keys::play_quality(&it.table));
        let queries: Vec<StoreQuery> = games.iter().map(row).collect();
        let mut found = Vec::with_capacity(games.len());
        for answer in self.repository.read_many(&queries).await? {
            found.push(answer.value()?.and_then(|it| serde_json::from_slice(&it).ok()));
        }
        Ok(found)
    }

    /// The seasons with rated games in a scope, the earliest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn seasons(self, scope: &RatingScope) -> Result<Vec<Season>, Failure> {
        let prefix = season_lists_prefix(scope);
        let mut seasons = Vec::new();
        let mut after = String::new();
        while seasons.len() < SEASONS_MAX {
            let row = self.repository.read_rows_after(Space::Rating, &prefix, &after, 1).await?;
            let key = row.first().and_then(|(key, _)| key.strip_prefix(&prefix));
            let Some(code) = key.and_then(|it| it.split(' ').next()) else { break };
            seasons.extend(Season::parse(code));
            // Keys of this season continue with a space, which sorts before this mark.
            after = format!("{prefix}{code}!");
        }
        Ok(seasons)
    }

    /// The next games of a person that a filter keeps, the latest first. `after`: where the search
    /// before has ended. A search reads a limited part of the history, so it may find fewer games
    /// than there are.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn search_history(
        self,
        person: &PersonId,
        filter: &HistoryFilter,
        after: Option<&str>,
        limit: usize,
    ) -> Result<HistorySearch, Failure> {
        let prefix = history_prefix(person);
        let mut after = after.map(|it| format!("{prefix}{it}")).unwrap_or_default();
        let hidden = self.repository.hidden_names().await?;
        let mut entries = Vec::new();
        for _ in 0..SEARCHED_ROWS_MAX / SEARCHED_ROWS {
            let read =
                self.repository.read_rows_after(Space::Rating, &prefix, &after, SEARCHED_ROWS);
            let rows = read.await?;
            let is_end = rows.len() < SEARCHED_ROWS;
            for (key, value) in rows {
                let found = shown_entry(&value, &hidden).filter(|it| filter.keeps(it));
                if found.is_some() && entries.len() == limit {
                    let next = after.strip_prefix(&prefix).map(str::to_owned);
                    return Ok(HistorySearch { entries, next });
                }
                entries.extend(found);
                after = key;
            }
            if is_end {
                return Ok(HistorySearch { entries, next: None });
            }
        }
        let next = after.strip_prefix(&prefix).map(str::to_owned);
        Ok(HistorySearch { entries, next })
    }

    /// The end of the first game in the records of these people, aborted ones included, or the time
    /// from which their ratings are to be computed again, if it is earlier; in milliseconds since
    /// 1970.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn first_game_ms(self, accounts: &[&PersonId]) -> Result<Option<u64>, Failure> {
        let mut from_ms = None::<u64>;
        for account in accounts {
            let records = self.records(&RatingScope::OVERALL, account).await?;
            let first = records.iter().map(|(_, it)| it.record.first_ms).min();
            let requested_ms = self.requested_ms(account).await?;
            from_ms = from_ms.into_iter().chain(first).chain(requested_ms).min();
        }
        Ok(from_ms)
    }

    /// The rows that request new ratings for all games since this time, because the accounts of a
    /// person have changed: a time that is not later than [`Self::first_game_ms`]. Games that are
    /// listed for this account are listed again later.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn recompute_puts(
        self,
        account: &PersonId,
        from_ms: u64,
    ) -> Result<Vec<Put>, Failure> {
        let mut puts = vec![put_json(Space::Meta, recompute_request(&account.0), &from_ms)];
        let prefix = history_prefix(account);
        let listed = self.repository.read_rows(Space::Rating, &prefix, LISTED_AGAIN).await?;
        puts.extend(listed.into_iter().map(|(key, _)| remove_row(Space::Rating, key)));
        Ok(puts)
    }

    /// The time from which the ratings of a person are to be computed again, in milliseconds since
    /// 1970, if a request waits.
    pub(super) async fn requested_ms(self, account: &PersonId) -> Result<Option<u64>, Failure> {
        let row = self.repository.read_value(Space::Meta, &recompute_request(&account.0)).await?;
        Ok(row.and_then(|it| serde_json::from_slice(&it).ok()))
    }

    /// The end of the last game of the person that counts for ratings, in their records or in a
    /// result that is not in them yet, in milliseconds since 1970.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn last_rated_game_ms(self, person: &PersonId) -> Result<Option<u64>, Failure> {
        let records = self.records(&RatingScope::OVERALL, person).await?;
        let recorded = records.iter().map(|(_, it)| it.record.last_rated_ms);
        let waiting = read_waiting_results(self.repository).await?;
        let is_own = |it: &&GameResult| {
            let people = it.seats.iter().map(|it| &it.person);
            people.chain(it.leavers.iter().map(|it| &it.person)).any(|it| it == person)
        };
        let waiting = waiting.iter().map(|(_, it)| it).filter(|it| it.casual.is_empty());
        Ok(recorded.chain(waiting.filter(is_own).map(|it| it.ended_ms)).max())
    }

    /// The rows that request the ratings of a chat under its new id. With open tables, games that
    /// end while the id changes are covered, too. `is_known`: whether the bot knows anything of the
    /// chat; without that, and without games, there is nothing that has to be found under the new
    /// id.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn moved_chat_puts(
        self,
        from: &ChatId,
        to: &ChatId,
        (is_known, has_open_tables): (bool, bool),
    ) -> Result<Vec<Put>, Failure> {
        let mut first_ms = has_open_tables.then(|| self.repository.now_ms());
        let prefix = records_prefix(&RatingScope::of_chat(&from.0));
        for (_, row) in self.repository.read_all_rows(Space::Rating, &prefix).await? {
            if let Ok(stored) = serde_json::from_slice::<StoredRecord>(&row) {
                first_ms = first_ms.into_iter().chain([stored.record.first_ms]).min();
            }
        }
        // The new id is the last one, so that no chat ever leads back to itself.
        let mut puts = vec![remove_row(Space::Meta, keys::chat_successor(&to.0))];
        let kept = keys::kept_games_of(&from.0);
        let is_used = is_known
            || first_ms.is_some()
            || !self.repository.read_rows(Space::Meta, &kept, 1).await?.is_empty();
        if is_used {
            puts.push(Put::new(Space::Meta, keys::chat_successor(&from.0), to.0.clone()));
        }
        let request = recompute_request(&from.0);
        puts.extend(first_ms.map(|it| put_json(Space::Meta, request, &it)));
        Ok(puts)
    }

    /// The changes by a finished game, for its board; `None` before they are computed, and while
    /// the game is played.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn shown_ratings(self, table: &Table) -> Result<Option<GameRatings>, Failure> {
        if !table.is_over() {
            return Ok(None);
        }
        let row = self.repository.read_value(Space::Rating, &rating_changes(&table.id)).await?;
        let Some(mut ratings) = row.and_then(|it| serde_json::from_slice(&it).ok()) else {
            return Ok(None);
        };
        self.keep_new_achievements(table, &mut ratings).await?;
        Ok(Some(ratings))
    }

    /// Removes the achievements of people who have turned them off, and those that are known from
    /// another list of the same game.
    async fn keep_new_achievements(
        self,
        table: &Table,
        ratings: &mut GameRatings,
    ) -> Result<(), Failure> {
        let seats: BTreeSet<u8> = ratings.achieved.iter().map(|it| it.seat).collect();
        let game = table.game_id().info().code;
        let scope = RatingScope::shown_in(table.result_chat());
        for seat in seats {
            let Some(player) = table.seating.occupant(seat) else { continue };
            let profiles = self.repository.profiles();
            let profile = profiles.load_person(&player.person).await?;
            let (person, profile) = profiles.load_main(&player.person, profile).await?;
            let is_shown = Setting::shows_achievements(&profile);
            let records = self.records(&scope, &person).await?;
            let of_game = records.iter().filter(|(list, _)| list.game() == game);
            let achieved = of_game.flat_map(|(_, stored)| &stored.record.achieved);
            let earlier: BTreeSet<&str> = achieved
                .filter(|it| it.table != table.id && Some(it.at_ms) < table.times.ended_ms)
                .map(|it| it.code.as_str())
                .collect();
            ratings
                .achieved
                .retain(|it| it.seat != seat || (is_shown && !earlier.contains(it.code.as_str())));
        }
        Ok(())
    }
}
