//! `/record`: send the record of the last game.

use super::action::{
    ActionFuture, ButtonData, TableAction, TableRequest, TableSearch, without_arguments,
};
use super::argument;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::table_requests::record_views;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Analysis),
            arguments: vec![argument::TABLE],
            ..CommandSpec::understood("record", |input| input.about_table_without_words(ShowRecord))
        }]
    },
    buttons: &[ButtonCode::Table("c", |arguments| without_arguments(arguments, ShowRecord))],
    ..CommandFile::EMPTY
};

/// Sends the person the record of a game.
#[derive(Clone, Copy, Debug)]
pub struct ShowRecord;

impl TableAction for ShowRecord {
    fn button(&self) -> ButtonData {
        ButtonData::new("c")
    }

    fn search(&self) -> TableSearch {
        TableSearch::LastFinished
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move { Ok(record_views(request.guard.table())) })
    }
}
