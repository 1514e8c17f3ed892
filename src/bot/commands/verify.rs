//! `/verify`: explain how to check the randomness of a game.

use super::action::{
    ActionFuture, ButtonData, TableAction, TableCandidate, TableFit, TableRequest, TableSearch,
    without_arguments,
};
use super::argument;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::views::lobby_view;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Analysis),
            arguments: vec![argument::TABLE],
            ..CommandSpec::understood("verify", |input| {
                input.about_table_without_words(ShowFairness)
            })
        }]
    },
    buttons: &[ButtonCode::Table("3", |arguments| without_arguments(arguments, ShowFairness))],
    ..CommandFile::EMPTY
};

/// Shows how to check the randomness at a table.
#[derive(Clone, Copy, Debug)]
pub struct ShowFairness;

impl TableAction for ShowFairness {
    fn button(&self) -> ButtonData {
        ButtonData::new("3")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_for_all()
    }

    fn search(&self) -> TableSearch {
        TableSearch::OpenOrLastFinished
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move { Ok(vec![lobby_view::fairness_view(request.guard.table())]) })
    }
}
