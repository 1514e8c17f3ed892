//! Abandoned games: when they stop counting in their chat, who may call them off, when they end.

use super::command::Actor;
use super::decide::{Decided, Refusal, in_play, no, one};
use super::event::{Event, Reason};
use super::fold::{Phase, Table};
use super::run::{Decision, Draft, Stamp};
use caravanserai_games::words::Text;

/// A day, in milliseconds.
const DAY_MS: u64 = 24 * 3_600_000;

/// The number of days without any event after which an admin of the chat may call a game off.
const ADMIN_DAYS: u64 = 14;

/// How long a game has no event before it stops counting as a game of its chat, in milliseconds.
const QUIET_MS: u64 = 30 * DAY_MS;

/// How long a game has no event before it is called off by itself, in milliseconds.
const END_MS: u64 = 90 * DAY_MS;

impl Table {
    /// Whether a game has been silent for so long that it takes no room in its chat.
    pub fn is_quiet(&self, now_ms: u64) -> bool {
        self.phase == Phase::Playing && now_ms >= self.last_ms.saturating_add(QUIET_MS)
    }

    /// When to check whether the game is abandoned, in milliseconds since 1970. Rounded up to a
    /// day, so that the moves of one day share one deadline.
    pub fn abandoned_ms(&self) -> Option<u64> {
        let at_ms = self.last_ms.saturating_add(END_MS);
        (self.phase == Phase::Playing).then(|| at_ms.div_ceil(DAY_MS) * DAY_MS)
    }
}

/// Calls off a game in which nothing has happened for a long time.
pub(super) fn expire(table: &Table, now_ms: u64) -> Option<Decision> {
    if table.phase != Phase::Playing || now_ms < table.last_ms.saturating_add(END_MS) {
        return None;
    }
    let mut draft = Draft::of(table, Stamp::of_time(now_ms));
    draft.add(Event::Closed { reason: Reason::Abandoned });
    Some(draft.done())
}

/// Calls off a silent game for an admin of the chat who does not play in it. A game whose clock
/// runs, or in which a player is on vacation, is not silent: it goes on by itself.
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
