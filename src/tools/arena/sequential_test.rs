//! Decides by as few games as possible which of two Elo differences a match speaks for.
//!
//! This is the sequential probability ratio test of Wald (1945), with the normal approximation that
//! engine testing uses (Van den Bergh, "The generalized sequential probability ratio test", 2019):
//! from units with the mean share `m` and the variance `v`, the logarithm of the likelihood ratio
//! of the shares `s1` and `s0` is `n (s1 - s0) (2 m - s0 - s1) / (2 v)`.

use std::str::FromStr;

use super::statistics::{MeanEstimate, share_of_elo};

/// The chance that the test decides wrongly, in each direction.
pub const ERROR_RATE: f64 = 0.05;

/// The number of units between two looks at the result.
pub const UNITS_PER_LOOK: u64 = 8;

/// A test between two Elo differences of the first player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequentialTest {
    /// The difference that is rejected if the match speaks for the higher one.
    pub low: f64,
    /// The difference that is accepted then.
    pub high: f64,
}

/// The decision of a [`SequentialTest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestDecision {
    /// The higher difference is accepted.
    High,
    /// The lower difference is accepted.
    Low,
    /// The games do not decide yet.
    Open,
}

impl SequentialTest {
    /// The logarithm of the likelihood ratio after these units: above 0 they speak for the higher
    /// difference.
    pub fn log_likelihood_ratio(&self, share: &MeanEstimate) -> f64 {
        let [low, high] = [self.low, self.high].map(share_of_elo);
        let (units, variance) = smoothed(share);
        units * (high - low) * (2.0 * share.value - low - high) / (2.0 * variance)
    }

    /// The decision after these units.
    pub fn decision(&self, share: &MeanEstimate) -> TestDecision {
        let ratio = self.log_likelihood_ratio(share);
        let bound = decision_bound();
        match ratio {
            it if it >= bound => TestDecision::High,
            it if it <= -bound => TestDecision::Low,
            _ => TestDecision::Open,
        }
    }
}

impl FromStr for SequentialTest {
    type Err = String;

    /// Parses `100:150`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.split_once(':').and_then(|(low, high)| {
            Some(SequentialTest { low: low.parse().ok()?, high: high.parse().ok()? })
        });
        let is_in_order =
            |it: &SequentialTest| it.low.is_finite() && it.high.is_finite() && it.low < it.high;
        parsed.filter(is_in_order).ok_or_else(|| {
            "expected two Elo differences, the lower one first, such as 0:50".to_owned()
        })
    }
}

/// The logarithm of the likelihood ratio that decides.
pub fn decision_bound() -> f64 {
    ((1.0 - ERROR_RATE) / ERROR_RATE).ln()
}

/// The number of units, and the variance of one with the largest variance for another unit: units
/// that all ended alike have no spread to estimate from.
fn smoothed(share: &MeanEstimate) -> (f64, f64) {
    let units = share.count as f64;
    let squares = share.error.powi(2) * units * (units - 1.0).max(0.0);
    (units, (squares + 0.25) / (units + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share_of(values: &[f64]) -> MeanEstimate {
        MeanEstimate::from_values(values)
    }

    fn repeated(values: &[f64], times: usize) -> MeanEstimate {
        share_of(&values.repeat(times))
    }

    #[test]
    fn a_share_half_way_between_both_speaks_for_neither() {
        let test = SequentialTest { low: -20.0, high: 20.0 };
        let even = repeated(&[0.0, 0.5, 0.5, 1.0], 100);
        assert!(test.log_likelihood_ratio(&even).abs() < 1e-9);
        assert_eq!(test.decision(&even), TestDecision::Open);
    }

    #[test]
    fn many_units_decide_for_the_difference_that_they_show() {
        let test = SequentialTest { low: 0.0, high: 50.0 };
        // 62.5 percent is 89 Elo.
        let better = |times| repeated(&[1.0, 0.5, 0.5, 0.5], times);
        assert_eq!(test.decision(&better(2)), TestDecision::Open);
        assert_eq!(test.decision(&better(40)), TestDecision::High);
        let equal = repeated(&[1.0, 0.5, 0.5, 0.0], 100);
        assert_eq!(test.decision(&equal), TestDecision::Low);
    }

    #[test]
    fn units_that_all_ended_alike_decide_as_well() {
        let test = SequentialTest { low: 0.0, high: 100.0 };
        assert_eq!(test.decision(&share_of(&[])), TestDecision::Open);
        assert_eq!(test.decision(&share_of(&[1.0])), TestDecision::Open);
        assert_eq!(test.decision(&share_of(&[1.0; 60])), TestDecision::High);
        assert_eq!(test.decision(&share_of(&[0.5; 60])), TestDecision::Low);
    }

    #[test]
    fn the_bound_is_that_of_five_percent() {
        assert!((decision_bound() - 2.944).abs() < 1e-3);
    }

    #[test]
    fn differences_are_read_with_the_lower_one_first() {
        assert_eq!("-5:0".parse(), Ok(SequentialTest { low: -5.0, high: 0.0 }));
        for wrong in ["", "5", "5:5", "9:3", "0:inf", "a:b"] {
            assert!(wrong.parse::<SequentialTest>().is_err(), "{wrong}");
        }
    }
}
