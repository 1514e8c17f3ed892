//! `/cancel`: leave or cancel a table before the game starts, or abort the game.

use std::sync::Arc;

use super::action::{
    ActionFuture, ButtonData, ExecuteCommand, TableAction, TableCandidate, TableFit, TableRequest,
};
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};
use caravanserai_games::ids::PersonId;
use caravanserai_table::command::Command;
use caravanserai_table::state::{Table, TablePhase};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            ..CommandSpec::new("cancel", |input| input.about_table_without_words(CancelTable))
        }]
    },
    ..CommandFile::EMPTY
};

/// Ends what the person has begun at a table, as far as its phase allows.
#[derive(Clone, Copy, Debug)]
pub struct CancelTable;

/// The command for the phase of a table.
fn command_for(table: &Table) -> ExecuteCommand {
    ExecuteCommand(match table.phase {
        TablePhase::Lobby => Command::Leave,
        _ => Command::Abort,
    })
}

impl TableAction for CancelTable {
    /// The button before the start: the phase of a table decides, see [`Self::for_table`].
    fn button(&self) -> ButtonData {
        ExecuteCommand(Command::Leave).button()
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        command_for(candidate.table).fit(candidate)
    }

    fn needs_admin(&self) -> bool {
        true
    }

    fn for_table(&self, table: &Table, _person: &PersonId) -> Option<Arc<dyn TableAction>> {
        Some(Arc::new(command_for(table)))
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move { command_for(request.guard.table()).run(request).await })
    }
}
