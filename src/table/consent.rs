//! What needs the consent of others: draws, taking back, playing again, giving up together, and
//! that somebody else takes over a seat.

use super::clock::{Control, Timed};
use super::command::Actor;
use super::decide::{
    Decided, Decision, Refusal, drafted, follow, in_play, lost, no, old, one, seat_of,
};
use super::event::{DEFAULT_LEVEL, Event, Offer, Reason, computer};
use super::fold::{Phase, Table};
use super::people::{Invited, Newcomer};
use super::run::{Draft, Stamp};
use caravanserai_games::ids::PersonId;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::Seat;
use caravanserai_games::words::Text;

/// The least time in which a player can object to being replaced, in milliseconds. It is at least
/// the time at the start of the clock …
const PATIENCE_MS: u64 = 10 * 60_000;

/// … and this long where there is no clock: players sleep at night.
const PATIENCE_FREE_MS: u64 = 24 * 3_600_000;

/// The age up to which an accepted rematch offer starts a game at once, in milliseconds.
const REMATCH_MS: u64 = 15 * 60_000;

/// Whose word an offer waits for.
pub fn missing(table: &Table) -> Vec<u8> {
    let Some((by, offer)) = table.offer else { return Vec::new() };
    let all = required(table, proposer(table, by), offer);
    all.into_iter().filter(|it| !table.agreed.contains(it)).collect()
}

/// The seat that an offer comes from; `None` when a newcomer asks.
fn proposer(table: &Table, by: u8) -> Option<u8> {
    let asked = table.newcomer.as_ref().is_some_and(|it| it.asked);
    (!asked).then_some(by)
}

fn person(table: &Table, seat: u8) -> Option<&PersonId> {
    table.occupant(seat).map(|it| &it.person)
}

/// The seats that have to agree, one for each person. Computers have no say.
fn required(table: &Table, by: Option<u8>, offer: Offer) -> Vec<u8> {
    let mut seats = table.people_seats();
    if table.is_open() {
        // Nobody waits for the word of those who are away.
        seats.retain(|&seat| !table.is_away(seat));
    }
    if let Some(by) = by {
        seats.retain(|&seat| person(table, seat) != person(table, by));
    }
    match offer {
        Offer::Draw | Offer::TakeBack { .. } | Offer::Rematch | Offer::Pause | Offer::Resume => {}
        Offer::Resign => seats.retain(|&seat| by.is_some_and(|by| table.are_partners(by, seat))),
        // Whoever is to be replaced may object, see [`patience`]. Their silence does not count.
        Offer::Replace { seat: other } => seats.retain(|&seat| seat != other),
    }
    seats
}

/// Proposes, agrees to the same offer of somebody else, or does it at once if nobody is asked.
fn propose(table: &Table, actor: &Actor, seat: u8, offer: Offer) -> Decided {
    match table.offer {
        Some((by, standing))
            if is_alike(standing, offer) && person(table, by) != person(table, seat) =>
        {
            answer(table, actor, Some(standing), true)
        }
        Some((by, standing)) if person(table, by) == person(table, seat) => {
            let same = std::mem::discriminant(&standing) == std::mem::discriminant(&offer);
            Err(no(if same { "refuse-already-offered" } else { "refuse-offer-waits" }))
        }
        Some(_) => Err(no("refuse-answer-first")),
        None if table.turned_down.contains(&(seat, offer)) => Err(no("refuse-turned-down")),
        None if required(table, Some(seat), offer).is_empty() => {
            accepted(table, actor, seat, offer)
        }
        None => one(table, actor, Event::Offered { seat, offer }),
    }
}

/// Whether one who proposes this agrees to that: taking back different moves is not the same.
fn is_alike(a: Offer, b: Offer) -> bool {
    a == b && !matches!(a, Offer::TakeBack { .. })
}

pub(super) fn draw(table: &Table, actor: &Actor) -> Decided {
    in_play(table)?;
    let seat = seat_of(table, actor)?;
    if !table.can_be_drawn() {
        return Err(no("refuse-no-draws"));
    }
    if table.people_seats().len() == 1 && !is_alone(table) {
        return Err(no("refuse-draw-computer"));
    }
    propose(table, actor, seat, Offer::Draw)
}

/// Offers to call the game off when it is not early any more, or when an outcome of chance was
/// shown: all have to agree. Games with draws use a draw instead. In the log of the others
/// [`Offer::Draw`] means this offer.
pub(super) fn call_off(table: &Table, actor: &Actor, seat: u8) -> Decided {
    if table.can_be_drawn() || required(table, Some(seat), Offer::Draw).is_empty() {
        return Err(no("refuse-too-late-to-abort"));
    }
    propose(table, actor, seat, Offer::Draw)
}

/// Whether a rematch that is accepted now starts at once. Else its players are invited again.
pub fn starts_rematch(table: &Table, now_ms: u64) -> bool {
    let is_fresh = table.offer.is_none() || now_ms < table.offered_ms.saturating_add(REMATCH_MS);
    is_fresh && table.people_seats().into_iter().all(|seat| table.left(seat).is_none())
}

/// Withdraws the rematch of a finished game that a person offered or agreed to, when they leave.
pub fn withdraw_rematch(table: &Table, person_left: &PersonId) -> Option<Event> {
    let (by, offer) = table.offer?;
    let wants = table.agreed.iter().copied().chain([by]);
    let mut own = wants.filter(|it| person(table, *it) == Some(person_left));
    let counts = offer == Offer::Rematch && matches!(table.phase, Phase::Over { .. });
    own.next().filter(|_| counts).map(|seat| Event::Declined { seat })
}

/// Whether one person plays all seats.
fn is_alone(table: &Table) -> bool {
    table.people_seats().len() == 1 && table.chairs.iter().all(|it| !it.is_computer())
}

pub(super) fn take_back(table: &Table, actor: &Actor) -> Decided {
    in_play(table)?;
    let seat = seat_of(table, actor)?;
    let steps = back_to(table, actor)?;
    propose(table, actor, seat, Offer::TakeBack { steps })
}

/// How many steps remain when this person takes back what they decided last. Where nothing else was
/// possible there was no decision, whoever played it.
fn back_to(table: &Table, actor: &Actor) -> Result<u32, Refusal> {
    let coached = table.is_coached(&actor.person);
    if table.game_id().info().hidden && !coached {
        return Err(no("refuse-back-hidden"));
    }
    let own: Vec<u8> = table.seats_of(&actor.person).collect();
    let mut last = None;
    let mut game = table.fresh().map_err(|_| no("refuse-nothing-to-take-back"))?;
    for (n, step) in table.steps.iter().enumerate() {
        let seat = step.seat.filter(|seat| own.contains(seat));
        let only = |seat| game.choices(Seat(seat)).len() == 1;
        let forced = || game.forced().as_deref() == Some(step.token);
        if seat.is_some_and(|seat| !only(seat) && !forced()) {
            last = Some(n);
        }
        step.play(&mut *game).expect("the steps of a table follow from each other");
    }
    let last = last.ok_or_else(|| no("refuse-nothing-to-take-back"))?;
    if !coached && table.steps.iter().skip(last).any(|it| it.seat.is_none()) {
        return Err(no("refuse-back-chance"));
    }
    Ok(last as u32)
}

/// All clocks are to stand for a while.
pub(super) fn pause(table: &Table, actor: &Actor) -> Decided {
    let seat = clocked(table, actor)?;
    match table.timing.paused {
        true => Err(no("refuse-paused-already")),
        false if is_turn_late(table) => Err(no("refuse-pause-late")),
        false => propose(table, actor, seat, Offer::Pause),
    }
}

/// Whether the time of this turn has run out: no pause gives it back.
fn is_turn_late(table: &Table) -> bool {
    table.turn().is_some_and(|turn| table.is_late(turn))
}

/// The clocks are to go on.
pub(super) fn resume(table: &Table, actor: &Actor) -> Decided {
    let seat = clocked(table, actor)?;
    match table.timing.paused {
        true => propose(table, actor, seat, Offer::Resume),
        false => Err(no("refuse-not-paused")),
    }
}

/// The seat of somebody at a table that is played by a clock.
fn clocked(table: &Table, actor: &Actor) -> Result<u8, Refusal> {
    in_play(table)?;
    let seat = seat_of(table, actor)?;
    if table.is_timed() { Ok(seat) } else { Err(no("refuse-no-clock")) }
}

pub(super) fn rematch(table: &Table, actor: &Actor) -> Decided {
    if !matches!(table.phase, Phase::Over { .. }) {
        return Err(no("refuse-not-over"));
    }
    let seat = seat_of(table, actor)?;
    if let Some(TableId(next)) = &table.next {
        let text = Text::new("refuse-rematch-exists").with("table", next.as_str());
        return Err(Refusal { text, stale: true });
    }
    // Nobody moves any more who could change their mind by moving: it may be offered again.
    let turned_down = table.offer.is_none() && table.turned_down.contains(&(seat, Offer::Rematch));
    if turned_down && !required(table, Some(seat), Offer::Rematch).is_empty() {
        return one(table, actor, Event::Offered { seat, offer: Offer::Rematch });
    }
    propose(table, actor, seat, Offer::Rematch)
}

/// Gives up together with the partner, who has to agree if it is a person.
pub(super) fn resign(table: &Table, actor: &Actor, seat: u8) -> Decided {
    propose(table, actor, seat, Offer::Resign)
}

pub(super) fn answer(table: &Table, actor: &Actor, seen: Option<Offer>, accept: bool) -> Decided {
    let Some((by, offer)) = table.offer else { return Err(old("refuse-nothing-offered")) };
    if seen.is_some_and(|seen| seen != offer) {
        return Err(old("refuse-nothing-offered"));
    }
    let Some(seat) = table.seats_of(&actor.person).next() else {
        return answer_newcomer(table, actor, by, accept);
    };
    let proposer = proposer(table, by);
    if proposer.is_some_and(|it| person(table, it) == Some(&actor.person)) {
        // Saying no to one's own offer withdraws it.
        return match accept {
            true => Err(no("refuse-own-offer")),
            false => one(table, actor, Event::Declined { seat }),
        };
    }
    let leaves = offer == Offer::Replace { seat };
    if !leaves && !required(table, proposer, offer).contains(&seat) {
        return Err(no("refuse-not-your-answer"));
    }
    if !accept {
        return one(table, actor, Event::Declined { seat });
    }
    if table.agreed.contains(&seat) {
        return Err(no("refuse-already-agreed"));
    }
    let mut agreed = table.agreed.clone();
    agreed.push(seat);
    let welcome = table.newcomer.as_ref().is_none_or(|it| it.agreed);
    if is_settled(table, &agreed, welcome, actor.now_ms) {
        return accepted(table, actor, by, offer);
    }
    one(table, actor, Event::Agreed { seat })
}

/// What the one says who is to take over a seat.
fn answer_newcomer(table: &Table, actor: &Actor, by: u8, accept: bool) -> Decided {
    let home = table.home().platform();
    let own = table.newcomer.as_ref().filter(|it| actor.is(&it.who, home));
    let newcomer = own.ok_or_else(|| no("refuse-not-your-table"))?;
    if !accept {
        return one(table, actor, Event::Declined { seat: by });
    }
    if newcomer.agreed {
        return Err(no(if newcomer.asked { "refuse-own-offer" } else { "refuse-already-agreed" }));
    }
    let welcomed = Event::Welcomed { person: actor.person.clone(), name: actor.name.clone() };
    let draft = drafted(table, actor, [welcomed]);
    if is_settled(&draft.next, &draft.next.agreed, true, actor.now_ms) {
        return Ok(passed_on(draft));
    }
    Ok(draft.done())
}

/// Whether everybody has said what is needed.
fn is_settled(table: &Table, agreed: &[u8], welcome: bool, now_ms: u64) -> bool {
    let Some((by, offer)) = table.offer else { return false };
    let all = required(table, proposer(table, by), offer);
    let Offer::Replace { seat } = offer else {
        return all.iter().all(|it| agreed.contains(it));
    };
    let objects = may_object(table, proposer(table, by), seat) && !agreed.contains(&seat);
    let has_say = !all.is_empty() || proposer(table, by).is_some();
    // Whoever is on vacation has said that they do not look.
    let is_resting = table.vacation_of(seat).is_some();
    welcome
        && all.iter().all(|it| agreed.contains(it))
        // Silence alone gives nothing away: somebody at the table has to want it.
        && (!objects || (has_say && !is_resting && now_ms >= silence_ends(table, seat)))
}

/// The same, with what was said until now.
fn is_settled_as_it_is(table: &Table, now_ms: u64) -> bool {
    let welcome = table.newcomer.as_ref().is_some_and(|it| it.agreed);
    is_settled(table, &table.agreed, welcome, now_ms)
}

/// Whether somebody sits there who did not propose it themselves.
fn may_object(table: &Table, by: Option<u8>, seat: u8) -> bool {
    !table.is_computer(seat) && by.is_none_or(|by| person(table, by) != person(table, seat))
}

/// A wait for somebody to object to being replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Who may object.
    pub seat: u8,
    /// Until then, in milliseconds since 1970.
    pub until_ms: u64,
    /// How long it lasts, in milliseconds.
    pub lasts_ms: u64,
}

/// Who may still object to being replaced, and until when. They decide at once by agreeing or by
/// declining. If they say nothing, the others may go on without them, but not before they had
/// time: a quick agreement of the others must not push out somebody who only looked away.
pub fn patience(table: &Table) -> Option<Patience> {
    let Some((by, Offer::Replace { seat })) = table.offer else { return None };
    if !may_object(table, proposer(table, by), seat) || table.agreed.contains(&seat) {
        return None;
    }
    if table.vacation_of(seat).is_some() {
        return None;
    }
    let until_ms = silence_ends(table, seat);
    Some(Patience { seat, until_ms, lasts_ms: patience_ms(table) })
}

/// When silence alone settles who is replaced, in milliseconds since 1970: never as long as
/// somebody else has not agreed.
pub(super) fn deadline(table: &Table) -> Option<u64> {
    let until_ms = patience(table)?.until_ms;
    is_settled_as_it_is(table, until_ms).then_some(until_ms)
}

/// How long somebody has let an offer pass that is to replace them, while they could object.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silence {
    /// Since when, in milliseconds since 1970.
    since_ms: u64,
    /// How long before that, in milliseconds.
    before_ms: u64,
}

impl Silence {
    /// It begins.
    pub(super) fn since(at_ms: u64) -> Self {
        Silence { since_ms: at_ms, before_ms: 0 }
    }

    /// When it has lasted so long, in milliseconds since 1970.
    fn ends(self, lasts_ms: u64) -> u64 {
        self.since_ms + lasts_ms.saturating_sub(self.before_ms)
    }
}

/// For how long the one who sits here has been silent about the offer.
fn silence(table: &Table, seat: u8) -> Silence {
    let acted = table.acted_ms.get(usize::from(table.chair_of(seat))).copied();
    let again = acted.filter(|at| *at > table.silence.since_ms);
    again.map_or(table.silence, Silence::since)
}

fn silence_ends(table: &Table, seat: u8) -> u64 {
    silence(table, seat).ends(patience_ms(table))
}

/// Since when somebody has been silent who may object, in milliseconds since 1970.
pub(super) fn silent_since(table: &Table) -> Option<u64> {
    Some(silence(table, patience(table)?.seat).since_ms)
}

/// Until now nobody could object for so long.
pub(super) fn silenced(table: &mut Table, ms: u64, at_ms: u64) {
    let Some(Patience { seat, .. }) = patience(table) else { return };
    let Silence { since_ms, before_ms } = silence(table, seat);
    let silent_ms = at_ms.saturating_sub(since_ms).saturating_sub(ms);
    table.silence = Silence { since_ms: at_ms, before_ms: before_ms + silent_ms };
}

fn patience_ms(table: &Table) -> u64 {
    match table.timing.control {
        Control::Free => PATIENCE_FREE_MS,
        control => control.first_ms().max(PATIENCE_MS),
    }
}

/// What is done when all have agreed.
fn accepted(table: &Table, actor: &Actor, by: u8, offer: Offer) -> Decided {
    match offer {
        Offer::Draw if !table.can_be_drawn() => {
            one(table, actor, Event::Closed { reason: Reason::Aborted })
        }
        Offer::Draw => {
            let scores = vec![0; usize::from(table.setup.seats)];
            one(table, actor, Event::Over { scores, reason: Reason::Agreed })
        }
        Offer::TakeBack { steps } => follow(table, actor, [Event::Back { steps }]),
        Offer::Rematch => {
            Ok(Decision { rematch: true, ..Draft::of(table, Stamp::of(actor)).done() })
        }
        Offer::Resign => one(table, actor, lost(table, by)),
        Offer::Pause if is_turn_late(table) => Err(no("refuse-pause-late")),
        Offer::Pause => one(table, actor, Event::Time(Timed::Paused)),
        Offer::Resume => one(table, actor, Event::Time(Timed::Resumed)),
        Offer::Replace { .. } => follow(table, actor, replaced(table)),
    }
}

/// The change that was agreed on.
fn replaced(table: &Table) -> Option<Event> {
    let Some((_, Offer::Replace { seat })) = table.offer else { return None };
    let Newcomer { who, .. } = table.newcomer.clone()?;
    Some(Event::Replaced { seat, person: who.person?, name: who.name })
}

/// The change that was agreed on, and what the game then does by itself.
fn passed_on(mut draft: Draft) -> Decision {
    if let Some(event) = replaced(&draft.next) {
        draft.add(event);
    }
    draft.go_on()
}

/// A computer plays this seat from now on.
pub(super) fn given_to_computer(seat: u8) -> Event {
    Event::Replaced { seat, person: computer(DEFAULT_LEVEL), name: String::new() }
}

/// A person at the table proposes that somebody takes over a seat.
pub(super) fn substitute(
    table: &Table,
    actor: &Actor,
    seat: Option<u8>,
    newcomer: &Invited,
) -> Decided {
    in_play(table)?;
    let by = seat_of(table, actor)?;
    let seat = seat.unwrap_or(by);
    let event = Event::Proposed {
        seat,
        by: Some(by),
        person: newcomer.person.clone(),
        username: newcomer.username.clone(),
        name: newcomer.name.clone(),
    };
    if newcomer.is_computer() && table.is_computer(seat) {
        return Err(no("refuse-computer-there"));
    }
    introduce(table, actor, newcomer, event)
}

/// Somebody who does not play asks for a seat: that of a computer if there is one, else that of
/// the person who is waited for.
pub(super) fn take_over(table: &Table, actor: &Actor, seat: Option<u8>) -> Decided {
    in_play(table)?;
    if table.is_solo() {
        return Err(no("refuse-not-your-table"));
    }
    let newcomer = Invited {
        person: Some(actor.person.clone()),
        username: actor.username.clone(),
        name: actor.name.clone(),
    };
    let computers = || (0..table.setup.seats).find(|&it| table.is_computer(it));
    let deserted = || table.away_seats().into_iter().next();
    let seat =
        seat.or_else(deserted).or_else(computers).or_else(|| table.turn()).unwrap_or_default();
    let event = Event::Proposed {
        seat,
        by: None,
        person: newcomer.person.clone(),
        username: newcomer.username.clone(),
        name: newcomer.name.clone(),
    };
    introduce(table, actor, &newcomer, event)
}

fn introduce(table: &Table, actor: &Actor, newcomer: &Invited, event: Event) -> Decided {
    let Event::Proposed { seat, by, .. } = event else { return Err(no("refuse-unknown-seat")) };
    if seat >= table.setup.seats {
        return Err(no("refuse-unknown-seat"));
    }
    if newcomer.person.as_ref().is_some_and(|it| table.seats_of(it).next().is_some()) {
        let text = Text::new("refuse-seated-already").with("name", &*newcomer.name);
        return Err(Refusal { text, stale: false });
    }
    if by.is_none() && table.is_away(seat) {
        return sit_in(table, actor, seat);
    }
    if table.offer.is_some() {
        return Err(no("refuse-answer-first"));
    }
    let declined = |it: &(u8, Offer)| it.1 == Offer::Replace { seat };
    if by.is_none() && table.turned_down.iter().any(declined) {
        return Err(no("refuse-turned-down"));
    }
    if table.is_solo() && !newcomer.is_computer() {
        return Err(no("refuse-private-invite"));
    }
    let draft = drafted(table, actor, [event]);
    let next = &draft.next;
    let welcome = next.newcomer.as_ref().is_some_and(|it| it.agreed);
    if is_settled(next, &[], welcome, actor.now_ms) {
        // A table without people would play to its end by itself.
        if newcomer.is_computer() && next.people_seats() == [seat] {
            return Err(no("refuse-last-person"));
        }
        return Ok(passed_on(draft));
    }
    Ok(draft.done())
}

/// Somebody takes the seat of a person who is away: nobody has to be asked.
fn sit_in(table: &Table, actor: &Actor, seat: u8) -> Decided {
    if table.kicked.contains(&actor.person) {
        return Err(no("refuse-kicked"));
    }
    let (person, name) = (actor.person.clone(), actor.name.clone());
    follow(table, actor, [Event::Replaced { seat, person, name }])
}

/// A seat passes on although its person said nothing: they had time to object.
pub(super) fn outwait(table: &Table, now_ms: u64) -> Option<Decision> {
    let settled = patience(table).is_some() && is_settled_as_it_is(table, now_ms);
    settled.then(|| passed_on(Draft::of(table, Stamp::of_time(now_ms))))
}
