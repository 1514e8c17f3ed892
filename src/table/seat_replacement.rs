//! Decides that another player takes over a seat of a running game: a substitute whom a player
//! proposes, a person who asks for a seat, a computer.

use super::command::{Actor, OfferAnswer};
use super::consent::{
    are_all_others_away, are_opponents_away, blocking_offer, is_currently_settled, is_own_offer,
    pending_refusal,
};
use super::decide::{
    DecideResult, Decision, Refusal, begin_decision, decide_all, decide_and_advance, decide_one,
    game_in_play, refuse, require_unfinished, seat_of,
};
use super::decision_builder::{DecisionBuilder, EventMeta};
use super::event::{DEFAULT_LEVEL, Event, PlayerOffer, computer_id};
use super::objections::silence_decides_ms;
use super::offer_state::{PendingOffer, Proposer};
use super::people::{Invitee, SeatNewcomer};
use super::state::Table;
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::Text;

/// Proposes, for a person at the table, that another player takes over a seat.
pub(super) fn propose_substitute(
    table: &Table,
    actor: &Actor,
    seat: Option<u8>,
    newcomer: &Invitee,
) -> DecideResult {
    game_in_play(table)?;
    let by = seat_of(table, actor)?;
    let seat = seat.unwrap_or(by);
    if newcomer.is_computer() && table.seating.is_computer(seat) {
        return Err(refuse("refuse-computer-there"));
    }
    propose_newcomer(table, actor, newcomer, seat, Some(by))
}

/// Requests a seat that is free for a person who wants to join: they may not know that the game has
/// begun, so it is never that of a player who is present.
pub(super) fn join_running_game(table: &Table, actor: &Actor) -> DecideResult {
    if table.seating.is_seated(&actor.person) {
        return Err(refuse("refuse-already-seated"));
    }
    match free_seat(table) {
        None if !table.is_solo() => Err(refuse("refuse-join-started")),
        seat => take_over(table, actor, seat),
    }
}

/// Requests a seat for a person who does not play: one that is free, else that of the player for
/// whom the others wait.
pub(super) fn take_over(table: &Table, actor: &Actor, seat: Option<u8>) -> DecideResult {
    game_in_play(table)?;
    if table.is_solo() {
        return Err(refuse("refuse-not-your-table"));
    }
    let newcomer = Invitee {
        person: Some(actor.person.clone()),
        username: actor.username.clone(),
        name: actor.name.clone(),
    };
    let seat =
        seat.or_else(|| free_seat(table)).or_else(|| table.seat_to_move()).unwrap_or_default();
    propose_newcomer(table, actor, &newcomer, seat, None)
}

/// A seat whose player is away, else that of a computer.
fn free_seat(table: &Table) -> Option<u8> {
    let plays_on = |seat: &u8| table.finishing_rank(*seat).is_none();
    let is_computer = |seat: &u8| table.seating.is_computer(*seat) && plays_on(seat);
    let deserted = table.away_seats().into_iter().find(plays_on);
    deserted.or_else(|| (0..table.setup.seats).find(is_computer))
}

/// Proposes a newcomer for a seat; `by`: the seat of the player who proposes, `None` if the
/// newcomer asks.
fn propose_newcomer(
    table: &Table,
    actor: &Actor,
    newcomer: &Invitee,
    seat: u8,
    by: Option<u8>,
) -> DecideResult {
    if seat >= table.setup.seats {
        return Err(refuse("refuse-unknown-seat"));
    }
    let is_own = table.seating.has_seat(&actor.person, seat);
    let key = if is_own { "refuse-own-place" } else { "refuse-seat-finished" };
    require_unfinished(table, seat, key)?;
    require_not_losing_to_computers(table)?;
    if newcomer.person.as_ref().is_some_and(|it| table.seating.is_seated(it)) {
        let text = Text::new("refuse-seated-already").with("name", &*newcomer.name);
        return Err(Refusal::new(text));
    }
    if let Some(person) = &newcomer.person {
        require_no_other_hand(table, person, &newcomer.name, seat)?;
    }
    if by.is_none() && table.is_away(seat) && table.may_take_absent_seats() {
        return take_absent_seat(table, actor, seat);
    }
    let home = table.chats.home().platform();
    let own = table.offers.newcomer.as_ref().filter(|it| actor.is_invited_as(&it.invitee, home));
    let own = own.filter(|_| by.is_none());
    match by.map_or(table.offers.pending, |by| blocking_offer(table, by)) {
        Some(pending) if by.is_some_and(|by| is_own_offer(table, pending, by)) => {
            return Err(refuse("refuse-offer-waits"));
        }
        Some(_) if own.is_some_and(|it| it.has_agreed) => {
            return Err(refuse("refuse-already-offered"));
        }
        Some(_) if own.is_some() => return Err(refuse("refuse-answer-first")),
        Some(_) => return Err(pending_refusal(table, by)),
        None => {}
    }
    let has_withdrawn =
        newcomer.person.as_ref().is_some_and(|it| table.offers.has_withdrawn_request(it));
    if by.is_none() && (has_withdrawn || table.offers.was_replacement_declined(seat)) {
        return Err(refuse("refuse-turned-down"));
    }
    if are_opponents_away(table, seat) {
        let plays = by.is_some();
        return Err(refuse(if plays { "refuse-others-away" } else { "refuse-opponents-away" }));
    }
    if table.is_solo() && !newcomer.is_computer() {
        return Err(refuse("refuse-private-invite"));
    }
    let event = Event::SubstituteProposed {
        seat,
        by,
        person: newcomer.person.clone(),
        username: newcomer.username.clone(),
        name: newcomer.name.clone(),
    };
    let draft = begin_decision(table, actor, [event]);
    let next = &draft.table;
    if is_currently_settled(next, actor.now_ms) {
        // A table without people would play to its end by itself, and one whose people are all away
        // would not go on.
        let is_last = next.seating.people_seats() == [seat] || are_all_others_away(next, seat);
        if newcomer.is_computer() && is_last {
            return Err(refuse("refuse-last-person"));
        }
        return Ok(finish_replacement(draft));
    }
    Ok(draft.finish())
}

/// Gives a person the seat of a player who is away, where nobody has to agree, see
/// [`Table::may_take_absent_seats`]. An open offer of that player ends first: what others have
/// agreed to was another exchange.
fn take_absent_seat(table: &Table, actor: &Actor, seat: u8) -> DecideResult {
    if table.invitations.is_kicked(&actor.person) {
        return Err(refuse("refuse-kicked"));
    }
    let pending = table.offers.pending.filter(|it| it.offer == PlayerOffer::Replace { seat });
    let withdrawn = match pending.map(|it| it.proposer) {
        Some(Proposer::NewcomerFor(asked)) => Event::request_withdrawal(asked).to_vec(),
        Some(Proposer::Seat(seat)) => vec![Event::OfferDeclined { seat }],
        None => Vec::new(),
    };
    let person = actor.person.clone();
    let name = actor.name.clone();
    let replaced = Event::SeatReplaced { seat, person, name };
    decide_and_advance(table, actor, withdrawn.into_iter().chain([replaced]))
}

/// Answers for the newcomer who is to take over a seat.
pub(super) fn answer_newcomer(
    table: &Table,
    actor: &Actor,
    pending: PendingOffer,
    answer: OfferAnswer,
) -> DecideResult {
    let home = table.chats.home().platform();
    let own = table.offers.newcomer.as_ref().filter(|it| actor.is_invited_as(&it.invitee, home));
    let newcomer = own.ok_or_else(|| refuse("refuse-not-your-table"))?;
    if answer == OfferAnswer::Decline {
        return match pending.proposer {
            Proposer::NewcomerFor(seat) => {
                decide_all(table, actor, Event::request_withdrawal(seat))
            }
            Proposer::Seat(seat) => decide_one(table, actor, Event::OfferDeclined { seat }),
        };
    }
    if newcomer.has_agreed {
        return Err(refuse(match pending.proposer {
            Proposer::NewcomerFor(_) => "refuse-own-offer",
            Proposer::Seat(_) => "refuse-already-agreed",
        }));
    }
    require_not_losing_to_computers(table)?;
    if let Some(seat) = table.offers.seat_to_replace() {
        require_unfinished(table, seat, "refuse-seat-finished")?;
        require_no_other_hand(table, &actor.person, &actor.name, seat)?;
    }
    let agreed = Event::SubstituteAgreed { person: actor.person.clone(), name: actor.name.clone() };
    let draft = begin_decision(table, actor, [agreed]);
    if is_currently_settled(&draft.table, actor.now_ms) {
        return Ok(finish_replacement(draft));
    }
    Ok(draft.finish())
}

/// Refuses a substitute who would save a person from a loss to computers.
pub(super) fn require_not_losing_to_computers(table: &Table) -> Result<(), Refusal> {
    match table.is_losing_to_computers() {
        true => Err(refuse("refuse-substitute-rated")),
        false => Ok(()),
    }
}

/// Refuses a newcomer who has seen another hand of the running deal, because they gave up its seat.
fn require_no_other_hand(
    table: &Table,
    person: &PersonId,
    name: &str,
    seat: u8,
) -> Result<(), Refusal> {
    if table.game_id().info().hidden && table.seating.has_given_up_other_seat(person, seat) {
        let text = Text::new("refuse-other-hand").with("name", name);
        return Err(Refusal::new(text));
    }
    Ok(())
}

/// The event by which the newcomer of the pending offer gets the seat.
pub(super) fn replacement_event(table: &Table) -> Option<Event> {
    let seat = table.offers.seat_to_replace()?;
    let SeatNewcomer { invitee: who, .. } = table.offers.newcomer.clone()?;
    Some(Event::SeatReplaced { seat, person: who.person?, name: who.name })
}

/// Gives the seat to the newcomer, then adds the automatic events of the game.
fn finish_replacement(mut draft: DecisionBuilder) -> Decision {
    if let Some(event) = replacement_event(&draft.table) {
        draft.add(event);
    }
    draft.advance_and_finish()
}

/// The event by which a computer takes this seat.
pub(super) fn computer_replacement_event(seat: u8) -> Event {
    Event::SeatReplaced { seat, person: computer_id(DEFAULT_LEVEL), name: String::new() }
}

/// The time at which silence alone decides a replacement, in milliseconds since 1970: `None` as
/// long as another player has not agreed.
pub(super) fn objection_deadline(table: &Table) -> Option<u64> {
    let until_ms = silence_decides_ms(table)?;
    is_currently_settled(table, until_ms).then_some(until_ms)
}

/// Passes on a seat whose player was silent until the objection window ended.
pub(super) fn expire_offer(table: &Table, now_ms: u64) -> Option<Decision> {
    let settled = silence_decides_ms(table).is_some() && is_currently_settled(table, now_ms);
    settled.then(|| finish_replacement(DecisionBuilder::new(table, EventMeta::of_timer(now_ms))))
}

/// Withdraws the pending replacement of a player because it cannot be carried out any more.
pub fn withdraw_replacement(table: &Table, now_ms: u64) -> Option<Decision> {
    let pending = table.offers.pending.filter(|_| table.offers.seat_to_replace().is_some())?;
    let mut draft = DecisionBuilder::new(table, EventMeta::of_timer(now_ms));
    draft.add(Event::OfferDeclined { seat: pending.logged_seat() });
    Some(draft.finish())
}
