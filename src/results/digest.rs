//! Selects what people like to read about the games of their chat in one week.
//!
//! All statements are positive, and follow from the games of this chat alone. Players whose
//! accounts were deleted are counted and never named.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use caravanserai_games::ids::PersonId;

use crate::game_result::{GameOutcome, GameResult, SeatResult};
use crate::milestone::{Milestone, SeatMilestone};
use crate::rating_list::RatingList;

/// The shortest series of wins in a digest.
pub const STREAK_MIN: u32 = 3;

/// The most milestones in a digest.
pub const MILESTONES_MAX: usize = 2;

/// The fewest players in a week whose digest names who has played most.
const PLAYERS_MIN: usize = 3;

/// The fewest games of the person who has played most.
const MOST_GAMES_MIN: u32 = 2;

/// The most people who are named because they have played equally often.
const MOST_NAMES_MAX: usize = 3;

/// A game is close if both scores differ by at most one of so many points.
const CLOSE_PARTS: i64 = 20;

/// A finished game, with the persons that its accounts belong to now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeekGame {
    /// The result.
    pub result: GameResult,
    /// The changes of ratings that are certain after the game, by seat, in displayed points.
    pub changes: Vec<(u8, i32)>,
    /// The same for the people who gave up seats: each the first one of this seat.
    pub leaver_changes: Vec<(u8, i32)>,
    /// The milestone that the winner has reached by it.
    pub milestone: Option<SeatMilestone>,
}

/// The summary of the games of a chat in one week.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WeekDigest {
    /// The number of games by the code of the game, the most played first.
    pub games: Vec<(String, u32)>,
    /// The number of people who played.
    pub players: usize,
    /// The people who played most, and how many games each of them.
    pub most: Option<(Vec<String>, u32)>,
    /// The biggest gain of rating points.
    pub gain: Option<WeekGain>,
    /// The longest series of wins against people, and whose it is.
    pub streak: Option<(String, u32)>,
    /// The closest game.
    pub closest: Option<CloseGame>,
    /// The milestones that were reached, the rarest first.
    pub milestones: Vec<WeekMilestone>,
}

/// Rating points that a person has gained in one list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeekGain {
    /// The displayed name of the person.
    pub name: String,
    /// The list.
    pub list: RatingList,
    /// The points.
    pub points: i32,
}

/// A game in which both sides had nearly the same score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloseGame {
    /// The code of the game.
    pub game: String,
    /// The displayed names and the score of each side, the winners first.
    pub sides: [(Vec<String>, i32); 2],
}

/// A milestone with the game in which it was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeekMilestone {
    /// The list of the game.
    pub list: RatingList,
    /// The milestone, and the seat that reached it.
    pub reached: SeatMilestone,
    /// The seats of the game.
    pub seats: Vec<SeatResult>,
}

impl CloseGame {
    /// The difference between both scores.
    fn margin(&self) -> i64 {
        i64::from(self.sides[0].1) - i64::from(self.sides[1].1)
    }

    /// The sum of both scores.
    fn total(&self) -> i64 {
        i64::from(self.sides[0].1) + i64::from(self.sides[1].1)
    }
}

/// The week of one person.
#[derive(Default)]
struct PersonWeek {
    /// The displayed name in their last game.
    name: String,
    games: u32,
    /// The present and the longest series of wins.
    streak: u32,
    best_streak: u32,
    /// Points by list.
    points: BTreeMap<RatingList, i32>,
}

impl WeekDigest {
    /// The digest of these games, in any order; `None` if none of them counts.
    pub fn of_games(games: &[WeekGame]) -> Option<WeekDigest> {
        let mut counted: Vec<&WeekGame> = games.iter().filter(|it| counts(&it.result)).collect();
        counted.sort_by(|one, other| one.result.order_key().cmp(&other.result.order_key()));
        if counted.is_empty() {
            return None;
        }
        let mut people: BTreeMap<&PersonId, PersonWeek> = BTreeMap::new();
        let mut by_code: BTreeMap<&str, u32> = BTreeMap::new();
        for game in &counted {
            *by_code.entry(&game.result.game).or_default() += 1;
            add_game(&mut people, game);
        }
        let mut games: Vec<(String, u32)> =
            by_code.into_iter().map(|(code, count)| (code.to_owned(), count)).collect();
        games.sort_by_key(|(_, count)| Reverse(*count));
        let players = people.len();
        people.retain(|person, _| !person.is_deleted());
        let streak = best_streak(&people);
        let named_streak =
            |(person, wins): (&PersonId, u32)| Some((people.get(person)?.name.clone(), wins));
        let milestones = milestones(&counted, streak.map(|(person, _)| person));
        Some(WeekDigest {
            games,
            players,
            most: most_active(&people, players),
            gain: best_gain(&people),
            streak: streak.and_then(named_streak),
            closest: closest_game(&counted),
            milestones,
        })
    }
}

/// Whether a game has a result that a person has played for.
fn counts(result: &GameResult) -> bool {
    !result.is_aborted() && people_of(result).next().is_some()
}

/// The people who played, those included who left, with their names.
fn people_of(result: &GameResult) -> impl Iterator<Item = (&PersonId, &str)> {
    let seats = result.seats.iter().filter(|it| !it.is_computer);
    let seats = seats.map(|it| (&it.person, it.name.as_str()));
    seats.chain(result.leavers.iter().map(|it| (&it.person, it.name.as_str())))
}

fn add_game<'a>(people: &mut BTreeMap<&'a PersonId, PersonWeek>, game: &'a WeekGame) {
    let result = &game.result;
    let mut seen: BTreeSet<&PersonId> = BTreeSet::new();
    for (person, name) in people_of(result) {
        let week = people.entry(person).or_default();
        if !name.is_empty() {
            name.clone_into(&mut week.name);
        }
        if !seen.insert(person) {
            continue;
        }
        week.games += 1;
        match outcome_against_people(result, person) {
            Some(GameOutcome::Win) => week.streak += 1,
            Some(GameOutcome::Draw | GameOutcome::Loss) => week.streak = 0,
            None => {}
        }
        week.best_streak = week.best_streak.max(week.streak);
    }
    let Some(list) = RatingList::for_result(result) else { return };
    let of_players = game.changes.iter().filter_map(|(seat, points)| {
        let player = result.seats.get(usize::from(*seat)).filter(|it| !it.is_computer)?;
        Some((&player.person, points))
    });
    let of_leavers = game
        .leaver_changes
        .iter()
        .filter_map(|(seat, points)| Some((&result.first_leaver(*seat)?.person, points)));
    for (person, points) in of_players.chain(of_leavers) {
        if let Some(week) = people.get_mut(person) {
            *week.points.entry(list.clone()).or_default() += points;
        }
    }
}

/// The result for a person; `None` if they played against nobody else, or on several seats.
fn outcome_against_people(result: &GameResult, person: &PersonId) -> Option<GameOutcome> {
    if result.leavers.iter().any(|it| it.person == *person) {
        return Some(GameOutcome::Loss);
    }
    let mut own = (0..result.seats.len()).filter(|it| result.seats[*it].person == *person);
    let (seat, None) = (own.next()?, own.next()) else { return None };
    let seen = result.as_seen_from(seat);
    let has_opponent = seen.opponents(seat).any(|it| !it.is_computer);
    has_opponent.then(|| seen.outcome(seat))
}

/// The people who played most, if that says something about a group.
fn most_active(
    people: &BTreeMap<&PersonId, PersonWeek>,
    players: usize,
) -> Option<(Vec<String>, u32)> {
    let most = people.values().map(|it| it.games).max()?;
    let names: Vec<String> =
        people.values().filter(|it| it.games == most).map(|it| it.name.clone()).collect();
    let says_something =
        players >= PLAYERS_MIN && most >= MOST_GAMES_MIN && names.len() <= MOST_NAMES_MAX;
    (says_something && names.len() < players).then_some((names, most))
}

fn best_gain(people: &BTreeMap<&PersonId, PersonWeek>) -> Option<WeekGain> {
    let points = |week: &PersonWeek| {
        let gain = |(list, points): (&RatingList, &i32)| WeekGain {
            name: week.name.clone(),
            list: list.clone(),
            points: *points,
        };
        week.points.iter().map(gain).collect::<Vec<_>>()
    };
    let gains = people.values().flat_map(points).filter(|it| it.points > 0);
    gains.min_by_key(|it| Reverse(it.points))
}

fn best_streak<'a>(people: &BTreeMap<&'a PersonId, PersonWeek>) -> Option<(&'a PersonId, u32)> {
    let streaks = people.iter().map(|(person, week)| (*person, week.best_streak));
    let best = streaks.min_by_key(|(_, wins)| Reverse(*wins))?;
    (best.1 >= STREAK_MIN).then_some(best)
}

/// The close game with the smallest difference between its scores, in relation to their sum.
fn closest_game(games: &[&WeekGame]) -> Option<CloseGame> {
    let close = games.iter().filter_map(|it| close_game(&it.result));
    close.min_by_key(|it| it.margin() * 1_000_000 / it.total())
}

/// A game as a close one: two sides of people who can be named have played it to its end, and a
/// few points decided.
fn close_game(result: &GameResult) -> Option<CloseGame> {
    let is_two_sided = matches!((result.partners, result.seats.len()), (false, 2) | (true, 4));
    let is_played = !result.is_forfeit() && result.seat_at_fault.is_none();
    let people: BTreeSet<&PersonId> = people_of(result).map(|(person, _)| person).collect();
    let are_people = people.len() == result.seats.len()
        && result.leavers.is_empty()
        && people.iter().all(|it| !it.is_deleted());
    if !is_two_sided || !is_played || !are_people {
        return None;
    }
    let side = |first: usize| -> Option<(Vec<String>, i32)> {
        let score = result.seats[first].score;
        let own = || (first..result.seats.len()).step_by(2).map(|it| &result.seats[it]);
        let is_shared = own().all(|it| it.score == score);
        is_shared.then(|| (own().map(|it| it.name.clone()).collect(), score))
    };
    let mut sides = [side(0)?, side(1)?];
    sides.sort_by_key(|(_, score)| Reverse(*score));
    let game = CloseGame { game: result.game.clone(), sides };
    let is_close = game.margin() > 0 && game.margin() * CLOSE_PARTS <= game.total();
    (is_close && game.sides[1].1 > 0).then_some(game)
}

/// The rarest milestones. `streak_of`: the person whose series of wins has a line of its own.
fn milestones(games: &[&WeekGame], streak_of: Option<&PersonId>) -> Vec<WeekMilestone> {
    // The last one of a kind says more than the ones before it.
    let mut last: BTreeMap<(u8, &PersonId, RatingList), (Reverse<i64>, WeekMilestone)> =
        BTreeMap::new();
    for game in games {
        let Some((reached, list)) = game.milestone.zip(RatingList::for_result(&game.result)) else {
            continue;
        };
        let seats = &game.result.seats;
        let Some(player) = seats.get(usize::from(reached.seat)) else { continue };
        let (kind, number) = rank(reached.milestone);
        let has_own_line = kind == STREAK_RANK && streak_of == Some(&player.person);
        if has_own_line || player.is_computer || player.person.is_deleted() {
            continue;
        }
        let found = WeekMilestone { list: list.clone(), reached, seats: seats.clone() };
        last.insert((kind, &player.person, list), (Reverse(number), found));
    }
    let mut found: Vec<(u8, (Reverse<i64>, WeekMilestone))> =
        last.into_iter().map(|((kind, ..), it)| (kind, it)).collect();
    found.sort_by_key(|(kind, (number, _))| (*kind, *number));
    found.into_iter().take(MILESTONES_MAX).map(|(_, (_, it))| it).collect()
}

/// The place of [`Milestone::Streak`] among the kinds.
const STREAK_RANK: u8 = 3;

/// The place of a milestone among the kinds, the rarest first, and its size.
fn rank(milestone: Milestone) -> (u8, i64) {
    match milestone {
        Milestone::WinAfterLosses { losses, .. } => (0, i64::from(losses)),
        Milestone::BestRating(rating) => (1, i64::from(rating)),
        Milestone::FirstWin => (2, 0),
        Milestone::Streak(wins) => (STREAK_RANK, i64::from(wins)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::casual_reason::CasualReason;
    use crate::game_result::Leaver;
    use crate::test_data::{MINUTE_MS, game, seat_computer};

    /// These games, one after the other.
    fn week(games: &[GameResult]) -> Vec<WeekGame> {
        let week_game = |(n, result): (u64, &GameResult)| {
            let mut result = result.clone();
            result.ended_ms += n * 60 * MINUTE_MS;
            WeekGame { result, changes: Vec::new(), leaver_changes: Vec::new(), milestone: None }
        };
        (0..).zip(games).map(week_game).collect()
    }

    fn digest(games: &[GameResult]) -> WeekDigest {
        WeekDigest::of_games(&week(games)).expect("there are games")
    }

    fn won(winner: &str, loser: &str) -> GameResult {
        game(&[(winner, 91), (loser, 71)])
    }

    fn deleted() -> String {
        PersonId::deleted("abcdefgh").0
    }

    #[test]
    fn games_are_counted_by_kind_and_people_once() {
        let mut other = won("a", "c");
        other.game = "other".to_owned();
        let digest = digest(&[other, won("a", "b"), won("b", "a")]);
        assert_eq!(digest.games, [("togyz".to_owned(), 2), ("other".to_owned(), 1)]);
        assert_eq!(digest.players, 3);
    }

    #[test]
    fn a_week_without_games_of_people_has_no_digest() {
        assert_eq!(WeekDigest::of_games(&[]), None);
        let mut aborted = won("a", "b");
        aborted.casual = vec![CasualReason::Aborted];
        let mut computers = won("", "");
        seat_computer(&mut computers, 0, "easy");
        seat_computer(&mut computers, 1, "hard");
        assert_eq!(WeekDigest::of_games(&week(&[aborted, computers])), None);
    }

    #[test]
    fn the_most_active_player_is_named_in_groups_of_three_or_more() {
        assert_eq!(digest(&[won("a", "b"), won("a", "b")]).most, None, "there are only two");
        assert_eq!(digest(&[won("a", "b"), won("c", "d")]).most, None, "all played once");
        let most = digest(&[won("a", "b"), won("a", "c")]).most;
        assert_eq!(most, Some((vec!["A".to_owned()], 2)));
        let both = digest(&[won("a", "b"), won("a", "b"), won("c", "d")]).most;
        assert_eq!(both, Some((vec!["A".to_owned(), "B".to_owned()], 2)));
    }

    #[test]
    fn a_series_of_wins_counts_games_against_people_only() {
        let wins = [won("a", "b"), won("a", "b"), won("a", "c")];
        assert_eq!(digest(&wins).streak, Some(("A".to_owned(), 3)));
        assert_eq!(digest(&wins[1..]).streak, None, "two are no series");
        let mut computer = won("", "a");
        seat_computer(&mut computer, 0, "hard");
        let mut between = wins.to_vec();
        between.insert(1, computer);
        assert_eq!(digest(&between).streak, Some(("A".to_owned(), 3)));
        between.insert(1, won("b", "a"));
        assert_eq!(digest(&between).streak, None, "a loss ends it");
        let mut easy = won("a", "");
        seat_computer(&mut easy, 1, "beginner");
        assert_eq!(digest(&vec![easy; 3]).streak, None);
    }

    #[test]
    fn leaving_a_game_counts_as_a_loss() {
        let mut left = won("b", "c");
        let leaver = |person: &str| {
            let name = person.to_uppercase();
            Leaver { name, ..Leaver::new(0, PersonId(person.to_owned())) }
        };
        left.leavers.push(leaver("a"));
        let digest = digest(&[won("a", "b"), won("a", "b"), left, won("a", "b")]);
        assert_eq!((digest.players, digest.streak), (3, None));
        assert_eq!(digest.most, Some((vec!["A".to_owned(), "B".to_owned()], 4)));
    }

    #[test]
    fn the_first_of_those_who_stay_has_won_in_a_series() {
        let mut race = game(&[("a", 1), ("", 2), ("c", 0)]);
        seat_computer(&mut race, 1, "hard");
        let person = PersonId("b".to_owned());
        let name = "B".to_owned();
        race.leavers.push(Leaver { name, ..Leaver::new(1, person) });
        assert_eq!(digest(&vec![race; 3]).streak, Some(("A".to_owned(), 3)));
    }

    #[test]
    fn the_biggest_gain_adds_up_the_games_of_one_list() {
        let mut games = week(&[won("a", "b"), won("b", "a"), won("a", "b")]);
        games[0].changes = vec![(0, 10), (1, -10)];
        games[1].changes = vec![(0, 12), (1, -12)];
        games[2].changes = vec![(0, 9)];
        let gain = WeekDigest::of_games(&games).and_then(|it| it.gain).expect("there is a gain");
        assert_eq!((gain.name.as_str(), gain.points), ("A", 7));
        games[2].changes.clear();
        let gain = WeekDigest::of_games(&games).and_then(|it| it.gain).expect("there is a gain");
        assert_eq!((gain.name.as_str(), gain.points), ("B", 2));
        games.pop();
        games[1].result.game = "other".to_owned();
        let gain = WeekDigest::of_games(&games).and_then(|it| it.gain).expect("there is a gain");
        assert_eq!((gain.points, gain.list.game()), (12, "other"), "each list for itself");
    }

    #[test]
    fn a_loss_by_leaving_lowers_a_gain() {
        let mut games = week(&[won("a", "b"), won("b", "c"), won("d", "e")]);
        games[0].changes = vec![(0, 30)];
        games[2].changes = vec![(0, 20)];
        let gain = |games: &[WeekGame]| WeekDigest::of_games(games).and_then(|it| it.gain);
        assert_eq!(gain(&games).map(|it| (it.name, it.points)), Some(("A".to_owned(), 30)));
        for (person, name) in [("a", "A"), ("f", "F")] {
            let person = PersonId(person.to_owned());
            let name = name.to_owned();
            let leaver = Leaver { name, ..Leaver::new(1, person) };
            games[1].result.leavers.push(leaver);
        }
        games[1].leaver_changes = vec![(1, -25)];
        assert_eq!(gain(&games).map(|it| (it.name, it.points)), Some(("D".to_owned(), 20)));
    }

    #[test]
    fn a_loss_is_no_gain() {
        let mut games = week(&[won("a", "b")]);
        games[0].changes = vec![(1, -10)];
        assert_eq!(WeekDigest::of_games(&games).and_then(|it| it.gain), None);
    }

    #[test]
    fn the_closest_game_was_won_by_a_few_points() {
        let closest = |games: &[GameResult]| digest(games).closest;
        let close = game(&[("a", 84), ("b", 78)]);
        let closer = game(&[("a", 80), ("b", 82)]);
        let found = closest(&[won("a", "b"), close.clone(), closer.clone()]).expect("it is close");
        assert_eq!(found.sides, [(vec!["B".to_owned()], 82), (vec!["A".to_owned()], 80)]);
        assert_eq!(closest(&[won("a", "b"), game(&[("a", 81), ("b", 81)])]), None);
        let mut resigned = closer.clone();
        resigned.end_reason = "resigned".to_owned();
        let mut computer = closer;
        seat_computer(&mut computer, 1, "hard");
        assert_eq!(closest(&[resigned, computer]), None);
        let mut pairs = game(&[("a", 301), ("b", 290), ("c", 301), ("d", 290)]);
        pairs.partners = true;
        let found = closest(&[pairs]).expect("it is close");
        assert_eq!(found.sides[0], (vec!["A".to_owned(), "C".to_owned()], 301));
    }

    #[test]
    fn the_rarest_milestones_are_told_and_the_last_of_a_kind() {
        let mut games = week(&[won("a", "b"), won("a", "c"), won("d", "a"), won("b", "a")]);
        let reached = |milestone| Some(SeatMilestone { milestone, seat: 0 });
        games[0].milestone = reached(Milestone::BestRating(1600));
        games[1].milestone = reached(Milestone::BestRating(1610));
        games[2].milestone = reached(Milestone::FirstWin);
        games[3].milestone = reached(Milestone::WinAfterLosses { opponent: 1, losses: 4 });
        let digest = WeekDigest::of_games(&games).expect("there are games");
        let told: Vec<Milestone> =
            digest.milestones.iter().map(|it| it.reached.milestone).collect();
        let expected = Milestone::WinAfterLosses { opponent: 1, losses: 4 };
        assert_eq!(told, [expected, Milestone::BestRating(1610)]);
    }

    #[test]
    fn a_series_that_is_told_is_no_milestone_as_well() {
        let mut games = week(&vec![won("a", "b"); 5]);
        let streak = Milestone::Streak(5);
        games[4].milestone = Some(SeatMilestone { milestone: streak, seat: 0 });
        let digest = WeekDigest::of_games(&games).expect("there are games");
        assert_eq!((digest.streak, digest.milestones), (Some(("A".to_owned(), 5)), Vec::new()));
    }

    #[test]
    fn a_deleted_player_is_counted_and_never_named() {
        let gone = deleted();
        let mut games = week(&vec![game(&[(&gone, 82), ("b", 80)]); 3]);
        games.extend(week(&[won("c", "d")]));
        for game in &mut games {
            game.changes = vec![(0, 20)];
            game.milestone = Some(SeatMilestone { milestone: Milestone::FirstWin, seat: 0 });
        }
        games[3].milestone = None;
        let digest = WeekDigest::of_games(&games).expect("there are games");
        assert_eq!(digest.players, 4);
        assert!(!format!("{digest:?}").contains(&gone));
        assert_eq!((digest.streak, digest.closest), (None, None));
        assert_eq!(digest.most, Some((vec!["B".to_owned()], 3)));
        assert_eq!(digest.gain.map(|it| it.name), Some("C".to_owned()));
        assert_eq!(digest.milestones, []);
    }

    #[test]
    fn a_person_has_the_name_of_their_last_game() {
        let mut renamed = won("a", "b");
        renamed.seats[0].name = "Anna".to_owned();
        let digest = digest(&[won("a", "b"), won("a", "b"), renamed]);
        assert_eq!(digest.streak, Some(("Anna".to_owned(), 3)));
    }
}
