//! Refuses commits that seat two people together if one has blocked the other.
//!
//! Every way to a seat ends in [`Repository::commit_changes`], so the block lists are read there,
//! for every decision that is written. The commit requires that no block was added since: a block
//! that was stored before a seat is always found, and one that is stored after it changes nothing
//! at that table.

use super::unit_of_work::TableChange;
use super::{Failure, Repository};
use caravanserai_games::ids::PersonId;
use caravanserai_store::{Commit, Expect};
use caravanserai_table::seat_encounters::{Encounter, new_encounters};

/// Two people whom a commit would have seated together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatBlock {
    /// How they would have met.
    pub encounter: Encounter,
    /// Those of the two who block the other one.
    pub blockers: Vec<PersonId>,
}

impl Repository {
    /// Refuses changes that seat people together who block each other, and adds to the commit the
    /// conditions that this does not change.
    ///
    /// # Errors
    /// [`Failure::SeatBlocked`], or when the store cannot be read. Nothing is written then.
    pub(super) async fn check_seat_blocks(
        &self,
        changes: &[TableChange<'_>],
        commit: &mut Commit,
    ) -> Result<(), Failure> {
        let encounters: Vec<Encounter> =
            changes.iter().flat_map(|it| new_encounters(&it.decision)).collect();
        if encounters.is_empty() {
            return Ok(());
        }
        let pairs: Vec<_> = encounters.iter().map(|it| (&it.person, &it.other)).collect();
        let check = self.block_lists().check_pairs(&pairs).await?;
        let found = encounters.into_iter().zip(check.blockers);
        let blocks: Vec<SeatBlock> = found
            .filter(|(_, blockers)| !blockers.is_empty())
            .map(|(encounter, blockers)| SeatBlock { encounter, blockers })
            .collect();
        if !blocks.is_empty() {
            return Err(Failure::SeatBlocked(blocks));
        }
        for condition in check.conditions {
            let is_same = |it: &Expect| it.space == condition.space && it.key == condition.key;
            if !commit.expect.iter().any(is_same) {
                commit.expect.push(condition);
            }
        }
        Ok(())
    }
}
