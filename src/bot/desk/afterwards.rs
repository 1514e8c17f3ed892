//! What is asked for after a game: replays and reviews, which take a while and are then posted once
//! in a place, and charts.
//!
//! Each has a row in the outbox until it is posted, and a row that says when it was shown.

use super::Desk;
use super::visit::{Notes, Visit, brief};
use crate::ledger::rows::{parse, put};
use crate::ledger::{Failure, Held, keys};
use crate::post::{AGAIN_MS, moment_texts, replay_entry, review_entry};
use caravanserai_games::words::Text;
use caravanserai_protocol::note::{Note, Picture};
use caravanserai_protocol::present;
use caravanserai_store::{Commit, Put, Read, Space};
use caravanserai_table::fold::{Phase, Table};
use caravanserai_table::review;

impl Desk {
    /// Somebody wants to see the whole game again.
    pub(super) async fn ask_replay(&self, visit: &mut Visit<'_>, held: Held) -> Notes {
        let table = held.table();
        if !matches!(table.phase, Phase::Over { .. }) || table.outdated {
            return Ok(brief("refuse-no-replay"));
        }
        let place = visit.update.place.id.clone();
        let soon = (&*replay_entry(&place, &table.id), "answer-replay-soon");
        let above = (&*keys::replay(&place, &table.id), "answer-replay-above");
        if let Some(notes) = self.asked_again(visit, soon, above).await? {
            return Ok(notes);
        }
        if self.minds.replays_are_busy() {
            return Ok(brief("refuse-replay-busy"));
        }
        let entry = put(Space::Outbox, replay_entry(&place, &table.id), &());
        self.post_once(visit, held, entry, brief("answer-replay")).await
    }

    /// The score over the game: of one with secrets only when it is over.
    pub(super) fn chart_of(table: &Table) -> Vec<Note> {
        match table.phase {
            Phase::Over { .. } if !table.outdated => {}
            Phase::Playing if !table.game_id().info().hidden => {}
            Phase::Playing => return brief("refuse-chart-later"),
            Phase::Lobby | Phase::Over { .. } | Phase::Closed { .. } => {
                return brief("refuse-no-chart");
            }
        }
        let code = table.game_id().info().code;
        let texts = vec![Text::new(format!("chart-{code}")).with("table", table.id.0.as_str())];
        let picture = Some(Picture::Chart { table: table.id.0.clone() });
        vec![Note { texts, picture, ..Note::default() }]
    }

    /// Somebody wants to know where the game turned.
    pub(super) async fn ask_review(&self, visit: &mut Visit<'_>, held: Held) -> Notes {
        let table = held.table();
        let turns = if review::can_be(table) { review::turns(table).len() } else { 0 };
        if turns < review::TURNS_MIN {
            return Ok(brief("refuse-no-review"));
        }
        let place = visit.update.place.id.clone();
        let soon = (&*review_entry(&place, &table.id), "answer-review-soon");
        let above = (&*keys::reviewed(&place, &table.id), "answer-review-above");
        if let Some(notes) = self.asked_again(visit, soon, above).await? {
            return Ok(notes);
        }
        let Some(seconds) = self.minds.review_comes_in(turns) else {
            return Ok(brief("refuse-review-busy"));
        };
        let notes = vec![Note::brief(Text::new("answer-review").with("seconds", seconds as i64))];
        let entry = put(Space::Outbox, review_entry(&place, &table.id), &());
        self.post_once(visit, held, entry, notes).await
    }

    /// One of the moves of a review, for whoever asks.
    pub(super) async fn moment(&self, table: &Table, n: u8) -> Notes {
        let review = self.minds.stored_review(&table.id).await?.filter(|_| review::can_be(table));
        let at = usize::from(n).wrapping_sub(1);
        let Some(it) = review.and_then(|it| it.moments.get(at).cloned()) else {
            return Ok(brief("refuse-review-gone"));
        };
        let texts = moment_texts(&it);
        let (step, seat) = (it.step, it.seat);
        let picture = Some(Picture::Moment { table: table.id.0.clone(), step, seat });
        Ok(vec![present::named(table, Note { texts, picture, ..Note::default() })])
    }

    /// What somebody is told who asks again: `soon` while it waits to be posted, `above` when it
    /// was posted a moment ago. `entry` is its row in the outbox, `shown` the other.
    async fn asked_again(
        &self,
        visit: &Visit<'_>,
        (entry, soon): (&str, &'static str),
        (shown, above): (&str, &'static str),
    ) -> Result<Option<Vec<Note>>, Failure> {
        let reads = [Read::value(Space::Outbox, entry), Read::value(Space::Meta, shown)];
        let mut found = self.ledger.read(&reads).await?.into_iter();
        let mut next = || found.next().map_or(Ok(None), |it| it.value());
        if next()?.is_some() {
            return Ok(Some(brief(soon)));
        }
        let shown_ms: u64 = parse(next()?);
        let is_above = visit.now_ms < shown_ms.saturating_add(AGAIN_MS);
        Ok(is_above.then(|| brief(above)))
    }

    /// Has it posted here by this entry of the outbox.
    async fn post_once(
        &self,
        visit: &mut Visit<'_>,
        held: Held,
        entry: Put,
        notes: Vec<Note>,
    ) -> Notes {
        drop(held);
        let _ = self.enter(visit, Vec::new(), Commit::of(vec![entry]), &notes).await?;
        Ok(notes)
    }
}
