//! Rates games of two players with Glicko-2, in the form and with the constants of lichess.
//!
//! Ratings change after each game. Playing does not increase the deviation; time does: 0.21436
//! rating periods a day, counted in fractions. The method is Mark Glickman's ("Example of the
//! Glicko-2 system", 2013); the constants and limits are those of lichess.

use std::f64::consts::PI;

use caravanserai_games::time_units::DAY_MS;
use serde::{Deserialize, Serialize};

use crate::fixed_point::{self, round_to_step};
use crate::game_result::GameOutcome;

/// Rating of a newcomer.
pub const START_RATING: f64 = 1500.0;
/// Deviation of a newcomer.
pub const START_DEVIATION: f64 = 500.0;
/// Volatility of a newcomer.
pub const START_VOLATILITY: f64 = 0.09;
/// The lowest rating.
pub const MIN_RATING: f64 = 400.0;
/// The lowest deviation: ratings of regular players can still move.
pub const MIN_DEVIATION: f64 = 45.0;
/// The highest deviation.
pub const MAX_DEVIATION: f64 = 500.0;
/// The highest volatility: ratings above it might never settle.
pub const MAX_VOLATILITY: f64 = 0.1;
/// The most points that one game can give or take.
pub const MAX_CHANGE: f64 = 700.0;
/// Rating periods in a day. An ordinary player's deviation grows from 60 to 110 in a year.
pub const PERIODS_PER_DAY: f64 = 0.21436;

/// How fast volatility changes.
const TAU: f64 = 0.75;
/// Points of the displayed scale in one unit of the internal scale.
const SCALE: f64 = 173.7178;
/// Accuracy of the logarithm of the squared volatility.
const TOLERANCE: f64 = 0.000_001;
/// Far more steps than the iteration ever needs.
const MAX_ITERATIONS: u32 = 1000;

/// The estimated strength of one player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GlickoRating {
    /// The expected strength, in points.
    #[serde(rename = "r", with = "fixed_point")]
    pub rating: f64,
    /// The uncertainty of the rating, in points: one standard deviation.
    #[serde(rename = "d", with = "fixed_point")]
    pub deviation: f64,
    /// How much the strength fluctuates.
    #[serde(rename = "v", with = "fixed_point")]
    pub volatility: f64,
}

/// How much of its usual effect a game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameWeight {
    /// Among people.
    Full,
    /// A computer with a fixed rating plays: all changes are halved.
    Half,
}

impl GameWeight {
    /// The value between `before` and `after` that a game with this weight leads to.
    pub(crate) fn blend(self, before: f64, after: f64) -> f64 {
        match self {
            GameWeight::Full => after,
            GameWeight::Half => (before + after) / 2.0,
        }
    }
}

impl GlickoRating {
    /// A newcomer.
    pub const NEW: GlickoRating = GlickoRating {
        rating: START_RATING,
        deviation: START_DEVIATION,
        volatility: START_VOLATILITY,
    };

    /// The rating after a time without games: only the deviation grows (step 6 of the paper).
    pub fn after_idle(self, idle_ms: u64) -> Self {
        let periods = idle_ms as f64 / DAY_MS as f64 * PERIODS_PER_DAY;
        let deviation = grow(self.deviation / SCALE, self.volatility, periods) * SCALE;
        Self { deviation: deviation.min(MAX_DEVIATION), ..self }
    }

    /// The rating after one game against this opponent. Idle time is added before, with
    /// [`GlickoRating::after_idle`], to both players.
    pub fn after_game(self, opponent: Self, outcome: GameOutcome, weight: GameWeight) -> Self {
        let full = update(self, &[(opponent, outcome.points())], 0.0, TAU);
        let change = (full.rating - self.rating).clamp(-MAX_CHANGE, MAX_CHANGE);
        let blended = Self {
            rating: weight.blend(self.rating, self.rating + change),
            deviation: weight.blend(self.deviation, full.deviation),
            volatility: weight.blend(self.volatility, full.volatility),
        };
        blended.within_limits()
    }

    fn within_limits(self) -> Self {
        Self {
            rating: round_to_step(self.rating.max(MIN_RATING)),
            deviation: round_to_step(self.deviation.clamp(MIN_DEVIATION, MAX_DEVIATION)),
            volatility: round_to_step(self.volatility.min(MAX_VOLATILITY)),
        }
    }
}

/// Steps 2 to 8 of the paper, without limits: the rating after these games, each with its points,
/// in a time of so many rating periods.
fn update(
    player: GlickoRating,
    games: &[(GlickoRating, f64)],
    periods: f64,
    tau: f64,
) -> GlickoRating {
    let mean = (player.rating - START_RATING) / SCALE;
    let deviation = player.deviation / SCALE;
    let mut precision = 0.0;
    let mut surprise = 0.0;
    for (opponent, points) in games {
        let weight = deviation_weight(opponent.deviation / SCALE);
        let distance = mean - (opponent.rating - START_RATING) / SCALE;
        let expected = 1.0 / (1.0 + (-weight * distance).exp());
        precision += weight * weight * expected * (1.0 - expected);
        surprise += weight * (points - expected);
    }
    let variance = 1.0 / precision;
    let shift = variance * surprise;
    let volatility = next_volatility(player.volatility, deviation, variance, shift, tau);
    let idle = grow(deviation, volatility, periods);
    let next_deviation = 1.0 / (1.0 / (idle * idle) + precision).sqrt();
    GlickoRating {
        rating: (mean + next_deviation * next_deviation * surprise) * SCALE + START_RATING,
        deviation: next_deviation * SCALE,
        volatility,
    }
}

/// Step 6: the deviation after so many periods, in internal units.
fn grow(deviation: f64, volatility: f64, periods: f64) -> f64 {
    (deviation * deviation + periods * volatility * volatility).sqrt()
}

/// The function g of step 3: results against uncertain opponents say less.
fn deviation_weight(deviation: f64) -> f64 {
    1.0 / (1.0 + 3.0 * deviation * deviation / (PI * PI)).sqrt()
}

/// Step 5: the volatility that fits the surprise, by the Illinois algorithm. A search that does not
/// end leaves the volatility as it is.
fn next_volatility(volatility: f64, deviation: f64, variance: f64, shift: f64, tau: f64) -> f64 {
    let start = (volatility * volatility).ln();
    let spread = deviation * deviation + variance;
    let slope = |x: f64| {
        let grown = spread + x.exp();
        x.exp() * (shift * shift - grown) / (2.0 * grown * grown) - (x - start) / (tau * tau)
    };
    let mut low = start;
    let mut high = if shift * shift > spread {
        (shift * shift - spread).ln()
    } else {
        let steps = (1..MAX_ITERATIONS).map(|it| start - f64::from(it) * tau);
        match steps.into_iter().find(|it| slope(*it) >= 0.0) {
            Some(found) => found,
            None => return volatility,
        }
    };
    let mut at_low = slope(low);
    let mut at_high = slope(high);
    for _ in 0..MAX_ITERATIONS {
        if (high - low).abs() <= TOLERANCE {
            return (low / 2.0).exp();
        }
        let next = low + (low - high) * at_low / (at_high - at_low);
        let at_next = slope(next);
        if at_next * at_high <= 0.0 {
            (low, at_low) = (high, at_high);
        } else {
            at_low /= 2.0;
        }
        (high, at_high) = (next, at_next);
    }
    volatility
}

#[cfg(test)]
mod tests {
    use skillratings::Outcomes;
    use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

    use super::*;
    use crate::test_data::TestRandom;

    const OUTCOMES: [GameOutcome; 3] = [GameOutcome::Win, GameOutcome::Draw, GameOutcome::Loss];

    fn rating(rating: f64, deviation: f64, volatility: f64) -> GlickoRating {
        GlickoRating { rating, deviation, volatility }
    }

    fn random_rating(random: &mut TestRandom) -> GlickoRating {
        rating(
            random.between(600.0, 2600.0),
            random.between(45.0, 500.0),
            random.between(0.03, 0.1),
        )
    }

    fn is_close(one: f64, other: f64, tolerance: f64) {
        assert!((one - other).abs() <= tolerance, "{one} is not {other}");
    }

    #[test]
    fn the_example_of_glickmans_paper_gives_its_published_values() {
        let games = [
            (rating(1400.0, 30.0, 0.06), 1.0),
            (rating(1550.0, 100.0, 0.06), 0.0),
            (rating(1700.0, 300.0, 0.06), 0.0),
        ];
        let after = update(rating(1500.0, 200.0, 0.06), &games, 1.0, 0.5);
        is_close(after.rating, 1464.05, 0.02);
        is_close(after.deviation, 151.52, 0.005);
        is_close(after.volatility, 0.05999, 0.00001);
    }

    #[test]
    fn whole_rating_periods_agree_with_a_second_implementation() {
        let mut random = TestRandom(1);
        let peer = |it: GlickoRating| Glicko2Rating {
            rating: it.rating,
            deviation: it.deviation,
            volatility: it.volatility,
        };
        for _ in 0..2000 {
            let player = random_rating(&mut random);
            let count = 1 + random.below(4);
            let games: Vec<(GlickoRating, GameOutcome)> = (0..count)
                .map(|_| (random_rating(&mut random), OUTCOMES[random.below(3) as usize]))
                .collect();
            let own: Vec<_> = games.iter().map(|it| (it.0, it.1.points())).collect();
            let after = update(player, &own, 1.0, TAU);
            let theirs = games.iter().map(|(opponent, outcome)| {
                let outcome = match outcome {
                    GameOutcome::Win => Outcomes::WIN,
                    GameOutcome::Draw => Outcomes::DRAW,
                    GameOutcome::Loss => Outcomes::LOSS,
                };
                (peer(*opponent), outcome)
            });
            let config = Glicko2Config { tau: TAU, convergence_tolerance: TOLERANCE };
            let expected =
                glicko2_rating_period(&peer(player), &theirs.collect::<Vec<_>>(), &config);
            is_close(after.rating, expected.rating, 1e-6);
            is_close(after.deviation, expected.deviation, 1e-6);
            is_close(after.volatility, expected.volatility, 1e-9);
        }
    }

    #[test]
    fn a_settled_players_deviation_grows_from_60_to_110_in_a_year() {
        let settled = rating(1500.0, 60.0, 0.06);
        is_close(settled.after_idle(365 * DAY_MS).deviation, 110.0, 0.5);
        assert_eq!(settled.after_idle(365 * DAY_MS).rating, 1500.0);
        assert_eq!(settled.after_idle(100_000 * DAY_MS).deviation, MAX_DEVIATION);
    }

    #[test]
    fn idle_time_may_be_split() {
        let start = rating(1700.0, 80.0, 0.08);
        let split = start.after_idle(3 * DAY_MS).after_idle(4 * DAY_MS);
        is_close(split.deviation, start.after_idle(7 * DAY_MS).deviation, 1e-9);
    }

    #[test]
    fn two_newcomers_move_by_the_same_points() {
        let [won, drawn, lost] = OUTCOMES
            .map(|it| GlickoRating::NEW.after_game(GlickoRating::NEW, it, GameWeight::Full));
        is_close(won.rating - 1500.0, 1500.0 - lost.rating, 1e-6);
        assert!(won.rating > 1600.0);
        assert_eq!(drawn.rating, 1500.0);
        assert!(won.deviation < 500.0 && drawn.deviation < 500.0);
    }

    #[test]
    fn a_better_result_never_gives_a_lower_rating() {
        let mut random = TestRandom(2);
        for _ in 0..2000 {
            let [player, opponent] = [(); 2].map(|()| random_rating(&mut random));
            let [win, draw, loss] =
                OUTCOMES.map(|it| player.after_game(opponent, it, GameWeight::Full).rating);
            assert!(win > draw && draw > loss);
            assert!(win >= player.rating && loss <= player.rating);
        }
    }

    #[test]
    fn ratings_stay_within_their_limits() {
        let mut random = TestRandom(3);
        let mut player = GlickoRating::NEW;
        for _ in 0..5000 {
            let opponent = random_rating(&mut random);
            let outcome = OUTCOMES[random.below(3) as usize];
            let before = player.after_idle(random.below(30 * DAY_MS));
            player = before.after_game(opponent, outcome, GameWeight::Full);
            assert!((player.rating - before.rating).abs() <= MAX_CHANGE + 1e-6);
            assert!(player.rating >= MIN_RATING);
            assert!((MIN_DEVIATION..=MAX_DEVIATION).contains(&player.deviation));
            assert!(player.volatility > 0.0 && player.volatility <= MAX_VOLATILITY);
        }
    }

    #[test]
    fn a_sensation_moves_at_most_700_points() {
        let weak = rating(400.0, 500.0, 0.1);
        let after = weak.after_game(rating(3500.0, 45.0, 0.05), GameOutcome::Win, GameWeight::Full);
        assert_eq!(after.rating, 1100.0);
        let lost = after.after_game(GlickoRating::NEW, GameOutcome::Loss, GameWeight::Full);
        assert!(lost.rating >= MIN_RATING);
    }

    #[test]
    fn a_game_with_a_computer_counts_half() {
        let player = rating(1600.0, 120.0, 0.08);
        let computer = rating(1800.0, 60.0, 0.06);
        let [full, half] = [GameWeight::Full, GameWeight::Half]
            .map(|it| player.after_game(computer, GameOutcome::Win, it));
        is_close(half.rating - 1600.0, (full.rating - 1600.0) / 2.0, 1e-6);
        is_close(120.0 - half.deviation, (120.0 - full.deviation) / 2.0, 1e-6);
    }

    #[test]
    fn a_stored_rating_continues_with_every_bit() {
        let after =
            GlickoRating::NEW.after_game(GlickoRating::NEW, GameOutcome::Win, GameWeight::Full);
        let json = serde_json::to_string(&after).unwrap();
        assert_eq!(serde_json::from_str::<GlickoRating>(&json).unwrap(), after);
    }
}
