//! Counts what a month has brought: ratings, results, guards, and how the ratings compare with the
//! known strengths.

use std::collections::BTreeMap;

use caravanserai_bot::repository::DAY_MS;
use caravanserai_bot::results::row_formats::{HistoryEntry, StoredRecord};
use caravanserai_games::ids::TableId;
use caravanserai_results::{CasualReason, RatingList};

use super::calendar::{MONTH_END_MS, MONTH_START_MS};
use super::chat::MonthChat;
use super::group::GROUP;

/// The number of weeks in the month; the last one is shorter.
pub const WEEKS: usize = 5;

/// The figures of the month.
pub struct MonthFigures {
    /// The number of games.
    pub games: u32,
    /// The number of games that were resigned.
    pub resigned: u32,
    /// The lists with rated games, in the order of the bot.
    pub lists: Vec<ListFigures>,
    /// The number of games that were not rated, by their first reason.
    pub casual: BTreeMap<CasualReason, u32>,
    /// The number of rated games.
    pub rated: u32,
    /// The pair of people, by their places in the group, with the most games over the limit of a
    /// day, and the number of these games.
    pub limited_pair: Option<([usize; 2], u32)>,
    /// The lines under results that name what the winner has reached.
    pub milestones: u32,
}

/// The figures of the month in one list.
pub struct ListFigures {
    /// The list.
    pub list: RatingList,
    /// The number of rated games.
    pub rated: u32,
    /// The record of each person of the group; `None` without games.
    pub members: Vec<Option<MemberRecord>>,
}

/// The achievements of one person in one list.
pub struct MemberRecord {
    /// The displayed rating.
    pub rating: i32,
    /// The deviation of the rating at the end of the month, in points.
    pub deviation: f64,
    /// The deviation after the last rated game, in points.
    pub last_deviation: f64,
    /// Whether the rating is shown with a question mark.
    pub is_provisional: bool,
    /// Games won, drawn and lost.
    pub results: [u32; 3],
    /// The number of rated games.
    pub rated: u32,
    /// The number of rated games after which the question mark went for the first time.
    pub certain_after: Option<u32>,
    /// The displayed rating at the end of each week; `None` before the first rated game.
    pub weeks: [Option<i32>; WEEKS],
}

/// How the order of ratings in one list compares with the order of strengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderFigures {
    /// The pairs of people with rated games and different strengths.
    pub pairs: u32,
    /// Those in which the stronger person has the higher rating.
    pub right: u32,
    /// The pairs whose ratings are farther apart than both deviations together.
    pub clear: u32,
    /// Those of them in which the stronger person has the higher rating.
    pub clear_right: u32,
}

impl MonthFigures {
    /// Reads the figures of the games at these tables.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn read(chat: &MonthChat, tables: &[TableId], resigned: u32) -> anyhow::Result<Self> {
        let mut figures = MonthFigures {
            games: u32::try_from(tables.len())?,
            resigned,
            lists: Vec::new(),
            casual: BTreeMap::new(),
            rated: 0,
            limited_pair: None,
            milestones: 0,
        };
        let mut lists: BTreeMap<String, u32> = BTreeMap::new();
        for table in tables {
            let Some(ratings) = chat.game_ratings(table).await? else { continue };
            figures.milestones += u32::from(ratings.milestone.is_some());
            match ratings.casual.first() {
                Some(reason) => *figures.casual.entry(*reason).or_default() += 1,
                None => {
                    figures.rated += 1;
                    *lists.entry(ratings.list).or_default() += 1;
                }
            }
        }
        let mut histories = Vec::new();
        for member in &GROUP {
            histories.push(chat.games(member).await?);
        }
        figures.limited_pair = most_limited_pair(&histories);
        for list in caravanserai_bot::results::queries::all_lists() {
            let Some(rated) = lists.get(&list.code()) else { continue };
            figures.lists.push(ListFigures { rated: *rated, members: Vec::new(), list });
        }
        for (member, games) in GROUP.iter().zip(&histories) {
            let records = chat.records(member).await?;
            for figures in &mut figures.lists {
                let found = records.iter().find(|(list, _)| *list == figures.list);
                let code = figures.list.code();
                let games = games.iter().filter(|it| it.list == code);
                figures.members.push(found.map(|(_, it)| MemberRecord::new(it, games)));
            }
        }
        Ok(figures)
    }
}

impl MemberRecord {
    /// `games`: those of the list, the first one first.
    fn new<'a>(stored: &StoredRecord, games: impl Iterator<Item = &'a HistoryEntry>) -> Self {
        let record = &stored.record;
        let mut certain_after = None;
        let mut weeks = [None; WEEKS];
        let rated = (1..).zip(games.filter(|it| it.casual.is_empty()));
        for (count, game) in rated {
            if !game.rating.is_provisional && certain_after.is_none() {
                certain_after = Some(count);
            }
            let week = game.ended_ms.saturating_sub(MONTH_START_MS) / (7 * DAY_MS);
            let week = usize::try_from(week).unwrap_or(WEEKS).min(WEEKS - 1);
            weeks[week..].fill(Some(game.rating.after));
        }
        MemberRecord {
            rating: record.displayed_rating(),
            deviation: record.rating_at(MONTH_END_MS).deviation(),
            last_deviation: record.rating.deviation(),
            is_provisional: record.is_provisional(MONTH_END_MS),
            results: [record.wins, record.draws, record.losses],
            rated: record.rated_games,
            certain_after,
            weeks,
        }
    }
}

impl ListFigures {
    /// Compares the ratings with the strengths of the people on their last days.
    pub fn order(&self) -> OrderFigures {
        let mut order = OrderFigures::default();
        let rated = |at: usize| self.members[at].as_ref().filter(|it| it.rated > 0);
        for one in 0..self.members.len() {
            for other in one + 1..self.members.len() {
                let (Some(first), Some(second)) = (rated(one), rated(other)) else { continue };
                let strengths = [one, other].map(|it| GROUP[it].last_strength());
                if strengths[0] == strengths[1] {
                    continue;
                }
                let is_right = first.rating != second.rating
                    && (first.rating > second.rating) == (strengths[0] > strengths[1]);
                let distance = f64::from(first.rating.abs_diff(second.rating));
                let is_clear = distance > first.deviation + second.deviation;
                order.pairs += 1;
                order.right += u32::from(is_right);
                order.clear += u32::from(is_clear);
                order.clear_right += u32::from(is_clear && is_right);
            }
        }
        order
    }

    /// The fewest and the most rated games after which a question mark went.
    pub fn certain_after(&self) -> Option<[u32; 2]> {
        let counts = self.members.iter().flatten().filter_map(|it| it.certain_after);
        let fewest = counts.clone().min()?;
        let most = counts.max()?;
        Some([fewest, most])
    }
}

impl OrderFigures {
    /// The sum of both.
    #[must_use]
    pub fn and(self, other: OrderFigures) -> OrderFigures {
        OrderFigures {
            pairs: self.pairs + other.pairs,
            right: self.right + other.right,
            clear: self.clear + other.clear,
            clear_right: self.clear_right + other.clear_right,
        }
    }
}

/// The pair with the most games that were not rated because of the limit of a day.
fn most_limited_pair(histories: &[Vec<HistoryEntry>]) -> Option<([usize; 2], u32)> {
    let mut pairs: BTreeMap<[usize; 2], u32> = BTreeMap::new();
    for (own, games) in histories.iter().enumerate() {
        let limited = games.iter().filter(|it| it.casual.first() == Some(&CasualReason::PairLimit));
        for opponent in limited.flat_map(|it| it.opponents()) {
            let other = GROUP.iter().position(|it| it.person_id() == opponent.person);
            // Each game is in two histories.
            if let Some(other) = other.filter(|it| *it > own) {
                *pairs.entry([own, other]).or_default() += 1;
            }
        }
    }
    // Of equal pairs the first.
    pairs.into_iter().rev().max_by_key(|(_, games)| *games)
}
