//! How the ratings of a person have changed, as a chart.

use crate::results::queries::all_lists;
use crate::results::row_formats::HistoryEntry;
use caravanserai_games::GameId;
use caravanserai_games::chart::{ChartLine, ChartSample};
use caravanserai_results::RatingList;

/// The fewest rated games of which there is a chart.
const RATED_GAMES_MIN: usize = 3;

/// The colours of the lines, in the order of the lists.
pub(super) const INKS: [&str; 5] = ["line-3", "line-1", "line-2", "line-0", "line-4"];

/// The ratings of a person, game by game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatingCurve {
    /// The lists with rated games; those of the lines, in their order.
    pub lists: Vec<RatingList>,
    /// The lines, with the ratings of today.
    pub sample: ChartSample,
    /// The rating in each list before the first game, and after each rated one.
    pub values: Vec<Vec<i32>>,
}

impl RatingCurve {
    /// The most games, rated and casual, of which the curve is made.
    pub const GAMES_MAX: usize = 100;

    /// The curve of these games, the latest first; `None` if few of them are rated.
    pub fn of_games(games: &[HistoryEntry]) -> Option<RatingCurve> {
        let rated: Vec<&HistoryEntry> =
            games.iter().rev().filter(|it| it.casual.is_empty()).collect();
        if rated.len() < RATED_GAMES_MIN {
            return None;
        }
        let first = |list: &RatingList| rated.iter().find(|it| it.list == list.code()).copied();
        let mut lists = Vec::new();
        let mut styles = Vec::new();
        let mut ratings = Vec::new();
        for (list, ink) in all_lists().into_iter().zip(INKS) {
            let Some(first) = first(&list) else { continue };
            let of_game = lists.iter().filter(|it: &&RatingList| it.game() == list.game()).count();
            styles.push((side_mark(list.game(), of_game)?, ink));
            lists.push(list);
            ratings.push(first.rating.before);
        }
        let mut values = vec![ratings.clone()];
        for game in rated {
            let Some(n) = lists.iter().position(|it| it.code() == game.list) else { continue };
            ratings[n] = game.rating.after;
            values.push(ratings.clone());
        }
        let line = |(n, ((mark, ink), value)): (u8, ((&'static str, &'static str), i32))| {
            ChartLine { seats: vec![n], mark, ink, value }
        };
        let lines = (0..).zip(styles.into_iter().zip(ratings)).map(line).collect();
        Some(RatingCurve { lists, sample: ChartSample { lines, goal: None }, values })
    }
}

/// The rating in one list before the first of these games, the latest first, and after each rated
/// one; empty if few of them are rated.
pub(crate) fn list_points(games: &[HistoryEntry], list: &RatingList) -> Vec<i32> {
    let code = list.code();
    let rated: Vec<&HistoryEntry> =
        games.iter().rev().filter(|it| it.list == code && it.casual.is_empty()).collect();
    let Some(first) = rated.first().filter(|_| rated.len() >= RATED_GAMES_MIN) else {
        return Vec::new();
    };
    let after = rated.iter().map(|it| it.rating.after);
    std::iter::once(first.rating.before).chain(after).collect()
}

/// The mark of a side of a game, by its number. Each list of a game has another one.
pub(crate) fn side_mark(game: &str, side: usize) -> Option<&'static str> {
    let game = GameId::from_code(game)?;
    let info = game.info();
    let start = game.start_match(&info.default_options(), info.seats.most).ok()?;
    start.chart_sample().lines.get(side).map(|it| it.mark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::row_formats::RatingChange;
    use caravanserai_games::ids::TableId;
    use caravanserai_results::{CasualReason, GameOutcome};
    use std::collections::HashSet;

    fn game(list: &str, before: i32, after: i32) -> HistoryEntry {
        HistoryEntry {
            table: TableId("7k3fx".into()),
            game: "togyzkumalak".into(),
            list: list.into(),
            ended_ms: 0,
            chat: String::new(),
            seat: 0,
            outcome: GameOutcome::Win,
            players: Vec::new(),
            rating: RatingChange { before, after, is_provisional: true },
            casual: Vec::new(),
            options: String::new(),
            clock: String::new(),
        }
    }

    #[test]
    fn each_list_keeps_its_rating_while_another_one_is_played() {
        let codes: Vec<String> = all_lists().iter().map(RatingList::code).collect();
        let casual = HistoryEntry { casual: vec![CasualReason::Hints], ..game(&codes[0], 9, 9) };
        let latest_first = [
            game(&codes[0], 1590, 1650),
            game(&codes[1], 1500, 1440),
            casual,
            game(&codes[0], 1500, 1590),
        ];
        let curve = RatingCurve::of_games(&latest_first).expect("three rated games");
        assert_eq!(curve.values, [[1500, 1500], [1590, 1500], [1590, 1440], [1650, 1440]]);
        assert_eq!(curve.sample.values(), [1650, 1440]);
        assert_eq!(RatingCurve::of_games(&latest_first[1..]), None);
    }

    #[test]
    fn the_points_of_a_list_are_those_of_its_rated_games() {
        let lists = all_lists();
        let own = lists[0].code();
        let other = lists[1].code();
        let casual = HistoryEntry { casual: vec![CasualReason::Hints], ..game(&own, 9, 9) };
        let latest_first = [
            game(&own, 1600, 1650),
            casual,
            game(&other, 1500, 1440),
            game(&own, 1590, 1600),
            game(&own, 1500, 1590),
        ];
        assert_eq!(list_points(&latest_first, &lists[0]), [1500, 1590, 1600, 1650]);
        assert!(list_points(&latest_first, &lists[1]).is_empty());
        assert!(list_points(&latest_first[1..], &lists[0]).is_empty());
    }

    #[test]
    fn every_list_has_a_line_of_its_own() {
        assert_eq!(all_lists().len(), INKS.len());
        let games: Vec<HistoryEntry> =
            all_lists().iter().map(|it| game(&it.code(), 1500, 1510)).collect();
        let curve = RatingCurve::of_games(&games).expect("a rated game of each list");
        let lines: HashSet<(&str, &str)> =
            curve.sample.lines.iter().map(|it| (it.mark, it.ink)).collect();
        assert_eq!(lines.len(), all_lists().len());
    }
}
