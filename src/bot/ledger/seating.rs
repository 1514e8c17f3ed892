//! Notes the vacation of a person at a table in the commit that gives them a seat there.
//!
//! A person gets a seat in many ways: they join, they accept an invitation, their challenge or
//! rematch is accepted, they are substituted for another person, an account is linked to them, or a
//! lobby where they sit gets a slow clock. In most of these another person presses the button. So
//! the profile is read here, for every decision that is written, and a vacation is noted at the
//! table in the same commit. [`Ledger::enter`] writes nothing but a [`Checked`] deed, and only this
//! module makes one.

use std::collections::HashMap;

use super::changes::{Slot, Value};
use super::entry::Deed;
use super::profiles::PersonProfile;
use super::{Failure, Ledger};
use caravanserai_games::ids::PersonId;
use caravanserai_store::{Commit, Space};
use caravanserai_table::{Table, vacation};

/// A deed after [`Ledger::check_seats`].
pub(super) struct Checked<'a>(Deed<'a>);

impl<'a> Checked<'a> {
    /// The deed.
    pub(super) fn deed(&self) -> &Deed<'a> {
        &self.0
    }

    /// The deed, to be finished.
    pub(super) fn into_deed(self) -> Deed<'a> {
        self.0
    }
}

/// Why the profile of a person is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// This decision gives them a seat, or makes vacations count at their seat.
    Seated,
    /// Their turn begins: a vacation that was missed before is noted now.
    OnTurn,
}

impl Ledger {
    /// Adds to each decision the vacations of the people who get a seat by it.
    ///
    /// The commit expects that their profiles are as they were read: if a vacation begins or ends
    /// at the same moment, one of the two commits fails and is retried.
    ///
    /// # Errors
    /// When the store cannot be read. Nothing is written then.
    pub(super) async fn check_seats<'a>(
        &self,
        deeds: Vec<Deed<'a>>,
        commit: &mut Commit,
    ) -> Result<Vec<Checked<'a>>, Failure> {
        let found = deeds.iter().map(|it| new_people(before(it), &it.decision.next));
        let found: Vec<Vec<(PersonId, Reason)>> = found.collect();
        let mut profiles = HashMap::new();
        for (person, reason) in found.iter().flatten() {
            self.add_profile(person, *reason, &mut profiles, commit).await?;
        }
        let checked = deeds.into_iter().zip(found).map(|(mut deed, people)| {
            let now_ms = deed.decision.lines.last().map_or(0, |it| it.at_ms);
            let away = people.into_iter().filter_map(|(person, _)| {
                let until_ms = profiles.get(&person)?.vacation(now_ms)?;
                Some((person, until_ms))
            });
            deed.decision = vacation::add_to(deed.decision, away);
            Checked(deed)
        });
        Ok(checked.collect())
    }

    /// Reads a profile as it will be after the commit, which may change it: a person who sits down
    /// by their own press ends their vacation.
    async fn add_profile(
        &self,
        person: &PersonId,
        reason: Reason,
        profiles: &mut HashMap<PersonId, PersonProfile>,
        commit: &mut Commit,
    ) -> Result<(), Failure> {
        if profiles.contains_key(person) {
            return Ok(());
        }
        let is_own = |space: Space, key: &str| space == Space::Person && key == person.0;
        let written = commit.puts.iter().rev().find(|it| is_own(it.space, &it.key));
        let profile = match written {
            Some(put) => PersonProfile::decode(put.value.clone()),
            None => {
                let stored = self.stored(Slot::person(person)).await?;
                let is_expected = commit.expect.iter().any(|it| is_own(it.space, &it.key));
                if reason == Reason::Seated && !is_expected {
                    stored.require(commit);
                }
                stored.value().clone()
            }
        };
        profiles.insert(person.clone(), profile);
        Ok(())
    }
}

/// The table before a deed; `None` if the deed opens it.
fn before<'t>(deed: &'t Deed<'_>) -> Option<&'t Table> {
    deed.held.opened().map(|it| &**it)
}

/// The people whose profile has to be read, each once.
fn new_people(before: Option<&Table>, after: &Table) -> Vec<(PersonId, Reason)> {
    if !after.is_open() || !after.is_leisurely() {
        return Vec::new();
    }
    let counted = |it: &&Table| it.is_open() && it.is_leisurely();
    let sat = |person: &PersonId| {
        before.filter(counted).is_some_and(|it| it.seats_of(person).next().is_some())
    };
    let begins_turn = |person: &PersonId| {
        let turn = after.this_turn();
        let own = turn.and_then(|it| after.occupant(it.0)).is_some_and(|it| it.person == *person);
        own && before.is_none_or(|it| it.this_turn() != turn)
    };
    let mut people: Vec<(PersonId, Reason)> = Vec::new();
    for person in after.people() {
        let reason = match (sat(person), begins_turn(person)) {
            (false, _) => Reason::Seated,
            (true, true) => Reason::OnTurn,
            (true, false) => continue,
        };
        if people.iter().all(|(it, _)| it != person) {
            people.push((person.clone(), reason));
        }
    }
    people
}
