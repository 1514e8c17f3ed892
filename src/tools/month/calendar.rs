//! Plans the month: who plays what with whom, on which day and at which hour.
//!
//! The plan follows from the seed alone, before any game is played.

use caravanserai_bot::repository::{DAY_MS, MINUTE_MS};
use caravanserai_games::rules::Entropy;
use caravanserai_games::search::SeededRng;

use super::group::{GROUP, GameKind, LAST_DAY, game_kinds};
use crate::arena::game_runner::derive_seed;

/// The beginning of the month, 1 October 2026, in milliseconds since 1970.
pub const MONTH_START_MS: u64 = 1_790_812_800_000;
/// The end of the month, in milliseconds since 1970.
pub const MONTH_END_MS: u64 = MONTH_START_MS + LAST_DAY as u64 * DAY_MS - MINUTE_MS;

const SEED_FOR_PLAN: u64 = 101;

/// The first Saturday of the month.
const FIRST_SATURDAY: u8 = 3;
/// The weights of the number of games on a day from Monday to Friday, and on others.
const DAY_WEIGHTS: [u64; 2] = [2, 3];

/// A series begins within so many minutes before or after the hour that its opener likes.
const START_SPREAD_MINUTES: u32 = 90;
/// How much likelier a friend is asked than another person.
const FRIEND_WEIGHT: u32 = 8;
/// How much likelier a person is asked whose hour is at most so many hours away.
const SAME_HOUR_WEIGHT: u32 = 3;
const SAME_HOUR_DISTANCE: u8 = 1;

/// The chance of another game of the same people at tables for two and for more, in percent, and
/// the most games in a row.
const REMATCH_PERCENT: [u32; 2] = [66, 40];
const SERIES_MAX: [u32; 2] = [9, 3];

/// The chance that a series is just for fun, in percent.
const FUN_PERCENT: u32 = 4;
/// For so many days a latecomer plays with hints.
const LEARNING_DAYS: u8 = 2;

/// Games of the same people in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonthSeries {
    /// The day of the month.
    pub day: u8,
    /// When it begins, in milliseconds since 1970.
    pub start_ms: u64,
    /// The game and its number of seats.
    pub kind: GameKind,
    /// The people by their places in the group, in the order of the seats of the first game.
    pub players: Vec<usize>,
    /// The number of games.
    pub games: u32,
    /// How its tables are set.
    pub mode: SeriesMode,
}

/// How the tables of a series are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesMode {
    /// As tables are opened.
    Usual,
    /// A game just for fun.
    JustForFun,
    /// Hints are allowed, because a player learns the game.
    WithHints,
}

/// The series of a month with so many games, by day.
pub fn plan_month(games: u32, seed: u64) -> Vec<MonthSeries> {
    let mut rng = SeededRng::new(derive_seed(&[seed, SEED_FOR_PLAN]));
    let kinds = game_kinds();
    let all = weight_until(LAST_DAY);
    let mut series = Vec::new();
    let mut planned = 0;
    for day in 1..=LAST_DAY {
        let due = u64::from(games) * weight_until(day) / all;
        while planned < due {
            let left = u32::try_from(due - planned).unwrap_or(u32::MAX);
            let next = plan_series(day, left, &kinds, &mut rng);
            planned += u64::from(next.games);
            series.push(next);
        }
    }
    series
}

/// The weight of all days up to this one.
fn weight_until(day: u8) -> u64 {
    let [weekday, weekend] = DAY_WEIGHTS;
    let is_weekend = |day: u8| matches!((day + 7 - FIRST_SATURDAY) % 7, 0 | 1);
    (1..=day).map(|it| if is_weekend(it) { weekend } else { weekday }).sum()
}

fn plan_series(day: u8, left: u32, kinds: &[GameKind], rng: &mut SeededRng) -> MonthSeries {
    let active = |it: usize| u32::from(GROUP[it].is_active(day));
    let openers: Vec<u32> = (0..GROUP.len()).map(|it| active(it) * GROUP[it].activity).collect();
    let opener = choose_weighted(&openers, rng);
    let at = choose_weighted(&GROUP[opener].likes, rng) % kinds.len();
    let kind = kinds[at];
    let mut players = vec![opener];
    while players.len() < usize::from(kind.seats) {
        let weight = |it: usize| match players.contains(&it) {
            true => 0,
            false => active(it) * invitation_weight(opener, it, at),
        };
        let weights: Vec<u32> = (0..GROUP.len()).map(weight).collect();
        players.push(choose_weighted(&weights, rng));
    }
    if kind.game.info().partners {
        // The first person who is asked becomes the partner, on the opposite seat.
        players.swap(1, 2);
    }
    let size = usize::from(kind.seats > 2);
    let mut games = 1;
    while games < left.min(SERIES_MAX[size]) && rng.below(100) < REMATCH_PERCENT[size] {
        games += 1;
    }
    let is_learning = |it: &usize| {
        let member = &GROUP[*it];
        member.is_latecomer() && day < member.days[0] + LEARNING_DAYS
    };
    let mode = match players.iter().any(is_learning) {
        true => SeriesMode::WithHints,
        false if rng.below(100) < FUN_PERCENT => SeriesMode::JustForFun,
        false => SeriesMode::Usual,
    };
    let hour_ms = u64::from(GROUP[opener].hour) * 60 * MINUTE_MS;
    let spread_ms = u64::from(rng.below(2 * START_SPREAD_MINUTES)) * MINUTE_MS;
    let earliest_ms = MONTH_START_MS + u64::from(day - 1) * DAY_MS + hour_ms;
    let start_ms = earliest_ms + spread_ms - u64::from(START_SPREAD_MINUTES) * MINUTE_MS;
    MonthSeries { day, start_ms, kind, players, games, mode }
}

/// How likely the opener asks this person to a game of this kind.
fn invitation_weight(opener: usize, asked: usize, kind: usize) -> u32 {
    let opener = &GROUP[opener];
    let member = &GROUP[asked];
    let friend = if opener.friends.contains(&asked) { FRIEND_WEIGHT } else { 1 };
    let is_near = opener.hour.abs_diff(member.hour) <= SAME_HOUR_DISTANCE;
    let hour = if is_near { SAME_HOUR_WEIGHT } else { 1 };
    friend * hour * member.likes.get(kind).copied().unwrap_or(1)
}

/// The index of one of these weights, as likely as its share. With weights of 0 alone, the first.
fn choose_weighted(weights: &[u32], rng: &mut SeededRng) -> usize {
    let mut drawn = rng.below(weights.iter().sum::<u32>().max(1));
    for (at, weight) in weights.iter().enumerate() {
        match drawn.checked_sub(*weight) {
            Some(rest) => drawn = rest,
            None => return at,
        }
    }
    0
}
