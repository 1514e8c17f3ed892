//! Decides which week a digest is due for: on Mondays at 9 o'clock in the time zone of the chat, or
//! up to a day later.

use serde::{Deserialize, Serialize};

use crate::repository::{self, DAY_MS, MINUTE_MS};

/// An hour, in milliseconds.
const HOUR_MS: i64 = repository::HOUR_MS as i64;

/// A day, in milliseconds.
const LOCAL_DAY_MS: i64 = DAY_MS as i64;

/// The hour of the day of a digest.
const DIGEST_HOUR: i64 = 9;

/// The days of a week.
const WEEK_DAYS: i64 = 7;

/// The number of days from a Monday to 1 January 1970.
const FIRST_WEEKDAY: i64 = 3;

/// The offsets from UTC of the first and the last zone in which it becomes Monday, in minutes.
const ZONES_MIN: (i16, i16) = (14 * 60, -12 * 60);

/// How late a digest may be, in milliseconds.
pub(super) const DELAY_MAX_MS: u64 = DAY_MS;

/// The last week that was decided about in a chat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DigestMark {
    /// The Monday on which the digest was due, in days since 1970.
    pub(super) monday: i64,
    /// The time at which it was due, in milliseconds since 1970: later games belong to the next
    /// week.
    pub(super) until_ms: u64,
}

/// A week that has to be decided about now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DueWeek {
    /// The mark to store with the decision.
    pub(super) mark: DigestMark,
    /// The beginning of the week, in milliseconds since 1970; its end is that of the mark.
    pub(super) from_ms: u64,
}

impl DueWeek {
    /// The week for which a chat in this zone gets a digest now; `None` if that was decided
    /// before or would be too late. `last`: the last decision.
    pub(super) fn at(now_ms: u64, zone_min: i16, last: Option<DigestMark>) -> Option<DueWeek> {
        let mark = last_due(now_ms, zone_min);
        let is_decided = last.is_some_and(|it| it.monday >= mark.monday);
        if is_decided || now_ms >= mark.until_ms.saturating_add(DELAY_MAX_MS) {
            return None;
        }
        // After a change of the zone no game counts twice, and none is left out.
        let week_ms = WEEK_DAYS as u64 * DAY_MS;
        let usual_ms = mark.until_ms.saturating_sub(week_ms);
        let is_last_week = |it: &DigestMark| {
            (usual_ms.saturating_sub(DAY_MS)..mark.until_ms).contains(&it.until_ms)
        };
        let from_ms = last.filter(is_last_week).map_or(usual_ms, |it| it.until_ms);
        Some(DueWeek { mark, from_ms })
    }

    /// Whether the decision can still wait, because not all games of the week are known.
    pub(super) fn can_wait(&self, now_ms: u64) -> bool {
        now_ms < self.mark.until_ms.saturating_add(DELAY_MAX_MS - repository::HOUR_MS)
    }
}

/// Whether a digest can be due in any zone at this time.
pub(super) fn is_digest_time(now_ms: u64) -> bool {
    let (first, last) = ZONES_MIN;
    let zones_ms = u64::from(first.abs_diff(last)) * MINUTE_MS;
    now_ms < last_due(now_ms, first).until_ms + zones_ms + DELAY_MAX_MS
}

/// The last Monday at [`DIGEST_HOUR`] in this zone until now.
fn last_due(now_ms: u64, zone_min: i16) -> DigestMark {
    let zone_ms = i64::from(zone_min) * MINUTE_MS as i64;
    let now_ms = i64::try_from(now_ms).unwrap_or(i64::MAX / 2);
    let day = (now_ms + zone_ms - DIGEST_HOUR * HOUR_MS).div_euclid(LOCAL_DAY_MS);
    let monday = day - (day + FIRST_WEEKDAY).rem_euclid(WEEK_DAYS);
    let until_ms = monday * LOCAL_DAY_MS + DIGEST_HOUR * HOUR_MS - zone_ms;
    DigestMark { monday, until_ms: u64::try_from(until_ms).unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = repository::HOUR_MS;

    /// Monday, 23 November 2026, 9:00 UTC.
    const MONDAY_MS: u64 = 1_795_424_400_000;

    fn due(now_ms: u64, zone_min: i16, last: Option<DigestMark>) -> Option<DueWeek> {
        DueWeek::at(now_ms, zone_min, last)
    }

    #[test]
    fn a_digest_is_due_on_monday_at_nine_in_the_zone_of_the_chat() {
        let week = due(MONDAY_MS, 0, None).expect("it is due");
        assert_eq!((week.mark.until_ms, week.from_ms), (MONDAY_MS, MONDAY_MS - 7 * DAY_MS));
        assert_eq!(due(MONDAY_MS - 1, 0, None), None, "a millisecond before nine");
        let almaty = due(MONDAY_MS - 5 * HOUR, 300, None).expect("it is nine in Kazakhstan");
        assert_eq!(almaty.mark.until_ms, MONDAY_MS - 5 * HOUR);
        assert_eq!(due(MONDAY_MS, -480, None), None, "it is one in the night there");
        assert!(due(MONDAY_MS + 8 * HOUR, -480, None).is_some());
        assert!(due(MONDAY_MS - 11 * HOUR / 2, 330, None).is_some(), "half an hour counts");
    }

    #[test]
    fn a_digest_is_a_day_late_at_most() {
        let late = MONDAY_MS + DAY_MS;
        let week = due(late - 1, 0, None).expect("it is still due");
        assert_eq!(week.mark.until_ms, MONDAY_MS, "games after nine belong to the next week");
        assert_eq!(due(late, 0, None), None);
        assert_eq!(due(MONDAY_MS + 5 * DAY_MS, 0, None), None);
    }

    #[test]
    fn a_week_is_decided_once_in_whatever_zone() {
        for zone in [-720, -480, 0, 330, 840] {
            let due_ms = last_due(MONDAY_MS + 2 * DAY_MS, zone).until_ms;
            let mark = due(due_ms, zone, None).expect("it is due").mark;
            for other in [-720, -480, 0, 330, 840] {
                for hour in 0..72 {
                    let again = due(due_ms + hour * HOUR, other, Some(mark));
                    assert_eq!(again, None, "from {zone} to {other}, {hour} hours later");
                }
            }
        }
    }

    #[test]
    fn the_next_week_begins_where_the_last_one_ended() {
        let last = due(MONDAY_MS, 0, None).map(|it| it.mark);
        let next = due(MONDAY_MS + 7 * DAY_MS - 5 * HOUR, 300, last).expect("it is due");
        assert_eq!(next.from_ms, MONDAY_MS, "the zone has changed");
        let next = due(MONDAY_MS + 7 * DAY_MS + 8 * HOUR, -480, last).expect("it is due");
        assert_eq!(next.from_ms, MONDAY_MS);
        let later = due(MONDAY_MS + 21 * DAY_MS, 0, last).expect("it is due");
        assert_eq!(later.from_ms, MONDAY_MS + 14 * DAY_MS, "a digest covers one week");
    }

    #[test]
    fn nothing_is_looked_for_from_wednesday_to_saturday() {
        let looked = |ms: u64| is_digest_time(ms);
        assert!(looked(MONDAY_MS) && looked(MONDAY_MS - 14 * HOUR));
        assert!(!looked(MONDAY_MS - 14 * HOUR - 1));
        assert!(looked(MONDAY_MS + 36 * HOUR - 1) && !looked(MONDAY_MS + 36 * HOUR));
    }
}
