//! Keeps the players of a table: who they are, the order in which they play, and the times at which
//! they last acted.

use super::people::Occupant;
use caravanserai_games::ids::PersonId;

/// The players of a table.
#[derive(Clone, Debug, Default)]
pub struct Seating {
    /// The players in the order of sitting down. A person may be there twice only in a
    /// private chat.
    pub occupants: Vec<Occupant>,
    /// `order[seat]` is an index into `occupants`; empty before the start.
    pub order: Vec<u8>,
    /// The time of each occupant's last action, in milliseconds since 1970.
    pub last_actions_ms: Vec<u64>,
    /// The last replacement, until a player acts: the seat, and its previous player.
    pub last_replacement: Option<(u8, Occupant)>,
    /// The people who have given up seats since the last outcome of chance, with these seats.
    former_players: Vec<(u8, PersonId)>,
    /// The entropy from the people seated at the start, see [`Seating::people_entropy`].
    starting_entropy: Vec<String>,
}

impl Seating {
    /// The index of the occupant that plays this seat, or has it before the start; a number that no
    /// occupant has when the seat is free.
    pub fn occupant_index_of(&self, seat: u8) -> u8 {
        match self.order.get(usize::from(seat)) {
            Some(&occupant) => occupant,
            None => {
                let occupant = self.occupants.iter().position(|it| it.lobby_seat == seat);
                occupant.map_or(u8::MAX, |it| it as u8)
            }
        }
    }

    /// The player of this seat.
    pub fn occupant(&self, seat: u8) -> Option<&Occupant> {
        self.occupants.get(usize::from(self.occupant_index_of(seat)))
    }

    /// The person, or the computer, who plays this seat.
    pub(super) fn person(&self, seat: u8) -> Option<&PersonId> {
        self.occupant(seat).map(|it| &it.person)
    }

    /// Whether a computer plays this seat.
    pub fn is_computer(&self, seat: u8) -> bool {
        self.occupant(seat).is_some_and(Occupant::is_computer)
    }

    /// The seats that are taken, in order.
    fn taken_seats(&self) -> impl Iterator<Item = u8> + '_ {
        let last_seat = self.occupants.iter().map(|it| it.lobby_seat).max();
        let end = match self.order.len() {
            0 => last_seat.map_or(0, |it| it.saturating_add(1)),
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
    pub fn has_seat(&self, person: &PersonId, seat: u8) -> bool {
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

    /// The people in the order of taking seats, without computers.
    pub fn people_seated(&self) -> impl Iterator<Item = &Occupant> {
        self.occupants.iter().filter(|it| !it.is_computer())
    }

    /// The people at the table in the order of taking seats, without computers.
    pub fn people(&self) -> Vec<&PersonId> {
        self.people_seated().map(|it| &it.person).collect()
    }

    /// The only person at this table, if all others are computers.
    pub fn sole_player(&self) -> Option<&PersonId> {
        match self.people().as_slice() {
            [only] if self.occupants.iter().any(Occupant::is_computer) => Some(*only),
            _ => None,
        }
    }

    /// The time of the last action of this seat's player, in milliseconds since 1970.
    pub fn last_action_ms(&self, seat: u8) -> Option<u64> {
        self.last_actions_ms.get(usize::from(self.occupant_index_of(seat))).copied()
    }

    /// The time of this person's last action, in milliseconds since 1970.
    pub fn last_action_ms_of(&self, person: &PersonId) -> Option<u64> {
        let occupants = self.occupants.iter().zip(&self.last_actions_ms);
        occupants.filter(|(it, _)| it.person == *person).map(|(_, at)| *at).max()
    }

    /// The entropy that the people at the table add to its chance: their ids, and the ids of the
    /// updates by which they took their seats, in that order. It is fixed at the start, see
    /// [`super::fair_random`].
    pub fn people_entropy(&self) -> Vec<String> {
        if !self.order.is_empty() {
            return self.starting_entropy.clone();
        }
        self.occupants.iter().map(|it| format!("{} {}", it.person.0, it.joining_update)).collect()
    }

    /// Whether a person has a seat.
    pub fn is_seated(&self, person: &PersonId) -> bool {
        self.seats_of(person).next().is_some()
    }

    /// Whether an account may count as this person from now on: that must not give a person two
    /// seats.
    pub(super) fn can_merge_account(&self, account: &PersonId, person: &PersonId) -> bool {
        !(self.is_seated(account) && self.is_seated(person))
    }

    /// Makes an account count as this person.
    pub(super) fn merge_account(&mut self, account: &PersonId, person: &PersonId) {
        let replaced = self.last_replacement.iter_mut().map(|(_, it)| it);
        let seated = self.occupants.iter_mut().chain(replaced).map(|it| &mut it.person);
        let all = seated.chain(self.former_players.iter_mut().map(|(_, it)| it));
        all.filter(|it| **it == *account).for_each(|it| it.clone_from(person));
    }

    /// Gives a player the first free seat.
    pub(super) fn sit_down(&mut self, person: &PersonId, name: &str, cause: &str, at_ms: u64) {
        let is_free = |seat: &u8| self.occupants.iter().all(|it| it.lobby_seat != *seat);
        let lobby_seat = (0..u8::MAX).find(is_free).unwrap_or_default();
        let person = person.clone();
        let name = name.to_owned();
        self.occupants.push(Occupant {
            person,
            name,
            joining_update: cause.to_owned(),
            lobby_seat,
        });
        self.last_actions_ms.push(at_ms);
    }

    /// Removes the first occupant that is meant.
    pub(super) fn stand_up(&mut self, is_meant: impl Fn(&Occupant) -> bool) {
        if let Some(occupant) = self.occupants.iter().position(is_meant) {
            self.occupants.remove(occupant);
            self.last_actions_ms.remove(occupant);
        }
    }

    /// Moves an occupant to a seat; the one who has it gets the seat that becomes free.
    pub(super) fn change_seat(&mut self, occupant: usize, seat: u8) {
        let from = self.occupants[occupant].lobby_seat;
        if let Some(other) = self.occupants.iter().position(|it| it.lobby_seat == seat) {
            self.occupants[other].lobby_seat = from;
        }
        self.occupants[occupant].lobby_seat = seat;
    }

    /// Fits the players into this number of seats: if the seat of one no longer exists, all move
    /// up.
    pub(super) fn fit_seats(&mut self, seats: u8) {
        if self.occupants.iter().any(|it| it.lobby_seat >= seats) {
            let mut seats_taken: Vec<u8> = self.occupants.iter().map(|it| it.lobby_seat).collect();
            seats_taken.sort_unstable();
            for occupant in &mut self.occupants {
                let before = seats_taken.iter().filter(|it| **it < occupant.lobby_seat).count();
                occupant.lobby_seat = before as u8;
            }
        }
    }

    /// Gives the occupants their seats: `order[seat]` is the index of an occupant.
    ///
    /// # Errors
    /// When the order does not fit the occupants, or the table is not full.
    pub(super) fn assign_seats(&mut self, order: &[u8], seats: u8) -> Result<(), String> {
        let is_full = self.occupants.len() == usize::from(seats);
        let has_seat = |occupant: u8| order.contains(&occupant);
        if !is_full || order.len() != self.occupants.len() || !(0..seats).all(has_seat) {
            return Err("the order does not fit the occupants".into());
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
        let occupant = usize::from(self.occupant_index_of(seat));
        if let (Some(occupant), Some(acted_ms)) =
            (self.occupants.get_mut(occupant), self.last_actions_ms.get_mut(occupant))
        {
            let person = person.clone();
            let name = name.to_owned();
            let lobby_seat = occupant.lobby_seat;
            let new = Occupant { person, name, joining_update: cause.to_owned(), lobby_seat };
            let former = std::mem::replace(occupant, new);
            if !former.is_computer() {
                self.former_players.push((seat, former.person.clone()));
            }
            self.last_replacement = Some((seat, former));
            *acted_ms = at_ms;
        }
    }

    /// Forgets who gave up seats before an outcome of chance: in card games all have new hands.
    pub(super) fn forget_former_players(&mut self) {
        self.former_players.clear();
    }

    /// Whether this person has given up another seat since the last outcome of chance.
    pub(super) fn has_given_up_other_seat(&self, person: &PersonId, seat: u8) -> bool {
        self.former_players.iter().any(|it| it.0 != seat && it.1 == *person)
    }

    /// Records that a person acted.
    pub(super) fn record_action_of(&mut self, person: &PersonId, at_ms: u64) {
        for (occupant, acted_ms) in self.occupants.iter().zip(&mut self.last_actions_ms) {
            if occupant.person == *person {
                *acted_ms = at_ms;
            }
        }
    }

    /// Records that the player of this seat acted.
    pub(super) fn record_action(&mut self, seat: u8, at_ms: u64) {
        let occupant = usize::from(self.occupant_index_of(seat));
        if let Some(acted_ms) = self.last_actions_ms.get_mut(occupant) {
            *acted_ms = at_ms;
        }
    }
}
