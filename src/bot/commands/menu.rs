//! The menu of a running game: further actions at the table.

use super::action::{
    ActionFuture, ButtonData, TableAction, TableCandidate, TableFit, TableRequest,
    without_arguments,
};
use super::registry::{ButtonCode, CommandFile};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    buttons: &[ButtonCode::Table("M", |arguments| without_arguments(arguments, ShowMenu))],
    ..CommandFile::EMPTY
};

/// Shows further actions at the table.
#[derive(Clone, Copy, Debug)]
pub struct ShowMenu;

impl TableAction for ShowMenu {
    fn button(&self) -> ButtonData {
        ButtonData::new("M")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_while_playing()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            request.handlers.hands.table_menu(request.context, request.guard.table()).await
        })
    }
}
