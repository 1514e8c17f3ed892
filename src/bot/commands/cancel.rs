//! `/cancel`: leave or cancel a table before the game starts, or abort the game. In a chat that is
//! not the home of the table: stop showing it there.

use std::sync::Arc;

use super::action::{
    ActionFuture, ButtonData, ExecuteCommand, TableAccess, TableAction, TableCandidate, TableFit,
    TableRequest, execute,
};
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};
use super::stop::StopShowing;
use caravanserai_games::ids::PersonId;
use caravanserai_table::command::{Actor, Command};
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

/// The action for the person who sends the command. A person with neither a seat nor an invitation
/// clears the chat: an admin closes a lobby that was opened there, and a table of another chat is
/// not shown there any more.
fn action_for(table: &Table, actor: &Actor) -> Arc<dyn TableAction> {
    if table.seating.is_seated(&actor.person) || actor.is_invited(table) {
        return Arc::new(command_for(table));
    }
    let is_opened_here = table.chats.home().without_topic() == actor.chat.without_topic();
    if !is_opened_here && table.chats.location_in(&actor.chat).is_some() {
        return Arc::new(StopShowing);
    }
    match table.phase {
        TablePhase::Lobby if is_opened_here && actor.is_admin => execute(Command::Cancel),
        _ => Arc::new(command_for(table)),
    }
}

impl TableAction for CancelTable {
    /// The button before the start: the phase of a table decides, see [`Self::for_table`].
    fn button(&self) -> ButtonData {
        ExecuteCommand(Command::Leave).button()
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        command_for(candidate.table).fit(candidate)
    }

    /// People without a seat may want a table out of their chat that they may not watch.
    fn access(&self) -> TableAccess {
        TableAccess::ShownHere
    }

    fn needs_admin(&self) -> bool {
        true
    }

    fn for_table(&self, table: &Table, _person: &PersonId) -> Option<Arc<dyn TableAction>> {
        Some(Arc::new(command_for(table)))
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let action = action_for(request.table(), &request.context.actor());
            action.run(request).await
        })
    }
}
