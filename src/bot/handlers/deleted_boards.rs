//! Posts boards again that people have deleted: without its buttons the player to move cannot play
//! while the clock runs.

use std::sync::Arc;

use super::request_limiter::RequestLimiter;
use crate::delivery::Delivery;
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::{Failure, Repository, keys};
use caravanserai_games::ids::{ChatId, MessageId, TableId};
use caravanserai_store::{Space, StoreQuery};

/// How often in an hour the board of a table is posted again: a moderator who keeps deleting it
/// wants it gone. It still comes back when it changes.
const REPOSTS_PER_HOUR: u32 = 3;

/// Posts deleted boards again.
pub(crate) struct DeletedBoards {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
    limiter: RequestLimiter,
}

impl DeletedBoards {
    pub(crate) fn new(repository: Arc<Repository>, delivery: Arc<Delivery>) -> Self {
        let limiter = RequestLimiter::per_hour(REPOSTS_PER_HOUR, repository.time_source().clone());
        Self { repository, delivery, limiter }
    }

    /// Posts the boards of open games again that are among these deleted messages of a chat.
    pub(crate) async fn restore_boards(
        &self,
        chat: &ChatId,
        deleted: &[MessageId],
    ) -> Result<(), Failure> {
        let query = |it| StoreQuery::value_of(Space::Message, keys::message(chat, it));
        let reads: Vec<StoreQuery> = deleted.iter().map(query).collect();
        let found = self.repository.read_many(&reads).await?;
        let mut puts = Vec::new();
        for (message, found) in deleted.iter().zip(found) {
            let Some(id) = found.value()? else { continue };
            let id = TableId(String::from_utf8_lossy(&id).into_owned());
            // A table that cannot be read is reported when it is used.
            let table = self.repository.load_table(&id).await.ok().flatten();
            let Some(table) = table.filter(|it| it.is_open()) else { continue };
            // Older boards and pings are deleted by the bot, too.
            let live = self.delivery.live_board(&table, chat).await?;
            if live.as_ref() == Some(message) && self.limiter.allow_about_table(&id) {
                puts.push(OutboxEntry::changed_board(chat, &table).encode());
            }
        }
        self.repository.put_all(puts).await
    }
}
