//! `/chart`: draw the score over a game.

use super::action::{
    ActionFuture, ButtonData, TableAction, TableCandidate, TableFit, TableRequest, TableSearch,
    without_arguments,
};
use super::argument;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::replay_requests::score_chart_views;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Analysis),
            arguments: vec![argument::TABLE],
            ..CommandSpec::understood("chart", |input| input.about_table_without_words(ShowChart))
        }]
    },
    buttons: &[ButtonCode::Table("H", |arguments| without_arguments(arguments, ShowChart))],
    ..CommandFile::EMPTY
};

/// Shows the score over the game as a picture.
#[derive(Clone, Copy, Debug)]
pub struct ShowChart;

impl TableAction for ShowChart {
    fn button(&self) -> ButtonData {
        ButtonData::new("H")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_while_playing()
    }

    fn search(&self) -> TableSearch {
        TableSearch::OpenOrLastFinished
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move { Ok(score_chart_views(request.guard.table())) })
    }
}
