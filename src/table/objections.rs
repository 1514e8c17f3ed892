//! Gives a player who is to be replaced time to object: their silence counts only while the game
//! waits for them.

use super::clock::TimeControl;
use super::offer_state::SilentWait;
use super::state::Table;
use caravanserai_games::time_units::{DAY_MS, MINUTE_MS};

/// The shortest time to object to being replaced at a table with a clock, in milliseconds. If the
/// initial time of the clock is longer, the player has that time.
const OBJECTION_MIN_MS: u64 = 10 * MINUTE_MS;

/// The time to object to being replaced at a table without a clock, in milliseconds: players sleep
/// at night.
const OBJECTION_UNTIMED_MS: u64 = DAY_MS;

/// A window in which a player may object to being replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectionWindow {
    /// The seat of the player who may object.
    pub seat: u8,
    /// The end of the window, in milliseconds since 1970.
    pub until_ms: u64,
    /// The length of the window, in milliseconds.
    pub lasts_ms: u64,
}

/// Returns the player who may still object to being replaced, and the end of the window. They
/// decide at once by agreeing or declining. If they do not answer while the game waits for their
/// move, the others may continue without them, but not before the window ends: a quick agreement of
/// the others must not push out a player who only looked away.
pub fn objection_window(table: &Table) -> Option<ObjectionWindow> {
    let seat = objecting_seat(table)?;
    // The consent of a player who is away is not needed.
    if table.is_away(seat) || !is_expected_to_act(table, seat) {
        return None;
    }
    let until_ms = silence_ends_ms(table, seat);
    Some(ObjectionWindow { seat, until_ms, lasts_ms: objection_window_ms(table) })
}

/// The seat of a player who may still object to being replaced.
pub(super) fn objecting_seat(table: &Table) -> Option<u8> {
    let pending = table.offers.pending?;
    let seat = table.offers.seat_to_replace()?;
    let may_object = can_object(table, pending.proposer_seat(), seat)
        && !table.offers.agreed_seats.contains(&seat);
    may_object.then_some(seat)
}

/// Whether a person who did not propose the replacement has the seat.
pub(super) fn can_object(table: &Table, by: Option<u8>, seat: u8) -> bool {
    !table.seating.is_computer(seat)
        && by.is_none_or(|by| table.seating.person(by) != table.seating.person(seat))
}

/// Whether silence of this player counts: the game waits for their move. It waits for nobody during
/// an agreed pause, a player on vacation has announced not to look at the table, and one whose last
/// route others closed cannot answer.
pub(super) fn is_expected_to_act(table: &Table, seat: u8) -> bool {
    table.seat_to_move() == Some(seat)
        && !table.clocks.paused
        && table.vacation_until(seat).is_none()
        && table.involuntary_departure(seat).is_none()
}

/// The time from which on the silence of a player who may object decides, in milliseconds since
/// 1970. They may have gone away after the others agreed: then it decides at once.
pub(super) fn silence_decides_ms(table: &Table) -> Option<u64> {
    let seat = objecting_seat(table)?;
    match table.is_away(seat) {
        true => Some(table.offers.offered_ms),
        false => objection_window(table).map(|it| it.until_ms),
    }
}

/// How long the player of this seat has been silent about the offer, in milliseconds.
fn silent_wait(table: &Table, seat: u8) -> SilentWait {
    table.offers.silent_wait.after_action(table.seating.last_action_ms(seat))
}

pub(super) fn silence_ends_ms(table: &Table, seat: u8) -> u64 {
    silent_wait(table, seat).ends_ms(objection_window_ms(table))
}

/// The time since which a player who may object has been silent, in milliseconds since 1970.
pub(super) fn silent_since_ms(table: &Table) -> Option<u64> {
    Some(silent_wait(table, objection_window(table)?.seat).since_ms())
}

/// Extends the wait by a time in which nobody could object.
pub(super) fn extend_silent_wait(table: &mut Table, ms: u64, at_ms: u64) {
    let Some(ObjectionWindow { seat, .. }) = objection_window(table) else { return };
    table.offers.silent_wait = silent_wait(table, seat).extended(ms, at_ms);
}

/// The time after which a silent player may be passed over, in milliseconds.
pub(super) fn objection_window_ms(table: &Table) -> u64 {
    match table.clocks.control {
        TimeControl::Unlimited => OBJECTION_UNTIMED_MS,
        control => control.initial_ms().max(OBJECTION_MIN_MS),
    }
}
