//! Commands before the start: come, go, sit, arrange, begin.

use super::command::{Actor, Target};
use super::decide::{Decided, Decision, Refusal, all, drafted, no, old, one, opener_only, seat_of};
use super::event::{Begin, DEFAULT_LEVEL, Event, Reason, computer};
use super::fair::lot;
use super::fold::{Phase, Table};
use super::people::{Invited, Occupant, Why};
use super::places;
use super::run::{Draft, Stamp, draw};
use caravanserai_games::GameId;
use caravanserai_games::ids::PersonId;
use caravanserai_games::rules::Entropy;
use caravanserai_games::search::Level;
use caravanserai_games::words::{Arg, Text};

/// How long a table that has not begun stays open after the last thing that happened there, in
/// milliseconds: a day, so that whoever looks in once a day finds it.
pub const OPEN_MS: u64 = 24 * 3_600_000;

/// How long before it closes the opener is told, in milliseconds.
pub const TOLD_BEFORE_MS: u64 = 3_600_000;

/// How long lies between two calls of those who were asked, in milliseconds.
const REMIND_MS: u64 = 5 * 60_000;

pub(super) fn in_lobby(table: &Table) -> Result<(), Refusal> {
    match table.phase {
        Phase::Lobby => Ok(()),
        Phase::Playing => Err(old("refuse-already-started")),
        Phase::Over { .. } | Phase::Closed { .. } => Err(old("refuse-table-over")),
    }
}

pub(super) fn by_opener(table: &Table, actor: &Actor) -> Result<(), Refusal> {
    in_lobby(table)?;
    opener_only(table, actor)
}

/// Which of the awaited friends this person is.
fn invitation(table: &Table, actor: &Actor) -> Option<u8> {
    let home = table.home().platform();
    table.awaited().find(|(_, it)| actor.is(it, home)).map(|(n, _)| n)
}

/// All free seats are kept for others.
fn not_invited(table: &Table) -> Refusal {
    let names: Vec<Arg> = table.awaited().map(|(_, it)| Arg::from(&*it.name)).collect();
    let text = Text::new("refuse-not-invited").with("count", names.len() as i64);
    let text = text.with("name", Arg::Names(names));
    Refusal { text, stale: false }
}

pub(super) fn join(table: &Table, actor: &Actor, place: Option<u8>) -> Decided {
    in_lobby(table)?;
    if table.is_solo() && table.setup.opener != actor.person {
        return Err(no("refuse-not-your-table"));
    }
    if let Some(seat) = table.seats_of(&actor.person).next()
        && (!table.is_solo() || needs_computers(table.game_id()))
    {
        return match place {
            Some(place) => shift(table, actor, seat, place),
            None => Err(no("refuse-already-seated")),
        };
    }
    if table.chairs.len() >= usize::from(table.setup.seats) {
        return Err(no("refuse-no-free-seat"));
    }
    let mut events = Vec::new();
    match invitation(table, actor) {
        Some(n) => {
            let known = table.invited[usize::from(n)].person.is_some();
            let met = Event::Met { n, person: actor.person.clone() };
            events.extend((!known).then_some(met));
        }
        None if table.open_seats() == 0 => return Err(not_invited(table)),
        None if table.kicked.contains(&actor.person) => return Err(no("refuse-kicked")),
        None => {}
    }
    events.push(Event::Seated { person: actor.person.clone(), name: actor.name.clone() });
    if let Some(place) = place {
        if place >= table.setup.seats || table.occupant(place).is_some() {
            return Err(old("refuse-seat-taken"));
        }
        events.push(Event::Shifted { chair: table.chairs.len() as u8, place });
    }
    filled(table, actor, events)
}

/// Whoever sits already goes to another place.
fn shift(table: &Table, actor: &Actor, from: u8, place: u8) -> Decided {
    if place >= table.setup.seats {
        return Err(old("refuse-seat-taken"));
    }
    if place == from {
        return Err(no("refuse-already-seated"));
    }
    // Only the opener may move others: they get the seat that becomes free.
    if table.occupant(place).is_some() && table.setup.opener != actor.person {
        return Err(no("refuse-seat-taken"));
    }
    one(table, actor, Event::Shifted { chair: table.chair_of(from), place })
}

/// Whether somebody alone plays this game against computers, and not all sides themselves: where
/// hands are hidden one would know all of them, and with more than two seats one would only press
/// buttons.
pub fn needs_computers(game: GameId) -> bool {
    let info = game.info();
    info.hidden || info.seats.1 > 2
}

/// These events, and the start if they filled the table and nothing is left to arrange.
///
/// A game for two starts with the second player, as ever. So does one for more without partners:
/// it does not matter who sits where, and who was named or came first is settled. Where partners
/// play, those who come last would settle who plays with whom: a full table then waits until the
/// opener presses “Start”, unless all others are computers.
fn filled(table: &Table, actor: &Actor, events: Vec<Event>) -> Decided {
    let draft = drafted(table, actor, events);
    let next = &draft.next;
    let full = next.chairs.len() == usize::from(next.setup.seats);
    if full && (!next.has_partners() || next.people().len() == 1) {
        return Ok(begun(draft));
    }
    Ok(draft.done())
}

/// The game begins, and what it then does by itself.
fn begun(mut draft: Draft) -> Decision {
    draft.add(starting(&draft.next));
    draft.go_on()
}

/// The start of a full table: who plays which seat. With two seats the lot orders the chairs.
/// With more, people have chosen who sits where, so only who begins is drawn: the circle turns.
pub(super) fn starting(table: &Table) -> Event {
    let seats = table.setup.seats;
    let mut draw = draw(table);
    if seats == 2 {
        let order = match table.begin() {
            Begin::Lot => lot(seats, &mut draw),
            Begin::Opener => vec![0, 1],
            Begin::Friend => vec![1, 0],
        };
        return Event::Started { order };
    }
    let opener = table.seats_of(&table.setup.opener).next().unwrap_or_default();
    let first = match table.begin() {
        Begin::Lot => draw.below(u32::from(seats)) as u8,
        Begin::Opener => opener,
        Begin::Friend => opener + 1,
    };
    let order = (0..seats).map(|seat| table.chair_of((first + seat) % seats)).collect();
    Event::Started { order }
}

pub(super) fn refuse(table: &Table, actor: &Actor) -> Decided {
    in_lobby(table)?;
    match invitation(table, actor) {
        // In a game for two nobody is left to play with.
        Some(_) if table.setup.seats == 2 => {
            one(table, actor, Event::Closed { reason: Reason::Declined })
        }
        Some(n) => one(table, actor, Event::Excused { n }),
        None if table.awaited().next().is_some() => Err(not_invited(table)),
        None => Err(no("refuse-nothing-offered")),
    }
}

/// Who has declined says why, once.
pub(super) fn explain(table: &Table, actor: &Actor, why: Why) -> Decided {
    let home = table.home().platform();
    let is_actor = |it: &&Invited| actor.is(it, home);
    let declined = match table.phase {
        Phase::Lobby => table.excused.iter().find(is_actor),
        Phase::Closed { reason: Reason::Declined } => table.invited.iter().find(is_actor),
        Phase::Playing | Phase::Over { .. } | Phase::Closed { .. } => None,
    };
    let name = &declined.ok_or_else(|| no("refuse-nothing-offered"))?.name;
    if table.explained.iter().any(|(it, _)| it == name) {
        return Err(no("refuse-explained"));
    }
    one(table, actor, Event::Explained { name: name.clone(), why })
}

pub(super) fn leave(table: &Table, actor: &Actor) -> Decided {
    if table.phase == Phase::Playing && table.seats_of(&actor.person).next().is_some() {
        return Err(no("refuse-leave-in-play"));
    }
    in_lobby(table)?;
    if invitation(table, actor).is_some() {
        return refuse(table, actor);
    }
    let left = left(table, &actor.person).ok_or_else(|| no("refuse-not-your-table"))?;
    one(table, actor, left)
}

/// What happens in a lobby when somebody who sits there goes: whoever is there alone takes the
/// table along, else it passes to whoever came next.
pub(super) fn left(table: &Table, person: &PersonId) -> Option<Event> {
    table.seats_of(person).next()?;
    Some(match table.people_seats().len() {
        1 => Event::Closed { reason: Reason::Cancelled },
        _ => Event::Left { person: person.clone() },
    })
}

pub(super) fn kick(table: &Table, actor: &Actor, target: &Target) -> Decided {
    by_opener(table, actor)?;
    let seat = match target {
        Target::Place { version, .. } | Target::Friend { version, .. }
            if *version != table.version =>
        {
            return Err(old("refuse-lobby-changed"));
        }
        Target::Friend { n, .. } if usize::from(*n) < table.invited.len() => {
            return one(table, actor, Event::Excused { n: *n });
        }
        Target::Friend { .. } => return Err(old("refuse-lobby-changed")),
        Target::Place { place, .. } => *place,
        Target::Named(who) => {
            let awaited = table.awaited().find(|(_, it)| is_same(it, who));
            if let Some((n, _)) = awaited {
                return one(table, actor, Event::Excused { n });
            }
            let seat = who.person.as_ref().and_then(|it| table.seats_of(it).next());
            let text = Text::new("refuse-not-here").with("name", &*who.name);
            seat.ok_or(Refusal { text, stale: false })?
        }
    };
    let occupant = table.occupant(seat).ok_or_else(|| old("refuse-lobby-changed"))?;
    if occupant.person == actor.person {
        return Err(no("refuse-kick-self"));
    }
    let event = if occupant.is_computer() {
        Event::Dismissed { chair: table.chair_of(seat) }
    } else {
        Event::Kicked { person: occupant.person.clone() }
    };
    one(table, actor, event)
}

/// Whether two ways to name somebody mean the same person.
pub fn is_same(a: &Invited, b: &Invited) -> bool {
    match (&a.person, &b.person) {
        (Some(a), Some(b)) => a == b,
        (_, _) => match (&a.username, &b.username) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            (_, _) => false,
        },
    }
}

pub(super) fn add_computer(table: &Table, actor: &Actor, level: Level) -> Decided {
    by_opener(table, actor)?;
    if table.open_seats() == 0 {
        return Err(no("refuse-no-free-seat"));
    }
    filled(table, actor, vec![seated_computer(level)])
}

/// Another computer comes to the place of one.
pub(super) fn relevel(table: &Table, actor: &Actor, place: u8, level: Level) -> Decided {
    by_opener(table, actor)?;
    match table.occupant(place).and_then(Occupant::level) {
        None => Err(old("refuse-lobby-changed")),
        Some(now) if now == level => all(table, actor, []),
        Some(_) => {
            let chair = table.chairs.len() as u8 - 1;
            let events = [
                Event::Dismissed { chair: table.chair_of(place) },
                seated_computer(level),
                Event::Shifted { chair, place },
            ];
            all(table, actor, events)
        }
    }
}

/// A computer of this level sits down.
pub fn seated_computer(level: Level) -> Event {
    Event::Seated { person: computer(level), name: String::new() }
}

pub(super) fn remove_computer(table: &Table, actor: &Actor) -> Decided {
    by_opener(table, actor)?;
    let last = table.chairs.iter().rposition(|it| it.is_computer());
    let chair = last.ok_or_else(|| no("refuse-no-computer"))? as u8;
    one(table, actor, Event::Dismissed { chair })
}

pub(super) fn seats(table: &Table, actor: &Actor, seats: u8) -> Decided {
    by_opener(table, actor)?;
    let (fewest, most) = table.game_id().info().seats;
    if !(fewest..=most).contains(&seats) {
        let text = Text::new("refuse-seats").with("fewest", fewest).with("most", most);
        return Err(Refusal { text, stale: false });
    }
    table.game_id().open(&table.setup.options, seats).map_err(|illegal| no(illegal.key))?;
    if table.is_solo() && needs_computers(table.game_id()) {
        return all(table, actor, sized_alone(table, seats));
    }
    if usize::from(seats) < table.chairs.len() + table.awaited().count() {
        return Err(no("refuse-too-many-sit"));
    }
    one(table, actor, Event::Sized { seats })
}

/// Whoever plays alone has computers on all other seats.
fn sized_alone(table: &Table, seats: u8) -> Vec<Event> {
    let here = table.chairs.len() as u8;
    let gone = (seats..here).rev().map(|chair| Event::Dismissed { chair });
    let come = (here..seats).map(|_| seated_computer(DEFAULT_LEVEL));
    gone.chain([Event::Sized { seats }]).chain(come).collect()
}

pub(super) fn start(table: &Table, actor: &Actor) -> Decided {
    by_opener(table, actor)?;
    let here = table.chairs.len() as u8;
    let (fewest, _) = table.game_id().info().seats;
    if here < fewest {
        let text = Text::new("refuse-too-few").with("count", i64::from(fewest - here));
        return Err(Refusal { text, stale: false });
    }
    let mut smaller = None;
    if here < table.setup.seats {
        table.game_id().open(&table.setup.options, here).map_err(|illegal| no(illegal.key))?;
        smaller = Some(Event::Sized { seats: here });
    }
    Ok(begun(drafted(table, actor, smaller)))
}

pub(super) fn extend(table: &Table, actor: &Actor) -> Decided {
    in_lobby(table)?;
    seat_of(table, actor)?;
    one(table, actor, Event::Extended)
}

pub(super) fn remind(table: &Table, actor: &Actor) -> Decided {
    by_opener(table, actor)?;
    if table.awaited().next().is_none() {
        return Err(no("refuse-nobody-awaited"));
    }
    let since = actor.now_ms.saturating_sub(table.reminded_ms);
    if since < REMIND_MS {
        let minutes = (REMIND_MS - since).div_ceil(60_000);
        let text = Text::new("refuse-reminded").with("minutes", minutes as i64);
        return Err(Refusal { text, stale: false });
    }
    one(table, actor, Event::Reminded)
}

pub(super) fn cancel(table: &Table, actor: &Actor) -> Decided {
    in_lobby(table)?;
    if !places::keeps_order(table, actor) {
        opener_only(table, actor)?;
    }
    one(table, actor, Event::Closed { reason: Reason::Cancelled })
}

pub(super) fn vary(table: &Table, actor: &Actor, setting: &str) -> Decided {
    by_opener(table, actor)?;
    let info = table.game_id().info();
    let options =
        info.change(&table.setup.options, setting).ok_or_else(|| no("refuse-unknown-variant"))?;
    // What cannot be played by so many is refused before anybody sits down to it.
    table.game_id().open(&options, table.setup.seats).map_err(|illegal| no(illegal.key))?;
    one(table, actor, Event::Varied { options })
}

pub(super) fn order(table: &Table, actor: &Actor, begin: Begin) -> Decided {
    by_opener(table, actor)?;
    one(table, actor, Event::Ordered { begin })
}

/// What happens at a table that nobody began in time.
pub(super) fn expire(table: &Table, now_ms: u64) -> Option<Decision> {
    if table.phase != Phase::Lobby || now_ms < table.last_ms + OPEN_MS {
        return None;
    }
    let mut draft = Draft::of(table, Stamp::of_time(now_ms));
    draft.add(Event::Closed { reason: Reason::Expired });
    Some(draft.done())
}
