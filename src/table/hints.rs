//! Hints: who may have one, and how everybody sees that they did.

use super::command::Actor;
use super::decide::{Decided, Decision, Refusal, in_play, no, one, opener_only};
use super::event::Event;
use super::fold::Table;
use super::lobby::in_lobby;
use caravanserai_games::rules::Seat;
use caravanserai_games::words::{Arg, Text};

/// So many hints one seat is given in a game where people play each other.
pub const HINTS_MAX: u32 = 5;

impl Table {
    /// Whether hints are given here. If nobody settled it: to a person alone, not where people
    /// play each other.
    pub fn gives_hints(&self) -> bool {
        self.hints.unwrap_or_else(|| self.people_seats().len() <= 1)
    }

    /// How many hints this seat was given.
    pub fn hints_of(&self, seat: u8) -> u32 {
        self.hinted.get(usize::from(seat)).map_or(0, |(count, _)| *count)
    }

    /// The seats that were given hints, and how many.
    pub fn hinted(&self) -> Vec<(u8, u32)> {
        let all = (0..self.setup.seats).map(|seat| (seat, self.hints_of(seat)));
        all.filter(|(_, count)| *count > 0).collect()
    }

    /// Whether this seat was given a hint for the move it has to make now.
    pub fn is_hinted(&self, seat: u8) -> bool {
        self.hinted
            .get(usize::from(seat))
            .is_some_and(|(count, at)| *count > 0 && *at == self.position)
    }

    pub(super) fn hint(&mut self, seat: u8, at_ms: u64) {
        self.hinted.resize(usize::from(self.setup.seats), (0, 0));
        if let Some((count, at)) = self.hinted.get_mut(usize::from(seat)) {
            *count += 1;
            *at = self.position;
        }
        self.touch(seat, at_ms);
    }
}

/// Settles before the start whether hints are given.
pub(super) fn rule(table: &Table, actor: &Actor, on: bool) -> Decided {
    in_lobby(table)?;
    opener_only(table, actor)?;
    one(table, actor, Event::Ruled { hints: on })
}

/// The seat that may be given a hint now because this person asks.
///
/// # Errors
/// Why they may not.
pub fn asked(table: &Table, actor: &Actor) -> Result<u8, Refusal> {
    let game = in_play(table)?;
    let Some(turn) = table.turn() else { return Err(no("refuse-not-started")) };
    let mut own = table.seats_of(&actor.person).peekable();
    if own.peek().is_none() {
        return Err(no("refuse-not-your-table"));
    }
    if !table.gives_hints() {
        return Err(no("refuse-hint-off"));
    }
    if !own.any(|it| it == turn) || game.choices(Seat(turn)).is_empty() {
        let text = Text::new("refuse-hint-turn").with("name", Arg::Seat(turn));
        return Err(Refusal { text, stale: false });
    }
    let all_used = table.people_seats().len() > 1 && table.hints_of(turn) >= HINTS_MAX;
    if all_used && !table.is_hinted(turn) {
        let text = Text::new("refuse-hint-used").with("count", i64::from(HINTS_MAX));
        return Err(Refusal { text, stale: false });
    }
    Ok(turn)
}

/// What is logged when this seat was given a hint: everybody sees that it was. The same hint
/// again counts once.
pub fn given(table: &Table, actor: &Actor, seat: u8) -> Option<Decision> {
    if table.is_hinted(seat) {
        return None;
    }
    one(table, actor, Event::Hinted { seat }).ok()
}
