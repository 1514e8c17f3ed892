//! Looks at single tables, and freezes, closes and repairs them.

use super::admin_command::{AdminCommand, ConfirmationStep};
use super::audit_log::audit_put;
use super::quarantine_list::public_reason;
use super::{AdminActor, AdminOutcome, AdminReply, OperatorCommands, time_text};
use crate::repository::stored_rows::remove_row;
use crate::repository::{CommitOutcome, Failure, RepairOutcome, TableChange, keys};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Commit, Space, StoreError};
use caravanserai_table::EventMeta;
use caravanserai_table::operator_actions::{
    OperatorAction, OperatorActionRefusal, decide_operator_action,
};
use caravanserai_table::state::{Table, TablePhase};

/// The attempts to act at a table while people act there, too.
const ACTION_TRIES: usize = 8;

impl OperatorCommands {
    /// Describes a table: everything but hands, chance and texts.
    pub(super) async fn describe_table(&self, id: &TableId) -> Result<AdminReply, Failure> {
        let is_quarantined = self.repository.is_quarantined(id);
        let mut lines = match self.repository.load_table(id).await {
            Ok(Some(table)) => table_lines(&table),
            Ok(None) => return Ok(unknown_table(id)),
            Err(Failure::Damaged(_, why)) => vec![damaged_line(id, &why)],
            Err(failure) => return Err(failure),
        };
        if is_quarantined {
            lines.push(format!(
                "it is quarantined in this process; to use it again: repair {}",
                id.0
            ));
        }
        let mark = keys::quarantined_table(id);
        if self.repository.read_value(Space::Meta, &mark).await?.is_some() {
            lines.push(format!("it is frozen by quarantine; to let it go on: repair {}", id.0));
        }
        Ok(AdminReply::lines(lines))
    }

    /// Freezes a table.
    pub(super) async fn freeze(
        &self,
        id: &TableId,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        let done = format!("table {} is frozen: nobody can act, no clock runs", id.0);
        self.act_at_table(id, OperatorAction::Freeze, actor, done).await
    }

    /// Lets a table go on.
    pub(super) async fn unfreeze(
        &self,
        id: &TableId,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        let done = format!("table {} goes on", id.0);
        self.act_at_table(id, OperatorAction::Unfreeze, actor, done).await
    }

    /// Calls a game off, after two questions.
    pub(super) async fn close(
        &self,
        id: &TableId,
        step: ConfirmationStep,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        let next_step = match step {
            ConfirmationStep::Ask => ConfirmationStep::AskAgain,
            ConfirmationStep::AskAgain => ConfirmationStep::Confirm,
            ConfirmationStep::Confirm => {
                let done = format!("table {} is closed; nobody has lost", id.0);
                return self.act_at_table(id, OperatorAction::Close, actor, done).await;
            }
        };
        let mut lines = match self.repository.load_table(id).await {
            Ok(Some(table)) if !table.is_open() => {
                return Ok(refusal(id, OperatorActionRefusal::Over));
            }
            Ok(Some(table)) => table_lines(&table),
            Ok(None) => return Ok(unknown_table(id)),
            Err(Failure::Damaged(_, why)) => {
                return Ok(AdminReply::refusal(damaged_line(id, &why)));
            }
            Err(failure) => return Err(failure),
        };
        lines.push(match step {
            ConfirmationStep::Ask => {
                format!("To call this game off, press twice or write: close {} yes", id.0)
            }
            _ => "Nobody will have lost, and the game cannot go on. Press once more.".to_owned(),
        });
        let next_step = Some(AdminCommand::Close(id.clone(), next_step));
        Ok(AdminReply { next_step, ..AdminReply::lines(lines) })
    }

    /// Acts at a table. If a person acts at the same moment, one of the two comes first and the
    /// other is decided again.
    async fn act_at_table(
        &self,
        id: &TableId,
        action: OperatorAction,
        actor: &AdminActor,
        done: String,
    ) -> Result<AdminReply, Failure> {
        let name = match action {
            OperatorAction::Freeze => "freeze",
            OperatorAction::Unfreeze => "unfreeze",
            OperatorAction::Close => "close",
        };
        for _ in 0..ACTION_TRIES {
            let mut guard = match self.repository.lock_table(id).await {
                Ok(Some(guard)) => guard,
                Ok(None) => return Ok(unknown_table(id)),
                Err(Failure::Damaged(_, why)) => {
                    return Ok(AdminReply::refusal(damaged_line(id, &why)));
                }
                Err(failure) => return Err(failure),
            };
            let meta = EventMeta::received_now(self.repository.now_ms(), &*actor.cause);
            let decision = match decide_operator_action(guard.table(), action, meta) {
                Ok(decision) => decision,
                Err(why) => return Ok(refusal(id, why)),
            };
            let audit = audit_put(&self.repository, actor, (name, &id.0), "");
            let change = TableChange::new(&mut guard, decision);
            // From now on it is frozen, or goes on, because the operator decided so.
            let mark = remove_row(Space::Meta, keys::quarantined_table(id));
            let commit = Commit::from_puts(vec![audit, mark]);
            if self.repository.commit_changes(vec![change], commit).await?
                == CommitOutcome::Committed
            {
                return Ok(AdminReply::line(done));
            }
        }
        let why = format!("too many conflicting writes to table {}", id.0);
        Err(StoreError::Failed(why).into())
    }

    /// Restores the rows of a table from its log, and lifts its quarantine.
    pub(super) async fn repair(
        &self,
        id: &TableId,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        let audit = audit_put(&self.repository, actor, ("repair", &id.0), "");
        let outcome = match self.repository.repair_table(id, vec![audit]).await {
            Ok(outcome) => outcome,
            Err(Failure::Damaged(_, why)) => {
                return Ok(AdminReply::refusal(damaged_line(id, &why)));
            }
            Err(failure) => return Err(failure),
        };
        Ok(match outcome {
            RepairOutcome::Unknown => unknown_table(id),
            RepairOutcome::Over => AdminReply::line(format!(
                "table {} can be read, and its game is over: there is nothing to repair",
                id.0
            )),
            RepairOutcome::Repaired { was_quarantined, is_frozen } => AdminReply::line(format!(
                "table {} can be read; its lists and deadlines are written again, its boards are \
                 shown again{}{}",
                id.0,
                if was_quarantined { ", and it is out of quarantine" } else { "" },
                if is_frozen { "; it stays frozen: unfreeze ends that" } else { "" }
            )),
        })
    }
}

fn unknown_table(id: &TableId) -> AdminReply {
    AdminReply::refusal(format!("there is no table {}", id.0))
}

fn damaged_line(id: &TableId, why: &str) -> String {
    format!(
        "table {} cannot be read: {}. `caravanserai store close-table` keeps the rest of its log \
         and removes the table",
        id.0,
        public_reason(why)
    )
}

fn refusal(id: &TableId, why: OperatorActionRefusal) -> AdminReply {
    let (why, outcome) = match why {
        OperatorActionRefusal::Over => ("has ended already", AdminOutcome::Refused),
        OperatorActionRefusal::Frozen => ("is frozen already", AdminOutcome::Done),
        OperatorActionRefusal::NotFrozen => ("is not frozen", AdminOutcome::Done),
    };
    AdminReply { outcome, ..AdminReply::line(format!("table {} {why}", id.0)) }
}

/// The lines that describe a table to an operator.
fn table_lines(table: &Table) -> Vec<String> {
    let chats: Vec<&str> = table.chats.ids().map(|it| it.0.as_str()).collect();
    let moves = table.history.steps.len();
    let state = match &table.phase {
        TablePhase::Lobby => "waits for players".to_owned(),
        TablePhase::Playing => format!("is played, after {moves} steps"),
        TablePhase::Over { .. } => format!("is over after {moves} steps"),
        TablePhase::Closed { .. } => "was closed".to_owned(),
    };
    let frozen = if table.is_frozen() { ", frozen" } else { "" };
    let mut lines = vec![
        format!(
            "table {}: {} ({}) {state}{frozen}",
            table.id.0,
            table.game_id().info().code,
            table.setup.options
        ),
        format!("opened by {} in {}", table.setup.opener.0, chats.join(", ")),
    ];
    let turn = table.seat_to_move().filter(|_| table.phase == TablePhase::Playing);
    for seat in 0..table.setup.seats {
        let Some(occupant) = table.seating.occupant(seat) else { continue };
        let mut marks = Vec::new();
        marks.extend((turn == Some(seat)).then_some("to move"));
        marks.extend(table.is_away(seat).then_some("away"));
        marks.extend(table.is_late(seat).then_some("out of time"));
        let marks =
            if marks.is_empty() { String::new() } else { format!(": {}", marks.join(", ")) };
        let name = if occupant.is_computer() { "computer" } else { occupant.name.as_str() };
        lines.push(format!("seat {}: {name} ({}){marks}", seat + 1, occupant.person.0));
    }
    let opened = table.times.opened_ms;
    let last = table.times.last_event_ms;
    lines.push(format!(
        "clock {}; opened {}, last event {}",
        table.clocks.control.encode(),
        time_text(opened),
        time_text(last)
    ));
    lines
}
