#![doc = include_str!("presence.md")]

use super::absent_players;
use super::access_routes::is_in_scope;
use super::chat_state::AttachedChat;
use super::clock::{self, ClockEvent};
use super::command::Actor;
use super::decide::Decision;
use super::decision_builder::{DecisionBuilder, EventMeta};
use super::event::{EndReason, Event, EventCause, LogLine};
use super::lobby_commands;
use super::state::{Table, TablePhase};
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_games::time_units::MINUTE_MS;

/// How long a person without an open route can come back before they are away, in milliseconds.
pub const LEFT_GRACE_MS: u64 = 10 * MINUTE_MS;

/// The way in which a person left a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// The person left, or blocked the bot.
    Left,
    /// Others removed or banned the person.
    Removed,
    /// The bot was removed from the chat of the person, or the chat was deleted.
    CutOff,
    /// The person was cut off from the chat, and then left it: they have left when it is open
    /// again.
    LeftWhileCutOff,
    /// The person removed the bot from their chat, or forbade it to write there.
    RemovedBot,
    /// The only message of the game was deleted, nobody knows by whom, and the bot cannot reach the
    /// person otherwise.
    LostMessage,
}

impl Departure {
    /// Whether the person had no choice: then nobody wins by it, and their clock is stopped.
    pub fn is_involuntary(self) -> bool {
        match self {
            Departure::Left | Departure::RemovedBot => false,
            Departure::Removed
            | Departure::CutOff
            | Departure::LeftWhileCutOff
            | Departure::LostMessage => true,
        }
    }
}

/// A person without an open route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepartedPlayer {
    /// The time of departure, in milliseconds since 1970.
    pub since_ms: u64,
    /// The way in which they left.
    pub departure: Departure,
}

impl DepartedPlayer {
    /// The departure after a later report, see [`corrected_departure`] and [`resume_departures`].
    fn after_report(self, reported: DepartedPlayer) -> DepartedPlayer {
        let corrected = |departure| DepartedPlayer { departure, ..self };
        match (self.departure, reported.departure) {
            (Departure::CutOff, Departure::Left) => corrected(Departure::LeftWhileCutOff),
            (Departure::LeftWhileCutOff, Departure::Left) => reported,
            (Departure::CutOff | Departure::LeftWhileCutOff, Departure::Removed) => {
                corrected(Departure::Removed)
            }
            (known, how) if !known.is_involuntary() && how.is_involuntary() => corrected(how),
            _ => self,
        }
    }
}

/// A route change that a line reports in its cause, with the scope: a chat or a platform. Earlier
/// programs ignore the cause and apply the event of the line.
enum RouteChange<'a> {
    Gone(Departure, &'a str),
    Closed(&'a str),
    Opened(&'a str),
}

fn parse_route_change(cause: &str) -> Option<RouteChange<'_>> {
    let (word, scope) = cause.split_once(':')?;
    Some(match word {
        "left" => RouteChange::Gone(Departure::Left, scope),
        "removed" => RouteChange::Gone(Departure::Removed, scope),
        "cut" => RouteChange::Gone(Departure::CutOff, scope),
        // Earlier programs do not know these words: for them the person is away at once.
        "sent" => RouteChange::Gone(Departure::RemovedBot, scope),
        "lost" => RouteChange::Gone(Departure::LostMessage, scope),
        "closed" => RouteChange::Closed(scope),
        "opened" => RouteChange::Opened(scope),
        _ => return None,
    })
}

impl Table {
    /// The chats in which this person can see the board and act, without those that a platform
    /// reported as closed.
    pub fn open_chats<'t>(&'t self, person: &'t PersonId) -> impl Iterator<Item = &'t ChatId> {
        let usual = self.usual_chat_of(person).filter(|_| !self.chats.routes.has_route(person));
        let is_way =
            move |chat: &ChatId| usual == Some(chat) || self.chats.routes.is_known(person, chat);
        let spots = self.chats.locations().filter(move |it| match it.reader {
            Some(reader) => reader == person && !it.is_watch_only,
            None => is_way(it.chat),
        });
        spots.map(|it| it.chat).filter(|it| !self.chats.routes.is_closed(person, it))
    }

    /// Whether the person of this seat has no open route but is not away yet.
    pub fn has_left(&self, seat: u8) -> bool {
        self.departure_of(seat).is_some() && !self.is_away(seat)
    }

    /// The end of the grace period of a person who left, in milliseconds since 1970; they are away
    /// afterwards. `None` where a win could be claimed then although they had no choice.
    pub fn grace_ends_ms(&self, seat: u8) -> Option<u64> {
        let left = self.departure_of(seat).filter(|_| self.has_left(seat))?;
        let waits = self.setup.is_claimable() && left.departure.is_involuntary();
        (!waits).then_some(left.since_ms + LEFT_GRACE_MS)
    }

    /// The time and kind of departure of this seat's person, if they lost their last route without
    /// a choice.
    pub fn involuntary_departure(&self, seat: u8) -> Option<DepartedPlayer> {
        self.departure_of(seat).filter(|it| it.departure.is_involuntary())
    }

    /// The time and kind of departure of this seat's person, if no route is open to them.
    pub fn departure_of(&self, seat: u8) -> Option<DepartedPlayer> {
        self.clocks.absence(seat).departure.filter(|_| !self.seating.is_computer(seat))
    }

    /// The way in which the person of this seat had left when victory was claimed over them;
    /// `None` if their time had run out instead.
    pub fn claimed_departure(&self, seat: u8) -> Option<Departure> {
        let late = self.clocks.late_turn.filter(|it| it.0 == seat);
        let is_late = late.is_some() && late == self.last_turn();
        self.departure_of(seat).filter(|_| !is_late).map(|it| it.departure)
    }

    /// Applies the departure of a person without an open route.
    pub(super) fn apply_departure(&mut self, person: &PersonId, line: &LogLine) {
        let how = match parse_route_change(&line.cause) {
            Some(RouteChange::Gone(how, scope)) => {
                self.chats.routes.close(person, scope);
                Some(how)
            }
            Some(RouteChange::Closed(_) | RouteChange::Opened(_)) | None => None,
        };
        let own: Vec<u8> = self.seating.seats_of(person).collect();
        for seat in own {
            let new =
                DepartedPlayer { since_ms: line.at_ms, departure: how.unwrap_or(Departure::Left) };
            let absence = self.clocks.absence_mut(seat);
            absence.departure = Some(match absence.departure {
                Some(known) if how.is_some() => known.after_report(new),
                Some(known) => known,
                None => new,
            });
            let is_involuntary = absence.departure.is_some_and(|it| it.departure.is_involuntary());
            if how.is_none() {
                absence.is_away = true;
                if is_involuntary {
                    self.rating_facts.record_excused_substitute(seat);
                }
            }
            if how.is_none() || is_involuntary {
                self.clocks.interrupt_turn(|turn| turn.0 == seat);
            }
        }
    }

    /// Applies the route changes in a line about a person who came to a chat.
    pub(super) fn apply_route_change(&mut self, person: &PersonId, chat: &ChatId, cause: &str) {
        match parse_route_change(cause) {
            Some(RouteChange::Closed(scope)) => self.chats.routes.close(person, scope),
            Some(RouteChange::Opened(scope)) => self.reopen_scope(person, scope),
            Some(RouteChange::Gone(..)) | None => {
                let seats = self.seating.occupants.iter().find(|it| it.person == *person);
                match seats.is_some_and(|it| it.joining_update == cause) {
                    // This line gives them a seat, and they were in no other chat.
                    true => self.chats.routes.record(person, chat),
                    false => self.record_route(person, chat),
                }
            }
        }
    }

    /// Opens the route that a line names for a returning person. The line names none if they acted
    /// themselves.
    pub(super) fn reopen_for_seat(&mut self, seat: u8, line: &LogLine) {
        if let Some(RouteChange::Opened(scope)) = parse_route_change(&line.cause)
            && let Some(person) = self.seating.occupant(seat).map(|it| it.person.clone())
        {
            self.reopen_scope(&person, scope);
        }
    }

    /// Opens a chat to a person again. If their last chat is closed, this becomes the last one.
    fn reopen_scope(&mut self, person: &PersonId, scope: &str) {
        self.chats.routes.open(person, scope);
        let here = self.chats.locations().filter(|it| it.is_read_by(person));
        let here = here.filter(|it| is_in_scope(it.chat, scope));
        let Some(chat) = here.map(|it| it.chat.clone()).next() else { return };
        let now = self.chat_of(person).cloned();
        if now.is_none_or(|it| self.chats.routes.is_closed(person, &it)) {
            self.chats.record_chat_of(person, &chat);
        }
        self.record_route(person, &chat);
    }

    /// Records that players reached the table by this chat, from which it is detached next: they
    /// have not come to another one by that.
    pub(super) fn record_routes_through(&mut self, chat: &ChatId) {
        for seat in self.seating.people_seats() {
            let Some(person) = self.seating.occupant(seat).map(|it| it.person.clone()) else {
                continue;
            };
            if !self.chats.routes.has_route(&person) && self.usual_chat_of(&person) == Some(chat) {
                self.chats.routes.record_usual(&person, chat);
            }
        }
    }

    /// Records a chat of a person, and their usual chat if no other was recorded before.
    pub(super) fn record_route(&mut self, person: &PersonId, chat: &ChatId) {
        if !self.chats.routes.has_route(person)
            && let Some(usual) = self.usual_chat_of(person).cloned()
        {
            self.chats.routes.record_usual(person, &usual);
        }
        self.chats.routes.record(person, chat);
    }
}

/// Adds to a decision that the actor has returned, if no route was open to them.
pub(super) fn add_return_events(decision: Decision, actor: &Actor) -> Decision {
    let next = &decision.table;
    let absent = next.seating.seats_of(&actor.person).find(|it| next.departure_of(*it).is_some());
    let Some(seat) = absent.filter(|_| next.phase == TablePhase::Playing) else { return decision };
    if decision.lines.is_empty() {
        return decision;
    }
    let back: Vec<Event> = absent_players::events_of_return(next, seat).collect();
    let mut draft = DecisionBuilder::continue_from(decision, EventMeta::of_actor(actor));
    back.into_iter().for_each(|event| draft.add(event));
    draft.finish()
}

/// Events at a table with one cause.
pub struct EventsWithCause {
    /// The events, in this order.
    pub events: Vec<Event>,
    /// The cause that their lines name.
    pub cause: EventCause,
}

/// Closes a route of this person: a chat, or everything on a platform. Returns `None` where that
/// changes nothing at this table.
pub fn close_route(
    table: &Table,
    person: &PersonId,
    scope: &str,
    how: Departure,
) -> Option<EventsWithCause> {
    table.seating.seats_of(person).next()?;
    let (shut, open): (Vec<_>, Vec<_>) =
        table.open_chats(person).partition(|it| is_in_scope(it, scope));
    if shut.is_empty() {
        return corrected_departure(table, person, scope, how);
    }
    let chat = table.chat_of(person).filter(|it| open.contains(it)).or(open.first().copied());
    if let Some(chat) = chat {
        let came = Event::PlayerChatChanged { person: person.clone(), chat: chat.clone() };
        return Some(EventsWithCause { events: vec![came], cause: format!("closed:{scope}") });
    }
    Some(EventsWithCause {
        events: vec![leave_seat_event(table, person)?],
        cause: departure_cause(how, scope),
    })
}

/// Records that others closed the last route of a person who was reported to have left it:
/// platforms report a removal also as a departure, in any order. A person who was cut off from a
/// chat, and then left it or was removed, does not return with the chat. Returns `None` if they
/// have not left, have left another chat last, or are away already.
fn corrected_departure(
    table: &Table,
    person: &PersonId,
    scope: &str,
    how: Departure,
) -> Option<EventsWithCause> {
    let is_last = table.chats.routes.is_last_closed(person, scope);
    if table.phase != TablePhase::Playing || !is_last {
        return None;
    }
    let is_corrected = |seat: u8| match table.departure_of(seat).map(|it| it.departure) {
        Some(Departure::CutOff) => matches!(how, Departure::Left | Departure::Removed),
        Some(Departure::LeftWhileCutOff) => how == Departure::Removed,
        Some(Departure::Left | Departure::RemovedBot) => {
            how.is_involuntary() && table.has_left(seat)
        }
        Some(Departure::Removed | Departure::LostMessage) | None => false,
    };
    table.seating.seats_of(person).find(|seat| is_corrected(*seat))?;
    Some(EventsWithCause {
        events: vec![Event::Clock(ClockEvent::PersonLeft { person: person.clone() })],
        cause: departure_cause(how, scope),
    })
}

/// Returns the event by which a person leaves a seat. In a lobby the seat becomes free. In a game
/// they are away, at once unless the cause of the line says that they left.
pub fn leave_seat_event(table: &Table, person: &PersonId) -> Option<Event> {
    match table.phase {
        TablePhase::Lobby => lobby_commands::leave_event(table, person),
        TablePhase::Playing => {
            let mut own = table.seating.seats_of(person);
            let counts =
                table.seating.people_seats().len() > 1 && own.any(|seat| is_present(table, seat));
            counts.then(|| Event::Clock(ClockEvent::PersonLeft { person: person.clone() }))
        }
        TablePhase::Over { .. } | TablePhase::Closed { .. } => None,
    }
}

/// Cuts off the players who can act only in a chat that is banned: they had no choice. Others may
/// act elsewhere, and there again after the ban. Returns `None` if there are none.
pub fn close_banned_chat(table: &Table, chat: &str) -> Option<EventsWithCause> {
    let cause = departure_cause(Departure::CutOff, chat);
    let is_cut_off = |person: &PersonId| reaches_only_within(table, person, chat);
    match table.phase {
        TablePhase::Lobby => free_seats(table, is_cut_off, cause),
        _ => record_departures(table, is_cut_off, cause),
    }
}

/// Opens a chat to this person again. Returns `None` where that changes nothing at this table.
pub fn open_route(table: &Table, person: &PersonId, chat: &str) -> Option<EventsWithCause> {
    table.seating.seats_of(person).next().filter(|_| table.chats.is_in_chat(chat))?;
    let cause = format!("opened:{chat}");
    let absent = |seat: &u8| table.is_away(*seat) || table.has_left(*seat);
    if table.phase == TablePhase::Playing
        && let Some(seat) = table.seating.seats_of(person).find(absent)
    {
        return Some(EventsWithCause {
            events: absent_players::events_of_return(table, seat).collect(),
            cause,
        });
    }
    let was_closed = table.chats.routes.is_scope_closed(person, chat);
    let chat_id = table.chat_of(person).filter(|_| table.is_open() && was_closed)?;
    let came = Event::PlayerChatChanged { person: person.clone(), chat: chat_id.clone() };
    Some(EventsWithCause { events: vec![came], cause })
}

/// Records the departure of people without an open route outside of this chat, which the bot cannot
/// reach. In a lobby it frees the seats of people without any open route: the table has left the
/// chat. Returns `None` if there are none.
pub fn record_unreachable_people(
    table: &Table,
    chat: &str,
    how: Departure,
) -> Option<EventsWithCause> {
    let cause = departure_cause(how, chat);
    if table.phase == TablePhase::Lobby {
        return free_seats(table, |it| table.open_chats(it).next().is_none(), cause);
    }
    record_departures(table, |it| reaches_only_within(table, it, chat), cause)
}

/// Frees the seats of the people in a lobby for whom this is true; without other people it closes.
/// Returns `None` if there are none.
fn free_seats(
    table: &Table,
    is_gone: impl Fn(&PersonId) -> bool,
    cause: EventCause,
) -> Option<EventsWithCause> {
    let people = table.seating.people();
    let gone: Vec<&PersonId> = people.iter().copied().filter(|it| is_gone(it)).collect();
    let events: Vec<Event> = match gone.len() {
        0 => return None,
        all if all == people.len() => {
            vec![Event::TableClosed { reason: EndReason::Cancelled }]
        }
        _ => gone.into_iter().map(|it| Event::Left { person: it.clone() }).collect(),
    };
    Some(EventsWithCause { events, cause })
}

/// Records that a player removed the bot from this chat or forbade it to write there, and reaches
/// the table only there. They have left by that: it must not stop their own clock, as it stops the
/// clocks of the others, see [`record_unreachable_people`]. They are back with the bot. Returns
/// `None` if they reach the table elsewhere, too, or do not play.
pub fn record_bot_removal(table: &Table, person: &PersonId, chat: &str) -> Option<EventsWithCause> {
    let has_gone = |it: &PersonId| it == person && reaches_only_within(table, it, chat);
    record_departures(table, has_gone, departure_cause(Departure::RemovedBot, chat))
}

/// Records that people who reach the table only in this chat are cut off: the bot may not write
/// there, and so the player whose clock runs cannot see the board of the turn. `shown`: the version
/// of the table that is shown there. Returns `None` if the board of the turn is shown, or if the
/// player can see it elsewhere.
pub fn record_unshown_board(table: &Table, chat: &ChatId, shown: u64) -> Option<EventsWithCause> {
    let running = table.running_clock().filter(|it| shown < it.version)?;
    let waiting = &table.seating.occupant(running.turn.0)?.person;
    if !reaches_only(table, waiting, chat) {
        return None;
    }
    let is_cut_off = |person: &PersonId| reaches_only(table, person, chat);
    record_departures(table, is_cut_off, departure_cause(Departure::CutOff, chat.without_topic()))
}

/// Records the departure of the present people for whom this is true. Returns `None` if there are
/// none.
fn record_departures(
    table: &Table,
    has_gone: impl Fn(&PersonId) -> bool,
    cause: EventCause,
) -> Option<EventsWithCause> {
    let seats = table.seating.people_seats();
    if table.phase != TablePhase::Playing || seats.len() < 2 {
        return None;
    }
    let gone = seats.into_iter().filter(|seat| is_present(table, *seat)).filter_map(|seat| {
        let person = &table.seating.occupant(seat)?.person;
        has_gone(person).then(|| Event::Clock(ClockEvent::PersonLeft { person: person.clone() }))
    });
    let events: Vec<Event> = gone.collect();
    (!events.is_empty()).then_some(EventsWithCause { events, cause })
}

/// Whether a person can see the board and act only in this chat, or on this platform.
fn reaches_only_within(table: &Table, person: &PersonId, scope: &str) -> bool {
    table.open_chats(person).all(|it| is_in_scope(it, scope))
}

/// Whether this chat is the only one in which a person can see the board and act.
pub fn reaches_only(table: &Table, person: &PersonId, chat: &ChatId) -> bool {
    table.open_chats(person).all(|it| it == chat)
}

/// The players besides this person who see the board in this chat, and can act only there.
pub(super) fn other_players_only_in(
    table: &Table,
    person: &PersonId,
    chat: &ChatId,
) -> Vec<PersonId> {
    let is_only_here =
        |it: &&PersonId| table.open_chats(it).next().is_some() && reaches_only(table, it, chat);
    let others = table.seating.people().into_iter().filter(|it| *it != person);
    others.filter(is_only_here).cloned().collect()
}

/// Adds to a decision that these people have lost their last route, because the actor has detached
/// the table from this chat. In a lobby their seats become free.
pub(super) fn add_cut_off_players(
    draft: &mut DecisionBuilder,
    actor: &Actor,
    people: &[PersonId],
    chat: &ChatId,
) {
    let cause = departure_cause(Departure::CutOff, chat.without_topic());
    draft.set_meta(EventMeta { cause, ..EventMeta::of_actor(actor) });
    for person in people {
        if let Some(left) = leave_seat_event(&draft.table, person) {
            draft.add(left);
        }
    }
    draft.set_meta(EventMeta::of_actor(actor));
}

/// The fate of people who reached a game only by a message that was deleted.
#[derive(Clone, Debug, Default)]
pub struct LostBoard {
    /// Their private chats, in which the game goes on.
    pub private_chats: Vec<AttachedChat>,
    /// The people whom the bot cannot reach: the platform does not say who deleted the message, so
    /// nobody may win by that.
    pub unreachable: Vec<PersonId>,
    /// The version of the table that the message showed last; 0 if it showed none.
    pub shown: u64,
}

/// Decides how a game goes on whose only message in this chat was deleted: in the private chats of
/// its players. Nobody knows since when the message was gone, so the player to move who could see
/// the board only there has at least a short time left to go on, even where it has run out. That
/// happens once for each seat, and neither where the player has shown the board there nor where the
/// message showed that the time had run out: then it was there in all of the turn. Otherwise a
/// player could delete the message to gain time. Returns `None` if nothing changes.
///
/// # Errors
/// When the events do not follow from the table.
pub fn move_lost_board(
    table: &Table,
    chat_id: &ChatId,
    lost: &LostBoard,
    now_ms: u64,
) -> Result<Option<Decision>, String> {
    if table.phase != TablePhase::Playing || table.chats.location_in(chat_id).is_none() {
        return Ok(None);
    }
    let meta = || EventMeta::received_now(now_ms, clock::LOST_BOARD_CAUSE);
    let mut draft = DecisionBuilder::new(table, meta());
    let turn = table.current_turn().map(|it| it.0).filter(|seat| is_present(table, *seat));
    let player = turn.and_then(|seat| table.seating.occupant(seat)).filter(|it| !it.is_computer());
    if let (Some(seat), Some(player)) = (turn, player)
        && reaches_only(table, &player.person, chat_id)
        && !table.clocks.has_lost_board(seat)
        && !table.clocks.is_lateness_shown(lost.shown)
        && table.chats.attached_chat(chat_id).is_none_or(|it| it.attached_by != player.person)
    {
        let is_late = table.is_late(seat) && table.setup.is_claimable();
        if is_late {
            draft.try_add(Event::Clock(ClockEvent::PersonReturned { seat }))?;
            draft = DecisionBuilder::continue_from(draft.finish(), meta());
        }
        // The line also records that it has happened.
        let ms = clock::lost_board_refund_ms(&draft.table, now_ms);
        if is_late || ms > 0 {
            draft.try_add(Event::Clock(ClockEvent::Refunded { ms }))?;
        }
    }
    let lost_message = departure_cause(Departure::LostMessage, chat_id.without_topic());
    draft.set_meta(EventMeta::received_now(now_ms, lost_message));
    // A person may have come to another chat of the table meanwhile.
    for person in lost.unreachable.iter().filter(|it| reaches_only(table, it, chat_id)) {
        if let Some(left) = leave_seat_event(&draft.table, person) {
            draft.try_add(left)?;
        }
    }
    draft.set_meta(meta());
    for chat in lost.private_chats.iter().filter(|it| reaches_only(table, &it.attached_by, chat_id))
    {
        draft.try_add(Event::Attached(chat.clone()))?;
    }
    Ok((draft.len() > 0).then(|| draft.finish()))
}

/// Opens a chat again to the people who were cut off because the bot could not reach it, and to the
/// player who sent it away. Returns `None` if there are none.
pub fn reopen_chat(table: &Table, chat: &str) -> Option<EventsWithCause> {
    let is_cut_off = |seat: &u8| {
        let how = table.departure_of(*seat).map(|it| it.departure);
        let person = table.seating.occupant(*seat).map(|it| &it.person);
        let is_with_bot = match how {
            Some(Departure::CutOff | Departure::RemovedBot | Departure::LostMessage) => true,
            Some(Departure::Left | Departure::LeftWhileCutOff | Departure::Removed) | None => false,
        };
        is_with_bot && person.is_some_and(|it| is_cut_off_from(table, it, chat))
    };
    let seats = table.seating.people_seats().into_iter().filter(is_cut_off);
    let events: Vec<Event> =
        seats.flat_map(|seat| absent_players::events_of_return(table, seat)).collect();
    let is_here = table.phase == TablePhase::Playing && table.chats.is_in_chat(chat);
    (is_here && !events.is_empty())
        .then(|| EventsWithCause { events, cause: format!("opened:{chat}") })
}

/// Whether a person without an open route was cut off by this chat. An account that was linked
/// meanwhile may have brought an open one.
fn is_cut_off_from(table: &Table, person: &PersonId, chat: &str) -> bool {
    table.chats.routes.is_scope_closed(person, chat) || table.open_chats(person).next().is_some()
}

/// Records that a chat is open again that players left while they were cut off from it: they have
/// left now, and their clocks run. Returns `None` if there are none.
pub fn resume_departures(table: &Table, chat: &str) -> Option<EventsWithCause> {
    let is_here = table.phase == TablePhase::Playing && table.chats.is_in_chat(chat);
    let left_meanwhile = |seat: u8| {
        let how = table.departure_of(seat).map(|it| it.departure);
        how == Some(Departure::LeftWhileCutOff) && table.has_left(seat)
    };
    let has_left = |person: &&PersonId| {
        is_cut_off_from(table, person, chat) && table.seating.seats_of(person).any(left_meanwhile)
    };
    let gone = table.seating.people().into_iter().filter(has_left).cloned();
    let events: Vec<Event> =
        gone.map(|person| Event::Clock(ClockEvent::PersonLeft { person })).collect();
    (is_here && !events.is_empty())
        .then(|| EventsWithCause { events, cause: departure_cause(Departure::Left, chat) })
}

/// Whether the person of a seat has neither left nor is away.
fn is_present(table: &Table, seat: u8) -> bool {
    !table.is_away(seat) && table.departure_of(seat).is_none()
}

/// Returns the cause of a line about a person who left a chat, or everything on a platform.
fn departure_cause(how: Departure, scope: &str) -> EventCause {
    match how {
        Departure::Left | Departure::LeftWhileCutOff => format!("left:{scope}"),
        Departure::Removed => format!("removed:{scope}"),
        Departure::CutOff => format!("cut:{scope}"),
        Departure::RemovedBot => format!("sent:{scope}"),
        Departure::LostMessage => format!("lost:{scope}"),
    }
}

/// The time at which the first departed person counts as away, in milliseconds since 1970.
pub(super) fn grace_deadline(table: &Table) -> Option<u64> {
    table.seating.people_seats().into_iter().filter_map(|seat| table.grace_ends_ms(seat)).min()
}

/// Marks departed people as away who did not come back in time.
pub(super) fn mark_away_after_grace(table: &Table, now_ms: u64) -> Option<Decision> {
    let due = |seat: &u8| table.grace_ends_ms(*seat).is_some_and(|it| it <= now_ms);
    let seats = table.seating.people_seats().into_iter().filter(due);
    let people: Vec<PersonId> =
        seats.filter_map(|it| Some(table.seating.occupant(it)?.person.clone())).collect();
    if people.is_empty() {
        return None;
    }
    let mut draft = DecisionBuilder::new(table, EventMeta::of_timer(now_ms));
    people
        .into_iter()
        .for_each(|person| draft.add(Event::Clock(ClockEvent::PersonLeft { person })));
    Some(draft.finish())
}
