//! Hints: what a master would do, thought about elsewhere, told to whoever asked, seen by all that
//! it was asked.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use super::Desk;
use super::questions::{Question, ThoughtWanted};
use super::visit::{Notes, Visit, brief};
use crate::ledger::Held;
use crate::minds::is_sure;
use caravanserai_games::ids::PersonId;
use caravanserai_games::rules::Seat;
use caravanserai_games::search::Thought;
use caravanserai_games::words::Text;
use caravanserai_protocol::note::Note;
use caravanserai_protocol::present;
use caravanserai_store::Commit;
use caravanserai_table::fold::Table;
use caravanserai_table::review::{labelled, percent};
use caravanserai_table::{Refusal, hints};

/// Whose hints are being thought about: one for each person at a time.
#[derive(Default)]
pub(super) struct Hints(Arc<Mutex<HashSet<PersonId>>>);

/// Somebody waits for a hint until this is dropped.
pub(super) struct Waiting(Arc<Mutex<HashSet<PersonId>>>, PersonId);

impl Hints {
    fn begin(&self, person: &PersonId) -> Option<Waiting> {
        let mut all = self.0.lock().expect("nothing panics while holding this lock");
        all.insert(person.clone()).then(|| Waiting(self.0.clone(), person.clone()))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Ok(mut all) = self.0.lock() {
            all.remove(&self.1);
        }
    }
}

impl Desk {
    /// Gives a hint to the player to move. The engine thinks while the table is not held; the
    /// second attempt checks again whether the hint may be given.
    pub(super) async fn hint(&self, visit: &mut Visit<'_>, held: Held) -> Notes {
        let actor = visit.actor();
        let table = held.table();
        let asked = hints::asked(table, &actor);
        if let Some(thinking) = visit.findings.thought() {
            let same = thinking.table == table.id && thinking.position == table.position;
            let seat = asked.ok().filter(|_| same);
            let thought = thinking.thought.clone();
            return match (seat, thought) {
                (Some(seat), Some(thought)) => self.give_hint(visit, held, seat, &thought).await,
                (Some(_), None) => Ok(brief("refuse-busy")),
                (None, _) => {
                    let refusal = Refusal { text: Text::new("refuse-hint-late"), stale: true };
                    self.refused(visit, held, refusal).await
                }
            };
        }
        let seat = match asked {
            Ok(seat) => seat,
            Err(refusal) => return self.refused(visit, held, refusal).await,
        };
        let asked = table.game.as_deref().and_then(|it| it.ask(Seat(seat)));
        let Some(asked) = asked else { return Ok(brief("refuse-hint-late")) };
        let Some(waiting) = self.hints.begin(&actor.person) else {
            return Ok(brief("refuse-hint-soon"));
        };
        visit.ask(Question::Thought(Box::new(ThoughtWanted {
            place: table.home().clone(),
            table: table.id.clone(),
            position: table.position,
            game: table.game_id(),
            asked,
            waiting,
        })))
    }

    async fn give_hint(
        &self,
        visit: &mut Visit<'_>,
        mut held: Held,
        seat: u8,
        thought: &Thought<String>,
    ) -> Notes {
        let notes = vec![note(held.table(), seat, thought)];
        let Some(decision) = hints::given(held.table(), &visit.actor(), seat) else {
            let _ = self.enter(visit, Vec::new(), Commit::default(), &notes).await?;
            return Ok(notes);
        };
        match self.decided(visit, &mut held, decision, &|_| notes.clone()).await? {
            Some(notes) => Ok(notes),
            None => match self.answered(visit.update).await? {
                Some(answered) => Ok(answered.notes),
                None => Ok(brief("refuse-busy")),
            },
        }
    }
}

/// What a thought says, as the game labels its moves.
fn note(table: &Table, seat: u8, thought: &Thought<String>) -> Note {
    let game = table.game.as_deref();
    let choices = game.map(|it| it.choices(Seat(seat))).unwrap_or_default();
    let label = labelled(&choices, &thought.action);
    let percent = percent(thought.chance);
    let mut texts = vec![match is_sure(thought) {
        true => Text::new("answer-hint-sure").with("move", label),
        false => Text::new("answer-hint").with("move", label).with("percent", percent),
    }];
    if table.people_seats().len() > 1 {
        texts.push(Text::new("answer-hint-counted"));
    }
    let secret = table.game_id().info().hidden;
    present::named(table, Note { texts, brief: true, secret, ..Note::default() })
}
