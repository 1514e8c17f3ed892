//! Restores the rows of a table from its log: lists, deadlines and boards. Only the log cannot be
//! restored by anything.

use super::effects::{TableTransition, collect_effects};
use super::{CommitOutcome, Failure, Repository};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Commit, Put, StoreError};

/// The attempts to restore the rows while people act at the table.
const REPAIR_TRIES: usize = 8;

/// What came of a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairOutcome {
    /// There is no such table.
    Unknown,
    /// The game is over: it has no deadlines, and nobody waits for its board.
    Over,
    /// The rows are written again.
    Repaired {
        /// Whether this process had not used the table before.
        was_quarantined: bool,
    },
}

impl Repository {
    /// Reads a table from its log, writes its rows again, together with `extra_puts`, and lets this
    /// process use the table again. Nothing is written if there is nothing to repair.
    ///
    /// # Errors
    /// When the log is damaged or the store fails.
    pub async fn repair_table(
        &self,
        id: &TableId,
        extra_puts: Vec<Put>,
    ) -> Result<RepairOutcome, Failure> {
        for _ in 0..REPAIR_TRIES {
            let Some(mut guard) = self.lock_table(id).await? else {
                return Ok(RepairOutcome::Unknown);
            };
            if !self.reload_table(&mut guard).await? {
                return Ok(RepairOutcome::Unknown);
            }
            let table = guard.table().clone();
            if !table.is_open() {
                self.release_quarantined(id);
                return Ok(RepairOutcome::Over);
            }
            let opened =
                TableTransition { before: None, after: &table, lines: &[], answered_seat: None };
            let mut puts = collect_effects(opened, self.limits()).puts;
            puts.extend(extra_puts.iter().cloned());
            let commit =
                Commit { appends: vec![guard.unchanged_condition()], ..Commit::from_puts(puts) };
            if self.commit_rows(commit).await? == CommitOutcome::Committed {
                let was_quarantined = self.release_quarantined(id);
                return Ok(RepairOutcome::Repaired { was_quarantined });
            }
            guard.invalidate();
        }
        let why = format!("table {} was changed by others again and again", id.0);
        Err(StoreError::Failed(why).into())
    }
}
