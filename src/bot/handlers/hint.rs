//! Hints: what a master would do, thought about elsewhere, told to whoever asked, seen by all that
//! it was asked.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_note};
use super::external_query::{EngineQuery, ExternalQuery};
use crate::repository::TableGuard;
use crate::views::board_view;
use crate::workers::is_certain;
use caravanserai_games::ids::PersonId;
use caravanserai_games::rules::Seat;
use caravanserai_games::search::Thought;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;
use caravanserai_store::Commit;
use caravanserai_table::review::{choice_label, to_percent};
use caravanserai_table::state::Table;
use caravanserai_table::{Refusal, hints};

/// Whose hints are being thought about: one for each person at a time.
#[derive(Default)]
pub(crate) struct PendingHints(Arc<Mutex<HashSet<PersonId>>>);

/// Somebody waits for a hint until this is dropped.
pub(crate) struct HintGuard(Arc<Mutex<HashSet<PersonId>>>, PersonId);

impl PendingHints {
    fn begin(&self, person: &PersonId) -> Option<HintGuard> {
        let mut all = self.0.lock().expect("nothing panics while holding this lock");
        all.insert(person.clone()).then(|| HintGuard(self.0.clone(), person.clone()))
    }
}

impl Drop for HintGuard {
    fn drop(&mut self) {
        if let Ok(mut all) = self.0.lock() {
            all.remove(&self.1);
        }
    }
}

impl Handlers {
    /// Gives a hint to the player to move. The engine thinks while the table is not held; the
    /// second attempt checks again whether the hint may be given.
    pub(crate) async fn handle_hint(
        &self,
        visit: &mut RequestContext<'_>,
        held: TableGuard,
    ) -> HandlerResult {
        let actor = visit.actor();
        let table = held.table();
        let asked = hints::hint_seat(table, &actor);
        if let Some(thinking) = visit.query_results.engine_result() {
            let same = thinking.table == table.id && thinking.position == table.position;
            let seat = asked.ok().filter(|_| same);
            let thought = thinking.thought.clone();
            return match (seat, thought) {
                (Some(seat), Some(thought)) => self.give_hint(visit, held, seat, &thought).await,
                (Some(_), None) => Ok(brief_note("refuse-busy")),
                (None, _) => {
                    let refusal = Refusal { text: Text::new("refuse-hint-late"), is_stale: true };
                    self.refusal_notes(visit, held, refusal).await
                }
            };
        }
        let seat = match asked {
            Ok(seat) => seat,
            Err(refusal) => return self.refusal_notes(visit, held, refusal).await,
        };
        let asked = table.game.as_deref().and_then(|it| it.engine_question(Seat(seat)));
        let Some(asked) = asked else { return Ok(brief_note("refuse-hint-late")) };
        let Some(waiting) = self.hints.begin(&actor.person) else {
            return Ok(brief_note("refuse-hint-soon"));
        };
        visit.suspend_for_query(ExternalQuery::Thought(Box::new(EngineQuery {
            place: table.home().clone(),
            table: table.id.clone(),
            position: table.position,
            game: table.game_id(),
            engine_request: asked,
            guard: waiting,
        })))
    }

    async fn give_hint(
        &self,
        visit: &mut RequestContext<'_>,
        mut held: TableGuard,
        seat: u8,
        thought: &Thought<String>,
    ) -> HandlerResult {
        let notes = vec![hint_note(held.table(), seat, thought)];
        let Some(decision) = hints::record_given_hint(held.table(), &visit.actor(), seat) else {
            let _ = self.commit_changes(visit, Vec::new(), Commit::default(), &notes).await?;
            return Ok(notes);
        };
        match self.commit_decision(visit, &mut held, decision, &|_| notes.clone()).await? {
            Some(notes) => Ok(notes),
            None => match self.stored_answer(visit.update).await? {
                Some(answered) => Ok(answered.notes),
                None => Ok(brief_note("refuse-busy")),
            },
        }
    }
}

/// What a thought says, as the game labels its moves.
fn hint_note(table: &Table, seat: u8, thought: &Thought<String>) -> View {
    let game = table.game.as_deref();
    let choices = game.map(|it| it.choices(Seat(seat))).unwrap_or_default();
    let label = choice_label(&choices, &thought.action);
    let percent = to_percent(thought.chance);
    let mut texts = vec![match is_certain(thought) {
        true => Text::new("answer-hint-sure").with("move", label),
        false => Text::new("answer-hint").with("move", label).with("percent", percent),
    }];
    if table.people_seats().len() > 1 {
        texts.push(Text::new("answer-hint-counted"));
    }
    let secret = table.game_id().info().hidden;
    board_view::with_player_names(table, View { texts, brief: true, secret, ..View::default() })
}
