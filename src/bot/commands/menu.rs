//! The menu of a running game: further actions at the table.

use async_trait::async_trait;

use super::action::{
    ButtonData, TableAction, TableCandidate, TableFit, TableRequest, without_arguments,
};
use super::registry::{ButtonCode, CommandFile};
use crate::handlers::HandlerResult;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    buttons: &[ButtonCode::Table("M", |arguments| without_arguments(arguments, ShowMenu))],
    ..CommandFile::EMPTY
};

/// Shows further actions at the table.
#[derive(Clone, Copy, Debug)]
pub struct ShowMenu;

#[async_trait]
impl TableAction for ShowMenu {
    fn button(&self) -> ButtonData {
        ButtonData::new("M")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_while_playing()
    }

    async fn run(&self, request: TableRequest<'_, '_>) -> HandlerResult {
        request.handlers.hands.table_menu(request.context, request.guard.table()).await
    }
}
