//! Hints: the move that a master would play, computed without a lock on the table, shown to the
//! person who asked, and recorded at the table.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;

use super::context::{HandlerResult, RequestContext, brief_views};
use super::external_query::{EngineQuery, ExternalQuery};
use super::refusal_replies::RefusalReplies;
use super::table_requests::CommandRunner;
use super::unaided_games::{game_runs_text, is_for_one_person, unaided_table};
use super::update_committer::UpdateCommitter;
use crate::repository::{Repository, TableGuard};
use crate::views::hint_view::hint_view;
use caravanserai_games::ids::PersonId;
use caravanserai_games::rules::Seat;
use caravanserai_games::search::PlayerEvaluation;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;
use caravanserai_store::Commit;
use caravanserai_table::{Refusal, hints};

/// The people whose hints are being computed: at most one for each person.
#[derive(Default)]
struct PendingHints(Arc<Mutex<HashSet<PersonId>>>);

/// Marks a pending hint of a person until it is dropped.
pub(crate) struct HintGuard(Arc<Mutex<HashSet<PersonId>>>, PersonId);

impl PendingHints {
    fn begin(&self, person: &PersonId) -> Option<HintGuard> {
        let mut all = self.0.lock();
        all.insert(person.clone()).then(|| HintGuard(self.0.clone(), person.clone()))
    }
}

impl Drop for HintGuard {
    fn drop(&mut self) {
        self.0.lock().remove(&self.1);
    }
}

/// Gives hints to players.
pub(crate) struct HintHandler {
    repository: Arc<Repository>,
    pending: PendingHints,
    committer: Arc<UpdateCommitter>,
    command_runner: Arc<CommandRunner>,
    refusals: Arc<RefusalReplies>,
}

impl HintHandler {
    pub(crate) fn new(
        repository: Arc<Repository>,
        committer: Arc<UpdateCommitter>,
        command_runner: Arc<CommandRunner>,
        refusals: Arc<RefusalReplies>,
    ) -> Self {
        let pending = PendingHints::default();
        Self { repository, pending, committer, command_runner, refusals }
    }

    /// Gives a hint to the player to move. The engine runs while the table is not locked; the
    /// second attempt checks again whether the hint may be given.
    pub(crate) async fn handle_hint(
        &self,
        context: &mut RequestContext<'_>,
        guard: TableGuard,
    ) -> HandlerResult {
        let actor = context.actor();
        let table = guard.table();
        let hint_seat = hints::hint_seat(table, &actor);
        if let Some(result) = context.query_results.engine_result() {
            let is_same_position =
                result.table == table.id && result.position == table.history.position;
            let seat = hint_seat.ok().filter(|_| is_same_position);
            let evaluation = result.evaluation.clone();
            return match (seat, evaluation) {
                (Some(seat), Some(evaluation)) => {
                    self.give_hint(context, guard, seat, &evaluation).await
                }
                (Some(_), None) => Ok(brief_views("refuse-busy")),
                (None, _) => {
                    let refusal = Refusal { text: Text::new("refuse-hint-late"), is_stale: true };
                    self.refusals.refusal_views(context, guard, refusal).await
                }
            };
        }
        let seat = match hint_seat {
            Ok(seat) => seat,
            Err(refusal) => return self.refusals.refusal_views(context, guard, refusal).await,
        };
        let question = table.game.as_deref().and_then(|it| it.engine_question(Seat(seat)));
        let Some(question) = question else { return Ok(brief_views("refuse-hint-late")) };
        let Some(hint_guard) = self.pending.begin(&actor.person) else {
            return Ok(brief_views("refuse-hint-soon"));
        };
        let query = ExternalQuery::Engine(Box::new(EngineQuery {
            chat: table.chats.home().clone(),
            table: table.id.clone(),
            position: table.history.position,
            game: table.game_id(),
            engine_request: question,
            guard: hint_guard,
        }));
        // The first hint makes a game against computers casual.
        let is_checked = is_for_one_person(table);
        let (game, here) = (table.game_id(), table.id.clone());
        drop(guard);
        if is_checked
            && let Some(other) =
                unaided_table(&self.repository, &actor.person, game, Some(&here)).await?
        {
            return Ok(vec![View::brief(game_runs_text(game, &other))]);
        }
        Err(context.suspend_for_query(query))
    }

    async fn give_hint(
        &self,
        context: &mut RequestContext<'_>,
        mut guard: TableGuard,
        seat: u8,
        evaluation: &PlayerEvaluation<String>,
    ) -> HandlerResult {
        let views = vec![hint_view(guard.table(), seat, evaluation)];
        let Some(decision) = hints::record_given_hint(guard.table(), &context.actor(), seat) else {
            let _ = self
                .committer
                .commit_changes(context, Vec::new(), Commit::default(), &views)
                .await?;
            return Ok(views);
        };
        match self
            .command_runner
            .commit_decision(context, &mut guard, decision, &|_| views.clone())
            .await?
        {
            Some(views) => Ok(views),
            None => match self.committer.stored_answer(context.update).await? {
                Some(stored) => Ok(stored.replies),
                None => Ok(brief_views("refuse-busy")),
            },
        }
    }
}
