//! Stores the switches that operators set for the whole bot. Each update reads them with its other
//! rows, so that all processes follow a change at once.

use serde::{Deserialize, Serialize};

use super::audit_log::audit_put;
use super::{AdminActor, AdminReply, OperatorCommands};
use crate::repository::row_update::{OptionalRow, StoredRow, TypedRowKey};
use crate::repository::{CommitOutcome, Failure, Repository, keys};
use caravanserai_store::{Commit, Put, StoreError};

/// The attempts to change the switches while other operators change them.
const CHANGE_TRIES: usize = 8;

/// The switches of the bot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OperatorSwitches {
    /// Whether no new games begin.
    pub is_draining: bool,
    /// Whether anybody is banned: otherwise no request looks for bans.
    pub has_bans: bool,
    /// How many bans there have been: each ban changes the row, so that it cannot get lost beside
    /// the end of the last other ban.
    pub bans_so_far: u64,
    /// When operators last wrote to all chats, in milliseconds since 1970.
    pub last_message_ms: u64,
}

/// The row of the switches.
pub(crate) type SwitchesRow = StoredRow<OptionalRow<OperatorSwitches>>;

/// Reads the switches.
pub(crate) async fn read_switches(
    repository: &Repository,
) -> Result<(SwitchesRow, OperatorSwitches), Failure> {
    let key =
        TypedRowKey::<OptionalRow<OperatorSwitches>>::optional_row(keys::OPERATOR_SWITCHES.into());
    let row = repository.read_row(key).await?;
    let switches = row.value().0.clone().unwrap_or_default();
    Ok((row, switches))
}

impl OperatorCommands {
    /// Changes the switches, with further rows in the same commit. `change` returns the rows, or
    /// the answer if there is nothing to change.
    pub(super) async fn change_switches(
        &self,
        change: impl Fn(&mut OperatorSwitches) -> Result<Vec<Put>, AdminReply> + Send + Sync,
        done: AdminReply,
    ) -> Result<AdminReply, Failure> {
        for _ in 0..CHANGE_TRIES {
            let (row, mut switches) = read_switches(&self.repository).await?;
            let puts = match change(&mut switches) {
                Ok(puts) => puts,
                Err(reply) => return Ok(reply),
            };
            let mut commit = Commit::from_puts(puts);
            row.set(&OptionalRow(Some(switches)), &mut commit);
            if self.repository.commit_rows(commit).await? == CommitOutcome::Committed {
                return Ok(done);
            }
        }
        let why = "too many conflicting writes to the switches of the bot".to_owned();
        Err(StoreError::Failed(why).into())
    }

    /// Lets no new games begin, or lets them begin again.
    pub(super) async fn drain(&self, on: bool, actor: &AdminActor) -> Result<AdminReply, Failure> {
        let (action, known, done) = match on {
            true => (
                "drain",
                "no new games begin already; to end it: drain off",
                "no new games begin from now on; games that run go on. To end it: drain off",
            ),
            false => ("drain off", "new games may begin already", "new games may begin again"),
        };
        let change = |switches: &mut OperatorSwitches| {
            if switches.is_draining == on {
                return Err(AdminReply::line(known));
            }
            switches.is_draining = on;
            Ok(vec![audit_put(&self.repository, actor, (action, ""), "")])
        };
        self.change_switches(change, AdminReply::line(done)).await
    }
}
