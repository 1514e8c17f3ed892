//! `/web`: open the board in a browser; `/web off` ends all browser sessions.

use super::action::{
    ActionFuture, ButtonData, ChatAction, Request, TableAction, TableCandidate, TableFit,
    TableRequest, without_arguments,
};
use super::argument::{self, ArgumentKind};
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::trailing_words::{TrailingWords, parse_switch_words};
use crate::parsing::words::parse_table_code;
use caravanserai_games::ids::TableId;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Account),
            arguments: vec![
                argument::TABLE,
                argument::optional("sessions", ArgumentKind::Choice(&["off"])),
            ],
            is_answered_privately: true,
            needs_page: true,
            ..CommandSpec::understood("web", parse)
        }]
    },
    buttons: &[ButtonCode::Table("wp", |arguments| without_arguments(arguments, OpenPage))],
    ..CommandFile::EMPTY
};

fn parse(input: &CommandInput<'_>) -> Request {
    match (input.trailing_words_without_mentions(), parse_switch_words(input.words)) {
        (TrailingWords::Nothing, _) => {
            let table = input.words.split_whitespace().find_map(parse_table_code);
            Request::chat(OpenPageOfChat(table))
        }
        (TrailingWords::Words(_), Ok(Some(false))) => Request::chat(SignOutOfPages),
        // "No" has no effect.
        (words, _) => input.refuse_words(&words),
    }
}

/// Sends the link to the page of a table.
#[derive(Clone, Copy, Debug)]
pub struct OpenPage;

impl TableAction for OpenPage {
    fn button(&self) -> ButtonData {
        ButtonData::new("wp")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_for_all()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            request
                .handlers
                .page_links
                .send_page_link(request.context, Some(&request.guard.release()))
                .await
        })
    }
}

/// Sends the link to the page of this table, or of the chat's current table.
#[derive(Clone, Debug)]
pub struct OpenPageOfChat(pub Option<TableId>);

impl ChatAction for OpenPageOfChat {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(
            async move { handlers.page_links.handle_page_command(context, self.0.clone()).await },
        )
    }
}

/// Ends the sessions of the person in all browsers.
#[derive(Clone, Copy, Debug)]
pub struct SignOutOfPages;

impl ChatAction for SignOutOfPages {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.guest_sessions.sign_out_everywhere(context).await })
    }
}
