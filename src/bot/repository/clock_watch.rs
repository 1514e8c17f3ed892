//! Detects jumps of the wall clock by comparing it with the monotonic clock: it jumps when it is
//! set, and when the machine was suspended.

/// A jump of the wall clock, beyond the time that passed, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockJump {
    /// The wall clock is ahead of the last reading.
    Forward(u64),
    /// The wall clock is behind the last reading.
    Back(u64),
}

/// The last readings of both clocks.
#[derive(Debug)]
pub struct ClockWatch {
    /// Smaller differences are gradual corrections, as by NTP, in milliseconds.
    jump_min_ms: u64,
    last: Option<(u64, u64)>,
}

impl ClockWatch {
    /// A watch without a reading, for jumps of at least so many milliseconds.
    pub fn new(jump_min_ms: u64) -> Self {
        ClockWatch { jump_min_ms, last: None }
    }

    /// Compares new readings with the last ones: the wall clock and the monotonic clock, in
    /// milliseconds.
    pub fn compare(&mut self, wall_ms: u64, steady_ms: u64) -> Option<ClockJump> {
        let (last_wall_ms, last_steady_ms) = self.last.replace((wall_ms, steady_ms))?;
        let expected_ms = last_wall_ms + steady_ms.saturating_sub(last_steady_ms);
        let by_ms = wall_ms.abs_diff(expected_ms);
        (by_ms >= self.jump_min_ms).then_some(match wall_ms > expected_ms {
            true => ClockJump::Forward(by_ms),
            false => ClockJump::Back(by_ms),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_is_seen_once_and_passing_time_is_none() {
        let mut watch = ClockWatch::new(1_000);
        assert_eq!(watch.compare(50_000, 0), None, "the first reading");
        assert_eq!(watch.compare(90_000, 40_000), None);
        assert_eq!(watch.compare(90_999, 40_000), None, "a gradual correction");
        assert_eq!(watch.compare(190_999, 41_000), Some(ClockJump::Forward(99_000)));
        assert_eq!(watch.compare(191_999, 42_000), None);
        assert_eq!(watch.compare(92_999, 43_000), Some(ClockJump::Back(100_000)));
        assert_eq!(watch.compare(93_999, 44_000), None);
    }

    #[test]
    fn a_clock_put_back_or_forward_is_seen_once() {
        let mut watch = ClockWatch::new(2_000);
        let mut compare =
            |wall_s: u64, steady_s: u64| watch.compare(1_000 * wall_s, 1_000 * steady_s);
        let mut jumps = 0;
        for (wall_s, steady_s, expected) in [
            (10_000, 0, None),
            (10_005, 5, None),
            // A second is a gradual correction.
            (10_011, 10, None),
            (9_416, 15, Some(ClockJump::Back(600_000))),
            (9_421, 20, None),
            (13_026, 25, Some(ClockJump::Forward(3_600_000))),
            (13_031, 30, None),
        ] {
            let found = compare(wall_s, steady_s);
            assert_eq!(found, expected, "{wall_s} {steady_s}");
            jumps += usize::from(found.is_some());
        }
        assert_eq!(jumps, 2);
    }
}
