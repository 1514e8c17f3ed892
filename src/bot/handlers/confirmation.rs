//! Presses and messages that want a second one: resigning, and for those who asked for it every
//! move.

use serde::{Deserialize, Serialize};

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_note};
use crate::repository::stored_rows::{put_json, remove_row};
use crate::repository::{Failure, keys};
use crate::views::hand_views;
use caravanserai_games::rules::Seat;
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::view::View;
use caravanserai_store::Space;
use caravanserai_table as table;
use caravanserai_table::command::{Command, MoveChoice};
use caravanserai_table::state::{Table, TablePhase};

/// How long a first press waits for the second, in milliseconds.
const CONFIRMATION_TTL_MS: u64 = 60_000;

/// A second press on “Resign” that comes sooner is a double tap and not a decision.
const DOUBLE_TAP_MS: u64 = 700;

/// A first press.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PendingConfirmation {
    at_ms: u64,
    update: String,
    /// What a second press would do.
    what: String,
}

impl Handlers {
    /// What somebody is asked instead of being obeyed at the first press, if they are.
    pub(crate) async fn confirmation_note(
        &self,
        visit: &mut RequestContext<'_>,
        table: &Table,
        command: &Command,
        typed: bool,
    ) -> Result<Option<View>, Failure> {
        let person = &visit.update.person.id;
        if *command == Command::CallOff {
            let actor = visit.actor();
            if table::decide(table, &actor, command).is_err() {
                return Ok(None);
            }
            let twice = self.is_second_press(visit, table, "abort".to_owned(), 0).await?;
            let asked = Text::new("answer-confirm-abort-typed");
            return Ok((!twice).then(|| View::brief(asked)));
        }
        let Some(own) =
            table.seats_of(person).next().filter(|_| table.phase == TablePhase::Playing)
        else {
            // There is nothing to confirm: the refusal is the better answer.
            return Ok(None);
        };
        let (what, gap_ms, asked) = match command {
            // Words cannot be doubled by a nervous finger.
            Command::Resign if typed => {
                ("resign".to_owned(), 0, Text::new("answer-confirm-resign-typed"))
            }
            Command::Resign => {
                ("resign".to_owned(), DOUBLE_TAP_MS, Text::new("answer-confirm-resign"))
            }
            Command::Abort if typed && table.can_be_aborted() => {
                ("abort".to_owned(), 0, Text::new("answer-confirm-abort-typed"))
            }
            Command::Play { choice, .. } => {
                if table.seat_to_move() != Some(own) || !visit.person.confirm {
                    return Ok(None);
                }
                let token = match choice {
                    MoveChoice::Token(token) => Some(token.clone()),
                    MoveChoice::Typed(words) => parse_typed_move(table, own, words),
                };
                let labelled =
                    |token: String| Some((button_move_label(table, own, &token)?, token));
                let Some((label, token)) = token.and_then(labelled) else { return Ok(None) };
                let key = if typed { "answer-confirm-typed" } else { "answer-confirm-card" };
                // The second press counts for the same decision and not for a later turn.
                let what = format!("{token} {}", table.position);
                (what, 0, Text::new(key).with("card", label))
            }
            _ => return Ok(None),
        };
        let twice = self.is_second_press(visit, table, what, gap_ms).await?;
        Ok((!twice).then(|| View::brief(asked)))
    }

    /// Forgets the first press or message of a person at all their tables.
    pub(crate) async fn clear_confirmations(
        &self,
        visit: &mut RequestContext<'_>,
    ) -> HandlerResult {
        let person = visit.update.person.id.clone();
        for table in self.tables_of(&person).await? {
            visit
                .extra_rows
                .push(remove_row(Space::Meta, keys::pending_confirmation(&table, &person)));
        }
        Ok(brief_note("answer-nothing-done"))
    }

    /// Whether this press is the second for the same within a minute.
    async fn is_second_press(
        &self,
        visit: &mut RequestContext<'_>,
        table: &Table,
        what: String,
        gap_ms: u64,
    ) -> Result<bool, Failure> {
        let key = keys::pending_confirmation(&table.id, &visit.update.person.id);
        let stored = self.repository.read_value(Space::Meta, &key).await?;
        let now_ms = visit.now_ms;
        let armed: Option<PendingConfirmation> =
            stored.and_then(|it| serde_json::from_slice(&it).ok());
        // A clock that was set back since then makes it a new first press.
        let is_fresh = |it: &PendingConfirmation| {
            it.at_ms <= now_ms && now_ms < it.at_ms + CONFIRMATION_TTL_MS
        };
        let Some(first) = armed.filter(|it| it.what == what && is_fresh(it)) else {
            let first =
                PendingConfirmation { at_ms: now_ms, update: visit.update.id.clone(), what };
            let row = put_json(Space::Meta, key, &first).expires_at(now_ms + CONFIRMATION_TTL_MS);
            self.repository.put_all(vec![row]).await?;
            return Ok(false);
        };
        // The same press may be delivered twice, at once or later; it is still the first.
        let is_other = first.update != visit.update.id;
        let decided = is_other && now_ms - first.at_ms >= gap_ms;
        if decided {
            visit.extra_rows.push(remove_row(Space::Meta, key));
        }
        Ok(decided)
    }
}

/// What words play for this seat.
fn parse_typed_move(table: &Table, own: u8, words: &str) -> Option<String> {
    table.game.as_deref()?.parse_move(Seat(own), words, vocabulary())
}

/// What a button plays for this seat: where hands are hidden only its cards are asked back.
fn button_move_label(table: &Table, seat: u8, token: &str) -> Option<Arg> {
    let game = table.game.as_deref()?;
    if hand_views::has_hands(table) {
        let held = game.hand(Seat(seat)).into_iter();
        let mut legal = held.filter(|it| it.legal).map(|it| it.choice);
        return legal.find(|it| it.token == token).map(|it| it.label);
    }
    game.choices(Seat(seat)).into_iter().find(|it| it.token == token).map(|it| it.label)
}
