//! When somebody is reminded of their turn in a slow game: at half, at a fifth and in the last
//! hour of their time, as far as they want that.

use crate::ids::PersonId;
use crate::ledger::profiles::PersonProfile;
use crate::ledger::rows::{Due, DueKind};
use crate::ledger::{Failure, Ledger};
use crate::store::Put;
use crate::table::clock::{self, Running};
use crate::table::fold::Table;

/// Minutes of a day.
const DAY_MIN: i64 = 24 * 60;

/// How often somebody wants to be reminded of one turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Often {
    /// At half, at a fifth and in the last hour.
    #[default]
    Each,
    /// In the last hour only.
    Last,
    /// Not at all.
    Never,
}

/// How somebody wants to be reminded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preferences {
    /// How often.
    pub often: Often,
    /// From when until when they are left alone, in minutes since midnight where they live.
    pub quiet: Option<(u16, u16)>,
    /// How many minutes their clock is ahead of UTC.
    pub zone_min: i16,
}

/// What becomes of a reminder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// It is said.
    Now,
    /// It is said then, in milliseconds since 1970.
    Later(u64),
    /// It is not said.
    Never,
}

/// How this person wants to be reminded: the only place that knows. Nobody has said anything
/// else yet than what all get.
pub fn preferences(_person: &PersonProfile) -> Preferences {
    Preferences::default()
}

/// What becomes of a reminder of this turn that is due now.
pub fn when(wanted: Preferences, running: &Running, now_ms: u64) -> When {
    let is_last = clock::next_reminder(running, now_ms).is_none();
    match wanted.often {
        Often::Never => return When::Never,
        Often::Last if !is_last => return When::Never,
        Often::Each | Often::Last => {}
    }
    let Some((from, until)) = wanted.quiet else { return When::Now };
    let now_min = i64::try_from(now_ms / 60_000).unwrap_or_default() + i64::from(wanted.zone_min);
    let since = (now_min - i64::from(from)).rem_euclid(DAY_MIN);
    let lasts = (i64::from(until) - i64::from(from)).rem_euclid(DAY_MIN);
    if since >= lasts {
        return When::Now;
    }
    let later_ms = now_ms + (lasts - since).unsigned_abs() * 60_000;
    // Whose time runs out while they sleep is told before they wake, or never.
    if later_ms < running.until_ms { When::Later(later_ms) } else { When::Never }
}

/// Whether whoever is on turn at this table is to be called now, and what is put into the list of
/// deadlines for the next time.
///
/// # Errors
/// When the store cannot be read.
pub(super) async fn called(
    ledger: &Ledger,
    table: &Table,
    due: Due,
    now_ms: u64,
) -> Result<(bool, Option<Put>), Failure> {
    let slow = table.timing.control.is_slow() && table.offer.is_none();
    let Some(running) = table.running().filter(|_| slow) else { return Ok((true, None)) };
    let person: Option<&PersonId> = table.occupant(running.turn.0).map(|it| &it.person);
    let profile = match person {
        Some(person) => ledger.person(person).await?,
        None => PersonProfile::default(),
    };
    let again = |at_ms: u64| Due { kind: DueKind::Call, ..due }.put(at_ms, &table.id);
    Ok(match when(preferences(&profile), running, now_ms) {
        When::Later(at_ms) => (false, Some(again(at_ms))),
        said => (said == When::Now, clock::next_reminder(running, now_ms).map(again)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR_MS: u64 = 3_600_000;

    /// A day for a move, that began at midnight of 1970-01-02 in London.
    fn running() -> Running {
        let (from_ms, until_ms) = (24 * HOUR_MS, 48 * HOUR_MS);
        let (credited_ms, given_ms) = (0, 0);
        Running { turn: (0, 7), from_ms, until_ms, credited_ms, given_ms, version: 8 }
    }

    #[test]
    fn a_day_has_three_reminders() {
        let running = running();
        let half = clock::next_reminder(&running, running.from_ms);
        assert_eq!(half, Some(36 * HOUR_MS));
        let fifth = clock::next_reminder(&running, 36 * HOUR_MS).expect("there is another");
        assert_eq!(fifth, running.until_ms - 24 * HOUR_MS / 5);
        let last = clock::next_reminder(&running, fifth);
        assert_eq!(last, Some(47 * HOUR_MS));
        assert_eq!(clock::next_reminder(&running, 47 * HOUR_MS), None);
    }

    #[test]
    fn whoever_sleeps_is_reminded_when_they_wake_if_there_is_time_left() {
        // From 22 to 7 o’clock, where it is five hours later than in London.
        let quiet = Some((22 * 60, 7 * 60));
        let night = Preferences { quiet, zone_min: 300, ..Default::default() };
        let at = |hour: u64| when(night, &running(), hour * HOUR_MS);
        assert_eq!(at(36), When::Now, "17 o’clock");
        assert_eq!(at(25), When::Later(26 * HOUR_MS), "6 o’clock");
        assert_eq!(at(42), When::Never, "23 o’clock: all is over before they wake");
        let never = Preferences { often: Often::Never, ..Default::default() };
        assert_eq!(when(never, &running(), 36 * HOUR_MS), When::Never);
        let last = Preferences { often: Often::Last, ..Default::default() };
        assert_eq!(when(last, &running(), 36 * HOUR_MS), When::Never);
        assert_eq!(when(last, &running(), 47 * HOUR_MS), When::Now);
    }
}
