//! Text in a private chat: a move at a table where the text is a legal move now.

use std::sync::Arc;

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_views};
use super::resolve_table::callback_for_table;
use super::table_index::{open_tables, tables_of};
use crate::commands::action::{RequestOrigin, TableAction, TableRef};
use crate::parsing::request_parser::typed_move;
use crate::repository::{Failure, Repository};
use crate::views::board_view;
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_games::rules::Seat;
use caravanserai_games::text::Text;
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_table::state::Table;

/// The most tables that are offered to choose from.
const TABLES_OFFERED_MAX: usize = 5;

impl Handlers {
    /// Handles a text in a private chat. It moves only at tables that are shown in this chat,
    /// because the writer may not know what it means at another table. For other tables the move is
    /// offered as a button.
    pub(crate) async fn handle_private_text(
        &self,
        context: &mut RequestContext<'_>,
        words: String,
    ) -> HandlerResult {
        let person = context.update.person.id.clone();
        let here = open_tables(&self.repository, &context.update.chat.id).await?;
        let action: Arc<dyn TableAction> = Arc::new(typed_move(&words));
        let matching = tables_that_accept_move(&self.repository, &person, &here, &words).await?;
        match matching.as_slice() {
            [only] => {
                let table_ref = TableRef::Id(only.id.clone());
                return Box::pin(self.handle_table_request(
                    context,
                    table_ref,
                    action,
                    RequestOrigin::Typed,
                ))
                .await;
            }
            // A number is tried as a move, because the refusal lists the legal moves.
            [] if !words.chars().any(|it| it.is_ascii_digit()) || here.is_empty() => {}
            _ => {
                return Box::pin(self.handle_table_request(
                    context,
                    TableRef::Own,
                    action,
                    RequestOrigin::Typed,
                ))
                .await;
            }
        }
        let all = tables_of(&self.repository, &person).await?;
        let elsewhere: Vec<TableId> = all.into_iter().filter(|it| !here.contains(it)).collect();
        let matching =
            tables_that_accept_move(&self.repository, &person, &elsewhere, &words).await?;
        if matching.is_empty() {
            return Ok(brief_views("refuse-chatter"));
        }
        let key = |table: &Arc<Table>| {
            let callback_data = callback_for_table(table, &person, &action);
            vec![ButtonSpec::new(board_view::table_line(table, &person), callback_data)]
        };
        let keys = matching.iter().map(key).take(TABLES_OFFERED_MAX).collect();
        Ok(vec![View {
            texts: vec![Text::new("which-table")],
            button_rows: keys,
            ..View::default()
        }])
    }
}

/// The tables at which it is the person's turn and the text is a legal move.
async fn tables_that_accept_move(
    repository: &Repository,
    person: &PersonId,
    tables: &[TableId],
    words: &str,
) -> Result<Vec<Arc<Table>>, Failure> {
    let mut matching = Vec::new();
    for id in tables {
        let Ok(Some(table)) = repository.load_table(id).await else { continue };
        let own_seat = table.seat_to_move().filter(|turn| table.seating.has_seat(person, *turn));
        let game = table.game.as_deref();
        if own_seat.and_then(|seat| game?.parse_move(Seat(seat), words, vocabulary())).is_some() {
            matching.push(table);
        }
    }
    Ok(matching)
}
