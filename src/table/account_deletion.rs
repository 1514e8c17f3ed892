//! Decides the events at an open table when the account of a person is deleted, and lists the
//! people whom a decision names.
//!
//! A player leaves, as after any departure, and a game with computers only ends. A person without a
//! seat is no longer invited or proposed for one, and their private chat no longer shows the table.
//! So nobody has to wait for them, and nothing keeps their name in the log.

use std::collections::BTreeSet;

use super::decision_builder::Decision;
use super::event::{EndReason, Event, computer_level};
use super::people::{Invitee, qualify_username};
use super::seat_encounters::EncounterKind;
use super::state::{Table, TablePhase};
use super::{chat_commands, lobby_commands, presence};
use caravanserai_games::ids::PersonId;

/// A person whose account is deleted, as tables may know them.
#[derive(Clone, Copy, Debug)]
pub struct LeavingPerson<'a> {
    /// One of their accounts.
    pub account: &'a PersonId,
    /// Their names after `@`, in lower case, with their platforms.
    pub usernames: &'a BTreeSet<(String, String)>,
    /// The players who leave for good as well: nobody waits for them.
    pub leaving_too: &'a BTreeSet<PersonId>,
}

impl LeavingPerson<'_> {
    /// Whether an invitee is this person. `home`: the platform of the table's home.
    fn is_invited_as(&self, invitee: &Invitee, home: &str) -> bool {
        let is_username = |it: &String| {
            let mut own = self.usernames.iter();
            own.any(|(on, name)| qualify_username(name, on, home).eq_ignore_ascii_case(it))
        };
        match &invitee.person {
            Some(person) => person == self.account,
            None => invitee.username.as_ref().is_some_and(is_username),
        }
    }
}

/// Returns the next event by which a person leaves an open table for good. A player in a running
/// game keeps the seat and is away. `None` if there is nothing left to do.
pub fn departure_event(table: &Table, leaving: LeavingPerson<'_>) -> Option<Event> {
    if !table.is_open() {
        return None;
    }
    let person = leaving.account;
    let stays = |it: &&PersonId| *it != person && !leaving.leaving_too.contains(*it);
    let others = table.seating.people().into_iter().filter(stays).count();
    let is_seated = table.seating.is_seated(person);
    if others == 0 && (is_seated || table.setup.opener == *person) {
        return Some(Event::TableClosed { reason: EndReason::Abandoned });
    }
    if is_seated {
        return presence::leave_seat_event(table, person);
    }
    let home = table.chats.home().platform();
    lobby_commands::ended_invitation_event(table, |it| leaving.is_invited_as(it, home))
        .or_else(|| ended_proposal_event(table, leaving))
        .or_else(|| left_private_chat_event(table, person))
}

/// The event that ends the proposal that the person takes over a seat.
fn ended_proposal_event(table: &Table, leaving: LeavingPerson<'_>) -> Option<Event> {
    let home = table.chats.home().platform();
    let newcomer = table.offers.newcomer.as_ref().filter(|_| table.phase == TablePhase::Playing)?;
    let pending =
        table.offers.pending.filter(|_| leaving.is_invited_as(&newcomer.invitee, home))?;
    Some(Event::OfferDeclined { seat: pending.logged_seat() })
}

/// The event by which the table leaves the private chat of the person. It ends if it is shown
/// nowhere else.
fn left_private_chat_event(table: &Table, person: &PersonId) -> Option<Event> {
    let own = table.chats.locations().find(|it| it.reader == Some(person))?.chat;
    let closed = Event::TableClosed { reason: EndReason::ChatGone };
    Some(chat_commands::chat_gone_event(table, own).unwrap_or(closed))
}

/// A person whom a decision names at a table, apart from what they do at their seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonInDecision {
    /// The person.
    pub person: PersonId,
    /// The displayed name; empty if the event has none.
    pub name: String,
    /// How they are named.
    pub kind: EncounterKind,
}

/// The people to whom a decision gives a seat, an invitation or a private chat at a table. Once the
/// deletion of an account has begun, no new line may name it.
pub fn named_people(decision: &Decision) -> Vec<PersonInDecision> {
    use EncounterKind::{Invitation, Seat, Substitute};
    let named = |event: &Event| {
        let (person, name, kind) = match event {
            Event::Opened(setup) => (&setup.opener, "", Seat),
            Event::Seated { person, name } => (person, name.as_str(), Seat),
            Event::Invited { person, name, .. } => (person.as_ref()?, name.as_str(), Invitation),
            Event::InviteeIdentified { person, .. } => (person, "", Invitation),
            Event::SubstituteProposed { person, name, .. } => {
                (person.as_ref()?, name.as_str(), Substitute)
            }
            Event::SubstituteAgreed { person, name } | Event::SeatReplaced { person, name, .. } => {
                (person, name.as_str(), Substitute)
            }
            Event::Attached(chat) => (&chat.attached_by, "", Seat),
            Event::AccountsMerged { person, .. } => (person, "", Seat),
            // These are about seats, or follow from events above.
            _ => return None,
        };
        let is_person = computer_level(person).is_none() && !person.is_deleted();
        is_person.then(|| PersonInDecision { person: person.clone(), name: name.to_owned(), kind })
    };
    decision.events().filter_map(named).collect()
}
