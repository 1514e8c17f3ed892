//! Receives updates by long polling or by webhook.
//!
//! An update is confirmed only after it is committed or stored in a row, so that nothing is lost
//! when the process dies. Receiving waits for no engine and no network: updates that need them are
//! deferred (see [`super::deferred_updates`]) and answered later. Updates of one chat are handled
//! in order, up to the point where they are deferred.

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use serde_json::{Map, Value, json};
use subtle::ConstantTimeEq;
use teloxide::payloads::{
    DeleteWebhook, GetUpdates, GetUpdatesSetters, SetWebhook, SetWebhookSetters,
};
use tokio_util::sync::CancellationToken;

use super::author_queues::QueueTicket;
use super::bot_api::TelegramCallError;
use super::deferred_updates::RestOfHandling;
use super::inline::{GuestMention, TypedInlineQuery};
use super::parse_update::{ParsedUpdate, UpdateOrigin, chat_of};
use super::reveal_button::REVEAL_PREFIX;
use super::{TelegramError, TelegramPlatform};
use caravanserai_platform_shared::backoff::Backoff;
use caravanserai_platform_shared::leader_lease::LeaderLease;
use caravanserai_protocol::{Arrival, HandleOutcome, UpdateHandler, UpdateKind};

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
/// The header in which Telegram repeats the secret of the webhook.
const SECRET_HEADER: &str = "x-telegram-bot-api-secret-token";

/// The field of a call that lists the kinds of updates the bot receives.
const ALLOWED_UPDATES_FIELD: &str = "allowed_updates";

impl TelegramPlatform {
    /// Lists the kinds of updates to receive. Mentions in chats in which the bot is no member are
    /// included only if the server offers them and BotFather has switched them on.
    fn allowed_updates(&self) -> Map<String, Value> {
        let mut wanted = vec!["message", "callback_query", "inline_query", "my_chat_member"];
        // Changes of other members arrive only in chats where the bot is an admin.
        wanted.push("chat_member");
        wanted.extend(self.receives_mentions.then_some("guest_message"));
        [(ALLOWED_UPDATES_FIELD.to_owned(), json!(wanted))].into_iter().collect()
    }

    /// Fetches updates until `stop` is ready, then waits for the work under way.
    ///
    /// One process fetches at a time; another takes over when it ends or dies. An update is
    /// confirmed only after the listener has committed it or it is deferred: if the process dies
    /// before, or nothing can be stored, Telegram delivers it again. Chats are handled side by
    /// side, each in order. Every failure, a refused token too, is logged and retried with growing
    /// pauses.
    ///
    /// # Errors
    /// None at present.
    pub async fn poll(
        self: Arc<Self>,
        listener: Arc<dyn UpdateHandler>,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), TelegramError> {
        self.set_listener(&listener);
        self.resume_deferred(&listener);
        let lease = LeaderLease::new(&self.rows, format!("poll tg/{}", self.me.user.id.0));
        let ended = CancellationToken::new();
        let work = async {
            while ended.run_until_cancelled(lease.acquire(&self.state)).await.is_some() {
                let mut poll = PollState::new();
                let polling = async { while self.poll_once(&listener, &mut poll, &ended).await {} };
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
        listener: &Arc<dyn UpdateHandler>,
        poll: &mut PollState,
        ended: &CancellationToken,
    ) -> bool {
        let began = Instant::now();
        let fetch = self.fetch_updates(&mut poll.webhook_gone, poll.offset);
        let Some(fetched) = ended.run_until_cancelled(fetch).await else { return false };
        let wait = match fetched {
            Ok(updates) => {
                self.state.report_serving();
                poll.failures.reset();
                let news = poll.handled.retain_new(updates);
                let (count, nothing) = (news.len(), news.is_empty());
                let last = news.iter().filter_map(update_id).max();
                let kept = self.handle_all(listener, news, listener.record_arrival()).await;
                let all = kept.len() == count;
                poll.handled.extend(kept);
                if !all {
                    // Fetched again; the updates that were stored are skipped then.
                    let wait = poll.unsaved.next_pause();
                    return ended.run_until_cancelled(tokio::time::sleep(wait)).await.is_some();
                }
                poll.unsaved.reset();
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
                self.state.report_trouble(&describe_trouble(&error));
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
        listener: &Arc<dyn UpdateHandler>,
        updates: Vec<Value>,
        arrival: Arrival,
    ) -> Vec<Option<i64>> {
        let mut chats: BTreeMap<i64, Vec<Value>> = BTreeMap::new();
        for update in updates {
            chats.entry(chat_of(&update)).or_default().push(update);
        }
        let arrival = &arrival;
        let chats = chats.into_values();
        let chats = chats.map(|updates| self.handle_chat_updates(listener, updates, arrival));
        let handled = futures::stream::iter(chats).buffer_unordered(CONCURRENT_CHATS);
        handled.concat().await
    }

    /// Handles the updates of one chat in order; returns the ids of those that may be confirmed.
    async fn handle_chat_updates(
        self: &Arc<Self>,
        listener: &Arc<dyn UpdateHandler>,
        updates: Vec<Value>,
        arrival: &Arrival,
    ) -> Vec<Option<i64>> {
        let (mut kept, deferred) = (Vec::new(), FuturesUnordered::new());
        for update in updates {
            let id = update_id(&update);
            match self.handle_on_task(listener, update.clone(), arrival.clone()).await {
                HandlingStep::Done { kept: true } => kept.push(id),
                // Later updates of this chat must not overtake it.
                HandlingStep::Done { kept: false } => break,
                HandlingStep::Deferred(rest) => deferred.push(async move {
                    let parked = self.defer_update(listener, update, rest).await;
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
        listener: &Arc<dyn UpdateHandler>,
        update: Value,
        arrival: Arrival,
    ) -> HandlingStep {
        let (telegram, listener) = (self.clone(), listener.clone());
        let task = tokio::spawn(async move { telegram.handle(&listener, update, arrival).await });
        task.await.unwrap_or_else(|error| {
            tracing::error!(%error, "the handler of an update panicked");
            HandlingStep::Done { kept: true }
        })
    }

    /// Handles one update as far as that needs no engine and no network. Private replies are sent
    /// afterwards.
    pub(super) async fn handle(
        self: &Arc<Self>,
        listener: &Arc<dyn UpdateHandler>,
        raw: Value,
        arrival: Arrival,
    ) -> HandlingStep {
        let _turn = self.lock_chat(&raw).await;
        let place = match self.lines.join_existing(&raw) {
            Some(place) => place,
            None => match self.handle_now(listener, &raw, &arrival, None).await {
                InTurnResult::Step(step) => return step,
                InTurnResult::NeedsAdminCheck(..) => self.lines.start_queue(&raw),
            },
        };
        HandlingStep::Deferred(self.clone().handle_in_author_order(
            listener.clone(),
            raw,
            arrival.untracked(),
            place,
        ))
    }

    /// Waits until earlier updates of this chat are handled.
    async fn lock_chat(&self, raw: &Value) -> tokio::sync::MutexGuard<'_, ()> {
        let chat = usize::try_from(chat_of(raw).unsigned_abs()).unwrap_or_default();
        self.turns[chat % self.turns.len()].lock().await
    }

    /// Handles an update after earlier ones of its author that wait for the check of admin rights.
    /// Asks Telegram for the admins if that matters for this update.
    fn handle_in_author_order(
        self: Arc<Self>,
        listener: Arc<dyn UpdateHandler>,
        raw: Value,
        arrival: Arrival,
        place: QueueTicket,
    ) -> RestOfHandling {
        Box::pin(async move {
            let first = place.wait().await;
            let mut admin = None;
            let step = loop {
                let turn = self.lock_chat(&raw).await;
                match self.handle_now(&listener, &raw, &arrival, admin).await {
                    InTurnResult::Step(step) => break step,
                    InTurnResult::NeedsAdminCheck(chat, person) => {
                        drop(turn);
                        admin = Some(self.is_admin(chat, person).await);
                    }
                }
            };
            drop(first);
            self.lines.remove_empty();
            step.finish().await
        })
    }

    /// Handles an update while its chat is locked. `admin`: whether its author is an admin, if
    /// Telegram was asked.
    async fn handle_now(
        self: &Arc<Self>,
        listener: &Arc<dyn UpdateHandler>,
        raw: &Value,
        arrival: &Arrival,
        admin: Option<bool>,
    ) -> InTurnResult {
        let done = InTurnResult::Step(HandlingStep::Done { kept: true });
        if let Some(typed) = TypedInlineQuery::parse(raw) {
            // An inline query decides nothing, so nothing has to wait for it.
            let (telegram, listener) = (self.clone(), listener.clone());
            self.reply_tasks
                .spawn(async move { telegram.answer_inline_query(&listener, typed).await });
            return done;
        }
        if let Some(mention) = GuestMention::parse(raw, self.username()) {
            let (telegram, listener) = (self.clone(), listener.clone());
            self.reply_tasks
                .spawn(async move { telegram.answer_guest_mention(&listener, mention).await });
            return done;
        }
        let Some(read) = self.parse_update(raw.clone(), admin).await else {
            if let Some(query) = raw["callback_query"]["id"].as_str() {
                // No handler exists for this press, but its button must not spin.
                self.answer_press_in_background(query);
            }
            return done;
        };
        if let Some((chat, person)) = read.needs_admin_check {
            return InTurnResult::NeedsAdminCheck(chat, person);
        }
        let telegram = self.clone();
        if let (Some(_), UpdateKind::Press { callback_data: press, .. }) =
            (&read.origin.query, &read.update.kind)
            && press.starts_with(REVEAL_PREFIX)
        {
            let listener = listener.clone();
            self.reply_tasks.spawn(async move { telegram.reveal_replies(&*listener, read).await });
            return done;
        }
        let ParsedUpdate { mut update, origin, .. } = read;
        update.arrival = arrival.clone();
        let mut answer =
            PendingAnswer { id: update.id.clone(), origin, since: Instant::now(), late: false };
        let outcome = self.handle_with_deadline(&mut answer, listener.handle_acked(update)).await;
        if outcome.deferred.is_some() {
            return InTurnResult::Step(HandlingStep::Deferred(Box::pin(async move {
                let outcome = telegram.handle_with_deadline(&mut answer, outcome.complete()).await;
                telegram.answer_privately(answer, outcome).await
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
        let PendingAnswer { id, origin, late, .. } = answer;
        let HandleOutcome { replies, ack, .. } = outcome;
        let kept = ack.is_confirmed();
        // Handling an update twice gives the same replies; they are sent once.
        let sends = match replies.is_empty() {
            // Without an answer the button would spin.
            true => origin.query.is_some(),
            false => self.is_first_reply(&id, kept).await,
        };
        if sends {
            let telegram = self.clone();
            self.reply_tasks
                .spawn(async move { telegram.deliver_replies(origin, replies, late).await });
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
        let left = self.patience.saturating_sub(answer.since.elapsed());
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
        let (telegram, query) = (self.clone(), query.to_owned());
        self.reply_tasks.spawn(async move {
            telegram.answer_press(&query, "", false).await;
        });
    }

    /// Asks the server to deliver updates to this address, which
    /// [`TelegramPlatform::webhook_routes`] serves.
    ///
    /// # Errors
    /// An invalid address, or a refusal by the server.
    pub async fn set_webhook(&self, url: &str, secret: &str) -> Result<(), TelegramError> {
        let refused = |text: String| TelegramError::Refused { call: "setWebhook", text };
        let url = url.parse().map_err(|_| refused("the webhook address is no URL".to_owned()))?;
        let call = SetWebhook::new(url).secret_token(secret);
        let set = self.api.call_with::<_, bool>(&call, self.allowed_updates(), None).await;
        set.map(drop).map_err(|error| TelegramError::from_call("setWebhook", error))
    }

    /// Builds the route `path` for the HTTP server of the process. Without the right secret it
    /// answers 401; it answers 200 only after the listener has committed the update or it is
    /// deferred, else Telegram repeats it.
    pub fn webhook_routes(
        self: Arc<Self>,
        listener: Arc<dyn UpdateHandler>,
        path: &str,
        secret: &str,
    ) -> Router {
        self.set_listener(&listener);
        self.resume_deferred(&listener);
        let hook =
            Arc::new(WebhookState { telegram: self, listener, secret: secret.as_bytes().to_vec() });
        Router::new().route(path, post(receive_webhook)).with_state(hook)
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
    /// When the update was received.
    since: Instant,
    /// Whether the press already got an empty answer because handling took too long.
    late: bool,
}

/// The state of the webhook route.
struct WebhookState {
    telegram: Arc<TelegramPlatform>,
    listener: Arc<dyn UpdateHandler>,
    secret: Vec<u8>,
}

async fn receive_webhook(
    State(hook): State<Arc<WebhookState>>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let arrival = hook.listener.record_arrival();
    let given = headers.get(SECRET_HEADER).map(|it| it.as_bytes()).unwrap_or_default();
    let right = !hook.secret.is_empty() && bool::from(given.ct_eq(&hook.secret));
    if !right {
        return StatusCode::UNAUTHORIZED;
    }
    let Ok(update) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST;
    };
    let (telegram, listener) = (hook.telegram.clone(), hook.listener.clone());
    // On its own task: a connection that is cut must not stop a decision half way.
    let outcome = tokio::spawn(async move {
        match telegram.handle(&listener, update.clone(), arrival).await {
            HandlingStep::Done { kept } => kept,
            HandlingStep::Deferred(rest) => telegram.defer_update(&listener, update, rest).await,
        }
    });
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
            hurry: Backoff::new(Duration::from_millis(50), SHORT_POLL_PAUSE_MAX),
            handled: HandledUpdates::default(),
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
        assert_eq!(pauses[9], POLL_RETRY_PAUSE_MAX * 8);
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
