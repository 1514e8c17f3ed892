//! Rates rounds between two teams of two with the Weng-Lin method (Bradley-Terry, full pairs).
//!
//! Source: algorithm 1 of the paper in [`gaussian`](crate::gaussian). A team is as strong as its
//! players together; an uncertain player takes the larger part of the team's change.

use crate::game_result::GameOutcome;
use crate::gaussian::{BETA, GaussianRating};

/// The ratings of both teams after one round; `outcome` is that of team `one`. The values have no
/// floor and are not rounded; [`rate_result`](crate::rate::rate_result) does that.
pub fn rate_round(
    one: [GaussianRating; 2],
    other: [GaussianRating; 2],
    outcome: GameOutcome,
) -> ([GaussianRating; 2], [GaussianRating; 2]) {
    (rate_team(one, other, outcome), rate_team(other, one, outcome.reversed()))
}

fn rate_team(
    own: [GaussianRating; 2],
    other: [GaussianRating; 2],
    outcome: GameOutcome,
) -> [GaussianRating; 2] {
    let (mu, variance) = strength(own);
    let (other_mu, other_variance) = strength(other);
    let spread = (variance + other_variance + 2.0 * BETA * BETA).sqrt();
    let expected = 1.0 / (1.0 + ((other_mu - mu) / spread).exp());
    let shift = variance / spread * (outcome.points() - expected);
    let damping = variance.sqrt() / spread;
    let shrinkage = damping * variance / (spread * spread) * expected * (1.0 - expected);
    own.map(|it| {
        let share = it.drifted_variance() / variance;
        it.moved(share * shift, share * shrinkage)
    })
}

/// Mean and variance of a team.
fn strength(team: [GaussianRating; 2]) -> (f64, f64) {
    let [one, other] = team;
    (one.mu + other.mu, one.drifted_variance() + other.drifted_variance())
}

#[cfg(test)]
mod tests {
    use skillratings::Outcomes;
    use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_two_teams};

    use super::*;
    use crate::gaussian::{START_SIGMA, TAU};
    use crate::test_data::TestRandom;

    fn rating(mu: f64, sigma: f64) -> GaussianRating {
        GaussianRating { mu, sigma }
    }

    fn assert_ratings(found: &[GaussianRating], expected: &[(f64, f64)]) {
        assert_eq!(found.len(), expected.len());
        for (it, (mu, sigma)) in found.iter().zip(expected) {
            assert!((it.mu - mu).abs() < 1e-9, "mu {} is not {mu}", it.mu);
            assert!((it.sigma - sigma).abs() < 1e-9, "sigma {} is not {sigma}", it.sigma);
        }
    }

    /// The values are those of `BradleyTerryFull` in openskill.py 6.2.0 with its defaults.
    #[test]
    fn rounds_of_newcomers_agree_with_openskill() {
        let new = [rating(25.0, START_SIGMA); 2];
        let (won, lost) = rate_round(new, new, GameOutcome::Win);
        assert_ratings(&won, &[(26.9642946218, 8.17796260439); 2]);
        assert_ratings(&lost, &[(23.0357053782, 8.17796260439); 2]);
    }

    /// The values are those of `BradleyTerryFull` in openskill.py 6.2.0 with its defaults.
    #[test]
    fn rounds_of_unequal_players_agree_with_openskill() {
        let one = [rating(31.5, 4.0), rating(24.25, 6.5)];
        let other = [rating(18.0, 8.0), rating(27.0, 2.5)];
        let sigmas = [3.97612537009, 6.39385912874, 7.78082691316, 2.49475988271];
        let cases = [
            (GameOutcome::Win, [31.87740411346, 25.24631411297, 16.49087474458, 26.8524767435]),
            (GameOutcome::Draw, [31.25100397219, 23.59267209145, 18.99566003832, 27.09732990068]),
            (GameOutcome::Loss, [30.62460383092, 21.93903006992, 21.50044533205, 27.34218305785]),
        ];
        for (outcome, means) in cases {
            let (first, second) = rate_round(one, other, outcome);
            let expected: Vec<_> = means.into_iter().zip(sigmas).collect();
            assert_ratings(&[first, second].concat(), &expected);
        }
    }

    #[test]
    fn random_rounds_agree_with_a_second_implementation() {
        let mut random = TestRandom(5);
        let peer = |it: &GaussianRating| WengLinRating {
            rating: it.mu,
            // The other implementation adds no uncertainty by itself.
            uncertainty: (it.sigma * it.sigma + TAU * TAU).sqrt(),
        };
        for _ in 0..2000 {
            let teams: [[GaussianRating; 2]; 2] = [(); 2].map(|()| {
                [(); 2].map(|()| rating(random.between(5.0, 45.0), random.between(1.0, 8.4)))
            });
            let (outcome, theirs) = match random.below(3) {
                0 => (GameOutcome::Win, Outcomes::WIN),
                1 => (GameOutcome::Draw, Outcomes::DRAW),
                _ => (GameOutcome::Loss, Outcomes::LOSS),
            };
            let [one, other] = teams;
            let (first, second) = rate_round(one, other, outcome);
            let config = WengLinConfig { beta: BETA, uncertainty_tolerance: 0.0001 };
            let (expected, expected_other) = weng_lin_two_teams(
                &one.map(|it| peer(&it)),
                &other.map(|it| peer(&it)),
                &theirs,
                &config,
            );
            let expected: Vec<_> = expected.iter().chain(&expected_other).collect();
            let expected: Vec<_> = expected.iter().map(|it| (it.rating, it.uncertainty)).collect();
            assert_ratings(&[first, second].concat(), &expected);
        }
    }

    #[test]
    fn the_uncertain_partner_takes_the_larger_part() {
        let one = [rating(25.0, 2.0), rating(25.0, 8.0)];
        let (won, _) = rate_round(one, [rating(25.0, 4.0); 2], GameOutcome::Win);
        assert!(won[1].mu - 25.0 > 10.0 * (won[0].mu - 25.0));
        assert!(won[0].mu > 25.0);
    }
}
