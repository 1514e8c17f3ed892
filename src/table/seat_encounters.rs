//! Finds the people whom a decision brings together at a table.
//!
//! A person gets a seat in many ways: they open a table, join it, accept an invitation or a
//! challenge, take over a seat, or play a rematch. All of them end in the events of a decision, so
//! [`new_encounters`] reads these. A change that only renames a person, such as linked accounts,
//! brings nobody together.

use super::decide::Decision;
use super::event::{Event, PlayerOffer, computer_level};
use super::people::Occupant;
use super::state::Table;
use caravanserai_games::ids::PersonId;

/// Two people whom a decision brings together at a table, or tries to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// The person who gets a seat or is asked to take one.
    pub person: PersonId,
    /// Their displayed name.
    pub name: String,
    /// A person who has a seat at the table.
    pub other: PersonId,
    /// The displayed name of that person.
    pub other_name: String,
    /// How the person comes to the seat.
    pub kind: EncounterKind,
}

/// How a person comes to a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncounterKind {
    /// They take the seat, or ask for it.
    Seat,
    /// Another person asks them to take it.
    Invitation,
    /// They take over the seat of a player who leaves.
    Substitute,
    /// They play another game at the next table of the same people.
    Rematch,
}

/// Returns the pairs of people whom a decision brings together, each once.
pub fn new_encounters(decision: &Decision) -> Vec<Encounter> {
    let table = &decision.table;
    let mut encounters: Vec<Encounter> = Vec::new();
    for event in decision.events() {
        for encounter in encounters_of_event(table, event) {
            let is_same = |it: &Encounter| {
                (&it.person, &it.other) == (&encounter.person, &encounter.other)
                    || (&it.other, &it.person) == (&encounter.person, &encounter.other)
            };
            if !encounters.iter().any(is_same) {
                encounters.push(encounter);
            }
        }
    }
    encounters
}

fn encounters_of_event(table: &Table, event: &Event) -> Vec<Encounter> {
    use EncounterKind::{Invitation, Seat, Substitute};
    match event {
        Event::Seated { person, name } => encounters_of(table, person, name, Seat, None),
        Event::SeatReplaced { person, name, .. } => {
            encounters_of(table, person, name, Substitute, None)
        }
        Event::SubstituteAgreed { person, name } => {
            encounters_of(table, person, name, Substitute, table.offers.seat_to_replace())
        }
        Event::Invited { person: Some(person), name, .. } => {
            encounters_of(table, person, name, Invitation, None)
        }
        Event::SubstituteProposed { seat, by, person: Some(person), name, .. } => {
            match by {
                Some(_) => encounters_of(table, person, name, Invitation, Some(*seat)),
                // The player of the seat has to answer.
                None => encounters_of(table, person, name, Seat, None),
            }
        }
        Event::InviteesReminded => {
            let invited = table.awaited_invitees().filter_map(|(_, it)| {
                Some(encounters_of(table, it.person.as_ref()?, &it.name, Invitation, None))
            });
            invited.flatten().collect()
        }
        Event::OfferMade { offer: PlayerOffer::Rematch, .. } => rematch_encounters(table),
        Event::OfferAgreed { .. } if has_rematch_offer(table) => rematch_encounters(table),
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
        | Event::SeatChanged { .. }
        | Event::SeatCountSet { .. }
        | Event::KeptOpen
        | Event::HouseRulesSet { .. }
        | Event::FirstMoverSet { .. }
        | Event::HintsSet { .. }
        | Event::RatedSet { .. }
        | Event::ComputersRated
        | Event::RatingBlocked { .. }
        | Event::RatingPaused { .. }
        | Event::GuestSeated { .. }
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

/// Returns the encounters of a person with all people who have a seat. `leaves`: a seat whose
/// player leaves the table.
fn encounters_of(
    table: &Table,
    person: &PersonId,
    name: &str,
    kind: EncounterKind,
    leaves: Option<u8>,
) -> Vec<Encounter> {
    if computer_level(person).is_some() {
        return Vec::new();
    }
    let leaver = leaves.and_then(|seat| table.seating.occupant(seat));
    let leaver = leaver.map(|it| &it.person);
    // A person who plays several sides keeps the other ones.
    let leaver = leaver.filter(|it| table.seating.seats_of(it).count() < 2);
    let is_other = |it: &&Occupant| it.person != *person && leaver != Some(&it.person);
    let others = table.seating.people_seated().filter(is_other);
    others.map(|it| encounter((person, name), it, kind)).collect()
}

/// Returns the encounters of all players of a finished game with each other.
fn rematch_encounters(table: &Table) -> Vec<Encounter> {
    let people: Vec<&Occupant> = table.seating.people_seated().collect();
    let mut encounters = Vec::new();
    for (n, occupant) in people.iter().enumerate() {
        let others = people.iter().skip(n + 1).filter(|it| it.person != occupant.person);
        let own = (&occupant.person, &*occupant.name);
        encounters.extend(others.map(|it| encounter(own, it, EncounterKind::Rematch)));
    }
    encounters
}

fn encounter(
    (person, name): (&PersonId, &str),
    other: &Occupant,
    kind: EncounterKind,
) -> Encounter {
    Encounter {
        person: person.clone(),
        name: name.to_owned(),
        other: other.person.clone(),
        other_name: other.name.clone(),
        kind,
    }
}

fn has_rematch_offer(table: &Table) -> bool {
    table.offers.pending_kind() == Some(PlayerOffer::Rematch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision_builder::{EventMeta, open_table};
    use crate::event::{DEFAULT_LEVEL, TableSetup};
    use crate::lobby_commands::seat_computer_event;
    use caravanserai_games::GameId;
    use caravanserai_games::ids::TableId;

    fn person(name: &str) -> PersonId {
        PersonId(format!("tg:{name}"))
    }

    /// The encounters of the decision that opens a table for three with these events.
    fn encounters(events: Vec<Event>) -> Vec<(String, String, EncounterKind)> {
        let fits_three = |it: &&GameId| it.start_match(&it.info().default_options(), 3).is_ok();
        let game = *GameId::all().iter().find(fits_three).expect("a game is for three");
        let setup = TableSetup::for_test(game, 3, person("ann"));
        let meta = EventMeta::received_now(1_000, "tg/1");
        let decision = open_table(&TableId("7k3fx".into()), setup, events, false, meta);
        let encounters = new_encounters(&decision.expect("it fits")).into_iter();
        encounters.map(|it| (it.name, it.other_name, it.kind)).collect()
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
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned(), EncounterKind::Seat);
        let all = encounters(vec![seated("ann"), seated("bek"), seated("cyd")]);
        assert_eq!(all, [pair("ann", "bek"), pair("ann", "cyd"), pair("bek", "cyd")]);
        let computer = seat_computer_event(DEFAULT_LEVEL);
        assert_eq!(encounters(vec![seated("ann"), computer]), []);
    }

    #[test]
    fn an_invited_person_meets_those_who_have_a_seat() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned(), EncounterKind::Invitation);
        let events = vec![seated("ann"), invited("bek", true), invited("cyd", false)];
        assert_eq!(encounters(events), [pair("bek", "ann")], "nobody knows yet who cyd is");
    }
}
