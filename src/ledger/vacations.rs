//! Vacations of people: when, for how long, and how many days are left of those within a year.

use serde::{Deserialize, Serialize};

use super::DAY_MS;
use super::profiles::PersonProfile;
use crate::chat::settings::VACATION_DAYS;

/// For so long days count that were taken, in milliseconds.
const YEAR_MS: u64 = 365 * DAY_MS;

/// Who comes back within this time has changed their mind, in milliseconds: it counts for nothing.
const REGRET_MS: u64 = 3_600_000;

/// A vacation that somebody is on or was on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vacation {
    /// From when, in milliseconds since 1970.
    pub from_ms: u64,
    /// Until when.
    pub until_ms: u64,
}

impl Vacation {
    /// How many days of it are used when it ends then: each day that has begun.
    fn days(self, until_ms: u64) -> u32 {
        let ms = until_ms.saturating_sub(self.from_ms);
        if ms < REGRET_MS { 0 } else { ms.div_ceil(DAY_MS) as u32 }
    }
}

impl PersonProfile {
    fn present(&self, now_ms: u64) -> Option<Vacation> {
        self.vacations.last().copied().filter(|it| it.until_ms > now_ms)
    }

    /// Until when they are on vacation, in milliseconds since 1970.
    pub fn vacation(&self, now_ms: u64) -> Option<u64> {
        self.present(now_ms).map(|it| it.until_ms)
    }

    /// How many days of vacation they may take from now on: those of the present one that are
    /// still to come are free again.
    pub fn vacation_left(&self, now_ms: u64) -> u32 {
        let within = self.vacations.iter().filter(|it| it.until_ms + YEAR_MS > now_ms);
        let used: u32 = within.map(|it| it.days(it.until_ms.min(now_ms))).sum();
        VACATION_DAYS.saturating_sub(used)
    }

    /// They go on vacation for so many days from now on, or stay on it for so many more; until
    /// when, in milliseconds since 1970. `None` if they have not so many days left.
    pub fn go_away(&mut self, days: u32, now_ms: u64) -> Option<u64> {
        if days == 0 || days > self.vacation_left(now_ms) {
            return None;
        }
        self.vacations.retain(|it| it.until_ms + YEAR_MS > now_ms);
        let until_ms = now_ms.saturating_add(u64::from(days) * DAY_MS);
        match self.vacations.last_mut().filter(|it| it.until_ms > now_ms) {
            Some(present) => present.until_ms = until_ms,
            None => self.vacations.push(Vacation { from_ms: now_ms, until_ms }),
        }
        Some(until_ms)
    }

    /// They are back.
    pub fn come_home(&mut self, now_ms: u64) {
        let Some(present) = self.present(now_ms) else { return };
        self.vacations.pop();
        let past = Vacation { until_ms: now_ms, ..present };
        self.vacations.extend((past.days(now_ms) > 0).then_some(past));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: u64 = 1_000 * DAY_MS;

    #[test]
    fn days_that_were_not_used_are_left() {
        let mut person = PersonProfile::default();
        assert_eq!(person.go_away(10, NOW_MS), Some(NOW_MS + 10 * DAY_MS));
        assert_eq!(person.vacation(NOW_MS + 10 * DAY_MS - 1), Some(NOW_MS + 10 * DAY_MS));
        assert_eq!(person.vacation(NOW_MS + 10 * DAY_MS), None, "it ends by itself");
        let back_ms = NOW_MS + 2 * DAY_MS + 1;
        person.come_home(back_ms);
        assert_eq!((person.vacation(back_ms), person.vacation_left(back_ms)), (None, 27));
        assert_eq!(person.go_away(28, back_ms), None);
        assert!(person.go_away(27, back_ms).is_some());
        assert_eq!(person.vacation_left(back_ms + 27 * DAY_MS), 0);
        assert_eq!(person.vacation_left(NOW_MS + 368 * DAY_MS), 3, "the first are a year old");
    }

    #[test]
    fn whoever_changes_their_mind_at_once_loses_no_day() {
        let mut person = PersonProfile::default();
        person.go_away(30, NOW_MS);
        person.come_home(NOW_MS + 60_000);
        assert_eq!(person, PersonProfile::default());
        person.go_away(3, NOW_MS);
        assert_eq!(person.go_away(7, NOW_MS + 60_000), Some(NOW_MS + 60_000 + 7 * DAY_MS));
        assert_eq!(person.vacations.len(), 1, "it is the same vacation");
    }

    #[test]
    fn a_clock_that_was_ahead_takes_no_days() {
        let mut person = PersonProfile::default();
        person.go_away(5, NOW_MS + 400 * DAY_MS);
        person.come_home(NOW_MS);
        assert_eq!((person.vacation(NOW_MS), person.vacation_left(NOW_MS)), (None, 30));
    }
}
