//! `/private`: play at a table in the private chat with the bot.

use super::action::{
    ActionFuture, ButtonData, TableAccess, TableAction, TableCandidate, TableFit, TableRequest,
    TableSearch, without_arguments,
};
use super::argument;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup, Suggestions};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::TABLE],
            suggestions: Suggestions::OwnTables,
            ..CommandSpec::understood("private", |input| {
                input.about_table_without_words(PlayInPrivate)
            })
        }]
    },
    buttons: &[ButtonCode::Table("4", |arguments| without_arguments(arguments, PlayInPrivate))],
    ..CommandFile::EMPTY
};

/// Shows the table in the private chat of the person.
#[derive(Clone, Copy, Debug)]
pub struct PlayInPrivate;

impl TableAction for PlayInPrivate {
    fn button(&self) -> ButtonData {
        ButtonData::new("4")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        let plays = candidate.is_seated && candidate.is_playing;
        let is_solo = candidate.table.is_solo();
        TableFit::likely_or_possible(plays && !is_solo, !is_solo)
    }

    fn search(&self) -> TableSearch {
        TableSearch::OwnInPrivate
    }

    fn no_table_key(&self) -> Option<&'static str> {
        Some("refuse-no-private-board")
    }

    fn access(&self) -> TableAccess {
        TableAccess::AnyoneWithCode
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            request.handlers.locations.play_in_private(request.context, request.guard).await
        })
    }
}
