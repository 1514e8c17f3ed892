//! `/hint`: show what a strong player would do.

use async_trait::async_trait;

use super::action::{
    ButtonData, TableAction, TableCandidate, TableFit, TableRequest, without_arguments,
};
use super::argument;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::HandlerResult;

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

#[async_trait]
impl TableAction for AskHint {
    fn button(&self) -> ButtonData {
        ButtonData::new("L")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_for_turn()
    }

    async fn run(&self, request: TableRequest<'_, '_>) -> HandlerResult {
        request.handlers.hints.handle_hint(request.context, request.guard).await
    }
}
