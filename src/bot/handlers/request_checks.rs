//! Checks whether a request is to be handled at all: whether it is meant for the bot, comes from a
//! person, keeps to the limit, and is not a misclick.

use std::sync::Arc;

use super::context::{RequestContext, brief_views};
use super::request_limiter::RequestLimiter;
use super::update_committer::UpdateCommitter;
use crate::commands::action::{Request, TableRef};
use crate::delivery::{Delivery, MISCLICK_WINDOW_MS};
use crate::parsing::looks_like_move;
use crate::parsing::words::truncate_message;
use crate::repository::{Failure, Repository};
use crate::views::hand_views;
use caravanserai_games::ids::ChatKind;
use caravanserai_games::rules::Seat;
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::view::View;
use caravanserai_protocol::{PersonKind, Update, UpdateKind};
use caravanserai_store::Commit;
use caravanserai_table::command::Command;
use caravanserai_table::state::Table;

/// The result of the checks before a request runs.
pub(crate) enum Precheck {
    /// The request may run.
    Proceed,
    /// The request does not run; these are the replies.
    Reply(Vec<View>),
}

/// Checks requests before they run.
pub(crate) struct RequestChecker {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
    committer: Arc<UpdateCommitter>,
    request_limiter: Arc<RequestLimiter>,
}

impl RequestChecker {
    pub(crate) fn new(
        repository: Arc<Repository>,
        delivery: Arc<Delivery>,
        committer: Arc<UpdateCommitter>,
        request_limiter: Arc<RequestLimiter>,
    ) -> Self {
        Self { repository, delivery, committer, request_limiter }
    }

    /// Checks whether an update is to be handled at all.
    pub(crate) async fn precheck(
        &self,
        context: &mut RequestContext<'_>,
        request: &Request,
    ) -> Result<Precheck, Failure> {
        if !self.is_reply_to_bot(context, request).await? {
            return Ok(Precheck::Reply(Vec::new()));
        }
        if let Some(stored) = context.stored_answer.take() {
            return Ok(Precheck::Reply(stored.replies));
        }
        if !context.query_results.is_empty() {
            // The first attempt has passed the checks.
            return Ok(Precheck::Proceed);
        }
        let person = &context.update.person;
        Ok(match person.kind {
            PersonKind::Anonymous => Precheck::Reply(brief_views("refuse-anonymous")),
            PersonKind::Bot => Precheck::Reply(brief_views("refuse-bot")),
            PersonKind::Human if !self.request_limiter.allow_request(&person.id) => {
                Precheck::Reply(brief_views("refuse-too-fast"))
            }
            PersonKind::Human if self.is_misclick(context, request).await => {
                let views = brief_views("refuse-button-changed");
                // A redelivery must not have an effect either.
                let _ = self
                    .committer
                    .commit_changes(context, Vec::new(), Commit::default(), &views)
                    .await?;
                Precheck::Reply(views)
            }
            PersonKind::Human => Precheck::Proceed,
        })
    }

    /// Whether a button has just moved under the finger that presses it. This process does not know
    /// what another process has shown: then a person who acted a moment ago cannot have seen the
    /// new board yet.
    async fn is_misclick(&self, context: &RequestContext<'_>, request: &Request) -> bool {
        let UpdateKind::Press { callback_data, message: Some(message) } = &context.update.kind
        else {
            return false;
        };
        let Request::Table { table: TableRef::Id(table), action, .. } = request else {
            return false;
        };
        let person = &context.update.person.id;
        let chat = &context.update.chat.id;
        let slot = hand_views::hand_slot_of_id(table);
        if let Some(has_moved) =
            self.delivery.is_misclick(person, (chat, message), &slot, callback_data)
        {
            return has_moved;
        }
        if action.command().is_none() {
            return false;
        }
        let now_ms = self.repository.now_ms();
        self.repository.load_table(table).await.ok().flatten().is_some_and(|table| {
            table
                .seating
                .last_action_ms_of(person)
                .is_some_and(|at| (at..at + MISCLICK_WINDOW_MS).contains(&now_ms))
        })
    }

    /// Whether a text that replies to a message is for the bot, because people talk to each other
    /// too.
    async fn is_reply_to_bot(
        &self,
        context: &RequestContext<'_>,
        request: &Request,
    ) -> Result<bool, Failure> {
        let Request::Table { table: TableRef::Message(_), action, .. } = request else {
            return Ok(true);
        };
        let is_move = matches!(action.command(), Some(Command::Move { .. }));
        if !is_move || is_command(&context.update.kind) {
            return Ok(true);
        }
        let Some(id) = &context.answered_table else { return Ok(false) };
        let Ok(Some(table)) = self.repository.load_table(id).await else { return Ok(true) };
        Ok(is_attempt(&table, context.update))
    }
}

/// Whether a text reply to a board is an attempt to move, because people also talk about the game.
/// In a group only a text that is understood or looks like a mistyped move gets an answer.
fn is_attempt(table: &Table, update: &Update) -> bool {
    let UpdateKind::Text { text, .. } = &update.kind else { return true };
    let text = truncate_message(text);
    let Some(seat) = table.seating.seats_of(&update.person.id).next() else { return false };
    let understood = table
        .game
        .as_deref()
        .is_some_and(|it| it.parse_move(Seat(seat), text, vocabulary()).is_some());
    let short = text.split_whitespace().count() <= 3 && text.chars().count() <= 24;
    let is_private = update.chat.kind == ChatKind::Private;
    understood || (short && (is_private || looks_like_move(text)))
}

/// Whether an update is a command, or a text that begins with the name of the bot.
fn is_command(body: &UpdateKind) -> bool {
    match body {
        UpdateKind::Text { text, is_addressed, .. } => {
            *is_addressed || text.trim_start().starts_with('/')
        }
        UpdateKind::Command { .. } => true,
        _ => false,
    }
}
