//! Computes vacations of people: start, end, and the days left within a year.

use serde::{Deserialize, Serialize};

use super::profiles::PersonProfile;
use super::{DAY_MS, HOUR_MS};
use crate::settings::VACATION_DAYS_MAX;

/// How long used days count against the yearly limit, in milliseconds.
const VACATION_YEAR_MS: u64 = 365 * DAY_MS;

/// A vacation that ends within this time costs no day, because it may be a mistake, in
/// milliseconds.
const VACATION_UNDO_MS: u64 = HOUR_MS;

/// The minimum time between two such corrections without cost, in milliseconds. Otherwise a player
/// could repeatedly stop a clock for an hour.
const VACATION_UNDO_INTERVAL_MS: u64 = DAY_MS;

/// A current or past vacation of a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vacation {
    /// The start, in milliseconds since 1970.
    pub from_ms: u64,
    /// The end, in milliseconds since 1970.
    pub until_ms: u64,
    /// Whether the person ended it: then it is over, even if the clock was ahead at that time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_ended: bool,
}

impl Vacation {
    fn is_current(self, now_ms: u64) -> bool {
        !self.has_ended && self.until_ms > now_ms
    }

    /// Whether it still counts against the yearly limit.
    fn is_within_year(self, now_ms: u64) -> bool {
        self.until_ms.saturating_add(VACATION_YEAR_MS) > now_ms
    }

    /// The days of it that are used if it ends at this time: each day that has begun.
    fn used_days(self, until_ms: u64) -> u32 {
        until_ms.saturating_sub(self.from_ms).div_ceil(DAY_MS).max(1) as u32
    }
}

impl PersonProfile {
    /// Whether a vacation costs no day if it ends at this time.
    fn costs_no_day(&self, vacation: Vacation, until_ms: u64) -> bool {
        let is_short = until_ms.saturating_sub(vacation.from_ms) < VACATION_UNDO_MS;
        is_short
            && self
                .corrected_ms
                .is_none_or(|at| until_ms >= at.saturating_add(VACATION_UNDO_INTERVAL_MS))
    }

    fn current_vacation(&self, now_ms: u64) -> Option<Vacation> {
        self.vacations.last().copied().filter(|it| it.is_current(now_ms))
    }

    /// The end of the current vacation, in milliseconds since 1970.
    pub fn vacation_until(&self, now_ms: u64) -> Option<u64> {
        self.current_vacation(now_ms).map(|it| it.until_ms)
    }

    /// The days of vacation that may be taken from now on. Days of the current vacation that are
    /// still to come are free again.
    pub fn vacation_days_left(&self, now_ms: u64) -> u32 {
        let within_year = self.vacations.iter().filter(|it| it.is_within_year(now_ms));
        let used = within_year.map(|it| match it.is_current(now_ms) {
            true if self.costs_no_day(*it, now_ms) => 0,
            true => it.used_days(now_ms),
            false => it.used_days(it.until_ms),
        });
        VACATION_DAYS_MAX.saturating_sub(used.sum())
    }

    /// Removes the vacations that count no longer.
    pub fn forget_old_vacations(&mut self, now_ms: u64) {
        self.vacations.retain(|it| it.is_within_year(now_ms));
    }

    /// Starts a vacation of this many days from now on, or extends the current one by as many.
    /// Returns its end, in milliseconds since 1970; `None` if not enough days are left.
    pub fn start_vacation(&mut self, days: u32, now_ms: u64) -> Option<u64> {
        if days == 0 || days > self.vacation_days_left(now_ms) {
            return None;
        }
        self.forget_old_vacations(now_ms);
        let until_ms = now_ms.saturating_add(u64::from(days) * DAY_MS);
        match self.vacations.last_mut().filter(|it| it.is_current(now_ms)) {
            Some(current) => current.until_ms = until_ms,
            None => {
                let begun = Vacation { from_ms: now_ms, until_ms, ..Vacation::default() };
                self.vacations.push(begun);
            }
        }
        Some(until_ms)
    }

    /// Ends the current vacation.
    pub fn end_vacation(&mut self, now_ms: u64) {
        self.forget_old_vacations(now_ms);
        let Some(current) = self.current_vacation(now_ms) else { return };
        self.vacations.pop();
        if now_ms <= current.from_ms {
            // The clock was ahead when it began.
            return;
        }
        if self.costs_no_day(current, now_ms) {
            self.corrected_ms = Some(now_ms);
        } else {
            let ended = Vacation { until_ms: now_ms, has_ended: true, ..current };
            self.vacations.push(ended);
        }
    }

    /// Merges the vacations of another account that is or was the same person. Days that both have
    /// count once, so repeating it changes nothing and never gives more days.
    pub fn merge_vacations(&mut self, other: &PersonProfile) {
        let mut all = std::mem::take(&mut self.vacations);
        all.extend(&other.vacations);
        all.sort_by_key(|it| (it.from_ms, it.until_ms));
        let end = |it: &Vacation| (it.until_ms, !it.has_ended);
        for next in all {
            match self.vacations.last_mut().filter(|it| next.from_ms < it.until_ms) {
                Some(last) if end(&next) > end(last) => {
                    *last = Vacation { from_ms: last.from_ms, ..next };
                }
                Some(_) => {}
                None => self.vacations.push(next),
            }
        }
        self.corrected_ms = self.corrected_ms.max(other.corrected_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::super::profiles::update_person_profile;
    use super::*;
    use caravanserai_games::ids::PersonId;
    use caravanserai_protocol::{Person, PersonKind};

    const NOW_MS: u64 = 1_000 * DAY_MS;

    #[test]
    fn days_that_were_not_used_are_left() {
        let mut person = PersonProfile::default();
        assert_eq!(person.start_vacation(10, NOW_MS), Some(NOW_MS + 10 * DAY_MS));
        assert_eq!(person.vacation_until(NOW_MS + 10 * DAY_MS - 1), Some(NOW_MS + 10 * DAY_MS));
        assert_eq!(person.vacation_until(NOW_MS + 10 * DAY_MS), None, "it ends by itself");
        let back_ms = NOW_MS + 2 * DAY_MS + 1;
        person.end_vacation(back_ms);
        assert_eq!(
            (person.vacation_until(back_ms), person.vacation_days_left(back_ms)),
            (None, 27)
        );
        assert_eq!(person.start_vacation(28, back_ms), None);
        assert!(person.start_vacation(27, back_ms).is_some());
        assert_eq!(person.vacation_days_left(back_ms + 27 * DAY_MS), 0);
        assert_eq!(person.vacation_days_left(NOW_MS + 368 * DAY_MS), 3, "the first are a year old");
    }

    #[test]
    fn vacations_are_kept_for_a_year() {
        let mut taken = PersonProfile::default();
        taken.start_vacation(3, NOW_MS);
        taken.end_vacation(NOW_MS + 2 * DAY_MS);
        let end_ms = NOW_MS + 2 * DAY_MS + VACATION_YEAR_MS;
        let person = Person {
            id: PersonId("tg:1".into()),
            name: "Ann".into(),
            username: None,
            locale: None,
            kind: PersonKind::Human,
            admin: false,
        };
        let vacations_after_update = |now_ms: u64| {
            let mut profile = taken.clone();
            update_person_profile(&mut profile, &person, now_ms);
            profile.vacations.len()
        };
        assert_eq!([end_ms - 1, end_ms].map(vacations_after_update), [1, 0]);
        let mut next = taken.clone();
        next.start_vacation(3, end_ms - DAY_MS);
        next.end_vacation(end_ms + DAY_MS);
        assert_eq!(next.vacations.len(), 1, "the new one");
    }

    #[test]
    fn a_vacation_that_ends_at_once_costs_no_day() {
        let mut person = PersonProfile::default();
        person.start_vacation(30, NOW_MS);
        person.end_vacation(NOW_MS + 60_000);
        assert_eq!(
            (person.vacation_until(NOW_MS + 60_000), person.vacation_days_left(NOW_MS)),
            (None, 30)
        );
        person.start_vacation(3, NOW_MS + 2 * DAY_MS);
        let again_ms = NOW_MS + 2 * DAY_MS + 60_000;
        assert_eq!(person.start_vacation(7, again_ms), Some(again_ms + 7 * DAY_MS));
        assert_eq!(person.vacations.len(), 1, "it is the same vacation");
    }

    #[test]
    fn only_one_correction_a_day_is_free() {
        let mut person = PersonProfile::default();
        let minute_ms = 60_000;
        for n in 0..4 {
            let from_ms = NOW_MS + n * 100 * minute_ms;
            assert!(person.start_vacation(5, from_ms).is_some());
            person.end_vacation(from_ms + 50 * minute_ms);
        }
        let end_ms = NOW_MS + 400 * minute_ms;
        assert_eq!(
            person.vacation_days_left(end_ms),
            27,
            "the first was free, three cost a day each"
        );
        let next_ms = NOW_MS + 2 * DAY_MS;
        person.start_vacation(5, next_ms);
        assert_eq!(person.vacation_days_left(next_ms + minute_ms), 27);
        person.end_vacation(next_ms + minute_ms);
        assert_eq!(
            person.vacation_days_left(next_ms + minute_ms),
            27,
            "a new day, a new correction"
        );
    }

    #[test]
    fn accounts_that_are_linked_and_parted_never_have_more_days() {
        let taken = |days, from_ms| {
            let mut person = PersonProfile::default();
            person.start_vacation(days, from_ms);
            person
        };
        let mut ann = taken(10, NOW_MS);
        let cyd = taken(5, NOW_MS + 20 * DAY_MS);
        let later_ms = NOW_MS + 40 * DAY_MS;
        let mut unlinked = cyd.clone();
        for _ in 0..3 {
            ann.merge_vacations(&unlinked);
            unlinked.merge_vacations(&ann);
            assert_eq!(ann.vacation_days_left(later_ms), 15);
            assert_eq!(unlinked.vacation_days_left(later_ms), 15);
        }
        ann.merge_vacations(&taken(12, NOW_MS + 4 * DAY_MS));
        assert_eq!(ann.vacation_days_left(later_ms), 9, "both were away from the fifth day on");
        ann.start_vacation(9, later_ms);
        unlinked.merge_vacations(&ann);
        assert_eq!(
            unlinked.vacation_until(later_ms),
            ann.vacation_until(later_ms),
            "both are away"
        );
    }

    #[test]
    fn a_vacation_that_was_ended_by_a_clock_ahead_stays_over() {
        let mut person = PersonProfile::default();
        let now_ms = NOW_MS + 2 * DAY_MS;
        person.start_vacation(9, NOW_MS);
        person.end_vacation(now_ms + 50 * 60_000);
        assert_eq!((person.vacation_until(now_ms), person.vacation_days_left(now_ms)), (None, 27));
        let again = now_ms + 5 * DAY_MS;
        assert_eq!(person.start_vacation(5, now_ms), Some(again));
        assert_eq!(person.vacation_until(now_ms), Some(again));
    }

    #[test]
    fn a_clock_that_was_ahead_takes_no_days() {
        let mut person = PersonProfile::default();
        person.start_vacation(5, NOW_MS + 400 * DAY_MS);
        person.end_vacation(NOW_MS);
        assert_eq!((person.vacation_until(NOW_MS), person.vacation_days_left(NOW_MS)), (None, 30));
    }
}
