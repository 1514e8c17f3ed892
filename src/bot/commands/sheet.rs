//! Sheets of a game, such as the score or the last trick.

use std::sync::Arc;

use super::action::{
    ActionFuture, ButtonData, TableAction, TableCandidate, TableFit, TableRequest, TableSearch,
};
use super::registry::{ButtonCode, CommandFile};
use crate::handlers::context::brief_views;
use crate::handlers::private_hand::viewer_at_table;
use crate::views::panel_views;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    buttons: &[ButtonCode::Table("h", |arguments| match arguments {
        [name] => Some(Arc::new(ShowSheet((*name).to_owned()))),
        _ => None,
    })],
    ..CommandFile::EMPTY
};

/// Shows the person a sheet of the game, by its name in the game.
#[derive(Clone, Debug)]
pub struct ShowSheet(pub String);

impl TableAction for ShowSheet {
    fn button(&self) -> ButtonData {
        ButtonData::with("h", &self.0)
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_while_playing()
    }

    fn search(&self) -> TableSearch {
        TableSearch::OpenOrLastFinished
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let table = request.guard.table();
            let viewer = viewer_at_table(table, request.context);
            let sheet = panel_views::sheet_view(table, &self.0, viewer);
            Ok(sheet.map_or_else(|| brief_views("refuse-no-sheet"), |it| vec![it]))
        })
    }
}
