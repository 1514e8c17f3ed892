//! Finds the people whom a decision brings together at a table.
//!
//! A person gets a seat in many ways: they open a table, join it, accept an invitation or a
//! challenge, take over a seat, or play a rematch. All of them end in the events of a decision, so
//! [`seat_claims`] reads these. A change that only renames a person, such as linked accounts,
//! brings nobody together.

use super::decide::Decision;
use super::event::{Event, PlayerOffer, computer_level};
use super::people::Occupant;
use super::state::Table;
use caravanserai_games::ids::PersonId;

/// Two people whom a decision brings together, or tries to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatClaim {
    /// The person who gets a seat or is asked to take one.
    pub person: PersonId,
    /// Their displayed name.
    pub name: String,
    /// A person who has a seat at the table.
    pub other: PersonId,
    /// The displayed name of that person.
    pub other_name: String,
    /// How the person comes to the seat.
    pub kind: SeatClaimKind,
}

/// How a person comes to a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatClaimKind {
    /// They take the seat, or ask for it.
    Seat,
    /// Another person asks them to take it.
    Invitation,
    /// They take over the seat of a player who leaves.
    Substitute,
    /// They play another game at the next table of the same people.
    Rematch,
}

/// The pairs of people whom a decision brings together, each once.
pub fn seat_claims(decision: &Decision) -> Vec<SeatClaim> {
    let table = &decision.table;
    let mut claims: Vec<SeatClaim> = Vec::new();
    for event in decision.events() {
        for claim in claims_of_event(table, event) {
            let is_same = |it: &SeatClaim| {
                (&it.person, &it.other) == (&claim.person, &claim.other)
                    || (&it.other, &it.person) == (&claim.person, &claim.other)
            };
            if !claims.iter().any(is_same) {
                claims.push(claim);
            }
        }
    }
    claims
}

fn claims_of_event(table: &Table, event: &Event) -> Vec<SeatClaim> {
    use SeatClaimKind::{Invitation, Seat, Substitute};
    match event {
        Event::Seated { person, name } => claims_of(table, (person, name), Seat, None),
        Event::SeatReplaced { person, name, .. } => {
            claims_of(table, (person, name), Substitute, None)
        }
        Event::SubstituteAgreed { person, name } => {
            claims_of(table, (person, name), Substitute, table.offers.seat_to_replace())
        }
        Event::Invited { person: Some(person), name, .. } => {
            claims_of(table, (person, name), Invitation, None)
        }
        Event::SubstituteProposed { seat, by, person: Some(person), name, .. } => {
            match by {
                Some(_) => claims_of(table, (person, name), Invitation, Some(*seat)),
                // The player of the seat has to answer.
                None => claims_of(table, (person, name), Seat, None),
            }
        }
        Event::InviteesReminded => {
            let invited = table.awaited_invitees().filter_map(|(_, it)| {
                Some(claims_of(table, (it.person.as_ref()?, &it.name), Invitation, None))
            });
            invited.flatten().collect()
        }
        Event::OfferMade { offer: PlayerOffer::Rematch, .. } => rematch_claims(table),
        Event::OfferAgreed { .. } if has_rematch_offer(table) => rematch_claims(table),
        Event::OfferAgreed { .. } | Event::OfferMade { .. } => Vec::new(),
        // These people are not known yet, or come with one of the events above.
        Event::Invited { person: None, .. }
        | Event::SubstituteProposed { person: None, .. }
        | Event::InviteeIdentified { .. } => Vec::new(),
        Event::Opened(_)
        | Event::Left { .. }
        | Event::InvitationEnded { .. }
        | Event::DeclineExplained { .. }
        | Event::Kicked { .. }
        | Event::ComputerRemoved { .. }
        | Event::PlaceChanged { .. }
        | Event::SeatCountSet { .. }
        | Event::KeptOpen
        | Event::HouseRulesSet { .. }
        | Event::FirstMoverSet { .. }
        | Event::HintsSet { .. }
        | Event::RatedSet { .. }
        | Event::ComputersRated
        | Event::RatingBlocked { .. }
        | Event::RatingPaused { .. }
        | Event::Started { .. }
        | Event::Stepped { .. }
        | Event::HintGiven { .. }
        | Event::ConditionalMovesSet { .. }
        | Event::ChanceDrawn { .. }
        | Event::OfferDeclined { .. }
        | Event::MovesTakenBack { .. }
        | Event::GameOver { .. }
        | Event::TableClosed { .. }
        | Event::ChatMoved { .. }
        | Event::Attached(_)
        | Event::Detached { .. }
        | Event::PublicSet { .. }
        | Event::PlayerChatChanged { .. }
        | Event::AccountsMerged { .. }
        | Event::Clock(_)
        | Event::SeedCommitted(_)
        | Event::ContinuedAt { .. }
        | Event::MisplacedLinesMoved(_) => Vec::new(),
    }
}

/// The claims of a person towards all people who have a seat. `leaves`: a seat whose player leaves
/// the table.
fn claims_of(
    table: &Table,
    (person, name): (&PersonId, &str),
    kind: SeatClaimKind,
    leaves: Option<u8>,
) -> Vec<SeatClaim> {
    if computer_level(person).is_some() {
        return Vec::new();
    }
    let leaver = leaves.and_then(|seat| table.seating.occupant(seat));
    let leaver = leaver.map(|it| &it.person);
    // A person who plays several sides keeps the other ones.
    let leaver = leaver.filter(|it| table.seating.seats_of(it).count() < 2);
    let is_other = |it: &&Occupant| it.person != *person && leaver != Some(&it.person);
    let others = table.seating.people_chairs().filter(is_other);
    others.map(|it| claim((person, name), it, kind)).collect()
}

/// The claims of all players of a finished game towards each other.
fn rematch_claims(table: &Table) -> Vec<SeatClaim> {
    let people: Vec<&Occupant> = table.seating.people_chairs().collect();
    let mut claims = Vec::new();
    for (n, occupant) in people.iter().enumerate() {
        let others = people.iter().skip(n + 1).filter(|it| it.person != occupant.person);
        let own = (&occupant.person, &*occupant.name);
        claims.extend(others.map(|it| claim(own, it, SeatClaimKind::Rematch)));
    }
    claims
}

fn claim((person, name): (&PersonId, &str), other: &Occupant, kind: SeatClaimKind) -> SeatClaim {
    SeatClaim {
        person: person.clone(),
        name: name.to_owned(),
        other: other.person.clone(),
        other_name: other.name.clone(),
        kind,
    }
}

fn has_rematch_offer(table: &Table) -> bool {
    matches!(table.offers.pending, Some((_, PlayerOffer::Rematch)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision_builder::{EventMeta, open_table};
    use crate::event::{DEFAULT_LEVEL, FirstMover, LOG_FORMAT, TableSetup};
    use crate::lobby_commands::seat_computer_event;
    use caravanserai_games::GameId;
    use caravanserai_games::ids::{PlaceId, PlaceKind, TableId};

    fn person(name: &str) -> PersonId {
        PersonId(format!("tg:{name}"))
    }

    /// The claims of the decision that opens a table for three with these events.
    fn claims(events: Vec<Event>) -> Vec<(String, String, SeatClaimKind)> {
        let fits_three = |it: &&GameId| it.start_match(&it.info().default_options(), 3).is_ok();
        let game = *GameId::all().iter().find(fits_three).expect("a game is for three");
        let setup = TableSetup {
            format: LOG_FORMAT,
            game,
            revision: game.info().revision,
            options: game.info().default_options(),
            seats: 3,
            begin: FirstMover::Opener,
            chat: PlaceId("tg:-1".into()),
            kind: PlaceKind::Group,
            seed: [7; 32],
            opener: person("ann"),
            coached: false,
        };
        let meta = EventMeta::received_now(1_000, "tg/1");
        let decision = open_table(&TableId("7k3fx".into()), setup, events, false, meta);
        let claims = seat_claims(&decision.expect("it fits")).into_iter();
        claims.map(|it| (it.name, it.other_name, it.kind)).collect()
    }

    fn seated(name: &str) -> Event {
        Event::Seated { person: person(name), name: name.to_owned() }
    }

    fn invited(name: &str, is_known: bool) -> Event {
        let person = is_known.then(|| person(name));
        let username = (!is_known).then(|| name.to_owned());
        Event::Invited { person, username, name: name.to_owned() }
    }

    #[test]
    fn a_person_who_gets_a_seat_meets_all_who_have_one() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned(), SeatClaimKind::Seat);
        let all = claims(vec![seated("ann"), seated("bek"), seated("cyd")]);
        assert_eq!(all, [pair("ann", "bek"), pair("ann", "cyd"), pair("bek", "cyd")]);
        let computer = seat_computer_event(DEFAULT_LEVEL);
        assert_eq!(claims(vec![seated("ann"), computer]), []);
    }

    #[test]
    fn an_invited_person_meets_those_who_have_a_seat() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned(), SeatClaimKind::Invitation);
        let events = vec![seated("ann"), invited("bek", true), invited("cyd", false)];
        assert_eq!(claims(events), [pair("bek", "ann")], "nobody knows yet who cyd is");
    }
}
