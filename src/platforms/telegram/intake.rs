//! Receives updates by long polling or by webhook.
//!
//! An update is confirmed only after it is committed or parked in a row, so that nothing is lost
//! when the process dies. Receiving waits for no engine and no network: what needs them is parked
//! (see [`super::parking`]) and answered later. Updates of one chat are handled in their order, up
//! to where they are parked.

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

use super::api::CallError;
use super::envelope::ENVELOPE;
use super::inline::{Summons, Typed};
use super::lines::LinePlace;
use super::parking::Rest;
use super::updates::{Origin, Read, chat_of};
use super::{Telegram, TelegramError};
use caravanserai_platform_shared::pauses::Pauses;
use caravanserai_platform_shared::role::Role;
use caravanserai_protocol::{Arrival, Body, Heard, Listener};

/// Seconds a poll waits at the server.
const POLL_SECONDS: u32 = 25;
/// Chats whose updates are heard at the same time.
const CHATS_AT_ONCE: usize = 32;
/// An empty answer that comes sooner did not wait for anything.
const POLL_MIN: Duration = Duration::from_secs(1);
/// Longest pause after such answers.
const HURRY_MAX: Duration = Duration::from_secs(2);
/// Longest pause after failing polls.
const PAUSE_MAX: Duration = Duration::from_secs(30);
/// The header in which Telegram repeats the secret of the webhook.
const SECRET_HEADER: &str = "x-telegram-bot-api-secret-token";

/// The field of a call that says what the bot wants to be told of.
const WANTED: &str = "allowed_updates";

impl Telegram {
    /// What the bot wants to be told of: of people who name it where it is no member only where
    /// the server offers that and BotFather has switched it on.
    fn wanted(&self) -> Map<String, Value> {
        let mut wanted = vec!["message", "callback_query", "inline_query", "my_chat_member"];
        // Of other people it is told only where it is an admin.
        wanted.push("chat_member");
        wanted.extend(self.hears_summons.then_some("guest_message"));
        [(WANTED.to_owned(), json!(wanted))].into_iter().collect()
    }

    /// Fetches updates until `stop` is ready, then waits for what is under way.
    ///
    /// One process does so at a time, another takes over when it ends or dies. An update is
    /// confirmed only after the listener has heard it for good or it is parked: when the process
    /// dies before, or nothing can be kept, Telegram gives it again. Chats are heard side by side,
    /// each in its order. Every failure, a refused token too, is logged and retried with growing
    /// pauses.
    ///
    /// # Errors
    /// None now.
    pub async fn poll(
        self: Arc<Self>,
        listener: Arc<dyn Listener>,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), TelegramError> {
        self.reports_to(&listener);
        self.resume_parked(&listener);
        let role = Role::new(&self.notes, format!("poll tg/{}", self.me.user.id.0));
        let ended = CancellationToken::new();
        let work = async {
            while ended.run_until_cancelled(role.held(&self.state)).await.is_some() {
                let mut poll = Poll::new();
                let polling = async { while self.polled(&listener, &mut poll, &ended).await {} };
                if role.during(polling).await.is_none() {
                    tracing::info!("another process fetches the updates of Telegram now");
                }
            }
        };
        let stopped = async {
            stop.await;
            ended.cancel();
        };
        tokio::join!(work, stopped);
        self.confirm(self.heard_to.load(Ordering::Relaxed)).await;
        role.given_up().await;
        self.settle().await;
        Ok(())
    }

    /// Fetches updates once and hears them; waits when that fails. False when it is time to end.
    async fn polled(
        self: &Arc<Self>,
        listener: &Arc<dyn Listener>,
        poll: &mut Poll,
        ended: &CancellationToken,
    ) -> bool {
        let began = Instant::now();
        let fetch = self.fetch(&mut poll.webhook_gone, poll.offset);
        let Some(fetched) = ended.run_until_cancelled(fetch).await else { return false };
        let wait = match fetched {
            Ok(updates) => {
                self.state.serving();
                poll.failures.reset();
                let news = poll.handled.without(updates);
                let (count, nothing) = (news.len(), news.is_empty());
                let last = news.iter().filter_map(id_of).max();
                let kept = self.hear_all(listener, news, listener.arrival()).await;
                let all = kept.len() == count;
                poll.handled.extend(kept);
                if !all {
                    // Fetched again; what was kept of it is known then.
                    let wait = poll.unkept.grow();
                    return ended.run_until_cancelled(tokio::time::sleep(wait)).await.is_some();
                }
                poll.unkept.reset();
                if let Some(last) = last {
                    poll.offset = i32::try_from(last + 1).unwrap_or(0);
                    self.heard_to.store(poll.offset, Ordering::Relaxed);
                }
                // It should have waited for something new: else it would be asked without end.
                let hurries = nothing && began.elapsed() < POLL_MIN;
                if !hurries {
                    poll.hurry.reset();
                    return true;
                }
                poll.hurry.grow()
            }
            Err(error) => {
                self.state.trouble(&trouble(&error));
                pause(&error, &mut poll.failures)
            }
        };
        ended.run_until_cancelled(tokio::time::sleep(wait)).await.is_some()
    }

    async fn fetch(&self, webhook_gone: &mut bool, offset: i32) -> Result<Vec<Value>, CallError> {
        if !*webhook_gone {
            self.api.call::<bool>(&DeleteWebhook::new()).await?;
            *webhook_gone = true;
        }
        let call = GetUpdates::new().offset(offset).timeout(POLL_SECONDS).limit(100);
        let fetched = self.api.call_with(&call, self.wanted(), None).await;
        if let Err(error) = &fetched
            && error.says("webhook is active")
        {
            *webhook_gone = false;
        }
        fetched
    }

    /// Tells the server before the end what need not come again.
    async fn confirm(&self, offset: i32) {
        if offset == 0 {
            return;
        }
        let call = GetUpdates::new().offset(offset).timeout(0).limit(1);
        let confirm = self.api.call::<Vec<Value>>(&call);
        let _repeated_then = tokio::time::timeout(Duration::from_secs(3), confirm).await;
    }

    /// Hears updates; the ids of those that may be confirmed.
    async fn hear_all(
        self: &Arc<Self>,
        listener: &Arc<dyn Listener>,
        updates: Vec<Value>,
        arrival: Arrival,
    ) -> Vec<Option<i64>> {
        let mut chats: BTreeMap<i64, Vec<Value>> = BTreeMap::new();
        for update in updates {
            chats.entry(chat_of(&update)).or_default().push(update);
        }
        let arrival = &arrival;
        let chats = chats.into_values();
        let chats = chats.map(|updates| self.hear_chat(listener, updates, arrival));
        let heard = futures::stream::iter(chats).buffer_unordered(CHATS_AT_ONCE);
        heard.concat().await
    }

    /// The same for updates of one chat, in their order.
    async fn hear_chat(
        self: &Arc<Self>,
        listener: &Arc<dyn Listener>,
        updates: Vec<Value>,
        arrival: &Arrival,
    ) -> Vec<Option<i64>> {
        let (mut kept, parking) = (Vec::new(), FuturesUnordered::new());
        for update in updates {
            let id = id_of(&update);
            match self.take(listener, update.clone(), arrival.clone()).await {
                Step::Done { kept: true } => kept.push(id),
                // What follows in this chat comes after it.
                Step::Done { kept: false } => break,
                Step::Later(rest) => parking.push(async move {
                    let parked = self.park(listener, update, rest).await;
                    parked.then_some(id)
                }),
            }
        }
        kept.extend(parking.filter_map(std::future::ready).collect::<Vec<_>>().await);
        kept
    }

    /// Hears one update on a task of its own, so that a panic costs only this update.
    async fn take(
        self: &Arc<Self>,
        listener: &Arc<dyn Listener>,
        update: Value,
        arrival: Arrival,
    ) -> Step {
        let (telegram, listener) = (self.clone(), listener.clone());
        let task = tokio::spawn(async move { telegram.hear(&listener, update, arrival).await });
        task.await.unwrap_or_else(|error| {
            tracing::error!(%error, "an update was not heard");
            Step::Done { kept: true }
        })
    }

    /// Hears one update as far as that needs no engine and no network. Private answers are sent
    /// afterwards.
    pub(super) async fn hear(
        self: &Arc<Self>,
        listener: &Arc<dyn Listener>,
        raw: Value,
        arrival: Arrival,
    ) -> Step {
        let _turn = self.turn(&raw).await;
        let place = match self.lines.behind(&raw) {
            Some(place) => place,
            None => match self.hear_now(listener, &raw, &arrival, None).await {
                InTurn::Step(step) => return step,
                InTurn::AsksAdmin(..) => self.lines.begin(&raw),
            },
        };
        Step::Later(self.clone().in_line(listener.clone(), raw, arrival.handled(), place))
    }

    /// Waits until the updates of this chat that came before are heard.
    async fn turn(&self, raw: &Value) -> tokio::sync::MutexGuard<'_, ()> {
        let chat = usize::try_from(chat_of(raw).unsigned_abs()).unwrap_or_default();
        self.turns[chat % self.turns.len()].lock().await
    }

    /// Hears an update after earlier ones of its author that wait to know whether they are an
    /// admin. Telegram is asked if that matters for this one.
    fn in_line(
        self: Arc<Self>,
        listener: Arc<dyn Listener>,
        raw: Value,
        arrival: Arrival,
        place: LinePlace,
    ) -> Rest {
        Box::pin(async move {
            let first = place.comes().await;
            let mut admin = None;
            let step = loop {
                let turn = self.turn(&raw).await;
                match self.hear_now(&listener, &raw, &arrival, admin).await {
                    InTurn::Step(step) => break step,
                    InTurn::AsksAdmin(chat, person) => {
                        drop(turn);
                        admin = Some(self.is_admin(chat, person).await);
                    }
                }
            };
            drop(first);
            self.lines.clear();
            step.complete().await
        })
    }

    /// Hears an update in the turn of its chat. `admin`: whether its author is an admin, if
    /// Telegram was asked.
    async fn hear_now(
        self: &Arc<Self>,
        listener: &Arc<dyn Listener>,
        raw: &Value,
        arrival: &Arrival,
        admin: Option<bool>,
    ) -> InTurn {
        let done = InTurn::Step(Step::Done { kept: true });
        if let Some(typed) = Typed::read(raw) {
            // Nothing is decided by it, so nothing has to wait for it.
            let (telegram, listener) = (self.clone(), listener.clone());
            self.telling.later(async move { telegram.offer(&listener, typed).await });
            return done;
        }
        if let Some(summons) = Summons::read(raw, self.username()) {
            let (telegram, listener) = (self.clone(), listener.clone());
            self.telling.later(async move { telegram.answer_summons(&listener, summons).await });
            return done;
        }
        let Some(read) = self.read(raw.clone(), admin).await else {
            if let Some(query) = raw["callback_query"]["id"].as_str() {
                // Nobody decides about it, and still its button must not spin.
                self.answer_later(query);
            }
            return done;
        };
        if let Some((chat, person)) = read.asks_admin {
            return InTurn::AsksAdmin(chat, person);
        }
        let telegram = self.clone();
        if let (Some(_), Body::Press { press, .. }) = (&read.origin.query, &read.update.body)
            && press.starts_with(ENVELOPE)
        {
            let listener = listener.clone();
            self.telling.later(async move { telegram.open(&*listener, read).await });
            return done;
        }
        let Read { mut update, origin, .. } = read;
        update.arrival = arrival.clone();
        let mut answer =
            Answer { id: update.id.clone(), origin, since: Instant::now(), late: false };
        let heard = self.in_time(&mut answer, listener.hear_for_good(update)).await;
        if heard.later.is_some() {
            return InTurn::Step(Step::Later(Box::pin(async move {
                let heard = telegram.in_time(&mut answer, heard.complete()).await;
                telegram.answer_privately(answer, heard).await
            })));
        }
        InTurn::Step(Step::Done { kept: self.answer_privately(answer, heard).await })
    }

    /// Sends the answer to the person who acted; whether the update may be confirmed.
    async fn answer_privately(self: &Arc<Self>, answer: Answer, heard: Heard) -> bool {
        let Answer { id, origin, late, .. } = answer;
        let Heard { told: whispers, kept, .. } = heard;
        // Hearing an update twice answers the same; nobody needs to be told twice.
        let tells = match whispers.is_empty() {
            // A button must not spin.
            true => origin.query.is_some(),
            false => self.is_told_first(&id, kept).await,
        };
        if tells {
            let telegram = self.clone();
            self.telling.later(async move { telegram.tell(origin, whispers, late).await });
        }
        kept
    }

    /// Lets a press wait only so long; then it is answered with nothing, and the words follow.
    async fn in_time<T>(
        self: &Arc<Self>,
        answer: &mut Answer,
        hearing: impl Future<Output = T>,
    ) -> T {
        let Some(query) = answer.origin.query.clone().filter(|_| !answer.late) else {
            return hearing.await;
        };
        let left = self.patience.saturating_sub(answer.since.elapsed());
        tokio::pin!(hearing);
        tokio::select! {
            biased;
            heard = &mut hearing => heard,
            () = tokio::time::sleep(left) => {
                answer.late = true;
                self.answer_later(&query);
                hearing.await
            }
        }
    }

    /// Answers a press with nothing, without waiting for the server.
    fn answer_later(self: &Arc<Self>, query: &str) {
        let (telegram, query) = (self.clone(), query.to_owned());
        self.telling.later(async move {
            telegram.answer(&query, "", false).await;
        });
    }

    /// Asks the server to deliver updates to this address, where [`Telegram::webhook`] listens.
    ///
    /// # Errors
    /// An address that is none, or the refusal of the server.
    pub async fn set_webhook(&self, url: &str, secret: &str) -> Result<(), TelegramError> {
        let refused = |text: String| TelegramError::Refused { call: "setWebhook", text };
        let url = url.parse().map_err(|_| refused("the webhook address is no URL".to_owned()))?;
        let call = SetWebhook::new(url).secret_token(secret);
        let set = self.api.call_with::<_, bool>(&call, self.wanted(), None).await;
        set.map(drop).map_err(|error| TelegramError::from_call("setWebhook", error))
    }

    /// The route `path` for the one HTTP server of the process. Without the right secret it
    /// answers 401; it answers 200 only after the listener has heard the update or it is parked,
    /// else Telegram repeats it.
    pub fn webhook(
        self: Arc<Self>,
        listener: Arc<dyn Listener>,
        path: &str,
        secret: &str,
    ) -> Router {
        self.reports_to(&listener);
        self.resume_parked(&listener);
        let hook = Arc::new(Hook { telegram: self, listener, secret: secret.as_bytes().to_vec() });
        Router::new().route(path, post(deliver)).with_state(hook)
    }
}

/// How far an update was handled in the turn of its chat.
pub(super) enum Step {
    /// Completely; whether it may be confirmed.
    Done { kept: bool },
    /// The rest needs an engine or a network.
    Later(Rest),
}

impl Step {
    /// Handles the rest; whether the update may be confirmed.
    pub(super) async fn complete(self) -> bool {
        match self {
            Step::Done { kept } => kept,
            Step::Later(rest) => rest.await,
        }
    }
}

/// The result of an update in the turn of its chat.
enum InTurn {
    Step(Step),
    /// Nothing was done: it has to be known first whether this person is an admin of this chat.
    AsksAdmin(i64, i64),
}

/// An update that is being answered.
struct Answer {
    id: String,
    origin: Origin,
    /// When the update was received.
    since: Instant,
    /// Whether their press was answered with nothing, because it took too long.
    late: bool,
}

/// What the webhook needs.
struct Hook {
    telegram: Arc<Telegram>,
    listener: Arc<dyn Listener>,
    secret: Vec<u8>,
}

async fn deliver(State(hook): State<Arc<Hook>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let arrival = hook.listener.arrival();
    let given = headers.get(SECRET_HEADER).map(|it| it.as_bytes()).unwrap_or_default();
    let right = !hook.secret.is_empty() && bool::from(given.ct_eq(&hook.secret));
    if !right {
        return StatusCode::UNAUTHORIZED;
    }
    let Ok(update) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST;
    };
    let (telegram, listener) = (hook.telegram.clone(), hook.listener.clone());
    // On a task of its own: a connection that is cut must not stop a decision half way.
    let heard = tokio::spawn(async move {
        match telegram.hear(&listener, update.clone(), arrival).await {
            Step::Done { kept } => kept,
            Step::Later(rest) => telegram.park(&listener, update, rest).await,
        }
    });
    match heard.await {
        Ok(true) => StatusCode::OK,
        // Nothing can be kept now: it comes again.
        Ok(false) => StatusCode::SERVICE_UNAVAILABLE,
        Err(error) => {
            tracing::error!(%error, "an update was not heard");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}

/// One time of fetching updates, from getting the role to losing it.
struct Poll {
    offset: i32,
    webhook_gone: bool,
    failures: Pauses,
    /// While what is heard cannot be kept.
    unkept: Pauses,
    /// After answers that came at once with nothing new in them.
    hurry: Pauses,
    handled: Handled,
}

/// How many handled updates are remembered: more than one answer contains.
const HANDLED_MAX: usize = 1_000;

/// The updates that were handled last: a server may deliver them again.
#[derive(Default)]
struct Handled(VecDeque<i64>);

impl Handled {
    /// The updates that were not handled yet.
    fn without(&self, updates: Vec<Value>) -> Vec<Value> {
        let is_new = |it: &Value| id_of(it).is_none_or(|id| !self.0.contains(&id));
        updates.into_iter().filter(is_new).collect()
    }

    fn extend(&mut self, ids: Vec<Option<i64>>) {
        self.0.extend(ids.into_iter().flatten());
        let over = self.0.len().saturating_sub(HANDLED_MAX);
        self.0.drain(..over);
    }
}

/// The number that Telegram gives an update.
pub(super) fn id_of(update: &Value) -> Option<i64> {
    update["update_id"].as_i64()
}

impl Poll {
    fn new() -> Self {
        Self {
            offset: 0,
            webhook_gone: false,
            failures: Pauses::new(Duration::from_millis(200), PAUSE_MAX),
            unkept: Pauses::new(Duration::from_millis(200), PAUSE_MAX),
            hurry: Pauses::new(Duration::from_millis(50), HURRY_MAX),
            handled: Handled::default(),
        }
    }
}

/// How long to wait after failing polls: as told, else longer each time, and much longer when the
/// token is refused.
fn pause(error: &CallError, failures: &mut Pauses) -> Duration {
    let grown = failures.grow();
    match error {
        CallError::Api { retry_after: Some(seconds), .. } => {
            Duration::from_secs((*seconds).min(300))
        }
        CallError::Api { code: 401 | 404, .. } => grown * 8,
        CallError::Api { .. } | CallError::Network(_) | CallError::Busy(_) => grown,
    }
}

/// What is wrong, for whoever runs the program.
fn trouble(error: &CallError) -> String {
    match error {
        CallError::Api { code: 401 | 404, .. } => TelegramError::Token.to_string(),
        CallError::Api { code: 409, .. } => {
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

    fn refusal(code: u16) -> CallError {
        CallError::Api { code, text: String::new(), retry_after: None, migrate_to: None }
    }

    #[test]
    fn a_refused_token_is_tried_again_ever_more_rarely() {
        let mut failures = Pauses::new(Duration::from_millis(200), PAUSE_MAX);
        let pauses: Vec<_> = (0..10).map(|_| pause(&refusal(401), &mut failures)).collect();
        assert!(pauses[0] < Duration::from_secs(2), "a server that restarts says so too");
        assert_eq!(pauses[9], PAUSE_MAX * 8);
        assert!(trouble(&refusal(401)).contains("TELEGRAM_TOKEN"));
        let slow = CallError::Api {
            code: 429,
            text: String::new(),
            retry_after: Some(7),
            migrate_to: None,
        };
        assert_eq!(pause(&slow, &mut failures), Duration::from_secs(7));
    }
}
