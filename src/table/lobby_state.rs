//! Applies the events before the start: people who join, leave or move.

use super::event::{Event, LogLine};
use super::people::{Invitee, Occupant};
use super::state::Table;

impl Table {
    /// Whether the numbers of an event before the start fit this table.
    pub(super) fn can_apply_lobby_event(&self, event: &Event) -> bool {
        let (chairs, seats) = (self.chairs.len(), usize::from(self.setup.seats));
        match event {
            Event::Seated { .. } => chairs < seats,
            Event::InviteeIdentified { n, .. } | Event::InvitationEnded { n } => {
                usize::from(*n) < self.invited.len()
            }
            Event::ComputerRemoved { chair } => {
                self.chairs.get(usize::from(*chair)).is_some_and(Occupant::is_computer)
            }
            Event::PlaceChanged { chair, place } => {
                usize::from(*chair) < chairs && usize::from(*place) < seats
            }
            Event::SeatCountSet { seats } => usize::from(*seats) >= chairs && *seats >= 1,
            _ => true,
        }
    }

    /// Applies an event of a lobby.
    pub(super) fn apply_lobby_event(&mut self, line: &LogLine) {
        match &line.event {
            Event::Invited { person, username, name } => {
                let (person, username) = (person.clone(), username.clone());
                self.invited.push(Invitee { person, username, name: name.clone() });
            }
            Event::Seated { person, name } => {
                let place = self.first_free_place();
                let (person, name, cause) = (person.clone(), name.clone(), line.cause.clone());
                self.chairs.push(Occupant { person, name, joining_update: cause, place });
                self.last_action_ms.push(line.at_ms);
            }
            Event::Left { person } => {
                self.stand_up(|it| it.person == *person);
                self.invited.retain(|it| it.person.as_ref() != Some(person));
                if self.setup.opener == *person
                    && let Some(next) = self.people().first().map(|it| (*it).clone())
                {
                    // The player who came next becomes the opener.
                    self.setup.opener = next;
                }
            }
            Event::Kicked { person } => {
                self.stand_up(|it| it.person == *person);
                self.invited.retain(|it| it.person.as_ref() != Some(person));
                self.kicked.push(person.clone());
            }
            Event::ComputerRemoved { chair } => {
                let place = self.chairs[usize::from(*chair)].place;
                self.stand_up(|it| it.place == place);
            }
            Event::InviteeIdentified { n, person } => {
                self.invited[usize::from(*n)].person = Some(person.clone());
            }
            Event::InvitationEnded { n } => {
                self.declined_invitees.push(self.invited.remove(usize::from(*n)));
            }
            Event::PlaceChanged { chair, place } => self.change_place(usize::from(*chair), *place),
            Event::SeatCountSet { seats } => self.resize(*seats),
            Event::InviteesReminded => self.last_reminder_ms = line.at_ms,
            Event::HouseRulesSet { options } => self.setup.options.clone_from(options),
            Event::FirstMoverSet { begin } => self.setup.begin = *begin,
            Event::HintsSet { hints } => self.hints_setting = Some(*hints),
            _ => {}
        }
    }

    fn first_free_place(&self) -> u8 {
        let free = |place: &u8| self.chairs.iter().all(|it| it.place != *place);
        (0..self.setup.seats).find(free).unwrap_or_default()
    }

    fn stand_up(&mut self, is_meant: impl Fn(&Occupant) -> bool) {
        if let Some(chair) = self.chairs.iter().position(is_meant) {
            self.chairs.remove(chair);
            self.last_action_ms.remove(chair);
        }
    }

    fn change_place(&mut self, chair: usize, place: u8) {
        let from = self.chairs[chair].place;
        if let Some(other) = self.chairs.iter().position(|it| it.place == place) {
            self.chairs[other].place = from;
        }
        self.chairs[chair].place = place;
    }

    /// Sets the number of seats; a player whose place no longer exists moves up with all others.
    fn resize(&mut self, seats: u8) {
        self.setup.seats = seats;
        if self.chairs.iter().any(|it| it.place >= seats) {
            let mut places: Vec<u8> = self.chairs.iter().map(|it| it.place).collect();
            places.sort_unstable();
            for chair in &mut self.chairs {
                let before = places.iter().filter(|it| **it < chair.place).count();
                chair.place = before as u8;
            }
        }
    }
}
