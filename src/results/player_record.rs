//! Keeps the record of one person in one rating list, in one chat or overall.
//!
//! A record contains no ids and names of other people: opponents and chats are numbers that can
//! only be compared.

use std::collections::BTreeMap;

use caravanserai_games::ids::PersonId;
use caravanserai_games::time_units::DAY_MS;
use serde::{Deserialize, Serialize};

use crate::abuse_checks::PlayPause;
use crate::achievements::Achieved;
use crate::best_win::BestWin;
use crate::choice_counts::StoredChoiceCount;
use crate::game_result::{GameOutcome, GameResult};
use crate::rating::Rating;
use crate::rating_list::RatingSystem;
use crate::text_hash::hash_texts;

/// How many recent games a record keeps for the abuse checks.
pub const MAX_RECENT_GAMES: usize = 12;
/// How many pairs of today a record counts. The oldest make room.
pub const MAX_COUNTED_PAIRS: usize = 64;
/// How many rated wins against computers a record remembers by their openings.
pub const MAX_COMPUTER_WINS: usize = 32;
/// Against how many opponents a record counts losses in a row. The fewest losses make room.
pub const MAX_LOSING_STREAKS: usize = 16;

/// The achievements of one person in one list in one scope. Stored as JSON with short names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerRecord {
    /// The rating after the last rated game.
    #[serde(rename = "r")]
    pub rating: Rating,
    /// Number of games with a result, rated and casual.
    #[serde(rename = "g", default)]
    pub games: u32,
    /// Number of rated games.
    #[serde(rename = "rg", default)]
    pub rated_games: u32,
    /// Games won.
    #[serde(rename = "w", default)]
    pub wins: u32,
    /// Games lost.
    #[serde(rename = "l", default)]
    pub losses: u32,
    /// Games drawn.
    #[serde(rename = "d", default)]
    pub draws: u32,
    /// Wins in a row, or minus the losses in a row; 0 after a draw.
    #[serde(rename = "s", default)]
    pub streak: i32,
    /// The best rating that was not provisional.
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    pub best: Option<BestRating>,
    /// The end of the first game, aborted ones included, in milliseconds since 1970; 0 before it.
    #[serde(rename = "f", default)]
    pub first_ms: u64,
    /// The end of the last game, aborted ones included, in milliseconds since 1970; 0 before the
    /// first.
    #[serde(rename = "t", default)]
    pub last_ms: u64,
    /// The end of the last rated game, in milliseconds since 1970; 0 before the first.
    #[serde(rename = "rt", default)]
    pub last_rated_ms: u64,
    /// The last rated games, and rated games that the person aborted, the newest at the end, at
    /// most [`MAX_RECENT_GAMES`].
    #[serde(rename = "n", default, skip_serializing_if = "Vec::is_empty")]
    pub recent: Vec<RecentGame>,
    /// Rated games of today with each opponent in each chat.
    #[serde(rename = "p", default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairCount>,
    /// The same in all chats together.
    #[serde(rename = "q", default, skip_serializing_if = "Vec::is_empty")]
    pub pairs_everywhere: Vec<OpponentCount>,
    /// Losses in a row against the same opponent, at tables for two.
    #[serde(rename = "u", default, skip_serializing_if = "Vec::is_empty")]
    pub losing: Vec<LosingStreak>,
    /// The openings of the last rated wins against computers, at tables for two, the newest at the
    /// end.
    #[serde(rename = "h", default, skip_serializing_if = "Vec::is_empty")]
    pub computer_wins: Vec<u32>,
    /// The actions of the person in all games together, by name of the count. Records of seasons
    /// have none.
    #[serde(rename = "c", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub totals: BTreeMap<String, u64>,
    /// The achievements of the person, the earliest first. Records of seasons have none.
    #[serde(rename = "a", default, skip_serializing_if = "Vec::is_empty")]
    pub achieved: Vec<Achieved>,
    /// The ways to play that the person chose. Records of seasons have none.
    #[serde(rename = "v", default, skip_serializing_if = "Vec::is_empty")]
    pub choice_counts: Vec<StoredChoiceCount>,
    /// The best game that the person has won. Records of seasons have none.
    #[serde(rename = "e", default, skip_serializing_if = "Option::is_none")]
    pub best_win: Option<BestWin>,
    /// The last pause because of bad endings.
    #[serde(rename = "z", default, skip_serializing_if = "Option::is_none")]
    pub pause: Option<PlayPause>,
}

/// The best displayed rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BestRating {
    /// The displayed rating.
    #[serde(rename = "r")]
    pub displayed: i32,
    /// When it was reached, in milliseconds since 1970.
    #[serde(rename = "t")]
    pub at_ms: u64,
}

/// One recent game, as the abuse checks need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentGame {
    /// The end of the game, in milliseconds since 1970.
    #[serde(rename = "t")]
    pub ended_ms: u64,
    /// The players of the other sides as [`GameResult::opponents_hash`] gives them.
    #[serde(rename = "o")]
    pub opponents: u64,
    /// The result; `None` for an aborted game.
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<GameOutcome>,
    /// Whether the game was rated.
    #[serde(rename = "k", default, skip_serializing_if = "crate::game_result::is_false")]
    pub is_rated: bool,
    /// Number of steps played.
    #[serde(rename = "n", default)]
    pub steps: u32,
    /// How the person ended the game.
    #[serde(rename = "e", default, skip_serializing_if = "Ending::is_fair")]
    pub ending: Ending,
}

/// How a person ended a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// By playing or resigning.
    #[default]
    #[serde(rename = "f")]
    Fair,
    /// By aborting it.
    #[serde(rename = "a")]
    Aborted,
    /// By letting the time run out.
    #[serde(rename = "t")]
    TimedOut,
}

/// Rated games of a pair in one chat on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCount {
    /// A number for the opponent and the chat.
    #[serde(rename = "o")]
    pub pair: u64,
    /// The day in UTC, counted from 1970.
    #[serde(rename = "d")]
    pub day: u64,
    /// Number of rated games.
    #[serde(rename = "n")]
    pub games: u32,
}

/// Rated games with one opponent in all chats on one day. Stored as a list of three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpponentCount(
    /// A number for the opponent.
    pub u32,
    /// The day in UTC, counted from 1970.
    pub u32,
    /// Number of rated games.
    pub u32,
);

/// Losses in a row against one opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LosingStreak {
    /// A number for the opponent.
    #[serde(rename = "o")]
    pub opponent: u64,
    /// Number of losses.
    #[serde(rename = "n")]
    pub losses: u32,
}

impl Ending {
    fn is_fair(&self) -> bool {
        *self == Ending::Fair
    }
}

impl PlayerRecord {
    /// The record of a person without games.
    pub fn new(system: RatingSystem) -> Self {
        Self {
            rating: Rating::newcomer(system),
            games: 0,
            rated_games: 0,
            wins: 0,
            losses: 0,
            draws: 0,
            streak: 0,
            best: None,
            first_ms: 0,
            last_ms: 0,
            last_rated_ms: 0,
            recent: Vec::new(),
            pairs: Vec::new(),
            pairs_everywhere: Vec::new(),
            losing: Vec::new(),
            computer_wins: Vec::new(),
            totals: BTreeMap::new(),
            achieved: Vec::new(),
            choice_counts: Vec::new(),
            best_win: None,
            pause: None,
        }
    }

    /// The rating at this time: without rated games it becomes less certain.
    pub fn rating_at(&self, now_ms: u64) -> Rating {
        match self.idle_ms(now_ms) {
            0 => self.rating,
            idle_ms => self.rating.after_idle(idle_ms),
        }
    }

    /// The time without rated games at this time, in milliseconds; 0 before the first.
    fn idle_ms(&self, now_ms: u64) -> u64 {
        match self.last_rated_ms {
            0 => 0,
            last_ms => now_ms.saturating_sub(last_ms),
        }
    }

    /// The displayed rating in whole points.
    pub fn displayed_rating(&self) -> i32 {
        self.rating.displayed()
    }

    /// Whether the rating is uncertain at this time and shown with a question mark.
    pub fn is_provisional(&self, now_ms: u64) -> bool {
        self.rating.is_provisional_after(self.idle_ms(now_ms))
    }

    /// The points by which lists order a certain rating at this time.
    pub fn list_points(&self, now_ms: u64) -> i32 {
        self.rating.list_points_after(self.idle_ms(now_ms))
    }

    /// Rated games with this opponent in this chat on the day of this time.
    pub fn pair_games(&self, opponent: &PersonId, chat: &str, now_ms: u64) -> u32 {
        let day = now_ms / DAY_MS;
        let pair = pair_hash(opponent, chat);
        let is_it = |it: &&PairCount| it.day == day && it.pair == pair;
        self.pairs.iter().find(is_it).map_or(0, |it| it.games)
    }

    /// Rated games with this opponent in all chats on the day of this time. Records of earlier
    /// programs do not count them.
    pub fn pair_games_everywhere(&self, opponent: &PersonId, now_ms: u64) -> u32 {
        let day = day_number(now_ms);
        let opponent = short_hash(opponent);
        let is_it = |it: &&OpponentCount| it.0 == opponent && it.1 == day;
        self.pairs_everywhere.iter().find(is_it).map_or(0, |it| it.2)
    }

    /// Adds a game with a result. `rating` is the new rating; `None` if the game is casual: it
    /// counts as a game, but the rating stays as it is, and the abuse checks do not see it.
    pub fn add_game(&mut self, result: &GameResult, seat: usize, rating: Option<Rating>) {
        let outcome = result.outcome(seat);
        self.games += 1;
        match outcome {
            GameOutcome::Win => {
                self.wins += 1;
                self.streak = self.streak.max(0) + 1;
            }
            GameOutcome::Draw => {
                self.draws += 1;
                self.streak = 0;
            }
            GameOutcome::Loss => {
                self.losses += 1;
                self.streak = self.streak.min(0) - 1;
            }
        }
        self.add_time(result.ended_ms);
        self.count_losses(result, seat, outcome);
        // The abuse checks protect rated games: casual ones neither accuse nor excuse anybody.
        if let Some(rating) = rating {
            self.add_recent(result, seat, Some(outcome), ending_of(result, seat));
            self.add_rating(result, seat, rating);
        }
    }

    /// Adds a game without a result that this person aborted, or that was aborted because they
    /// had let their time run out. It counts only for the abuse checks.
    pub fn add_abort(&mut self, result: &GameResult, seat: usize) {
        self.add_time(result.ended_ms);
        let ending = match result.has_run_out_of_time() {
            true => Ending::TimedOut,
            false => Ending::Aborted,
        };
        self.add_recent(result, seat, None, ending);
    }

    /// Results without an outcome count here, too: the order of results depends on these times.
    fn add_time(&mut self, ended_ms: u64) {
        if self.first_ms == 0 {
            self.first_ms = ended_ms;
        }
        self.last_ms = ended_ms;
    }

    fn add_recent(
        &mut self,
        result: &GameResult,
        seat: usize,
        outcome: Option<GameOutcome>,
        ending: Ending,
    ) {
        self.recent.push(RecentGame {
            ended_ms: result.ended_ms,
            opponents: result.opponents_hash(seat),
            outcome,
            is_rated: outcome.is_some(),
            steps: result.steps,
            ending,
        });
        let surplus = self.recent.len().saturating_sub(MAX_RECENT_GAMES);
        self.recent.drain(..surplus);
    }

    fn add_rating(&mut self, result: &GameResult, seat: usize, rating: Rating) {
        self.rating = rating;
        self.rated_games += 1;
        self.last_rated_ms = result.ended_ms;
        let displayed = rating.displayed();
        if !rating.is_provisional() && self.best.is_none_or(|it| displayed > it.displayed) {
            self.best = Some(BestRating { displayed, at_ms: result.ended_ms });
        }
        self.remember_computer_win(result, seat);
        for opponent in result.rated_opponents(seat) {
            self.count_pair(pair_hash(opponent, &result.chat), result.ended_ms / DAY_MS);
            self.count_opponent(short_hash(opponent), day_number(result.ended_ms));
        }
    }

    /// Whether this game is a win against a computer with the opening of one of the last rated
    /// ones.
    pub fn has_repeated_computer_win(&self, result: &GameResult, seat: usize) -> bool {
        computer_win_hash(result, seat).is_some_and(|it| self.computer_wins.contains(&it))
    }

    fn remember_computer_win(&mut self, result: &GameResult, seat: usize) {
        let Some(opening) = computer_win_hash(result, seat) else { return };
        self.computer_wins.push(opening);
        let surplus = self.computer_wins.len().saturating_sub(MAX_COMPUTER_WINS);
        self.computer_wins.drain(..surplus);
    }

    /// Losses in a row against the opponent of this seat, at a table for two.
    pub fn losses_in_a_row(&self, result: &GameResult, seat: usize) -> u32 {
        let Some(opponent) = opponent_hash(result, seat) else { return 0 };
        self.losing.iter().find(|it| it.opponent == opponent).map_or(0, |it| it.losses)
    }

    fn count_losses(&mut self, result: &GameResult, seat: usize, outcome: GameOutcome) {
        let Some(opponent) = opponent_hash(result, seat) else { return };
        let losses = self.losses_in_a_row(result, seat) + 1;
        self.losing.retain(|it| it.opponent != opponent);
        if outcome != GameOutcome::Loss {
            return;
        }
        self.losing.push(LosingStreak { opponent, losses });
        if self.losing.len() > MAX_LOSING_STREAKS
            && let Some(at) = (0..self.losing.len()).min_by_key(|at| self.losing[*at].losses)
        {
            self.losing.remove(at);
        }
    }

    fn count_pair(&mut self, pair: u64, day: u64) {
        self.pairs.retain(|it| it.day == day);
        if let Some(known) = self.pairs.iter_mut().find(|it| it.pair == pair) {
            known.games += 1;
            return;
        }
        if self.pairs.len() >= MAX_COUNTED_PAIRS {
            self.pairs.remove(0);
        }
        self.pairs.push(PairCount { pair, day, games: 1 });
    }

    fn count_opponent(&mut self, opponent: u32, day: u32) {
        let counts = &mut self.pairs_everywhere;
        counts.retain(|it| it.1 == day);
        if let Some(known) = counts.iter_mut().find(|it| it.0 == opponent) {
            known.2 += 1;
            return;
        }
        if counts.len() >= MAX_COUNTED_PAIRS {
            counts.remove(0);
        }
        counts.push(OpponentCount(opponent, day, 1));
    }
}

/// How the player of this seat ended a rated game with a result.
fn ending_of(result: &GameResult, seat: usize) -> Ending {
    let is_at_fault = result.seat_at_fault.is_some_and(|it| usize::from(it) == seat);
    // A player who let a computer play has let their time run out, too.
    match result.seats[seat].is_absent || (is_at_fault && result.is_lost_on_time()) {
        true => Ending::TimedOut,
        false => Ending::Fair,
    }
}

/// A number for the opponent of this seat, at a table for two.
fn opponent_hash(result: &GameResult, seat: usize) -> Option<u64> {
    let [_, _] = &result.seats[..] else { return None };
    let opponent = result.opponents(seat).next()?;
    Some(hash_texts([opponent.person.0.as_str(), opponent.level.as_deref().unwrap_or_default()]))
}

/// A number for the opening of a win against a computer, and its level, at a table for two; `None`
/// for other games, and where the opening is unknown.
fn computer_win_hash(result: &GameResult, seat: usize) -> Option<u32> {
    let [_, _] = &result.seats[..] else { return None };
    let opponent = result.opponents(seat).next().filter(|it| it.is_computer)?;
    let is_won = result.outcome(seat) == GameOutcome::Win && !result.opening.is_empty();
    let level = opponent.level.as_deref().unwrap_or_default();
    is_won.then(|| hash_texts([result.opening.as_str(), level]) as u32)
}

fn pair_hash(opponent: &PersonId, chat: &str) -> u64 {
    hash_texts([opponent.0.as_str(), chat])
}

/// A number for an opponent, short because a record contains many of them.
fn short_hash(opponent: &PersonId) -> u32 {
    hash_texts([opponent.0.as_str()]) as u32
}

/// The day in UTC, counted from 1970.
fn day_number(now_ms: u64) -> u32 {
    u32::try_from(now_ms / DAY_MS).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glicko::GlickoRating;
    use crate::test_data::{MINUTE_MS, game};

    fn rated(rating: f64, deviation: f64) -> Option<Rating> {
        Some(Rating::Glicko(GlickoRating { rating, deviation, volatility: 0.06 }))
    }

    #[test]
    fn a_record_counts_results_and_streaks() {
        let mut record = PlayerRecord::new(RatingSystem::Glicko2);
        let streaks: Vec<i32> = [(1, 0), (2, 0), (0, 1), (0, 3), (1, 1), (1, 0)]
            .map(|(own, other)| {
                record.add_game(&game(&[("a", own), ("b", other)]), 0, None);
                record.streak
            })
            .to_vec();
        assert_eq!(streaks, [1, 2, -1, -2, 0, 1]);
        assert_eq!((record.games, record.wins, record.losses, record.draws), (6, 3, 2, 1));
        assert_eq!((record.rated_games, record.displayed_rating()), (0, 1500));
    }

    #[test]
    fn the_best_rating_is_the_first_highest_one_that_is_certain() {
        let mut record = PlayerRecord::new(RatingSystem::Glicko2);
        let mut result = game(&[("a", 1), ("b", 0)]);
        let mut bests = Vec::new();
        for (rating, deviation) in [(1900.0, 200.0), (1700.0, 90.0), (1700.0, 80.0), (1650.0, 70.0)]
        {
            result.ended_ms += MINUTE_MS;
            record.add_game(&result, 0, rated(rating, deviation));
            bests.push(record.best.map(|it| it.displayed));
        }
        assert_eq!(bests, [None, Some(1700), Some(1700), Some(1700)]);
        assert_eq!(record.best.unwrap().at_ms, result.ended_ms - 2 * MINUTE_MS);
    }

    #[test]
    fn a_certain_rating_becomes_provisional_without_games() {
        let mut record = PlayerRecord::new(RatingSystem::Glicko2);
        let result = game(&[("a", 1), ("b", 0)]);
        record.add_game(&result, 0, rated(1700.0, 60.0));
        assert!(!record.is_provisional(result.ended_ms));
        let later = result.ended_ms + 400 * DAY_MS;
        assert!(record.is_provisional(later));
        assert_eq!(record.displayed_rating(), 1700);
    }

    #[test]
    fn lists_in_a_record_are_bounded() {
        let mut record = PlayerRecord::new(RatingSystem::Glicko2);
        for number in 0..200 {
            let mut result = game(&[("a", 1), ("b", 0)]);
            result.seats[1].person.0 = format!("tg:{number}");
            result.steps = number;
            record.add_game(&result, 0, rated(1500.0, 60.0));
        }
        assert_eq!((record.recent.len(), record.pairs.len()), (12, 64));
        assert_eq!(record.recent.last().unwrap().steps, 199);
    }

    #[test]
    fn pairs_are_counted_for_each_chat_and_day() {
        let mut record = PlayerRecord::new(RatingSystem::Glicko2);
        let mut result = game(&[("a", 1), ("b", 0)]);
        let other = PersonId("b".to_owned());
        record.add_game(&result, 0, rated(1500.0, 60.0));
        record.add_game(&result, 0, None);
        record.add_game(&result, 0, rated(1500.0, 60.0));
        let ended_ms = result.ended_ms;
        assert_eq!(record.pair_games(&other, "tg:-5", ended_ms), 2);
        assert_eq!(record.pair_games(&other, "tg:-6", ended_ms), 0);
        assert_eq!(record.pair_games(&other, "tg:-5", ended_ms + DAY_MS), 0);
        result.ended_ms += DAY_MS;
        record.add_game(&result, 0, rated(1500.0, 60.0));
        assert_eq!(record.pair_games(&other, "tg:-5", result.ended_ms), 1);
        assert_eq!(record.pairs.len(), 1);
    }

    #[test]
    fn a_record_comes_back_as_it_was_stored() {
        let mut record = PlayerRecord::new(RatingSystem::PlackettLuce);
        let mut result = game(&[("a", 0), ("b", 1)]);
        result.end_reason = "late".to_owned();
        result.seat_at_fault = Some(0);
        record.add_game(&result, 0, Some(record.rating));
        record.add_abort(&result, 0);
        record.pause = Some(PlayPause { count: 1, minutes: 10, until_ms: 5 });
        assert_eq!(record.recent[0].ending, Ending::TimedOut);
        let json = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<PlayerRecord>(&json).unwrap(), record);
        assert!(json.len() < 500, "{json}");
    }
}
