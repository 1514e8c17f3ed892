//! Refuses commits that name at a table a person whose data is being deleted: the deletion has read
//! the log of that table, or will not wait for its end.
//!
//! Every way to a table ends in [`Repository::commit_changes`], so the requests for deletion are
//! read there. The commit requires that they are unchanged: a deletion finds every line that was
//! written before it began, and none is written afterwards.

use std::collections::BTreeMap;

use super::seat_blocks::SeatBlock;
use super::unit_of_work::TableChange;
use super::{Failure, Repository, keys};
use crate::personal_data::requests::has_begun;
use caravanserai_games::ids::PersonId;
use caravanserai_store::{Commit, Expect, Space, StoreQuery};
use caravanserai_table::Decision;
use caravanserai_table::account_deletion::{PersonInDecision, named_people};
use caravanserai_table::event::Event;
use caravanserai_table::seat_encounters::{Encounter, EncounterKind};

impl Repository {
    /// Returns a commit condition that the deletion of this person has not begun; `None` if it has.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn deletion_not_begun_condition(
        &self,
        person: &PersonId,
    ) -> Result<Option<Expect>, Failure> {
        let key = keys::deletion_request(person);
        let value = self.read_value(Space::Meta, &key).await?;
        let is_deleting = value.as_deref().is_some_and(has_begun);
        Ok((!is_deleting).then_some(Expect { space: Space::Meta, key, value }))
    }

    /// Refuses changes that name a person whose data is being deleted, and adds to the commit the
    /// conditions that no deletion begins meanwhile.
    ///
    /// # Errors
    /// [`Failure::SeatBlocked`], as if the person had blocked all others, or when the store cannot
    /// be read. Nothing is written then.
    pub(super) async fn check_deletions(
        &self,
        changes: &[TableChange<'_>],
        commit: &mut Commit,
    ) -> Result<(), Failure> {
        let is_rematch = changes.iter().any(|it| opens_rematch(&it.decision));
        let mut named: BTreeMap<PersonId, PersonInDecision> = BTreeMap::new();
        for it in changes.iter().flat_map(|it| named_people(&it.decision)) {
            let known = named.entry(it.person.clone()).or_insert_with(|| it.clone());
            if known.name.is_empty() {
                *known = it;
            }
        }
        if named.is_empty() {
            return Ok(());
        }
        let keys: Vec<String> = named.keys().map(keys::deletion_request).collect();
        let query = |it: &String| StoreQuery::value_of(Space::Meta, it.as_str());
        let queries: Vec<StoreQuery> = keys.iter().map(query).collect();
        let mut blocks = Vec::new();
        let answers = self.read_many(&queries).await?;
        for ((key, answer), (person, it)) in keys.into_iter().zip(answers).zip(named) {
            let value = answer.value()?;
            if value.as_deref().is_some_and(has_begun) {
                let kind = if is_rematch { EncounterKind::Rematch } else { it.kind };
                let (other, other_name) = (person.clone(), it.name.clone());
                let name = it.name;
                let encounter = Encounter { person: it.person, name, other, other_name, kind };
                blocks.push(SeatBlock { encounter, blockers: vec![person] });
            }
            let condition = Expect { space: Space::Meta, key, value };
            if !commit.expect.contains(&condition) {
                commit.expect.push(condition);
            }
        }
        if blocks.is_empty() { Ok(()) } else { Err(Failure::SeatBlocked(blocks)) }
    }
}

/// Whether the same people go on at another table by this decision.
fn opens_rematch(decision: &Decision) -> bool {
    decision.events().any(|it| matches!(it, Event::ContinuedAt { .. }))
}
