//! Updates come in by long polling or by webhook; either way each is heard before it counts as
//! received, so that nothing is lost when the process dies.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use futures::StreamExt;
use serde_json::Value;
use subtle::ConstantTimeEq;
use teloxide::payloads::{
    DeleteWebhook, GetUpdates, GetUpdatesSetters, SetWebhook, SetWebhookSetters,
};
use teloxide::types::AllowedUpdate;

use super::api::CallError;
use super::envelope::ENVELOPE;
use super::inline::Typed;
use super::updates::{Read, chat_of};
use super::{Telegram, TelegramError};
use crate::chat::{Body, Listener};

/// Seconds a poll waits at the server.
const POLL_SECONDS: u32 = 25;
/// Chats whose updates are heard at the same time.
const CHATS_AT_ONCE: usize = 32;
/// Longest pause after failing polls.
const PAUSE_MAX: Duration = Duration::from_secs(30);
/// The header in which Telegram repeats the secret of the webhook.
const SECRET_HEADER: &str = "x-telegram-bot-api-secret-token";

/// What the bot wants to be told of.
fn wanted() -> Vec<AllowedUpdate> {
    vec![
        AllowedUpdate::Message,
        AllowedUpdate::CallbackQuery,
        AllowedUpdate::InlineQuery,
        AllowedUpdate::MyChatMember,
    ]
}

impl Telegram {
    /// Fetches updates until `stop` is ready, then waits for what is under way.
    ///
    /// An update is confirmed only after the listener has heard it: when the process dies before,
    /// Telegram gives it again. Chats are heard side by side, each in its order.
    ///
    /// # Errors
    /// Only what no repetition helps against: the token is refused.
    pub async fn poll(
        self: Arc<Self>,
        listener: Arc<dyn Listener>,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), TelegramError> {
        tokio::pin!(stop);
        self.reports_to(&listener);
        let mut offset = 0;
        let mut failures = 0;
        let mut refusals = Refusals::default();
        let mut webhook_gone = false;
        loop {
            let fetch = self.fetch(&mut webhook_gone, offset);
            let fetched = tokio::select! {
                fetched = fetch => fetched,
                () = &mut stop => break,
            };
            match fetched {
                Ok(updates) => {
                    failures = 0;
                    refusals = Refusals::default();
                    let last = updates.iter().filter_map(|it| it["update_id"].as_i64()).max();
                    self.hear_all(&listener, updates).await;
                    offset = last.map_or(offset, |it| i32::try_from(it + 1).unwrap_or(0));
                }
                Err(error) => {
                    failures += 1;
                    if refusals.final_one(&error) {
                        return Err(TelegramError::Token);
                    }
                    tracing::warn!(%error, failures, "no updates from telegram");
                    tokio::select! {
                        () = tokio::time::sleep(pause(&error, failures)) => {}
                        () = &mut stop => break,
                    }
                }
            }
        }
        self.confirm(offset).await;
        self.settle().await;
        Ok(())
    }

    async fn fetch(&self, webhook_gone: &mut bool, offset: i32) -> Result<Vec<Value>, CallError> {
        if !*webhook_gone {
            self.api.call::<bool>(&DeleteWebhook::new()).await?;
            *webhook_gone = true;
        }
        let call = GetUpdates::new()
            .offset(offset)
            .timeout(POLL_SECONDS)
            .limit(100)
            .allowed_updates(wanted());
        let fetched = self.api.call(&call).await;
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

    async fn hear_all(self: &Arc<Self>, listener: &Arc<dyn Listener>, updates: Vec<Value>) {
        let mut chats: BTreeMap<i64, Vec<Value>> = BTreeMap::new();
        for update in updates {
            chats.entry(chat_of(&update)).or_default().push(update);
        }
        let chats = chats.into_values().map(|updates| async {
            for update in updates {
                self.take(listener, update).await;
            }
        });
        futures::stream::iter(chats).buffer_unordered(CHATS_AT_ONCE).collect::<()>().await;
    }

    /// Hears one update on a task of its own, so that a panic costs only this update.
    async fn take(self: &Arc<Self>, listener: &Arc<dyn Listener>, update: Value) {
        let (telegram, listener) = (self.clone(), listener.clone());
        let task = tokio::spawn(async move { telegram.hear(&listener, update).await });
        if let Err(error) = task.await {
            tracing::error!(%error, "an update was not heard");
        }
    }

    /// Hears one update; what is to be told privately is told afterwards.
    async fn hear(self: &Arc<Self>, listener: &Arc<dyn Listener>, update: Value) {
        let chat = usize::try_from(chat_of(&update).unsigned_abs()).unwrap_or_default();
        let turn = self.turns[chat % self.turns.len()].lock().await;
        if let Some(typed) = Typed::read(&update) {
            // Nothing is decided by it, so nothing has to wait for it.
            let (telegram, listener) = (self.clone(), listener.clone());
            self.telling.later(async move { telegram.offer(&listener, typed).await });
            return;
        }
        let query = update["callback_query"]["id"].as_str().map(str::to_owned);
        let Some(Read { update, origin }) = self.read(update).await else {
            if let Some(query) = query {
                // Nobody decides about it, and still its button must not spin.
                self.answer(&query, "", false).await;
            }
            return;
        };
        let telegram = self.clone();
        if let (Some(_), Body::Press { press, .. }) = (&origin.query, &update.body)
            && press.starts_with(ENVELOPE)
        {
            let press = press.clone();
            self.telling.later(async move { telegram.open(origin, &press).await });
            return;
        }
        let id = update.id.clone();
        let hearing = listener.hear(update);
        let (whispers, answered) = match &origin.query {
            None => (hearing.await, false),
            Some(query) => self.hear_press(hearing, query).await,
        };
        // Hearing an update twice answers the same; nobody needs to be told twice.
        if !self.memory().tell_once(&id) {
            return;
        }
        drop(turn);
        self.telling.later(async move { telegram.tell(origin, whispers, answered).await });
    }

    /// Lets a press wait only so long; then it is answered with nothing, and the words follow.
    async fn hear_press<T>(&self, hearing: impl Future<Output = T>, query: &str) -> (T, bool) {
        tokio::pin!(hearing);
        tokio::select! {
            heard = &mut hearing => (heard, false),
            () = tokio::time::sleep(self.patience) => {
                (tokio::join!(hearing, self.answer(query, "", false)).0, true)
            }
        }
    }

    /// Asks the server to deliver updates to this address, where [`Telegram::webhook`] listens.
    ///
    /// # Errors
    /// An address that is none, or the refusal of the server.
    pub async fn set_webhook(&self, url: &str, secret: &str) -> Result<(), TelegramError> {
        let refused = |text: String| TelegramError::Refused { call: "setWebhook", text };
        let url = url.parse().map_err(|_| refused("the webhook address is no URL".to_owned()))?;
        let call = SetWebhook::new(url).secret_token(secret).allowed_updates(wanted());
        let set = self.api.call::<bool>(&call).await;
        set.map(drop).map_err(|error| TelegramError::from_call("setWebhook", error))
    }

    /// The route `path` for the one HTTP server of the process. Without the right secret it
    /// answers 401; it answers 200 only after the listener has heard the update, else Telegram
    /// repeats it.
    pub fn webhook(
        self: Arc<Self>,
        listener: Arc<dyn Listener>,
        path: &str,
        secret: &str,
    ) -> Router {
        self.reports_to(&listener);
        let hook = Arc::new(Hook { telegram: self, listener, secret: secret.as_bytes().to_vec() });
        Router::new().route(path, post(deliver)).with_state(hook)
    }
}

/// What the webhook needs.
struct Hook {
    telegram: Arc<Telegram>,
    listener: Arc<dyn Listener>,
    secret: Vec<u8>,
}

async fn deliver(State(hook): State<Arc<Hook>>, headers: HeaderMap, body: Bytes) -> StatusCode {
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
    let heard = tokio::spawn(async move { telegram.hear(&listener, update).await });
    match heard.await {
        Ok(()) => StatusCode::OK,
        Err(error) => {
            tracing::error!(%error, "an update was not heard");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}

/// Polls in a row that were answered as if the token were wrong.
#[derive(Default)]
struct Refusals(u32);

/// So many of them end polling: a server that restarts, or a proxy before it, also says 401 or
/// 404 now and then. The pauses between them make more than a minute.
const REFUSALS_MAX: u32 = 10;

impl Refusals {
    /// Counts a failure and tells whether there is no hope left.
    fn final_one(&mut self, error: &CallError) -> bool {
        match error.code() {
            Some(401 | 404) => self.0 += 1,
            _ => self.0 = 0,
        }
        self.0 >= REFUSALS_MAX
    }
}

/// How long to wait after failing polls: as told, else longer each time.
fn pause(error: &CallError, failures: u32) -> Duration {
    if let CallError::Api { retry_after: Some(seconds), .. } = error {
        return Duration::from_secs((*seconds).min(300));
    }
    Duration::from_millis(100 << failures.min(10)).min(PAUSE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(code: u16) -> CallError {
        CallError::Api { code, text: String::new(), retry_after: None, migrate_to: None }
    }

    #[test]
    fn only_a_minute_of_refusals_is_a_wrong_token() {
        let mut refusals = Refusals::default();
        let count = (0..).take_while(|_| !refusals.final_one(&refusal(401))).count();
        let waited: Duration = (1..=count as u32).map(|it| pause(&refusal(401), it)).sum();
        assert!(waited > Duration::from_secs(50), "{waited:?}");
        assert!(waited < Duration::from_secs(120), "{waited:?}");
        let mut refusals = Refusals::default();
        for code in [401, 404, 401, 404, 401, 401, 401, 404, 401, 502, 401, 401] {
            assert!(!refusals.final_one(&refusal(code)), "something else came between");
        }
    }
}
