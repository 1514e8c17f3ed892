//! Notices when somebody puts the clock of the machine forward or back.

use std::time::Duration;

/// A smaller difference is what clocks do when they are kept right little by little.
const JUMP_MIN: Duration = Duration::from_secs(2);

/// Compares the clock on the wall with one that only counts seconds.
#[derive(Debug)]
pub struct ClockSkewDetector {
    /// What both said last.
    last_readings: (Duration, Duration),
    steps: u64,
}

/// The wall clock went so far, beyond the time that passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockJump {
    /// Later than it should be; also after a sleep of the machine.
    Forward(Duration),
    /// Earlier than it should be.
    Back(Duration),
}

impl ClockSkewDetector {
    /// Begins: `wall` is the time since 1970, `steady` counts on whatever happens to the wall.
    pub fn new(wall: Duration, steady: Duration) -> Self {
        Self { last_readings: (wall, steady), steps: 0 }
    }

    /// Looks again.
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

    /// How many steps were seen.
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
        assert_eq!(
            watch.compare(s(10_011), s(10)),
            None,
            "a second is kept right little by little"
        );
        assert_eq!(watch.compare(s(9_416), s(15)), Some(ClockJump::Back(s(600))));
        assert_eq!(watch.compare(s(9_421), s(20)), None);
        assert_eq!(watch.compare(s(13_026), s(25)), Some(ClockJump::Forward(s(3_600))));
        assert_eq!(watch.compare(s(13_031), s(30)), None);
        assert_eq!(watch.jump_count(), 2);
    }
}
