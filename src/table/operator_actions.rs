//! Decides the operator's actions at a table: freeze it, let it go on, close it, or keep out a
//! person who is banned.
//!
//! While a table is frozen nobody can act there, no clock runs and no computer thinks. Events
//! outside of the table, such as a person who leaves a chat, are still recorded.

use std::collections::BTreeSet;

use super::clock::ClockEvent;
use super::decide::{Refusal, refuse};
use super::decision_builder::{Decision, DecisionBuilder, EventMeta, apply_external_event};
use super::event::{EndReason, Event};
use super::people::SeatNewcomer;
use super::presence::{self, Departure, EventsWithCause};
use super::rematch;
use super::state::Table;
use caravanserai_games::ids::PersonId;

/// An action of the operator at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorAction {
    /// Nobody can act, and clocks stop.
    Freeze,
    /// The table goes on.
    Unfreeze,
    /// The game is aborted without a result, or the lobby is closed.
    Close,
}

/// The reason why an operator's action changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorActionRefusal {
    /// The game has ended or the table was closed.
    Over,
    /// The table is frozen already.
    Frozen,
    /// The table is not frozen.
    NotFrozen,
}

impl Table {
    /// Whether the operator has frozen the table.
    pub fn is_frozen(&self) -> bool {
        self.clocks.is_frozen() && self.is_open()
    }
}

/// Decides an action of the operator.
///
/// # Errors
/// The reason why nothing would change.
pub fn decide_operator_action(
    table: &Table,
    action: OperatorAction,
    meta: EventMeta,
) -> Result<Decision, OperatorActionRefusal> {
    if !table.is_open() {
        return Err(OperatorActionRefusal::Over);
    }
    let event = match (action, table.is_frozen()) {
        (OperatorAction::Freeze, true) => return Err(OperatorActionRefusal::Frozen),
        (OperatorAction::Unfreeze, false) => return Err(OperatorActionRefusal::NotFrozen),
        (OperatorAction::Freeze, false) => Event::Clock(ClockEvent::Frozen),
        (OperatorAction::Unfreeze, true) => Event::Clock(ClockEvent::Unfrozen),
        (OperatorAction::Close, _) => Event::TableClosed { reason: EndReason::ClosedByOperator },
    };
    Ok(apply_external_event(table, event, meta).expect("these events fit every open table"))
}

/// The cause of the line that withdraws what a banned person wanted: the same as when they leave.
const WITHDRAWAL_CAUSE: &str = "left";

/// Closes all access to the table for a person who is banned, as if they were removed from every
/// chat, and withdraws the rematch or the seat that they want; `None` if that changes nothing. The
/// others then play on by the rules for players who left. `accounts`: all accounts of the person,
/// that of the person first, because finished games keep an account that was linked later.
pub fn decide_ban(table: &Table, accounts: &[PersonId], now_ms: u64) -> Option<Decision> {
    let person = accounts.first().filter(|_| table.is_open());
    let closed = person.and_then(|it| close_all_access(table, it, now_ms));
    let now = closed.as_ref().map_or(table, |it| &it.table);
    let Some(withdrawn) = accounts.iter().find_map(|it| withdrawn_wish(now, it)) else {
        return closed;
    };
    let meta = EventMeta::received_now(now_ms, WITHDRAWAL_CAUSE);
    let mut draft = match closed {
        Some(earlier) => DecisionBuilder::continue_from(earlier, meta),
        None => DecisionBuilder::new(table, meta),
    };
    draft.add(withdrawn);
    Some(draft.finish())
}

/// The event that withdraws the rematch that a person has offered or agreed to, or the offer that
/// they take over a seat.
fn withdrawn_wish(table: &Table, person: &PersonId) -> Option<Event> {
    let is_newcomer = |it: &SeatNewcomer| it.invitee.person.as_ref() == Some(person);
    let proposal =
        table.offers.pending.filter(|_| table.offers.newcomer.as_ref().is_some_and(is_newcomer));
    rematch::withdraw_rematch(table, person)
        .or_else(|| proposal.map(|it| Event::OfferDeclined { seat: it.logged_seat() }))
}

/// Closes all access of a person to an open table.
fn close_all_access(table: &Table, person: &PersonId, now_ms: u64) -> Option<Decision> {
    let open = table.open_chats(person).map(|it| it.platform().to_owned());
    let platforms: BTreeSet<String> = open.collect();
    let mut decision: Option<Decision> = None;
    for platform in platforms {
        let now = decision.as_ref().map_or(table, |it| &it.table);
        let closed = presence::close_route(now, person, &platform, Departure::Removed);
        let Some(EventsWithCause { events, cause }) = closed else { continue };
        let meta = EventMeta::received_now(now_ms, cause);
        let mut draft = match decision.take() {
            Some(earlier) => DecisionBuilder::continue_from(earlier, meta),
            None => DecisionBuilder::new(table, meta),
        };
        events.into_iter().for_each(|it| draft.add(it));
        decision = Some(draft.finish());
    }
    decision
}

/// Refuses commands at a frozen table.
pub(super) fn check_not_frozen(table: &Table) -> Result<(), Refusal> {
    if table.is_frozen() { Err(refuse("refuse-frozen")) } else { Ok(()) }
}
