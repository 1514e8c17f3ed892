//! Refuses commits that name at a table a person whose data is being deleted, or that bring a table
//! to a chat whose data is being deleted: the deletion has read the log of that table, or will not
//! wait for its end.
//!
//! Every way to a table ends in [`Repository::commit_changes`], so the requests for deletion are
//! read there. The commit requires that they are unchanged: a deletion finds every line that was
//! written before it began, and none is written afterwards.

use std::collections::{BTreeMap, BTreeSet};

use super::seat_blocks::SeatBlock;
use super::unit_of_work::TableChange;
use super::{Failure, Repository, keys};
use crate::personal_data::chat_deletion::removes_rows;
use crate::personal_data::deletion_requests::has_begun;
use caravanserai_games::ids::{ChatId, PersonId};
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

    /// Refuses changes that name a person whose data is being deleted, or bring a table to a chat
    /// whose rows are being removed, and adds to the commit the conditions that no deletion comes
    /// to that meanwhile.
    ///
    /// # Errors
    /// [`Failure::SeatBlocked`], as if the person had blocked all others,
    /// [`Failure::ChatBeingDeleted`], or when the store cannot be read. Nothing is written then.
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
        let chats: BTreeSet<ChatId> = changes.iter().flat_map(joined_chats).collect();
        let chat_keys = chats.iter().map(keys::chat_deletion);
        let keys: Vec<String> = chat_keys.chain(named.keys().map(keys::deletion_request)).collect();
        if keys.is_empty() {
            return Ok(());
        }
        let query = |it: &String| StoreQuery::value_of(Space::Meta, it.as_str());
        let queries: Vec<StoreQuery> = keys.iter().map(query).collect();
        let mut conditions = Vec::new();
        for (key, answer) in keys.into_iter().zip(self.read_many(&queries).await?) {
            conditions.push(Expect { space: Space::Meta, key, value: answer.value()? });
        }
        let of_people = conditions.split_off(conditions.len() - named.len());
        if conditions.iter().any(|it| it.value.as_deref().is_some_and(removes_rows)) {
            return Err(Failure::ChatBeingDeleted);
        }
        let mut blocks = Vec::new();
        for (condition, (person, it)) in of_people.iter().zip(named) {
            if condition.value.as_deref().is_some_and(has_begun) {
                let kind = if is_rematch { EncounterKind::Rematch } else { it.kind };
                let other = person.clone();
                let other_name = it.name.clone();
                let name = it.name;
                let encounter = Encounter { person: it.person, name, other, other_name, kind };
                blocks.push(SeatBlock { encounter, blockers: vec![person] });
            }
        }
        for condition in conditions.into_iter().chain(of_people) {
            if !commit.expect.contains(&condition) {
                commit.expect.push(condition);
            }
        }
        if blocks.is_empty() { Ok(()) } else { Err(Failure::SeatBlocked(blocks)) }
    }
}

/// The chats, without topics, to which this change brings its table, apart from a chat that only
/// got another id.
fn joined_chats(change: &TableChange<'_>) -> Vec<ChatId> {
    let chat = |chat: &ChatId| ChatId(chat.without_topic().to_owned());
    if change.guard.opened_table().is_none() {
        return change.decision.table.chats.ids().map(chat).collect();
    }
    let attached = |event: &Event| match event {
        Event::Attached(attached) => Some(chat(&attached.chat)),
        _ => None,
    };
    change.decision.events().filter_map(attached).collect()
}

/// Whether the same people go on at another table by this decision.
fn opens_rematch(decision: &Decision) -> bool {
    decision.events().any(|it| matches!(it, Event::ContinuedAt { .. }))
}
