//! Keeps the players of a table: their chairs, the order in which they play, and the times at which
//! they last acted.

use super::people::Occupant;
use caravanserai_games::ids::PersonId;

/// The players of a table.
#[derive(Clone, Debug, Default)]
pub struct Seating {
    /// The players in the order of sitting down. A person may have two chairs only in a private
    /// chat.
    pub chairs: Vec<Occupant>,
    /// `order[seat]` is the chair; empty before the start.
    pub order: Vec<u8>,
    /// The time of each chair's last action, in milliseconds since 1970.
    pub last_actions_ms: Vec<u64>,
    /// The last replacement, until a player acts: the seat, and its previous player.
    pub last_replacement: Option<(u8, Occupant)>,
    /// The entropy from the people seated at the start, see [`Seating::people_entropy`].
    starting_entropy: Vec<String>,
}

impl Seating {
    /// Returns the chair that plays this seat; before the start the chair at this place. Returns a
    /// number that no chair has when the seat is free.
    pub fn chair_of(&self, seat: u8) -> u8 {
        match self.order.get(usize::from(seat)) {
            Some(&chair) => chair,
            None => {
                let chair = self.chairs.iter().position(|it| it.place == seat);
                chair.map_or(u8::MAX, |it| it as u8)
            }
        }
    }

    /// The player of this seat.
    pub fn occupant(&self, seat: u8) -> Option<&Occupant> {
        self.chairs.get(usize::from(self.chair_of(seat)))
    }

    /// Whether a computer plays this seat.
    pub fn is_computer(&self, seat: u8) -> bool {
        self.occupant(seat).is_some_and(Occupant::is_computer)
    }

    /// The seats that are taken, in order.
    fn taken_seats(&self) -> impl Iterator<Item = u8> + '_ {
        let last_place = self.chairs.iter().map(|it| it.place).max();
        let end = match self.order.len() {
            0 => last_place.map_or(0, |it| it.saturating_add(1)),
            seats => seats as u8,
        };
        (0..end).filter(|&seat| self.occupant(seat).is_some())
    }

    /// The seats of a person, in order; never those of computers.
    pub fn seats_of<'a>(&'a self, person: &'a PersonId) -> impl Iterator<Item = u8> + 'a {
        let plays = move |it: &Occupant| it.person == *person && !it.is_computer();
        self.taken_seats().filter(move |&seat| self.occupant(seat).is_some_and(plays))
    }

    /// Whether a person plays this seat.
    pub(super) fn has_seat(&self, person: &PersonId, seat: u8) -> bool {
        self.occupant(seat).is_some_and(|it| it.person == *person)
    }

    /// One seat for each person who plays, in order.
    pub fn people_seats(&self) -> Vec<u8> {
        let is_first = |seat: &u8| {
            let occupant = self.occupant(*seat);
            occupant.is_some_and(|it| self.seats_of(&it.person).next() == Some(*seat))
        };
        self.taken_seats().filter(is_first).collect()
    }

    /// The chairs of people in the order of taking seats, without those of computers.
    pub fn people_chairs(&self) -> impl Iterator<Item = &Occupant> {
        self.chairs.iter().filter(|it| !it.is_computer())
    }

    /// The people at the table in the order of taking seats, without computers.
    pub fn people(&self) -> Vec<&PersonId> {
        self.people_chairs().map(|it| &it.person).collect()
    }

    /// The only person at this table, if all others are computers.
    pub fn sole_player(&self) -> Option<&PersonId> {
        match self.people().as_slice() {
            [only] if self.chairs.iter().any(Occupant::is_computer) => Some(*only),
            _ => None,
        }
    }

    /// The time of the last action of this seat's player, in milliseconds since 1970.
    pub fn last_action_ms(&self, seat: u8) -> Option<u64> {
        self.last_actions_ms.get(usize::from(self.chair_of(seat))).copied()
    }

    /// The time of this person's last action, in milliseconds since 1970.
    pub fn last_action_ms_of(&self, person: &PersonId) -> Option<u64> {
        let chairs = self.chairs.iter().zip(&self.last_actions_ms);
        chairs.filter(|(it, _)| it.person == *person).map(|(_, at)| *at).max()
    }

    /// The entropy that the people at the table add to its chance: their ids, and the ids of the
    /// updates by which they took their seats, in that order. It is fixed at the start, see
    /// [`super::fair_random`].
    pub fn people_entropy(&self) -> Vec<String> {
        if !self.order.is_empty() {
            return self.starting_entropy.clone();
        }
        self.chairs.iter().map(|it| format!("{} {}", it.person.0, it.joining_update)).collect()
    }

    /// Whether a person has a chair.
    pub fn has_chair(&self, person: &PersonId) -> bool {
        self.chairs.iter().any(|it| it.person == *person)
    }

    /// Whether an account may count as this person from now on: that must not give a person two
    /// chairs.
    pub(super) fn can_merge_account(&self, account: &PersonId, person: &PersonId) -> bool {
        !(self.has_chair(account) && self.has_chair(person))
    }

    /// Makes an account count as this person.
    pub(super) fn merge_account(&mut self, account: &PersonId, person: &PersonId) {
        let replaced = self.last_replacement.iter_mut().map(|(_, it)| it);
        let all = self.chairs.iter_mut().chain(replaced);
        all.filter(|it| it.person == *account).for_each(|it| it.person.clone_from(person));
    }

    /// Seats a player at the first free place.
    pub(super) fn sit_down(&mut self, person: &PersonId, name: &str, cause: &str, at_ms: u64) {
        let is_free = |place: &u8| self.chairs.iter().all(|it| it.place != *place);
        let place = (0..u8::MAX).find(is_free).unwrap_or_default();
        let (person, name) = (person.clone(), name.to_owned());
        self.chairs.push(Occupant { person, name, joining_update: cause.to_owned(), place });
        self.last_actions_ms.push(at_ms);
    }

    /// Removes the first chair that is meant.
    pub(super) fn stand_up(&mut self, is_meant: impl Fn(&Occupant) -> bool) {
        if let Some(chair) = self.chairs.iter().position(is_meant) {
            self.chairs.remove(chair);
            self.last_actions_ms.remove(chair);
        }
    }

    /// Moves a chair to a place; a chair that is there gets the place that becomes free.
    pub(super) fn change_place(&mut self, chair: usize, place: u8) {
        let from = self.chairs[chair].place;
        if let Some(other) = self.chairs.iter().position(|it| it.place == place) {
            self.chairs[other].place = from;
        }
        self.chairs[chair].place = place;
    }

    /// Fits the places into this number of seats: if a player's place no longer exists, all move
    /// up.
    pub(super) fn fit_places(&mut self, seats: u8) {
        if self.chairs.iter().any(|it| it.place >= seats) {
            let mut places: Vec<u8> = self.chairs.iter().map(|it| it.place).collect();
            places.sort_unstable();
            for chair in &mut self.chairs {
                let before = places.iter().filter(|it| **it < chair.place).count();
                chair.place = before as u8;
            }
        }
    }

    /// Gives the chairs their seats: `order[seat]` is the chair.
    ///
    /// # Errors
    /// When the order does not fit the chairs, or the table is not full.
    pub(super) fn assign_seats(&mut self, order: &[u8], seats: u8) -> Result<(), String> {
        let is_full = self.chairs.len() == usize::from(seats);
        let has_seat = |chair: u8| order.contains(&chair);
        if !is_full || order.len() != self.chairs.len() || !(0..seats).all(has_seat) {
            return Err("the order does not fit the chairs".into());
        }
        self.starting_entropy = self.people_entropy();
        self.order = order.to_vec();
        Ok(())
    }

    /// Gives a seat to another player.
    pub(super) fn replace(
        &mut self,
        seat: u8,
        (person, name): (&PersonId, &str),
        cause: &str,
        at_ms: u64,
    ) {
        let chair = usize::from(self.chair_of(seat));
        if let (Some(occupant), Some(acted_ms)) =
            (self.chairs.get_mut(chair), self.last_actions_ms.get_mut(chair))
        {
            let (person, name, place) = (person.clone(), name.to_owned(), occupant.place);
            let new = Occupant { person, name, joining_update: cause.to_owned(), place };
            self.last_replacement = Some((seat, std::mem::replace(occupant, new)));
            *acted_ms = at_ms;
        }
    }

    /// Records that a person acted.
    pub(super) fn record_action_of(&mut self, person: &PersonId, at_ms: u64) {
        for (chair, acted_ms) in self.chairs.iter().zip(&mut self.last_actions_ms) {
            if chair.person == *person {
                *acted_ms = at_ms;
            }
        }
    }

    /// Records that the player of this seat acted.
    pub(super) fn record_action(&mut self, seat: u8, at_ms: u64) {
        let chair = usize::from(self.chair_of(seat));
        if let Some(acted_ms) = self.last_actions_ms.get_mut(chair) {
            *acted_ms = at_ms;
        }
    }
}
