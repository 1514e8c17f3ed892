//! Decides offers to pause and resume the clocks.

use super::command::Actor;
use super::consent::{blocking_offer, is_own_offer, required_seats};
use super::decide::{DecideResult, Refusal, decide_one, game_in_play, refuse, seat_of};
use super::event::{Event, PlayerOffer};
use super::offer_commands::{execute_offer, make_offer};
use super::state::Table;
use caravanserai_games::time_units::DAY_MS;

/// How long before the end of a long pause a player has to ask for it, in milliseconds: nobody's
/// clock runs without notice.
const RESUME_NOTICE_MS: u64 = DAY_MS;

/// Offers to pause all clocks.
pub(super) fn offer_pause(table: &Table, actor: &Actor) -> DecideResult {
    let seat = seat_at_timed_table(table, actor)?;
    match table.clocks.paused {
        true => Err(refuse("refuse-paused-already")),
        false if table.is_turn_late() => Err(refuse("refuse-pause-late")),
        false => make_offer(table, actor, seat, PlayerOffer::Pause),
    }
}

/// Offers to resume the clocks. An offer to end a long pause cannot be declined, and each player
/// can resume a day after it was made: otherwise a player could keep a game from ending.
pub(super) fn offer_resume(table: &Table, actor: &Actor) -> DecideResult {
    let seat = seat_at_timed_table(table, actor)?;
    if !table.clocks.paused {
        return Err(refuse("refuse-not-paused"));
    }
    if !table.clocks.is_long_pause(actor.now_ms) {
        return make_offer(table, actor, seat, PlayerOffer::Resume);
    }
    let offered_ms = table.offers.resume_offered_ms;
    if offered_ms.is_some_and(|it| actor.now_ms >= it.saturating_add(RESUME_NOTICE_MS)) {
        return execute_offer(table, actor, seat, PlayerOffer::Resume);
    }
    match blocking_offer(table, seat) {
        // Nobody has to answer, so it does not help to wait for an answer.
        Some(it) if it.offer == PlayerOffer::Resume && is_own_offer(table, it, seat) => {
            Err(refuse("refuse-pause-long"))
        }
        // It may have been declined while the pause was short.
        None if !required_seats(table, Some(seat), PlayerOffer::Resume).is_empty() => {
            decide_one(table, actor, Event::OfferMade { seat, offer: PlayerOffer::Resume })
        }
        _ => make_offer(table, actor, seat, PlayerOffer::Resume),
    }
}

/// Returns the actor's seat at a table that is played by a clock.
fn seat_at_timed_table(table: &Table, actor: &Actor) -> Result<u8, Refusal> {
    game_in_play(table)?;
    let seat = seat_of(table, actor)?;
    if table.is_timed() { Ok(seat) } else { Err(refuse("refuse-no-clock")) }
}
