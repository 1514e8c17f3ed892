//! Games that nobody plays on: when they stop counting, who may call them off, when they end.

use super::command::Actor;
use super::decide::{Decided, Refusal, in_play, no, one};
use super::event::{Event, Reason};
use super::fold::{Phase, Table};
use super::run::{Decision, Draft, Stamp};
use crate::words::Text;

/// A day, in milliseconds.
const DAY_MS: u64 = 24 * 3_600_000;

/// After so many days without any event an admin of the chat may call a game off.
const ADMIN_DAYS: u64 = 14;

/// After so long without any event a game does not count as one of its chat any more, in
/// milliseconds.
const QUIET_MS: u64 = 30 * DAY_MS;

/// After so long without any event a game is called off by itself, in milliseconds.
const END_MS: u64 = 90 * DAY_MS;

impl Table {
    /// Whether a game has been silent for so long that it takes no room in its chat.
    pub fn is_quiet(&self, now_ms: u64) -> bool {
        self.phase == Phase::Playing && now_ms >= self.last_ms.saturating_add(QUIET_MS)
    }

    /// When it has to be seen whether the game is abandoned, in milliseconds since 1970. It is a
    /// whole day, so that the moves of one day do not change it.
    pub fn abandoned_ms(&self) -> Option<u64> {
        let at_ms = self.last_ms.saturating_add(END_MS);
        (self.phase == Phase::Playing).then(|| at_ms.div_ceil(DAY_MS) * DAY_MS)
    }
}

/// What happens at a table where nothing has happened for a long time.
pub(super) fn expire(table: &Table, now_ms: u64) -> Option<Decision> {
    if table.phase != Phase::Playing || now_ms < table.last_ms.saturating_add(END_MS) {
        return None;
    }
    let mut draft = Draft::of(table, Stamp::of_time(now_ms));
    draft.add(Event::Closed { reason: Reason::Abandoned });
    Some(draft.done())
}

/// An admin of the chat who does not play there calls a silent game off. A game whose clock runs,
/// or where somebody is on vacation, is not silent: it goes on by itself.
pub(super) fn call_off(table: &Table, actor: &Actor) -> Decided {
    in_play(table)?;
    let plays = table.seats_of(&actor.person).next().is_some();
    if plays || actor.place.chat() != table.home().chat() {
        return Err(no("refuse-not-your-table"));
    }
    let since_ms = actor.now_ms.saturating_sub(table.last_ms);
    let waits = table.running().is_some() || !table.vacations().is_empty();
    if waits || since_ms < ADMIN_DAYS * DAY_MS {
        let text = Text::new("refuse-not-abandoned").with("days", ADMIN_DAYS as i64);
        return Err(Refusal { text, stale: false });
    }
    one(table, actor, Event::Closed { reason: Reason::Abandoned })
}
