//! Runs the commands of the operator: look at tables, freeze, repair and close them, ban people and
//! chats, stop new games, and write to chats that agreed to it.
//!
//! The handlers run these commands in a private chat with an operator and for `caravanserai admin`
//! beside the running bot; without a running bot, `caravanserai admin` runs them on a store. All
//! call [`OperatorCommands::run`]. Each command is logged, and each change has a row in the
//! [`audit_log`], in the same commit as the change.
//!
//! Answers are for the operator, in English. They never contain hands, seeds or texts of players.

mod admin_command;
pub(crate) mod announcement;
pub mod audit_log;
pub mod bans;
mod bot_status;
mod data_deletion;
mod hidden_names;
pub mod operator_switches;
mod quarantine_list;
mod rating_progress;
mod table_actions;

use std::sync::Arc;

use crate::repository::{Failure, Repository};
use caravanserai_games::ids::PersonId;

pub use admin_command::{AdminCommand, ConfirmationStep, USAGE, parse_admin_command};
pub use bans::{BanEffect, BanTarget};
pub use operator_switches::OperatorSwitches;

/// The settings about operators and the store.
#[derive(Clone, Debug, Default)]
pub struct OperatorSettings {
    /// The accounts of the people who may give these commands.
    pub operators: Vec<PersonId>,
    /// Whether the store is encrypted.
    pub is_encrypted: bool,
}

/// The operator who gives a command.
#[derive(Clone, Debug)]
pub struct AdminActor {
    /// The account of the operator, or a text that begins with [`COMMAND_LINE`].
    pub name: String,
    /// The cause that lines in the logs of tables name.
    pub cause: String,
}

/// The name of commands that are not given in a chat.
pub const COMMAND_LINE: &str = "command line";

impl AdminActor {
    /// The person at the command line of the machine.
    pub fn command_line() -> Self {
        AdminActor { name: COMMAND_LINE.to_owned(), cause: "host".to_owned() }
    }

    /// The same with the number of their user, as the system knows it.
    pub fn system_user(id: u32) -> Self {
        AdminActor { name: format!("{COMMAND_LINE}, user {id}"), ..Self::command_line() }
    }
}

/// Whether a command did what it was given for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AdminOutcome {
    /// It did, or everything was so already.
    #[default]
    Done,
    /// It did not, or nothing is known by the id that it names.
    Refused,
}

/// The answer to a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdminReply {
    /// Its lines.
    pub lines: Vec<String>,
    /// Whether the command did what it was given for.
    pub outcome: AdminOutcome,
    /// The next step of a command that cannot be undone, for a button.
    pub next_step: Option<AdminCommand>,
}

/// The most rows of a kind in a page of a list.
const LIST_PAGE_ROWS: usize = 50;

/// The number of rows on the pages before this one; the first page has the number 1.
fn rows_before(page: usize) -> usize {
    page.saturating_sub(1).saturating_mul(LIST_PAGE_ROWS)
}

impl AdminReply {
    pub(crate) fn line(text: impl Into<String>) -> Self {
        AdminReply::lines(vec![text.into()])
    }

    fn lines(lines: Vec<String>) -> Self {
        AdminReply { lines, ..AdminReply::default() }
    }

    /// A page of a list, with the command that shows the `next` one. `none`: the answer if it is
    /// empty.
    fn page(mut lines: Vec<String>, next: Option<String>, none: &str) -> Self {
        if lines.is_empty() {
            return AdminReply::line(none);
        }
        lines.extend(next.map(|it| format!("and more: {it}")));
        AdminReply::lines(lines)
    }

    /// Why a command was not run.
    pub(crate) fn refusal(text: impl Into<String>) -> Self {
        AdminReply { outcome: AdminOutcome::Refused, ..AdminReply::line(text) }
    }

    /// Whether the command did what it was given for; a question before it is not that yet.
    pub fn is_done(&self) -> bool {
        self.outcome == AdminOutcome::Done && self.next_step.is_none()
    }
}

/// Runs the commands of operators.
pub struct OperatorCommands {
    repository: Arc<Repository>,
    settings: OperatorSettings,
    /// When this process started, by the monotonic clock; `None` at the command line.
    started_ms: Option<u64>,
}

impl OperatorCommands {
    /// Creates the commands of a running bot.
    pub fn new(repository: Arc<Repository>, settings: OperatorSettings) -> Self {
        let started_ms = Some(repository.time_source().monotonic_ms());
        OperatorCommands { repository, settings, started_ms }
    }

    /// Creates the commands for a store beside which no bot runs in this process.
    pub fn for_store(repository: Arc<Repository>, settings: OperatorSettings) -> Self {
        OperatorCommands { repository, settings, started_ms: None }
    }

    /// Whether one of these accounts belongs to an operator.
    pub fn is_operator<'a>(&self, accounts: impl IntoIterator<Item = &'a PersonId>) -> bool {
        accounts.into_iter().any(|it| self.settings.operators.contains(it))
    }

    /// Runs a command and returns the answer.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn run(
        &self,
        command: AdminCommand,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        let by = actor.name.as_str();
        let target = command.target();
        tracing::info!(by, command = command.name(), target, "running an admin command");
        match command {
            AdminCommand::Help => Ok(AdminReply::lines(USAGE.lines().map(str::to_owned).collect())),
            AdminCommand::Status => self.status().await,
            AdminCommand::Table(table) => self.describe_table(&table).await,
            AdminCommand::Freeze(table) => self.freeze(&table, actor).await,
            AdminCommand::Unfreeze(table) => self.unfreeze(&table, actor).await,
            AdminCommand::Close(table, step) => self.close(&table, step, actor).await,
            AdminCommand::Repair(table) => self.repair(&table, actor).await,
            AdminCommand::Quarantine => self.list_quarantine().await,
            AdminCommand::Ban(target, reason) => self.ban(&target, &reason, actor).await,
            AdminCommand::Unban(target) => self.unban(&target, actor).await,
            AdminCommand::Bans(page) => self.list_bans(page).await,
            AdminCommand::Delete(target, step) => self.delete_data(&target, step, actor).await,
            AdminCommand::Keep(account) => self.keep_person(&account, actor).await,
            AdminCommand::HideName(account, reason) => {
                self.hide_name(&account, &reason, actor).await
            }
            AdminCommand::ShowName(account) => self.show_name(&account, actor).await,
            AdminCommand::HiddenNames(page) => self.list_hidden_names(page).await,
            AdminCommand::Message(text) => self.announce(&text, actor).await,
            AdminCommand::Drain(on) => self.drain(on, actor).await,
            AdminCommand::RebuildResults => self.rebuild_results(actor).await,
            AdminCommand::Log => self.list_audit().await,
            AdminCommand::Reports => self.list_reports().await,
        }
    }
}

/// The account or chat that an operator means: names of platforms may be written out, as in
/// `telegram:123`. `None` if it cannot be one.
pub fn parse_account(text: &str) -> Option<PersonId> {
    let (platform, id) = text.split_once(':')?;
    let is_name = !platform.is_empty() && platform.chars().all(|c| c.is_ascii_alphanumeric());
    // Some platforms have ids with letters of all alphabets.
    let is_id = !id.is_empty() && !id.contains(|c: char| c.is_whitespace() || c.is_control());
    if !is_name || !is_id {
        return None;
    }
    let platform = match platform {
        "telegram" => "tg",
        "discord" => "dc",
        platform => platform,
    };
    Some(PersonId(format!("{platform}:{id}")))
}

/// A time as operators read it: in UTC, to the second.
pub(crate) fn time_text(at_ms: u64) -> String {
    const DAY_S: u64 = 86_400;
    let seconds = at_ms / 1_000;
    let of_day = seconds % DAY_S;
    let date = crate::repository::utc_date(at_ms);
    format!("{date} {:02}:{:02}:{:02}", of_day / 3_600, of_day / 60 % 60, of_day % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_understood_with_both_names_of_a_platform() {
        let account = |text| parse_account(text).map(|it| it.0);
        assert_eq!(account("telegram:123").as_deref(), Some("tg:123"));
        assert_eq!(account("tg:123").as_deref(), Some("tg:123"));
        assert_eq!(account("discord:456").as_deref(), Some("dc:456"));
        assert_eq!(account("web:a1b2").as_deref(), Some("web:a1b2"));
        assert_eq!(account("web:комната~3").as_deref(), Some("web:комната~3"));
        for wrong in ["", "123", ":1", "tg:", "tg: 1", "tg:1 2"] {
            assert_eq!(account(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn times_are_written_in_utc() {
        assert_eq!(time_text(1_763_720_000_123), "2025-11-21 10:13:20");
    }
}
