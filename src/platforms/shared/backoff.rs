//! Computes growing pauses between retries, with jitter, so that calls that fail together do not
//! retry together.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};

/// Endless pauses between tries: the limit of each is twice that of the one before, up to `most`,
/// and each is between half of its limit and its limit.
#[derive(Debug)]
pub struct Backoff {
    builder: ExponentialBuilder,
    pauses: <ExponentialBuilder as BackoffBuilder>::Backoff,
}

impl Backoff {
    /// Creates pauses whose limits grow from `first` to `most`.
    pub fn new(first: Duration, most: Duration) -> Self {
        // The jitter of the library lengthens a pause to at most twice as much.
        let builder = ExponentialBuilder::new()
            .with_min_delay(first / 2)
            .with_max_delay(most / 2)
            .without_max_times()
            .with_jitter();
        Backoff { builder, pauses: builder.build() }
    }

    /// Returns the time to wait now; the next one is longer.
    pub fn next_pause(&mut self) -> Duration {
        self.pauses.next().expect("the number of pauses is not limited")
    }

    /// Makes the next pause short again after a success.
    pub fn reset(&mut self) {
        self.pauses = self.builder.build();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_their_limit_and_are_short_again_after_a_success() {
        let mut pauses = Backoff::new(Duration::from_secs(1), Duration::from_secs(5));
        let mut is_in_limit = |limit_ms: u128| {
            let pause_ms = pauses.next_pause().as_millis();
            assert!((limit_ms / 2..=limit_ms).contains(&pause_ms), "{pause_ms} of {limit_ms}");
        };
        [1_000, 2_000, 4_000, 5_000, 5_000].into_iter().for_each(&mut is_in_limit);
        pauses.reset();
        assert!(pauses.next_pause() <= Duration::from_secs(1));
    }

    #[test]
    fn those_that_fail_together_do_not_retry_together() {
        let first = Duration::from_secs(1);
        let most = Duration::from_secs(60);
        let mut ends: Vec<Duration> = (0..20)
            .map(|_| {
                let mut pauses = Backoff::new(first, most);
                (0..5).map(|_| pauses.next_pause()).sum()
            })
            .collect();
        ends.sort();
        ends.dedup();
        assert!(ends.len() > 10, "{ends:?}");
    }
}
