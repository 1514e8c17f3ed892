//! Receives updates by long polling or by webhook.
//!
//! An update is confirmed only after it is committed or stored in a row, so that nothing is lost
//! when the process dies. Receiving waits for no engine and no network: updates that need them are
//! deferred (see [`super::deferred_updates`]) and answered later. Updates of one chat are handled
//! in order, up to the point where they are deferred.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use subtle::ConstantTimeEq;
use teloxide::payloads::{
    DeleteWebhook, GetUpdates, GetUpdatesSetters, SetWebhook, SetWebhookSetters,
};
use tokio_util::sync::CancellationToken;

use super::TelegramError;
use super::bot_api::{BotApi, TelegramCallError};
use super::corrections::EDITED_MESSAGE;
use super::deferred_updates::DeferredUpdates;
use super::handler_reports::HandlerReports;
use super::identity::BotIdentity;
use super::parse_update::chat_of;
use super::update_dispatcher::{HandlingStep, UpdateDispatcher};
use caravanserai_platform_shared::backoff::Backoff;
use caravanserai_platform_shared::health_reporter::HealthReporter;
use caravanserai_platform_shared::leader_lease::LeaderLease;
use caravanserai_platform_shared::platform_rows::PlatformRows;
use caravanserai_protocol::{Arrival, UpdateHandler};

/// How long a poll waits at the server, in seconds.
const POLL_SECONDS: u32 = 25;
/// Chats whose updates are handled at the same time.
const CONCURRENT_CHATS: usize = 32;
/// An empty response that comes sooner than this did not wait for updates.
const POLL_MIN: Duration = Duration::from_secs(1);
/// Longest pause after such responses.
const SHORT_POLL_PAUSE_MAX: Duration = Duration::from_secs(2);
/// Longest pause after failing polls.
const POLL_RETRY_PAUSE_MAX: Duration = Duration::from_secs(30);
/// How often an update is fetched whose result cannot be stored, before it is deferred so that it
/// holds up no other chat.
const STUCK_ATTEMPTS: u32 = 4;
/// The header in which Telegram repeats the secret of the webhook.
const SECRET_HEADER: &str = "x-telegram-bot-api-secret-token";

/// The field of a call that lists the kinds of updates the bot receives.
const ALLOWED_UPDATES_FIELD: &str = "allowed_updates";

/// Receives the updates of the bot.
pub(super) struct UpdateSource {
    pub(super) api: BotApi,
    pub(super) identity: Arc<BotIdentity>,
    pub(super) handler: Arc<HandlerReports>,
    pub(super) dispatcher: Arc<UpdateDispatcher>,
    pub(super) deferred: Arc<DeferredUpdates>,
    pub(super) rows: PlatformRows,
    pub(super) health: HealthReporter,
    /// Updates with a lower id were handled.
    pub(super) confirmed_to: AtomicI32,
    /// Updates that came by the webhook and could not be stored.
    pub(super) webhook_attempts: FailedAttempts,
}

impl UpdateSource {
    /// Waits until every private reply under way was sent, at most five seconds.
    pub(super) async fn drain(&self) {
        self.deferred.drain().await;
        let dispatcher = &self.dispatcher;
        tokio::join!(dispatcher.reply_tasks.settle(), dispatcher.inline_tasks.settle());
    }

    /// Lists the kinds of updates to receive. Mentions in chats in which the bot is no member are
    /// included only if the server offers them and BotFather has switched them on.
    fn allowed_updates(&self) -> Map<String, Value> {
        let mut wanted = vec!["message", "callback_query", "inline_query", "my_chat_member"];
        wanted.push(EDITED_MESSAGE);
        // Changes of other members arrive only in chats where the bot is an admin.
        wanted.push("chat_member");
        wanted.extend(self.identity.receives_mentions().then_some("guest_message"));
        [(ALLOWED_UPDATES_FIELD.to_owned(), json!(wanted))].into_iter().collect()
    }

    /// Fetches updates until `stop` is ready, then waits for the work under way.
    ///
    /// One process fetches at a time; another takes over when it ends or dies. An update is
    /// confirmed only after the handler has committed it or it is deferred: if the process dies
    /// before, or nothing can be stored, Telegram delivers it again. Chats are handled side by
    /// side, each in order. Every failure, a refused token too, is logged and retried with growing
    /// pauses.
    ///
    /// # Errors
    /// None at present.
    pub(super) async fn poll(
        self: Arc<Self>,
        handler: Arc<dyn UpdateHandler>,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), TelegramError> {
        self.handler.set(&handler);
        self.deferred.resume(&handler);
        let lease = LeaderLease::new(&self.rows, format!("poll tg/{}", self.identity.id()));
        let ended = CancellationToken::new();
        let work = async {
            while ended.run_until_cancelled(lease.acquire(&self.health)).await.is_some() {
                let mut poll = PollState::new();
                let polling = async { while self.poll_once(&handler, &mut poll, &ended).await {} };
                if lease.run_while_held(polling).await.is_none() {
                    tracing::info!("lost the polling lease to another process");
                }
            }
        };
        let stopped = async {
            stop.await;
            ended.cancel();
        };
        tokio::join!(work, stopped);
        self.confirm_updates(self.confirmed_to.load(Ordering::Relaxed)).await;
        lease.release().await;
        self.drain().await;
        Ok(())
    }

    /// Fetches updates once and handles them; pauses after a failure. Returns false at shutdown.
    async fn poll_once(
        self: &Arc<Self>,
        handler: &Arc<dyn UpdateHandler>,
        poll: &mut PollState,
        ended: &CancellationToken,
    ) -> bool {
        let began = Instant::now();
        let fetch = self.fetch_updates(&mut poll.webhook_gone, poll.offset);
        let Some(fetched) = ended.run_until_cancelled(fetch).await else { return false };
        let wait = match fetched {
            Ok(updates) => {
                self.health.report_serving();
                poll.failures.reset();
                let last = updates.iter().filter_map(update_id).max();
                let news = poll.handled.retain_new(updates);
                let (count, nothing) = (news.len(), news.is_empty());
                let arrival = handler.record_arrival();
                let kept = self.handle_all(handler, news, arrival, &poll.attempts).await;
                let all = kept.len() == count;
                if !kept.is_empty() {
                    poll.unsaved.reset();
                }
                poll.handled.extend(kept);
                if !all {
                    // Fetched again; the updates that were stored are skipped then.
                    let wait = poll.unsaved.next_pause();
                    return ended.run_until_cancelled(tokio::time::sleep(wait)).await.is_some();
                }
                poll.unsaved.reset();
                poll.attempts.0.lock().clear();
                if let Some(last) = last {
                    poll.offset = i32::try_from(last + 1).unwrap_or(0);
                    self.confirmed_to.store(poll.offset, Ordering::Relaxed);
                }
                // The poll should have waited for an update; without a pause it would loop at full
                // speed.
                let hurries = nothing && began.elapsed() < POLL_MIN;
                if !hurries {
                    poll.hurry.reset();
                    return true;
                }
                poll.hurry.next_pause()
            }
            Err(error) => {
                self.health.report_problem(&describe_trouble(&error));
                retry_pause(&error, &mut poll.failures)
            }
        };
        ended.run_until_cancelled(tokio::time::sleep(wait)).await.is_some()
    }

    async fn fetch_updates(
        &self,
        webhook_gone: &mut bool,
        offset: i32,
    ) -> Result<Vec<Value>, TelegramCallError> {
        if !*webhook_gone {
            self.api.call::<bool>(&DeleteWebhook::new()).await?;
            *webhook_gone = true;
        }
        let call = GetUpdates::new().offset(offset).timeout(POLL_SECONDS).limit(100);
        let fetched = self.api.call_with(&call, self.allowed_updates(), None).await;
        if let Err(error) = &fetched
            && error.description_contains("webhook is active")
        {
            *webhook_gone = false;
        }
        fetched
    }

    /// Confirms the handled updates before the end, so that they are not delivered again.
    async fn confirm_updates(&self, offset: i32) {
        if offset == 0 {
            return;
        }
        let call = GetUpdates::new().offset(offset).timeout(0).limit(1);
        let confirm = self.api.call::<Vec<Value>>(&call);
        let _repeated_then = tokio::time::timeout(Duration::from_secs(3), confirm).await;
    }

    /// Handles updates; returns the ids of those that may be confirmed.
    async fn handle_all(
        self: &Arc<Self>,
        handler: &Arc<dyn UpdateHandler>,
        updates: Vec<Value>,
        arrival: Arrival,
        attempts: &FailedAttempts,
    ) -> Vec<Option<i64>> {
        let upgraded: BTreeSet<i64> = updates.iter().filter_map(upgraded_to).collect();
        let (mut chats, mut kept) = (BTreeMap::<i64, Vec<Value>>::new(), Vec::new());
        for update in updates {
            let chat = chat_of(&update);
            // The bot comes to a supergroup together with the group that became it.
            match is_join_of_bot(&update) && upgraded.contains(&chat) {
                true => kept.push(update_id(&update)),
                false => chats.entry(chat).or_default().push(update),
            }
        }
        let arrival = &arrival;
        let chats = chats.into_values();
        let chats =
            chats.map(|updates| self.handle_chat_updates(handler, updates, arrival, attempts));
        let handled = futures::stream::iter(chats).buffer_unordered(CONCURRENT_CHATS);
        kept.extend(handled.concat().await);
        kept
    }

    /// Handles the updates of one chat in order; returns the ids of those that may be confirmed.
    async fn handle_chat_updates(
        self: &Arc<Self>,
        handler: &Arc<dyn UpdateHandler>,
        updates: Vec<Value>,
        arrival: &Arrival,
        attempts: &FailedAttempts,
    ) -> Vec<Option<i64>> {
        let (mut kept, deferred) = (Vec::new(), FuturesUnordered::new());
        for update in updates {
            let id = update_id(&update);
            match self.handle_on_task(handler, update.clone(), arrival.clone()).await {
                HandlingStep::Done { kept: true } => kept.push(id),
                HandlingStep::Done { kept: false } => {
                    let is_stuck = id.is_some_and(|it| attempts.count(it) >= STUCK_ATTEMPTS);
                    if is_stuck && self.deferred.defer_stuck(handler, update).await {
                        kept.push(id);
                    }
                    // Later updates of this chat must not overtake it.
                    break;
                }
                HandlingStep::Deferred(rest) => deferred.push(async move {
                    let parked = self.deferred.defer(handler, update, rest).await;
                    parked.then_some(id)
                }),
            }
        }
        kept.extend(deferred.filter_map(std::future::ready).collect::<Vec<_>>().await);
        kept
    }

    /// Handles one update on its own task, so that a panic costs only this update.
    async fn handle_on_task(
        self: &Arc<Self>,
        handler: &Arc<dyn UpdateHandler>,
        update: Value,
        arrival: Arrival,
    ) -> HandlingStep {
        let (dispatcher, handler) = (self.dispatcher.clone(), handler.clone());
        let task = tokio::spawn(async move { dispatcher.handle(&handler, update, arrival).await });
        task.await.unwrap_or_else(|error| {
            tracing::error!(%error, "the handler of an update panicked");
            HandlingStep::Done { kept: true }
        })
    }

    /// Handles an update that came by the webhook; returns whether it may be confirmed.
    async fn handle_delivered(
        &self,
        handler: &Arc<dyn UpdateHandler>,
        update: Value,
        arrival: Arrival,
    ) -> bool {
        let id = update_id(&update);
        let is_kept = match self.dispatcher.handle(handler, update.clone(), arrival).await {
            HandlingStep::Done { kept: true } => true,
            HandlingStep::Done { kept: false } => {
                let attempts = &self.webhook_attempts;
                let is_stuck = id.is_some_and(|it| attempts.count(it) >= STUCK_ATTEMPTS);
                is_stuck && self.deferred.defer_stuck(handler, update).await
            }
            HandlingStep::Deferred(rest) => self.deferred.defer(handler, update, rest).await,
        };
        if is_kept {
            self.webhook_attempts.forget(id);
        }
        is_kept
    }

    /// Asks the server to deliver updates to this address, which
    /// [`UpdateSource::webhook_routes`] serves.
    ///
    /// # Errors
    /// An invalid address, or a refusal by the server.
    pub(super) async fn set_webhook(&self, url: &str, secret: &str) -> Result<(), TelegramError> {
        let refused = |text: String| TelegramError::Refused { call: "setWebhook", text };
        let url = url.parse().map_err(|_| refused("the webhook address is no URL".to_owned()))?;
        let call = SetWebhook::new(url).secret_token(secret);
        let set = self.api.call_with::<_, bool>(&call, self.allowed_updates(), None).await;
        set.map(drop).map_err(|error| TelegramError::from_call("setWebhook", error))
    }

    /// Builds the route `path` for the HTTP server of the process. Without the right secret it
    /// answers 401; it answers 200 only after the handler has committed the update or it is
    /// deferred, else Telegram repeats it.
    pub(super) fn webhook_routes(
        self: Arc<Self>,
        handler: Arc<dyn UpdateHandler>,
        path: &str,
        secret: &str,
    ) -> Router {
        self.handler.set(&handler);
        self.deferred.resume(&handler);
        let hook =
            Arc::new(WebhookState { source: self, handler, secret: secret.as_bytes().to_vec() });
        Router::new().route(path, post(receive_webhook)).with_state(hook)
    }
}

/// The state of the webhook route.
struct WebhookState {
    source: Arc<UpdateSource>,
    handler: Arc<dyn UpdateHandler>,
    secret: Vec<u8>,
}

async fn receive_webhook(
    State(hook): State<Arc<WebhookState>>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let arrival = hook.handler.record_arrival();
    let given = headers.get(SECRET_HEADER).map(|it| it.as_bytes()).unwrap_or_default();
    let right = !hook.secret.is_empty() && bool::from(given.ct_eq(&hook.secret));
    if !right {
        return StatusCode::UNAUTHORIZED;
    }
    let Ok(update) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST;
    };
    let (source, handler) = (hook.source.clone(), hook.handler.clone());
    // On its own task: a connection that is cut must not stop a decision half way.
    let outcome =
        tokio::spawn(async move { source.handle_delivered(&handler, update, arrival).await });
    match outcome.await {
        Ok(true) => StatusCode::OK,
        // Nothing can be stored now: Telegram delivers it again.
        Ok(false) => StatusCode::SERVICE_UNAVAILABLE,
        Err(error) => {
            tracing::error!(%error, "the handler of an update panicked");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}

/// The most updates whose failures are counted; the oldest are forgotten first.
const FAILED_UPDATES_MAX: usize = 1_000;

/// How often each of the received updates could not be stored.
#[derive(Default)]
pub(super) struct FailedAttempts(Mutex<BTreeMap<i64, u32>>);

impl FailedAttempts {
    /// Counts one more failure of an update; returns how many there were.
    fn count(&self, id: i64) -> u32 {
        let mut counts = self.0.lock();
        if counts.len() >= FAILED_UPDATES_MAX && !counts.contains_key(&id) {
            counts.pop_first();
        }
        let count = counts.entry(id).or_default();
        *count = count.saturating_add(1);
        *count
    }

    /// Forgets an update that may be confirmed.
    fn forget(&self, id: Option<i64>) {
        if let Some(id) = id {
            self.0.lock().remove(&id);
        }
    }
}

/// The state of polling, from getting the lease to losing it.
struct PollState {
    offset: i32,
    webhook_gone: bool,
    failures: Backoff,
    /// Pauses while updates cannot be stored.
    unsaved: Backoff,
    /// Pauses after empty responses that came at once.
    hurry: Backoff,
    handled: HandledUpdates,
    attempts: FailedAttempts,
}

/// How many handled updates are remembered: more than one response contains.
const HANDLED_UPDATES_MAX: usize = 1_000;

/// The latest handled updates: a server may deliver them again.
#[derive(Default)]
struct HandledUpdates(VecDeque<i64>);

impl HandledUpdates {
    /// Keeps the updates that were not handled yet.
    fn retain_new(&self, updates: Vec<Value>) -> Vec<Value> {
        let is_new = |it: &Value| update_id(it).is_none_or(|id| !self.0.contains(&id));
        updates.into_iter().filter(is_new).collect()
    }

    fn extend(&mut self, ids: Vec<Option<i64>>) {
        self.0.extend(ids.into_iter().flatten());
        let over = self.0.len().saturating_sub(HANDLED_UPDATES_MAX);
        self.0.drain(..over);
    }
}

/// Returns the supergroup that a group has become, if an update says so.
fn upgraded_to(update: &Value) -> Option<i64> {
    let message = update.get("message")?;
    let here = || message.get("migrate_from_chat_id").and(message["chat"]["id"].as_i64());
    message["migrate_to_chat_id"].as_i64().or_else(here)
}

/// Whether an update says that the bot has come to a chat.
fn is_join_of_bot(update: &Value) -> bool {
    let status = |which: &str| update["my_chat_member"][which]["status"].as_str();
    let is_outside = |it: Option<&str>| matches!(it, Some("left" | "kicked"));
    let is_member = matches!(status("new_chat_member"), Some("member" | "administrator"));
    is_member && is_outside(status("old_chat_member"))
}

/// Returns the id that Telegram gives an update.
pub(super) fn update_id(update: &Value) -> Option<i64> {
    update["update_id"].as_i64()
}

impl PollState {
    fn new() -> Self {
        Self {
            offset: 0,
            webhook_gone: false,
            failures: Backoff::new(Duration::from_millis(200), POLL_RETRY_PAUSE_MAX),
            unsaved: Backoff::new(Duration::from_millis(200), POLL_RETRY_PAUSE_MAX),
            hurry: Backoff::new(Duration::from_millis(100), SHORT_POLL_PAUSE_MAX),
            handled: HandledUpdates::default(),
            attempts: FailedAttempts::default(),
        }
    }
}

/// Returns the pause after a failed poll: as long as the server asks, else growing, and much longer
/// when the token is refused.
fn retry_pause(error: &TelegramCallError, failures: &mut Backoff) -> Duration {
    let grown = failures.next_pause();
    match error {
        TelegramCallError::Api { retry_after: Some(seconds), .. } => {
            Duration::from_secs((*seconds).min(300))
        }
        TelegramCallError::Api { code: 401 | 404, .. } => grown * 8,
        TelegramCallError::Api { .. }
        | TelegramCallError::Network(_)
        | TelegramCallError::RateLimited(_) => grown,
    }
}

/// Describes the problem for the operator.
fn describe_trouble(error: &TelegramCallError) -> String {
    match error {
        TelegramCallError::Api { code: 401 | 404, .. } => TelegramError::InvalidToken.to_string(),
        TelegramCallError::Api { code: 409, .. } => {
            "another program fetches the updates of this bot: end it, or give this one its own \
             token"
                .to_owned()
        }
        other => format!("no updates from Telegram: {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(code: u16) -> TelegramCallError {
        TelegramCallError::Api { code, text: String::new(), retry_after: None, migrate_to: None }
    }

    #[test]
    fn a_refused_token_is_tried_again_ever_more_rarely() {
        let mut failures = Backoff::new(Duration::from_millis(200), POLL_RETRY_PAUSE_MAX);
        let pauses: Vec<_> = (0..10).map(|_| retry_pause(&refusal(401), &mut failures)).collect();
        assert!(pauses[0] < Duration::from_secs(2), "a server that restarts says so too");
        assert!((POLL_RETRY_PAUSE_MAX * 4..=POLL_RETRY_PAUSE_MAX * 8).contains(&pauses[9]));
        assert!(describe_trouble(&refusal(401)).contains("TELEGRAM_TOKEN"));
        let slow = TelegramCallError::Api {
            code: 429,
            text: String::new(),
            retry_after: Some(7),
            migrate_to: None,
        };
        assert_eq!(retry_pause(&slow, &mut failures), Duration::from_secs(7));
    }
}
