//! Keeps the invitations to a table: who was invited, who declined, and who was removed.

use super::people::{DeclineReason, Invitee};
use caravanserai_games::ids::PersonId;

/// The invitations to a table.
#[derive(Clone, Debug, Default)]
pub struct Invitations {
    /// The friends who were invited, including those who have come.
    pub invited: Vec<Invitee>,
    /// The invitees who declined or whose invitation ended.
    pub(super) declined: Vec<Invitee>,
    /// The reasons that invitees gave for declining, by name.
    pub decline_reasons: Vec<(String, DeclineReason)>,
    /// The people whom the opener removed: they cannot come back by themselves.
    kicked: Vec<PersonId>,
    /// The time at which invitees were last reminded, in milliseconds since 1970; 0 if never.
    pub(super) last_reminder_ms: u64,
}

impl Invitations {
    /// Whether the opener removed this person.
    pub(super) fn is_kicked(&self, person: &PersonId) -> bool {
        self.kicked.contains(person)
    }

    /// Whether the invitee of this name gave a reason for declining.
    pub(super) fn is_explained(&self, name: &str) -> bool {
        self.decline_reasons.iter().any(|(it, _)| it == name)
    }

    /// The people whom the invitations name.
    pub(super) fn named_people(&self) -> impl Iterator<Item = &PersonId> {
        let invitees = self.invited.iter().chain(&self.declined);
        invitees.filter_map(|it| it.person.as_ref()).chain(&self.kicked)
    }

    /// Records the person of the n-th invitee.
    pub(super) fn identify(&mut self, n: u8, person: &PersonId) {
        self.invited[usize::from(n)].person = Some(person.clone());
    }

    /// Ends the n-th invitation.
    pub(super) fn end(&mut self, n: u8) {
        self.declined.push(self.invited.remove(usize::from(n)));
    }

    /// Removes the invitation of a person who leaves.
    pub(super) fn remove_person(&mut self, person: &PersonId) {
        self.invited.retain(|it| it.person.as_ref() != Some(person));
    }

    /// Removes the invitation of a person, who cannot come back by themselves.
    pub(super) fn kick(&mut self, person: &PersonId) {
        self.remove_person(person);
        self.kicked.push(person.clone());
    }

    /// Makes an account count as this person.
    pub(super) fn merge_account(&mut self, account: &PersonId, person: &PersonId) {
        let invitees = self.invited.iter_mut().chain(&mut self.declined);
        let all = invitees.filter_map(|it| it.person.as_mut()).chain(&mut self.kicked);
        all.filter(|it| **it == *account).for_each(|it| it.clone_from(person));
    }
}
