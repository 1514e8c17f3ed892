//! Restores the rows of a table from its log: lists, deadlines and boards. Only the log cannot be
//! restored by anything.

use super::effects::{TableTransition, collect_effects};
use super::kept_games::kept_game_put;
use super::stored_rows::remove_row;
use super::table_cache::TableGuard;
use super::{CommitOutcome, Failure, Repository, TableChange, keys};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Commit, Put, Space, StoreError};
use caravanserai_table::EventMeta;
use caravanserai_table::operator_actions::{OperatorAction, decide_operator_action};

/// The cause that logs name when a repair ends the quarantine of a table.
const REPAIR_CAUSE: &str = "repair";

/// The attempts to restore the rows while people act at the table.
const REPAIR_TRIES: usize = 8;

/// The result of a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairOutcome {
    /// There is no such table.
    Unknown,
    /// The game is over: it has no deadlines, and nobody waits for its board. It is listed among
    /// the games that its chat keeps.
    Over,
    /// The rows are written again.
    Repaired {
        /// Whether the table was quarantined and goes on now.
        was_quarantined: bool,
        /// Whether it stays frozen, because an operator froze it.
        is_frozen: bool,
    },
}

impl Repository {
    /// Reads a table from its log, ends its quarantine, and writes its rows again. The first commit
    /// contains `extra_puts`. Of an ended game only its entry in the list of kept games is written.
    ///
    /// # Errors
    /// When the log is damaged or the store fails.
    pub async fn repair_table(
        &self,
        id: &TableId,
        mut extra_puts: Vec<Put>,
    ) -> Result<RepairOutcome, Failure> {
        let mut was_unfrozen = false;
        for _ in 0..REPAIR_TRIES {
            let Some(mut guard) = self.lock_table(id).await? else {
                return Ok(RepairOutcome::Unknown);
            };
            if !self.reload_table(&mut guard).await? {
                return Ok(RepairOutcome::Unknown);
            }
            if !guard.table().is_open() {
                self.list_ended_table(&guard).await?;
                self.release_quarantined(id);
                return Ok(RepairOutcome::Over);
            }
            match self.end_quarantine(&mut guard, &extra_puts).await? {
                Some(CommitOutcome::Committed) => {
                    was_unfrozen = true;
                    extra_puts.clear();
                }
                Some(CommitOutcome::Conflict) => continue,
                None => {}
            }
            let table = guard.table().clone();
            let opened = TableTransition {
                before: None,
                after: &table,
                lines: &[],
                answered_seat: None,
                waiting: None,
            };
            let mut puts = collect_effects(opened, self.limits(), self.now_ms()).puts;
            if self.read_value(Space::Head, &id.0).await?.is_some() {
                // It may say that the log was replaced, see `replaced_head_put`.
                puts.retain(|it| it.space != Space::Head);
            }
            puts.extend(extra_puts.iter().cloned());
            let commit =
                Commit { appends: vec![guard.unchanged_condition()], ..Commit::from_puts(puts) };
            if self.commit_rows(commit).await? == CommitOutcome::Committed {
                let was_quarantined = self.release_quarantined(id) || was_unfrozen;
                let is_frozen = table.is_frozen();
                return Ok(RepairOutcome::Repaired { was_quarantined, is_frozen });
            }
            guard.invalidate();
        }
        let why = format!("too many conflicting writes to table {}", id.0);
        Err(StoreError::Failed(why).into())
    }

    /// Lists the game of an ended table of a group, so that it is removed when its chat keeps games
    /// no longer: the search for such games leaves out logs that cannot be read.
    async fn list_ended_table(&self, guard: &TableGuard) -> Result<(), Failure> {
        let Some(listed) = kept_game_put(guard.table()) else { return Ok(()) };
        let appends = vec![guard.unchanged_condition()];
        // After a conflict the game was archived or removed, and its row with it.
        let commit = Commit { appends, ..Commit::from_puts(vec![listed]) };
        self.commit_rows(commit).await.map(drop)
    }

    /// Lets a table go on that was frozen because one of its inputs was quarantined, together with
    /// `extra_puts`: its players get the time back. `None` if it is not frozen, or was frozen by an
    /// operator.
    async fn end_quarantine(
        &self,
        guard: &mut TableGuard,
        extra_puts: &[Put],
    ) -> Result<Option<CommitOutcome>, Failure> {
        let mark = keys::quarantined_table(guard.id());
        if self.read_value(Space::Meta, &mark).await?.is_none() {
            return Ok(None);
        }
        let meta = EventMeta::received_now(self.now_ms(), REPAIR_CAUSE);
        let Ok(decision) = decide_operator_action(guard.table(), OperatorAction::Unfreeze, meta)
        else {
            return Ok(None);
        };
        let change = TableChange::new(guard, decision);
        let puts = extra_puts.iter().cloned().chain([remove_row(Space::Meta, mark)]);
        let commit = Commit::from_puts(puts.collect());
        Ok(Some(self.commit_changes(vec![change], commit).await?))
    }
}
