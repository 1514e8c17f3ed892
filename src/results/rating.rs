//! Gives the ratings of all systems one scale for display and certainty.
//!
//! The scale is that of Glicko-2: 1500 for a newcomer, and 100 points more mean the same chance of
//! winning in all lists. For a Gaussian rating that is the chance in one game or round between two
//! players whose strength is known. It follows a logistic curve with `sqrt(2) * beta` = 5.89 units
//! of mu, and that of Glicko-2 one with 173.7 points: 1 unit of mu is 29.5 points, rounded to 30.

use serde::{Deserialize, Serialize};

use crate::gaussian::{GaussianRating, START_MU};
use crate::glicko::{GlickoRating, START_RATING};
use crate::rating_list::RatingSystem;

/// Displayed points in one unit of mu.
pub const POINTS_PER_MU: f64 = 30.0;
/// A rating is provisional from this deviation in displayed points. It is lichess's limit for
/// Glicko-2, and a sigma of 3.67: about 55 rounds of newcomers among each other.
pub const PROVISIONAL_DEVIATION: f64 = 110.0;
/// How many deviations below a Gaussian rating its place in lists is.
const LIST_DEVIATIONS: f64 = 3.0;

/// The rating of one person in one list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Rating {
    /// For lists of two seats.
    #[serde(rename = "g")]
    Glicko(GlickoRating),
    /// For lists of partners and of three or more seats.
    #[serde(rename = "n")]
    Gaussian(GaussianRating),
}

impl Rating {
    /// The rating of a newcomer.
    pub fn newcomer(system: RatingSystem) -> Self {
        match system {
            RatingSystem::Glicko2 => Rating::Glicko(GlickoRating::NEW),
            RatingSystem::WengLin | RatingSystem::PlackettLuce => {
                Rating::Gaussian(GaussianRating::newcomer())
            }
        }
    }

    /// Whether lists with this system have such ratings.
    pub fn fits(self, system: RatingSystem) -> bool {
        match self {
            Rating::Glicko(_) => system == RatingSystem::Glicko2,
            Rating::Gaussian(_) => system != RatingSystem::Glicko2,
        }
    }

    /// The rating after a time without rated games, as the next game finds it. Gaussian ratings do
    /// not change.
    pub fn after_idle(self, idle_ms: u64) -> Self {
        match self {
            Rating::Glicko(rating) => Rating::Glicko(rating.after_idle(idle_ms)),
            Rating::Gaussian(_) => self,
        }
    }

    /// The displayed rating in whole points.
    pub fn displayed(self) -> i32 {
        self.points().round() as i32
    }

    /// The rating on the displayed scale.
    pub(crate) fn points(self) -> f64 {
        match self {
            Rating::Glicko(it) => it.rating,
            Rating::Gaussian(it) => displayed_mu(it.mu),
        }
    }

    /// The deviation in displayed points.
    pub fn deviation(self) -> f64 {
        match self {
            Rating::Glicko(it) => it.deviation,
            Rating::Gaussian(it) => it.sigma * POINTS_PER_MU,
        }
    }

    /// The deviation in displayed points after a time without rated games.
    fn deviation_after(self, idle_ms: u64) -> f64 {
        match self {
            // Exactly as it was stored.
            _ if idle_ms == 0 => self.deviation(),
            Rating::Glicko(it) => it.after_idle(idle_ms).deviation,
            Rating::Gaussian(it) => it.sigma_after_idle(idle_ms) * POINTS_PER_MU,
        }
    }

    /// Whether the rating is still uncertain and shown with a question mark.
    pub fn is_provisional(self) -> bool {
        self.is_provisional_after(0)
    }

    /// Whether it is uncertain after a time without rated games.
    pub fn is_provisional_after(self, idle_ms: u64) -> bool {
        self.deviation_after(idle_ms) >= PROVISIONAL_DEVIATION
    }

    /// The points by which lists order certain ratings after a time without rated games. For
    /// Gaussian ratings that is what the player has at least, three deviations below the rating: a
    /// place among the first is not kept by not playing.
    pub fn list_points_after(self, idle_ms: u64) -> i32 {
        match self {
            Rating::Glicko(_) => self.displayed(),
            Rating::Gaussian(_) => {
                (self.points() - LIST_DEVIATIONS * self.deviation_after(idle_ms)).round() as i32
            }
        }
    }
}

fn displayed_mu(mu: f64) -> f64 {
    START_RATING + (mu - START_MU) * POINTS_PER_MU
}

#[cfg(test)]
mod tests {
    use caravanserai_games::time_units::DAY_MS;

    use super::*;

    fn glicko(rating: f64, deviation: f64) -> Rating {
        Rating::Glicko(GlickoRating { rating, deviation, volatility: 0.06 })
    }

    fn gaussian(mu: f64, sigma: f64) -> Rating {
        Rating::Gaussian(GaussianRating { mu, sigma })
    }

    #[test]
    fn newcomers_have_1500_points_in_all_systems() {
        for system in RatingSystem::ALL {
            let rating = Rating::newcomer(system);
            assert!(rating.fits(system));
            assert_eq!(rating.displayed(), 1500);
            assert!(rating.is_provisional());
        }
    }

    #[test]
    fn points_mean_the_same_chance_in_all_systems() {
        let chance = |difference: f64, scale: f64| 1.0 / (1.0 + (-difference / scale).exp());
        let spread = std::f64::consts::SQRT_2 * crate::gaussian::BETA;
        for points in [50.0, 100.0, 200.0] {
            let difference = chance(points, 173.7178) - chance(points / POINTS_PER_MU, spread);
            assert!(difference.abs() < 0.01, "{difference}");
        }
    }

    #[test]
    fn a_gaussian_rating_sinks_and_lapses_without_games() {
        let best = gaussian(31.0, 1.2);
        let points = |days: u64| best.list_points_after(days * DAY_MS);
        assert_eq!(points(0), 1680 - 108);
        assert!(points(100) < points(30) && points(30) < points(0));
        let lapses = |days: u64| best.is_provisional_after(days * DAY_MS);
        assert!(!lapses(300) && lapses(600));
        // The more certain of two equal ratings is first.
        let unsure = gaussian(31.0, 3.0);
        assert!(unsure.list_points_after(0) < points(0));
        // No time makes a rating less certain than that of a newcomer.
        assert!(points(100_000) >= 1680 - 751);
        let glicko = glicko(1700.0, 60.0);
        assert_eq!(glicko.list_points_after(100 * DAY_MS), 1700);
    }

    #[test]
    fn a_rating_is_provisional_from_a_deviation_of_110() {
        assert!(glicko(1500.0, 110.0).is_provisional());
        assert!(!glicko(1500.0, 109.9).is_provisional());
        assert!(gaussian(25.0, 3.7).is_provisional());
        assert!(!gaussian(25.0, 3.6).is_provisional());
    }
}
