//! Takes updates from the platforms, and answers what people type.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Service, ServiceInner, log_failure_as_none};
use crate::parsing::request_parser;
use caravanserai_games::ids::ChatKind;
use caravanserai_protocol::guest_service::GuestService;
use caravanserai_protocol::view::View;
use caravanserai_protocol::{
    Ack, ArgumentSuggestion, ArgumentSuggestions, Arrival, Chat, ChatReports, ClientQueries,
    DeliveryReports, EphemeralReply, HandleOutcome, InlineQueries, InlineResult, Person,
    ReplyRenderer, Update, UpdateHandler, UpdateKind,
};

/// How long an update is handled before the first check whether the store replies, in milliseconds.
const STORE_CHECK_AFTER_MS: u64 = 1_500;
/// The time between later checks, in milliseconds.
const STORE_CHECK_INTERVAL_MS: u64 = 250;
/// How long a store has not answered when it counts as silent, in milliseconds.
const STORE_SILENT_AFTER_MS: u64 = 1_000;

impl Service {
    /// Handles an update and measures how long that takes. If the bot stops or the store does not
    /// reply, the reply says so.
    async fn answer_with_timeout(
        &self,
        update: &Update,
        handling: impl Future<Output = HandleOutcome> + Send + 'static,
    ) -> HandleOutcome {
        let ServiceInner { repository, handlers, tasks, .. } = self.modules();
        let platform = update.chat.id.platform().to_owned();
        metrics::counter!("caravanserai_updates_total", "platform" => platform).increment(1);
        if tasks.is_stopping() {
            return handlers.refuse_while_stopping(update).await;
        }
        let started_ms = repository.time_source().monotonic_ms();
        let outcome = match self.run_unless_store_silent(handling).await {
            Some(outcome) => outcome,
            None => handlers.refuse_unsaved(update).await,
        };
        let took_ms = repository.time_source().monotonic_ms().saturating_sub(started_ms);
        metrics::histogram!("caravanserai_update_handling_seconds").record(took_ms as f64 / 1000.0);
        outcome
    }

    /// Handles an update of a platform that does not redeliver it, with the whole answer.
    async fn handle_once(&self, update: Update) -> HandleOutcome {
        let (handlers, update_copy) = (self.modules().handlers.clone(), update.clone());
        let handling = async move { handlers.answer_in_order(&update_copy).await };
        let outcome = self.answer_with_timeout(&update, handling).await;
        // The update is dropped early, because deadlines must not wait for the rest of the reply.
        drop(update);
        outcome.complete().await
    }

    /// Waits for a piece of work. Returns `None` if the store has not replied for a while: the work
    /// then continues in a separate task, because its writes may still succeed.
    pub(super) async fn run_unless_store_silent<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let ServiceInner { repository, tasks, .. } = self.modules();
        let (mut work, mut check_ms) = (Box::pin(work), STORE_CHECK_AFTER_MS);
        loop {
            tokio::select! {
                biased;
                result = &mut work => return Some(result),
                () = repository.time_source().sleep_ms(check_ms) => {
                    check_ms = STORE_CHECK_INTERVAL_MS;
                }
            }
            if repository.store_silent_ms() >= STORE_SILENT_AFTER_MS {
                tasks.spawn(async move {
                    work.await;
                });
                return None;
            }
        }
    }
}

#[async_trait]
impl UpdateHandler for Service {
    async fn handle(&self, update: Update) -> Vec<EphemeralReply> {
        self.handle_once(update).await.replies
    }

    async fn handle_report(&self, update: Update) -> Ack {
        self.handle_once(update).await.ack
    }

    async fn handle_deferrable(&self, update: Update) -> HandleOutcome {
        let (handlers, update_copy) = (self.modules().handlers.clone(), update.clone());
        self.answer_with_timeout(&update, async move { handlers.answer(&update_copy).await }).await
    }

    fn record_arrival(&self) -> Arrival {
        let repository = &self.modules().repository;
        repository.pending_updates().register(repository.time_source().monotonic_ms())
    }

    fn needs_admin(&self, kind: &UpdateKind, chat: ChatKind) -> bool {
        request_parser::needs_admin(kind, chat)
    }

    fn is_confidential(&self, text: &str) -> bool {
        request_parser::is_confidential(text)
    }

    fn argument_suggestions(&self) -> Option<&dyn ArgumentSuggestions> {
        Some(self)
    }

    fn inline_queries(&self) -> Option<&dyn InlineQueries> {
        Some(self)
    }

    fn reply_renderer(&self) -> Option<&dyn ReplyRenderer> {
        Some(self)
    }

    fn client_queries(&self) -> Option<&dyn ClientQueries> {
        Some(self)
    }

    fn guest_service(&self) -> Option<Arc<dyn GuestService>> {
        Some(Arc::new(self.clone()))
    }

    fn delivery_reports(&self) -> Option<&dyn DeliveryReports> {
        Some(self)
    }

    fn chat_reports(&self) -> Option<&dyn ChatReports> {
        Some(self)
    }
}

#[async_trait]
impl ArgumentSuggestions for Service {
    async fn suggest_arguments(
        &self,
        chat: &Chat,
        person: &Person,
        command: &str,
        typed: &str,
    ) -> Vec<ArgumentSuggestion> {
        let suggester = &self.modules().handlers.suggester;
        let found = suggester.suggestions(chat, person, command, typed).await;
        let found = log_failure_as_none("suggest arguments", found).unwrap_or_default();
        found.into_iter().map(|(label, value)| ArgumentSuggestion { label, value }).collect()
    }
}

#[async_trait]
impl InlineQueries for Service {
    async fn inline_results(&self, person: &Person, typed: &str) -> Vec<InlineResult> {
        let handlers = &self.modules().handlers;
        if !handlers.challenges.allow_inline_query(person) {
            return Vec::new();
        }
        if log_failure_as_none("look for a ban", handlers.is_banned(person).await).unwrap_or(true) {
            return Vec::new();
        }
        let found = handlers.challenges.inline_results(person, typed).await;
        log_failure_as_none("answer an inline query", found).unwrap_or_default()
    }

    async fn mention_reply(&self, person: &Person, words: &str) -> Option<InlineResult> {
        let handlers = &self.modules().handlers;
        if log_failure_as_none("look for a ban", handlers.is_banned(person).await).unwrap_or(true) {
            return None;
        }
        let reply = handlers.challenges.mention_reply(person, words).await;
        log_failure_as_none("answer a mention", reply).flatten()
    }
}

#[async_trait]
impl ReplyRenderer for Service {
    async fn rerender(&self, chat: &Chat, person: &Person, view: View) -> Option<EphemeralReply> {
        self.modules().handlers.stored_replies.rerender_reply(chat, person, view).await
    }

    async fn render_brief(
        &self,
        chat: &Chat,
        person: &Person,
        view: View,
    ) -> Option<EphemeralReply> {
        self.modules().handlers.stored_replies.render_numbered_hand(chat, person, view).await
    }
}
