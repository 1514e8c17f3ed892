//! Where a table stands: its home, where it was opened, and the places it was brought to.
//!
//! The home is what a table is asked about: who may call it off, where friends were asked. Every
//! place has a board of its own. When the home is no more, the first place that people play from
//! becomes home.

use super::command::Actor;
use super::decide::{Decided, Refusal, no, old, one, seat_of};
use super::event::{Event, Line};
use super::fold::Table;
use super::run::{Decision, Draft, Stamp};
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind};
use caravanserai_games::words::Text;

/// A table stands in so many places at most besides its home.
pub const PLACES_MAX: usize = 8;

/// A place that a table was brought to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attached {
    /// Which.
    pub place: PlaceId,
    /// Whether others read along there.
    pub kind: PlaceKind,
    /// Who brought it there; of a private chat the only one who reads it.
    pub by: PersonId,
    /// Whether people there only look on.
    pub watches: bool,
}

/// A place of a table, the home or another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot<'a> {
    /// Which.
    pub place: &'a PlaceId,
    /// The only one who reads it, if it is a private chat.
    pub reader: Option<&'a PersonId>,
    /// Whether people there only look on.
    pub watches: bool,
}

impl Attached {
    fn spot(&self) -> Spot<'_> {
        let reader = (self.kind == PlaceKind::Private).then_some(&self.by);
        Spot { place: &self.place, reader, watches: self.watches }
    }
}

impl Spot<'_> {
    /// Whether this person may read what stands there.
    fn is_read_by(&self, person: &PersonId) -> bool {
        self.reader.is_none_or(|it| it == person)
    }
}

impl Table {
    /// The conversation that it was opened in, or the one that took its place.
    pub fn home(&self) -> &PlaceId {
        &self.setup.place
    }

    /// The home.
    fn home_spot(&self) -> Spot<'_> {
        let alone = self.is_solo().then_some(&self.setup.opener);
        Spot { place: self.home(), reader: alone.or(self.home_reader.as_ref()), watches: false }
    }

    /// Every place it stands in, the home first.
    pub fn spots(&self) -> impl Iterator<Item = Spot<'_>> {
        std::iter::once(self.home_spot()).chain(self.attached.iter().map(Attached::spot))
    }

    /// The ids of all its places, the home first.
    pub fn places(&self) -> impl Iterator<Item = &PlaceId> {
        self.spots().map(|it| it.place)
    }

    /// This place, if the table stands there.
    pub fn spot(&self, place: &PlaceId) -> Option<Spot<'_>> {
        self.spots().find(|it| it.place == place)
    }

    /// Whether it stands somewhere in this chat.
    pub fn stands_in_chat(&self, chat: &str) -> bool {
        self.places().any(|it| it.chat() == chat)
    }

    /// Where somebody is told what concerns them: where they did something last at this table,
    /// else at home, else where their platform reaches them. `None` if nothing of it is for them.
    pub fn place_of(&self, person: &PersonId) -> Option<&PlaceId> {
        let last = self.came.iter().find(|(it, _)| it == person).map(|(_, place)| place);
        if let Some(spot) = last.and_then(|it| self.spot(it)) {
            return Some(spot.place);
        }
        self.usual_place_of(person)
    }

    /// The place of a person who has done nothing at this table. Places where people may only watch
    /// come last: the board is hidden there from when the players close the table to watchers.
    pub(super) fn usual_place_of(&self, person: &PersonId) -> Option<&PlaceId> {
        let read = self.spots().filter(|it| it.is_read_by(person)).map(|it| it.place);
        read.min_by_key(|it| (!self.is_of_players(it), it.platform() != person.platform()))
    }

    /// Where a seat's hand is shown beside the board; `None` where the board itself shows it, for
    /// nobody else reads it, and where no person sits.
    pub fn hand_place(&self, seat: u8) -> Option<&PlaceId> {
        let occupant = self.occupant(seat).filter(|it| !it.is_computer())?;
        let place = self.place_of(&occupant.person)?;
        self.spot(place).filter(|it| it.reader.is_none()).map(|it| it.place)
    }

    /// The seat that sees the board of a place as its own: only whoever plays it reads it.
    pub fn seat_at(&self, place: &PlaceId) -> Option<u8> {
        let reader = self.spot(place)?.reader?;
        self.seats_of(reader).next()
    }

    /// The events that bring another table to where this one stands, with its people where they
    /// are.
    pub fn brought(&self) -> Vec<Event> {
        let (place, kind, watches) = (self.home().clone(), PlaceKind::Private, false);
        let home = self.home_reader.clone().map(|by| Attached { place, kind, by, watches });
        let attached = home.into_iter().chain(self.attached.iter().cloned()).map(Event::Attached);
        let came = self.known_ways().chain(self.came.iter().map(|(it, place)| (it, place)));
        let came = came.map(|(person, place)| (person.clone(), place.clone()));
        let came = came.map(|(person, place)| Event::Came { person, place });
        let public = self.public.map(|on| Event::Public { on });
        attached.chain(came).chain(public).collect()
    }

    /// Whether a place belongs to players: the home, a place to which a player brought the table,
    /// or from which a player plays. In other places people only watch.
    pub fn is_of_players(&self, place: &PlaceId) -> bool {
        let plays = |it: &PersonId| self.seats_of(it).next().is_some() || self.setup.opener == *it;
        let brought = self.attached.iter().find(|it| it.place == *place);
        place == self.home()
            || brought.is_some_and(|it| plays(&it.by))
            || self.came.iter().any(|(who, at)| at == place && plays(who))
    }

    /// Whether it was opened where others read along, and stands there.
    pub fn is_among_others(&self) -> bool {
        self.home_spot().reader.is_none() && self.setup.kind == PlaceKind::Group
    }

    /// Whether its places, or the people who sit there, are on more than one platform.
    pub fn is_across_platforms(&self) -> bool {
        let home = self.home().platform();
        self.places().any(|it| it.platform() != home)
            || self.people().iter().any(|it| self.platform_of(it) != home)
    }

    /// The platform on which somebody who plays is: that of the place where they did something
    /// last, for one person may be on several.
    pub fn platform_of<'t>(&'t self, person: &'t PersonId) -> &'t str {
        self.place_of(person).map_or_else(|| person.platform(), PlaceId::platform)
    }

    /// Whether an event about places can happen to this table.
    pub(super) fn can_be_placed(&self, event: &Event) -> bool {
        let away = |place: &PlaceId| self.attached.iter().any(|it| it.place == *place);
        match event {
            Event::Attached(to) => {
                let home_alone = to.kind == PlaceKind::Private && self.home_reader.is_none();
                !self.is_solo() && (to.place != *self.home() || home_alone)
            }
            Event::Detached { place } => {
                away(place) || (place == self.home() && self.heir().is_some())
            }
            Event::Public { .. } => !self.is_solo(),
            Event::Came { place, .. } => self.spot(place).is_some(),
            Event::Moved { from: Some(from), .. } => away(from),
            _ => true,
        }
    }

    /// Which of the other places becomes home when the home is no more: one that people play from,
    /// best where several read.
    fn heir(&self) -> Option<usize> {
        let plays = |it: &Attached| !it.watches;
        let together = |it: &Attached| plays(it) && it.kind == PlaceKind::Group;
        self.attached.iter().position(together).or_else(|| self.attached.iter().position(plays))
    }

    /// Applies an event about places.
    pub(super) fn placed(&mut self, line: &Line) {
        match &line.event {
            // A private chat that had become home is home of the next table too.
            Event::Attached(to) if to.place == *self.home() => {
                self.home_reader = Some(to.by.clone());
                self.note_way(&to.by, &to.place, &line.cause);
            }
            Event::Attached(to) => {
                self.attached.retain(|it| it.place != to.place);
                if to.kind == PlaceKind::Private && !to.watches {
                    // Whoever wants to play there is looked for there.
                    self.note_way(&to.by, &to.place, &line.cause);
                    self.came_to(&to.by, &to.place);
                }
                self.attached.push(to.clone());
            }
            Event::Detached { place } => self.leave(place),
            Event::Public { on } => self.public = Some(*on),
            Event::Came { person, place } => {
                self.note_way(person, place, &line.cause);
                self.came_to(person, place);
            }
            Event::Moved { from: None, place } => {
                let old = std::mem::replace(&mut self.setup.place, place.clone());
                self.renamed(&old, place);
            }
            Event::Moved { from: Some(from), place } => {
                let moved = self.attached.iter_mut().find(|it| it.place == *from);
                if let Some(moved) = moved {
                    moved.place = place.clone();
                }
                self.renamed(from, place);
            }
            _ => {}
        }
    }

    pub(super) fn came_to(&mut self, person: &PersonId, place: &PlaceId) {
        self.came.retain(|(it, _)| it != person);
        self.came.push((person.clone(), place.clone()));
    }

    fn renamed(&mut self, from: &PlaceId, to: &PlaceId) {
        let here = self.came.iter_mut().filter(|(_, it)| it == from);
        here.for_each(|(_, it)| *it = to.clone());
        self.ways.rename(from, to);
    }

    fn leave(&mut self, place: &PlaceId) {
        if place == self.home()
            && let Some(heir) = self.heir()
        {
            let Attached { place, kind, by, .. } = self.attached.remove(heir);
            self.setup.place = place;
            self.home_reader = (kind == PlaceKind::Private).then_some(by);
        } else {
            self.attached.retain(|it| it.place != *place);
        }
        self.came.retain(|(_, it)| it != place);
        self.ways.forget(place);
    }
}

/// What happens at a table when one of its places is no more, if there are others to play from.
pub fn gone(table: &Table, place: &PlaceId) -> Option<Event> {
    let left = Event::Detached { place: place.clone() };
    table.can_be_placed(&left).then_some(left)
}

/// What happens at a table when these accounts are not this person's any more: what only this
/// person may see is not shown in the private chats of others. A table that stands nowhere else
/// stays with whoever reads there.
pub fn parted(
    table: &Table,
    person: &PersonId,
    accounts: &[PersonId],
    stamp: Stamp,
) -> Option<Decision> {
    let mut draft = Draft::of(table, stamp);
    for account in accounts {
        // One person has one account on a platform.
        let theirs =
            |it: &Spot<'_>| it.reader == Some(person) && it.place.platform() == account.platform();
        let shown = |table: &Table| table.spots().find(theirs).map(|it| it.place.clone());
        while let Some(place) = shown(&draft.next) {
            let (old, new) = (person.clone(), account.clone());
            let stays = Event::Same { account: old, person: new };
            draft.add(gone(&draft.next, &place).unwrap_or(stays));
        }
    }
    (draft.len() > 0).then(|| draft.done())
}

/// Whether somebody keeps order in the home of a table: who keeps it elsewhere decides there.
pub(super) fn keeps_order(table: &Table, actor: &Actor) -> bool {
    actor.admin && actor.place.chat() == table.home().chat()
}

/// Whether somebody may take a seat from where they are.
pub(super) fn may_join(table: &Table, actor: &Actor) -> Result<(), Refusal> {
    match table.spot(&actor.place) {
        Some(spot) if spot.watches => Err(no("refuse-only-watching")),
        Some(_) | None => Ok(()),
    }
}

fn refusal(text: Text) -> Refusal {
    Refusal { text, stale: false }
}

/// Somebody brings the table to another place.
pub(super) fn attach(table: &Table, actor: &Actor, to: &Attached) -> Decided {
    if !table.is_open() {
        return Err(old("refuse-table-over"));
    }
    if table.is_solo() {
        return Err(no("refuse-bring-alone"));
    }
    if table.kicked.contains(&actor.person) {
        return Err(no("refuse-kicked"));
    }
    let known = table.attached.iter().find(|it| it.place == to.place);
    if to.place == *table.home() || known.is_some_and(|it| it.watches == to.watches) {
        return Err(no("refuse-already-here"));
    }
    if known.is_none() && table.attached.len() >= PLACES_MAX {
        let text = Text::new("refuse-too-many-places").with("count", PLACES_MAX as i64);
        return Err(refusal(text));
    }
    one(table, actor, Event::Attached(to.clone()))
}

/// Somebody who plays settles whether anybody may look on.
pub(super) fn publish(table: &Table, actor: &Actor, on: bool) -> Decided {
    seat_of(table, actor)?;
    if !table.is_open() {
        return Err(old("refuse-table-over"));
    }
    if table.is_solo() {
        return Err(no("refuse-bring-alone"));
    }
    one(table, actor, Event::Public { on })
}

/// Somebody takes the table away from a place it was brought to.
pub(super) fn detach(table: &Table, actor: &Actor, place: &PlaceId) -> Decided {
    if place == table.home() {
        return Err(no("refuse-stop-home"));
    }
    let attached = table.attached.iter().find(|it| it.place == *place);
    let Some(attached) = attached else { return Err(no("refuse-not-brought")) };
    let orders_here = actor.admin && actor.place.chat() == place.chat();
    let own = attached.by == actor.person || table.setup.opener == actor.person;
    if !own && !orders_here {
        return Err(no("refuse-stop-others"));
    }
    one(table, actor, Event::Detached { place: place.clone() })
}

/// Notes from where somebody who plays has acted, if it is not where they were.
pub(super) fn noted(decision: Decision, actor: &Actor) -> Decision {
    let next = &decision.next;
    let plays = next.is_open() && next.seats_of(&actor.person).next().is_some();
    let new = next.place_of(&actor.person) != Some(&actor.place)
        || next.is_closed_to(&actor.person, &actor.place);
    let about_places = |it: &Event| matches!(it, Event::Attached(_) | Event::Detached { .. });
    let moved = decision.events().any(about_places);
    if decision.lines.is_empty() || decision.rematch || moved || !plays || !new {
        return decision;
    }
    if next.spot(&actor.place).is_none() {
        return decision;
    }
    let (person, place) = (actor.person.clone(), actor.place.clone());
    let mut draft = Draft::again(decision, Stamp::of(actor));
    draft.add(Event::Came { person, place });
    draft.done()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Begin, FORMAT, Reason, Setup};
    use crate::{Command, decide, happening, opening};
    use caravanserai_games::GameId;
    use caravanserai_games::ids::TableId;

    fn place(name: &str) -> PlaceId {
        PlaceId(name.to_owned())
    }

    fn person(name: &str) -> PersonId {
        PersonId(name.to_owned())
    }

    /// A game of Ann on Telegram and Bek on Discord in a Telegram group.
    fn game() -> Table {
        let game = GameId::all()[0];
        let setup = Setup {
            format: FORMAT,
            game,
            revision: game.info().revision,
            options: game.info().default_options(),
            seats: 2,
            begin: Begin::Opener,
            place: place("tg:-1"),
            kind: PlaceKind::Group,
            seed: [7; 32],
            opener: person("tg:1"),
            coached: false,
        };
        let sits = |id: &str| Event::Seated { person: person(id), name: id.to_owned() };
        let then = vec![sits("tg:1"), sits("dc:2")];
        let stamp = Stamp::at(1_000, "tg/1");
        opening(&TableId("7k3fx".into()), setup, then, true, stamp).expect("it fits").next
    }

    fn then(table: &Table, event: Event) -> Table {
        let stamp = Stamp::at(2_000, "tg/2");
        let lines = happening(table, event, stamp).expect("it follows").lines;
        let mut next = table.copy();
        for line in lines {
            let read = Line::read(&line.write()).expect("what is written is read");
            assert_eq!(read, line);
            next.apply(&read).expect("it follows");
        }
        next
    }

    fn brought(table: &Table, to: &str, kind: PlaceKind, by: &str) -> Table {
        let (place, by) = (place(to), person(by));
        then(table, Event::Attached(Attached { place, kind, by, watches: false }))
    }

    fn acts(id: &str, from: &str, admin: bool) -> Actor {
        Actor {
            person: person(id),
            name: id.to_owned(),
            username: None,
            place: place(from),
            admin,
            cause: "tg/3".into(),
            now_ms: 3_000,
            received_ms: 3_000,
        }
    }

    #[test]
    fn people_are_found_where_they_acted_last_else_where_they_can_be_reached() {
        let table = game();
        assert_eq!(table.place_of(&person("dc:2")), Some(&place("tg:-1")), "there is no other");
        let table = brought(&table, "dc:9", PlaceKind::Group, "dc:2");
        assert_eq!(table.place_of(&person("dc:2")), Some(&place("dc:9")));
        assert_eq!(table.place_of(&person("tg:1")), Some(&place("tg:-1")));
        let table = brought(&table, "tg:1", PlaceKind::Private, "tg:1");
        assert_eq!(table.place_of(&person("tg:1")), Some(&place("tg:1")), "they wanted it");
        let came = Event::Came { person: person("tg:1"), place: place("tg:-1") };
        let table = then(&table, came);
        assert_eq!(table.place_of(&person("tg:1")), Some(&place("tg:-1")));
        assert_eq!(table.place_of(&person("tg:3")), Some(&place("tg:-1")), "not in Ann's chat");
    }

    #[test]
    fn whoever_acts_from_another_place_is_noted_to_be_there_and_only_then() {
        let table = brought(&game(), "dc:9", PlaceKind::Group, "dc:2");
        let turn = table.turn().expect("somebody is to move");
        let game = table.game.as_deref().expect("it is played");
        let token = game.choices(caravanserai_games::rules::Seat(turn))[0].token.clone();
        let choice = crate::command::Choice::Token(token);
        let moves = Command::Play { position: None, choice };
        let came = |from: &str| {
            let decision = decide(&table, &acts("tg:1", from, false), &moves).expect("it is legal");
            decision.events().any(|it| matches!(it, Event::Came { .. }))
        };
        assert!(!came("tg:-1") && !came("tg:1"), "at home, and where it does not stand");
        assert!(came("dc:9"));
    }

    #[test]
    fn the_first_place_that_is_played_from_becomes_home() {
        let table = brought(&game(), "tg:1", PlaceKind::Private, "tg:1");
        let watched = Event::Attached(Attached {
            place: place("tg:-5"),
            kind: PlaceKind::Group,
            by: person("tg:8"),
            watches: true,
        });
        let table = brought(&then(&table, watched), "dc:9", PlaceKind::Group, "dc:2");
        let left = |table: &Table| gone(table, table.home());
        let table = then(&table, left(&table).expect("others live"));
        assert_eq!(table.home(), &place("dc:9"));
        let table = then(&table, left(&table).expect("Ann plays alone"));
        assert_eq!(table.home(), &place("tg:1"));
        assert_eq!(table.seat_at(&place("tg:1")), table.seats_of(&person("tg:1")).next());
        assert_eq!(left(&table), None, "nobody plays from where others only look on");
        // The next table is opened there, and the same people see it as they saw this one.
        let opened = then(&game(), Event::Moved { from: None, place: place("tg:1") });
        let next = table.brought().into_iter().fold(opened, |next, event| then(&next, event));
        assert_eq!(next.seat_at(&place("tg:1")), table.seat_at(&place("tg:1")));
        let told = next.place_of(&person("dc:2"));
        assert_eq!(told, Some(&place("tg:-5")), "home is Ann's chat there too");
        let over = then(&table, Event::Closed { reason: Reason::Vanished });
        assert!(!over.is_open());
    }

    #[test]
    fn admins_decide_for_their_own_chat() {
        let table = brought(&game(), "dc:9", PlaceKind::Group, "dc:7");
        let stop = Command::Detach(place("dc:9"));
        let may = |who: Actor| decide(&table, &who, &stop).is_ok();
        assert!(may(acts("dc:7", "dc:9", false)) && may(acts("dc:8", "dc:9", true)));
        assert!(may(acts("tg:1", "tg:-1", false)), "whoever opened the table");
        assert!(!may(acts("dc:8", "dc:9", false)) && !may(acts("tg:5", "tg:-1", true)));
        let home = Command::Detach(place("tg:-1"));
        assert!(decide(&table, &acts("tg:5", "tg:-1", true), &home).is_err());
    }
}
