//! `/stop`: stop showing a table of another chat in this chat.

use super::action::{
    ActionFuture, ButtonData, TableAccess, TableAction, TableCandidate, TableFit, TableRequest,
    without_arguments,
};
use super::argument;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::TABLE],
            ..CommandSpec::understood("stop", |input| input.about_table_without_words(StopShowing))
        }]
    },
    buttons: &[ButtonCode::Table("5", |arguments| without_arguments(arguments, StopShowing))],
    ..CommandFile::EMPTY
};

/// Removes a table from a chat that is not its home.
#[derive(Clone, Copy, Debug)]
pub struct StopShowing;

impl TableAction for StopShowing {
    fn button(&self) -> ButtonData {
        ButtonData::new("5")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        let is_shown_here = candidate.table.chats.location_in(candidate.chat).is_some();
        TableFit::likely_if(is_shown_here && candidate.chat != candidate.table.chats.home())
    }

    fn no_table_key(&self) -> Option<&'static str> {
        Some("refuse-nothing-shown-here")
    }

    fn access(&self) -> TableAccess {
        TableAccess::ShownHere
    }

    fn needs_admin(&self) -> bool {
        true
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            request.handlers.locations.detach_table(request.context, request.guard).await
        })
    }
}
