//! Links and the code through which others can join a table.

use super::action::{
    ActionFuture, ButtonData, TableAction, TableCandidate, TableFit, TableRequest,
    without_arguments,
};
use super::registry::{ButtonCode, CommandFile};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    buttons: &[ButtonCode::Table("8", |arguments| without_arguments(arguments, ShowInviteLinks))],
    ..CommandFile::EMPTY
};

/// Shows the links and the code through which others can join the table.
#[derive(Clone, Copy, Debug)]
pub struct ShowInviteLinks;

impl TableAction for ShowInviteLinks {
    fn button(&self) -> ButtonData {
        ButtonData::new("8")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        let seated = candidate.is_seated;
        let playing = candidate.is_playing;
        TableFit::likely_or_possible(seated && !playing, !playing)
    }

    fn no_table_key(&self) -> Option<&'static str> {
        Some("refuse-none-waiting")
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            Ok(vec![request.handlers.locations.invite_links_view(request.guard.table())])
        })
    }
}
