//! Decides the commands before the start: join, leave, move, arrange, start.

use super::chat_commands::{self, AttachedChat};
use super::command::{Actor, KickTarget};
use super::decide::{
    DecideResult, Decision, Refusal, begin_decision, decide_all, decide_one, refuse, refuse_stale,
    require_opener, require_unfinished, seat_of,
};
use super::decision_builder::{DecisionBuilder, EventMeta, next_draw};
use super::event::{DEFAULT_LEVEL, EndReason, Event, FirstMover, computer_id};
use super::fair_random::shuffle_occupants;
use super::people::{DeclineReason, Invitee, Occupant};
use super::state::{Table, TablePhase};
use caravanserai_games::ids::{ChatKind, PersonId};
use caravanserai_games::rules::Entropy;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::time_units::{DAY_MS, HOUR_MS, MINUTE_MS};
use caravanserai_games::{GameId, SeatLimits};

/// How long a table that has not started stays open after its last event, in milliseconds: a day,
/// so that a person who looks in once a day finds it.
pub const LOBBY_LIFETIME_MS: u64 = DAY_MS;

/// How long before it closes the opener gets a reminder, in milliseconds.
pub const CLOSING_WARNING_MS: u64 = HOUR_MS;

/// The minimum interval between reminders to invitees, in milliseconds.
const REMINDER_INTERVAL_MS: u64 = 5 * MINUTE_MS;

pub(super) fn require_lobby(table: &Table) -> Result<(), Refusal> {
    match table.phase {
        TablePhase::Lobby => Ok(()),
        TablePhase::Playing => Err(refuse_stale("refuse-already-started")),
        TablePhase::Over { .. } | TablePhase::Closed { .. } => {
            Err(refuse_stale("refuse-table-over"))
        }
    }
}

pub(super) fn require_opener_in_lobby(table: &Table, actor: &Actor) -> Result<(), Refusal> {
    require_lobby(table)?;
    require_opener(table, actor)
}

/// Returns the index of the pending invitation of this person.
fn invitation_number(table: &Table, actor: &Actor) -> Option<u8> {
    let home = table.chats.home().platform();
    table.awaited_invitees().find(|(_, it)| actor.is_invited_as(it, home)).map(|(n, _)| n)
}

/// All free seats are reserved for invitees.
fn not_invited_refusal(table: &Table) -> Refusal {
    let names: Vec<Arg> = table.awaited_invitees().map(|(_, it)| Arg::from(&*it.name)).collect();
    let text = Text::new("refuse-not-invited").with("count", names.len() as i64);
    let text = text.with("name", Arg::Names(names));
    Refusal::new(text)
}

/// Takes a seat by a button. A person agrees by that to the settings that they have seen.
pub(super) fn take_seat(
    table: &Table,
    actor: &Actor,
    wanted: Option<u8>,
    seen_settings: u64,
) -> DecideResult {
    require_lobby(table)?;
    if seen_settings != table.settings_version && !table.has_agreed_to_lobby(&actor.person) {
        return Err(refuse_stale("refuse-lobby-changed"));
    }
    join(table, actor, wanted)
}

pub(super) fn join(table: &Table, actor: &Actor, wanted: Option<u8>) -> DecideResult {
    require_lobby(table)?;
    if table.is_solo() && table.setup.opener != actor.person {
        return Err(refuse("refuse-not-your-table"));
    }
    if let Some(seat) = table.seating.seats_of(&actor.person).next()
        && (!table.is_solo() || needs_computers(table.game_id()))
    {
        return match wanted.filter(|it| *it != seat) {
            Some(wanted) => change_seat(table, actor, seat, wanted),
            None if table.is_yet_to_confirm(&actor.person) => {
                move_to_seat(table, actor, seat, seat)
            }
            None => Err(refuse("refuse-already-seated")),
        };
    }
    if table.seating.occupants.len() >= usize::from(table.setup.seats) {
        return Err(refuse("refuse-no-free-seat"));
    }
    let mut events = Vec::new();
    match invitation_number(table, actor) {
        Some(n) => {
            let known = table.invitations.invited[usize::from(n)].person.is_some();
            let met = Event::InviteeIdentified { n, person: actor.person.clone() };
            events.extend((!known).then_some(met));
        }
        None if table.open_seat_count() == 0 => return Err(not_invited_refusal(table)),
        None if table.invitations.is_kicked(&actor.person) => return Err(refuse("refuse-kicked")),
        None => {}
    }
    events.push(Event::Seated { person: actor.person.clone(), name: actor.name.clone() });
    if let Some(seat) = wanted {
        if seat >= table.setup.seats || table.seating.occupant(seat).is_some() {
            return Err(refuse_stale("refuse-seat-taken"));
        }
        events.push(Event::SeatChanged { occupant: table.seating.occupants.len() as u8, seat });
    }
    add_and_start_if_full(table, actor, events)
}

/// A person who has a seat moves to another one.
fn change_seat(table: &Table, actor: &Actor, from: u8, seat: u8) -> DecideResult {
    if seat >= table.setup.seats {
        return Err(refuse_stale("refuse-seat-taken"));
    }
    if seat == from {
        return Err(refuse("refuse-already-seated"));
    }
    // Only the opener may move others: they get the seat that becomes free.
    if table.seating.occupant(seat).is_some() && table.setup.opener != actor.person {
        return Err(refuse("refuse-seat-taken"));
    }
    move_to_seat(table, actor, from, seat)
}

/// The person on the first seat moves to the second, which may be the same, and agrees by that to
/// the settings. The game begins if it waited only for that.
fn move_to_seat(table: &Table, actor: &Actor, from: u8, to: u8) -> DecideResult {
    let moved = Event::SeatChanged { occupant: table.seating.occupant_index_of(from), seat: to };
    match table.has_agreed_to_lobby(&actor.person) {
        true => decide_one(table, actor, moved),
        false => add_and_start_if_full(table, actor, vec![moved]),
    }
}

/// Whether a single person plays this game against computers, rather than all sides themselves:
/// where hands are hidden one person would know all of them, and with more than two seats that
/// person would only press buttons.
pub fn needs_computers(game: GameId) -> bool {
    let info = game.info();
    info.hidden || info.seats.most > 2
}

/// Decides these events, and the start if they fill the table and nothing is left to arrange.
///
/// A game for two starts with the second player. So does a game for more players without partners:
/// the order of seats does not matter, and the players were invited or came first. In a game with
/// partners the last to come would determine the partners: a full table then waits until the opener
/// presses “Start”, unless all others are computers. It also waits until all who have a seat agree
/// to settings that were changed meanwhile.
fn add_and_start_if_full(table: &Table, actor: &Actor, events: Vec<Event>) -> DecideResult {
    let draft = begin_decision(table, actor, events);
    let next = &draft.table;
    let full = next.seating.occupants.len() == usize::from(next.setup.seats);
    let starts_by_itself = !next.setup.has_partners() || next.seating.people().len() == 1;
    if full && starts_by_itself && next.seats_yet_to_confirm(Some(&actor.person)).is_empty() {
        return Ok(start_and_finish(draft));
    }
    Ok(draft.finish())
}

/// Starts the game, then adds its automatic events.
fn start_and_finish(mut draft: DecisionBuilder) -> Decision {
    draft.try_start().expect("a full table can start");
    draft.advance_and_finish()
}

/// The event that starts a full table and assigns the seats.
pub(super) fn start_event(table: &Table) -> Event {
    start_event_in(table, start_order(table))
}

/// The event that starts a full table with the occupants in this playing order.
pub(super) fn start_event_in(table: &Table, order: Vec<u8>) -> Event {
    Event::Started { order, leavers_lose: table.would_leavers_lose(), pair_limit: None }
}

/// The occupants of a full table in playing order. With two seats they are drawn, or chosen by the
/// opener. With more, people have chosen their seats, so only the first player is drawn, and the
/// circle is rotated.
pub(super) fn start_order(table: &Table) -> Vec<u8> {
    let seats = table.setup.seats;
    let mut draw = next_draw(table);
    if seats == 2 {
        return match table.setup.begin {
            FirstMover::Lot => shuffle_occupants(seats, &mut draw),
            FirstMover::Opener => vec![0, 1],
            FirstMover::Friend => vec![1, 0],
        };
    }
    let opener = table.seating.seats_of(&table.setup.opener).next().unwrap_or_default();
    let first = match table.setup.begin {
        FirstMover::Lot => draw.below(u32::from(seats)) as u8,
        FirstMover::Opener => opener,
        FirstMover::Friend => opener + 1,
    };
    (0..seats).map(|seat| table.seating.occupant_index_of((first + seat) % seats)).collect()
}

pub(super) fn decline_invitation(table: &Table, actor: &Actor) -> DecideResult {
    require_lobby(table)?;
    match invitation_number(table, actor) {
        Some(n) => decide_one(table, actor, decline_event(table, n)),
        None if table.awaited_invitees().next().is_some() => Err(not_invited_refusal(table)),
        None => Err(refuse("refuse-nothing-offered")),
    }
}

/// The event by which the n-th invitee declines.
fn decline_event(table: &Table, n: u8) -> Event {
    match table.setup.seats {
        // In a game for two nobody is left to play with.
        2 => Event::TableClosed { reason: EndReason::Declined },
        _ => Event::InvitationEnded { n },
    }
}

/// Returns the event that declines the invitation of a person who can no longer answer; `None` if
/// the table does not wait for them.
pub(super) fn ended_invitation_event(
    table: &Table,
    is_invitee: impl Fn(&Invitee) -> bool,
) -> Option<Event> {
    if table.phase != TablePhase::Lobby {
        return None;
    }
    let awaited = table.awaited_invitees().find(|(_, it)| is_invitee(it));
    awaited.map(|(n, _)| decline_event(table, n))
}

/// The event that ends an invitation between two people, of whom one has a seat, because the first
/// has blocked the second. Each comes with their name after `@`, see [`Actor::username`].
///
/// A blocker who is invited declines; the invitation of a blocked person is withdrawn.
pub fn blocked_invitation_event(
    table: &Table,
    blocker: (&PersonId, Option<&str>),
    blocked: (&PersonId, Option<&str>),
) -> Option<Event> {
    if table.phase != TablePhase::Lobby {
        return None;
    }
    let home = table.chats.home().platform();
    let awaited_beside = |(person, username), (other, _): (&PersonId, _)| {
        let is_person = |it: &Invitee| it.matches_person(person, username, home);
        let awaited = table.awaited_invitees().find(|(_, it)| is_person(it)).map(|(n, _)| n);
        awaited.filter(|_| table.seating.is_seated(other))
    };
    match awaited_beside(blocker, blocked) {
        Some(n) => Some(decline_event(table, n)),
        None => awaited_beside(blocked, blocker).map(|n| Event::InvitationEnded { n }),
    }
}

/// Records the reason of a person who declined, once.
pub(super) fn explain_decline(table: &Table, actor: &Actor, why: DeclineReason) -> DecideResult {
    let home = table.chats.home().platform();
    let is_actor = |it: &&Invitee| actor.is_invited_as(it, home);
    let declined = match table.phase {
        TablePhase::Lobby => table.invitations.declined.iter().find(is_actor),
        TablePhase::Closed { reason: EndReason::Declined } => {
            table.invitations.invited.iter().find(is_actor)
        }
        TablePhase::Playing | TablePhase::Over { .. } | TablePhase::Closed { .. } => None,
    };
    let name = &declined.ok_or_else(|| refuse("refuse-nothing-offered"))?.name;
    if table.invitations.is_explained(name) {
        return Err(refuse("refuse-explained"));
    }
    decide_one(table, actor, Event::DeclineExplained { name: name.clone(), why })
}

pub(super) fn leave(table: &Table, actor: &Actor) -> DecideResult {
    let own = table.seating.seats_of(&actor.person).filter(|_| table.phase == TablePhase::Playing);
    let own: Vec<u8> = own.collect();
    if let Some(first) = own.first() {
        if own.iter().all(|it| table.finishing_rank(*it).is_some()) {
            require_unfinished(table, *first, "refuse-own-place")?;
        }
        return Err(refuse("refuse-leave-in-play"));
    }
    require_lobby(table)?;
    if invitation_number(table, actor).is_some() {
        return decline_invitation(table, actor);
    }
    let left = leave_event(table, &actor.person).ok_or_else(|| refuse("refuse-not-your-table"))?;
    decide_all(table, actor, with_private_boards(table, left))
}

/// Returns an event by which a player leaves a lobby, and those by which the private boards on
/// which they played go with them. Boards on which they only watch stay.
fn with_private_boards(table: &Table, left: Event) -> Vec<Event> {
    let person = match &left {
        Event::Left { person } | Event::Kicked { person } => person.clone(),
        _ => return vec![left],
    };
    let is_theirs = |it: &&AttachedChat| {
        it.kind == ChatKind::Private && it.attached_by == person && !it.is_watch_only
    };
    let boards = table.chats.attached.iter().filter(is_theirs);
    let detached = boards.map(|it| Event::Detached { chat: it.chat.clone() });
    [left].into_iter().chain(detached).collect()
}

/// Returns the event by which a player leaves a lobby: the table closes if they were alone in it,
/// else it passes to the next who came.
pub(super) fn leave_event(table: &Table, person: &PersonId) -> Option<Event> {
    table.seating.seats_of(person).next()?;
    Some(match table.seating.people_seats().len() {
        1 => Event::TableClosed { reason: EndReason::Cancelled },
        _ => Event::Left { person: person.clone() },
    })
}

pub(super) fn kick(table: &Table, actor: &Actor, target: &KickTarget) -> DecideResult {
    require_opener_in_lobby(table, actor)?;
    let seat = match target {
        KickTarget::Seat { version, .. } | KickTarget::Friend { version, .. }
            if *version != table.version =>
        {
            return Err(refuse_stale("refuse-lobby-changed"));
        }
        KickTarget::Friend { n, .. } if usize::from(*n) < table.invitations.invited.len() => {
            return decide_one(table, actor, Event::InvitationEnded { n: *n });
        }
        KickTarget::Friend { .. } => return Err(refuse_stale("refuse-lobby-changed")),
        KickTarget::Seat { seat, .. } => *seat,
        KickTarget::Named(who) => {
            let awaited = table.awaited_invitees().find(|(_, it)| is_same_invitee(it, who));
            if let Some((n, _)) = awaited {
                return decide_one(table, actor, Event::InvitationEnded { n });
            }
            let seat = who.person.as_ref().and_then(|it| table.seating.seats_of(it).next());
            let text = Text::new("refuse-not-here").with("name", &*who.name);
            seat.ok_or(Refusal::new(text))?
        }
    };
    let occupant =
        table.seating.occupant(seat).ok_or_else(|| refuse_stale("refuse-lobby-changed"))?;
    if occupant.person == actor.person {
        return Err(refuse("refuse-kick-self"));
    }
    let event = if occupant.is_computer() {
        Event::ComputerRemoved { occupant: table.seating.occupant_index_of(seat) }
    } else {
        Event::Kicked { person: occupant.person.clone() }
    };
    decide_all(table, actor, with_private_boards(table, event))
}

/// Whether two invitees are the same person.
pub fn is_same_invitee(a: &Invitee, b: &Invitee) -> bool {
    match (&a.person, &b.person) {
        (Some(a), Some(b)) => a == b,
        (_, _) => match (&a.username, &b.username) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            (_, _) => false,
        },
    }
}

pub(super) fn add_computer(table: &Table, actor: &Actor, level: ComputerLevel) -> DecideResult {
    require_opener_in_lobby(table, actor)?;
    if table.open_seat_count() == 0 {
        return Err(refuse("refuse-no-free-seat"));
    }
    add_and_start_if_full(table, actor, vec![seat_computer_event(level)])
}

/// Replaces a computer by one of another level.
pub(super) fn change_computer_level(
    table: &Table,
    actor: &Actor,
    seat: u8,
    level: ComputerLevel,
) -> DecideResult {
    require_opener_in_lobby(table, actor)?;
    match table.seating.occupant(seat).and_then(Occupant::level) {
        None => Err(refuse_stale("refuse-lobby-changed")),
        Some(now) if now == level => decide_all(table, actor, []),
        Some(_) => {
            let occupant = table.seating.occupants.len() as u8 - 1;
            let events = [
                Event::ComputerRemoved { occupant: table.seating.occupant_index_of(seat) },
                seat_computer_event(level),
                Event::SeatChanged { occupant, seat },
            ];
            decide_all(table, actor, events)
        }
    }
}

/// Seats a computer of this level.
pub fn seat_computer_event(level: ComputerLevel) -> Event {
    Event::Seated { person: computer_id(level), name: String::new() }
}

pub(super) fn remove_computer(table: &Table, actor: &Actor) -> DecideResult {
    require_opener_in_lobby(table, actor)?;
    let last = table.seating.occupants.iter().rposition(|it| it.is_computer());
    let occupant = last.ok_or_else(|| refuse("refuse-no-computer"))? as u8;
    decide_one(table, actor, Event::ComputerRemoved { occupant })
}

pub(super) fn set_seat_count(table: &Table, actor: &Actor, seats: u8) -> DecideResult {
    require_opener_in_lobby(table, actor)?;
    let limits = table.game_id().info().seats;
    if !limits.contains(seats) {
        let SeatLimits { fewest, most } = limits;
        let text = Text::new("refuse-seats").with("fewest", fewest).with("most", most);
        return Err(Refusal::new(text));
    }
    require_playable(table, &table.setup.options, seats)?;
    if table.is_solo() && needs_computers(table.game_id()) {
        return decide_all(table, actor, computer_fill_events(table, seats));
    }
    if usize::from(seats) < table.seating.occupants.len() + table.awaited_invitees().count() {
        return Err(refuse("refuse-too-many-sit"));
    }
    decide_one(table, actor, Event::SeatCountSet { seats })
}

/// Fills all other seats with computers for a person who plays alone.
fn computer_fill_events(table: &Table, seats: u8) -> Vec<Event> {
    let here = table.seating.occupants.len() as u8;
    let gone = (seats..here).rev().map(|occupant| Event::ComputerRemoved { occupant });
    let come = (here..seats).map(|_| seat_computer_event(DEFAULT_LEVEL));
    gone.chain([Event::SeatCountSet { seats }]).chain(come).collect()
}

pub(super) fn start_by_hand(table: &Table, actor: &Actor) -> DecideResult {
    require_opener_in_lobby(table, actor)?;
    let here = table.seating.occupants.len() as u8;
    let fewest = table.game_id().info().seats.fewest;
    if here < fewest {
        let text = Text::new("refuse-too-few").with("count", i64::from(fewest - here));
        return Err(Refusal::new(text));
    }
    let seats = table.seats_yet_to_confirm(Some(&actor.person));
    if !seats.is_empty() {
        let names = seats.into_iter().map(Arg::Seat).collect();
        return Err(Refusal::new(Text::new("refuse-unconfirmed").with("names", Arg::Names(names))));
    }
    let mut smaller = None;
    if here < table.setup.seats {
        require_playable(table, &table.setup.options, here)?;
        smaller = Some(Event::SeatCountSet { seats: here });
    }
    Ok(start_and_finish(begin_decision(table, actor, smaller)))
}

pub(super) fn keep_open(table: &Table, actor: &Actor) -> DecideResult {
    require_lobby(table)?;
    seat_of(table, actor)?;
    decide_one(table, actor, Event::KeptOpen)
}

pub(super) fn remind_invited(table: &Table, actor: &Actor) -> DecideResult {
    require_opener_in_lobby(table, actor)?;
    if table.awaited_invitees().next().is_none() {
        return Err(refuse("refuse-nobody-awaited"));
    }
    let since = actor.now_ms.saturating_sub(table.invitations.last_reminder_ms);
    if since < REMINDER_INTERVAL_MS {
        let minutes = (REMINDER_INTERVAL_MS - since).div_ceil(MINUTE_MS);
        let text = Text::new("refuse-reminded").with("minutes", minutes as i64);
        return Err(Refusal::new(text));
    }
    decide_one(table, actor, Event::InviteesReminded)
}

pub(super) fn cancel(table: &Table, actor: &Actor) -> DecideResult {
    require_lobby(table)?;
    if !chat_commands::is_admin_at_home(table, actor) {
        require_opener(table, actor)?;
    }
    decide_one(table, actor, Event::TableClosed { reason: EndReason::Cancelled })
}

/// Refuses house rules that the game does not have, or not for so many seats.
fn require_playable(table: &Table, options: &str, seats: u8) -> Result<(), Refusal> {
    let game = table.game_id();
    let explain = |refused| Refusal::new(game.info().start_refusal(&refused));
    game.start_match(options, seats).map(drop).map_err(explain)
}

pub(super) fn set_house_rule(table: &Table, actor: &Actor, setting: &str) -> DecideResult {
    require_opener_in_lobby(table, actor)?;
    let info = table.game_id().info();
    let options = info
        .set_switch(&table.setup.options, setting)
        .ok_or_else(|| Refusal::new(info.unknown_house_rule()))?;
    // A number of seats that the game does not allow is refused before anybody takes a seat.
    require_playable(table, &options, table.setup.seats)?;
    decide_one(table, actor, Event::HouseRulesSet { options })
}

pub(super) fn set_first_mover(table: &Table, actor: &Actor, begin: FirstMover) -> DecideResult {
    require_opener_in_lobby(table, actor)?;
    decide_one(table, actor, Event::FirstMoverSet { begin })
}

/// Closes a table that nobody started in time.
pub(super) fn expire_lobby(table: &Table, now_ms: u64) -> Option<Decision> {
    if table.phase != TablePhase::Lobby || now_ms < table.times.last_event_ms + LOBBY_LIFETIME_MS {
        return None;
    }
    let mut draft = DecisionBuilder::new(table, EventMeta::of_timer(now_ms));
    draft.add(Event::TableClosed { reason: EndReason::Expired });
    Some(draft.finish())
}
