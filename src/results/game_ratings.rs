//! Computes the ratings of all seats after one game.
//!
//! Games of partners are rated round by round. A game that ended by resignation or on time counts
//! as one more round, lost by the side with the lower score: the round that was not finished. A
//! game of partners without rounds counts as one round.

use crate::game_result::{GameOutcome, GameResult};
use crate::gaussian::GaussianRating;
use crate::glicko::{GameWeight, GlickoRating};
use crate::plackett_luce::rate_race;
use crate::rating::Rating;
use crate::rating_list::RatingSystem;
use crate::weng_lin::rate_round;

/// The ratings of all seats after a rated game. Those of computers stay as they are, and a player
/// for whom a computer has played gains nothing.
pub(crate) fn next_ratings(
    result: &GameResult,
    system: RatingSystem,
    before: &[Rating],
) -> Vec<Rating> {
    let has_computer = result.seats.iter().any(|it| it.is_computer);
    let weight = if has_computer { GameWeight::Half } else { GameWeight::Full };
    let after = match system {
        RatingSystem::Glicko2 => next_glicko(result, before, weight),
        RatingSystem::WengLin => next_gaussian(result, before, weight, &team_rounds(result)),
        RatingSystem::PlackettLuce => next_gaussian(result, before, weight, &[None]),
    };
    let mut after = after.unwrap_or_else(|| before.to_vec());
    for ((player, before), after) in result.seats.iter().zip(before).zip(&mut after) {
        if player.is_absent && after.points() > before.points() {
            *after = *before;
        }
    }
    after
}

fn next_glicko(result: &GameResult, before: &[Rating], weight: GameWeight) -> Option<Vec<Rating>> {
    let &[Rating::Glicko(one), Rating::Glicko(other)] = before else { return None };
    let next = |seat: usize, own: GlickoRating, other: GlickoRating| {
        let after = own.after_game(other, result.outcome(seat), weight);
        Rating::Glicko(if result.seats[seat].is_computer { own } else { after })
    };
    Some(vec![next(0, one, other), next(1, other, one)])
}

/// Applies rounds one by one: those of teams have the outcome for seats 0 and 2, `None` is a race
/// for the final scores.
fn next_gaussian(
    result: &GameResult,
    before: &[Rating],
    weight: GameWeight,
    rounds: &[Option<GameOutcome>],
) -> Option<Vec<Rating>> {
    let gaussian = |it: &Rating| match it {
        Rating::Gaussian(rating) => Some(*rating),
        Rating::Glicko(_) => None,
    };
    let mut ratings: Vec<GaussianRating> = before.iter().map(gaussian).collect::<Option<_>>()?;
    let scores: Vec<i32> = result.seats.iter().map(|it| it.score).collect();
    for round in rounds {
        let full = match (round, &ratings[..]) {
            (Some(outcome), &[a, b, c, d]) => {
                let ([a, c], [b, d]) = rate_round([a, c], [b, d], *outcome);
                vec![a, b, c, d]
            }
            (Some(_), _) => return None,
            (None, racers) => rate_race(racers, &scores),
        };
        for (seat, rating) in ratings.iter_mut().enumerate() {
            if !result.seats[seat].is_computer {
                *rating = rating.weighted(full[seat], weight);
            }
        }
    }
    Some(ratings.into_iter().map(Rating::Gaussian).collect())
}

/// The outcomes of all rounds for the team of seats 0 and 2.
fn team_rounds(result: &GameResult) -> Vec<Option<GameOutcome>> {
    let outcome = |points: &Vec<i32>| {
        let team = |first: usize| -> i64 {
            points.iter().skip(first).step_by(2).map(|it| i64::from(*it)).sum()
        };
        Some(GameOutcome::of_scores(team(0), team(1)))
    };
    let mut rounds: Vec<_> = result.rounds.iter().map(outcome).collect();
    if result.is_forfeit() || rounds.is_empty() {
        rounds.push(Some(result.outcome(0)));
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::partners;

    #[test]
    fn resigning_counts_as_one_more_lost_round() {
        let mut result = partners([0, 1]);
        result.rounds = vec![vec![5, 1, 5, 1]];
        let even = team_rounds(&result);
        assert_eq!(even, [Some(GameOutcome::Win)]);
        for code in ["resigned", "late"] {
            result.end_reason = code.to_owned();
            assert_eq!(team_rounds(&result), [Some(GameOutcome::Win), Some(GameOutcome::Loss)]);
        }
        result.rounds.clear();
        assert_eq!(team_rounds(&result), [Some(GameOutcome::Loss)]);
        result.end_reason = "done".to_owned();
        assert_eq!(team_rounds(&result), [Some(GameOutcome::Loss)]);
    }
}
