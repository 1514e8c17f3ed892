//! Posts replays and reviews when they are ready.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::board_message::SendContext;
use super::send_worker::CallOutcome;
use super::table_message::TableMessage;
use super::{Delivery, REPOST_INTERVAL_MS};
use crate::repository::stored_rows::{parse_json_or_default, put_json, remove_row};
use crate::repository::{DAY_MS, Failure, keys};
use crate::views::review_views::{replay_caption, review_view};
use crate::workers::GameReview;
use caravanserai_games::ids::{ChatId, MessageId, TableId};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;
use caravanserai_protocol::{Attachment, Notification, OutgoingMessage, SendError, ViewerPage};
use caravanserai_store::{Put, Space};

/// The message about a review that is being made, in one chat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ReviewStatusMessage {
    /// The message that shows the progress, if it could be posted.
    message: Option<MessageId>,
    /// The progress that was last to be shown, in percent.
    #[serde(rename = "made")]
    progress_percent: u8,
}

/// The progress in percent after which the message is edited again, because edits use up the call
/// limit of a group.
const PROGRESS_STEP_PERCENT: u8 = 30;

/// How long a status message is remembered, in milliseconds.
const STATUS_MESSAGE_TTL_MS: u64 = DAY_MS;

impl Delivery {
    /// The status message to show in a chat for a review with this progress; `None` if it has
    /// advanced little, or if boards are already delayed.
    pub(super) async fn review_status_update(
        &self,
        chat: &ChatId,
        table: &TableId,
        progress_percent: Option<u8>,
    ) -> Result<Option<ReviewStatusMessage>, Failure> {
        let progress_percent = progress_percent.filter(|_| !self.are_boards_delayed(chat));
        let Some(progress_percent) = progress_percent else { return Ok(None) };
        let current = self.load_status_message(chat, table).await?;
        let is_new = current.as_ref().is_none_or(|it| {
            progress_percent >= it.progress_percent.saturating_add(PROGRESS_STEP_PERCENT)
        });
        let message = current.and_then(|it| it.message);
        Ok(is_new.then_some(ReviewStatusMessage { message, progress_percent }))
    }

    async fn load_status_message(
        &self,
        chat: &ChatId,
        table: &TableId,
    ) -> Result<Option<ReviewStatusMessage>, Failure> {
        let key = keys::review_status_message(chat, table);
        let stored = self.repository.read_value(Space::Meta, &key).await?;
        Ok(stored.map(|it| parse_json_or_default(Some(it))))
    }

    /// The row that stores when a replay or review was shown in a chat.
    fn shown_mark_put(&self, key: String) -> Put {
        let now_ms = self.repository.now_ms();
        put_json(Space::Meta, key, &now_ms).expires_at(now_ms + REPOST_INTERVAL_MS)
    }
}

impl SendContext<'_> {
    /// Posts a rendered replay.
    pub(super) async fn post_replay(
        self,
        id: &TableId,
        file: Option<Arc<Vec<u8>>>,
    ) -> Result<CallOutcome, Failure> {
        let repository = &self.delivery.repository;
        let (Some(bytes), Some(table)) = (file, repository.load_table(id).await?) else {
            return Ok(CallOutcome::no_call());
        };
        let view = replay_caption(&table);
        let nonce = format!("replay {} {}", id.0, repository.now_ms() / REPOST_INTERVAL_MS);
        let reader = self.profile.display_prefs();
        let mut message =
            self.delivery.message_renderer.render_outgoing(&view, &reader, nonce, None).await?;
        let name = format!("{}-{}.gif", table.game_id().info().code, id.0);
        let alt = Some(message.text.to_plain());
        message.file = Some(Attachment { name, bytes, animation: alt });
        message.viewer_page = Some(ViewerPage::replay(id.clone()));
        let message = OutgoingMessage { notification: Notification::Silent, ..message };
        let sent = self.post_with_text_fallback(&message.into()).await;
        Ok(CallOutcome::with_rows(
            sent.map(drop),
            vec![self.delivery.shown_mark_put(keys::replay_shown(self.chat, id))],
        ))
    }

    /// Shows the progress of a review. A step that cannot be shown is skipped: the next one is
    /// tried again.
    pub(super) async fn post_review_progress(
        self,
        id: &TableId,
        status: &ReviewStatusMessage,
    ) -> Result<CallOutcome, Failure> {
        let repository = &self.delivery.repository;
        let Some(table) = repository.load_table(id).await? else {
            return Ok(CallOutcome::no_call());
        };
        let game = table.game_id().info().name_text();
        let text = Text::new("answer-review-progress").with("game", game);
        let view =
            View { texts: vec![text.with("made", status.progress_percent)], ..View::default() };
        let nonce = format!("reviewing {} {}", id.0, repository.now_ms() / REPOST_INTERVAL_MS);
        let message = self
            .delivery
            .message_renderer
            .render_outgoing(&view, &self.profile.display_prefs(), nonce, None)
            .await?;
        let message = match self.edit_or_post(status.message.as_ref(), &message.into()).await {
            Ok(id) => Some(id),
            Err(error @ (SendError::NotNow | SendError::Refused(_))) => {
                let chat = &self.chat.0;
                tracing::debug!(%chat, %error, "failed to show the progress of a review");
                status.message.clone()
            }
            Err(error) => return Ok(CallOutcome::without_rows(Err(error))),
        };
        let current = ReviewStatusMessage { message, progress_percent: status.progress_percent };
        let until_ms = repository.now_ms() + STATUS_MESSAGE_TTL_MS;
        let row = put_json(Space::Meta, keys::review_status_message(self.chat, id), &current)
            .expires_at(until_ms);
        Ok(CallOutcome::with_rows(Ok(()), vec![row]))
    }

    /// Edits this message if it still exists, else posts a new one.
    async fn edit_or_post(
        &self,
        message: Option<&MessageId>,
        content: &TableMessage,
    ) -> Result<MessageId, SendError> {
        if let Some(id) = message {
            match self.edit_message(id, content).await {
                Err(SendError::MessageGone | SendError::Refused(_)) => {}
                edited => return edited.map(|()| id.clone()),
            }
        }
        self.post_with_text_fallback(content).await
    }

    /// Posts a finished review in place of its status message, or below it if that cannot be edited
    /// now.
    pub(super) async fn post_review(
        self,
        id: &TableId,
        review: &GameReview,
    ) -> Result<CallOutcome, Failure> {
        let repository = &self.delivery.repository;
        let Some(table) = repository.load_table(id).await? else {
            return Ok(CallOutcome::no_call());
        };
        let view = review_view(&table, review);
        let nonce = format!("review {} {}", id.0, repository.now_ms() / REPOST_INTERVAL_MS);
        let reader = self.profile.display_prefs();
        let message = self
            .delivery
            .message_renderer
            .render_outgoing(&view, &reader, nonce, Some(&table))
            .await?;
        let message = OutgoingMessage { notification: Notification::Silent, ..message }.into();
        let status = self.delivery.load_status_message(self.chat, id).await?;
        let current = status.as_ref().and_then(|it| it.message.as_ref());
        let sent = match self.edit_or_post(current, &message).await {
            Err(SendError::NotNow) if current.is_some() => {
                self.post_with_text_fallback(&message).await
            }
            sent => sent,
        };
        let shown = self.delivery.shown_mark_put(keys::review_shown(self.chat, id));
        let removal =
            status.map(|_| remove_row(Space::Meta, keys::review_status_message(self.chat, id)));
        Ok(CallOutcome::with_rows(sent.map(drop), removal.into_iter().chain([shown]).collect()))
    }
}
