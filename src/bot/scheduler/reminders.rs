//! Decides when a player is reminded of their turn in a slow game: at half, at a fifth and in the
//! last hour of their time, according to their settings.

use crate::repository::effects::next_waiting_ping;
use crate::repository::profiles::PersonProfile;
use crate::repository::stored_rows::{Deadline, DeadlineKind, PingPurpose, PingedTurn};
use crate::repository::{Failure, Repository};
use crate::settings::PingTiming;
use crate::views::pending_offers;
use caravanserai_store::Put;
use caravanserai_table::clock::SlowTurn;
use caravanserai_table::state::Table;

/// The decision about a due reminder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReminderDecision {
    /// Send it now.
    Now,
    /// Send it at this time, in milliseconds since 1970.
    Later(u64),
    /// Do not send it.
    Never,
}

/// Decides whether a reminder of this turn that is due now is sent to a person with this profile.
pub fn decide_reminder(person: &PersonProfile, slow: &SlowTurn, now_ms: u64) -> ReminderDecision {
    let is_last = slow.next_reminder(now_ms).is_none();
    match person.pings {
        PingTiming::Never => return ReminderDecision::Never,
        PingTiming::Seldom if !is_last => return ReminderDecision::Never,
        PingTiming::Usual | PingTiming::Seldom => {}
    }
    match person.end_of_quiet_hours(now_ms) {
        at_ms if at_ms <= now_ms => ReminderDecision::Now,
        // During quiet hours it is sent when they end, if the player still has time then.
        at_ms if at_ms < slow.running.until_ms => ReminderDecision::Later(at_ms),
        _ => ReminderDecision::Never,
    }
}

/// Whether the player to move on this seat is reminded now, and the deadline row of the next
/// reminder.
///
/// # Errors
/// When the store cannot be read.
pub(super) async fn reminder_ping(
    repository: &Repository,
    table: &Table,
    seat: u8,
    due: Deadline,
    now_ms: u64,
) -> Result<(bool, Option<Put>), Failure> {
    let Some(occupant) = table.seating.occupant(seat) else { return Ok((false, None)) };
    let person = repository.profiles().load_person(&occupant.person).await?;
    let again = |at_ms: u64| Deadline { kind: DeadlineKind::Ping, ..due }.put(at_ms, &table.id);
    let next = next_waiting_ping(table, repository.limits(), Some(now_ms));
    let next_put = next.map(|(at_ms, ping)| ping.put(at_ms, &table.id));
    if let Some(slow) = due.purpose.reminded_turn(table) {
        return Ok(match decide_reminder(&person, &slow, now_ms) {
            // An offer that was just made is pinged about first, with the deadline.
            ReminderDecision::Later(at_ms)
                if next.is_none_or(|it| it.1.purpose.is_turn_reminder || at_ms < it.0) =>
            {
                // Lines until then do not repeat it: it counts as sent.
                let purpose = PingPurpose::turn_reminder();
                let turn = PingedTurn::of(table, purpose);
                let (version, kind) = (table.version, DeadlineKind::Ping);
                let ping = Deadline { version, kind, purpose, turn, ..Deadline::default() };
                (false, Some(ping.put(at_ms, &table.id)))
            }
            decision => (decision == ReminderDecision::Now, next_put),
        });
    }
    if table.offers.pending.is_some() || !table.seats_yet_to_confirm(None).is_empty() {
        // Several people may be pinged. The outbox checks the settings of each.
        return Ok((true, next_put));
    }
    if pending_offers::is_too_late_to_ping(table, seat, now_ms) {
        return Ok((false, None));
    }
    Ok(match person.ping_time(table.times.last_event_ms, now_ms) {
        None => (false, None),
        Some(at_ms) if at_ms > now_ms => (false, Some(again(at_ms))),
        Some(_) => (true, None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::preferences::QuietHours;
    use caravanserai_games::time_units::HOUR_MS;
    use caravanserai_table::clock::RunningClock;

    /// A day for a move, which began at midnight UTC of 1970-01-02.
    fn slow() -> SlowTurn {
        let from_ms = 24 * HOUR_MS;
        let until_ms = 48 * HOUR_MS;
        let credited_ms = 0;
        let given_ms = 0;
        let running = RunningClock {
            turn: (0, 7),
            from_ms,
            until_ms,
            refunded_ms: credited_ms,
            outage_refunded_ms: given_ms,
            version: 8,
        };
        SlowTurn { running, sent_reminders: [false; 3] }
    }

    #[test]
    fn a_day_has_three_reminders() {
        let slow = slow();
        let half = slow.next_reminder(slow.running.from_ms);
        assert_eq!(half, Some(36 * HOUR_MS));
        let fifth = slow.next_reminder(36 * HOUR_MS).expect("there is another");
        assert_eq!(fifth, slow.running.until_ms - 24 * HOUR_MS / 5);
        let last = slow.next_reminder(fifth);
        assert_eq!(last, Some(47 * HOUR_MS));
        assert_eq!(slow.next_reminder(47 * HOUR_MS), None);
    }

    #[test]
    fn returned_time_repeats_no_reminder() {
        let plain = slow();
        let half = 36 * HOUR_MS;
        // A minute was refunded an hour after the reminder at half of the time.
        let refunded_at_ms = half + HOUR_MS;
        let refunded = plain.with_refund(60_000, refunded_at_ms, 0);
        let next = refunded.next_reminder(refunded_at_ms);
        assert_eq!(
            next,
            Some(refunded.running.until_ms - (24 * HOUR_MS + 60_000) / 5),
            "at a fifth"
        );
        // No bot ran at half of the time: the reminder is sent later.
        let missed = plain.with_refund(3 * HOUR_MS, refunded_at_ms, 3 * HOUR_MS);
        let next = missed.next_reminder(refunded_at_ms);
        assert_eq!(next, Some(37 * HOUR_MS + HOUR_MS / 2));
        // The same applies if their board is also shown late.
        let late = missed.with_refund(60_000, refunded_at_ms + 60_000, 0);
        let next = late.next_reminder(refunded_at_ms + 60_000);
        assert_eq!(next, Some(37 * HOUR_MS + HOUR_MS / 2 + 30_000));
        // Their board was shown late, and meanwhile they were reminded an hour before the end.
        let refunded_at_ms = 47 * HOUR_MS + 120_000;
        let late = plain.with_refund(600_000, refunded_at_ms, 0);
        assert_eq!(late.next_reminder(refunded_at_ms), None);
    }

    #[test]
    fn people_who_sleep_are_reminded_when_they_wake_if_there_is_time_left() {
        // From 22:00 to 7:00, in a time zone five hours ahead of UTC.
        let night = PersonProfile {
            quiet_hours: Some(QuietHours { from: 22, to: 7 }),
            zone_min: 300,
            ..PersonProfile::default()
        };
        let at = |hour: u64| decide_reminder(&night, &slow(), hour * HOUR_MS);
        assert_eq!(at(36), ReminderDecision::Now, "17 o’clock");
        assert_eq!(at(25), ReminderDecision::Later(26 * HOUR_MS), "6 o’clock");
        assert_eq!(at(42), ReminderDecision::Never, "23 o’clock: all is over before they wake");
        let with_pings = |pings| PersonProfile { pings, ..PersonProfile::default() };
        assert_eq!(
            decide_reminder(&with_pings(PingTiming::Never), &slow(), 36 * HOUR_MS),
            ReminderDecision::Never
        );
        let last = with_pings(PingTiming::Seldom);
        assert_eq!(decide_reminder(&last, &slow(), 36 * HOUR_MS), ReminderDecision::Never);
        assert_eq!(decide_reminder(&last, &slow(), 47 * HOUR_MS), ReminderDecision::Now);
    }
}
