//! Words said to the bot alone: a move at the one table where they mean something now.

use std::sync::Arc;

use super::Desk;
use super::visit::{Notes, Visit, brief};
use super::which_table::spelled;
use crate::ledger::Failure;
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_games::rules::Seat;
use caravanserai_games::words::Text;
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::note::{Key, Note};
use caravanserai_protocol::present;
use caravanserai_protocol::press::Ask;
use caravanserai_protocol::request::Which;
use caravanserai_table::command::{Choice, Command};
use caravanserai_table::fold::Table;

/// At most so many tables are offered to choose from.
const OFFERED: usize = 5;

impl Desk {
    /// Acts on words in a private chat. They move only at tables that are shown in this chat: the
    /// writer may not know what the words mean at another table. There the move is offered as a
    /// button.
    pub(super) async fn chatter(&self, visit: &mut Visit<'_>, words: String) -> Notes {
        let person = visit.update.person.id.clone();
        let here = self.open_tables(&visit.update.place.id).await?;
        let choice = Choice::Typed(words.clone());
        let ask = Ask::Do(Command::Play { position: None, choice });
        let meant = self.understanding(&person, &here, &words).await?;
        match meant.as_slice() {
            [only] => {
                let which = Which::Id(only.id.clone());
                return Box::pin(self.on_table(visit, which, ask, true)).await;
            }
            // A number is tried as a move, because the refusal lists what can be played.
            [] if !words.chars().any(|it| it.is_ascii_digit()) || here.is_empty() => {}
            _ => return Box::pin(self.on_table(visit, Which::Own, ask, true)).await,
        }
        let all = self.tables_of(&person).await?;
        let elsewhere: Vec<TableId> = all.into_iter().filter(|it| !here.contains(it)).collect();
        let meant = self.understanding(&person, &elsewhere, &words).await?;
        if meant.is_empty() {
            return Ok(brief("refuse-chatter"));
        }
        let key = |table: &Arc<Table>| {
            let press = spelled(table, &person, &ask)?;
            Some(vec![Key::new(present::line(table, &person), press)])
        };
        let keys = meant.iter().filter_map(key).take(OFFERED).collect();
        Ok(vec![Note { texts: vec![Text::new("which-table")], keys, ..Note::default() }])
    }

    /// Those of these tables at which it is the turn of a person and words mean a move.
    async fn understanding(
        &self,
        person: &PersonId,
        tables: &[TableId],
        words: &str,
    ) -> Result<Vec<Arc<Table>>, Failure> {
        let mut meant = Vec::new();
        for id in tables {
            let Ok(Some(table)) = self.ledger.look(id).await else { continue };
            let own = table.turn().filter(|turn| table.seats_of(person).any(|it| it == *turn));
            let game = table.game.as_deref();
            if own.and_then(|seat| game?.guess(Seat(seat), words, vocabulary())).is_some() {
                meant.push(table);
            }
        }
        Ok(meant)
    }
}
