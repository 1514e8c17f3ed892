//! `/replay`: send the last game as an animation.

use super::action::{
    ActionFuture, ButtonData, TableAction, TableRequest, TableSearch, without_arguments,
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
            ..CommandSpec::understood("replay", |input| input.about_table_without_words(SendReplay))
        }]
    },
    buttons: &[ButtonCode::Table("P", |arguments| without_arguments(arguments, SendReplay))],
    ..CommandFile::EMPTY
};

/// Posts a whole game as an animation.
#[derive(Clone, Copy, Debug)]
pub struct SendReplay;

impl TableAction for SendReplay {
    fn button(&self) -> ButtonData {
        ButtonData::new("P")
    }

    fn search(&self) -> TableSearch {
        TableSearch::LastFinished
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            request.handlers.replays.request_replay(request.context, request.guard).await
        })
    }
}
