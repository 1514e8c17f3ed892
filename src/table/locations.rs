//! Manages the chats of a table: its home, where it was opened, and the attached chats.
//!
//! The home is the chat that decides about a table: its admins may call the table off, and friends
//! were invited there. Every chat has a board of its own. When the home is deleted, the first chat
//! from which people play becomes the home.

use super::command::Actor;
use super::decide::{DecideResult, Refusal, decide_one, refuse, refuse_stale, seat_of};
use super::decision_builder::{Decision, DecisionBuilder, EventMeta};
use super::event::{Event, LogLine};
use super::state::Table;
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind};
use caravanserai_games::text::Text;

/// The maximum number of attached chats besides the home.
pub const ATTACHED_CHATS_MAX: usize = 8;

/// A chat to which a table was attached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachedChat {
    /// The id of the chat.
    pub chat: PlaceId,
    /// Whether other people read the chat.
    pub kind: PlaceKind,
    /// The person who attached it; for a private chat its single reader.
    pub attached_by: PersonId,
    /// Whether people in the chat only watch.
    pub is_watch_only: bool,
}

/// A chat of a table, the home or an attached one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location<'a> {
    /// The id of the chat.
    pub chat: &'a PlaceId,
    /// The single reader, if it is a private chat.
    pub reader: Option<&'a PersonId>,
    /// Whether people in the chat only watch.
    pub is_watch_only: bool,
}

impl AttachedChat {
    fn as_location(&self) -> Location<'_> {
        let reader = (self.kind == PlaceKind::Private).then_some(&self.attached_by);
        Location { chat: &self.chat, reader, is_watch_only: self.is_watch_only }
    }
}

impl Location<'_> {
    /// Whether this person may read the messages in the chat.
    fn is_read_by(&self, person: &PersonId) -> bool {
        self.reader.is_none_or(|it| it == person)
    }
}

impl Table {
    /// The chat in which the table was opened, or the chat that replaced it.
    pub fn home(&self) -> &PlaceId {
        &self.setup.chat
    }

    /// The home as a location.
    fn home_location(&self) -> Location<'_> {
        let alone = self.is_solo().then_some(&self.setup.opener);
        Location {
            chat: self.home(),
            reader: alone.or(self.home_reader.as_ref()),
            is_watch_only: false,
        }
    }

    /// All chats of the table, the home first.
    pub fn locations(&self) -> impl Iterator<Item = Location<'_>> {
        std::iter::once(self.home_location())
            .chain(self.attached_chats.iter().map(AttachedChat::as_location))
    }

    /// The ids of all its chats, the home first.
    pub fn chats(&self) -> impl Iterator<Item = &PlaceId> {
        self.locations().map(|it| it.chat)
    }

    /// Returns the location with this id, if the table has it.
    pub fn location_in(&self, place: &PlaceId) -> Option<Location<'_>> {
        self.locations().find(|it| it.chat == place)
    }

    /// Whether the table is in this chat or one of its topics.
    pub fn is_in_chat(&self, chat: &str) -> bool {
        self.chats().any(|it| it.chat() == chat)
    }

    /// The chat in which a person gets messages about this table: the chat from which they last
    /// acted, else the home, else a chat on their platform. `None` if no chat of the table is for
    /// them.
    pub fn chat_of(&self, person: &PersonId) -> Option<&PlaceId> {
        let last = self.last_chats.iter().find(|(it, _)| it == person).map(|(_, place)| place);
        if let Some(spot) = last.and_then(|it| self.location_in(it)) {
            return Some(spot.chat);
        }
        self.usual_chat_of(person)
    }

    /// The chat of a person who has not acted at this table. Watch-only chats come last: the board
    /// there is hidden once the players close the table to watchers.
    pub(super) fn usual_chat_of(&self, person: &PersonId) -> Option<&PlaceId> {
        let read = self.locations().filter(|it| it.is_read_by(person)).map(|it| it.chat);
        read.min_by_key(|it| (!self.is_player_chat(it), it.platform() != person.platform()))
    }

    /// The chat in which a seat's hand is shown beside the board; `None` where the board itself
    /// shows it because nobody else reads it, and where no person has the seat.
    pub fn hand_chat(&self, seat: u8) -> Option<&PlaceId> {
        let occupant = self.occupant(seat).filter(|it| !it.is_computer())?;
        let place = self.chat_of(&occupant.person)?;
        self.location_in(place).filter(|it| it.reader.is_none()).map(|it| it.chat)
    }

    /// The seat whose view the board in a chat shows, if only its player reads the chat.
    pub fn seat_of_sole_reader(&self, place: &PlaceId) -> Option<u8> {
        let reader = self.location_in(place)?.reader?;
        self.seats_of(reader).next()
    }

    /// The events that attach another table to the chats of this one, with its people in their
    /// chats.
    pub fn attach_events(&self) -> Vec<Event> {
        let (place, kind, watches) = (self.home().clone(), PlaceKind::Private, false);
        let home = self.home_reader.clone().map(|by| AttachedChat {
            chat: place,
            kind,
            attached_by: by,
            is_watch_only: watches,
        });
        let attached =
            home.into_iter().chain(self.attached_chats.iter().cloned()).map(Event::Attached);
        let came = self.known_routes().chain(self.last_chats.iter().map(|(it, place)| (it, place)));
        let came = came.map(|(person, place)| (person.clone(), place.clone()));
        let came = came.map(|(person, place)| Event::PlayerChatChanged { person, chat: place });
        let public = self.is_public.map(|on| Event::PublicSet { on });
        attached.chain(came).chain(public).collect()
    }

    /// Whether a chat belongs to players: the home, a chat to which a player attached the table, or
    /// from which a player plays. In other chats people only watch.
    pub fn is_player_chat(&self, place: &PlaceId) -> bool {
        let plays = |it: &PersonId| self.seats_of(it).next().is_some() || self.setup.opener == *it;
        let brought = self.attached_chats.iter().find(|it| it.chat == *place);
        place == self.home()
            || brought.is_some_and(|it| plays(&it.attached_by))
            || self.last_chats.iter().any(|(who, at)| at == place && plays(who))
    }

    /// Whether it was opened in a chat that others read, and is still there.
    pub fn is_in_group(&self) -> bool {
        self.home_location().reader.is_none() && self.setup.kind == PlaceKind::Group
    }

    /// Whether its chats or its players are on more than one platform.
    pub fn spans_platforms(&self) -> bool {
        let home = self.home().platform();
        self.chats().any(|it| it.platform() != home)
            || self.people().iter().any(|it| self.platform_of(it) != home)
    }

    /// The platform on which a player is: that of the chat from which they last acted, because one
    /// person may be on several.
    pub fn platform_of<'t>(&'t self, person: &'t PersonId) -> &'t str {
        self.chat_of(person).map_or_else(|| person.platform(), PlaceId::platform)
    }

    /// Whether an event about chats can be applied to this table.
    pub(super) fn can_apply_location_event(&self, event: &Event) -> bool {
        let away = |place: &PlaceId| self.attached_chats.iter().any(|it| it.chat == *place);
        match event {
            Event::Attached(to) => {
                let home_alone = to.kind == PlaceKind::Private && self.home_reader.is_none();
                !self.is_solo() && (to.chat != *self.home() || home_alone)
            }
            Event::Detached { chat: place } => {
                away(place) || (place == self.home() && self.next_home().is_some())
            }
            Event::PublicSet { .. } => !self.is_solo(),
            Event::PlayerChatChanged { chat: place, .. } => self.location_in(place).is_some(),
            Event::ChatMoved { from: Some(from), .. } => away(from),
            _ => true,
        }
    }

    /// The attached chat that becomes home when the home is deleted: one from which people play,
    /// preferably one that several people read.
    fn next_home(&self) -> Option<usize> {
        let plays = |it: &AttachedChat| !it.is_watch_only;
        let together = |it: &AttachedChat| plays(it) && it.kind == PlaceKind::Group;
        self.attached_chats
            .iter()
            .position(together)
            .or_else(|| self.attached_chats.iter().position(plays))
    }

    /// Applies an event about chats.
    pub(super) fn apply_location_event(&mut self, line: &LogLine) {
        match &line.event {
            // A private chat that has become the home is the home of the next table too.
            Event::Attached(to) if to.chat == *self.home() => {
                self.home_reader = Some(to.attached_by.clone());
                self.apply_route_change(&to.attached_by, &to.chat, &line.cause);
            }
            Event::Attached(to) => {
                self.attached_chats.retain(|it| it.chat != to.chat);
                if to.kind == PlaceKind::Private && !to.is_watch_only {
                    // The bot looks there for a person who wants to play there.
                    self.apply_route_change(&to.attached_by, &to.chat, &line.cause);
                    self.record_chat_of(&to.attached_by, &to.chat);
                }
                self.attached_chats.push(to.clone());
            }
            Event::Detached { chat: place } => self.remove_chat(place),
            Event::PublicSet { on } => self.is_public = Some(*on),
            Event::PlayerChatChanged { person, chat: place } => {
                self.apply_route_change(person, place, &line.cause);
                self.record_chat_of(person, place);
            }
            Event::ChatMoved { from: None, chat: place } => {
                let old = std::mem::replace(&mut self.setup.chat, place.clone());
                self.rename_chat(&old, place);
            }
            Event::ChatMoved { from: Some(from), chat: place } => {
                let moved = self.attached_chats.iter_mut().find(|it| it.chat == *from);
                if let Some(moved) = moved {
                    moved.chat = place.clone();
                }
                self.rename_chat(from, place);
            }
            _ => {}
        }
    }

    pub(super) fn record_chat_of(&mut self, person: &PersonId, place: &PlaceId) {
        self.last_chats.retain(|(it, _)| it != person);
        self.last_chats.push((person.clone(), place.clone()));
    }

    fn rename_chat(&mut self, from: &PlaceId, to: &PlaceId) {
        let here = self.last_chats.iter_mut().filter(|(_, it)| it == from);
        here.for_each(|(_, it)| *it = to.clone());
        self.access_routes.rename(from, to);
    }

    fn remove_chat(&mut self, place: &PlaceId) {
        if place == self.home()
            && let Some(heir) = self.next_home()
        {
            let AttachedChat { chat: place, kind, attached_by: by, .. } =
                self.attached_chats.remove(heir);
            self.setup.chat = place;
            self.home_reader = (kind == PlaceKind::Private).then_some(by);
        } else {
            self.attached_chats.retain(|it| it.chat != *place);
        }
        self.last_chats.retain(|(_, it)| it != place);
        self.access_routes.forget(place);
    }
}

/// Returns the event after a chat of the table was deleted, if people can play from another one.
pub fn chat_gone_event(table: &Table, place: &PlaceId) -> Option<Event> {
    let left = Event::Detached { chat: place.clone() };
    table.can_apply_location_event(&left).then_some(left)
}

/// Decides the events after these accounts were unlinked from a person: the private chats of other
/// people must not show secrets of this person. A table that has no other chat stays with the
/// reader of its only chat.
pub fn detach_unlinked_accounts(
    table: &Table,
    person: &PersonId,
    accounts: &[PersonId],
    meta: EventMeta,
) -> Option<Decision> {
    let mut draft = DecisionBuilder::new(table, meta);
    for account in accounts {
        // A person has one account on a platform.
        let theirs = |it: &Location<'_>| {
            it.reader == Some(person) && it.chat.platform() == account.platform()
        };
        let shown = |table: &Table| table.locations().find(theirs).map(|it| it.chat.clone());
        while let Some(place) = shown(&draft.table) {
            let (old, new) = (person.clone(), account.clone());
            let stays = Event::AccountsMerged { account: old, person: new };
            draft.add(chat_gone_event(&draft.table, &place).unwrap_or(stays));
        }
    }
    (draft.len() > 0).then(|| draft.finish())
}

/// Whether the actor is an admin of the table's home: admins of other chats decide there only.
pub(super) fn is_admin_at_home(table: &Table, actor: &Actor) -> bool {
    actor.is_admin && actor.chat.chat() == table.home().chat()
}

/// Checks whether a person may take a seat from the chat they are in.
pub(super) fn check_may_join(table: &Table, actor: &Actor) -> Result<(), Refusal> {
    match table.location_in(&actor.chat) {
        Some(spot) if spot.is_watch_only => Err(refuse("refuse-only-watching")),
        Some(_) | None => Ok(()),
    }
}

fn refuse_with(text: Text) -> Refusal {
    Refusal { text, is_stale: false }
}

/// Attaches the table to another chat.
pub(super) fn attach_chat(table: &Table, actor: &Actor, to: &AttachedChat) -> DecideResult {
    if !table.is_open() {
        return Err(refuse_stale("refuse-table-over"));
    }
    if table.is_solo() {
        return Err(refuse("refuse-bring-alone"));
    }
    if table.kicked.contains(&actor.person) {
        return Err(refuse("refuse-kicked"));
    }
    let known = table.attached_chats.iter().find(|it| it.chat == to.chat);
    if to.chat == *table.home() || known.is_some_and(|it| it.is_watch_only == to.is_watch_only) {
        return Err(refuse("refuse-already-here"));
    }
    if known.is_none() && table.attached_chats.len() >= ATTACHED_CHATS_MAX {
        let text = Text::new("refuse-too-many-places").with("count", ATTACHED_CHATS_MAX as i64);
        return Err(refuse_with(text));
    }
    decide_one(table, actor, Event::Attached(to.clone()))
}

/// Sets, for a player, whether everybody may watch.
pub(super) fn set_public(table: &Table, actor: &Actor, on: bool) -> DecideResult {
    seat_of(table, actor)?;
    if !table.is_open() {
        return Err(refuse_stale("refuse-table-over"));
    }
    if table.is_solo() {
        return Err(refuse("refuse-bring-alone"));
    }
    decide_one(table, actor, Event::PublicSet { on })
}

/// Detaches the table from an attached chat.
pub(super) fn detach_chat(table: &Table, actor: &Actor, place: &PlaceId) -> DecideResult {
    if place == table.home() {
        return Err(refuse("refuse-stop-home"));
    }
    let attached = table.attached_chats.iter().find(|it| it.chat == *place);
    let Some(attached) = attached else { return Err(refuse("refuse-not-brought")) };
    let orders_here = actor.is_admin && actor.chat.chat() == place.chat();
    let own = attached.attached_by == actor.person || table.setup.opener == actor.person;
    if !own && !orders_here {
        return Err(refuse("refuse-stop-others"));
    }
    decide_one(table, actor, Event::Detached { chat: place.clone() })
}

/// Records the chat from which a player acted, if it differs from their last one.
pub(super) fn with_player_chat(decision: Decision, actor: &Actor) -> Decision {
    let next = &decision.table;
    let plays = next.is_open() && next.seats_of(&actor.person).next().is_some();
    let new = next.chat_of(&actor.person) != Some(&actor.chat)
        || next.is_closed_to(&actor.person, &actor.chat);
    let about_places = |it: &Event| matches!(it, Event::Attached(_) | Event::Detached { .. });
    let moved = decision.events().any(about_places);
    if decision.lines.is_empty() || decision.opens_rematch || moved || !plays || !new {
        return decision;
    }
    if next.location_in(&actor.chat).is_none() {
        return decision;
    }
    let (person, place) = (actor.person.clone(), actor.chat.clone());
    let mut draft = DecisionBuilder::continue_from(decision, EventMeta::of_actor(actor));
    draft.add(Event::PlayerChatChanged { person, chat: place });
    draft.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{EndReason, FirstMover, LOG_FORMAT, TableSetup};
    use crate::{Command, apply_external_event, decide, open_table};
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
        let setup = TableSetup {
            format: LOG_FORMAT,
            game,
            revision: game.info().revision,
            options: game.info().default_options(),
            seats: 2,
            begin: FirstMover::Opener,
            chat: place("tg:-1"),
            kind: PlaceKind::Group,
            seed: [7; 32],
            opener: person("tg:1"),
            coached: false,
        };
        let sits = |id: &str| Event::Seated { person: person(id), name: id.to_owned() };
        let then = vec![sits("tg:1"), sits("dc:2")];
        let meta = EventMeta::received_now(1_000, "tg/1");
        open_table(&TableId("7k3fx".into()), setup, then, true, meta).expect("it fits").table
    }

    fn then(table: &Table, event: Event) -> Table {
        let meta = EventMeta::received_now(2_000, "tg/2");
        let lines = apply_external_event(table, event, meta).expect("it follows").lines;
        let mut next = table.duplicate();
        for line in lines {
            let read = LogLine::parse(&line.encode()).expect("what is written is read");
            assert_eq!(read, line);
            next.apply(&read).expect("it follows");
        }
        next
    }

    fn brought(table: &Table, to: &str, kind: PlaceKind, by: &str) -> Table {
        let (place, by) = (place(to), person(by));
        then(
            table,
            Event::Attached(AttachedChat {
                chat: place,
                kind,
                attached_by: by,
                is_watch_only: false,
            }),
        )
    }

    fn acts(id: &str, from: &str, admin: bool) -> Actor {
        Actor {
            person: person(id),
            name: id.to_owned(),
            username: None,
            chat: place(from),
            is_admin: admin,
            cause: "tg/3".into(),
            now_ms: 3_000,
            received_ms: 3_000,
        }
    }

    #[test]
    fn people_are_found_where_they_acted_last_else_where_they_can_be_reached() {
        let table = game();
        assert_eq!(table.chat_of(&person("dc:2")), Some(&place("tg:-1")), "there is no other");
        let table = brought(&table, "dc:9", PlaceKind::Group, "dc:2");
        assert_eq!(table.chat_of(&person("dc:2")), Some(&place("dc:9")));
        assert_eq!(table.chat_of(&person("tg:1")), Some(&place("tg:-1")));
        let table = brought(&table, "tg:1", PlaceKind::Private, "tg:1");
        assert_eq!(table.chat_of(&person("tg:1")), Some(&place("tg:1")), "they wanted it");
        let came = Event::PlayerChatChanged { person: person("tg:1"), chat: place("tg:-1") };
        let table = then(&table, came);
        assert_eq!(table.chat_of(&person("tg:1")), Some(&place("tg:-1")));
        assert_eq!(table.chat_of(&person("tg:3")), Some(&place("tg:-1")), "not in Ann's chat");
    }

    #[test]
    fn acting_from_another_chat_records_that_chat() {
        let table = brought(&game(), "dc:9", PlaceKind::Group, "dc:2");
        let turn = table.seat_to_move().expect("a player is to move");
        let game = table.game.as_deref().expect("it is played");
        let token = game.choices(caravanserai_games::rules::Seat(turn))[0].token.clone();
        let choice = crate::command::MoveChoice::Token(token);
        let moves = Command::Play { position: None, choice };
        let came = |from: &str| {
            let decision = decide(&table, &acts("tg:1", from, false), &moves).expect("it is legal");
            decision.events().any(|it| matches!(it, Event::PlayerChatChanged { .. }))
        };
        assert!(!came("tg:-1") && !came("tg:1"), "at home, and where it does not stand");
        assert!(came("dc:9"));
    }

    #[test]
    fn the_first_place_that_is_played_from_becomes_home() {
        let table = brought(&game(), "tg:1", PlaceKind::Private, "tg:1");
        let watched = Event::Attached(AttachedChat {
            chat: place("tg:-5"),
            kind: PlaceKind::Group,
            attached_by: person("tg:8"),
            is_watch_only: true,
        });
        let table = brought(&then(&table, watched), "dc:9", PlaceKind::Group, "dc:2");
        let left = |table: &Table| chat_gone_event(table, table.home());
        let table = then(&table, left(&table).expect("other chats remain"));
        assert_eq!(table.home(), &place("dc:9"));
        let table = then(&table, left(&table).expect("Ann plays alone"));
        assert_eq!(table.home(), &place("tg:1"));
        assert_eq!(
            table.seat_of_sole_reader(&place("tg:1")),
            table.seats_of(&person("tg:1")).next()
        );
        assert_eq!(left(&table), None, "nobody plays from where others only look on");
        // The next table is opened there, and the same people see it as they saw this one.
        let opened = then(&game(), Event::ChatMoved { from: None, chat: place("tg:1") });
        let next = table.attach_events().into_iter().fold(opened, |next, event| then(&next, event));
        assert_eq!(
            next.seat_of_sole_reader(&place("tg:1")),
            table.seat_of_sole_reader(&place("tg:1"))
        );
        let told = next.chat_of(&person("dc:2"));
        assert_eq!(told, Some(&place("tg:-5")), "home is Ann's chat there too");
        let over = then(&table, Event::TableClosed { reason: EndReason::ChatGone });
        assert!(!over.is_open());
    }

    #[test]
    fn admins_decide_for_their_own_chat() {
        let table = brought(&game(), "dc:9", PlaceKind::Group, "dc:7");
        let stop = Command::Detach(place("dc:9"));
        let may = |who: Actor| decide(&table, &who, &stop).is_ok();
        assert!(may(acts("dc:7", "dc:9", false)) && may(acts("dc:8", "dc:9", true)));
        assert!(may(acts("tg:1", "tg:-1", false)), "the opener of the table");
        assert!(!may(acts("dc:8", "dc:9", false)) && !may(acts("tg:5", "tg:-1", true)));
        let home = Command::Detach(place("tg:-1"));
        assert!(decide(&table, &acts("tg:5", "tg:-1", true), &home).is_err());
    }
}
