//! `/flip`: show the board with the player's own side at the bottom, once or always.

use super::action::{
    ActionFuture, ButtonData, Request, TableAction, TableCandidate, TableFit, TableRequest,
    without_arguments,
};
use super::argument;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::settings::Setting;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Settings),
            arguments: vec![argument::TABLE, argument::SWITCH],
            is_answered_privately: true,
            ..CommandSpec::understood("flip", parse)
        }]
    },
    buttons: &[ButtonCode::Table("I", |arguments| without_arguments(arguments, ShowOwnSide))],
    ..CommandFile::EMPTY
};

fn parse(input: &CommandInput<'_>) -> Request {
    input.switch_or(Setting::BOARD_SIDE, ("own", "all"), || input.about_table(ShowOwnSide))
}

/// Shows the person a board with their side at the bottom.
#[derive(Clone, Copy, Debug)]
pub struct ShowOwnSide;

impl TableAction for ShowOwnSide {
    fn button(&self) -> ButtonData {
        ButtonData::new("I")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_for_all()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            Ok(request.handlers.hands.private_board_views(request.context, request.guard.table()))
        })
    }
}
