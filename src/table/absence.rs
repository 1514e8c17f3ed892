//! Those who do not come: what the others may do then, who plays for them, how they come back.
//!
//! In a game for two whoever waits may claim the win or call the game off. In a game for more a
//! computer plays the turn, and after three late turns in a row it keeps the seat, until its
//! person is back or somebody sits in. A person to whom no way to the table is open is away after
//! a grace, see [`presence`](super::presence). The log says of each step who played it: what
//! stands after [`Timed::Late`] in that turn, and all after the third until [`Timed::Returned`], a
//! computer has played. Coming back changes no clock, and a turn whose time ran out stays late:
//! [`Timed::Late`] is logged again then.

use super::clock::{Control, Timed};
use super::command::Actor;
use super::decide::{Decided, Refusal, all, in_play, lost_by, no, one, seat_of};
use super::event::{DEFAULT_LEVEL, Event, Line, Reason};
use super::fold::{Phase, Table};
use super::presence::Left;
use super::vacation;
use caravanserai_games::search::Level;
use caravanserai_games::words::{Arg, Text};

/// After so many late turns in a row somebody is taken to be away.
pub const LATE_MAX: u8 = 3;

/// How long lies between two times that people remind each other, in milliseconds.
pub const NUDGE_MS: u64 = 60 * 60_000;

/// How somebody at a table has let time pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Absence {
    /// How many turns in a row they were late.
    pub(super) late: u8,
    /// Whether they are taken to be away, until they say otherwise.
    pub(super) away: bool,
    /// Since when and how they are gone, if no way to the table is open to them.
    pub(super) left: Option<Left>,
}

impl Table {
    pub(super) fn absence(&self, seat: u8) -> Absence {
        self.timing.absent.get(usize::from(seat)).copied().unwrap_or_default()
    }

    pub(super) fn absence_mut(&mut self, seat: u8) -> Option<&mut Absence> {
        self.timing.absent.resize(usize::from(self.setup.seats), Absence::default());
        self.timing.absent.get_mut(usize::from(seat))
    }

    /// Whether whoever plays this seat is away until they say otherwise.
    pub fn is_away(&self, seat: u8) -> bool {
        self.absence(seat).away && !self.is_computer(seat)
    }

    /// Whether anybody is or was late or away: then it matters who plays a step.
    pub(super) fn is_anybody_late(&self) -> bool {
        self.timing.late.is_some() || self.timing.absent.iter().any(|it| it.late > 0 || it.away)
    }

    /// Whether this seat has let its time run out in the turn that is played now.
    pub fn is_late(&self, seat: u8) -> bool {
        self.timing.late.is_some_and(|it| it.0 == seat) && self.timing.late == self.this_turn()
    }

    /// Whether whoever waits for somebody late may end the game: with two nobody else plays on.
    pub fn has_claims(&self) -> bool {
        self.game_id().info().seats.1 == 2
    }

    /// Whether anybody is there who plays.
    pub fn is_attended(&self) -> bool {
        self.people_seats().into_iter().any(|seat| !self.is_away(seat))
    }

    /// Whether a computer plays now for whoever has this seat.
    pub fn is_stood_in(&self, seat: u8) -> bool {
        let absent = self.is_away(seat) || self.is_late(seat);
        absent && !self.has_claims() && !self.is_solo() && self.is_attended()
    }

    /// How strong the computer is that plays this seat now, its own or in somebody's stead.
    pub fn played_by(&self, seat: u8) -> Option<Level> {
        let own = self.occupant(seat)?.level();
        own.or_else(|| self.is_stood_in(seat).then(|| self.helper()))
    }

    /// How strong the computer is that plays for somebody absent.
    pub fn helper(&self) -> Level {
        self.timing.helper.unwrap_or(DEFAULT_LEVEL)
    }

    /// The seats whose people are away, one for each.
    pub fn away_seats(&self) -> Vec<u8> {
        self.people_seats().into_iter().filter(|&seat| self.is_away(seat)).collect()
    }

    /// The opponent of this seat who is late or away, where the win can be claimed.
    pub fn claimable_from(&self, seat: u8) -> Option<u8> {
        if !self.has_claims() || self.is_solo() || self.phase != Phase::Playing {
            return None;
        }
        let absent = |it: &u8| *it != seat && (self.is_late(*it) || self.is_away(*it));
        self.people_seats().into_iter().find(absent)
    }

    /// The numbers of the steps that a computer played for each seat whose person was absent,
    /// counted from 1.
    pub fn stood_in(&self) -> Vec<(u8, Vec<u32>)> {
        let seat = |at: &u32| self.steps.iter().nth(*at as usize).and_then(|it| it.seat);
        let by = |own: u8| {
            let steps = self.timing.stood_in.iter().filter(|it| seat(it) == Some(own));
            (own, steps.map(|it| it + 1).collect::<Vec<_>>())
        };
        (0..self.setup.seats).map(by).filter(|it| !it.1.is_empty()).collect()
    }

    /// Applies an event about somebody who does not come.
    pub(super) fn absented(&mut self, event: &Timed, line: &Line) {
        let at_ms = line.at_ms;
        match event {
            Timed::Late { seat } => {
                self.timing.late = self.this_turn().filter(|it| it.0 == *seat);
                self.timing.running = None;
                if let Some(left) = self.timing.left_ms.get_mut(usize::from(*seat)) {
                    *left = 0;
                }
                let keeps = !self.has_claims();
                self.timing.covered = keeps.then_some(*seat);
                if let Some(absence) = self.absence_mut(*seat) {
                    absence.late = absence.late.saturating_add(1);
                    absence.away |= keeps && absence.late >= LATE_MAX;
                }
            }
            Timed::Gone { person } => self.gone(person, line),
            Timed::Returned { seat } => {
                self.touch(*seat, at_ms);
                self.timing.late.take_if(|it| it.0 == *seat);
                self.reopen_for(*seat, line);
                self.clear_absence(*seat);
            }
            Timed::Nudged { seat } => {
                self.touch(*seat, at_ms);
                self.timing.nudged_ms = at_ms;
            }
            _ => {}
        }
    }

    fn clear_absence(&mut self, seat: u8) {
        if let Some(absence) = self.absence_mut(seat) {
            *absence = Absence::default();
        }
    }

    /// Somebody else plays a seat: what its last person missed is forgotten.
    pub(super) fn take_over_seat(&mut self, seat: u8, at_ms: u64) {
        self.clear_absence(seat);
        self.take_over_clock(seat, at_ms);
    }

    /// A seat is about to make a step: notes whose it is. `decided`: whether the table does not
    /// play it because nothing else is possible.
    pub(super) fn note_player(&mut self, seat: u8, decided: bool) {
        if !decided || self.is_computer(seat) {
            return;
        }
        if self.is_stood_in(seat) {
            self.timing.stood_in.push(self.steps.len() as u32);
            return;
        }
        self.timing.covered = None;
        if let Some(absence) = self.timing.absent.get_mut(usize::from(seat)) {
            *absence = Absence::default();
        }
    }
}

/// Settles before the start how much time people have.
pub(super) fn settle(table: &Table, actor: &Actor, control: Control) -> Decided {
    super::lobby::by_opener(table, actor)?;
    one(table, actor, Event::Time(Timed::Settled(control)))
}

/// Settles before the start how strong the computer is that plays for somebody absent.
pub(super) fn help(table: &Table, actor: &Actor, level: Level) -> Decided {
    super::lobby::by_opener(table, actor)?;
    one(table, actor, Event::Time(Timed::Helper(level)))
}

/// Whoever waits for somebody late takes the win.
pub(super) fn claim(table: &Table, actor: &Actor) -> Decided {
    in_play(table)?;
    let seat = seat_of(table, actor)?;
    let late = table.claimable_from(seat).ok_or_else(|| claim_refusal(table, actor, seat))?;
    one(table, actor, lost_by(table, late, Reason::Late(late)))
}

/// Explains why there is nothing to claim.
fn claim_refusal(table: &Table, actor: &Actor, seat: u8) -> Refusal {
    if table.seats_of(&actor.person).any(|own| table.is_late(own)) {
        return no("refuse-claim-own");
    }
    let mut others = table.people_seats().into_iter().filter(|it| *it != seat);
    let leaving = others.find_map(|it| Some((it, table.grace_until(it)?)));
    let Some((other, until_ms)) = leaving.filter(|_| table.has_claims()) else {
        return no("refuse-no-claim");
    };
    let minutes = until_ms.saturating_sub(actor.now_ms).div_ceil(60_000).max(1);
    let text = Text::new("refuse-claim-soon").with("name", Arg::Seat(other));
    Refusal { text: text.with("minutes", minutes as i64), stale: false }
}

/// The events by which the person of a seat returns. A turn whose time ran out stays late.
pub(super) fn return_events(table: &Table, seat: u8) -> impl Iterator<Item = Event> + use<> {
    let late = table.is_late(seat).then_some(Event::Time(Timed::Late { seat }));
    [Event::Time(Timed::Returned { seat })].into_iter().chain(late)
}

/// The end of a game that whoever waits for somebody late calls off.
pub(super) fn called_off(table: &Table, seat: u8) -> Option<Event> {
    let late = table.claimable_from(seat)?;
    Some(Event::Closed { reason: Reason::Absent(late) })
}

/// Somebody who was away plays again.
pub(super) fn come_back(table: &Table, actor: &Actor) -> Decided {
    in_play(table)?;
    seat_of(table, actor)?;
    let own = table.seats_of(&actor.person);
    let absent = own.filter(|&it| table.is_away(it) || table.is_left(it) || table.is_stood_in(it));
    let absent: Vec<u8> = absent.collect();
    // The vacation ends first: the clock stands during one.
    let home = vacation::ends(table, &actor.person);
    let back = absent.into_iter().flat_map(|seat| return_events(table, seat));
    let back: Vec<Event> = home.into_iter().chain(back).collect();
    if back.is_empty() {
        return Err(no("refuse-not-away"));
    }
    all(table, actor, back)
}

/// Somebody who waits reminds whoever is on turn.
pub(super) fn nudge(table: &Table, actor: &Actor) -> Decided {
    in_play(table)?;
    let seat = seat_of(table, actor)?;
    let turn = table.turn().filter(|it| table.played_by(*it).is_none());
    let waited_for = turn.filter(|turn| !table.seats_of(&actor.person).any(|it| it == *turn));
    if waited_for.is_none() {
        return Err(no("refuse-nobody-to-nudge"));
    }
    if table.is_timed() && !table.timing.control.is_slow() {
        return Err(no("refuse-nudge-live"));
    }
    let resting = turn.and_then(|it| Some((it, table.vacation_of(it)?)));
    if let Some((seat, until_ms)) = resting {
        let text = Text::new("refuse-nudge-vacation").with("name", Arg::Seat(seat));
        return Err(Refusal { text: text.with("day", Arg::day(until_ms)), stale: false });
    }
    let since = actor.now_ms.saturating_sub(table.timing.nudged_ms);
    if since < NUDGE_MS {
        let minutes = (NUDGE_MS - since).div_ceil(60_000);
        let text = Text::new("refuse-nudged").with("minutes", minutes as i64);
        return Err(Refusal { text, stale: false });
    }
    one(table, actor, Event::Time(Timed::Nudged { seat }))
}
