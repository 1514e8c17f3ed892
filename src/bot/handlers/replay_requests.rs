//! Requests after a game: replays and reviews, which take time and are then posted once in a chat,
//! and charts.
//!
//! Each has a row in the outbox until it is posted, and a row with the time when it was shown.

use std::sync::Arc;

use super::context::{HandlerResult, RequestContext, brief_views};
use super::unaided_games::{game_runs_text, is_practice, unaided_table};
use super::update_committer::UpdateCommitter;
use crate::delivery::REPOST_INTERVAL_MS;
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::stored_rows::parse_json_or_default;
use crate::repository::{Failure, Repository, TableGuard, keys};
use crate::views::board_view;
use crate::views::review_views::{luck_view, reviewed_move_texts};
use crate::workers::Workers;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{PictureRef, View};
use caravanserai_store::{Commit, Space, StoreQuery};
use caravanserai_table::review;
use caravanserai_table::state::{Table, TablePhase};

/// Queues replays and reviews of games.
pub(crate) struct ReplayRequests {
    repository: Arc<Repository>,
    workers: Arc<Workers>,
    committer: Arc<UpdateCommitter>,
}

impl ReplayRequests {
    pub(crate) fn new(
        repository: Arc<Repository>,
        workers: Arc<Workers>,
        committer: Arc<UpdateCommitter>,
    ) -> Self {
        Self { repository, workers, committer }
    }

    /// Requests the replay of a finished game.
    pub(crate) async fn request_replay(
        &self,
        context: &mut RequestContext<'_>,
        guard: TableGuard,
    ) -> HandlerResult {
        let table = guard.table();
        if !table.is_over() || table.setup.is_outdated() {
            return Ok(brief_views("refuse-no-replay"));
        }
        let chat = context.update.chat.id.clone();
        let entry = OutboxEntry::replay(&chat, &table.id);
        let soon = (&entry, "answer-replay-soon");
        let above = (&*keys::replay_shown(&chat, &table.id), "answer-replay-above");
        if let Some(views) = self.repeated_request_views(context, soon, above).await? {
            return Ok(views);
        }
        if self.workers.has_replay_backlog() {
            return Ok(brief_views("refuse-replay-busy"));
        }
        drop(guard);
        self.queue_post(context, entry, brief_views("answer-replay")).await
    }

    /// Requests a review of a finished game.
    pub(crate) async fn request_review(
        &self,
        context: &mut RequestContext<'_>,
        guard: TableGuard,
    ) -> HandlerResult {
        let table = guard.table();
        let turns =
            if review::can_review(table) { review::reviewed_decisions(table).len() } else { 0 };
        if turns < review::REVIEW_DECISIONS_MIN {
            return Ok(brief_views("refuse-no-review"));
        }
        let chat = context.update.chat.id.clone();
        let entry = OutboxEntry::review(&chat, &table.id);
        let soon = (&entry, "answer-review-soon");
        let above = (&*keys::review_shown(&chat, &table.id), "answer-review-above");
        let is_practice = is_practice(table);
        let game = table.game_id();
        drop(guard);
        if let Some(views) = self.repeated_request_views(context, soon, above).await? {
            return Ok(views);
        }
        let person = &context.update.person.id;
        if is_practice
            && let Some(other) = unaided_table(&self.repository, person, game, None).await?
        {
            return Ok(vec![View::brief(game_runs_text(game, &other))]);
        }
        let Some(seconds) = self.workers.estimated_review_seconds(turns) else {
            return Ok(brief_views("refuse-review-busy"));
        };
        let views = vec![View::brief(Text::new("answer-review").with("seconds", seconds as i64))];
        self.queue_post(context, entry, views).await
    }

    /// Shows one move of a review to the sender.
    pub(crate) async fn review_moment_views(&self, table: &Table, n: u8) -> HandlerResult {
        let review =
            self.workers.stored_review(&table.id).await?.filter(|_| review::can_review(table));
        let at = usize::from(n).wrapping_sub(1);
        let Some(it) = review.and_then(|it| it.moments.get(at).cloned()) else {
            return Ok(brief_views("refuse-review-gone"));
        };
        let texts = reviewed_move_texts(&it);
        let step = it.step;
        let seat = it.seat;
        let picture = Some(PictureRef::Moment { table: table.id.0.clone(), step, seat });
        Ok(vec![board_view::with_player_names(table, View { texts, picture, ..View::default() })])
    }

    /// Shows to the sender how much of the result came from luck.
    pub(crate) async fn luck_views(&self, table: &Table) -> HandlerResult {
        let review =
            self.workers.stored_review(&table.id).await?.filter(|_| review::can_review(table));
        Ok(match review {
            Some(review) if !review.shares.is_empty() => vec![luck_view(table, &review.shares)],
            _ => brief_views("refuse-review-gone"),
        })
    }

    /// The reply to a repeated request: `soon` while the post waits in the outbox as `entry`,
    /// `above` if `shown` says that it was posted a moment ago.
    async fn repeated_request_views(
        &self,
        context: &RequestContext<'_>,
        (entry, soon): (&OutboxEntry, &'static str),
        (shown, above): (&str, &'static str),
    ) -> Result<Option<Vec<View>>, Failure> {
        let reads = [
            StoreQuery::value_of(Space::Outbox, entry.key().encode()),
            StoreQuery::value_of(Space::Meta, shown),
        ];
        let mut found = self.repository.read_many(&reads).await?.into_iter();
        let mut next = || found.next().map_or(Ok(None), |it| it.value());
        if next()?.is_some() {
            return Ok(Some(brief_views(soon)));
        }
        let shown_ms: u64 = parse_json_or_default(next()?);
        let is_above = context.now_ms < shown_ms.saturating_add(REPOST_INTERVAL_MS);
        Ok(is_above.then(|| brief_views(above)))
    }

    /// Queues a post in the outbox of this chat. The caller holds no lock on a table.
    async fn queue_post(
        &self,
        context: &mut RequestContext<'_>,
        entry: OutboxEntry,
        views: Vec<View>,
    ) -> HandlerResult {
        let _ = self
            .committer
            .commit_changes(context, Vec::new(), Commit::from_puts(vec![entry.encode()]), &views)
            .await?;
        Ok(views)
    }
}

/// The chart of the score; for games with hidden information only after the end.
pub(crate) fn score_chart_views(table: &Table) -> Vec<View> {
    match table.phase {
        TablePhase::Over { .. } if !table.setup.is_outdated() => {}
        TablePhase::Playing if !table.game_id().info().hidden => {}
        TablePhase::Playing => return brief_views("refuse-chart-later"),
        TablePhase::Lobby | TablePhase::Over { .. } | TablePhase::Closed { .. } => {
            return brief_views("refuse-no-chart");
        }
    }
    let code = table.game_id().info().code;
    let texts = vec![Text::new(format!("chart-{code}")).with("table", table.id.0.as_str())];
    let picture = Some(PictureRef::Chart { table: table.id.0.clone() });
    vec![View { texts, picture, ..View::default() }]
}
