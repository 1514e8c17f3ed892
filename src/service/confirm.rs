//! Presses that want a second one: resigning, and for those who asked for it the playing of cards.

use super::hear::Heard;
use super::{Failure, Inner};
use crate::chat::hands;
use crate::chat::note::Note;
use crate::rules::Seat;
use crate::table::command::{Choice, Command};
use crate::table::fold::{Phase, Table};
use crate::words::{Arg, Text};

/// How long a first press waits for the second, in milliseconds.
const ARMED_MS: u64 = 60_000;

/// A second press on “Resign” that comes sooner is a double tap and not a decision.
const DOUBLE_TAP_MS: u64 = 700;

/// A first press.
#[derive(Clone, Debug)]
pub(super) struct Armed {
    at_ms: u64,
    update: String,
    /// What a second press would do.
    what: String,
}

impl Inner {
    /// What somebody is asked instead of being obeyed at the first press, if they are.
    pub(super) async fn asks_back(
        &self,
        heard: &Heard<'_>,
        table: &Table,
        command: &Command,
    ) -> Result<Option<Note>, Failure> {
        let person = &heard.update.person.id;
        let Some(own) = table.seats_of(person).next().filter(|_| table.phase == Phase::Playing)
        else {
            // There is nothing to confirm: the refusal is the better answer.
            return Ok(None);
        };
        let (what, gap_ms, asked) = match command {
            Command::Resign => {
                ("resign".to_owned(), DOUBLE_TAP_MS, Text::new("answer-confirm-resign"))
            }
            Command::Play { choice: Choice::Token(token), .. } => {
                if table.turn() != Some(own)
                    || !hands::are_dealt(table)
                    || !self.person(person).await?.confirm
                {
                    return Ok(None);
                }
                let held = table.game.as_deref().map(|it| it.hand(Seat(own))).unwrap_or_default();
                let card = held.into_iter().find(|it| it.legal && it.choice.token == *token);
                let Some(card) = card else { return Ok(None) };
                let label: Arg = card.choice.label;
                (token.clone(), 0, Text::new("answer-confirm-card").with("card", label))
            }
            _ => return Ok(None),
        };
        Ok((!self.pressed_twice(heard, table, what, gap_ms)).then(|| Note::brief(asked)))
    }

    /// Whether this press is the second for the same within a minute.
    fn pressed_twice(&self, heard: &Heard<'_>, table: &Table, what: String, gap_ms: u64) -> bool {
        let mut armed = self.armed.lock().expect("nothing panics while holding this lock");
        armed.retain(|_, it| heard.now_ms.saturating_sub(it.at_ms) < ARMED_MS);
        let key = (table.id.clone(), heard.update.person.id.clone());
        let now = Armed { at_ms: heard.now_ms, update: heard.update.id.clone(), what };
        let first = armed.entry(key.clone()).or_insert_with(|| now.clone());
        if first.what != now.what {
            *first = now;
            return false;
        }
        // The same press may be delivered twice, at once or later; it is still the first.
        let is_other = first.update != now.update;
        let decided = is_other && heard.now_ms.saturating_sub(first.at_ms) >= gap_ms;
        if decided {
            armed.remove(&key);
        }
        decided
    }
}
