//! Builds the views of achievements.

use std::collections::BTreeSet;

use super::settings_buttons::achievements_button;
use crate::commands::achievements::ShowAchievements;
use crate::repository::utc_date;
use crate::results::row_formats::{GameRatings, StoredRecord};
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::{Achievement, GameId};
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_results::{Achieved, RatingList};

/// A person's records in all lists.
type Records = [(RatingList, StoredRecord)];

/// When a person has first achieved something in a game.
fn first_time<'a>(records: &'a Records, game: GameId, code: &str) -> Option<&'a Achieved> {
    let of_game = records.iter().filter(|(list, _)| list.game() == game.info().code);
    let achieved = of_game.flat_map(|(_, stored)| &stored.record.achieved);
    achieved.filter(|it| it.code == code).min_by_key(|it| it.at_ms)
}

/// How many achievements a person has, and how many there are.
fn numbers(records: &Records) -> (usize, usize) {
    let all = GameId::all().iter();
    let all = all.flat_map(|game| game.achievements().iter().map(move |it| (*game, it.code)));
    let all: Vec<(GameId, &str)> = all.collect();
    let reached = all.iter().filter(|(game, code)| first_time(records, *game, code).is_some());
    (reached.count(), all.len())
}

/// An achievement of a game, and when a person has first reached it.
pub(crate) struct GameAchievement {
    /// Its name.
    pub(crate) name: Text,
    /// The condition for reaching it.
    pub(crate) rule: Text,
    /// The end of the first game with it, in milliseconds since 1970; `None` if there is none.
    pub(crate) at_ms: Option<u64>,
}

/// All achievements of a game.
pub(crate) fn game_achievements(records: &Records, game: GameId) -> Vec<GameAchievement> {
    let code = game.info().code;
    let state = |achievement: &Achievement| GameAchievement {
        name: achievement_name(code, achievement.code),
        rule: Text::new(format!("{code}-achieved-{}-rule", achievement.code)),
        at_ms: first_time(records, game, achievement.code).map(|it| it.at_ms),
    };
    game.achievements().iter().map(state).collect()
}

fn numbers_text(key: &'static str, records: &Records) -> Text {
    let (reached, all) = numbers(records);
    Text::new(key).with("count", reached as i64).with("all", all as i64)
}

/// The line under the statistics of the reader, and the button that shows the achievements.
pub fn achievements_line(records: &Records) -> (Text, ButtonSpec) {
    let label = Text::new("button-achievements");
    let button = ButtonSpec::new(label, ShowAchievements::callback_data());
    (numbers_text("answer-stats-achieved", records), button)
}

/// All achievements with their rules: those of the reader with their day.
pub fn achievements_view(records: &Records) -> View {
    let mut texts = vec![numbers_text("answer-achieved", records)];
    for game in GameId::all().iter().filter(|it| !it.achievements().is_empty()) {
        let code = game.info().code;
        let title = Text::new("answer-achieved-game");
        texts.push(title.with("game", Text::new(format!("game-{code}"))));
        for GameAchievement { name, rule, at_ms } in game_achievements(records, *game) {
            let line = match at_ms {
                Some(at_ms) => {
                    Text::new("answer-achieved-reached").with("day", utc_date(at_ms).to_string())
                }
                None => Text::new("answer-achieved-open"),
            };
            texts.push(line.with("name", name).with("rule", rule));
        }
    }
    let keys = vec![vec![achievements_button(true)]];
    View { texts, button_rows: keys, secret: true, ..View::default() }
}

/// The answer to a reader who has turned achievements off.
pub fn hidden_view() -> View {
    let texts = vec![Text::new("answer-achieved-hidden")];
    View {
        texts,
        button_rows: vec![vec![achievements_button(false)]],
        secret: true,
        ..View::default()
    }
}

fn achievement_name(game: &str, code: &str) -> Text {
    Text::new(format!("{game}-achieved-{code}"))
}

/// The line about new achievements under the result of a game.
pub fn new_achievements_line(ratings: &GameRatings) -> Option<Text> {
    let list = RatingList::parse(&ratings.list)?;
    let seats: BTreeSet<u8> = ratings.achieved.iter().map(|it| it.seat).collect();
    let of_seat = |seat: u8| {
        let own = ratings.achieved.iter().filter(move |it| it.seat == seat);
        let names = own.map(|it| Arg::from(achievement_name(list.game(), &it.code))).collect();
        let text = Text::new("over-achieved-player").with("name", Arg::Seat(seat));
        Arg::from(text.with("achieved", Arg::List(names)))
    };
    let players: Vec<Arg> = seats.into_iter().map(of_seat).collect();
    (!players.is_empty()).then(|| Text::new("over-achieved").with("players", Arg::List(players)))
}

/// The line with the totals of a person over all games of a list; `None` if there are none to show.
pub fn totals_line(list: &RatingList, stored: &StoredRecord) -> Option<Text> {
    let totals = total_texts(list, stored);
    let line = || Text::new("answer-stats-totals").with("totals", Arg::List(totals.clone()));
    (!totals.is_empty()).then(line)
}

/// The totals of a person over all games of a list, each as a text of its own.
pub(crate) fn total_texts(list: &RatingList, stored: &StoredRecord) -> Vec<Arg> {
    let Some(game) = GameId::from_code(list.game()) else { return Vec::new() };
    let total = |name: &&'static str| {
        let count = i64::try_from(*stored.record.totals.get(*name)?).ok()?;
        let text = Text::new(format!("{}-count-{name}", list.game()));
        Some(Arg::from(text.with("count", count)))
    };
    game.totals().iter().filter_map(total).collect()
}
