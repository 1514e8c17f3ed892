//! Keeps the settings of a lobby to which the people at the table have agreed: the opener may
//! change them after others took their seats, but nobody is bound by a change that they have not
//! seen.
//!
//! The log has no lines for it: a person agrees by taking a seat, by moving to another one, and by
//! pressing their own seat again, which "moves" them to where they are. The opener agrees by making
//! a change.

use super::clock::TimeControl;
use super::event::{FirstMover, LogLine};
use super::state::{Table, TablePhase};
use caravanserai_games::ids::PersonId;
use caravanserai_games::search::ComputerLevel;

/// The settings of a lobby by which a game begins, apart from who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LobbySettings {
    options: String,
    seats: u8,
    begin: FirstMover,
    hints: Option<bool>,
    is_rated: bool,
    control: TimeControl,
    substitute_level: ComputerLevel,
}

/// The settings to which each person has agreed.
#[derive(Clone, Debug, Default)]
pub(super) struct LobbyAgreements {
    by_person: Vec<(PersonId, LobbySettings)>,
}

impl LobbyAgreements {
    /// Makes an account count as this person.
    pub(super) fn merge_account(&mut self, account: &PersonId, person: &PersonId) {
        let own = self.by_person.iter_mut().filter(|it| it.0 == *account);
        own.for_each(|it| it.0.clone_from(person));
    }

    /// Forgets them, because the game has begun.
    pub(super) fn clear(&mut self) {
        self.by_person.clear();
    }
}

impl Table {
    fn lobby_settings(&self) -> LobbySettings {
        LobbySettings {
            options: self.setup.options.clone(),
            seats: self.setup.seats,
            begin: self.setup.begin,
            hints: self.hints.setting,
            is_rated: self.rating_facts.rated_setting != Some(false),
            control: self.clocks.control,
            substitute_level: self.clocks.effective_substitute_level(),
        }
    }

    /// Applies a line by which the opener sets something before the start.
    pub(super) fn change_lobby_settings(
        &mut self,
        line: &LogLine,
        change: impl FnOnce(&mut Table),
    ) {
        let before = self.lobby_settings();
        change(self);
        if self.lobby_settings() != before {
            self.settings_version = line.number;
        }
        let opener = self.setup.opener.clone();
        self.record_lobby_agreement(&opener);
    }

    /// Records that a person agrees to the present settings.
    pub(super) fn record_lobby_agreement(&mut self, person: &PersonId) {
        let settings = self.lobby_settings();
        let all = &mut self.lobby_agreements.by_person;
        match all.iter_mut().find(|it| it.0 == *person) {
            Some(known) => known.1 = settings,
            None => all.push((person.clone(), settings)),
        }
    }

    /// Whether a person has a seat before the start and has agreed to the present settings.
    pub(super) fn has_agreed_to_lobby(&self, person: &PersonId) -> bool {
        let settings = self.lobby_settings();
        let agreed = |it: &(PersonId, LobbySettings)| it.0 == *person && it.1 == settings;
        self.seating.is_seated(person) && self.lobby_agreements.by_person.iter().any(agreed)
    }

    /// Whether the start waits until this person agrees to the present settings.
    pub fn is_yet_to_confirm(&self, person: &PersonId) -> bool {
        let is_waiting = self.phase == TablePhase::Lobby && self.seating.is_seated(person);
        is_waiting && !self.has_agreed_to_lobby(person)
    }

    /// The seats of people who have not agreed to the present settings yet, without this person:
    /// the game does not begin before they do.
    pub fn seats_yet_to_confirm(&self, except: Option<&PersonId>) -> Vec<u8> {
        let is_waited_for =
            |person: &PersonId| Some(person) != except && self.is_yet_to_confirm(person);
        let mut seats = match self.phase {
            TablePhase::Lobby => self.seating.people_seats(),
            _ => Vec::new(),
        };
        seats.retain(|it| self.seating.occupant(*it).is_some_and(|it| is_waited_for(&it.person)));
        seats
    }
}
