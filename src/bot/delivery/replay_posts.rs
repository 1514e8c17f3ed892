//! Posts replays and reviews when they are ready.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::board_message::SendContext;
use super::send_worker::CallOutcome;
use super::table_message::TableMessage;
use super::{Delivery, REPOST_INTERVAL_MS};
use crate::commands::review::{ShowLuck, ShowReviewedMove};
use crate::repository::stored_rows::{parse_json_or_default, put_json, remove_row};
use crate::repository::{DAY_MS, Failure, keys};
use crate::views::board_view;
use crate::workers::{GameReview, ReviewedMove};
use caravanserai_games::ids::{MessageId, PlaceId, TableId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};
use caravanserai_protocol::{Attachment, Notification, OutgoingMessage, SendError, ViewerPage};
use caravanserai_results::ResultShare;
use caravanserai_store::{Put, Space};
use caravanserai_table::review::to_percent;
use caravanserai_table::state::{Table, TablePhase};

/// The number of buttons for moves in a row.
const BUTTONS_PER_ROW: usize = 4;

/// The message about a review that is being made, in one place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ReviewStatusMessage {
    /// The message that shows the progress, if it could be posted.
    message: Option<MessageId>,
    /// The progress that was last to be shown, in percent.
    made: u8,
}

/// The progress in percent after which the message is edited again, because edits use up the call
/// limit of a group.
const PROGRESS_STEP_PERCENT: u8 = 30;

/// How long a status message is remembered, in milliseconds.
const STATUS_MESSAGE_TTL_MS: u64 = DAY_MS;

impl Delivery {
    /// The status message to show in a place for a review with this progress; `None` if it has
    /// advanced little, or if boards are already delayed.
    pub(super) async fn review_status_update(
        &self,
        place: &PlaceId,
        table: &TableId,
        made: Option<u8>,
    ) -> Result<Option<ReviewStatusMessage>, Failure> {
        let Some(made) = made.filter(|_| !self.are_boards_delayed(place)) else { return Ok(None) };
        let current = self.load_status_message(place, table).await?;
        let is_new =
            current.as_ref().is_none_or(|it| made >= it.made.saturating_add(PROGRESS_STEP_PERCENT));
        let message = current.and_then(|it| it.message);
        Ok(is_new.then_some(ReviewStatusMessage { message, made }))
    }

    async fn load_status_message(
        &self,
        place: &PlaceId,
        table: &TableId,
    ) -> Result<Option<ReviewStatusMessage>, Failure> {
        let key = keys::review_status_message(place, table);
        let stored = self.repository.read_value(Space::Meta, &key).await?;
        Ok(stored.map(|it| parse_json_or_default(Some(it))))
    }

    /// The row that stores when a replay or review was shown in a place.
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
            vec![self.delivery.shown_mark_put(keys::replay_shown(self.place, id))],
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
        let game = Text::new(format!("game-{}", table.game_id().info().code));
        let text = Text::new("answer-review-progress").with("game", game);
        let view = View { texts: vec![text.with("made", status.made)], ..View::default() };
        let nonce = format!("reviewing {} {}", id.0, repository.now_ms() / REPOST_INTERVAL_MS);
        let message = self
            .delivery
            .message_renderer
            .render_outgoing(&view, &self.profile.display_prefs(), nonce, None)
            .await?;
        let message = match self.edit_or_post(status.message.as_ref(), &message.into()).await {
            Ok(id) => Some(id),
            Err(error @ (SendError::NotNow | SendError::Refused(_))) => {
                tracing::debug!(place = %self.place.0, %error, "failed to show a progress");
                status.message.clone()
            }
            Err(error) => return Ok(CallOutcome::without_rows(Err(error))),
        };
        let current = ReviewStatusMessage { message, made: status.made };
        let until_ms = repository.now_ms() + STATUS_MESSAGE_TTL_MS;
        let row = put_json(Space::Meta, keys::review_status_message(self.place, id), &current)
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
        let status = self.delivery.load_status_message(self.place, id).await?;
        let current = status.as_ref().and_then(|it| it.message.as_ref());
        let sent = match self.edit_or_post(current, &message).await {
            Err(SendError::NotNow) if current.is_some() => {
                self.post_with_text_fallback(&message).await
            }
            sent => sent,
        };
        let shown = self.delivery.shown_mark_put(keys::review_shown(self.place, id));
        let removal =
            status.map(|_| remove_row(Space::Meta, keys::review_status_message(self.place, id)));
        Ok(CallOutcome::with_rows(sent.map(drop), removal.into_iter().chain([shown]).collect()))
    }
}

/// The caption of a replay: the game, the players and the result.
fn replay_caption(table: &Table) -> View {
    let title = Text::new("answer-replay-title")
        .with("game", Text::new(format!("game-{}", table.game_id().info().code)))
        .with("table", table.id.0.as_str())
        .with("names", Arg::Names(table.player_names()));
    let mut texts = vec![title];
    if let TablePhase::Over { scores, reason } = &table.phase {
        texts.push(board_view::result_text(table, scores, *reason));
    }
    let texts = texts.into_iter().map(|it| board_view::insert_player_names(table, it)).collect();
    View { texts, ..View::default() }
}

/// The texts about one move of a review; seats are not replaced by names yet.
pub fn moment_texts(it: &ReviewedMove) -> Vec<Text> {
    let mut texts = vec![
        Text::new("answer-moment")
            .with("move", it.shown_number())
            .with("name", Arg::Seat(it.seat))
            .with("played", it.played.clone())
            .with("better", it.better.clone()),
        Text::new("answer-moment-chance")
            .with("before", to_percent(it.before))
            .with("after", to_percent(it.after)),
    ];
    if let Some((seat, answer)) = &it.answer {
        let answer_text = Text::new("answer-moment-answer").with("name", Arg::Seat(*seat));
        texts.push(answer_text.with("answer", answer.clone()));
    }
    texts
}

/// The number of moments that a review describes in full; the others have their number, their
/// chances and their button. The text is the caption of a picture, which must be short.
fn detailed_moments(count: usize) -> usize {
    match count {
        ..=5 => count,
        6..=12 => 5,
        13.. => 2,
    }
}

/// The parts of the result of each side: how much came from luck and how much from play.
pub fn luck_view(table: &Table, shares: &[ResultShare]) -> View {
    let line = |it: &ResultShare| {
        let [start, own, others, result] =
            [it.start, -it.own_mistakes, it.others_mistakes, it.result].map(points);
        Text::new("answer-luck-line")
            .with("side", side_names(it))
            .with("start", start)
            .with("own", signed(own))
            .with("others", signed(others))
            // The shown numbers must add up.
            .with("luck", signed(result - start - own - others))
            .with("result", result)
    };
    let mut texts = vec![Text::new("answer-luck")];
    texts.extend(shares.iter().map(line));
    texts.push(Text::new("answer-luck-about"));
    board_view::with_player_names(table, View { texts, ..View::default() })
}

fn side_names(share: &ResultShare) -> Arg {
    Arg::Names(share.seats.iter().map(|it| Arg::Seat(*it)).collect())
}

/// Thousandths of a chance as points of a hundred.
fn points(thousandths: i32) -> i64 {
    (f64::from(thousandths) / 10.0).round() as i64
}

/// Points with their sign.
fn signed(points: i64) -> String {
    let sign = if points < 0 { "−" } else { "+" };
    format!("{sign}{}", points.abs())
}

/// The view of a review for everybody in the place. It lists every moment, the largest drop first.
pub fn review_view(table: &Table, review: &GameReview) -> View {
    let game = Text::new(format!("game-{}", table.game_id().info().code));
    let title = Text::new("answer-review-title").with("game", game);
    let mut texts = vec![title.with("table", table.id.0.as_str())];
    let line = |key: &'static str, n: i64, it: &ReviewedMove| {
        Text::new(key)
            .with("n", n)
            .with("move", it.shown_number())
            .with("before", to_percent(it.before))
            .with("after", to_percent(it.after))
    };
    let detailed = |(n, it): (i64, &ReviewedMove)| {
        line("answer-review-line", n, it)
            .with("name", Arg::Seat(it.seat))
            .with("played", it.played.clone())
            .with("better", it.better.clone())
    };
    let mut moments = (1..).zip(&review.moments);
    texts.extend(moments.by_ref().take(detailed_moments(review.moments.len())).map(detailed));
    let others: Vec<Arg> =
        moments.map(|(n, it)| Arg::from(line("answer-review-short", n, it))).collect();
    if !others.is_empty() {
        texts.push(Text::new("answer-review-more").with("moves", Arg::List(others)));
    }
    let note = match (review.is_incomplete, review.has_chart()) {
        (true, false) => Some("answer-review-failed"),
        (true, true) => Some("answer-review-incomplete"),
        (false, _) => review.moments.is_empty().then_some("answer-review-none"),
    };
    texts.extend(note.map(Text::new));
    texts.extend(review.has_chart().then(|| Text::new("answer-review-chart")));
    let key = |n: u8| {
        let press = board_view::table_callback_data(table, &ShowReviewedMove { n });
        ButtonSpec::new(Arg::Plain(n.to_string()), press)
    };
    let keys: Vec<ButtonSpec> = (1..=review.moments.len() as u8).map(key).collect();
    let mut keys: Vec<Vec<ButtonSpec>> =
        keys.chunks(BUTTONS_PER_ROW).map(<[ButtonSpec]>::to_vec).collect();
    if !review.shares.is_empty() {
        let press = board_view::table_callback_data(table, &ShowLuck);
        keys.push(vec![ButtonSpec::new(Text::new("button-luck"), press)]);
    }
    let picture = review.has_chart().then(|| PictureRef::Review { table: table.id.0.clone() });
    board_view::with_player_names(
        table,
        View { texts, picture, button_rows: keys, ..View::default() },
    )
}
