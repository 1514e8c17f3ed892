//! Handles abandoned games: when they stop counting in their chat, which admins may abort them,
//! and when they end by themselves.

use super::command::Actor;
use super::decide::{DecideResult, Refusal, decide_one, game_in_play, refuse};
use super::decision_builder::{Decision, DecisionBuilder, EventMeta};
use super::state::{Table, TablePhase};
use caravanserai_games::text::Text;
use caravanserai_games::time_units::DAY_MS;

/// The number of days without any event after which an admin of the chat may abort a game.
const ADMIN_DAYS: u64 = 14;

/// How long a game has no event before it stops counting as a game of its chat, in milliseconds.
const QUIET_AFTER_MS: u64 = 30 * DAY_MS;

/// The number of days without any event after which a game ends by itself.
const ABANDONED_AFTER_DAYS: u64 = 90;
const ABANDONED_AFTER_MS: u64 = ABANDONED_AFTER_DAYS * DAY_MS;

impl Table {
    /// Whether a game has been silent for so long that it takes no room in its chat.
    pub fn is_quiet(&self, now_ms: u64) -> bool {
        self.phase == TablePhase::Playing && now_ms >= self.times.silence_reaches_ms(QUIET_AFTER_MS)
    }

    /// When to check whether the game is abandoned, in milliseconds since 1970. Rounded up to a
    /// day, so that the moves of one day share one deadline.
    pub fn abandoned_check_ms(&self) -> Option<u64> {
        let at_ms = self.times.silence_reaches_ms(ABANDONED_AFTER_MS);
        (self.phase == TablePhase::Playing).then(|| at_ms.div_ceil(DAY_MS) * DAY_MS)
    }
}

/// Ends a game in which nothing has happened for a long time.
pub(super) fn end_abandoned(table: &Table, now_ms: u64) -> Option<Decision> {
    if table.phase != TablePhase::Playing
        || now_ms < table.times.silence_reaches_ms(ABANDONED_AFTER_MS)
    {
        return None;
    }
    let mut draft = DecisionBuilder::new(table, EventMeta::of_timer(now_ms));
    draft.add(table.abandonment_event());
    Some(draft.finish())
}

/// Aborts a silent game for an admin of the chat who does not play in it. A game whose clock
/// runs, or in which a player is on vacation, is not silent: it goes on by itself.
pub(super) fn abort_abandoned(table: &Table, actor: &Actor) -> DecideResult {
    game_in_play(table)?;
    let plays = table.seating.is_seated(&actor.person);
    if plays || actor.chat.without_topic() != table.chats.home().without_topic() {
        return Err(refuse("refuse-not-your-table"));
    }
    let since_ms = actor.now_ms.saturating_sub(table.times.last_event_ms);
    let waits = table.running_clock().is_some() || !table.vacationing_seats().is_empty();
    // An admin must not make the player lose.
    let days = match table.would_count_as_loss_to_computers() {
        true => ABANDONED_AFTER_DAYS,
        false => ADMIN_DAYS,
    };
    if waits || since_ms < days * DAY_MS {
        let text = Text::new("refuse-not-abandoned").with("days", days as i64);
        return Err(Refusal::new(text));
    }
    decide_one(table, actor, table.abandonment_event())
}
