//! Vacations: days for which somebody has said that they are not there.
//!
//! At tables that people play without a clock, or by one of hours and days a move, everybody sees
//! until when somebody is away; nobody calls or nudges them, and where there is a clock theirs
//! stands meanwhile. It goes on with what was left when the vacation ends: by itself, when they
//! say so, or when they play at such a table. Live clocks know no vacations.

use super::clock::{Control, Timed};
use super::decide::Decision;
use super::event::Event;
use super::fold::{Phase, Table};
use super::run::{Draft, Stamp};
use caravanserai_games::ids::PersonId;

impl Table {
    /// Whether people play each other here and need only look in now and then.
    pub fn is_leisurely(&self) -> bool {
        let control = self.timing.control;
        let people = self.phase == Phase::Lobby || self.people_seats().len() > 1;
        people && !self.is_solo() && (control == Control::Free || control.is_slow())
    }

    /// Until when whoever plays this seat is on vacation, in milliseconds since 1970.
    pub fn vacation_of(&self, seat: u8) -> Option<u64> {
        let person = &self.occupant(seat)?.person;
        let own = self.timing.vacations.iter().find(|(it, _)| it == person)?;
        Some(own.1).filter(|_| self.is_open() && self.is_leisurely())
    }

    /// Whether it is noted here that somebody is on vacation, and until when.
    pub fn notes_vacation(&self, person: &PersonId) -> Option<u64> {
        self.timing.vacations.iter().find(|(it, _)| it == person).map(|it| it.1)
    }

    /// The seats whose people are on vacation, one for each, and until when.
    pub fn vacations(&self) -> Vec<(u8, u64)> {
        let all = self.people_seats().into_iter();
        all.filter_map(|seat| Some((seat, self.vacation_of(seat)?))).collect()
    }

    /// Applies that a vacation begins, or is to last otherwise.
    pub(super) fn goes_away(&mut self, person: &PersonId, until_ms: u64) {
        let own = |seat: u8| self.occupant(seat).is_some_and(|it| it.person == *person);
        let interrupted = self.timing.running.map(|it| it.turn).filter(|it| own(it.0));
        self.timing.interrupted = interrupted.or(self.timing.interrupted);
        self.timing.vacations.retain(|(it, _)| it != person);
        self.timing.vacations.push((person.clone(), until_ms));
    }

    /// Applies that it is over.
    pub(super) fn is_home(&mut self, person: &PersonId, at_ms: u64) {
        self.timing.vacations.retain(|(it, _)| it != person);
        let own: Vec<u8> = self.seats_of(person).collect();
        own.into_iter().for_each(|seat| self.touch(seat, at_ms));
    }
}

/// Whoever plays here goes on vacation, or says for how long anew; `None` where that is no matter.
pub fn begins(table: &Table, person: &PersonId, until_ms: u64) -> Option<Event> {
    let plays = table.seats_of(person).next().is_some();
    let counts = plays && table.is_open() && table.is_leisurely();
    let is_new = table.notes_vacation(person) != Some(until_ms);
    (counts && is_new).then(|| Event::Time(Timed::Vacation { person: person.clone(), until_ms }))
}

/// Adds the vacations of people to the decision that gives them a seat: their clocks stand from the
/// start.
pub fn add_to(decision: Decision, away: impl IntoIterator<Item = (PersonId, u64)>) -> Decision {
    let Some(last) = decision.lines.last() else { return decision };
    let stamp = Stamp::at(last.at_ms, last.cause.clone());
    let mut draft = Draft::again(decision, stamp);
    for (person, until_ms) in away {
        if let Some(event) = begins(&draft.next, &person, until_ms) {
            draft.add(event);
        }
    }
    draft.done()
}

/// Their vacation is over; `None` where none is known.
pub fn ends(table: &Table, person: &PersonId) -> Option<Event> {
    let known = table.is_open() && table.notes_vacation(person).is_some();
    known.then(|| Event::Time(Timed::Home { person: person.clone() }))
}

/// When the next vacation ends by itself, in milliseconds since 1970.
pub(super) fn deadline(table: &Table) -> Option<u64> {
    table.timing.vacations.iter().map(|it| it.1).min()
}

/// Vacations that have ended by themselves.
pub(super) fn over(table: &Table, now_ms: u64) -> Option<Decision> {
    let past = table.timing.vacations.iter().filter(|it| it.1 <= now_ms);
    let past: Vec<PersonId> = past.map(|it| it.0.clone()).collect();
    if past.is_empty() {
        return None;
    }
    let mut draft = Draft::of(table, Stamp::of_time(now_ms));
    past.into_iter().for_each(|person| draft.add(Event::Time(Timed::Home { person })));
    Some(draft.done())
}
