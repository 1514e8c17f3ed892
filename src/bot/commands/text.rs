//! `/text`: show the board as text, once or always.

use super::action::{
    ActionFuture, ButtonData, Request, TableAction, TableCandidate, TableFit, TableRequest,
    TableSearch, without_arguments,
};
use super::argument;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::private_board::private_text_board;
use crate::handlers::private_hand::viewer_at_table;
use crate::settings::Setting;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Settings),
            arguments: vec![argument::TABLE, argument::SWITCH],
            is_answered_privately: true,
            ..CommandSpec::understood("text", parse)
        }]
    },
    buttons: &[ButtonCode::Table("t", |arguments| without_arguments(arguments, ShowTextBoard))],
    ..CommandFile::EMPTY
};

fn parse(input: &CommandInput<'_>) -> Request {
    let values = ("words", "pictures");
    input.switch_or(Setting::BOARD_FORMAT, values, || input.about_table(ShowTextBoard))
}

/// Shows the person the board as text.
#[derive(Clone, Copy, Debug)]
pub struct ShowTextBoard;

impl TableAction for ShowTextBoard {
    fn button(&self) -> ButtonData {
        ButtonData::new("t")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_for_all()
    }

    fn search(&self) -> TableSearch {
        TableSearch::OpenOrLastFinished
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let TableRequest { context, guard, .. } = request;
            let viewer = viewer_at_table(guard.table(), context);
            Ok(private_text_board(context, guard.table(), viewer))
        })
    }
}
