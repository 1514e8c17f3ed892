//! Decides who may have a hint, and makes given hints visible to everybody.

use std::collections::BTreeMap;

use super::command::Actor;
use super::decide::{
    DecideResult, Decision, Refusal, decide_one, game_in_play, refuse, require_opener,
};
use super::event::Event;
use super::lobby_commands::require_lobby;
use super::operator_actions::check_not_frozen;
use super::state::Table;
use caravanserai_games::rules::Seat;
use caravanserai_games::text::{Arg, Text};

/// The maximum number of hints per seat in a game where people play each other.
pub const HINTS_MAX: u32 = 5;

/// The hints of a table.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// Whether hints are given, if that was set; see [`Table::gives_hints`].
    pub setting: Option<bool>,
    /// The hints of each seat that received some.
    given: BTreeMap<u8, SeatHints>,
}

/// The hints that one seat was given.
#[derive(Clone, Copy, Debug, Default)]
struct SeatHints {
    count: u32,
    /// The number of steps before the first one.
    first_step: u32,
    /// The position of the last one.
    last_position: u64,
}

impl Hints {
    /// The number of hints that this seat was given.
    fn count(&self, seat: u8) -> u32 {
        self.given.get(&seat).map_or(0, |it| it.count)
    }

    /// The seats that were given hints, with their number.
    pub fn hinted_seats(&self) -> impl Iterator<Item = (u8, u32)> {
        self.given.iter().map(|(seat, it)| (*seat, it.count))
    }

    /// The number of steps before the first hint of this seat; `None` if it was given none.
    pub fn first_step(&self, seat: u8) -> Option<u32> {
        self.given.get(&seat).map(|it| it.first_step)
    }

    /// Whether this seat was given a hint in this position.
    fn was_given_at(&self, position: u64, seat: u8) -> bool {
        self.given.get(&seat).is_some_and(|it| it.last_position == position)
    }

    /// Records a hint for this seat in this position, after so many steps.
    pub(super) fn record(&mut self, position: u64, steps: usize, seat: u8) {
        let first_step = u32::try_from(steps).unwrap_or(u32::MAX);
        let first = SeatHints { count: 0, first_step, last_position: position };
        let given = self.given.entry(seat).or_insert(first);
        given.count += 1;
        given.last_position = position;
    }
}

impl Table {
    /// Whether this table gives hints. If it was not set: to a single person, but not where people
    /// play each other.
    pub fn gives_hints(&self) -> bool {
        self.hints.setting.unwrap_or_else(|| self.seating.people_seats().len() <= 1)
    }
}

/// Sets before the start whether hints are given.
pub(super) fn set_hints(table: &Table, actor: &Actor, on: bool) -> DecideResult {
    require_lobby(table)?;
    require_opener(table, actor)?;
    decide_one(table, actor, Event::HintsSet { hints: on })
}

/// Returns the seat that may be given a hint now at this person's request.
///
/// # Errors
/// The reason why they may not have one.
pub fn hint_seat(table: &Table, actor: &Actor) -> Result<u8, Refusal> {
    check_not_frozen(table)?;
    let game = game_in_play(table)?;
    let Some(turn) = table.seat_to_move() else { return Err(refuse("refuse-not-started")) };
    let mut own = table.seating.seats_of(&actor.person).peekable();
    if own.peek().is_none() {
        return Err(refuse("refuse-not-your-table"));
    }
    if !table.gives_hints() {
        return Err(refuse("refuse-hint-off"));
    }
    if !own.any(|it| it == turn) || game.choices(Seat(turn)).is_empty() {
        let text = Text::new("refuse-hint-turn").with("name", Arg::Seat(turn));
        return Err(Refusal::new(text));
    }
    let all_used = table.seating.people_seats().len() > 1 && table.hints.count(turn) >= HINTS_MAX;
    if all_used && !table.hints.was_given_at(table.history.position, turn) {
        let text = Text::new("refuse-hint-used").with("count", i64::from(HINTS_MAX));
        return Err(Refusal::new(text));
    }
    Ok(turn)
}

/// Returns the event that records a hint for this seat, which everybody can see. A repeated hint
/// for the same position counts once.
pub fn record_given_hint(table: &Table, actor: &Actor, seat: u8) -> Option<Decision> {
    if table.hints.was_given_at(table.history.position, seat) {
        return None;
    }
    decide_one(table, actor, Event::HintGiven { seat }).ok()
}
