//! Decides the offer to play again, and when it is withdrawn.

use super::command::Actor;
use super::consent::required_seats;
use super::decide::{DecideResult, Refusal, decide_one, refuse, seat_of};
use super::event::{Event, PlayerOffer};
use super::offer_commands::make_offer;
use super::offer_state::PendingOffer;
use super::state::Table;
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_games::text::Text;
use caravanserai_games::time_units::MINUTE_MS;

/// The age up to which an accepted rematch offer or challenge starts a game at once, in
/// milliseconds.
pub const REMATCH_START_MS: u64 = 15 * MINUTE_MS;

/// Whether a rematch that is accepted now starts at once. Otherwise its players are invited again.
pub fn starts_rematch(table: &Table, now_ms: u64) -> bool {
    let is_fresh = table.offers.pending.is_none()
        || now_ms < table.offers.offered_ms.saturating_add(REMATCH_START_MS);
    is_fresh
        && table.seating.people_seats().into_iter().all(|seat| table.departure_of(seat).is_none())
}

/// The seats whose players have offered the rematch of a finished game, or agreed to it.
fn rematch_seats(table: &Table) -> impl Iterator<Item = u8> {
    let is_over = table.is_over();
    let pending = table.offers.pending.filter(|it| is_over && it.offer == PlayerOffer::Rematch);
    let proposer = pending.map(PendingOffer::logged_seat);
    proposer.into_iter().flat_map(|by| table.offers.agreed_seats.iter().copied().chain([by]))
}

/// The people who have offered the rematch of a finished game, or agreed to it.
pub fn rematch_seekers(table: &Table) -> Vec<&PersonId> {
    rematch_seats(table).filter_map(|seat| table.seating.person(seat)).collect()
}

/// Withdraws the rematch of a finished game that a person offered or agreed to, when they leave.
pub fn withdraw_rematch(table: &Table, person_left: &PersonId) -> Option<Event> {
    let mut own = rematch_seats(table).filter(|it| table.seating.person(*it) == Some(person_left));
    own.next().map(|seat| Event::OfferDeclined { seat })
}

/// Withdraws or declines the rematch of a finished game where two people have seats, because the
/// first has blocked the second: nobody could accept it. Each comes with all accounts.
pub fn blocked_rematch_event(
    table: &Table,
    blocker: &[PersonId],
    blocked: &[PersonId],
) -> Option<Event> {
    rematch_seats(table).next()?;
    let seat_of = |people: &[PersonId]| {
        let mut seats = table.seating.people_seats().into_iter();
        seats.find(|seat| table.seating.person(*seat).is_some_and(|it| people.contains(it)))
    };
    seat_of(blocked)?;
    seat_of(blocker).map(|seat| Event::OfferDeclined { seat })
}

pub(super) fn offer_rematch(table: &Table, actor: &Actor) -> DecideResult {
    if !table.is_over() {
        return Err(refuse("refuse-not-over"));
    }
    let seat = seat_of(table, actor)?;
    if let Some(TableId(next)) = &table.next_table {
        let text = Text::new("refuse-rematch-exists").with("table", next.as_str());
        return Err(Refusal { text, is_stale: true });
    }
    // Nobody can change the position by a move any more: the offer may be made again.
    let turned_down =
        table.offers.pending.is_none() && table.offers.was_declined(seat, PlayerOffer::Rematch);
    if turned_down && !required_seats(table, Some(seat), PlayerOffer::Rematch).is_empty() {
        return decide_one(table, actor, Event::OfferMade { seat, offer: PlayerOffer::Rematch });
    }
    make_offer(table, actor, seat, PlayerOffer::Rematch)
}
