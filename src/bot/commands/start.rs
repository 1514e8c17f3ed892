//! `/start`: what clients send when a person opens a chat with the bot or adds it to a group, and
//! what starts the game at a table that waits in a group.

use super::action::{ActionFuture, ChatAction, Request, RequestOrigin, TableRef, execute};
use super::input::CommandInput;
use super::private::PlayInPrivate;
use super::registry::CommandFile;
use super::show::ShowTableHere;
use super::spec::CommandSpec;
use super::web::OpenPageOfChat;
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::words::parse_page_start_word;
use caravanserai_games::ids::ChatKind;
use caravanserai_table::command::Command;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile =
    CommandFile { commands: || vec![CommandSpec::unlisted("start", parse)], ..CommandFile::EMPTY };

/// The word behind the command comes from a link: it asks for the page or names a table.
fn parse(input: &CommandInput<'_>) -> Request {
    if let Some(table) = parse_page_start_word(input.words) {
        return Request::chat(OpenPageOfChat(table));
    }
    match (&input.table, input.chat_kind) {
        (TableRef::Id(_), ChatKind::Private) => input.about_table(PlayInPrivate),
        (TableRef::Id(_), ChatKind::Group) => {
            input.about_table(ShowTableHere { is_watch_only: false })
        }
        _ => Request::chat(StartOrGreet),
    }
}

/// Starts the game at the table of the person that waits in this chat, and else greets them.
#[derive(Clone, Copy, Debug)]
pub struct StartOrGreet;

impl ChatAction for StartOrGreet {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            match handlers.resolver.table_to_start(context).await? {
                Some(table) => {
                    let start = execute(Command::Start);
                    handlers
                        .handle_table_request(
                            context,
                            TableRef::Id(table),
                            start,
                            RequestOrigin::Typed,
                        )
                        .await
                }
                None => handlers.help.handle_start(context).await,
            }
        })
    }
}
