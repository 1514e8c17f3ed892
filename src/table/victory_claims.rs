//! Decides claims of victory against an absent opponent, and when a waiting player may abort the
//! game instead.
//!
//! Both exist only in games that are always for two: at a table for two of a game that more can
//! play, a computer plays for the absent player. [`absent_players`](super::absent_players) tells
//! who is late or away; against an opponent who had no choice (removed by others, or the bot was
//! removed) the waiting player can only abort the game, after a longer wait.

use super::command::Actor;
use super::decide::{DecideResult, Refusal, decide_one, game_in_play, loss_event, refuse, seat_of};
use super::event::{EndReason, Event};
use super::objections;
use super::state::{Table, TablePhase};
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::time_units::MINUTE_MS;

impl Table {
    /// The opponent of this seat who is late or away, where victory can be claimed.
    pub fn claimable_from(&self, seat: u8) -> Option<u8> {
        if !self.setup.is_claimable() || self.is_solo() || self.phase != TablePhase::Playing {
            return None;
        }
        let has_gone = |it: u8| self.is_away(it) && self.involuntary_departure(it).is_none();
        let absent = |it: &u8| *it != seat && (self.is_late(*it) || has_gone(*it));
        self.seating.people_seats().into_iter().find(absent)
    }

    /// The opponent of this seat who cannot reach the table and had no choice, and the time from
    /// which on this seat may abort the game because of it, in milliseconds since 1970.
    pub fn cut_off_opponent(&self, seat: u8) -> Option<(u8, u64)> {
        if !self.setup.is_claimable() || self.is_solo() || self.phase != TablePhase::Playing {
            return None;
        }
        let mut others = self.seating.people_seats().into_iter().filter(|it| *it != seat);
        let wait_ms = objections::objection_window_ms(self);
        others.find_map(|it| Some((it, self.involuntary_departure(it)?.since_ms + wait_ms)))
    }
}

/// Claims victory for a waiting player.
pub(super) fn claim_victory(table: &Table, actor: &Actor) -> DecideResult {
    game_in_play(table)?;
    let seat = seat_of(table, actor)?;
    let late = table.claimable_from(seat).ok_or_else(|| claim_refusal(table, actor, seat))?;
    decide_one(table, actor, loss_event(table, late, EndReason::LostOnTime(late)))
}

/// Explains why there is nothing to claim.
fn claim_refusal(table: &Table, actor: &Actor, seat: u8) -> Refusal {
    if table.seating.seats_of(&actor.person).any(|own| table.is_late(own)) {
        return refuse("refuse-claim-own");
    }
    if let Some((other, until_ms)) = table.cut_off_opponent(seat) {
        return cut_off_refusal("refuse-claim-cut-off", other, until_ms);
    }
    let mut others = table.seating.people_seats().into_iter().filter(|it| *it != seat);
    let leaving = others.find_map(|it| Some((it, table.grace_ends_ms(it)?)));
    let Some((other, until_ms)) = leaving.filter(|_| table.setup.is_claimable()) else {
        return refuse("refuse-no-claim");
    };
    let minutes = until_ms.saturating_sub(actor.now_ms).div_ceil(MINUTE_MS).max(1);
    let text = Text::new("refuse-claim-soon").with("name", Arg::Seat(other));
    Refusal::new(text.with("minutes", minutes as i64))
}

/// Returns the event by which a waiting player aborts the game.
pub(super) fn abort_event(table: &Table, seat: u8, now_ms: u64) -> Option<Event> {
    let cut_off = || table.cut_off_opponent(seat).filter(|it| it.1 <= now_ms).map(|it| it.0);
    let absent = table.claimable_from(seat).or_else(cut_off)?;
    Some(Event::TableClosed { reason: EndReason::AbsentPlayer(absent) })
}

/// The refusal of a claim or an abort while an opponent cannot reach the table and had no choice.
/// `until_ms`: the time from which on the game can be aborted, in milliseconds since 1970.
pub(super) fn cut_off_refusal(key: &'static str, opponent: u8, until_ms: u64) -> Refusal {
    let text = Text::new(key).with("name", Arg::Seat(opponent)).with("time", Arg::time(until_ms));
    Refusal::new(text)
}
