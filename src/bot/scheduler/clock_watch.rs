//! Compares the wall clock with the monotonic clock: it jumps when it is set, and when the machine
//! was suspended.

/// How far the wall clock has to be from the expected time to count as set, in milliseconds.
const CLOCK_JUMP_MIN_MS: u64 = 1_000;

/// A jump of the wall clock, beyond the time that passed, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClockJump {
    /// The wall clock is ahead of the last reading.
    Forward(u64),
    /// The wall clock is behind the last reading.
    Back(u64),
}

/// The last readings of both clocks.
#[derive(Debug, Default)]
pub(super) struct ClockWatch {
    last: Option<(u64, u64)>,
}

impl ClockWatch {
    /// Compares new readings with the last ones: the wall clock and the monotonic clock, in
    /// milliseconds.
    pub(super) fn compare(&mut self, wall_ms: u64, steady_ms: u64) -> Option<ClockJump> {
        let (last_wall_ms, last_steady_ms) = self.last.replace((wall_ms, steady_ms))?;
        let expected_ms = last_wall_ms + steady_ms.saturating_sub(last_steady_ms);
        let by_ms = wall_ms.abs_diff(expected_ms);
        (by_ms >= CLOCK_JUMP_MIN_MS).then_some(match wall_ms > expected_ms {
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
        let mut watch = ClockWatch::default();
        assert_eq!(watch.compare(50_000, 0), None, "the first reading");
        assert_eq!(watch.compare(90_000, 40_000), None);
        assert_eq!(watch.compare(90_999, 40_000), None, "a gradual correction");
        assert_eq!(watch.compare(190_999, 41_000), Some(ClockJump::Forward(99_000)));
        assert_eq!(watch.compare(191_999, 42_000), None);
        assert_eq!(watch.compare(92_999, 43_000), Some(ClockJump::Back(100_000)));
        assert_eq!(watch.compare(93_999, 44_000), None);
    }
}
