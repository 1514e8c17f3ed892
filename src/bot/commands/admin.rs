//! `/admin`: what the operator of the bot can do, in a private chat with it.
//!
//! The command is in no list of commands: for everybody else it does not exist.

use super::action::{ActionFuture, ChatAction, Request};
use super::refusals::{RefuseOldButton, RefuseUnknownCommand};
use super::registry::{ButtonCode, CommandFile};
use crate::admin::{AdminCommand, CloseStep};
use crate::handlers::{Handlers, RequestContext};
use caravanserai_games::ids::TableId;

/// The name of the command.
const NAME: &str = "admin";

/// The code of the buttons that close a table.
const CLOSE_CODE: &str = "hc";

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    buttons: &[ButtonCode::Chat(CLOSE_CODE, |rest| {
        let (step, table) = rest.split_once('.')?;
        let step = match step {
            "1" => CloseStep::AskAgain,
            "2" => CloseStep::Confirm,
            _ => return None,
        };
        Some(Request::chat(CloseTable { table: TableId(table.to_owned()), step }))
    })],
    ..CommandFile::EMPTY
};

/// The callback data of the button for a step of closing a table.
pub(crate) fn close_callback_data(table: &TableId, step: CloseStep) -> String {
    let number = match step {
        CloseStep::Ask | CloseStep::AskAgain => 1,
        CloseStep::Confirm => 2,
    };
    format!("{CLOSE_CODE}.{number}.{}", table.0)
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
    pub step: CloseStep,
}

impl ChatAction for CloseTable {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            if !handlers.is_from_operator(context) {
                return RefuseOldButton.run(handlers, context).await;
            }
            let command = AdminCommand::Close(self.table.clone(), self.step);
            handlers.run_admin_command(context, command).await
        })
    }
}
