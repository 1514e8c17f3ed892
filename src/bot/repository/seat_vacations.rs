//! Records the vacation of a person at a table in the commit that gives them a seat there.
//!
//! A person gets a seat in many ways: they join, they accept an invitation, their challenge or
//! rematch is accepted, they are substituted for another person, an account is linked to them, or a
//! lobby where they have a seat gets a slow clock. In most of these cases another person presses
//! the button. So the profile is read here, for every decision that is written, and a vacation is
//! recorded at the table in the same commit. [`Repository::commit_changes`] writes only a
//! [`VacationCheckedChange`], and only this module makes one.

use std::collections::HashMap;

use super::profiles::PersonProfile;
use super::row_update::{RowValue, TypedRowKey};
use super::unit_of_work::TableChange;
use super::{Failure, Repository};
use caravanserai_games::ids::PersonId;
use caravanserai_store::{Commit, Space};
use caravanserai_table::{Table, vacation};

/// A change after [`Repository::add_seat_vacations`].
pub(super) struct VacationCheckedChange<'a>(TableChange<'a>);

impl<'a> VacationCheckedChange<'a> {
    /// The checked change.
    pub(super) fn change(&self) -> &TableChange<'a> {
        &self.0
    }

    /// The checked change, by value.
    pub(super) fn into_change(self) -> TableChange<'a> {
        self.0
    }
}

/// The reason to read the profile of a person.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ProfileReadReason {
    /// This decision gives them a seat, or makes vacations count at their seat.
    Seated,
    /// Their turn begins: a vacation that was missed before is recorded now.
    OnTurn,
}

impl Repository {
    /// Adds to each decision the vacations of the people who get a seat by it.
    ///
    /// The commit expects their profiles to be unchanged since they were read: if a vacation begins
    /// or ends at the same moment, one of the two commits fails and is retried.
    ///
    /// # Errors
    /// When the store cannot be read. Nothing is written then.
    pub(super) async fn add_seat_vacations<'a>(
        &self,
        changes: Vec<TableChange<'a>>,
        commit: &mut Commit,
    ) -> Result<Vec<VacationCheckedChange<'a>>, Failure> {
        let found = changes.iter().map(|it| people_to_check(table_before(it), &it.decision.table));
        let found: Vec<Vec<(PersonId, ProfileReadReason)>> = found.collect();
        let mut profiles = HashMap::new();
        for (person, reason) in found.iter().flatten() {
            self.check_profile(person, *reason, &mut profiles, commit).await?;
        }
        let checked = changes.into_iter().zip(found).map(|(mut change, people)| {
            let now_ms = change.decision.lines.last().map_or(0, |it| it.at_ms);
            let on_vacation = people.into_iter().filter_map(|(person, _)| {
                let until_ms = profiles.get(&person)?.vacation_until(now_ms)?;
                Some((person, until_ms))
            });
            change.decision = vacation::add_vacations(change.decision, on_vacation);
            VacationCheckedChange(change)
        });
        Ok(checked.collect())
    }

    /// Reads a profile as it will be after the commit, which may change it: a person who takes a
    /// seat by their own press ends their vacation.
    async fn check_profile(
        &self,
        person: &PersonId,
        reason: ProfileReadReason,
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
                let stored = self.read_row(TypedRowKey::person(person)).await?;
                let is_expected = commit.expect.iter().any(|it| is_own(it.space, &it.key));
                if reason == ProfileReadReason::Seated && !is_expected {
                    stored.require_unchanged(commit);
                }
                stored.value().clone()
            }
        };
        profiles.insert(person.clone(), profile);
        Ok(())
    }
}

/// The table before a change; `None` if the change opens it.
fn table_before<'t>(change: &'t TableChange<'_>) -> Option<&'t Table> {
    change.guard.opened_table().map(|it| &**it)
}

/// The people whose profiles have to be read, each once.
fn people_to_check(before: Option<&Table>, after: &Table) -> Vec<(PersonId, ProfileReadReason)> {
    if !after.is_open() || !after.allows_vacation() {
        return Vec::new();
    }
    let allows_vacation = |it: &&Table| it.is_open() && it.allows_vacation();
    let was_seated = |person: &PersonId| {
        before.filter(allows_vacation).is_some_and(|it| it.seating.is_seated(person))
    };
    let begins_turn = |person: &PersonId| {
        let turn = after.current_turn();
        let is_their_turn =
            turn.and_then(|it| after.seating.occupant(it.0)).is_some_and(|it| it.person == *person);
        is_their_turn && before.is_none_or(|it| it.current_turn() != turn)
    };
    let mut people: Vec<(PersonId, ProfileReadReason)> = Vec::new();
    for person in after.seating.people() {
        let reason = match (was_seated(person), begins_turn(person)) {
            (false, _) => ProfileReadReason::Seated,
            (true, true) => ProfileReadReason::OnTurn,
            (true, false) => continue,
        };
        if people.iter().all(|(it, _)| it != person) {
            people.push((person.clone(), reason));
        }
    }
    people
}
