//! Rates games of three or more single players with the Plackett-Luce method.
//!
//! Source: algorithm 4 of the paper in [`gaussian`](crate::gaussian). A game is read as a race: the
//! first place is chosen among all, the second among the others, and so on. Comparing all pairs
//! instead would count one race as several games.

use crate::gaussian::{BETA, GaussianRating};

/// The ratings after a game with these scores by player: the highest is first, equal scores share a
/// place. Several who share the last place behind others have no order among each other: the game
/// ended before they had one, so only the places before them count. To read that as a draw would
/// give points to a weak player who loses to strong ones. The values have no floor and are not
/// rounded; [`rate_result`](crate::rate::rate_result) does that. Players without a score keep their
/// rating.
pub fn rate_race(players: &[GaussianRating], scores: &[i32]) -> Vec<GaussianRating> {
    let racers: Vec<(GaussianRating, i32)> =
        players.iter().copied().zip(scores.iter().copied()).collect();
    let spread: f64 = racers.iter().map(|it| it.0.drifted_variance() + BETA * BETA).sum();
    let spread = spread.sqrt();
    let strengths: Vec<f64> = racers.iter().map(|it| (it.0.mu / spread).exp()).collect();
    // For each player: the strength of all who were still in the race for that place, and the
    // number of players who share the place.
    let places: Vec<(f64, f64)> = racers
        .iter()
        .map(|(_, score)| {
            let behind = racers.iter().zip(&strengths).filter(|it| it.0.1 <= *score);
            let shared = racers.iter().filter(|it| it.1 == *score).count();
            (behind.map(|it| it.1).sum(), shared as f64)
        })
        .collect();
    let last = racers.iter().map(|it| it.1).min();
    let is_unordered = |place: usize| {
        let shared = places[place].1 as usize;
        Some(racers[place].1) == last && shared > 1 && shared < racers.len()
    };
    let after = racers.iter().enumerate().map(|(at, (player, score))| {
        let mut surprise = 0.0;
        let mut information = 0.0;
        for (place, (total, shared)) in places.iter().enumerate() {
            if racers[place].1 >= *score && !is_unordered(place) {
                let chance = strengths[at] / total;
                let won = if place == at { 1.0 } else { 0.0 };
                surprise += (won - chance) / shared;
                information += chance * (1.0 - chance) / shared;
            }
        }
        let variance = player.drifted_variance();
        let damping = variance.sqrt() / spread;
        let shrinkage = damping * variance / (spread * spread) * information;
        player.moved(variance / spread * surprise, shrinkage)
    });
    after.chain(players.iter().skip(racers.len()).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gaussian::START_SIGMA;

    fn mixed() -> [GaussianRating; 4] {
        [(31.5, 4.0), (24.25, 6.5), (18.0, 8.0), (27.0, 2.5)]
            .map(|(mu, sigma)| GaussianRating { mu, sigma })
    }

    fn assert_race(players: &[GaussianRating], scores: &[i32], expected: &[(f64, f64)]) {
        let found = rate_race(players, scores);
        assert_eq!(found.len(), expected.len());
        for (it, (mu, sigma)) in found.iter().zip(expected) {
            assert!((it.mu - mu).abs() < 1e-9, "mu {} is not {mu}", it.mu);
            assert!((it.sigma - sigma).abs() < 1e-9, "sigma {} is not {sigma}", it.sigma);
        }
    }

    /// The values are those of `PlackettLuce` in openskill.py 6.2.0 with its defaults.
    #[test]
    fn races_of_newcomers_agree_with_openskill() {
        let new = [GaussianRating { mu: 25.0, sigma: START_SIGMA }; 4];
        let three = [
            (27.86904868075, 8.2052433774),
            (25.71726217019, 8.0582242228),
            (21.41368914906, 8.0582242228),
        ];
        assert_race(&new[..3], &[3, 2, 1], &three);
        let four = [
            (27.7952526725, 8.26357179126),
            (26.55291815139, 8.17961798837),
            (24.68941636972, 8.08412788017),
            (20.96241280639, 8.08412788017),
        ];
        assert_race(&new, &[3, 2, 1, 0], &four);
    }

    /// The values are those of `PlackettLuce` in openskill.py 6.2.0 with its defaults.
    #[test]
    fn races_of_unequal_players_agree_with_openskill() {
        let expected = [
            (30.85547660085, 3.96935216684),
            (26.59049306962, 6.44517327826),
            (15.26992643063, 7.64668679473),
            (27.17225884684, 2.49842061268),
        ];
        assert_race(&mixed(), &[1, 3, 0, 2], &expected);
    }

    /// The values are those of `PlackettLuce` in openskill.py 6.2.0 with its defaults.
    #[test]
    fn shared_places_agree_with_openskill() {
        let middle = [
            (32.21733901182, 3.99013945274),
            (24.03772262816, 6.37120398747),
            (18.60958004921, 7.78002904663),
            (26.69144252827, 2.49828907429),
        ];
        assert_race(&mixed(), &[3, 2, 2, 0], &middle);
        let top = [
            (30.87423339031, 3.98694670791),
            (24.89612029728, 6.41887722351),
            (19.52356821546, 7.8647395489),
        ];
        assert_race(&mixed()[..3], &[0, 7, 7], &top);
        let all = [
            (31.27831679771, 3.98694670791),
            (24.36274773025, 6.41887722351),
            (18.71566436167, 7.8647395489),
        ];
        assert_race(&mixed()[..3], &[1, 1, 1], &all);
    }

    /// The values follow from the formula of the first place alone.
    #[test]
    fn losers_of_a_race_that_ended_with_the_first_place_never_gain() {
        let rating = |mu| GaussianRating { mu, sigma: 2.0 };
        let players = [18.0, 30.0, 30.0, 30.0].map(rating);
        let after = rate_race(&players, &[0, 1, 0, 0]);
        assert!(after[0].mu < 18.0 && after[2].mu < 30.0, "{after:?}");
        assert_eq!(after[2], after[3]);
        let sum = |all: &[GaussianRating]| all.iter().map(|it| it.mu).sum::<f64>();
        assert!((sum(&after) - sum(&players)).abs() < 1e-9);
        // With an order, those behind the first place are compared, too.
        let ordered = rate_race(&players, &[0, 3, 2, 1]);
        assert!(ordered[2].mu > ordered[3].mu);
    }

    #[test]
    fn a_better_place_never_gives_a_lower_mean() {
        let players = mixed();
        for seat in 0..4 {
            let means: Vec<f64> = (0..4)
                .map(|place| {
                    let mut scores = [10, 20, 30, 40];
                    scores[seat] = 5 + 10 * place;
                    rate_race(&players, &scores)[seat].mu
                })
                .collect();
            assert!(means.windows(2).all(|it| it[0] <= it[1] + 1e-12), "{means:?}");
        }
    }
}
