//! Handles vacations: announced absences of players, counted in days.
//!
//! A vacation applies at tables that people play without a clock, or with one of hours and days per
//! move. Everybody there sees the end of the vacation, nobody reminds or nudges the player, and
//! their clock is stopped. The clock continues with the time that was left when the vacation ends:
//! by itself, when the player ends it, or when they move at such a table. Live clocks have no
//! vacations.

use super::clock::{ClockEvent, TimeControl};
use super::decide::Decision;
use super::decision_builder::{DecisionBuilder, EventMeta};
use super::event::Event;
use super::state::{Table, TablePhase};
use caravanserai_games::ids::PersonId;

impl Table {
    /// Whether people play each other here and need only look in now and then.
    pub fn allows_vacation(&self) -> bool {
        let control = self.clocks.control;
        let people = self.phase == TablePhase::Lobby || self.seating.people_seats().len() > 1;
        people && !self.is_solo() && (control == TimeControl::Unlimited || control.is_slow())
    }

    /// The end of the vacation of this seat's player, in milliseconds since 1970.
    pub fn vacation_until(&self, seat: u8) -> Option<u64> {
        let person = &self.seating.occupant(seat)?.person;
        let until_ms = self.clocks.recorded_vacation(person)?;
        Some(until_ms).filter(|_| self.is_open() && self.allows_vacation())
    }

    /// The seats whose players are on vacation, one for each, and the end of each vacation.
    pub fn vacationing_seats(&self) -> Vec<(u8, u64)> {
        let all = self.seating.people_seats().into_iter();
        all.filter_map(|seat| Some((seat, self.vacation_until(seat)?))).collect()
    }
}

/// The event by which a player's vacation starts or changes its end; `None` where it has no effect.
pub fn vacation_start_event(table: &Table, person: &PersonId, until_ms: u64) -> Option<Event> {
    let plays = table.seating.is_seated(person);
    let counts = plays && table.is_open() && table.allows_vacation();
    let is_new = table.clocks.recorded_vacation(person) != Some(until_ms);
    (counts && is_new)
        .then(|| Event::Clock(ClockEvent::VacationStarted { person: person.clone(), until_ms }))
}

/// Adds the vacations of people to the decision that seats them: their clocks are stopped from the
/// start.
pub fn add_vacations(
    decision: Decision,
    away: impl IntoIterator<Item = (PersonId, u64)>,
) -> Decision {
    let Some(meta) = EventMeta::of_last_line(&decision) else { return decision };
    let mut draft = DecisionBuilder::continue_from(decision, meta);
    for (person, until_ms) in away {
        if let Some(event) = vacation_start_event(&draft.table, &person, until_ms) {
            draft.add(event);
        }
    }
    draft.finish()
}

/// The event that ends their vacation; `None` where none is recorded.
pub fn vacation_end_event(table: &Table, person: &PersonId) -> Option<Event> {
    let known = table.is_open() && table.clocks.recorded_vacation(person).is_some();
    known.then(|| Event::Clock(ClockEvent::VacationEnded { person: person.clone() }))
}

/// The time at which the next vacation ends by itself, in milliseconds since 1970.
pub(super) fn vacation_deadline(table: &Table) -> Option<u64> {
    table.clocks.vacations.iter().map(|it| it.1).min()
}

/// Ends the vacations whose time is over.
pub(super) fn end_vacations(table: &Table, now_ms: u64) -> Option<Decision> {
    let past = table.clocks.vacations.iter().filter(|it| it.1 <= now_ms);
    let past: Vec<PersonId> = past.map(|it| it.0.clone()).collect();
    if past.is_empty() {
        return None;
    }
    let mut draft = DecisionBuilder::new(table, EventMeta::of_timer(now_ms));
    past.into_iter()
        .for_each(|person| draft.add(Event::Clock(ClockEvent::VacationEnded { person })));
    Some(draft.finish())
}
