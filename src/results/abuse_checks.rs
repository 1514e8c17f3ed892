//! Decides which results are not rated because they look like abuse, and whom to warn.
//!
//! The rules, all as pure functions of a result and the records of its players before it:
//!
//! - Win trading: a pair of opponents has [`MAX_PAIR_GAMES`] rated games in a chat on a day (UTC).
//!   Further games are casual. In all chats together they have [`MAX_PAIR_GAMES_EVERYWHERE`];
//!   further games count only for the lists of their chat. A game of more than two is rated until
//!   all pairs of opponents in it have reached the limit: with one different person it is rated
//!   again. The table decides it when the game starts, see [`PairLimit`](crate::PairLimit); the
//!   records decide it for games that began in earlier versions.
//! - New account: a winner who is known for less than [`NEW_ACCOUNT_MS`] beats a person in fewer
//!   than [`MIN_STEPS`] steps. While their rating is provisional, fewer than 40 steps in less than
//!   90 seconds are too few, too; the limits fall evenly to 20 steps and 60 seconds at their sixth
//!   rated game. The winner gains nothing; for the others the game is rated.
//! - Farming a computer: a win has the same opening as one of the last
//!   [`MAX_COMPUTER_WINS`](crate::player_record::MAX_COMPUTER_WINS) rated wins against computers.
//!   The game is casual. A loss always counts.
//! - Sandbagging and boosting: decisive rated games of at most [`SHORT_GAME_STEPS`] steps among the
//!   last [`WATCHED_GAMES`] within [`WATCHED_MS`], lost, or won against the same opponents. The
//!   third leads to a warning, the fourth is reported to the admins. The games stay rated. For a
//!   person who gave up their seat the steps until then count.
//! - Aborting rated games and letting time run out in them: three such games among the recent ones,
//!   if they are often enough, lead to a warning, see [`has_bad_endings`], and more of them to a
//!   pause of 10 minutes to 3 days, see [`pause_after`]. During a pause games are casual: the table
//!   records it when the person takes a seat or the game starts. A game that ended because its only
//!   message was deleted counts as aborted by all its players.
//!
//! Reasons are shown under the result; the caller decides what follows from warnings. A person who
//! has several records (overall and in chats) is judged by the one with the most games; the limits
//! for pairs also by the others, because a record counts only the games that were rated in it.
//!
//! Source of the rules: lichess (`FarmBoostDetection`, `SandbagWatch`, `playban`). The pair limit
//! is our own.

use std::borrow::Borrow;

use caravanserai_games::ids::PersonId;
use caravanserai_games::time_units::{HOUR_MS, MINUTE_MS};
use serde::{Deserialize, Serialize};

use crate::casual_reason::CasualReason;
use crate::game_result::{GameOutcome, GameResult};
use crate::player_record::{Ending, MAX_RECENT_GAMES, PlayerRecord, RecentGame};

/// Rated games of one pair of opponents in one chat on one day.
pub const MAX_PAIR_GAMES: u32 = 5;
/// Rated games of one pair of opponents in all chats on one day: those of two chats.
pub const MAX_PAIR_GAMES_EVERYWHERE: u32 = 2 * MAX_PAIR_GAMES;
/// An account is new for 7 days.
pub const NEW_ACCOUNT_MS: u64 = 7 * 24 * HOUR_MS;
/// A new account wins no rated game in fewer steps.
pub const MIN_STEPS: u32 = 10;
/// A first game of a new account with fewer steps, in less than [`NEW_ACCOUNT_SECONDS`], is short.
const NEW_ACCOUNT_STEPS: u32 = 40;
const NEW_ACCOUNT_SECONDS: u64 = 90;
/// The most steps of a suspiciously short decisive game.
pub const SHORT_GAME_STEPS: u32 = 8;
/// How many rated games are watched for short ones.
pub const WATCHED_GAMES: usize = 7;
/// In which time the watched games ended.
pub const WATCHED_MS: u64 = 3 * HOUR_MS;
/// The number of short games, or of bad endings, that may lead to a warning.
pub const GAMES_TO_WARN: usize = 3;
/// The number of short games that leads to a report.
pub const GAMES_TO_REPORT: usize = 4;
/// How much an aborted game weighs for a pause, in tenths.
const ABORTED_TENTHS: usize = 7;
/// How much a game in which the time ran out weighs for a pause, in tenths.
const TIMED_OUT_TENTHS: usize = 10;
/// The shortest pause.
pub const MIN_PAUSE_MINUTES: u64 = 10;
/// The longest pause.
pub const MAX_PAUSE_MINUTES: u64 = 3 * 24 * 60;
/// How long a pause lengthens the next one, in hours.
pub const PAUSE_MEMORY_HOURS: u64 = 72;

/// A sign of abuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AbuseKind {
    /// Several rated games lost after a few steps.
    Sandbagging,
    /// Several rated games won after a few steps against the same person.
    Boosting,
    /// Many games aborted or left until time ran out.
    BadEndings,
}

/// The consequence of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WarningLevel {
    /// A warning to the person.
    Warning,
    /// A warning to the person, and a report to the admins.
    Report,
    /// The person takes part in no new rated game until this time, in milliseconds since 1970.
    Pause(u64),
}

/// A warning that a result causes. It does not change ratings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AbuseWarning {
    /// The seat of the person.
    pub seat: u8,
    /// The person, who may have given up the seat.
    pub person: PersonId,
    /// The sign of abuse.
    pub kind: AbuseKind,
    /// Its consequence.
    pub level: WarningLevel,
}

/// A pause because of bad endings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayPause {
    /// How many pauses there were, this one included.
    #[serde(rename = "n")]
    pub count: u32,
    /// Its length.
    #[serde(rename = "m")]
    pub minutes: u64,
    /// Its end, in milliseconds since 1970.
    #[serde(rename = "t")]
    pub until_ms: u64,
}

impl AbuseKind {
    /// The stable code, for message keys.
    pub fn code(self) -> &'static str {
        match self {
            AbuseKind::Sandbagging => "sandbagging",
            AbuseKind::Boosting => "boosting",
            AbuseKind::BadEndings => "bad-endings",
        }
    }
}

/// The reasons of the abuse checks why a result is not rated. `records` has the record of each seat
/// before the result; `None` for newcomers and computers.
pub fn abuse_reasons(result: &GameResult, records: &[Option<&PlayerRecord>]) -> Vec<CasualReason> {
    let mut reasons = Vec::new();
    let by_seat = |seat: usize| records.get(seat).copied().flatten();
    let people = || (0..result.seats.len()).filter(|it| !result.seats[*it].is_computer);
    if result.pair_limit.is_none() && exceeds_pair_limit(result, by_seat) {
        reasons.push(CasualReason::PairLimit);
    }
    if result.seats.len() == 2 && people().any(|it| is_farming(result, it, by_seat(it))) {
        reasons.push(CasualReason::Farming);
    }
    reasons
}

/// The seats of new accounts that have won a very short game against people: they gain nothing by
/// it. `records` are those of [`abuse_reasons`].
pub fn new_account_winners(result: &GameResult, records: &[Option<&PlayerRecord>]) -> Vec<usize> {
    let by_seat = |seat: usize| records.get(seat).copied().flatten();
    let people = (0..result.seats.len()).filter(|it| !result.seats[*it].is_computer);
    people.filter(|it| is_new_account_win(result, *it, by_seat(*it))).collect()
}

/// Whether all pairs of opponents have had enough rated games today in this chat, by these records
/// of the seats.
pub fn is_pair_limit_reached<R: Borrow<PlayerRecord>>(
    result: &GameResult,
    records: &[Option<R>],
) -> bool {
    exceeds_pair_limit(result, |seat| record_of(records, seat))
}

/// Whether all pairs of opponents have had enough rated games today in all chats together, by these
/// records of the seats.
pub fn is_everywhere_limit_reached<R: Borrow<PlayerRecord>>(
    result: &GameResult,
    records: &[Option<R>],
) -> bool {
    let games = |seat: usize, opponent: &PersonId| {
        record_of(records, seat).map_or(0, |it| it.pair_games_everywhere(opponent, result.ended_ms))
    };
    have_all_pairs_played(result, MAX_PAIR_GAMES_EVERYWHERE, games)
}

fn record_of<R: Borrow<PlayerRecord>>(records: &[Option<R>], seat: usize) -> Option<&PlayerRecord> {
    records.get(seat)?.as_ref().map(Borrow::borrow)
}

/// Whether all pairs of opponents have had enough rated games today in this chat.
fn exceeds_pair_limit<'r>(
    result: &GameResult,
    by_seat: impl Fn(usize) -> Option<&'r PlayerRecord>,
) -> bool {
    let games = |seat: usize, opponent: &PersonId| {
        let record = by_seat(seat);
        record.map_or(0, |it| it.pair_games(opponent, &result.chat, result.ended_ms))
    };
    have_all_pairs_played(result, MAX_PAIR_GAMES, games)
}

/// Whether each pair of people who play against each other has at least so many games. A record
/// counts a limited number of opponents, so the one of the two that counts more is right. Without
/// such a pair there is no limit.
fn have_all_pairs_played(
    result: &GameResult,
    limit: u32,
    games: impl Fn(usize, &PersonId) -> u32,
) -> bool {
    let seats = &result.seats;
    let people: Vec<usize> = (0..seats.len()).filter(|it| !seats[*it].is_computer).collect();
    let mut has_pair = false;
    for (at, &one) in people.iter().enumerate() {
        for &other in people[at + 1..].iter().filter(|it| !result.are_allies(one, **it)) {
            has_pair = true;
            let known = games(one, &seats[other].person).max(games(other, &seats[one].person));
            if known < limit {
                return false;
            }
        }
    }
    has_pair
}

/// Whether it can matter how long the players of a game are known: it was very short.
pub fn depends_on_account_age(result: &GameResult) -> bool {
    let is_short = result.steps < NEW_ACCOUNT_STEPS;
    result.steps < MIN_STEPS || (is_short && result.duration_ms() < NEW_ACCOUNT_SECONDS * 1000)
}

/// Whether a new account has won against a person in a very short game.
fn is_new_account_win(result: &GameResult, seat: usize, record: Option<&PlayerRecord>) -> bool {
    let beats_people = result.outcome(seat) == GameOutcome::Win
        && result.opponents(seat).any(|it| !it.is_computer);
    let first_ms = record.map(|it| it.first_ms).filter(|it| *it > 0);
    let since_ms = result.seats[seat].known_since_ms.or(first_ms).unwrap_or(result.started_ms);
    if !beats_people || result.ended_ms.saturating_sub(since_ms) >= NEW_ACCOUNT_MS {
        return false;
    }
    let is_provisional = record.is_none_or(|it| it.is_provisional(result.ended_ms));
    // 20 steps and 60 seconds after five games.
    let games = record.map_or(0, |it| it.rated_games).min(5);
    let short_ms = (NEW_ACCOUNT_SECONDS - 6 * u64::from(games)) * 1000;
    let is_short = result.steps < NEW_ACCOUNT_STEPS - 4 * games && result.duration_ms() < short_ms;
    result.steps < MIN_STEPS || (is_provisional && is_short)
}

/// Whether this person repeats a rated win against a computer.
fn is_farming(result: &GameResult, seat: usize, record: Option<&PlayerRecord>) -> bool {
    record.is_some_and(|it| it.has_repeated_computer_win(result, seat))
}

/// The warning about short games that the last rated game of this record causes: the person has
/// lost, or won against the same person, too often after a few steps.
pub fn short_game_warning(record: &PlayerRecord) -> Option<(AbuseKind, WarningLevel)> {
    let last = record.recent.last().filter(|it| is_suspicious(it))?;
    let watched = record.recent.iter().rev().filter(|it| it.is_rated).take(WATCHED_GAMES);
    let watched = watched.filter(|it| last.ended_ms.saturating_sub(it.ended_ms) <= WATCHED_MS);
    let similar = watched.filter(|it| is_suspicious(it) && it.outcome == last.outcome);
    let (kind, count) = match last.outcome {
        Some(GameOutcome::Loss) => (AbuseKind::Sandbagging, similar.count()),
        Some(GameOutcome::Win) => {
            (AbuseKind::Boosting, similar.filter(|it| it.opponents == last.opponents).count())
        }
        Some(GameOutcome::Draw) | None => return None,
    };
    match count {
        GAMES_TO_WARN => Some((kind, WarningLevel::Warning)),
        GAMES_TO_REPORT => Some((kind, WarningLevel::Report)),
        _ => None,
    }
}

/// Whether a game is rated, decisive and short.
fn is_suspicious(game: &RecentGame) -> bool {
    let is_decisive = matches!(game.outcome, Some(GameOutcome::Win | GameOutcome::Loss));
    game.is_rated && is_decisive && game.steps <= SHORT_GAME_STEPS
}

/// Whether so many of the recent games ended badly that their person is warned when this begins:
/// at least three and 40 % of them, or so many that one more in which their time runs out leads to
/// a pause. So a warning comes before the first pause.
pub fn has_bad_endings(record: &PlayerRecord) -> bool {
    let count = record.recent.iter().filter(|it| it.ending != Ending::Fair).count();
    let is_often = 10 * count >= 4 * record.recent.len();
    count >= GAMES_TO_WARN && is_often || is_near_pause(record)
}

/// Whether one more game in which the time of this person runs out leads to a pause.
fn is_near_pause(record: &PlayerRecord) -> bool {
    // The next game displaces the oldest one.
    let kept = record.recent.len().min(MAX_RECENT_GAMES - 1);
    let displaced = record.recent.len() - kept;
    let tenths = bad_ending_tenths(&record.recent[displaced..]) + TIMED_OUT_TENTHS;
    tenths >= tenths_to_pause(record, kept + 1)
}

/// How much the endings of these games weigh together, in tenths.
fn bad_ending_tenths(games: &[RecentGame]) -> usize {
    let weight = |it: &RecentGame| match it.ending {
        Ending::Fair => 0,
        Ending::Aborted => ABORTED_TENTHS,
        Ending::TimedOut => TIMED_OUT_TENTHS,
    };
    games.iter().map(weight).sum()
}

/// From which weight on the endings of so many recent games lead to a pause, in tenths.
fn tenths_to_pause(record: &PlayerRecord, games: usize) -> usize {
    let count = record.pause.map_or(0, |it| it.count);
    let minimum = match count {
        0 | 1 => 40,
        2 | 3 => 30,
        _ => 20,
    };
    let share = if count < 3 { 4 } else { 3 };
    (share * games).max(minimum)
}

/// The pause that the last recent game of this record causes, if it ended badly: its person aborted
/// it or let their time run out.
///
/// An aborted game weighs 0.7, a game left until time ran out weighs 1, whether the others claimed
/// the win or aborted it. A pause follows when the recent games together weigh at least 4 (3
/// after two pauses, 2 after four) and at least 40 % of their number (30 % after three pauses). The
/// first pause takes 10 minutes. A further one takes 2.2 times as long as the one before; that
/// factor falls to 1 within 72 hours after its end, and then counting begins at 10 minutes again.
/// No pause is longer than 3 days.
pub fn pause_after(record: &PlayerRecord) -> Option<PlayPause> {
    let last = record.recent.last().filter(|it| it.ending != Ending::Fair)?;
    if bad_ending_tenths(&record.recent) < tenths_to_pause(record, record.recent.len()) {
        return None;
    }
    let count = record.pause.map_or(0, |it| it.count);
    let minutes = record.pause.map_or(0, |it| lengthened_minutes(it, last.ended_ms));
    let minutes = minutes.clamp(MIN_PAUSE_MINUTES, MAX_PAUSE_MINUTES);
    let until_ms = last.ended_ms.saturating_add(minutes * MINUTE_MS);
    Some(PlayPause { count: count + 1, minutes, until_ms })
}

/// The length of a pause after this one; 0 if it is long ago.
fn lengthened_minutes(previous: PlayPause, now_ms: u64) -> u64 {
    let hours = now_ms.saturating_sub(previous.until_ms) / HOUR_MS;
    if hours >= PAUSE_MEMORY_HOURS { 0 } else { previous.minutes * (132 - hours) / 60 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player_record::MAX_COMPUTER_WINS;
    use crate::rating::Rating;
    use crate::rating_list::RatingSystem;
    use crate::test_data::{START_MS, game, seat_computer};

    fn newcomer() -> PlayerRecord {
        PlayerRecord::new(RatingSystem::Glicko2)
    }

    fn won() -> GameResult {
        game(&[("a", 1), ("b", 0)])
    }

    fn reasons(result: &GameResult, record: &PlayerRecord) -> Vec<CasualReason> {
        abuse_reasons(result, &[Some(record), None])
    }

    /// Whether the player of the first seat gains nothing because their account is new.
    fn is_new_winner(result: &GameResult, record: &PlayerRecord) -> bool {
        assert!(reasons(result, record).is_empty(), "the game counts for the others");
        new_account_winners(result, &[Some(record), None]).contains(&0)
    }

    /// Adds a rated game that leaves the rating as it is.
    fn add_rated(record: &mut PlayerRecord, result: &GameResult) {
        let rating: Rating = record.rating;
        record.add_game(result, 0, Some(rating));
    }

    #[test]
    fn the_sixth_game_of_a_pair_in_a_chat_is_casual_until_tomorrow() {
        let mut record = newcomer();
        let mut result = won();
        for _ in 0..5 {
            assert!(reasons(&result, &record).is_empty());
            add_rated(&mut record, &result);
        }
        assert_eq!(reasons(&result, &record), [CasualReason::PairLimit]);
        result.chat = "tg:-6".to_owned();
        assert!(reasons(&result, &record).is_empty());
        result.chat = "tg:-5".to_owned();
        result.ended_ms += 24 * HOUR_MS;
        assert!(reasons(&result, &record).is_empty());
    }

    #[test]
    fn games_with_computers_have_no_pair_limit() {
        let mut record = newcomer();
        let mut result = won();
        seat_computer(&mut result, 1, "easy");
        result.opening.clear();
        for _ in 0..12 {
            add_rated(&mut record, &result);
        }
        assert!(reasons(&result, &record).is_empty());
        assert!(!is_everywhere_limit_reached(&result, &[Some(record), None]));
    }

    #[test]
    fn a_larger_table_has_a_limit_when_all_pairs_of_opponents_have_played_enough() {
        let race = game(&[("a", 2), ("b", 1), ("c", 0)]);
        let mut partners = game(&[("a", 2), ("b", 1), ("c", 2), ("d", 1)]);
        partners.partners = true;
        for result in [race, partners] {
            let mut records = vec![newcomer(); result.seats.len()];
            let all = |it: &[PlayerRecord]| it.iter().cloned().map(Some).collect::<Vec<_>>();
            for number in 0..MAX_PAIR_GAMES_EVERYWHERE {
                assert_eq!(is_pair_limit_reached(&result, &all(&records)), number >= 5);
                assert!(!is_everywhere_limit_reached(&result, &all(&records)));
                for (seat, record) in records.iter_mut().enumerate() {
                    let rating = record.rating;
                    record.add_game(&result, seat, Some(rating));
                }
            }
            assert!(is_everywhere_limit_reached(&result, &all(&records)));
            // One other person makes new pairs.
            let mut other = result.clone();
            other.seats[1].person = PersonId("e".to_owned());
            records[1] = newcomer();
            assert!(!is_pair_limit_reached(&other, &all(&records)));
        }
    }

    #[test]
    fn a_new_account_gains_nothing_by_a_win_in_a_few_steps() {
        let mut result = won();
        result.seats[0].known_since_ms = Some(START_MS - HOUR_MS);
        result.steps = 9;
        let record = newcomer();
        assert!(is_new_winner(&result, &record));
        result.steps = 10;
        assert!(!is_new_winner(&result, &record));
        result.ended_ms = result.started_ms + 89_000;
        result.steps = 39;
        assert!(is_new_winner(&result, &record));
        result.steps = 40;
        assert!(!is_new_winner(&result, &record));
    }

    #[test]
    fn the_limits_for_new_accounts_fall_with_their_games() {
        let mut record = newcomer();
        (0..5).for_each(|_| add_rated(&mut record, &game(&[("a", 1), ("c", 0)])));
        let mut result = won();
        result.seats[0].known_since_ms = Some(START_MS - HOUR_MS);
        result.ended_ms = result.started_ms + 59_000;
        result.steps = 20;
        assert!(!is_new_winner(&result, &record));
        result.steps = 19;
        assert!(is_new_winner(&result, &record));
    }

    #[test]
    fn old_accounts_losers_and_wins_over_computers_are_free_of_that_limit() {
        let record = newcomer();
        let mut result = won();
        result.steps = 3;
        assert!(!is_new_winner(&result, &record));
        result.seats[0].known_since_ms = None;
        assert!(is_new_winner(&result, &record));
        let mut lost = result.clone();
        lost.seats[1].score = 5;
        lost.seats[0].score = 0;
        assert!(!is_new_winner(&lost, &record));
        seat_computer(&mut result, 1, "easy");
        assert!(!is_new_winner(&result, &record));
    }

    #[test]
    fn an_account_of_unknown_age_is_as_old_as_its_first_game() {
        let mut record = newcomer();
        let mut result = won();
        result.seats[0].known_since_ms = None;
        add_rated(&mut record, &result);
        result.steps = 3;
        result.ended_ms += NEW_ACCOUNT_MS - 1;
        assert!(is_new_winner(&result, &record));
        result.ended_ms += 1;
        assert!(!is_new_winner(&result, &record));
    }

    #[test]
    fn only_very_short_games_depend_on_the_age_of_accounts() {
        let mut result = won();
        assert!(!depends_on_account_age(&result));
        result.steps = 9;
        assert!(depends_on_account_age(&result));
        result.steps = 39;
        assert!(!depends_on_account_age(&result));
        result.ended_ms = result.started_ms + 89_999;
        assert!(depends_on_account_age(&result));
        result.steps = 40;
        assert!(!depends_on_account_age(&result));
    }

    #[test]
    fn repeating_a_win_against_a_computer_is_casual() {
        let mut record = newcomer();
        let mut result = won();
        seat_computer(&mut result, 1, "easy");
        add_rated(&mut record, &result);
        let mut other = result.clone();
        // Neither other wins nor games that do not count make it count again.
        for n in 1..MAX_COMPUTER_WINS {
            assert_eq!(reasons(&result, &record), [CasualReason::Farming], "{n}");
            record.add_game(&result, 0, None);
            other.opening = format!("{} {n}", result.opening);
            assert!(reasons(&other, &record).is_empty(), "{n}");
            add_rated(&mut record, &other);
        }
        assert_eq!(reasons(&result, &record), [CasualReason::Farming]);
        other.opening.push_str(" 9");
        add_rated(&mut record, &other);
        assert!(reasons(&result, &record).is_empty());
    }

    #[test]
    fn a_loss_to_a_computer_counts_also_when_it_is_repeated() {
        let mut record = newcomer();
        let mut result = won();
        seat_computer(&mut result, 1, "easy");
        result.seats[1].score = 2;
        for _ in 0..3 {
            assert!(reasons(&result, &record).is_empty());
            add_rated(&mut record, &result);
        }
    }

    #[test]
    fn the_same_opening_with_another_winner_or_person_is_no_farming() {
        let mut record = newcomer();
        let mut result = won();
        add_rated(&mut record, &result);
        assert!(reasons(&result, &record).is_empty());
        seat_computer(&mut result, 1, "easy");
        add_rated(&mut record, &result);
        result.seats[1].score = 2;
        assert!(reasons(&result, &record).is_empty());
        seat_computer(&mut result, 1, "strong");
        result.seats[1].score = 0;
        assert!(reasons(&result, &record).is_empty());
    }

    /// The warnings of games with these scores and steps, a quarter of an hour apart.
    fn warnings(games: &[(i32, u32)], step_ms: u64) -> Vec<Option<(AbuseKind, WarningLevel)>> {
        let mut record = newcomer();
        let mut at_ms = START_MS;
        let mut add = |(score, steps): &(i32, u32)| {
            let mut result = game(&[("a", *score), ("b", 1)]);
            at_ms += step_ms;
            (result.ended_ms, result.steps) = (at_ms, *steps);
            add_rated(&mut record, &result);
            short_game_warning(&record)
        };
        games.iter().map(&mut add).collect()
    }

    #[test]
    fn short_losses_lead_to_a_warning_and_then_to_a_report() {
        let warning = Some((AbuseKind::Sandbagging, WarningLevel::Warning));
        let report = Some((AbuseKind::Sandbagging, WarningLevel::Report));
        let found = warnings(&[(0, 8), (0, 8), (2, 90), (0, 5), (0, 9), (0, 8), (0, 2)], 60_000);
        assert_eq!(found, [None, None, None, warning, None, report, None]);
        let slow = warnings(&[(0, 8); 4], 2 * HOUR_MS);
        assert_eq!(slow, [None; 4]);
    }

    #[test]
    fn short_wins_against_one_person_count_as_boosting() {
        let found = warnings(&[(2, 8); 4], 60_000);
        assert_eq!(found[2], Some((AbuseKind::Boosting, WarningLevel::Warning)));
        assert_eq!(found[3], Some((AbuseKind::Boosting, WarningLevel::Report)));
        assert_eq!(warnings(&[(1, 2); 5], 60_000), [None; 5]);
    }

    #[test]
    fn short_casual_games_cause_no_warning() {
        let mut record = newcomer();
        let mut result = game(&[("a", 0), ("b", 1)]);
        result.steps = 2;
        (0..5).for_each(|_| record.add_game(&result, 0, None));
        assert_eq!(short_game_warning(&record), None);
    }

    #[test]
    fn many_aborted_games_lead_to_growing_pauses() {
        let mut record = newcomer();
        let mut result = won();
        let mut minutes = Vec::new();
        for _ in 0..9 {
            result.ended_ms += MINUTE_MS;
            record.add_abort(&result, 0);
            if let Some(pause) = pause_after(&record) {
                result.ended_ms = pause.until_ms;
                record.pause = Some(pause);
                minutes.push(pause.minutes);
            }
        }
        assert_eq!(minutes, [10, 22, 48, 105]);
    }

    #[test]
    fn a_pause_is_forgotten_after_72_hours_and_never_longer_than_3_days() {
        let pause = PlayPause { count: 9, minutes: 4000, until_ms: START_MS };
        assert_eq!(lengthened_minutes(pause, START_MS + 36 * HOUR_MS), 6400);
        assert_eq!(lengthened_minutes(pause, START_MS + 72 * HOUR_MS), 0);
        let mut record = newcomer();
        record.pause = Some(pause);
        let result = won();
        (0..3).for_each(|_| record.add_abort(&result, 0));
        assert_eq!(pause_after(&record).unwrap().minutes, MAX_PAUSE_MINUTES);
    }

    fn lost_on_time() -> GameResult {
        let mut late = game(&[("a", 0), ("b", 1)]);
        late.end_reason = "late".to_owned();
        late.seat_at_fault = Some(0);
        late
    }

    #[test]
    fn few_bad_endings_among_fair_ones_cause_no_pause() {
        let mut record = newcomer();
        for number in 0..30 {
            let result = if number % 4 == 0 { lost_on_time() } else { won() };
            add_rated(&mut record, &result);
            assert_eq!(pause_after(&record), None);
        }
    }

    #[test]
    fn casual_games_neither_accuse_nor_excuse_anybody() {
        let mut record = newcomer();
        (0..12).for_each(|_| record.add_game(&lost_on_time(), 0, None));
        assert!(record.recent.is_empty() && !has_bad_endings(&record));
        let mut easy = won();
        seat_computer(&mut easy, 1, "easy");
        for number in 1..=6 {
            record.add_abort(&won(), 0);
            assert_eq!(has_bad_endings(&record), number >= 3);
            assert_eq!(pause_after(&record).is_some(), number >= 6);
            (0..2).for_each(|_| record.add_game(&easy, 0, None));
        }
    }

    /// The numbers of the manual.
    #[test]
    fn four_of_ten_games_lost_on_time_or_five_of_twelve_lead_to_a_pause() {
        for (bad, games) in [(4, 10), (5, 12)] {
            let mut record = newcomer();
            (0..games - bad).for_each(|_| add_rated(&mut record, &won()));
            for number in 1..=bad {
                assert!(pause_after(&record).is_none());
                assert_eq!(has_bad_endings(&record), number == bad, "{number} of {games}");
                add_rated(&mut record, &lost_on_time());
            }
            assert!(pause_after(&record).is_some());
            let mut fewer = newcomer();
            (0..games - bad).for_each(|_| add_rated(&mut fewer, &won()));
            (1..bad).for_each(|_| add_rated(&mut fewer, &lost_on_time()));
            add_rated(&mut fewer, &won());
            assert!(pause_after(&fewer).is_none());
        }
    }
}
