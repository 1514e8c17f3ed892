//! Computes growing pauses between retries.

use std::time::Duration;

/// Pauses between tries: each is twice as long as the one before, up to a limit.
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    most: Duration,
    next: Duration,
}

impl Backoff {
    /// Creates pauses that grow from `first` to `most`.
    pub fn new(first: Duration, most: Duration) -> Self {
        Backoff { first, most, next: first }
    }

    /// Returns the time to wait now and doubles the next one, up to the limit.
    pub fn next_pause(&mut self) -> Duration {
        let now = self.next;
        self.next = (now * 2).min(self.most);
        now
    }

    /// Makes the next pause short again after a success.
    pub fn reset(&mut self) {
        self.next = self.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_their_limit_and_are_short_again_after_a_success() {
        let mut pauses = Backoff::new(Duration::from_secs(1), Duration::from_secs(5));
        let grown: Vec<u64> = (0..5).map(|_| pauses.next_pause().as_secs()).collect();
        assert_eq!(grown, [1, 2, 4, 5, 5]);
        pauses.reset();
        assert_eq!(pauses.next_pause().as_secs(), 1);
    }
}
