//! Moves games that consisted of one message to the private chats of their players when that
//! message was deleted: the platform does not say by whom, and nobody may end a game by that.

use super::board_message::{CallResult, SendContext};
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::row_update::TypedRowKey;
use crate::repository::{CommitOutcome, Failure, TableChange, keys};
use caravanserai_games::ids::{ChatId, ChatKind, PersonId, TableId};
use caravanserai_games::text::Text;
use caravanserai_protocol::SendError;
use caravanserai_protocol::view::View;
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::presence::{self, LostBoard};
use caravanserai_table::{AttachedChat, Table, TablePhase};

/// The attempts to move a game while people act at the same moment.
const MOVE_TRIES: usize = 3;

impl SendContext<'_> {
    /// Moves the games of this chat, whose only message was deleted. Repeating it changes nothing.
    /// Games that nobody can reach stay.
    ///
    /// # Errors
    /// Inside, when it has to be repeated.
    pub(super) async fn move_lost_games(self) -> CallResult {
        let prefix = format!("{} ", self.chat.0);
        let repository = &self.delivery.repository;
        for (key, _) in repository.read_all_rows(Space::ChatTable, &prefix).await? {
            let id = TableId(keys::last_part(&key).to_owned());
            match self.move_lost_game(&id).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return Ok(Err(error)),
                Err(failure @ Failure::Store(_)) => return Err(failure),
                // A damaged table must not keep the others from moving.
                Err(failure) => {
                    tracing::error!(
                        table = id.0, %failure,
                        "failed to move a game whose message was deleted"
                    );
                }
            }
        }
        Ok(Ok(()))
    }

    async fn move_lost_game(self, id: &TableId) -> CallResult {
        let repository = &self.delivery.repository;
        let Some(table) = repository.load_table(id).await? else { return Ok(Ok(())) };
        if table.phase != TablePhase::Playing {
            return Ok(Ok(()));
        }
        let lost = match self.plan_lost_board(&table).await? {
            Ok(lost) => lost,
            Err(error) => return Ok(Err(error)),
        };
        let has_other_chat =
            table.chats.locations().any(|it| it.chat != self.chat && !it.is_watch_only);
        if lost.private_chats.is_empty() && !has_other_chat {
            return Ok(Ok(()));
        }
        let notes: Vec<Put> =
            lost.private_chats.iter().map(|it| lost_board_message(&it.chat, &table)).collect();
        for _ in 0..MOVE_TRIES {
            let Some(mut guard) = repository.lock_table(id).await? else { return Ok(Ok(())) };
            let now_ms = repository.now_ms();
            let decision = presence::move_lost_board(guard.table(), self.chat, &lost, now_ms)
                .map_err(|why| Failure::Damaged(id.clone(), why))?;
            let Some(decision) = decision else { return Ok(Ok(())) };
            let change = TableChange::new(&mut guard, decision);
            let commit = Commit::from_puts(notes.clone());
            if repository.commit_changes(vec![change], commit).await? == CommitOutcome::Committed {
                tracing::info!(
                    table = id.0,
                    "moved a game to private chats: its message was deleted"
                );
                return Ok(Ok(()));
            }
        }
        Ok(Err(SendError::Temporary("too many conflicting writes to a table".to_owned())))
    }

    /// Finds a private chat for each player who reached the game only by the deleted message.
    async fn plan_lost_board(self, table: &Table) -> CallResult<LostBoard> {
        let shown = self.delivery.board_state(table, self.chat).await?.shown_version;
        let mut lost = LostBoard { shown, ..LostBoard::default() };
        for person in table.seating.people() {
            let has_open_chat = table.open_chats(person).next().is_some();
            if !has_open_chat || !presence::reaches_only(table, person, self.chat) {
                continue;
            }
            match self.other_route(person).await? {
                Ok(Some(chat)) => lost.private_chats.push(AttachedChat {
                    chat,
                    kind: ChatKind::Private,
                    attached_by: person.clone(),
                    is_watch_only: false,
                }),
                Ok(None) => lost.unreachable.push(person.clone()),
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(lost))
    }

    /// The private chat of a person with the bot, if it can write there.
    async fn other_route(self, person: &PersonId) -> CallResult<Option<ChatId>> {
        let repository = &self.delivery.repository;
        let account = self.account_here(person).await?;
        let chat = match self.delivery.private_chat_id(&account).await {
            Ok(chat) => chat,
            Err(error) if error.is_transient() => return Ok(Err(error)),
            Err(_) => return Ok(Ok(None)),
        };
        let stored = repository.read_row(TypedRowKey::chat(&chat)).await?;
        let forbidden = repository.read_value(Space::Meta, &keys::send_forbidden(&chat)).await?;
        let is_reachable = !stored.value().is_unreachable && forbidden.is_none();
        Ok(Ok(is_reachable.then_some(chat)))
    }
}

/// The message in a private chat about a game that goes on there.
fn lost_board_message(private_chat: &ChatId, table: &Table) -> Put {
    let text = Text::new("answer-message-deleted").with("table", &*table.id.0);
    let note = format!("lost/{}", table.id.0);
    OutboxEntry::post(private_chat, &note, View::persistent(vec![text])).encode()
}
