//! `/games`: list the tables of the person.

use super::action::{ActionFuture, ChatAction, Request};
use super::registry::{ButtonCode, CommandFile};
use super::spec::CommandSpec;
use crate::handlers::{Handlers, RequestContext};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            in_short_menu: true,
            is_answered_privately: true,
            ..CommandSpec::new("games", |_| Request::chat(ListOwnTables))
        }]
    },
    buttons: &[ButtonCode::Chat(OWN_TABLES_CODE, |rest| {
        rest.is_empty().then(|| Request::chat(ListOwnTables))
    })],
    ..CommandFile::EMPTY
};

/// The callback data of the button that lists the person's tables.
pub const OWN_TABLES_CODE: &str = "gm";

/// Lists the tables of the person, in all chats.
#[derive(Clone, Copy, Debug)]
pub struct ListOwnTables;

impl ChatAction for ListOwnTables {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.list_own_tables(context).await })
    }
}
