//! `/replay`: send the last game as an animation.

use async_trait::async_trait;

use super::action::{ButtonData, TableAction, TableRequest, TableSearch, without_arguments};
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
            ..CommandSpec::understood("replay", |input| input.about_table_without_words(SendReplay))
        }]
    },
    buttons: &[ButtonCode::Table("P", |arguments| without_arguments(arguments, SendReplay))],
    ..CommandFile::EMPTY
};

/// Posts a whole game as an animation.
#[derive(Clone, Copy, Debug)]
pub struct SendReplay;

#[async_trait]
impl TableAction for SendReplay {
    fn button(&self) -> ButtonData {
        ButtonData::new("P")
    }

    fn search(&self) -> TableSearch {
        TableSearch::LastFinished
    }

    async fn run(&self, request: TableRequest<'_, '_>) -> HandlerResult {
        request.handlers.replays.request_replay(request.context, request.guard).await
    }
}
