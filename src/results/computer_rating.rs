//! Gives the fixed ratings of computers.
//!
//! Each game has them in a file, which is part of the program: see
//! [`computer_ratings`](caravanserai_games::computer_ratings). They were measured under the
//! standard rules of the game, so they apply only under these rules.
//!
//! A rating never changes by games with people. Its deviation is the smallest that a list has:
//! strength and effort of a computer are always the same.

use caravanserai_games::GameId;
use caravanserai_games::computer_ratings::read_ratings;
use caravanserai_games::search::ComputerLevel;

use crate::game_result::GameResult;
use crate::gaussian::{BETA, GaussianRating, MIN_SIGMA, START_MU, TAU};
use crate::glicko::{GlickoRating, MIN_DEVIATION};
use crate::rating::{POINTS_PER_MU, Rating};
use crate::rating_list::{RatingList, RatingSystem};

/// The fixed rating of a computer level in games of this list by these house rules. `None` if it
/// was not measured there.
pub fn computer_rating(list: &RatingList, options: &str, level: ComputerLevel) -> Option<Rating> {
    let game = GameId::from_code(list.game())?;
    let is_standard = game.info().switch_values(options)?.iter().all(|it| *it == 0);
    let mut ratings = read_ratings(game.computer_ratings()).filter(|_| is_standard);
    let found = ratings.find(|it| it.list == list.suffix() && it.level == level)?;
    Some(rating_of_points(list.system(), found.points))
}

/// The displayed rating of a computer level in games with so many seats by these house rules, if it
/// has one there.
pub fn displayed_computer_rating(
    game: GameId,
    options: &str,
    (seats, partners): (u8, bool),
    level: ComputerLevel,
) -> Option<i32> {
    let list = RatingList::for_seats(game.info().code, seats.into(), partners)?;
    computer_rating(&list, options, level).map(|it| it.displayed())
}

/// The fixed rating of a computer level, by its code, in the list of a result.
pub fn computer_rating_in(result: &GameResult, level: &str) -> Option<Rating> {
    computer_rating(&RatingList::for_result(result)?, &result.options, ComputerLevel::read(level)?)
}

/// The rating that is displayed as these points, with the deviation of computers.
fn rating_of_points(system: RatingSystem, points: i32) -> Rating {
    let newcomer = Rating::newcomer(system);
    let above = f64::from(points - newcomer.displayed());
    match newcomer {
        Rating::Glicko(it) => Rating::Glicko(GlickoRating {
            rating: it.rating + above,
            deviation: MIN_DEVIATION,
            ..it
        }),
        Rating::Gaussian(_) => Rating::Gaussian(GaussianRating {
            mu: START_MU + above / POINTS_PER_MU,
            sigma: MIN_SIGMA,
        }),
    }
}

/// How many displayed points of each player make the odds of a computer against others `e` times as
/// high, by the model of this system with so many seats: in pairs both partners are stronger.
pub fn computer_points_per_logit(system: RatingSystem, seats: usize) -> f64 {
    let variance = MIN_SIGMA * MIN_SIGMA + TAU * TAU;
    match system {
        RatingSystem::Glicko2 => 400.0 / std::f64::consts::LN_10,
        RatingSystem::WengLin => POINTS_PER_MU * (4.0 * variance + 2.0 * BETA * BETA).sqrt() / 2.0,
        RatingSystem::PlackettLuce => {
            POINTS_PER_MU * (seats as f64 * (variance + BETA * BETA)).sqrt()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_result::GameOutcome;
    use crate::plackett_luce::rate_race;
    use crate::weng_lin::rate_round;

    fn computer(mu: f64) -> GaussianRating {
        GaussianRating { mu, sigma: MIN_SIGMA }
    }

    /// The units of mu at which the odds are these to 1, with four seats.
    fn mu_of_odds(odds: f64, system: RatingSystem) -> f64 {
        odds.ln() * computer_points_per_logit(system, 4) / POINTS_PER_MU
    }

    #[test]
    fn pairs_that_win_three_rounds_of_four_keep_their_ratings() {
        let strong = [computer(START_MU + mu_of_odds(3.0, RatingSystem::WengLin)); 2];
        let shift = |outcome| rate_round(strong, [computer(START_MU); 2], outcome).0[0].mu;
        let mean = 0.75 * shift(GameOutcome::Win) + 0.25 * shift(GameOutcome::Loss);
        assert!((mean - strong[0].mu).abs() < 1e-9);
    }

    /// Odds of 2 to 1 against each of three others are 2 to 3 against all.
    #[test]
    fn two_wins_in_five_races_at_odds_of_two_keep_the_rating() {
        let mu = START_MU + mu_of_odds(2.0, RatingSystem::PlackettLuce);
        let mut racers = [computer(START_MU); 4];
        racers[0] = computer(mu);
        let [win, loss] = [[1, 0, 0, 0], [0, 1, 0, 0]].map(|it| rate_race(&racers, &it)[0].mu);
        let mean = (2.0 * win + 3.0 * loss) / 5.0;
        assert!((mean - mu).abs() < 1e-9, "{mean} is not {mu}");
    }

    #[test]
    fn points_of_all_systems_are_displayed_as_they_are() {
        for system in RatingSystem::ALL {
            for points in [900, 1500, 2345] {
                let rating = rating_of_points(system, points);
                assert_eq!(rating.displayed(), points);
                assert!(rating.fits(system) && !rating.is_provisional());
            }
        }
    }

    /// A game without measured ratings has none at all.
    #[test]
    fn all_lists_of_a_game_with_ratings_have_one_for_each_level() {
        for game in GameId::all().iter().filter(|it| !it.computer_ratings().is_empty()) {
            let info = game.info();
            let options = info.default_options();
            for seats in info.seats.range() {
                let partners = game.start_match(&options, seats).unwrap().has_partners();
                let list = RatingList::for_seats(info.code, seats.into(), partners).unwrap();
                for level in ComputerLevel::ALL {
                    let rating = computer_rating(&list, &options, level);
                    assert!(rating.is_some_and(|it| it.fits(list.system())), "{list:?} {level:?}");
                }
            }
        }
    }

    #[test]
    fn ratings_apply_by_standard_rules_only() {
        for game in GameId::all() {
            let info = game.info();
            let seats = info.seats.fewest;
            let list = RatingList::for_seats(info.code, seats.into(), info.partners).unwrap();
            for switch in info.switches {
                let setting = format!("{}={}", switch.name, switch.values[1]);
                let options = info.set_switch(&info.default_options(), &setting).unwrap();
                assert_eq!(
                    computer_rating(&list, &options, ComputerLevel::Easy),
                    None,
                    "{options}"
                );
            }
            assert_eq!(computer_rating(&list, "no such rules", ComputerLevel::Easy), None);
        }
    }
}
