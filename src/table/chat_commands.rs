//! Manages the chats of a table: its home, where it was opened, and the attached chats.
//!
//! The home is the chat that decides about a table: its admins may abort its game, and friends
//! were invited there. Every chat has a board of its own. When the home is deleted, the first chat
//! from which people play becomes the home.

pub use super::chat_state::{AttachedChat, Location};
use super::command::Actor;
use super::decide::{
    DecideResult, Refusal, begin_decision, decide_all, decide_one, refuse, refuse_stale, seat_of,
};
use super::decision_builder::{Decision, DecisionBuilder, EventMeta};
use super::event::{Event, LogLine};
use super::presence;
use super::state::{Table, TablePhase};
use caravanserai_games::ids::{ChatId, ChatKind, PersonId};
use caravanserai_games::text::{Arg, Text};

/// The maximum number of attached chats besides the home and the private chats of players and
/// invited people.
pub const ATTACHED_CHATS_MAX: usize = 8;

impl Table {
    /// The chat in which a person gets messages about this table: the chat from which they last
    /// acted, else the home, else a chat on their platform. `None` if no chat of the table is for
    /// them.
    pub fn chat_of(&self, person: &PersonId) -> Option<&ChatId> {
        self.chats.last_chat_of(person).or_else(|| self.usual_chat_of(person))
    }

    /// The chat of a person who has not acted at this table. Watch-only chats come last: the board
    /// there is hidden once the players close the table to watchers.
    pub(super) fn usual_chat_of(&self, person: &PersonId) -> Option<&ChatId> {
        let read = self.chats.locations().filter(|it| it.is_read_by(person)).map(|it| it.chat);
        read.min_by_key(|it| (!self.is_player_chat(it), it.platform() != person.platform()))
    }

    /// The chat in which a seat's hand is shown beside the board; `None` where the board itself
    /// shows it because nobody else reads it, and where no person has the seat.
    pub fn hand_chat(&self, seat: u8) -> Option<&ChatId> {
        let occupant = self.seating.occupant(seat).filter(|it| !it.is_computer())?;
        let chat = self.chat_of(&occupant.person)?;
        self.chats.location_in(chat).filter(|it| it.reader.is_none()).map(|it| it.chat)
    }

    /// The seat whose view the board in a chat shows, if only its player reads the chat.
    pub fn seat_of_sole_reader(&self, chat: &ChatId) -> Option<u8> {
        let reader = self.chats.location_in(chat)?.reader?;
        self.seating.seats_of(reader).next()
    }

    /// Whether a chat belongs to players: the home, a chat to which a player attached the table, or
    /// from which a player plays. In other chats people only watch.
    pub fn is_player_chat(&self, chat: &ChatId) -> bool {
        let plays = |it: &PersonId| self.seating.is_seated(it) || self.setup.opener == *it;
        chat == self.chats.home()
            || self.chats.attached_chat(chat).is_some_and(|it| plays(&it.attached_by))
            || self.chats.people_last_in(chat).any(plays)
    }

    /// Whether its chats or its players are on more than one platform.
    pub fn spans_platforms(&self) -> bool {
        let home = self.chats.home().platform();
        self.chats.ids().any(|it| it.platform() != home)
            || self.seating.people().iter().any(|it| self.platform_of(it) != home)
    }

    /// The platform on which a player is: that of the chat from which they last acted, because one
    /// person may be on several.
    pub fn platform_of<'t>(&'t self, person: &'t PersonId) -> &'t str {
        self.chat_of(person).map_or_else(|| person.platform(), ChatId::platform)
    }

    /// Applies an event about chats.
    pub(super) fn apply_location_event(&mut self, line: &LogLine) {
        match &line.event {
            // A private chat that has become the home is the home of the next table too.
            Event::Attached(to) if to.chat == *self.chats.home() => {
                self.chats.set_home_reader(&to.attached_by);
                self.apply_route_change(&to.attached_by, &to.chat, &line.cause);
            }
            Event::Attached(to) => {
                self.chats.attached.retain(|it| it.chat != to.chat);
                if to.kind == ChatKind::Private && !to.is_watch_only {
                    // The bot looks there for a person who wants to play there.
                    self.apply_route_change(&to.attached_by, &to.chat, &line.cause);
                    self.chats.record_chat_of(&to.attached_by, &to.chat);
                }
                self.chats.attached.push(to.clone());
            }
            Event::Detached { chat } => {
                self.record_routes_through(chat);
                self.chats.remove(chat);
            }
            Event::PublicSet { on } => self.chats.is_public = Some(*on),
            Event::PlayerChatChanged { person, chat } => {
                self.apply_route_change(person, chat, &line.cause);
                self.chats.record_chat_of(person, chat);
            }
            Event::ChatMoved { from, chat } => self.chats.rename(from.as_ref(), chat),
            _ => {}
        }
    }
}

/// Returns the event after a chat of the table was deleted, if people can play from another one.
pub fn chat_gone_event(table: &Table, chat: &ChatId) -> Option<Event> {
    let left = Event::Detached { chat: chat.clone() };
    table.chats.can_apply(&left).then_some(left)
}

/// Returns the events by which a table leaves a topic that takes no more messages for the chat of
/// the topic, whose members read both; none if it is not in the topic. The table may be shown in
/// the chat already.
pub fn leave_topic_events(table: &Table, topic: &ChatId, chat: &ChatId) -> Vec<Event> {
    let Some(left) = table.chats.location_in(topic) else { return Vec::new() };
    let chat = chat.clone();
    let is_home = topic == table.chats.home();
    let from = (!is_home).then(|| topic.clone());
    let moved = Event::ChatMoved { from, chat: chat.clone() };
    let Some(known) = table.chats.location_in(&chat) else { return vec![moved] };
    if is_home || (known.is_watch_only && !left.is_watch_only) {
        // The home stays in this chat, whatever other chats the table has.
        return vec![Event::Detached { chat }, moved];
    }
    let mut events = Vec::new();
    for person in table.seating.people() {
        let is_open = |chat: &ChatId| table.open_chats(person).any(|it| it == chat);
        if is_open(topic) && !is_open(&chat) {
            let person = person.clone();
            events.push(Event::PlayerChatChanged { person, chat: chat.clone() });
        }
    }
    events.push(Event::Detached { chat: topic.clone() });
    events
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
        let shown = |table: &Table| table.chats.locations().find(theirs).map(|it| it.chat.clone());
        while let Some(chat) = shown(&draft.table) {
            let old = person.clone();
            let new = account.clone();
            let stays = Event::AccountsMerged { account: old, person: new };
            draft.add(chat_gone_event(&draft.table, &chat).unwrap_or(stays));
        }
    }
    (draft.len() > 0).then(|| draft.finish())
}

/// Whether the actor is an admin of the table's home: admins of other chats decide there only.
pub(super) fn is_admin_at_home(table: &Table, actor: &Actor) -> bool {
    is_admin_in(actor, table.chats.home())
}

/// Whether the actor is in this chat or one of its topics, and is an admin there.
fn is_admin_in(actor: &Actor, chat: &ChatId) -> bool {
    actor.is_admin && actor.chat.without_topic() == chat.without_topic()
}

/// Checks whether a person may take a seat from the chat they are in.
pub(super) fn check_may_join(table: &Table, actor: &Actor) -> Result<(), Refusal> {
    match table.chats.location_in(&actor.chat) {
        Some(spot) if spot.is_watch_only => Err(refuse("refuse-only-watching")),
        Some(_) | None => Ok(()),
    }
}

fn refuse_with(text: Text) -> Refusal {
    Refusal::new(text)
}

/// Attaches the table to another chat, or changes whether people in an attached one only watch. The
/// first person who attached a group stays the one who did.
pub(super) fn attach_chat(table: &Table, actor: &Actor, to: &AttachedChat) -> DecideResult {
    if !table.is_open() {
        return Err(refuse_stale("refuse-table-over"));
    }
    if table.is_solo() {
        return Err(refuse("refuse-show-private-game"));
    }
    if table.invitations.is_kicked(&actor.person) {
        return Err(refuse("refuse-kicked"));
    }
    let known = table.chats.attached_chat(&to.chat);
    if to.chat == *table.chats.home()
        || known.is_some_and(|it| !may_change_attached(table, actor, it, to.is_watch_only))
    {
        return Err(refuse("refuse-already-here"));
    }
    let of_others = table.chats.attached.iter().filter(|it| !is_for_player(table, it)).count();
    let is_limited =
        known.is_none() && !is_for_player(table, to) && !is_for_invitee(table, actor, to);
    if is_limited && of_others >= ATTACHED_CHATS_MAX {
        let text = Text::new("refuse-too-many-places").with("count", ATTACHED_CHATS_MAX as i64);
        return Err(refuse_with(text));
    }
    let mut attached = to.clone();
    let known = known.filter(|it| it.kind == ChatKind::Group);
    if let Some(known) = known {
        attached.attached_by.clone_from(&known.attached_by);
    }
    // A player who wants to play here makes it a chat of the players, also one who was cut off when
    // the table was no longer shown here.
    let returns = known.is_some() || table.chats.routes.is_closed(&actor.person, &to.chat);
    let plays = !to.is_watch_only && table.seating.is_seated(&actor.person);
    let came = (plays && returns && actor.chat == to.chat)
        .then(|| Event::PlayerChatChanged { person: actor.person.clone(), chat: to.chat.clone() });
    decide_all(table, actor, [Event::Attached(attached)].into_iter().chain(came))
}

/// Whether a chat is the private chat of a player or of an invited person. Others must not use up
/// the space for it.
fn is_for_player(table: &Table, chat: &AttachedChat) -> bool {
    let reader = &chat.attached_by;
    let mut invited = table.invitations.invited.iter();
    chat.kind == ChatKind::Private
        && (table.seating.is_seated(reader) || invited.any(|it| it.person.as_ref() == Some(reader)))
}

/// Whether a chat is the private chat of the actor, who is invited, perhaps by a name after `@`.
fn is_for_invitee(table: &Table, actor: &Actor, chat: &AttachedChat) -> bool {
    chat.kind == ChatKind::Private && chat.attached_by == actor.person && actor.is_invited(table)
}

/// Whether the actor may change an attached chat so that people there only watch, or play again.
/// Nobody takes the buttons from a player who plays from there, and a bystander takes them from
/// nobody.
fn may_change_attached(
    table: &Table,
    actor: &Actor,
    known: &AttachedChat,
    is_watch_only: bool,
) -> bool {
    let may_hide_buttons = || {
        let person = &actor.person;
        let is_played_here = |it: &&PersonId| table.open_chats(it).any(|chat| *chat == known.chat);
        let decides = known.attached_by == *person
            || table.setup.opener == *person
            || table.seating.is_seated(person)
            || is_admin_in(actor, &known.chat);
        decides && !table.seating.people().iter().any(is_played_here)
    };
    known.is_watch_only != is_watch_only && (!is_watch_only || may_hide_buttons())
}

/// Sets, for a player, whether everybody may watch.
pub(super) fn set_public(table: &Table, actor: &Actor, on: bool) -> DecideResult {
    seat_of(table, actor)?;
    if !table.is_open() {
        return Err(refuse_stale("refuse-table-over"));
    }
    if table.is_solo() {
        return Err(refuse("refuse-show-private-game"));
    }
    decide_one(table, actor, Event::PublicSet { on })
}

/// Detaches the table from an attached chat. Players who reach it only there are cut off. A player
/// must not gain by that, so only an admin of the chat who does not play may do it to them,
/// whatever its setting says about who may close tables.
pub(super) fn detach_chat(table: &Table, actor: &Actor, chat: &ChatId) -> DecideResult {
    if chat == table.chats.home() {
        return Err(refuse("refuse-stop-home"));
    }
    let Some(attached) = table.chats.attached_chat(chat) else {
        return Err(refuse("refuse-not-shown-here"));
    };
    let orders_here = is_admin_in(actor, chat);
    let own = attached.attached_by == actor.person || table.setup.opener == actor.person;
    if !own && !orders_here {
        return Err(refuse("refuse-stop-others"));
    }
    let others = presence::other_players_only_in(table, &actor.person, chat);
    let decides_for_others =
        orders_here && actor.is_chat_admin && !table.seating.is_seated(&actor.person);
    if table.phase == TablePhase::Playing
        && !decides_for_others
        && let Some(seat) = others.iter().find_map(|it| table.seating.seats_of(it).next())
    {
        return Err(refuse_with(Text::new("refuse-stop-player").with("name", Arg::Seat(seat))));
    }
    let mut draft = begin_decision(table, actor, [Event::Detached { chat: chat.clone() }]);
    presence::add_cut_off_players(&mut draft, actor, &others, chat);
    Ok(draft.finish())
}

/// Records the chat from which a player acted, if it differs from their last one.
pub(super) fn add_player_chat_event(decision: Decision, actor: &Actor) -> Decision {
    let next = &decision.table;
    let plays = next.is_open() && next.seating.is_seated(&actor.person);
    let new = next.chat_of(&actor.person) != Some(&actor.chat)
        || next.chats.routes.is_closed(&actor.person, &actor.chat);
    let about_chats = |it: &Event| matches!(it, Event::Attached(_) | Event::Detached { .. });
    let moved = decision.events().any(about_chats);
    if decision.lines.is_empty() || decision.opens_rematch || moved || !plays || !new {
        return decision;
    }
    if next.chats.location_in(&actor.chat).is_none() {
        return decision;
    }
    let person = actor.person.clone();
    let chat = actor.chat.clone();
    let mut draft = DecisionBuilder::continue_from(decision, EventMeta::of_actor(actor));
    draft.add(Event::PlayerChatChanged { person, chat });
    draft.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::KickTarget;
    use crate::event::{EndReason, TableSetup};
    use crate::{Command, apply_external_event, decide, open_table};
    use caravanserai_games::GameId;
    use caravanserai_games::ids::TableId;

    fn chat(name: &str) -> ChatId {
        ChatId(name.to_owned())
    }

    fn person(name: &str) -> PersonId {
        PersonId(name.to_owned())
    }

    /// A game of Ann on Telegram and Bek on Discord in a Telegram group.
    fn game() -> Table {
        let game = GameId::all()[0];
        let setup = TableSetup::for_test(game, 2, person("tg:1"));
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

    fn brought(table: &Table, to: &str, kind: ChatKind, by: &str) -> Table {
        let chat = chat(to);
        let by = person(by);
        then(
            table,
            Event::Attached(AttachedChat { chat, kind, attached_by: by, is_watch_only: false }),
        )
    }

    fn acts(id: &str, from: &str, admin: bool) -> Actor {
        Actor {
            person: person(id),
            name: id.to_owned(),
            username: None,
            chat: chat(from),
            is_admin: admin,
            is_chat_admin: admin,
            cause: "tg/3".into(),
            now_ms: 3_000,
            received_ms: 3_000,
        }
    }

    #[test]
    fn people_are_found_where_they_acted_last_else_where_they_can_be_reached() {
        let table = game();
        assert_eq!(table.chat_of(&person("dc:2")), Some(&chat("tg:-1")), "there is no other");
        let table = brought(&table, "dc:9", ChatKind::Group, "dc:2");
        assert_eq!(table.chat_of(&person("dc:2")), Some(&chat("dc:9")));
        assert_eq!(table.chat_of(&person("tg:1")), Some(&chat("tg:-1")));
        let table = brought(&table, "tg:1", ChatKind::Private, "tg:1");
        assert_eq!(table.chat_of(&person("tg:1")), Some(&chat("tg:1")), "they wanted it");
        let came = Event::PlayerChatChanged { person: person("tg:1"), chat: chat("tg:-1") };
        let table = then(&table, came);
        assert_eq!(table.chat_of(&person("tg:1")), Some(&chat("tg:-1")));
        assert_eq!(table.chat_of(&person("tg:3")), Some(&chat("tg:-1")), "not in Ann's chat");
    }

    #[test]
    fn acting_from_another_chat_records_that_chat() {
        let table = brought(&game(), "dc:9", ChatKind::Group, "dc:2");
        let turn = table.seat_to_move().expect("a player is to move");
        let game = table.game.as_deref().expect("it is played");
        let token = game.choices(caravanserai_games::rules::Seat(turn))[0].token.clone();
        let choice = crate::command::MoveChoice::Token(token);
        let moves = Command::Move { position: None, choice };
        let came = |from: &str| {
            let decision = decide(&table, &acts("tg:1", from, false), &moves).expect("it is legal");
            decision.events().any(|it| matches!(it, Event::PlayerChatChanged { .. }))
        };
        assert!(!came("tg:-1") && !came("tg:1"), "at home, and where it does not stand");
        assert!(came("dc:9"));
    }

    #[test]
    fn a_table_leaves_a_topic_for_its_chat_once() {
        let topic = chat("tg:-1/5");
        let left = |table: &Table| {
            let events = leave_topic_events(table, &topic, &chat("tg:-1"));
            events.into_iter().fold(table.duplicate(), |table, event| then(&table, event))
        };
        let ids = |table: &Table| table.chats.ids().cloned().collect::<Vec<_>>();
        let at_home = then(&game(), Event::ChatMoved { from: None, chat: topic.clone() });
        let table = left(&at_home);
        assert_eq!(ids(&table), [chat("tg:-1")]);
        assert!(leave_topic_events(&table, &topic, &chat("tg:-1")).is_empty());
        // The home stays in the group, though another chat was there first.
        let elsewhere = brought(&at_home, "dc:9", ChatKind::Group, "dc:2");
        let table = left(&brought(&elsewhere, "tg:-1", ChatKind::Group, "tg:1"));
        assert_eq!(ids(&table), [chat("tg:-1"), chat("dc:9")]);
        // The group is the home already.
        let shown = brought(&game(), "tg:-1/5", ChatKind::Group, "dc:2");
        let came = Event::PlayerChatChanged { person: person("dc:2"), chat: topic.clone() };
        let table = left(&then(&shown, came));
        assert_eq!(ids(&table), [chat("tg:-1")]);
        assert_eq!(table.chat_of(&person("dc:2")), Some(&chat("tg:-1")));
        assert!(table.open_chats(&person("dc:2")).next().is_some(), "they read the group, too");
    }

    #[test]
    fn the_first_place_that_is_played_from_becomes_home() {
        let table = brought(&game(), "tg:1", ChatKind::Private, "tg:1");
        let watched = Event::Attached(AttachedChat {
            chat: chat("tg:-5"),
            kind: ChatKind::Group,
            attached_by: person("tg:8"),
            is_watch_only: true,
        });
        let table = brought(&then(&table, watched), "dc:9", ChatKind::Group, "dc:2");
        let left = |table: &Table| chat_gone_event(table, table.chats.home());
        let table = then(&table, left(&table).expect("other chats remain"));
        assert_eq!(table.chats.home(), &chat("dc:9"));
        let table = then(&table, left(&table).expect("Ann plays alone"));
        assert_eq!(table.chats.home(), &chat("tg:1"));
        assert_eq!(
            table.seat_of_sole_reader(&chat("tg:1")),
            table.seating.seats_of(&person("tg:1")).next()
        );
        assert_eq!(left(&table), None, "nobody plays from where others only look on");
        // The next table is opened there, and the same people see it as they saw this one.
        let opened = then(&game(), Event::ChatMoved { from: None, chat: chat("tg:1") });
        let next =
            table.chats.attach_events().into_iter().fold(opened, |next, event| then(&next, event));
        assert_eq!(
            next.seat_of_sole_reader(&chat("tg:1")),
            table.seat_of_sole_reader(&chat("tg:1"))
        );
        let told = next.chat_of(&person("dc:2"));
        assert_eq!(told, Some(&chat("tg:-5")), "home is Ann's chat there too");
        let over = then(&table, Event::TableClosed { reason: EndReason::ChatGone });
        assert!(!over.is_open());
    }

    #[test]
    fn private_boards_go_with_a_player_who_leaves_before_the_start() {
        let setup = TableSetup::for_test(GameId::all()[0], 2, person("tg:1"));
        let sits = |id: &str| Event::Seated { person: person(id), name: id.to_owned() };
        let meta = EventMeta::received_now(1_000, "tg/1");
        let seated = vec![sits("tg:1"), sits("dc:2")];
        let opened = open_table(&TableId("7k3fx".into()), setup, seated, false, meta);
        let table = opened.expect("it fits").table;
        let table = brought(&table, "dc:2", ChatKind::Private, "dc:2");
        let table = brought(&table, "tg:1", ChatKind::Private, "tg:1");
        let seat = table.seating.seats_of(&person("dc:2")).next().expect("they sit");
        let kick = Command::Kick(KickTarget::Seat { seat, version: table.version });
        for (who, command) in [("dc:2", Command::Leave), ("tg:1", kick)] {
            let left = decide(&table, &acts(who, "tg:-1", false), &command).expect("they may");
            let ids: Vec<&ChatId> = left.table.chats.ids().collect();
            assert_eq!(ids, [&chat("tg:-1"), &chat("tg:1")], "{who}");
        }
    }

    #[test]
    fn admins_decide_for_their_own_chat() {
        let table = brought(&game(), "dc:9", ChatKind::Group, "dc:7");
        let stop = Command::Detach(chat("dc:9"));
        let may = |who: Actor| decide(&table, &who, &stop).is_ok();
        assert!(may(acts("dc:7", "dc:9", false)) && may(acts("dc:8", "dc:9", true)));
        assert!(may(acts("tg:1", "tg:-1", false)), "the opener of the table");
        assert!(!may(acts("dc:8", "dc:9", false)) && !may(acts("tg:5", "tg:-1", true)));
        let home = Command::Detach(chat("tg:-1"));
        assert!(decide(&table, &acts("tg:5", "tg:-1", true), &home).is_err());
    }
}
