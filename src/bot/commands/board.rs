//! `/board`: post the board again as the newest message.

use super::action::{
    ActionFuture, ButtonData, TableAction, TableCandidate, TableFit, TableRequest, TableSearch,
    without_arguments,
};
use super::argument;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::context::brief_views;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::TABLE],
            in_short_menu: true,
            posts_board: true,
            ..CommandSpec::new("board", |input| input.about_table_without_words(ShowBoard))
        }]
    },
    buttons: &[ButtonCode::Table("g", |arguments| without_arguments(arguments, ShowBoard))],
    ..CommandFile::EMPTY
};

/// Posts the board again as the newest message.
#[derive(Clone, Copy, Debug)]
pub struct ShowBoard;

impl TableAction for ShowBoard {
    fn button(&self) -> ButtonData {
        ButtonData::new("g")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_for_all()
    }

    fn search(&self) -> TableSearch {
        TableSearch::OpenOrLastFinished
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let TableRequest { handlers, context, guard, .. } = request;
            // A command stands below the board itself; a press, or a command in another chat, could
            // be repeated at will.
            let is_unseen = context.is_press() || !context.is_table_here(guard.table());
            if is_unseen && !handlers.board_limiter.allow_about_table(guard.id()) {
                return Ok(brief_views("refuse-board-moved"));
            }
            handlers.command_runner.repost_board(context, guard).await
        })
    }
}
