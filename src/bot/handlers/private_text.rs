//! Words said to the bot alone: a move at the one table where they mean something now.

use std::sync::Arc;

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_note};
use super::resolve_table::callback_for_table;
use crate::commands::action::{TableAction, TableRef};
use crate::parsing::request_parser::typed_move;
use crate::repository::Failure;
use crate::views::board_view;
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_games::rules::Seat;
use caravanserai_games::text::Text;
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_table::state::Table;

/// At most so many tables are offered to choose from.
const TABLES_OFFERED_MAX: usize = 5;

impl Handlers {
    /// Acts on words in a private chat. They move only at tables that are shown in this chat: the
    /// writer may not know what the words mean at another table. There the move is offered as a
    /// button.
    pub(crate) async fn handle_private_text(
        &self,
        visit: &mut RequestContext<'_>,
        words: String,
    ) -> HandlerResult {
        let person = visit.update.person.id.clone();
        let here = self.open_tables(&visit.update.chat.id).await?;
        let action: Arc<dyn TableAction> = Arc::new(typed_move(&words));
        let meant = self.tables_that_accept_move(&person, &here, &words).await?;
        match meant.as_slice() {
            [only] => {
                let which = TableRef::Id(only.id.clone());
                return Box::pin(self.handle_table_request(visit, which, action, true)).await;
            }
            // A number is tried as a move, because the refusal lists what can be played.
            [] if !words.chars().any(|it| it.is_ascii_digit()) || here.is_empty() => {}
            _ => {
                return Box::pin(self.handle_table_request(visit, TableRef::Own, action, true))
                    .await;
            }
        }
        let all = self.tables_of(&person).await?;
        let elsewhere: Vec<TableId> = all.into_iter().filter(|it| !here.contains(it)).collect();
        let meant = self.tables_that_accept_move(&person, &elsewhere, &words).await?;
        if meant.is_empty() {
            return Ok(brief_note("refuse-chatter"));
        }
        let key = |table: &Arc<Table>| {
            let press = callback_for_table(table, &person, &action);
            vec![ButtonSpec::new(board_view::table_line(table, &person), press)]
        };
        let keys = meant.iter().map(key).take(TABLES_OFFERED_MAX).collect();
        Ok(vec![View { texts: vec![Text::new("which-table")], keys, ..View::default() }])
    }

    /// Those of these tables at which it is the turn of a person and words mean a move.
    async fn tables_that_accept_move(
        &self,
        person: &PersonId,
        tables: &[TableId],
        words: &str,
    ) -> Result<Vec<Arc<Table>>, Failure> {
        let mut meant = Vec::new();
        for id in tables {
            let Ok(Some(table)) = self.repository.load_table(id).await else { continue };
            let own =
                table.seat_to_move().filter(|turn| table.seats_of(person).any(|it| it == *turn));
            let game = table.game.as_deref();
            if own.and_then(|seat| game?.parse_move(Seat(seat), words, vocabulary())).is_some() {
                meant.push(table);
            }
        }
        Ok(meant)
    }
}
