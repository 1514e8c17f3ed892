#![doc = include_str!("presence.md")]

use super::absence;
use super::clock::Timed;
use super::command::Actor;
use super::decide::Decision;
use super::event::{Cause, Event, Line};
use super::fold::{Phase, Table};
use super::lobby;
use super::run::{Draft, Stamp};
use caravanserai_games::ids::{PersonId, PlaceId};

/// How long a person to whom no way is open can come back before they are away, in milliseconds.
pub const LEFT_GRACE_MS: u64 = 10 * 60_000;

/// How a person left a place.
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
    /// How they left.
    pub how: Departure,
}

/// The ways of people to a table, as far as its log says.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    /// Where people sat down or acted, for people who did so elsewhere than in their usual place.
    known: Vec<(PersonId, PlaceId)>,
    /// Which scope is closed to which person: a chat, or everything on a platform.
    closed: Vec<(PersonId, String)>,
}

/// A change of a way that a line reports in its cause, with the scope: a chat or a platform.
/// Earlier programs ignore the cause and read the event of the line.
enum WayChange<'a> {
    Gone(Departure, &'a str),
    Closed(&'a str),
    Opened(&'a str),
}

fn way_change(cause: &str) -> Option<WayChange<'_>> {
    let (word, scope) = cause.split_once(':')?;
    Some(match word {
        "left" => WayChange::Gone(Departure::Left, scope),
        "removed" => WayChange::Gone(Departure::Removed, scope),
        "closed" => WayChange::Closed(scope),
        "opened" => WayChange::Opened(scope),
        _ => return None,
    })
}

/// Whether a place is in this scope: a chat or a platform.
fn is_in(place: &PlaceId, scope: &str) -> bool {
    place.chat() == scope || place.platform() == scope
}

impl Ways {
    /// Notes that a person was in a place.
    pub(super) fn know(&mut self, person: &PersonId, place: &PlaceId) {
        if !self.known.iter().any(|it| it.0 == *person && it.1 == *place) {
            self.known.push((person.clone(), place.clone()));
        }
        self.open(person, place.chat());
    }

    fn close(&mut self, person: &PersonId, scope: &str) {
        self.open(person, scope);
        self.closed.push((person.clone(), scope.to_owned()));
    }

    /// Opens a chat to a person, and its platform: they have an account there.
    fn open(&mut self, person: &PersonId, scope: &str) {
        let chat = PlaceId(scope.to_owned());
        self.closed.retain(|it| it.0 != *person || !is_in(&chat, &it.1));
    }

    fn is_closed(&self, person: &PersonId, place: &PlaceId) -> bool {
        self.closed.iter().any(|it| it.0 == *person && is_in(place, &it.1))
    }

    pub(super) fn is_known(&self, person: &PersonId) -> bool {
        self.known.iter().any(|it| it.0 == *person)
    }

    /// Forgets a place that the table has left.
    pub(super) fn forget(&mut self, place: &PlaceId) {
        self.known.retain(|it| it.1 != *place);
    }

    /// Gives a place another id.
    pub(super) fn rename(&mut self, from: &PlaceId, to: &PlaceId) {
        self.known.iter_mut().filter(|it| it.1 == *from).for_each(|it| it.1.clone_from(to));
        let closed = self.closed.iter_mut().filter(|it| it.1 == from.chat());
        closed.for_each(|it| it.1 = to.chat().to_owned());
    }

    /// Makes an account count as this person.
    pub(super) fn becomes(&mut self, account: &PersonId, person: &PersonId) {
        let own = self.known.iter_mut().map(|it| &mut it.0);
        let own = own.chain(self.closed.iter_mut().map(|it| &mut it.0));
        own.filter(|it| **it == *account).for_each(|it| it.clone_from(person));
    }
}

impl Table {
    /// The places in which this person can see the board and act, without those that a platform
    /// reported as closed.
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

    /// Whether a platform reported that this place is closed to a person.
    pub(super) fn is_closed_to(&self, person: &PersonId, place: &PlaceId) -> bool {
        self.ways.is_closed(person, place)
    }

    /// Open ways besides the last place: they are ways at the next table too.
    pub(super) fn known_ways(&self) -> impl Iterator<Item = (&PersonId, &PlaceId)> {
        let open = |it: &&(PersonId, PlaceId)| !self.ways.is_closed(&it.0, &it.1);
        let here = |it: &&(PersonId, PlaceId)| self.spot(&it.1).is_some();
        self.ways.known.iter().filter(open).filter(here).map(|it| (&it.0, &it.1))
    }

    /// Whether no way is open to the person of this seat, and they are not away yet.
    pub fn is_left(&self, seat: u8) -> bool {
        self.grace_until(seat).is_some()
    }

    /// Until when a person who left can come back before they are away, in milliseconds since 1970.
    pub fn grace_until(&self, seat: u8) -> Option<u64> {
        let left = self.left(seat).filter(|_| !self.is_away(seat))?;
        Some(left.since_ms + LEFT_GRACE_MS)
    }

    /// Since when and how the person of this seat is gone, if no way is open to them.
    pub fn left(&self, seat: u8) -> Option<Left> {
        self.absence(seat).left.filter(|_| !self.is_computer(seat))
    }

    /// How the person of this seat had left when the game was claimed from them; `None` if their
    /// time was up instead.
    pub fn claimed_for(&self, seat: u8) -> Option<Departure> {
        let late = self.timing.late.filter(|it| it.0 == seat);
        let is_late = late.is_some() && late == self.last_turn();
        self.left(seat).filter(|_| !is_late).map(|it| it.how)
    }

    /// Applies that no way is open to a person.
    pub(super) fn gone(&mut self, person: &PersonId, line: &Line) {
        let how = match way_change(&line.cause) {
            Some(WayChange::Gone(how, scope)) => {
                self.ways.close(person, scope);
                Some(how)
            }
            Some(WayChange::Closed(_) | WayChange::Opened(_)) | None => None,
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

    /// Applies what a line says of the ways of a person who came to a place.
    pub(super) fn note_way(&mut self, person: &PersonId, place: &PlaceId, cause: &str) {
        match way_change(cause) {
            Some(WayChange::Closed(scope)) => self.ways.close(person, scope),
            Some(WayChange::Opened(scope)) => self.reopen(person, scope),
            Some(WayChange::Gone(..)) | None => {
                let seats = self.chairs.iter().find(|it| it.person == *person);
                match seats.is_some_and(|it| it.cause == cause) {
                    // They sit down by this line, and were nowhere else.
                    true => self.ways.know(person, place),
                    false => self.know_way(person, place),
                }
            }
        }
    }

    /// Opens the way that a line names by which a person returns. It names none if they acted
    /// themselves.
    pub(super) fn reopen_for(&mut self, seat: u8, line: &Line) {
        if let Some(WayChange::Opened(scope)) = way_change(&line.cause)
            && let Some(person) = self.occupant(seat).map(|it| it.person.clone())
        {
            self.reopen(&person, scope);
        }
    }

    /// Opens a chat to a person again. If their last place is closed, this becomes the last one.
    fn reopen(&mut self, person: &PersonId, scope: &str) {
        self.ways.open(person, scope);
        let here = self.spots().filter(|it| it.reader.is_none_or(|it| it == person));
        let here = here.filter(|it| is_in(it.place, scope));
        let Some(place) = here.map(|it| it.place.clone()).next() else { return };
        let now = self.place_of(person).cloned();
        if now.is_none_or(|it| self.ways.is_closed(person, &it)) {
            self.came_to(person, &place);
        }
        self.know_way(person, &place);
    }

    /// Notes a place of a person, and their usual place if no other was noted before.
    pub(super) fn know_way(&mut self, person: &PersonId, place: &PlaceId) {
        if !self.ways.is_known(person)
            && let Some(usual) = self.usual_place_of(person).cloned()
        {
            self.ways.known.push((person.clone(), usual));
        }
        self.ways.know(person, place);
    }
}

/// Adds to a decision that the actor is back, if no way was open to them.
pub(super) fn noted(decision: Decision, actor: &Actor) -> Decision {
    let next = &decision.next;
    let absent = next.seats_of(&actor.person).find(|it| next.left(*it).is_some());
    let Some(seat) = absent.filter(|_| next.phase == Phase::Playing) else { return decision };
    if decision.lines.is_empty() {
        return decision;
    }
    let back: Vec<Event> = absence::return_events(next, seat).collect();
    let mut draft = Draft::again(decision, Stamp::of(actor));
    back.into_iter().for_each(|event| draft.add(event));
    draft.done()
}

/// Events at a table with one cause.
pub struct Happening {
    /// The events, in this order.
    pub events: Vec<Event>,
    /// The cause that their lines name.
    pub cause: Cause,
}

/// Closes a way of this person: a chat, or everything on a platform. `None` where that changes
/// nothing at this table.
pub fn close_way(
    table: &Table,
    person: &PersonId,
    scope: &str,
    how: Departure,
) -> Option<Happening> {
    table.seats_of(person).next()?;
    let (shut, open): (Vec<_>, Vec<_>) = table.open_ways(person).partition(|it| is_in(it, scope));
    shut.first()?;
    let place = table.place_of(person).filter(|it| open.contains(it)).or(open.first().copied());
    if let Some(place) = place {
        let came = Event::Came { person: person.clone(), place: place.clone() };
        return Some(Happening { events: vec![came], cause: format!("closed:{scope}") });
    }
    Some(Happening { events: vec![leave_seat(table, person)?], cause: departure_cause(how, scope) })
}

/// The event by which a person leaves a seat: in a lobby the seat is free. In a game they are away,
/// at once unless the cause of the line says that they left.
pub fn leave_seat(table: &Table, person: &PersonId) -> Option<Event> {
    match table.phase {
        Phase::Lobby => lobby::left(table, person),
        Phase::Playing => {
            let mut own = table.seats_of(person);
            let counts = table.people_seats().len() > 1 && own.any(|seat| is_here(table, seat));
            counts.then(|| Event::Time(Timed::Gone { person: person.clone() }))
        }
        Phase::Over { .. } | Phase::Closed { .. } => None,
    }
}

/// Opens a chat to this person again. `None` where that changes nothing at this table.
pub fn open_way(table: &Table, person: &PersonId, chat: &str) -> Option<Happening> {
    table.seats_of(person).next().filter(|_| table.stands_in_chat(chat))?;
    let cause = format!("opened:{chat}");
    let absent = |seat: &u8| table.is_away(*seat) || table.is_left(*seat);
    if table.phase == Phase::Playing
        && let Some(seat) = table.seats_of(person).find(absent)
    {
        return Some(Happening { events: absence::return_events(table, seat).collect(), cause });
    }
    let was_closed = table.ways.closed.iter().any(|it| it.0 == *person && it.1 == chat);
    let place = table.place_of(person).filter(|_| table.is_open() && was_closed)?;
    let came = Event::Came { person: person.clone(), place: place.clone() };
    Some(Happening { events: vec![came], cause })
}

/// Notes that people have left to whom no way is open since the table left this chat. `None` if
/// there are none.
pub fn leave_with_table(table: &Table, chat: &str) -> Option<Happening> {
    let seats = table.people_seats();
    if table.phase != Phase::Playing || seats.len() < 2 {
        return None;
    }
    let gone = seats.into_iter().filter(|seat| is_here(table, *seat)).filter_map(|seat| {
        let person = &table.occupant(seat)?.person;
        let is_cut_off = table.open_ways(person).next().is_none();
        is_cut_off.then(|| Event::Time(Timed::Gone { person: person.clone() }))
    });
    let events: Vec<Event> = gone.collect();
    (!events.is_empty())
        .then(|| Happening { events, cause: departure_cause(Departure::Left, chat) })
}

/// Whether the person of a seat has neither left nor is away.
fn is_here(table: &Table, seat: u8) -> bool {
    !table.is_away(seat) && table.left(seat).is_none()
}

/// The cause of a line that says how a person left a chat, or everything on a platform.
fn departure_cause(how: Departure, scope: &str) -> Cause {
    match how {
        Departure::Left => format!("left:{scope}"),
        Departure::Removed => format!("removed:{scope}"),
    }
}

/// When the first person who left is away, in milliseconds since 1970.
pub(super) fn deadline(table: &Table) -> Option<u64> {
    table.people_seats().into_iter().filter_map(|seat| table.grace_until(seat)).min()
}

/// Marks people as away who left and did not come back in time.
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
