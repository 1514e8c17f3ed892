//! Notices when somebody puts the clock of the machine forward or back.

use std::time::Duration;

/// A smaller difference is what clocks do when they are kept right little by little.
const STEP_MIN: Duration = Duration::from_secs(2);

/// Compares the clock on the wall with one that only counts seconds.
#[derive(Debug)]
pub struct ClockWatch {
    /// What both said last.
    last: (Duration, Duration),
    steps: u64,
}

/// The wall clock went so far, beyond the time that passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Later than it should be; also after a sleep of the machine.
    Forward(Duration),
    /// Earlier than it should be.
    Back(Duration),
}

impl ClockWatch {
    /// Begins: `wall` is the time since 1970, `steady` counts on whatever happens to the wall.
    pub fn new(wall: Duration, steady: Duration) -> Self {
        Self { last: (wall, steady), steps: 0 }
    }

    /// Looks again.
    pub fn look(&mut self, wall: Duration, steady: Duration) -> Option<Step> {
        let (last_wall, last_steady) = self.last;
        self.last = (wall, steady);
        let due = last_wall + steady.saturating_sub(last_steady);
        let step = if wall > due { Step::Forward(wall - due) } else { Step::Back(due - wall) };
        let (Step::Forward(far) | Step::Back(far)) = step;
        (far >= STEP_MIN).then(|| {
            self.steps += 1;
            step
        })
    }

    /// How many steps were seen.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_put_back_or_forward_is_seen_once() {
        let s = Duration::from_secs;
        let mut watch = ClockWatch::new(s(10_000), s(0));
        assert_eq!(watch.look(s(10_005), s(5)), None);
        assert_eq!(watch.look(s(10_011), s(10)), None, "a second is kept right little by little");
        assert_eq!(watch.look(s(9_416), s(15)), Some(Step::Back(s(600))));
        assert_eq!(watch.look(s(9_421), s(20)), None);
        assert_eq!(watch.look(s(13_026), s(25)), Some(Step::Forward(s(3_600))));
        assert_eq!(watch.look(s(13_031), s(30)), None);
        assert_eq!(watch.steps(), 2);
    }
}
