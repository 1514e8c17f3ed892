#![doc = include_str!("presence.md")]

use super::absence;
use super::clock::Timed;
use super::command::Actor;
use super::decide::Decision;
use super::event::{Cause, Event, Line};
use super::fold::{Phase, Table};
use super::lobby;
use super::run::{Draft, Stamp};
use crate::ids::{PersonId, PlaceId};

/// How long a person to whom no way is open can come back before they are away, in milliseconds.
pub const LEFT_GRACE_MS: u64 = 10 * 60_000;

/// How a person comes to be in a place no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// They left, or blocked the bot.
    Left,
    /// Others removed or banned them.
    Removed,
}

/// A person to whom no way is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Since when, in milliseconds since 1970.
    pub since_ms: u64,
    /// How.
    pub how: Departure,
}

/// The ways of people to a table, as far as its log tells them.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    /// Where people sat down or acted, if that is not only where they are looked for anyway.
    known: Vec<(PersonId, PlaceId)>,
    /// What is closed to whom: a chat, or everything on a platform.
    closed: Vec<(PersonId, String)>,
}

/// What a line says of a way beside its event. It stands in the cause of the line: programs that
/// know no ways read such a line as any other.
enum Told<'a> {
    Gone(Departure, &'a str),
    Closed(&'a str),
    Opened(&'a str),
}

fn read(cause: &str) -> Option<Told<'_>> {
    let (word, what) = cause.split_once(':')?;
    Some(match word {
        "left" => Told::Gone(Departure::Left, what),
        "removed" => Told::Gone(Departure::Removed, what),
        "closed" => Told::Closed(what),
        "opened" => Told::Opened(what),
        _ => return None,
    })
}

/// Whether a place lies in this chat, or on this platform.
fn is_in(place: &PlaceId, what: &str) -> bool {
    place.chat() == what || place.platform() == what
}

impl Ways {
    /// Somebody was in a place.
    pub(super) fn know(&mut self, person: &PersonId, place: &PlaceId) {
        if !self.known.iter().any(|it| it.0 == *person && it.1 == *place) {
            self.known.push((person.clone(), place.clone()));
        }
        self.open(person, place.chat());
    }

    fn close(&mut self, person: &PersonId, what: &str) {
        self.open(person, what);
        self.closed.push((person.clone(), what.to_owned()));
    }

    /// Whoever is in a chat of a platform has an account there.
    fn open(&mut self, person: &PersonId, what: &str) {
        let chat = PlaceId(what.to_owned());
        self.closed.retain(|it| it.0 != *person || !is_in(&chat, &it.1));
    }

    fn is_closed(&self, person: &PersonId, place: &PlaceId) -> bool {
        self.closed.iter().any(|it| it.0 == *person && is_in(place, &it.1))
    }

    pub(super) fn is_known(&self, person: &PersonId) -> bool {
        self.known.iter().any(|it| it.0 == *person)
    }

    /// A table does not stand in a place any more.
    pub(super) fn forget(&mut self, place: &PlaceId) {
        self.known.retain(|it| it.1 != *place);
    }

    /// A place has another id.
    pub(super) fn rename(&mut self, from: &PlaceId, to: &PlaceId) {
        self.known.iter_mut().filter(|it| it.1 == *from).for_each(|it| it.1.clone_from(to));
        let closed = self.closed.iter_mut().filter(|it| it.1 == from.chat());
        closed.for_each(|it| it.1 = to.chat().to_owned());
    }

    /// An account counts as this person.
    pub(super) fn becomes(&mut self, account: &PersonId, person: &PersonId) {
        let own = self.known.iter_mut().map(|it| &mut it.0);
        let own = own.chain(self.closed.iter_mut().map(|it| &mut it.0));
        own.filter(|it| **it == *account).for_each(|it| it.clone_from(person));
    }
}

impl Table {
    /// Where this person can see the board and act, as far as no platform said otherwise.
    pub fn open_ways<'t>(&'t self, person: &'t PersonId) -> impl Iterator<Item = &'t PlaceId> {
        let usual = self.usual_place_of(person).filter(|_| !self.ways.is_known(person));
        let is_way = move |place: &PlaceId| {
            usual == Some(place)
                || self.ways.known.iter().any(|it| it.0 == *person && it.1 == *place)
        };
        let spots = self.spots().filter(move |it| match it.reader {
            Some(reader) => reader == person && !it.watches,
            None => is_way(it.place),
        });
        spots.map(|it| it.place).filter(|it| !self.ways.is_closed(person, it))
    }

    /// Whether a platform said that this place is closed to somebody.
    pub(super) fn is_closed_to(&self, person: &PersonId, place: &PlaceId) -> bool {
        self.ways.is_closed(person, place)
    }

    /// Where somebody was known to be, beside the last place: these are ways at the next table too.
    pub(super) fn known_ways(&self) -> impl Iterator<Item = (&PersonId, &PlaceId)> {
        let open = |it: &&(PersonId, PlaceId)| !self.ways.is_closed(&it.0, &it.1);
        let here = |it: &&(PersonId, PlaceId)| self.spot(&it.1).is_some();
        self.ways.known.iter().filter(open).filter(here).map(|it| (&it.0, &it.1))
    }

    /// Whether no way is open to the person of this seat, and they are not away yet.
    pub fn is_left(&self, seat: u8) -> bool {
        self.grace_until(seat).is_some()
    }

    /// Until when somebody who left can come back before they are away, in milliseconds since
    /// 1970.
    pub fn grace_until(&self, seat: u8) -> Option<u64> {
        let left = self.left(seat).filter(|_| !self.is_away(seat))?;
        Some(left.since_ms + LEFT_GRACE_MS)
    }

    /// Since when and how the person of this seat is gone, if no way is open to them.
    pub fn left(&self, seat: u8) -> Option<Left> {
        self.absence(seat).left.filter(|_| !self.is_computer(seat))
    }

    /// Why a game ended that was claimed from this seat: they had left, unless their time was up.
    pub fn claimed_for(&self, seat: u8) -> Option<Departure> {
        let late = self.timing.late.filter(|it| it.0 == seat);
        let is_late = late.is_some() && late == self.last_turn();
        self.left(seat).filter(|_| !is_late).map(|it| it.how)
    }

    /// Applies that no way is open to somebody.
    pub(super) fn gone(&mut self, person: &PersonId, line: &Line) {
        let how = match read(&line.cause) {
            Some(Told::Gone(how, what)) => {
                self.ways.close(person, what);
                Some(how)
            }
            Some(Told::Closed(_) | Told::Opened(_)) | None => None,
        };
        let own: Vec<u8> = self.seats_of(person).collect();
        for seat in own {
            let new = Left { since_ms: line.at_ms, how: how.unwrap_or(Departure::Left) };
            if let Some(absence) = self.absence_mut(seat) {
                absence.left = absence.left.or(Some(new));
                absence.away |= how.is_none();
            }
            let running = self.timing.running.map(|it| it.turn);
            if how.is_none() {
                let own = running.filter(|it| it.0 == seat);
                self.timing.interrupted = own.or(self.timing.interrupted);
            }
        }
    }

    /// Applies what a line says of the ways of somebody who came to a place.
    pub(super) fn note_way(&mut self, person: &PersonId, place: &PlaceId, cause: &str) {
        match read(cause) {
            Some(Told::Closed(what)) => self.ways.close(person, what),
            Some(Told::Opened(what)) => self.reopen(person, what),
            Some(Told::Gone(..)) | None => {
                let seats = self.chairs.iter().find(|it| it.person == *person);
                match seats.is_some_and(|it| it.cause == cause) {
                    // They have sat down just now, and were nowhere else.
                    true => self.ways.know(person, place),
                    false => self.know_way(person, place),
                }
            }
        }
    }

    /// Somebody is back: the line says where, if they have not acted themselves.
    pub(super) fn reopen_for(&mut self, seat: u8, line: &Line) {
        if let Some(Told::Opened(what)) = read(&line.cause)
            && let Some(person) = self.occupant(seat).map(|it| it.person.clone())
        {
            self.reopen(&person, what);
        }
    }

    /// A chat is open to somebody again; where nothing else is, they are looked for there.
    fn reopen(&mut self, person: &PersonId, what: &str) {
        self.ways.open(person, what);
        let here = self.spots().filter(|it| it.reader.is_none_or(|it| it == person));
        let here = here.filter(|it| is_in(it.place, what));
        let Some(place) = here.map(|it| it.place.clone()).next() else { return };
        let now = self.place_of(person).cloned();
        if now.is_none_or(|it| self.ways.is_closed(person, &it)) {
            self.came_to(person, &place);
        }
        self.know_way(person, &place);
    }

    /// Somebody can be found in a place, and where they were looked for until now.
    pub(super) fn know_way(&mut self, person: &PersonId, place: &PlaceId) {
        if !self.ways.is_known(person)
            && let Some(usual) = self.usual_place_of(person).cloned()
        {
            self.ways.known.push((person.clone(), usual));
        }
        self.ways.know(person, place);
    }
}

/// Whoever acts is here: notes it if no way was open to them.
pub(super) fn noted(decision: Decision, actor: &Actor) -> Decision {
    let next = &decision.next;
    let absent = next.seats_of(&actor.person).find(|it| next.left(*it).is_some());
    let Some(seat) = absent.filter(|_| next.phase == Phase::Playing) else { return decision };
    if decision.lines.is_empty() {
        return decision;
    }
    let back: Vec<Event> = absence::returns(next, seat).collect();
    let mut draft = Draft::again(decision, Stamp::of(actor));
    back.into_iter().for_each(|event| draft.add(event));
    draft.done()
}

/// What happens at a table, and why.
pub struct Happening {
    /// What.
    pub events: Vec<Event>,
    /// Why, as the log says it.
    pub cause: Cause,
}

/// A way of this person is closed: a chat, or everything on a platform. `None` where that is no
/// matter at this table.
pub fn closes(table: &Table, person: &PersonId, what: &str, how: Departure) -> Option<Happening> {
    table.seats_of(person).next()?;
    let (shut, open): (Vec<_>, Vec<_>) = table.open_ways(person).partition(|it| is_in(it, what));
    shut.first()?;
    let place = table.place_of(person).filter(|it| open.contains(it)).or(open.first().copied());
    if let Some(place) = place {
        let came = Event::Came { person: person.clone(), place: place.clone() };
        return Some(Happening { events: vec![came], cause: format!("closed:{what}") });
    }
    let word = match how {
        Departure::Left => "left",
        Departure::Removed => "removed",
    };
    Some(Happening { events: vec![gets_up(table, person)?], cause: format!("{word}:{what}") })
}

/// This person does not play on at a table: in a lobby the seat is free, in a game they are away,
/// at once unless the cause of the line says that they left.
pub fn gets_up(table: &Table, person: &PersonId) -> Option<Event> {
    match table.phase {
        Phase::Lobby => lobby::left(table, person),
        Phase::Playing => {
            let is_here = |seat: u8| !table.is_away(seat) && table.left(seat).is_none();
            let counts = table.people_seats().len() > 1 && table.seats_of(person).any(is_here);
            counts.then(|| Event::Time(Timed::Gone { person: person.clone() }))
        }
        Phase::Over { .. } | Phase::Closed { .. } => None,
    }
}

/// This person is in a chat again. `None` where that is no matter at this table.
pub fn opens(table: &Table, person: &PersonId, chat: &str) -> Option<Happening> {
    table.seats_of(person).next().filter(|_| table.stands_in_chat(chat))?;
    let cause = format!("opened:{chat}");
    let absent = |seat: &u8| table.is_away(*seat) || table.is_left(*seat);
    if table.phase == Phase::Playing
        && let Some(seat) = table.seats_of(person).find(absent)
    {
        return Some(Happening { events: absence::returns(table, seat).collect(), cause });
    }
    let was_closed = table.ways.closed.iter().any(|it| it.0 == *person && it.1 == chat);
    let place = table.place_of(person).filter(|_| table.is_open() && was_closed)?;
    let came = Event::Came { person: person.clone(), place: place.clone() };
    Some(Happening { events: vec![came], cause })
}

/// The first person at this table to whom no way is open although nothing says so yet: the table
/// has left the place from which they played.
pub fn stranded(table: &Table) -> Option<PersonId> {
    let is_here = |seat: &u8| !table.is_away(*seat) && table.left(*seat).is_none();
    let people = table.people_seats();
    let mut here = people.iter().copied().filter(is_here);
    let counts = table.phase == Phase::Playing && people.len() > 1;
    let person = here.find_map(|seat| {
        let person = &table.occupant(seat)?.person;
        table.open_ways(person).next().is_none().then(|| person.clone())
    });
    person.filter(|_| counts)
}

/// When the first who left is away, in milliseconds since 1970.
pub(super) fn deadline(table: &Table) -> Option<u64> {
    table.people_seats().into_iter().filter_map(|seat| table.grace_until(seat)).min()
}

/// Those who left and did not come back in time are away.
pub(super) fn over(table: &Table, now_ms: u64) -> Option<Decision> {
    let due = |seat: &u8| table.grace_until(*seat).is_some_and(|it| it <= now_ms);
    let seats = table.people_seats().into_iter().filter(due);
    let people: Vec<PersonId> =
        seats.filter_map(|it| Some(table.occupant(it)?.person.clone())).collect();
    if people.is_empty() {
        return None;
    }
    let mut draft = Draft::of(table, Stamp::of_time(now_ms));
    people.into_iter().for_each(|person| draft.add(Event::Time(Timed::Gone { person })));
    Some(draft.done())
}
