//! Finds whose consent an offer needs, and whether it is given.

use super::decide::{Refusal, refuse};
use super::event::PlayerOffer;
use super::objections::{can_object, is_expected_to_act, objecting_seat, silence_ends_ms};
use super::offer_state::{PendingOffer, Proposer};
use super::state::Table;
use caravanserai_games::text::{Arg, Text};

/// The seats whose answer the pending offer waits for.
pub fn seats_yet_to_agree(table: &Table) -> Vec<u8> {
    let Some(pending) = table.offers.pending else { return Vec::new() };
    let all = required_seats(table, pending.proposer_seat(), pending.offer);
    all.into_iter().filter(|it| !table.offers.agreed_seats.contains(it)).collect()
}

/// The seats that have to agree, one for each person. Computers have no say.
pub(super) fn required_seats(table: &Table, by: Option<u8>, offer: PlayerOffer) -> Vec<u8> {
    let mut seats = table.seating.people_seats();
    if table.is_open() {
        // Offers do not wait for the answer of players who are away.
        seats.retain(|&seat| !table.is_away(seat));
    }
    if let Some(by) = by {
        seats.retain(|&seat| table.seating.person(seat) != table.seating.person(by));
    }
    match offer {
        PlayerOffer::Draw
        | PlayerOffer::Takeback { .. }
        | PlayerOffer::Rematch
        | PlayerOffer::Pause
        | PlayerOffer::Resume => {}
        PlayerOffer::Resign => {
            seats.retain(|&seat| by.is_some_and(|by| table.setup.are_partners(by, seat)))
        }
        // A player who is to be replaced may object, see [`objection_window`]. Their silence does
        // not count.
        PlayerOffer::Replace { seat: other } => seats.retain(|&seat| seat != other),
    }
    seats
}

/// Whether `seats` is not empty and all of its players are away.
fn are_all_away(table: &Table, seats: impl Iterator<Item = u8>) -> bool {
    let mut seats = seats.peekable();
    seats.peek().is_some() && seats.all(|it| table.is_away(it))
}

/// Whether the other people at the table are all away, so that nobody can agree to anything.
pub(super) fn are_all_others_away(table: &Table, seat: u8) -> bool {
    let own = table.seating.person(seat);
    let people = table.seating.people_seats().into_iter();
    are_all_away(table, people.filter(|it| table.seating.person(*it) != own))
}

/// Whether the others could all agree that the player of this seat gives it up, as far as the
/// rating of the game depends on it. Among three or four single players one who is away could lose
/// a win that way, so then nobody may be away.
pub(super) fn can_others_agree(table: &Table, seat: u8) -> bool {
    let own = table.seating.person(seat);
    let mut others = table.seating.people_seats().into_iter();
    match table.goes_on_without_leavers() {
        true => others.all(|it| table.seating.person(it) == own || !table.is_away(it)),
        false => !are_all_others_away(table, seat),
    }
}

/// Whether all who play against this seat are away, in a game of partners that counts: a partner
/// alone must not agree to what undoes a loss of both.
pub(super) fn are_opponents_away(table: &Table, seat: u8) -> bool {
    if !table.setup.has_partners() || !table.casual_reasons().is_empty() {
        return false;
    }
    let people = table.seating.people_seats().into_iter();
    are_all_away(table, people.filter(|it| !table.setup.are_partners(*it, seat)))
}

/// Whether this offer would give its player an advantage over others who cannot object because they
/// are away: an undone move makes the game casual, and a pause needs another player to end it.
pub(super) fn needs_present_player(offer: PlayerOffer) -> bool {
    matches!(offer, PlayerOffer::Takeback { .. } | PlayerOffer::Pause)
}

/// Whether this offer would keep a game from counting while players who may win it are away: those
/// who are losing must not agree to it among themselves.
pub(super) fn undoes_win_of_absent(table: &Table, by: u8, offer: PlayerOffer) -> bool {
    let undoes_result = match offer {
        // It aborts the game, see [`offer_abort`].
        PlayerOffer::Draw => !table.setup.can_be_drawn(),
        PlayerOffer::Takeback { .. } => true,
        PlayerOffer::Rematch
        | PlayerOffer::Pause
        | PlayerOffer::Resume
        | PlayerOffer::Resign
        | PlayerOffer::Replace { .. } => false,
    };
    undoes_result
        && table.casual_reasons().is_empty()
        && (are_opponents_away(table, by) || !can_others_agree(table, by))
}

/// Whether this seat has made the pending offer.
pub(super) fn is_own_offer(table: &Table, pending: PendingOffer, seat: u8) -> bool {
    let by = pending.proposer_seat();
    by.is_some_and(|by| table.seating.person(by) == table.seating.person(seat))
}

/// Whether an offer of this seat replaces the pending one: a person who does not play asks for a
/// seat, and each player may decline that; or an opponent wants to resign, and only their partner
/// can answer.
fn may_replace_offer(table: &Table, pending: PendingOffer, seat: u8) -> bool {
    match (pending.proposer, pending.offer) {
        (Proposer::NewcomerFor(_), _) => true,
        (Proposer::Seat(_), PlayerOffer::Resign) => {
            !is_own_offer(table, pending, seat)
                && !required_seats(table, pending.proposer_seat(), pending.offer).contains(&seat)
        }
        (Proposer::Seat(_), _) => false,
    }
}

/// Whether a player can make an offer now: there is no pending one, or one that theirs replaces.
pub fn can_somebody_offer(table: &Table) -> bool {
    let seats = table.seating.people_seats();
    seats.into_iter().any(|seat| blocking_offer(table, seat).is_none())
}

/// The pending offer that keeps this seat from making another one.
pub(super) fn blocking_offer(table: &Table, seat: u8) -> Option<PendingOffer> {
    table.offers.pending.filter(|it| !may_replace_offer(table, *it, seat))
}

/// The refusal of what has to wait for the pending offer: its answer is for the player of `seat`,
/// or for others. `seat` is `None` for a person who does not play.
pub(super) fn pending_refusal(table: &Table, seat: Option<u8>) -> Refusal {
    let objecting = objecting_seat(table).filter(|it| !table.is_away(*it));
    let seats: Vec<u8> = seats_yet_to_agree(table).into_iter().chain(objecting).collect();
    let newcomer = table.offers.newcomer.as_ref().filter(|it| !it.has_agreed);
    let newcomer_name = newcomer.map(|it| Arg::Plain(it.invitee.name.clone()));
    let is_asked = seat.is_some_and(|it| seats.contains(&it));
    let names: Vec<Arg> = seats.into_iter().map(Arg::Seat).chain(newcomer_name).collect();
    if is_asked || names.is_empty() {
        return refuse("refuse-answer-first");
    }
    Refusal::new(Text::new("refuse-others-answer").with("names", Arg::Names(names)))
}

/// Whether everybody has given the required answers, if the players of the seats `agreed` agree.
pub(super) fn is_settled(table: &Table, agreed: &[u8], now_ms: u64) -> bool {
    let Some(pending) = table.offers.pending else { return false };
    let proposer = pending.proposer_seat();
    let all = required_seats(table, proposer, pending.offer);
    let PlayerOffer::Replace { seat } = pending.offer else {
        return all.iter().all(|it| agreed.contains(it));
    };
    if are_opponents_away(table, seat) {
        return false;
    }
    let objects = can_object(table, proposer, seat) && !agreed.contains(&seat);
    let has_say = !all.is_empty() || proposer.is_some();
    let is_silent = table.is_away(seat)
        || (is_expected_to_act(table, seat) && now_ms >= silence_ends_ms(table, seat));
    table.offers.has_newcomer_agreed()
        && all.iter().all(|it| agreed.contains(it))
        // Silence alone gives no seat away: a player at the table has to want it.
        && (!objects || (has_say && is_silent))
}

/// Whether the answers given until now suffice.
pub(super) fn is_currently_settled(table: &Table, now_ms: u64) -> bool {
    is_settled(table, &table.offers.agreed_seats, now_ms)
}
