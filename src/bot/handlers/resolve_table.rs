//! Finds the table that a request is about.

use std::sync::Arc;

use super::context::{RequestContext, brief_views};
use super::table_index::{open_tables, tables_of};
use crate::commands::action::{TableAction, TableCandidate, TableFit, TableRef, TableSearch};
use crate::repository::{Failure, Repository, keys};
use crate::views::board_view;
use caravanserai_games::ids::{ChatKind, PersonId, TableId};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_store::{Space, StoreQuery};
use caravanserai_table as table;
use caravanserai_table::command::Command;
use caravanserai_table::state::{Table, TablePhase};

/// The most tables that are offered to choose from.
const TABLES_OFFERED_MAX: usize = 10;

/// The table that is meant, or the replies if it is not clear.
pub(crate) enum TableResolution {
    Table(TableId),
    Answer(Vec<View>),
}

/// Finds the table that a request is about.
pub(crate) struct TableResolver {
    repository: Arc<Repository>,
}

impl TableResolver {
    pub(crate) fn new(repository: Arc<Repository>) -> Self {
        Self { repository }
    }

    /// The table that a request means, or the replies if it is not clear.
    pub(crate) async fn resolve_table(
        &self,
        context: &RequestContext<'_>,
        table: TableRef,
        action: &Arc<dyn TableAction>,
    ) -> Result<TableResolution, Failure> {
        match table {
            TableRef::Id(table) => Ok(TableResolution::Table(table)),
            TableRef::Message(_) => match &context.answered_table {
                Some(table) => Ok(TableResolution::Table(table.clone())),
                // A command may be a reply to any message.
                None => self.resolve_own_table(context, action).await,
            },
            TableRef::Own => self.resolve_own_table(context, action).await,
        }
    }

    async fn resolve_own_table(
        &self,
        context: &RequestContext<'_>,
        action: &Arc<dyn TableAction>,
    ) -> Result<TableResolution, Failure> {
        let chat = &context.update.chat.id;
        let person = &context.update.person.id;
        let search = action.search();
        if search == TableSearch::LastFinished {
            let none = || TableResolution::Answer(brief_views("refuse-none-finished"));
            let last = self.last_table(context).await?;
            return Ok(last.map_or_else(none, TableResolution::Table));
        }
        let mut found: Vec<(TableId, TableFit, ButtonSpec)> = Vec::new();
        // A person who asks for their table in private means one that is played elsewhere.
        let is_private = context.update.chat.kind == ChatKind::Private;
        let open = match search == TableSearch::OwnInPrivate && is_private {
            true => tables_of(&self.repository, person).await?,
            false => open_tables(&self.repository, chat).await?,
        };
        let any_here = !open.is_empty();
        for id in open {
            let Ok(Some(table)) = self.repository.load_table(&id).await else { continue };
            let fit = action.fit(&TableCandidate::new(&table, chat, person));
            if fit > TableFit::NoMatch {
                let line = board_view::table_line(&table, person);
                let data = callback_for_table(&table, person, action);
                found.push((id, fit, ButtonSpec::new(line, data)));
            }
        }
        let best = found.iter().map(|(_, fit, _)| *fit).max().unwrap_or(TableFit::NoMatch);
        found.retain(|(_, fit, _)| *fit == best);
        if found.is_empty() && search == TableSearch::OpenOrLastFinished {
            // A rematch is offered after the game has ended, and the chart is of that game.
            if let Some(last) = self.last_table(context).await? {
                return Ok(TableResolution::Table(last));
            }
        }
        if found.is_empty() {
            return Ok(TableResolution::Answer(vec![View::brief(action.no_table_text(any_here))]));
        }
        if found.len() == 1 {
            return Ok(TableResolution::Table(found.swap_remove(0).0));
        }
        let keys =
            found.into_iter().take(TABLES_OFFERED_MAX).map(|(.., key)| key).collect::<Vec<_>>();
        // Every platform shows five rows; with more tables a row has several buttons.
        let in_a_row = keys.len().div_ceil(5);
        let keys = keys.chunks(in_a_row).map(<[ButtonSpec]>::to_vec).collect();
        let texts = vec![Text::new("which-table")];
        Ok(TableResolution::Answer(vec![View { texts, button_rows: keys, ..View::default() }]))
    }

    /// The game that a person finished last in this chat, else the last finished game of the chat.
    async fn last_table(&self, context: &RequestContext<'_>) -> Result<Option<TableId>, Failure> {
        let chat = &context.update.chat.id;
        // The games of all accounts of the person.
        let account_keys =
            std::iter::once(&context.update.person.id).chain(&context.person.accounts);
        let account_keys = account_keys.map(|it| keys::last_table_of(chat, it));
        let keys = account_keys.chain([keys::last_table(chat)]);
        let reads: Vec<StoreQuery> =
            keys.map(|key| StoreQuery::value_of(Space::Meta, key)).collect();
        for found in self.repository.read_many(&reads).await? {
            if let Some(last) = found.value()? {
                return Ok(Some(TableId(String::from_utf8_lossy(&last).into_owned())));
            }
        }
        Ok(None)
    }

    /// The table of the person that waits for its start in this group, with enough players.
    pub(crate) async fn table_to_start(
        &self,
        context: &RequestContext<'_>,
    ) -> Result<Option<TableId>, Failure> {
        if context.update.chat.kind == ChatKind::Private {
            return Ok(None);
        }
        for id in open_tables(&self.repository, &context.update.chat.id).await? {
            let Ok(Some(table)) = self.repository.load_table(&id).await else { continue };
            let is_seated = table.seating.is_seated(&context.update.person.id);
            let is_waiting = table.phase == TablePhase::Lobby && is_seated;
            if is_waiting && table::decide(&table, &context.actor(), &Command::Start).is_ok() {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }
}

/// The callback data of the button with the same action for this table.
pub(crate) fn callback_for_table(
    table: &Table,
    person: &PersonId,
    action: &Arc<dyn TableAction>,
) -> String {
    let action = action.for_table(table, person).unwrap_or_else(|| action.clone());
    action.callback_data(&table.id)
}
