//! What is asked for after a game: replays and reviews, which take a while and are then posted once
//! in a place, and charts.
//!
//! Each has a row in the outbox until it is posted, and a row that says when it was shown.

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_note};
use crate::delivery::{REPOST_INTERVAL_MS, moment_texts, replay_outbox_key, review_outbox_key};
use crate::repository::stored_rows::{parse_json_or_default, put_json};
use crate::repository::{Failure, TableGuard, keys};
use crate::views::board_view;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{PictureRef, View};
use caravanserai_store::{Commit, Put, Space, StoreQuery};
use caravanserai_table::review;
use caravanserai_table::state::{Table, TablePhase};

impl Handlers {
    /// Somebody wants to see the whole game again.
    pub(crate) async fn request_replay(
        &self,
        visit: &mut RequestContext<'_>,
        held: TableGuard,
    ) -> HandlerResult {
        let table = held.table();
        if !matches!(table.phase, TablePhase::Over { .. }) || table.is_outdated {
            return Ok(brief_note("refuse-no-replay"));
        }
        let place = visit.update.chat.id.clone();
        let soon = (&*replay_outbox_key(&place, &table.id), "answer-replay-soon");
        let above = (&*keys::replay_shown(&place, &table.id), "answer-replay-above");
        if let Some(notes) = self.repeated_request_notes(visit, soon, above).await? {
            return Ok(notes);
        }
        if self.workers.has_replay_backlog() {
            return Ok(brief_note("refuse-replay-busy"));
        }
        let entry = put_json(Space::Outbox, replay_outbox_key(&place, &table.id), &());
        self.queue_post(visit, held, entry, brief_note("answer-replay")).await
    }

    /// The score over the game: of one with secrets only when it is over.
    pub(crate) fn score_chart_notes(table: &Table) -> Vec<View> {
        match table.phase {
            TablePhase::Over { .. } if !table.is_outdated => {}
            TablePhase::Playing if !table.game_id().info().hidden => {}
            TablePhase::Playing => return brief_note("refuse-chart-later"),
            TablePhase::Lobby | TablePhase::Over { .. } | TablePhase::Closed { .. } => {
                return brief_note("refuse-no-chart");
            }
        }
        let code = table.game_id().info().code;
        let texts = vec![Text::new(format!("chart-{code}")).with("table", table.id.0.as_str())];
        let picture = Some(PictureRef::Chart { table: table.id.0.clone() });
        vec![View { texts, picture, ..View::default() }]
    }

    /// Somebody wants to know where the game turned.
    pub(crate) async fn request_review(
        &self,
        visit: &mut RequestContext<'_>,
        held: TableGuard,
    ) -> HandlerResult {
        let table = held.table();
        let turns =
            if review::can_review(table) { review::table_decisions(table).len() } else { 0 };
        if turns < review::REVIEW_DECISIONS_MIN {
            return Ok(brief_note("refuse-no-review"));
        }
        let place = visit.update.chat.id.clone();
        let soon = (&*review_outbox_key(&place, &table.id), "answer-review-soon");
        let above = (&*keys::review_shown(&place, &table.id), "answer-review-above");
        if let Some(notes) = self.repeated_request_notes(visit, soon, above).await? {
            return Ok(notes);
        }
        let Some(seconds) = self.workers.estimated_review_seconds(turns) else {
            return Ok(brief_note("refuse-review-busy"));
        };
        let notes = vec![View::brief(Text::new("answer-review").with("seconds", seconds as i64))];
        let entry = put_json(Space::Outbox, review_outbox_key(&place, &table.id), &());
        self.queue_post(visit, held, entry, notes).await
    }

    /// Shows one move of a review to the person who asks.
    pub(crate) async fn review_moment_notes(&self, table: &Table, n: u8) -> HandlerResult {
        let review =
            self.workers.stored_review(&table.id).await?.filter(|_| review::can_review(table));
        let at = usize::from(n).wrapping_sub(1);
        let Some(it) = review.and_then(|it| it.moments.get(at).cloned()) else {
            return Ok(brief_note("refuse-review-gone"));
        };
        let texts = moment_texts(&it);
        let (step, seat) = (it.step, it.seat);
        let picture = Some(PictureRef::Moment { table: table.id.0.clone(), step, seat });
        Ok(vec![board_view::with_player_names(table, View { texts, picture, ..View::default() })])
    }

    /// The reply to a repeated request: `soon` while the post waits in the outbox at `entry`,
    /// `above` if `shown` says that it was posted a moment ago.
    async fn repeated_request_notes(
        &self,
        visit: &RequestContext<'_>,
        (entry, soon): (&str, &'static str),
        (shown, above): (&str, &'static str),
    ) -> Result<Option<Vec<View>>, Failure> {
        let reads =
            [StoreQuery::value_of(Space::Outbox, entry), StoreQuery::value_of(Space::Meta, shown)];
        let mut found = self.repository.read_many(&reads).await?.into_iter();
        let mut next = || found.next().map_or(Ok(None), |it| it.value());
        if next()?.is_some() {
            return Ok(Some(brief_note(soon)));
        }
        let shown_ms: u64 = parse_json_or_default(next()?);
        let is_above = visit.now_ms < shown_ms.saturating_add(REPOST_INTERVAL_MS);
        Ok(is_above.then(|| brief_note(above)))
    }

    /// Has it posted here by this entry of the outbox.
    async fn queue_post(
        &self,
        visit: &mut RequestContext<'_>,
        held: TableGuard,
        entry: Put,
        notes: Vec<View>,
    ) -> HandlerResult {
        drop(held);
        let _ =
            self.commit_changes(visit, Vec::new(), Commit::from_puts(vec![entry]), &notes).await?;
        Ok(notes)
    }
}
