//! Handles absent players: the options of the others, substitutes, and the return to the game.
//!
//! In a game for two the waiting player may claim victory or abort the game, see `victory_claims`.
//! In a game for more players a computer plays the turn; after three consecutive late turns
//! it keeps the seat until its player returns or a person takes over. A person without an open
//! access route is away after a grace period, see [`presence`](super::presence). The log tells who
//! played each step: a computer played the steps after [`ClockEvent::TimeRanOut`] in that turn, and
//! after the third late turn all steps until [`ClockEvent::PersonReturned`]. Returning changes no
//! clock, and a turn whose time ran out stays late: it is logged again then.

use super::clock::{ClockEvent, LOST_BOARD_CAUSE, TimeControl};
use super::command::Actor;
use super::decide::{DecideResult, Refusal, decide_all, decide_one, game_in_play, refuse, seat_of};
use super::event::{Event, LogLine};
use super::presence::DepartedPlayer;
use super::state::Table;
use super::vacation;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::time_units::{HOUR_MS, MINUTE_MS};

/// The number of consecutive late turns after which a player counts as away.
pub const LATE_TURNS_MAX: u8 = 3;

/// The minimum interval between reminders by players, in milliseconds.
pub const NUDGE_INTERVAL_MS: u64 = HOUR_MS;

/// The absence of one seat's player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AbsenceState {
    /// The number of consecutive late turns.
    pub(super) late_turns: u8,
    /// Whether the player counts as away, until they return.
    pub(super) is_away: bool,
    /// The time and kind of the player's departure, if no access route to the table is open to
    /// them.
    pub(super) departure: Option<DepartedPlayer>,
}

impl Table {
    /// Whether the player of this seat is away until they return.
    pub fn is_away(&self, seat: u8) -> bool {
        self.clocks.absence(seat).is_away && !self.seating.is_computer(seat)
    }

    /// Whether this seat's time has run out in the present turn.
    pub fn is_late(&self, seat: u8) -> bool {
        self.clocks.late_turn.is_some_and(|it| it.0 == seat)
            && self.clocks.late_turn == self.current_turn()
    }

    /// Whether the time of the present turn has run out: a pause does not restore it.
    pub(super) fn is_turn_late(&self) -> bool {
        self.seat_to_move().is_some_and(|turn| self.is_late(turn))
    }

    /// Whether any player is present.
    pub fn has_present_player(&self) -> bool {
        self.seating.people_seats().into_iter().any(|seat| !self.is_away(seat))
    }

    /// Whether a computer now plays for the player of this seat.
    pub fn is_played_by_substitute(&self, seat: u8) -> bool {
        let absent = self.is_away(seat) || self.is_late(seat);
        absent && !self.setup.is_claimable() && !self.is_solo() && self.has_present_player()
    }

    /// The level of the computer that now plays this seat, as its own player or as a substitute.
    pub fn computer_level_of(&self, seat: u8) -> Option<ComputerLevel> {
        let own = self.seating.occupant(seat)?.level();
        own.or_else(|| self.is_played_by_substitute(seat).then(|| self.substitute_level()))
    }

    /// The seats whose players are away, one for each.
    pub fn away_seats(&self) -> Vec<u8> {
        self.seating.people_seats().into_iter().filter(|&seat| self.is_away(seat)).collect()
    }

    /// The numbers of the steps that a computer played for each seat with an absent player, counted
    /// from 1.
    pub fn substitute_steps(&self) -> Vec<(u8, Vec<u32>)> {
        let seat = |at: &u32| self.history.steps.iter().nth(*at as usize).and_then(|it| it.seat);
        let by = |own: u8| {
            let steps = self.clocks.substitute_steps.iter().filter(|it| seat(it) == Some(own));
            (own, steps.map(|it| it + 1).collect::<Vec<_>>())
        };
        (0..self.setup.seats).map(by).filter(|it| !it.1.is_empty()).collect()
    }

    /// Applies an event about an absent player.
    pub(super) fn apply_absence(&mut self, event: &ClockEvent, line: &LogLine) {
        let at_ms = line.at_ms;
        match event {
            ClockEvent::TimeRanOut { seat } => {
                let turn = self.current_turn().filter(|it| it.0 == *seat);
                self.clocks.run_out(*seat, turn, self.version);
                let keeps = !self.setup.is_claimable();
                self.clocks.substituted_seat = keeps.then_some(*seat);
                let absence = self.clocks.absence_mut(*seat);
                absence.late_turns = absence.late_turns.saturating_add(1);
                absence.is_away |= keeps && absence.late_turns >= LATE_TURNS_MAX;
            }
            ClockEvent::PersonLeft { person } => self.apply_departure(person, line),
            ClockEvent::PersonReturned { seat } => {
                self.seating.record_action(*seat, at_ms);
                if line.cause == LOST_BOARD_CAUSE {
                    self.clocks.continue_late_turn(*seat);
                }
                self.clocks.late_turn.take_if(|it| it.0 == *seat);
                self.reopen_for_seat(*seat, line);
                self.clocks.clear_absence(*seat);
            }
            ClockEvent::Nudged { seat } => {
                self.seating.record_action(*seat, at_ms);
                self.clocks.last_nudge_ms = at_ms;
            }
            _ => {}
        }
    }

    /// Records who plays the next step of a seat. `decided` is false when the table plays it
    /// because nothing else is possible.
    pub(super) fn record_step_player(&mut self, seat: u8, decided: bool) {
        if !decided || self.seating.is_computer(seat) {
            return;
        }
        if self.is_played_by_substitute(seat) {
            self.clocks.substitute_steps.push(self.history.steps.len() as u32);
            return;
        }
        self.clocks.substituted_seat = None;
        self.clocks.clear_absence(seat);
    }
}

/// Sets the time control before the start.
pub(super) fn set_time_control(table: &Table, actor: &Actor, control: TimeControl) -> DecideResult {
    super::lobby_commands::require_opener_in_lobby(table, actor)?;
    decide_one(table, actor, Event::Clock(ClockEvent::ControlSet(control)))
}

/// Sets the level of substitutes before the start.
pub(super) fn set_substitute_level(
    table: &Table,
    actor: &Actor,
    level: ComputerLevel,
) -> DecideResult {
    super::lobby_commands::require_opener_in_lobby(table, actor)?;
    decide_one(table, actor, Event::Clock(ClockEvent::SubstituteLevelSet(level)))
}

/// Returns the events by which the player of a seat returns. A turn whose time ran out stays late.
pub(super) fn events_of_return(table: &Table, seat: u8) -> impl Iterator<Item = Event> + use<> {
    let late = table.is_late(seat).then_some(Event::Clock(ClockEvent::TimeRanOut { seat }));
    [Event::Clock(ClockEvent::PersonReturned { seat })].into_iter().chain(late)
}

/// Returns a player who was away to the game.
pub(super) fn return_to_game(table: &Table, actor: &Actor) -> DecideResult {
    game_in_play(table)?;
    seat_of(table, actor)?;
    let own = table.seating.seats_of(&actor.person);
    let absent = own
        .filter(|&it| table.is_away(it) || table.has_left(it) || table.is_played_by_substitute(it));
    let absent: Vec<u8> = absent.collect();
    // The vacation ends first, because the clock is stopped during one.
    let vacation_end = vacation::vacation_end_event(table, &actor.person);
    let back = absent.into_iter().flat_map(|seat| events_of_return(table, seat));
    let back: Vec<Event> = vacation_end.into_iter().chain(back).collect();
    if back.is_empty() {
        return Err(refuse("refuse-not-away"));
    }
    decide_all(table, actor, back)
}

/// Reminds the player to move, for a waiting player.
pub(super) fn nudge_player(table: &Table, actor: &Actor) -> DecideResult {
    game_in_play(table)?;
    let seat = seat_of(table, actor)?;
    let turn = table.seat_to_move().filter(|it| table.computer_level_of(*it).is_none());
    let waited_for = turn.filter(|turn| !table.seating.has_seat(&actor.person, *turn));
    if waited_for.is_none() {
        return Err(refuse("refuse-nobody-to-nudge"));
    }
    if table.is_timed() && !table.clocks.control.is_slow() {
        return Err(refuse("refuse-nudge-live"));
    }
    let resting = turn.and_then(|it| Some((it, table.vacation_until(it)?)));
    if let Some((seat, until_ms)) = resting {
        let text = Text::new("refuse-nudge-vacation").with("name", Arg::Seat(seat));
        return Err(Refusal::new(text.with("day", Arg::day(until_ms))));
    }
    let since = actor.now_ms.saturating_sub(table.clocks.last_nudge_ms);
    if since < NUDGE_INTERVAL_MS {
        let minutes = (NUDGE_INTERVAL_MS - since).div_ceil(MINUTE_MS);
        let text = Text::new("refuse-nudged").with("minutes", minutes as i64);
        return Err(Refusal::new(text));
    }
    decide_one(table, actor, Event::Clock(ClockEvent::Nudged { seat }))
}
