//! `/hint`: show what a strong player would do.

use super::action::{
    ActionFuture, ButtonData, TableAction, TableCandidate, TableFit, TableRequest,
    without_arguments,
};
use super::argument;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Analysis),
            arguments: vec![argument::TABLE],
            ..CommandSpec::new("hint", |input| input.about_table_without_words(AskHint))
        }]
    },
    buttons: &[ButtonCode::Table("L", |arguments| without_arguments(arguments, AskHint))],
    ..CommandFile::EMPTY
};

/// Shows the player to move what a strong player would do now.
#[derive(Clone, Copy, Debug)]
pub struct AskHint;

impl TableAction for AskHint {
    fn button(&self) -> ButtonData {
        ButtonData::new("L")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_for_turn()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(
            async move { request.handlers.hints.handle_hint(request.context, request.guard).await },
        )
    }
}
