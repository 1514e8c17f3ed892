//! `/record`: send the record of the last game.

use async_trait::async_trait;

use super::action::{
    ButtonData, TableAction, TableCandidate, TableFit, TableRequest, TableSearch, without_arguments,
};
use super::argument;
use super::registry::{ButtonCode, CommandFile};
use super::spec::CommandSpec;
use crate::handlers::HandlerResult;
use crate::handlers::table_requests::record_notes;

/// What this file adds.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            arguments: vec![argument::TABLE],
            ..CommandSpec::understood("record", |input| input.about_table_without_words(ShowRecord))
        }]
    },
    buttons: &[ButtonCode::Table("c", |arguments| without_arguments(arguments, ShowRecord))],
    ..CommandFile::EMPTY
};

/// Sends the record of a game to whoever asks.
#[derive(Clone, Copy, Debug)]
pub struct ShowRecord;

#[async_trait]
impl TableAction for ShowRecord {
    fn button(&self) -> ButtonData {
        ButtonData::new("c")
    }

    fn fit(&self, _candidate: &TableCandidate<'_>) -> TableFit {
        TableFit::NoMatch
    }

    fn search(&self) -> TableSearch {
        TableSearch::LastFinished
    }

    async fn run(&self, request: TableRequest<'_, '_>) -> HandlerResult {
        Ok(record_notes(request.guard.table()))
    }
}
