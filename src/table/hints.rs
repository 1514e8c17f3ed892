//! Decides who may have a hint, and makes given hints visible to everybody.

use super::command::Actor;
use super::decide::{
    DecideResult, Decision, Refusal, decide_one, game_in_play, refuse, require_opener,
};
use super::event::Event;
use super::lobby_commands::require_lobby;
use super::state::Table;
use caravanserai_games::rules::Seat;
use caravanserai_games::text::{Arg, Text};

/// The maximum number of hints per seat in a game where people play each other.
pub const HINTS_MAX: u32 = 5;

impl Table {
    /// Whether this table gives hints. If it was not set: to a single person, but not where people
    /// play each other.
    pub fn gives_hints(&self) -> bool {
        self.hints_setting.unwrap_or_else(|| self.people_seats().len() <= 1)
    }

    /// The number of hints that this seat was given.
    pub fn hint_count(&self, seat: u8) -> u32 {
        self.hint_counts.get(usize::from(seat)).map_or(0, |(count, _)| *count)
    }

    /// The seats that were given hints, with their number.
    pub fn hinted_seats(&self) -> Vec<(u8, u32)> {
        let all = (0..self.setup.seats).map(|seat| (seat, self.hint_count(seat)));
        all.filter(|(_, count)| *count > 0).collect()
    }

    /// Whether this seat was given a hint for the move that it has to make now.
    pub fn has_hint_now(&self, seat: u8) -> bool {
        self.hint_counts
            .get(usize::from(seat))
            .is_some_and(|(count, at)| *count > 0 && *at == self.position)
    }

    pub(super) fn record_hint(&mut self, seat: u8, at_ms: u64) {
        self.hint_counts.resize(usize::from(self.setup.seats), (0, 0));
        if let Some((count, at)) = self.hint_counts.get_mut(usize::from(seat)) {
            *count += 1;
            *at = self.position;
        }
        self.record_action(seat, at_ms);
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
    let game = game_in_play(table)?;
    let Some(turn) = table.seat_to_move() else { return Err(refuse("refuse-not-started")) };
    let mut own = table.seats_of(&actor.person).peekable();
    if own.peek().is_none() {
        return Err(refuse("refuse-not-your-table"));
    }
    if !table.gives_hints() {
        return Err(refuse("refuse-hint-off"));
    }
    if !own.any(|it| it == turn) || game.choices(Seat(turn)).is_empty() {
        let text = Text::new("refuse-hint-turn").with("name", Arg::Seat(turn));
        return Err(Refusal { text, is_stale: false });
    }
    let all_used = table.people_seats().len() > 1 && table.hint_count(turn) >= HINTS_MAX;
    if all_used && !table.has_hint_now(turn) {
        let text = Text::new("refuse-hint-used").with("count", i64::from(HINTS_MAX));
        return Err(Refusal { text, is_stale: false });
    }
    Ok(turn)
}

/// Returns the event that records a hint for this seat, which everybody can see. A repeated hint
/// for the same position counts once.
pub fn record_given_hint(table: &Table, actor: &Actor, seat: u8) -> Option<Decision> {
    if table.has_hint_now(seat) {
        return None;
    }
    decide_one(table, actor, Event::HintGiven { seat }).ok()
}
