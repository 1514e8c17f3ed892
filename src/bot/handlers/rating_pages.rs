//! Rating lists and statistics of people, for clients that show them on pages of their own.
//!
//! A reader gets no more than `/top`, `/me` and `/stats` show them: lists of their chat and of all
//! chats, everything about themselves, and of others the numbers of the chat that both share,
//! without achievements. Games against others are counted only if they were played in that chat:
//! other games may show which account of another platform belongs to the same person.

use super::client_queries::{ClientQueryHandler, StateViewer};
use crate::repository::Failure;
use crate::results::play_details::{BestGame, PlayDetails};
use crate::results::queries::HistoryFilter;
use crate::results::row_formats::{HistoryEntry, LeaderboardEntry, StoredRecord};
use crate::settings::Setting;
use crate::views::achievement_views::{GameAchievement, game_achievements, total_texts};
use crate::views::head_to_head::HeadToHeadCurve;
use crate::views::play_detail_views::{best_win_text, favourite_texts, luck_text};
use crate::views::rating_curve::{RatingCurve, list_points};
use crate::views::result_views::{
    ResultCounts, SeasonPages, latest_games_text, list_name, list_order_text, play_quality_texts,
};
use crate::workers::label_text;
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatKind, PersonId};
use caravanserai_games::text::Text;
use caravanserai_i18n::Lang;
use caravanserai_protocol::{
    AchievementState, BestWinStatistics, Chat, HeadToHead, Leaderboard, LeaderboardList,
    LeaderboardMonth, LeaderboardMonths, LeaderboardPlace, LeaderboardQuery, LeaderboardScope,
    ListStatistics, Person, PersonStatistics,
};
use caravanserai_results::{RatingList, RatingScope, Season};

/// The number of places on a page.
const PLACES_PER_PAGE: usize = 50;

/// The most places that can be turned to: each page reads all places before it.
const PLACES_MAX: usize = 1_000;

impl ClientQueryHandler {
    /// A page of a rating list.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn leaderboard(
        &self,
        chat: &Chat,
        account: &Person,
        query: &LeaderboardQuery,
    ) -> Result<Leaderboard, Failure> {
        let StateViewer { person, display_prefs, .. } = self.load_viewer(chat, account).await?;
        let results = self.repository.results();
        let (scope, months) = self.shown_games(chat, query).await?;
        let lists =
            results.lists(&scope, chat.id.without_topic(), 1).await?.into_iter().map(|it| it.0);
        let lists: Vec<RatingList> = lists.collect();
        let is_asked =
            |it: &&RatingList| query.list.as_ref().is_some_and(|code| it.code() == *code);
        let shown = lists.iter().find(is_asked).or(lists.first());
        let from = query.from.min(PLACES_MAX - PLACES_PER_PAGE);
        let end = from + PLACES_PER_PAGE;
        let mut places = match shown {
            Some(list) => {
                results.leaderboard(&scope, chat.id.without_topic(), list.clone(), end + 1).await?
            }
            None => Vec::new(),
        };
        let next = (places.len() > end && end < PLACES_MAX).then_some(end);
        places.truncate(end);
        let order = shown.and_then(|it| list_order_text(it, &places, months.is_some()));
        places.drain(..from.min(places.len()));
        let people: Vec<PersonId> = places.iter().map(|it| it.person.clone()).collect();
        let profiles = self.repository.profiles();
        let accounts = profiles.accounts_on_platform(&people, chat.id.platform()).await?;
        let places = places.into_iter().zip(accounts).zip(from + 1..);
        let i18n = self.message_renderer.i18n();
        let describe = |it: &RatingList| LeaderboardList {
            code: it.code(),
            name: i18n.translate_plain(display_prefs.lang, &list_name(it)),
        };
        Ok(Leaderboard {
            lists: lists.iter().map(describe).collect(),
            list: shown.map(RatingList::code),
            months,
            order: order.map(|it| i18n.translate_plain(display_prefs.lang, &it)),
            places: places
                .map(|((entry, account), rank)| describe_place(entry, account, rank, &person))
                .collect(),
            next,
        })
    }

    /// The games that count, and the months that can be turned to.
    async fn shown_games(
        &self,
        chat: &Chat,
        query: &LeaderboardQuery,
    ) -> Result<(RatingScope, Option<LeaderboardMonths>), Failure> {
        let here = match (query.scope, chat.kind) {
            (LeaderboardScope::Chat, ChatKind::Group) => {
                RatingScope::of_chat(chat.id.without_topic())
            }
            (LeaderboardScope::Everywhere, _) | (_, ChatKind::Private) => RatingScope::OVERALL,
        };
        let Some(month) = &query.month else { return Ok((here, None)) };
        let current = Season::at(self.repository.now_ms());
        let shown = match month {
            LeaderboardMonth::Current => current,
            LeaderboardMonth::Named(text) => Season::parse(text).unwrap_or(current),
        };
        let seasons = self.repository.results().seasons(&here).await?;
        let pages = SeasonPages::new(shown, current, &seasons);
        let months = LeaderboardMonths {
            shown: pages.shown.to_string(),
            earlier: pages.earlier.map(|it| it.to_string()),
            later: pages.later.map(|it| it.to_string()),
        };
        Ok((here.in_season(pages.shown), Some(months)))
    }

    /// The statistics of a person: one's own of all chats, those of others in this group; `None`
    /// for others in a private chat.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn person_statistics(
        &self,
        chat: &Chat,
        account: &Person,
        of: &Person,
    ) -> Result<Option<PersonStatistics>, Failure> {
        let viewer = self.load_viewer(chat, account).await?;
        let reader = viewer.person;
        let lang = viewer.display_prefs.lang;
        let profiles = self.repository.profiles();
        let profile = profiles.load_person(&of.id).await?;
        let (person, profile) = profiles.load_main(&of.id, profile).await?;
        let own = person == reader;
        let results = self.repository.results();
        let (scope, (games, has_older)) = match (own, chat.kind) {
            (true, _) => {
                let games = results.history(&reader, 0, RatingCurve::GAMES_MAX).await?.entries;
                (RatingScope::OVERALL, (games, false))
            }
            (false, ChatKind::Private) => return Ok(None),
            (false, ChatKind::Group) => {
                let here = chat.id.without_topic();
                let filter = HistoryFilter::against(person.clone(), here);
                (RatingScope::of_chat(here), results.filter_latest(&reader, &filter).await?)
            }
        };
        let records = results.played_records(&scope, &person).await?;
        let play = results.play_quality(&person, &scope, &records).await?;
        let own_games = if own { &games[..] } else { &[] };
        let details = results.play_details(&person, &scope, &records).await?;
        let lists = records.iter().zip(&details).map(|((list, stored), details)| {
            let curve = list_points(own_games, list);
            let play = play_quality_texts(&play, list.game());
            self.describe_list(list, stored, &play, details, lang, curve)
        });
        let lists = lists.collect();
        let shows_achievements = own && Setting::shows_achievements(&profile);
        let latest = || self.message_renderer.i18n().translate_plain(lang, &latest_games_text());
        let against =
            || HeadToHead { searched: has_older.then(latest), ..head_to_head(&games, &person) };
        let mut name = of.name.clone();
        self.repository.hidden_names().await?.replace(chat.id.without_topic(), &person, &mut name);
        Ok(Some(PersonStatistics {
            name,
            own,
            lists,
            achievements: shows_achievements.then(|| self.describe_achievements(&records, lang)),
            against: (!own && !games.is_empty()).then(against),
        }))
    }

    /// A record of a person in one list, in a language, with texts on how well and in which way
    /// they play.
    fn describe_list(
        &self,
        list: &RatingList,
        stored: &StoredRecord,
        play: &[Text],
        details: &PlayDetails,
        lang: Lang,
        curve: Vec<i32>,
    ) -> ListStatistics {
        let i18n = self.message_renderer.i18n();
        let record = &stored.record;
        let totals = total_texts(list, stored);
        let translate = |it: &Text| i18n.translate_plain(lang, it);
        let best_win = |it: &BestGame| BestWinStatistics {
            says: translate(&best_win_text(it)),
            table: (!it.is_removed).then(|| it.win.table.clone()),
        };
        ListStatistics {
            code: list.code(),
            name: translate(&list_name(list)),
            rating: (record.rated_games > 0).then(|| record.displayed_rating()),
            provisional: record.is_provisional(self.repository.now_ms()),
            best: record.best.map(|it| it.displayed),
            won: record.wins,
            drawn: record.draws,
            lost: record.losses,
            streak: record.streak,
            totals: totals.iter().map(|it| label_text(i18n, lang, it)).collect(),
            play: play.iter().map(translate).collect(),
            favourites: favourite_texts(list, stored).iter().map(translate).collect(),
            best_win: details.best.as_ref().map(best_win),
            luck: details.luck.as_ref().map(|it| translate(&luck_text(it))),
            curve,
        }
    }

    /// All achievements, in a language; those of these records are reached.
    fn describe_achievements(
        &self,
        records: &[(RatingList, StoredRecord)],
        lang: Lang,
    ) -> Vec<AchievementState> {
        let i18n = self.message_renderer.i18n();
        let of_game = |game: &GameId| {
            let code = game.info().code;
            let describe = |it: GameAchievement| AchievementState {
                game: code.to_owned(),
                name: i18n.translate_plain(lang, &it.name),
                rule: i18n.translate_plain(lang, &it.rule),
                at_ms: it.at_ms,
            };
            game_achievements(records, *game).into_iter().map(describe).collect::<Vec<_>>()
        };
        GameId::all().iter().flat_map(of_game).collect()
    }
}

/// A place of a list for a reader.
fn describe_place(
    place: LeaderboardEntry,
    account: PersonId,
    rank: usize,
    reader: &PersonId,
) -> LeaderboardPlace {
    let [won, drawn, lost] = place.games;
    LeaderboardPlace {
        rank,
        own: place.person == *reader,
        name: place.name,
        rating: place.rating,
        provisional: place.is_provisional,
        won,
        drawn,
        lost,
        account,
    }
}

/// The games of a reader against one opponent, the latest first.
fn head_to_head(games: &[HistoryEntry], opponent: &PersonId) -> HeadToHead {
    let ResultCounts { won, drawn, lost } = ResultCounts::against(games, opponent);
    let curve = HeadToHeadCurve::of_games(games, opponent);
    let curve = curve.map(|it| it.values).unwrap_or_default();
    HeadToHead { won, drawn, lost, curve, searched: None }
}
