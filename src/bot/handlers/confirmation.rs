//! Actions that need a second press or message: resigning, ending a game, and every move for people
//! with that setting.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::context::{HandlerResult, RequestContext, brief_views};
use super::table_index::tables_of;
use crate::commands::action::RequestOrigin;
use crate::repository::stored_rows::{put_json, remove_row};
use crate::repository::{Failure, MINUTE_MS, Repository, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_games::rules::Seat;
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::view::View;
use caravanserai_store::Space;
use caravanserai_table as table;
use caravanserai_table::command::{Command, MoveChoice};
use caravanserai_table::state::{Table, TablePhase};
use caravanserai_table::steps::TableStep;

/// How long a first press waits for the second one, in milliseconds.
const CONFIRMATION_TTL_MS: u64 = MINUTE_MS;

/// A second press on "Resign" within this time is a double tap and does not count, in milliseconds.
const DOUBLE_TAP_MS: u64 = 700;

/// A first press.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PendingConfirmation {
    at_ms: u64,
    update: String,
    /// The action that the second press confirms.
    what: String,
}

/// Asks for a second press before an action.
pub(crate) struct MoveConfirmations {
    repository: Arc<Repository>,
}

impl MoveConfirmations {
    pub(crate) fn new(repository: Arc<Repository>) -> Self {
        Self { repository }
    }

    /// The question to confirm a command; `None` if the command needs no confirmation or was
    /// confirmed.
    pub(crate) async fn confirmation_view(
        &self,
        context: &mut RequestContext<'_>,
        table: &Table,
        command: &Command,
        origin: RequestOrigin,
    ) -> Result<Option<View>, Failure> {
        if table.is_frozen() {
            // There is nothing to confirm: the command is refused.
            return Ok(None);
        }
        let person = &context.update.person.id;
        let closing = match command {
            Command::AbortAbandoned => Some(("abort", "answer-confirm-abort-typed")),
            Command::Cancel if origin == RequestOrigin::Pressed => {
                Some(("cancel", "answer-confirm-cancel"))
            }
            Command::Cancel => return Ok(None),
            _ => None,
        };
        if let Some((what, question)) = closing {
            if table::decide(table, &context.actor(), command).is_err() {
                return Ok(None);
            }
            return self.ask_twice(context, table, what.to_owned(), 0, Text::new(question)).await;
        }
        let own: Vec<u8> = table.seating.seats_of(person).collect();
        let turn = table.seat_to_move().filter(|it| own.contains(it));
        let seat = turn.or_else(|| own.first().copied());
        let Some(seat) = seat.filter(|_| table.phase == TablePhase::Playing) else {
            // There is nothing to confirm: the command is refused later with a better answer.
            return Ok(None);
        };
        let (what, gap_ms, question) = match command {
            // There is nothing to confirm: the command is refused.
            Command::Resign if table.finishing_rank(seat).is_some() => return Ok(None),
            // Typed text cannot be a double tap.
            Command::Resign if origin == RequestOrigin::Typed => {
                (resignation(table, person), 0, Text::new("answer-confirm-resign-typed"))
            }
            Command::Resign => {
                (resignation(table, person), DOUBLE_TAP_MS, Text::new("answer-confirm-resign"))
            }
            // It gives up a victory.
            Command::Abort if table.claimable_from(seat).is_some() => {
                let gap_ms = if origin == RequestOrigin::Typed { 0 } else { DOUBLE_TAP_MS };
                ("abort won".to_owned(), gap_ms, Text::new("answer-confirm-abort-claim"))
            }
            Command::Abort if origin == RequestOrigin::Typed && table.can_be_aborted() => {
                ("abort".to_owned(), 0, Text::new("answer-confirm-abort-typed"))
            }
            Command::Move { choice, .. } => {
                // A seat may have choices also out of turn.
                if !has_choices(table, seat) || !context.person.confirms_moves {
                    return Ok(None);
                }
                let Some((what, question)) = move_question(table, seat, choice, origin) else {
                    return Ok(None);
                };
                (what, 0, question)
            }
            _ => return Ok(None),
        };
        // The question names the card that the player has chosen.
        let secret = matches!(command, Command::Move { .. }) && table.game_id().info().hidden;
        let asked = self.ask_twice(context, table, what, gap_ms, question).await?;
        Ok(asked.map(|view| View { secret, ..view }))
    }

    /// The question that the same press or message answers; `None` if this was the second one.
    async fn ask_twice(
        &self,
        context: &mut RequestContext<'_>,
        table: &Table,
        what: String,
        gap_ms: u64,
        question: Text,
    ) -> Result<Option<View>, Failure> {
        let is_confirmed = self.is_second_press(context, table, what, gap_ms).await?;
        Ok((!is_confirmed).then(|| View { asks_again: true, ..View::brief(question) }))
    }

    /// Removes the pending confirmations of a person at all their tables.
    pub(crate) async fn clear_confirmations(
        &self,
        context: &mut RequestContext<'_>,
    ) -> HandlerResult {
        let person = context.update.person.id.clone();
        for table in tables_of(&self.repository, &person).await? {
            context
                .extra_rows
                .push(remove_row(Space::Meta, keys::pending_confirmation(&table, &person)));
        }
        Ok(brief_views("answer-nothing-done"))
    }

    /// Whether this press repeats the same action within a minute.
    async fn is_second_press(
        &self,
        context: &mut RequestContext<'_>,
        table: &Table,
        what: String,
        gap_ms: u64,
    ) -> Result<bool, Failure> {
        let key = keys::pending_confirmation(&table.id, &context.update.person.id);
        let stored = self.repository.read_value(Space::Meta, &key).await?;
        let now_ms = context.now_ms;
        let pending: Option<PendingConfirmation> =
            stored.and_then(|it| serde_json::from_slice(&it).ok());
        // If the clock was set back since the first press, this counts as a new first press.
        let is_fresh = |it: &PendingConfirmation| {
            it.at_ms <= now_ms && now_ms < it.at_ms + CONFIRMATION_TTL_MS
        };
        let Some(first) = pending.filter(|it| it.what == what && is_fresh(it)) else {
            let first =
                PendingConfirmation { at_ms: now_ms, update: context.update.id.clone(), what };
            let row = put_json(Space::Meta, key, &first).expires_at(now_ms + CONFIRMATION_TTL_MS);
            self.repository.put_all(vec![row]).await?;
            return Ok(false);
        };
        // The same update may be delivered twice, at once or later; it still counts as the first
        // press.
        let is_other = first.update != context.update.id;
        let is_confirmed = is_other && now_ms - first.at_ms >= gap_ms;
        if is_confirmed {
            context.extra_rows.push(remove_row(Space::Meta, key));
        }
        Ok(is_confirmed)
    }
}

/// A resignation that a second press confirms. Who has acted since the first press plays on, so the
/// question is asked again; moves of other players do not matter.
fn resignation(table: &Table, person: &PersonId) -> String {
    let own: Vec<u8> = table.seating.seats_of(person).collect();
    let acted = |it: &TableStep<'_>| it.seat.is_some_and(|seat| own.contains(&seat));
    format!("resign {}", table.history.steps.iter().filter(acted).count())
}

/// What a second press confirms for this move, and the question; `None` if the move is not legal.
fn move_question(
    table: &Table,
    seat: u8,
    choice: &MoveChoice,
    origin: RequestOrigin,
) -> Option<(String, Text)> {
    let token = match choice {
        MoveChoice::Token(token) => token.clone(),
        MoveChoice::Typed(words) => parse_typed_move(table, seat, words)?,
    };
    let label = button_move_label(table, seat, &token)?;
    let key = match origin {
        RequestOrigin::Typed => "answer-confirm-typed",
        RequestOrigin::Pressed => "answer-confirm-card",
    };
    // The second press counts for the same position and not for a later turn.
    let what = format!("{token} {}", table.history.position);
    Some((what, Text::new(key).with("card", label)))
}

/// Whether this seat can act now.
fn has_choices(table: &Table, seat: u8) -> bool {
    table.game.as_deref().is_some_and(|it| !it.choices(Seat(seat)).is_empty())
}

/// The token of the move that the words mean for this seat.
fn parse_typed_move(table: &Table, seat: u8, words: &str) -> Option<String> {
    table.game.as_deref()?.parse_move(Seat(seat), words, vocabulary())
}

/// The label of a legal move for this seat: that of the card in a hand, or of the button.
fn button_move_label(table: &Table, seat: u8, token: &str) -> Option<Arg> {
    let game = table.game.as_deref()?;
    let cards = game.hand(Seat(seat)).into_iter().filter(|it| it.legal).map(|it| it.choice);
    let mut choices = cards.chain(game.choices(Seat(seat)));
    choices.find(|it| it.token == token).map(|it| it.label)
}
