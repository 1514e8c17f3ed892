//! Applies the events before the start: people who join, leave or move.

use super::event::{Event, LogLine};
use super::people::{Invitee, Occupant};
use super::state::Table;

impl Table {
    /// Whether the numbers of an event before the start fit this table.
    pub(super) fn can_apply_lobby_event(&self, event: &Event) -> bool {
        let occupants = self.seating.occupants.len();
        let seats = usize::from(self.setup.seats);
        match event {
            Event::Seated { .. } => occupants < seats,
            Event::InviteeIdentified { n, .. } | Event::InvitationEnded { n } => {
                usize::from(*n) < self.invitations.invited.len()
            }
            Event::ComputerRemoved { occupant } => self
                .seating
                .occupants
                .get(usize::from(*occupant))
                .is_some_and(Occupant::is_computer),
            Event::SeatChanged { occupant, seat } => {
                usize::from(*occupant) < occupants && usize::from(*seat) < seats
            }
            Event::SeatCountSet { seats } => usize::from(*seats) >= occupants && *seats >= 1,
            _ => true,
        }
    }

    /// Applies an event of a lobby.
    pub(super) fn apply_lobby_event(&mut self, line: &LogLine) {
        match &line.event {
            Event::Invited { person, username, name } => {
                let person = person.clone();
                let username = username.clone();
                self.invitations.invited.push(Invitee { person, username, name: name.clone() });
            }
            Event::Seated { person, name } => {
                self.seating.sit_down(person, name, &line.cause, line.at_ms);
                self.record_lobby_agreement(person);
            }
            Event::Left { person } => {
                self.seating.stand_up(|it| it.person == *person);
                self.guests.forget(person);
                self.invitations.remove_person(person);
                if self.setup.opener == *person
                    && let Some(next) = self.seating.people().first().map(|it| (*it).clone())
                {
                    // The player who came next becomes the opener.
                    self.chats.pass_to_opener(&next);
                    self.setup.opener = next;
                }
            }
            Event::Kicked { person } => {
                self.seating.stand_up(|it| it.person == *person);
                self.guests.forget(person);
                self.invitations.kick(person);
            }
            Event::ComputerRemoved { occupant } => {
                let seat = self.seating.occupants[usize::from(*occupant)].lobby_seat;
                self.seating.stand_up(|it| it.lobby_seat == seat);
            }
            Event::InviteeIdentified { n, person } => self.invitations.identify(*n, person),
            Event::InvitationEnded { n } => self.invitations.end(*n),
            Event::SeatChanged { occupant, seat } => {
                let person = self.seating.occupants[usize::from(*occupant)].person.clone();
                self.seating.change_seat(usize::from(*occupant), *seat);
                self.record_lobby_agreement(&person);
            }
            Event::SeatCountSet { .. }
            | Event::HouseRulesSet { .. }
            | Event::FirstMoverSet { .. }
            | Event::HintsSet { .. }
            | Event::RatedSet { .. } => {
                self.change_lobby_settings(line, |table| table.apply_lobby_setting(&line.event));
            }
            Event::InviteesReminded => self.invitations.last_reminder_ms = line.at_ms,
            Event::ComputersRated => self.rating_facts.are_computers_rated = true,
            Event::DeclineExplained { name, why } => {
                self.invitations.decline_reasons.push((name.clone(), *why));
            }
            _ => {}
        }
    }

    fn apply_lobby_setting(&mut self, event: &Event) {
        match event {
            Event::SeatCountSet { seats } => {
                self.setup.seats = *seats;
                self.seating.fit_seats(*seats);
            }
            Event::HouseRulesSet { options } => self.setup.options.clone_from(options),
            Event::FirstMoverSet { begin } => self.setup.begin = *begin,
            Event::HintsSet { hints } => self.hints.setting = Some(*hints),
            Event::RatedSet { rated } => self.rating_facts.rated_setting = Some(*rated),
            _ => {}
        }
    }
}
