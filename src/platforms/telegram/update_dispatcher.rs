//! Handles one update: parses it, hands it to the handler, and has the private replies sent.
//!
//! Updates of one chat are handled in order, up to the point where they need an engine or a
//! network.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

use super::author_queues::{QueueTicket, UpdateOrder};
use super::chat_members::ChatMembers;
use super::corrections::{Corrections, TypedText};
use super::deferred_updates::RestOfHandling;
use super::identity::BotIdentity;
use super::inline::{GuestMention, InlineAnswers, TypedInlineQuery};
use super::parse_update::{ParsedUpdate, UpdateOrigin, UpdateParser};
use super::private_delivery::PrivateDelivery;
use super::reveal_button::REVEAL_PREFIX;
use super::storage::RepliedUpdates;
use caravanserai_platform_shared::task_limit::TaskLimit;
use caravanserai_protocol::{Arrival, HandleOutcome, RequestStatus, UpdateHandler, UpdateKind};

/// Handles updates.
pub(super) struct UpdateDispatcher {
    pub(super) identity: Arc<BotIdentity>,
    pub(super) parser: UpdateParser,
    pub(super) members: ChatMembers,
    pub(super) inline: InlineAnswers,
    pub(super) delivery: Arc<PrivateDelivery>,
    pub(super) order: UpdateOrder,
    pub(super) corrections: Corrections,
    pub(super) replied: RepliedUpdates,
    pub(super) reply_tasks: Arc<TaskLimit>,
    /// Answers to inline queries, which come with each letter and must not delay private replies.
    pub(super) inline_tasks: TaskLimit,
}

impl UpdateDispatcher {
    /// Handles one update as far as that needs no engine and no network. Private replies are sent
    /// afterwards.
    pub(super) async fn handle(
        self: &Arc<Self>,
        handler: &Arc<dyn UpdateHandler>,
        raw: Value,
        arrival: Arrival,
    ) -> HandlingStep {
        let _turn = self.order.lock_chat(&raw).await;
        let ticket = match self.order.authors.join_existing(&raw) {
            Some(ticket) => ticket,
            None => match self.handle_now(handler, &raw, &arrival, None).await {
                InTurnResult::Step(step) => return step,
                InTurnResult::NeedsAdminCheck(..) => self.order.authors.start_queue(&raw),
            },
        };
        HandlingStep::Deferred(self.clone().handle_in_author_order(
            handler.clone(),
            raw,
            arrival.untracked(),
            ticket,
        ))
    }

    /// Handles an update after earlier ones of its author that wait for the check of admin rights.
    /// Asks Telegram for the admins if that matters for this update.
    fn handle_in_author_order(
        self: Arc<Self>,
        handler: Arc<dyn UpdateHandler>,
        raw: Value,
        arrival: Arrival,
        ticket: QueueTicket,
    ) -> RestOfHandling {
        Box::pin(async move {
            let first = ticket.wait().await;
            let mut admin = None;
            let step = loop {
                let turn = self.order.lock_chat(&raw).await;
                match self.handle_now(&handler, &raw, &arrival, admin).await {
                    InTurnResult::Step(step) => break step,
                    InTurnResult::NeedsAdminCheck(chat, person) => {
                        drop(turn);
                        admin = Some(self.members.is_admin(chat, person).await);
                    }
                }
            };
            drop(first);
            self.order.authors.remove_empty();
            step.finish().await
        })
    }

    /// Handles an update while its chat is locked. `admin`: whether its author is an admin, if
    /// Telegram was asked.
    async fn handle_now(
        self: &Arc<Self>,
        handler: &Arc<dyn UpdateHandler>,
        raw: &Value,
        arrival: &Arrival,
        admin: Option<bool>,
    ) -> InTurnResult {
        let done = InTurnResult::Step(HandlingStep::Done { kept: true });
        if let Some(typed) = TypedInlineQuery::parse(raw) {
            // An inline query decides nothing, so nothing has to wait for it.
            let (inline, handler) = (self.inline.clone(), handler.clone());
            self.inline_tasks
                .spawn(async move { inline.answer_inline_query(&handler, typed).await });
            return done;
        }
        if let Some(mention) =
            GuestMention::parse(raw, self.identity.username().unwrap_or_default())
        {
            let (inline, handler) = (self.inline.clone(), handler.clone());
            self.inline_tasks
                .spawn(async move { inline.answer_guest_mention(&handler, mention).await });
            return done;
        }
        let raw = match self.corrections.accept_edit(raw).await {
            Ok(Some(raw)) => raw,
            Ok(None) => return done,
            Err(error) => {
                tracing::warn!(%error, "failed to look up an edited text");
                return InTurnResult::Step(HandlingStep::Done { kept: false });
            }
        };
        let typed = TypedText::parse(&raw);
        let query = raw["callback_query"]["id"].as_str().map(str::to_owned);
        let Some(read) = self.parser.parse(raw, admin).await else {
            if let Some(query) = query {
                // No handler exists for this press, but its button must not spin.
                self.answer_press_in_background(&query);
            }
            return done;
        };
        if let Some((chat, person)) = read.needs_admin_check {
            return InTurnResult::NeedsAdminCheck(chat, person);
        }
        if let (Some(_), UpdateKind::Press { callback_data, .. }) =
            (&read.origin.query, &read.update.kind)
            && callback_data.starts_with(REVEAL_PREFIX)
        {
            let (delivery, handler) = (self.delivery.clone(), handler.clone());
            self.reply_tasks.spawn(async move { delivery.reveal_replies(&*handler, read).await });
            return done;
        }
        let ParsedUpdate { mut update, origin, .. } = read;
        self.parser.chats.lock().add_update(&update.id);
        update.arrival = arrival.clone();
        let (id, since) = (update.id.clone(), Instant::now());
        let mut answer = PendingAnswer { id, origin, typed, since, late: false };
        let outcome =
            self.handle_with_deadline(&mut answer, handler.handle_deferrable(update)).await;
        if outcome.deferred.is_some() {
            let me = self.clone();
            return InTurnResult::Step(HandlingStep::Deferred(Box::pin(async move {
                let outcome = me.handle_with_deadline(&mut answer, outcome.complete()).await;
                me.answer_privately(answer, outcome).await
            })));
        }
        InTurnResult::Step(HandlingStep::Done {
            kept: self.answer_privately(answer, outcome).await,
        })
    }

    /// Sends the replies to the person who acted; returns whether the update may be confirmed.
    async fn answer_privately(
        self: &Arc<Self>,
        answer: PendingAnswer,
        outcome: HandleOutcome,
    ) -> bool {
        let PendingAnswer { id, origin, typed, late, .. } = answer;
        let HandleOutcome { replies, ack, request, .. } = outcome;
        let kept = ack.is_confirmed();
        if let Some(typed) = typed.filter(|_| kept) {
            self.corrections.record_outcome(&typed, request).await;
            if request != RequestStatus::Absent {
                self.parser.chats.keep_comment(&id).await;
            }
        }
        // Handling an update twice gives the same replies; they are sent once.
        let sends = match replies.is_empty() {
            // Without an answer the button would spin.
            true => origin.query.is_some(),
            false => self.replied.is_first_reply(&id, kept).await,
        };
        if sends {
            let me = self.clone();
            self.reply_tasks.spawn(async move {
                let is_marked = kept && !replies.is_empty();
                me.delivery.deliver_replies(origin, replies, late).await;
                if is_marked {
                    me.replied.record_sent(&id).await;
                }
            });
        }
        kept
    }

    /// Limits how long a press waits; after that it gets an empty answer, and the replies follow as
    /// messages.
    async fn handle_with_deadline<T>(
        self: &Arc<Self>,
        answer: &mut PendingAnswer,
        handling: impl Future<Output = T>,
    ) -> T {
        let Some(query) = answer.origin.query.clone().filter(|_| !answer.late) else {
            return handling.await;
        };
        let left = self.delivery.patience.saturating_sub(answer.since.elapsed());
        tokio::pin!(handling);
        tokio::select! {
            biased;
            outcome = &mut handling => outcome,
            () = tokio::time::sleep(left) => {
                answer.late = true;
                self.answer_press_in_background(&query);
                handling.await
            }
        }
    }

    /// Gives a press an empty answer, without waiting for the server.
    fn answer_press_in_background(self: &Arc<Self>, query: &str) {
        let (answers, query) = (self.delivery.press_answers.clone(), query.to_owned());
        self.reply_tasks.spawn(async move {
            answers.answer(&query, "", false).await;
        });
    }
}

/// How far an update was handled while its chat was locked.
pub(super) enum HandlingStep {
    /// Completely; `kept` says whether it may be confirmed.
    Done { kept: bool },
    /// The rest needs an engine or a network.
    Deferred(RestOfHandling),
}

impl HandlingStep {
    /// Handles the rest; returns whether the update may be confirmed.
    pub(super) async fn finish(self) -> bool {
        match self {
            HandlingStep::Done { kept } => kept,
            HandlingStep::Deferred(rest) => rest.await,
        }
    }
}

/// The result of handling an update while its chat was locked.
enum InTurnResult {
    Step(HandlingStep),
    /// Nothing was done: first the adapter must know whether this person is an admin of this chat.
    NeedsAdminCheck(i64, i64),
}

/// An update whose replies are not sent yet.
struct PendingAnswer {
    id: String,
    origin: UpdateOrigin,
    /// The text of the update, if it is one.
    typed: Option<TypedText>,
    /// When the update was received.
    since: Instant,
    /// Whether the press already got an empty answer because handling took too long.
    late: bool,
}
