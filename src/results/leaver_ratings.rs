//! Rates the people who gave up their seats: leaving must not be better than losing.

use std::collections::BTreeSet;

use crate::casual_reason::CasualReason;
use crate::game_ratings::next_ratings;
use crate::game_result::GameResult;
use crate::rate::{
    RecordChange, ScopeRecords, computer_ratings, pair_limits, ratings_before, reasons_in_scope,
    record_change,
};
use crate::rating::Rating;
use crate::rating_list::{RatingList, RatingSystem};

/// The losses of people who gave up their seats: leaving must not be better than losing. Only what
/// the table itself knew before they left can make such a loss casual, the limit for the games of a
/// pair, and that another player had given up the seat before. Partners lose what they had lost
/// until then, and one more round.
pub(crate) fn leaver_changes(
    result: &GameResult,
    scopes: &[ScopeRecords],
    list: &RatingList,
    computer_rating: &dyn Fn(&str) -> Option<Rating>,
) -> Vec<RecordChange> {
    let system = list.system();
    let mut changes = Vec::new();
    let leavers = result.leavers.iter().enumerate();
    for (at, leaver) in leavers.filter(|(at, _)| result.counts_for_leaver(*at)) {
        let seat = usize::from(leaver.seat);
        let Some(lost) = result.as_lost_by(leaver) else { continue };
        let computers = computer_ratings(&lost, Some(list), computer_rating);
        let of_lost = |records: &ScopeRecords| {
            let mut seated = match result.is_race() {
                true => records.with_leavers_seated(result),
                false => records.clone(),
            };
            seated.by_seat.resize(result.seats.len(), None);
            seated.by_seat[seat] = records.leavers.get(at).cloned().flatten();
            seated
        };
        let mut scopes: Vec<ScopeRecords> = scopes.iter().map(of_lost).collect();
        let mut reasons: BTreeSet<CasualReason> = lost.casual.iter().copied().collect();
        reasons.extend(pair_limits(&lost, &scopes));
        reasons.extend((!result.is_first_of_seat(at)).then_some(CasualReason::Substitute));
        for records in &mut scopes {
            let reasons = reasons_in_scope(reasons.iter().copied(), &records.scope);
            let rating = match reasons.is_empty() {
                true => {
                    let before = ratings_before(&lost, records, system, &computers);
                    Ok(rating_of_leaver(&lost, seat, system, &before))
                }
                false => Err(reasons),
            };
            changes.extend(record_change(&lost, records, seat, rating, system));
        }
    }
    changes
}

/// The rating of a leaver after their loss: that of all its rounds, or of the last one alone if
/// that is lower. Nobody gains by leaving when they are ahead.
fn rating_of_leaver(
    lost: &GameResult,
    seat: usize,
    system: RatingSystem,
    before: &[Rating],
) -> Rating {
    let last = GameResult { rounds: Vec::new(), ..lost.clone() };
    let [all, last] = [lost, &last].map(|it| next_ratings(it, system, before)[seat]);
    if all.points() < last.points() { all } else { last }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use caravanserai_games::ids::PersonId;

    use super::*;
    use crate::abuse_checks::{AbuseKind, AbuseWarning, WarningLevel};
    use crate::game_result::{GameOutcome, Leaver, SeatResult};
    use crate::gaussian::GaussianRating;
    use crate::glicko::{GameWeight, GlickoRating};
    use crate::player_record::PlayerRecord;
    use crate::rate::{RatedResult, rate_result};
    use crate::rating_scope::RatingScope;
    use crate::test_data::{
        MINUTE_MS, changes, game, gaussian_computer, glicko_computer, newcomers, no_computer,
        partners, rate_newcomers, seat_computer,
    };
    #[test]
    fn leaving_a_computer_costs_half_of_a_loss() {
        let mut result = game(&[("a", 1), ("b", 0)]);
        seat_computer(&mut result, 1, "strong");
        seat_computer(&mut result, 0, "strong");
        result.casual = vec![CasualReason::Substitute];
        let person = PersonId("a".to_owned());
        let name = "A".to_owned();
        let casual = Vec::new();
        let leaver = Leaver { name, casual, ..Leaver::new(0, person) };
        result.leavers.push(leaver);
        let rated = rate_result(&result, &mut newcomers(), &glicko_computer);
        let Some(Rating::Glicko(computer)) = glicko_computer("strong") else { panic!("glicko") };
        let half = GlickoRating::NEW.after_game(computer, GameOutcome::Loss, GameWeight::Half);
        assert_eq!(changes(&rated), [half.rating.round() as i32 - 1500]);
    }

    /// A race in which these seats were given up, in this order; computers play there.
    fn race_with_leavers(scores: [i32; 4], left: &[usize]) -> GameResult {
        let people = ["a", "b", "c", "d"];
        let mut result = game(&[0, 1, 2, 3].map(|it| (people[it], scores[it])));
        for &seat in left {
            let SeatResult { person, name, .. } = result.seats[seat].clone();
            let casual = Vec::new();
            result.leavers.push(Leaver { name, casual, ..Leaver::new(seat as u8, person) });
            seat_computer(&mut result, seat, "strong");
        }
        result
    }

    #[test]
    fn leaving_a_race_costs_as_much_as_the_last_places_and_gives_the_others_theirs() {
        let played = rate_newcomers(&game(&[("a", 9), ("b", 5), ("c", 1), ("d", 2)]));
        // The computers have played better than all people. "c" left first.
        let left = rate_newcomers(&race_with_leavers([2, 1, 8, 9], &[2, 3]));
        assert!(left.is_rated(), "{:?}", left.reasons);
        assert_eq!(points_by_person(&left), points_by_person(&played));
        assert_eq!(left.changes.len(), 4);
        assert!(left.changes.iter().all(|it| it.after.rated_games == 1));
        let opponents = |it: &RecordChange| it.after.pairs.len();
        assert!(left.changes.iter().all(|it| opponents(it) == 3));
    }

    #[test]
    fn the_first_of_those_who_are_rated_has_won() {
        // A computer at a seat that was given up has finished before all people.
        let mut result = race_with_leavers([2, 1, 8, 9], &[2, 3]);
        result.chat.clear();
        let rated = rate_newcomers(&result);
        let first = &rated.changes[0];
        assert!(first.rating_change > 0);
        assert_eq!((first.after.wins, first.after.losses, first.after.streak), (1, 0, 1));
        assert_eq!(first.after.recent[0].outcome, Some(GameOutcome::Win));
        assert_eq!(rated.changes[1].after.losses, 1);
        assert_eq!(rated.milestone(&result).map(|it| it.seat), Some(0), "it is the first win");
        assert_eq!(result.outcome_in_record(0), GameOutcome::Win);
        // A person who has taken the seat over has won the game that they played there.
        let mut taken = result;
        taken.seats[3].person = PersonId("e".to_owned());
        (taken.seats[3].is_computer, taken.seats[3].level) = (false, None);
        let rated = rate_newcomers(&taken);
        let newcomer = rated.changes.iter().find(|it| it.person.0 == "e").unwrap();
        assert_eq!((newcomer.after.wins, newcomer.after.rated_games), (1, 0));
    }

    #[test]
    fn a_newcomer_at_a_seat_that_was_given_up_is_not_rated() {
        let mut result = race_with_leavers([2, 1, 8, 0], &[2]);
        result.seats[2].person = PersonId("e".to_owned());
        (result.seats[2].is_computer, result.seats[2].level) = (false, None);
        let rated = rate_newcomers(&result);
        assert!(rated.is_rated());
        let newcomer = rated.changes.iter().find(|it| it.person.0 == "e").unwrap();
        assert_eq!((newcomer.after.games, newcomer.after.rated_games), (1, 0));
        assert_eq!(newcomer.casual, [CasualReason::Substitute]);
        let leaver = rated.changes.iter().find(|it| it.person.0 == "c").unwrap();
        assert_eq!((leaver.after.losses, leaver.after.rated_games), (1, 1));
    }

    fn add_leaver(result: &mut GameResult, seat: u8, person: &str) {
        let (person, name) = (PersonId(person.to_owned()), person.to_uppercase());
        result.leavers.push(Leaver { name, ..Leaver::new(seat, person) });
    }

    fn points_by_person(rated: &RatedResult) -> BTreeMap<&str, i32> {
        rated.changes.iter().map(|it| (it.person.0.as_str(), it.rating_change)).collect()
    }

    /// Otherwise a strong friend could take the seat of an absent player and resign it, and the
    /// others would be rated against the friend.
    #[test]
    fn a_seat_that_was_given_up_twice_counts_for_its_first_player() {
        let mut scopes = newcomers();
        scopes[0].by_seat = vec![None; 4];
        let once = race_with_leavers([2, 1, 8, 0], &[2]);
        let mut twice = once.clone();
        add_leaver(&mut twice, 2, "n");
        let mut strong = PlayerRecord::new(RatingSystem::PlackettLuce);
        strong.rating = Rating::Gaussian(GaussianRating { mu: 40.0, sigma: 2.0 });
        strong.rated_games = 9;
        scopes[0].leavers = vec![None, Some(Arc::new(strong))];
        let [once, twice] =
            [once, twice].map(|it| rate_result(&it, &mut scopes.clone(), &no_computer));
        let mut expected = points_by_person(&once);
        expected.insert("n", 0);
        assert_eq!(points_by_person(&twice), expected);
        let friend = twice.changes.iter().find(|it| it.person.0 == "n").unwrap();
        assert_eq!((friend.after.losses, friend.after.rated_games), (1, 9));
        assert_eq!(friend.casual, [CasualReason::Substitute]);
    }

    /// Otherwise a player could make the game unrated for those who stay.
    #[test]
    fn a_player_who_gives_up_two_seats_is_rated_in_the_first() {
        let once = race_with_leavers([2, 1, 8, 0], &[2, 3]);
        let mut twice = once.clone();
        // The second seat is that of the absent "d", who is the leaver of it already.
        add_leaver(&mut twice, 3, "c");
        let [once, twice] = [once, twice].map(|it| rate_newcomers(&it));
        assert!(twice.is_rated(), "{:?}", twice.reasons);
        assert_eq!(points_by_person(&twice), points_by_person(&once));
        assert_eq!(twice.changes.len(), 4);
    }

    #[test]
    fn a_player_who_gave_up_a_seat_and_plays_on_at_another_has_lost() {
        let mut result = race_with_leavers([2, 1, 8, 9], &[2, 3]);
        let expected = rate_newcomers(&result);
        result.seats[3].person = PersonId("c".to_owned());
        (result.seats[3].is_computer, result.seats[3].level) = (false, None);
        let rated = rate_newcomers(&result);
        assert_eq!(points_by_person(&rated), points_by_person(&expected));
        assert_eq!(rated.changes.len(), 4);
    }

    #[test]
    fn leavers_of_a_casual_race_have_lost_in_full() {
        let mut result = race_with_leavers([2, 1, 8, 9], &[2, 3]);
        let lost = rate_newcomers(&result).changes;
        let lost: Vec<i32> = lost.iter().skip(2).map(|it| it.rating_change).collect();
        result.casual = vec![CasualReason::Substitute];
        let rated = rate_newcomers(&result);
        assert_eq!(changes(&rated)[2..], lost);
        let is_casual = |it: &RecordChange| !it.casual.is_empty();
        let casual: Vec<bool> = rated.changes.iter().map(is_casual).collect();
        assert_eq!(casual, [true, true, false, false]);
        result.leavers[1].casual = vec![CasualReason::Substitute];
        assert_eq!(changes(&rate_newcomers(&result)), [0, 0, lost[0], 0]);
    }

    #[test]
    fn the_limit_of_a_pair_holds_for_those_who_leave() {
        let result = race_with_leavers([2, 1, 8, 9], &[2, 3]);
        let mut scopes = newcomers();
        scopes[0].by_seat = vec![None; 4];
        scopes[0].leavers = vec![None; 2];
        for number in 0..6 {
            let rated = rate_result(&result, &mut scopes, &no_computer);
            assert_eq!(rated.is_rated(), number < 5);
            for change in rated.changes {
                assert_eq!(change.after.rated_games, (number + 1).min(5));
                match result.leavers.iter().position(|it| it.person == change.person) {
                    Some(at) => scopes[0].leavers[at] = Some(change.after),
                    None => scopes[0].by_seat[usize::from(change.seat)] = Some(change.after),
                }
            }
        }
    }

    /// The change of a partner who gave up their seat after so many of nine rounds, in which their
    /// side had these points and the others those. A computer played on.
    fn change_of_partner_who_left(left_after: u32, points: [i32; 2]) -> i32 {
        let [own, other] = points;
        let mut result = partners(points);
        result.rounds = vec![vec![own, other, own, other]; 9];
        let SeatResult { person, name, .. } = result.seats[0].clone();
        let leaver = Leaver { name, rounds: left_after, ..Leaver::new(0, person) };
        seat_computer(&mut result, 0, "strong");
        result.casual = vec![CasualReason::Substitute];
        result.leavers.push(leaver);
        let rated = rate_newcomers(&result);
        let found = rated.changes.iter().find(|it| it.person == result.leavers[0].person);
        found.expect("the leaver has a record").rating_change
    }

    #[test]
    fn a_partner_who_leaves_loses_all_that_was_lost_before() {
        let resigned = |rounds: usize| {
            let mut result = partners([1, 5]);
            result.rounds = vec![vec![1, 5, 1, 5]; rounds];
            result.end_reason = "resigned".to_owned();
            changes(&rate_newcomers(&result))[0]
        };
        assert!(resigned(8) < resigned(0) && resigned(0) < 0);
        for left_after in [0, 3, 8] {
            let found = change_of_partner_who_left(left_after, [1, 5]);
            assert_eq!(found, resigned(left_after as usize), "{left_after}");
        }
        // Nobody gains by leaving when they are ahead.
        assert_eq!(change_of_partner_who_left(8, [5, 1]), resigned(0));
    }

    #[test]
    fn leaving_games_of_three_after_a_few_steps_is_reported_and_still_rated() {
        let mut record: Option<Arc<PlayerRecord>> = None;
        let mut result = game(&[("a", 3), ("b", 2), ("computer", 1)]);
        seat_computer(&mut result, 2, "strong");
        let person = PersonId("c".to_owned());
        result.leavers.push(Leaver { steps: Some(6), ..Leaver::new(2, person.clone()) });
        let mut levels = Vec::new();
        for _ in 0..4 {
            result.ended_ms += MINUTE_MS;
            let by_seat = vec![None; 3];
            let leavers = vec![record.take()];
            let mut scopes = [ScopeRecords { scope: RatingScope::OVERALL, by_seat, leavers }];
            let rated = rate_result(&result, &mut scopes, &gaussian_computer);
            levels.push(rated.warnings);
            record = rated.changes.into_iter().find(|it| it.person == person).map(|it| it.after);
        }
        assert_eq!(record.map(|it| it.rated_games), Some(4));
        let warning = |level| {
            let kind = AbuseKind::Sandbagging;
            vec![AbuseWarning { seat: 2, person: person.clone(), kind, level }]
        };
        let [warned, reported] = [WarningLevel::Warning, WarningLevel::Report].map(warning);
        assert_eq!(levels, [vec![], vec![], warned, reported]);
    }
}
