//! Detects when the system clock is set forward or back.

use std::time::Duration;

/// Smaller differences are gradual corrections, as by NTP.
const JUMP_MIN: Duration = Duration::from_secs(2);

/// Compares the wall clock with a monotonic clock.
#[derive(Debug)]
pub struct ClockSkewDetector {
    /// The last readings of both.
    last_readings: (Duration, Duration),
    steps: u64,
}

/// A jump of the wall clock, beyond the time that passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockJump {
    /// The wall clock is ahead; also after the machine slept.
    Forward(Duration),
    /// The wall clock is behind.
    Back(Duration),
}

impl ClockSkewDetector {
    /// Starts with these readings: `wall` is the time since 1970, `steady` a monotonic time.
    pub fn new(wall: Duration, steady: Duration) -> Self {
        Self { last_readings: (wall, steady), steps: 0 }
    }

    /// Compares new readings with the last ones.
    pub fn compare(&mut self, wall: Duration, steady: Duration) -> Option<ClockJump> {
        let (last_wall, last_steady) = self.last_readings;
        self.last_readings = (wall, steady);
        let due = last_wall + steady.saturating_sub(last_steady);
        let step =
            if wall > due { ClockJump::Forward(wall - due) } else { ClockJump::Back(due - wall) };
        let (ClockJump::Forward(far) | ClockJump::Back(far)) = step;
        (far >= JUMP_MIN).then(|| {
            self.steps += 1;
            step
        })
    }

    /// The number of jumps so far.
    pub fn jump_count(&self) -> u64 {
        self.steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_put_back_or_forward_is_seen_once() {
        let s = Duration::from_secs;
        let mut watch = ClockSkewDetector::new(s(10_000), s(0));
        assert_eq!(watch.compare(s(10_005), s(5)), None);
        assert_eq!(watch.compare(s(10_011), s(10)), None, "a second is a gradual correction");
        assert_eq!(watch.compare(s(9_416), s(15)), Some(ClockJump::Back(s(600))));
        assert_eq!(watch.compare(s(9_421), s(20)), None);
        assert_eq!(watch.compare(s(13_026), s(25)), Some(ClockJump::Forward(s(3_600))));
        assert_eq!(watch.compare(s(13_031), s(30)), None);
        assert_eq!(watch.jump_count(), 2);
    }
}
