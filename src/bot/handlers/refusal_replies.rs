//! Replies to refusals, and shows the current state to people who pressed old buttons.

use std::sync::Arc;

use super::context::{HandlerResult, RequestContext};
use super::private_hand::PrivateHands;
use super::update_committer::UpdateCommitter;
use crate::delivery::Delivery;
use crate::repository::outbox_entry::{BoardTask, OutboxEntry};
use crate::repository::{Failure, Repository, TableGuard};
use crate::views::{board_view, hand_views};
use caravanserai_protocol::view::View;
use caravanserai_store::{Commit, Put};
use caravanserai_table::Refusal;
use caravanserai_table::state::Table;

/// Replies to refused commands.
pub(crate) struct RefusalReplies {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
    committer: Arc<UpdateCommitter>,
    hands: Arc<PrivateHands>,
}

impl RefusalReplies {
    pub(crate) fn new(
        repository: Arc<Repository>,
        delivery: Arc<Delivery>,
        committer: Arc<UpdateCommitter>,
        hands: Arc<PrivateHands>,
    ) -> Self {
        Self { repository, delivery, committer, hands }
    }

    /// The replies to a refusal. A person who looked at an old board gets the current one.
    pub(crate) async fn refusal_views(
        &self,
        context: &mut RequestContext<'_>,
        guard: TableGuard,
        refusal: Refusal,
    ) -> HandlerResult {
        context.is_refused = true;
        let secret = reveals_hand(guard.table(), &refusal);
        let text = board_view::insert_player_names(guard.table(), refusal.text);
        let mut views = vec![View { secret, ..View::brief(text) }];
        if refusal.is_stale && context.is_press() {
            views.extend(self.current_hand(context, guard.table()).await?);
        }
        if !context.is_press() {
            // Text refers to the current state: a redelivery must not have an effect.
            let _ = self
                .committer
                .commit_changes(context, Vec::new(), Commit::default(), &views)
                .await?;
        }
        if refusal.is_stale && context.is_press() {
            let puts = self.refresh_stale_view(context, guard.table()).await?;
            drop(guard);
            let _ = self
                .committer
                .commit_changes(context, Vec::new(), Commit::from_puts(puts), &views)
                .await?;
        }
        Ok(views)
    }

    /// The current hand of a player who pressed an old button under their hand, to replace it;
    /// `None` if the board itself shows the hand.
    async fn current_hand(
        &self,
        context: &RequestContext<'_>,
        table: &Table,
    ) -> Result<Option<View>, Failure> {
        let chat = context.table_chat(table);
        let is_private = table.chats.location_in(chat).is_none_or(|it| it.reader.is_some());
        let shows_hand_itself = context.update.is_by_guest()
            || self.delivery.is_single_message_chat(chat)
            || is_private;
        if shows_hand_itself
            || !hand_views::has_hands(table)
            || context.is_board_button_press(&self.repository).await?
        {
            return Ok(None);
        }
        let mut views = self.hands.own_hand_views(context, table).await;
        Ok(views.pop().filter(|it| it.slot.is_some()))
    }

    /// The board tasks that show the current state to a person who pressed an old button: the
    /// board, posted again if they looked at an older board.
    async fn refresh_stale_view(
        &self,
        context: &RequestContext<'_>,
        table: &Table,
    ) -> Result<Vec<Put>, Failure> {
        let chat = context.table_chat(table);
        let Some(message) = context.pressed_message() else {
            return Ok(vec![OutboxEntry::board(chat, table, BoardTask::default()).encode()]);
        };
        let is_board = context.is_board_button_press(&self.repository).await?;
        let live_board = self.delivery.live_board(table, chat).await?;
        let post_again = is_board && live_board.is_some_and(|live_board| live_board != *message);
        let task = BoardTask { to_bottom: post_again, ..BoardTask::default() };
        Ok(vec![OutboxEntry::board(chat, table, task).encode()])
    }
}

/// Whether a refusal reveals the hand of a player: the cards that they may play, or what the rules
/// demand of their cards.
fn reveals_hand(table: &Table, refusal: &Refusal) -> bool {
    let info = table.game_id().info();
    let key = refusal.text.key.as_ref();
    let is_of_game = key.strip_prefix(info.code).is_some_and(|it| it.starts_with('-'));
    info.hidden && (is_of_game || key == "refuse-what-move")
}
