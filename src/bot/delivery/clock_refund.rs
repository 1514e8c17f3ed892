//! Refunds the player to move for the delay before their board appeared.

use std::sync::Arc;

use super::Delivery;
use super::chat_lease::ShownBoard;
use crate::repository::stored_rows::BoardState;
use crate::repository::{CommitOutcome, Failure, TableChange};
use caravanserai_games::ids::ChatId;
use caravanserai_store::Commit;
use caravanserai_table::state::Table;
use caravanserai_table::{EventMeta, clock};

/// The shortest and the longest time before a board that cannot be shown now is retried, in
/// milliseconds: each attempt adds a refund line to the log.
const UNSHOWN_RETRY_MS: (u64, u64) = (2_000, 30_000);

impl Delivery {
    /// Refunds the delay of a board that is about to be shown in a chat, if the player to move is
    /// there and the board of this turn was not shown there yet: see [`clock::refund_board_delay`].
    /// Returns the table after the refund.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn refund_delay(
        &self,
        table: Arc<Table>,
        chat: &ChatId,
        state: &BoardState,
    ) -> Result<Arc<Table>, Failure> {
        if clock::refund_board_delay(
            &table,
            self.board_delay_ms(&table, chat, state),
            refund_event_meta(0),
        )
        .is_none()
        {
            return Ok(table);
        }
        let Some(mut guard) = self.repository.lock_table(&table.id).await? else {
            return Ok(table);
        };
        let table = guard.table().clone();
        let delay_ms = self.board_delay_ms(&table, chat, state);
        let Some(decision) = clock::refund_board_delay(
            &table,
            delay_ms,
            refund_event_meta(self.repository.now_ms()),
        ) else {
            return Ok(table);
        };
        let change = TableChange::new(&mut guard, decision);
        match self.repository.commit_changes(vec![change], Commit::default()).await? {
            CommitOutcome::Committed => Ok(guard.table().clone()),
            // A concurrent action has changed the table: another board follows.
            CommitOutcome::Conflict => Ok(table),
        }
    }

    /// The time before a board that cannot be shown now is retried, in milliseconds; `None` if no
    /// time is refunded for it.
    pub(super) fn retry_unshown_ms(&self, chat: &ChatId, shown: &ShownBoard) -> Option<u64> {
        let ShownBoard { table, before, .. } = shown;
        let running =
            table.running_clock().filter(|_| self.is_board_awaited(table, chat, before))?;
        clock::refund_board_delay(table, u64::MAX, refund_event_meta(0))?;
        let left_ms = running.until_ms.saturating_sub(self.repository.now_ms());
        // The retry must come before the clock runs out.
        Some((left_ms / 2).clamp(UNSHOWN_RETRY_MS.0, UNSHOWN_RETRY_MS.1))
    }

    /// How long the player to move has waited for the board of this turn in this chat, in
    /// milliseconds; 0 in other chats, and if it was shown.
    fn board_delay_ms(&self, table: &Table, chat: &ChatId, state: &BoardState) -> u64 {
        let Some(running) = table.running_clock() else { return 0 };
        match self.is_board_awaited(table, chat, state) {
            true => self.repository.now_ms().saturating_sub(running.from_ms),
            false => 0,
        }
    }

    /// Whether the player to move is here and has not seen the board of this turn yet.
    pub(super) fn is_board_awaited(
        &self,
        table: &Table,
        chat: &ChatId,
        state: &BoardState,
    ) -> bool {
        let Some(running) = table.running_clock() else { return false };
        let person = table.seating.occupant(running.turn.0).map(|it| &it.person);
        let is_here = person.and_then(|it| table.chat_of(it)) == Some(chat);
        // A chat to which the table is moved during a turn shows a board that the player has seen
        // elsewhere.
        let had_board = state.message.is_some() || chat == table.chats.home();
        is_here && had_board && state.shown_version < running.version
    }
}

fn refund_event_meta(at_ms: u64) -> EventMeta {
    EventMeta::received_now(at_ms, clock::BOARD_DELAY_CAUSE)
}
