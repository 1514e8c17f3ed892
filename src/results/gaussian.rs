//! The rating of Weng-Lin and Plackett-Luce: strength as a normal distribution.
//!
//! Source of both systems: Weng and Lin, "A Bayesian approximation method for online ranking",
//! Journal of Machine Learning Research 12 (2011). The constants are those of TrueSkill and
//! openskill.

use caravanserai_games::time_units::DAY_MS;
use serde::{Deserialize, Serialize};

use crate::fixed_point::{self, round_to_step};
use crate::glicko::GameWeight;

/// Mean of a newcomer.
pub const START_MU: f64 = 25.0;
/// Standard deviation of a newcomer.
pub const START_SIGMA: f64 = START_MU / 3.0;
/// Spread of the performance in one game or round.
pub const BETA: f64 = START_MU / 6.0;
/// Uncertainty that is added before each game or round, because strength changes.
pub const TAU: f64 = START_MU / 300.0;
/// The lowest standard deviation: ratings of regular players can still move.
pub const MIN_SIGMA: f64 = 1.0;
/// Variance that a day without rated games adds for lists and marks: on the displayed scale as much
/// as Glicko-2 adds for a volatility of 0.06.
const IDLE_VARIANCE: f64 = 0.026;

/// The smallest factor of the variance in one game.
const KAPPA: f64 = 0.0001;

/// The estimated strength of one player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GaussianRating {
    /// The expected strength.
    #[serde(rename = "m", with = "fixed_point")]
    pub mu: f64,
    /// The uncertainty of the strength: one standard deviation.
    #[serde(rename = "s", with = "fixed_point")]
    pub sigma: f64,
}

impl GaussianRating {
    /// A newcomer, rounded like every stored rating.
    pub fn newcomer() -> Self {
        Self { mu: START_MU, sigma: round_to_step(START_SIGMA) }
    }

    /// The standard deviation after a time without rated games.
    pub(crate) fn sigma_after_idle(self, idle_ms: u64) -> f64 {
        let days = idle_ms as f64 / DAY_MS as f64;
        (self.sigma * self.sigma + IDLE_VARIANCE * days).sqrt().min(START_SIGMA.max(self.sigma))
    }

    /// The variance with the uncertainty that is added before a game.
    pub(crate) fn drifted_variance(self) -> f64 {
        self.sigma * self.sigma + TAU * TAU
    }

    /// The rating after a game that moves the mean by `shift` and multiplies the variance by
    /// `1 - shrinkage`, without limits.
    pub(crate) fn moved(self, shift: f64, shrinkage: f64) -> Self {
        let variance = self.drifted_variance() * (1.0 - shrinkage).max(KAPPA);
        Self { mu: self.mu + shift, sigma: variance.sqrt() }
    }

    /// The rating after a game with this weight, within the limits. `full` is the rating after the
    /// same game with its full weight.
    pub(crate) fn weighted(self, full: Self, weight: GameWeight) -> Self {
        let sigma = weight.blend(self.sigma, full.sigma);
        Self {
            mu: round_to_step(weight.blend(self.mu, full.mu)),
            sigma: round_to_step(sigma.max(MIN_SIGMA)),
        }
    }
}
