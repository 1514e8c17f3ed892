//! `/admin`: run a command of the operator, in a private chat with the bot.
//!
//! The command is in no list of commands: for everybody else it does not exist.

use super::action::{ActionFuture, ChatAction, Request};
use super::refusals::{RefuseOldButton, RefuseUnknownCommand};
use super::registry::{ButtonCode, CommandFile};
use crate::admin::bans::BanKind;
use crate::admin::{AdminCommand, BanTarget, ConfirmationStep};
use crate::handlers::{Handlers, RequestContext};
use crate::settings::CALLBACK_DATA_MAX;
use caravanserai_games::ids::TableId;

/// The name of the command.
const NAME: &str = "admin";

/// The code of the buttons that close a table.
const CLOSE_CODE: &str = "hc";

/// The code of the buttons that delete the data of a person or a chat.
const DELETE_CODE: &str = "he";

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    buttons: &[
        ButtonCode::Chat(CLOSE_CODE, |rest| {
            let (step, table) = rest.split_once('.')?;
            let table = TableId(table.to_owned());
            let step = parse_step(step)?;
            Some(Request::chat(CloseTable { table, step }))
        }),
        ButtonCode::Chat(DELETE_CODE, |rest| {
            let (step, target) = rest.split_once('.')?;
            let (kind, id) = target.split_once('.')?;
            let kind = match kind {
                "p" => BanKind::Person,
                "c" => BanKind::Chat,
                _ => return None,
            };
            let target = BanTarget::parse(kind, id)?;
            let step = parse_step(step)?;
            Some(Request::chat(DeleteData { target, step }))
        }),
    ],
    ..CommandFile::EMPTY
};

fn parse_step(number: &str) -> Option<ConfirmationStep> {
    match number {
        "1" => Some(ConfirmationStep::AskAgain),
        "2" => Some(ConfirmationStep::Confirm),
        _ => None,
    }
}

/// The key of the label and the callback data of the button for the next step of a command. `None`
/// if it has no steps, or names an id that no button can carry.
pub(crate) fn step_button(command: &AdminCommand) -> Option<(&'static str, String)> {
    let (step, code, target, labels) = match command {
        AdminCommand::Close(table, step) => {
            let labels = ["button-admin-close", "button-admin-close-sure"];
            (*step, CLOSE_CODE, table.0.clone(), labels)
        }
        AdminCommand::Delete(target, step) => {
            let kind = match target.kind {
                BanKind::Person => 'p',
                BanKind::Chat => 'c',
            };
            let labels = ["button-admin-delete", "button-admin-delete-sure"];
            (*step, DELETE_CODE, format!("{kind}.{}", target.id), labels)
        }
        _ => return None,
    };
    let (number, label) = match step {
        ConfirmationStep::Ask | ConfirmationStep::AskAgain => (1, labels[0]),
        ConfirmationStep::Confirm => (2, labels[1]),
    };
    let callback_data = format!("{code}.{number}.{target}");
    let fits = callback_data.is_ascii() && callback_data.len() <= CALLBACK_DATA_MAX;
    fits.then_some((label, callback_data))
}

/// The words behind `admin` in a text behind the slash; `None` for another command.
pub(crate) fn words_of(text: &str) -> Option<&str> {
    let (name, words) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    name.eq_ignore_ascii_case(NAME).then(|| words.trim())
}

/// Gives a command of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GiveAdminCommand {
    /// The words behind `/admin`.
    pub words: String,
    /// The answer to people who are no operators.
    pub refusal: RefuseUnknownCommand,
    /// Whether the text can be for no other bot.
    pub is_ours: bool,
}

impl ChatAction for GiveAdminCommand {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            if handlers.is_from_operator(context) {
                return handlers.run_admin_words(context, &self.words).await;
            }
            if self.is_ours || handlers.is_only_bot(context) {
                return self.refusal.run(handlers, context).await;
            }
            Ok(Vec::new())
        })
    }
}

/// Closes a table, by a button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloseTable {
    /// The table.
    pub table: TableId,
    /// The step that the button confirms.
    pub step: ConfirmationStep,
}

/// Deletes the data of a person or a chat, by a button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeleteData {
    /// The person or the chat.
    pub target: BanTarget,
    /// The step that the button confirms.
    pub step: ConfirmationStep,
}

impl ChatAction for DeleteData {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        run_confirmed(handlers, context, AdminCommand::Delete(self.target.clone(), self.step))
    }
}

impl ChatAction for CloseTable {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        run_confirmed(handlers, context, AdminCommand::Close(self.table.clone(), self.step))
    }
}

/// Runs the command of a button, if an operator presses it.
fn run_confirmed<'a>(
    handlers: &'a Handlers,
    context: &'a mut RequestContext<'_>,
    command: AdminCommand,
) -> ActionFuture<'a> {
    Box::pin(async move {
        if !handlers.is_from_operator(context) {
            return RefuseOldButton.run(handlers, context).await;
        }
        handlers.run_admin_command(context, command).await
    })
}
