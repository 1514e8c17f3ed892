//! Calls the Bot API server, with teloxide's typed requests plus fields that teloxide does not
//! know.
//!
//! Requests are teloxide's payload types; the transport is our own, because teloxide's sleeps ten
//! seconds after any 5xx, loses the error code and keeps the token in its error texts. Methods
//! newer than teloxide are called by name.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use teloxide::requests::Payload;

use super::markup::{TimeForm, without_times};
use super::now_ms;
use caravanserai_platform_shared::http_body;

/// Longest wait for an ordinary call.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// The methods whose texts get a preview of the first URL in them, unless it is switched off.
const METHODS_WITH_PREVIEW: [&str; 3] =
    ["sendMessage", "editMessageText", "editEphemeralMessageText"];

/// Whether a method counts towards the calls that a bot has each second. Answers to presses and
/// questions do not. Teloxide begins the names of methods with a capital.
fn counts_towards_budget(method: &str) -> bool {
    let verb = method.get(..4).unwrap_or_default();
    verb.eq_ignore_ascii_case("send") || verb.eq_ignore_ascii_case("edit")
}

/// Switches the previews off: a name such as `example.com` is an address to Telegram.
pub(super) fn no_preview() -> Value {
    json!({ "is_disabled": true })
}

/// Messages and edits that a bot may send in a second over all chats; Telegram allows 30.
const CALLS_PER_SECOND: NonZeroU32 = NonZeroU32::new(28).expect("it is not zero");
/// The longest response that is read, in bytes; a batch of a hundred long messages stays below it.
const RESPONSE_BYTES_MAX: usize = 16 << 20;
/// Calls that wait for the budget by themselves; longer waits are left to the caller.
const CALLS_AHEAD_MAX: u32 = 7;
/// The longest time that a call waits for the budget by itself.
const BUDGET_WAIT_MAX: Duration = Duration::from_millis(250);
/// The name of the part that carries an uploaded file.
const UPLOAD_PART: &str = "upload";
/// Refers to the file that is uploaded in the same request.
pub(super) const ATTACHED: &str = "attach://upload";

/// Why a call failed.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum TelegramCallError {
    /// The server refuses the call.
    #[error("{code}: {text}")]
    Api {
        /// The `error_code`.
        code: u16,
        /// The `description`.
        text: String,
        /// Seconds to wait, with code 429.
        retry_after: Option<u64>,
        /// The new id of a group that became a supergroup.
        migrate_to: Option<i64>,
    },
    /// The budget is used up; the call was not made. Contains the milliseconds to wait.
    #[error("rate limited: retry in {0} ms")]
    RateLimited(u64),
    /// No response, or an unreadable one. It is unknown whether the call had an effect.
    #[error("{0}")]
    Network(String),
}

impl TelegramCallError {
    /// The error code, if the server answered.
    pub(super) fn code(&self) -> Option<u16> {
        match self {
            TelegramCallError::Api { code, .. } => Some(*code),
            TelegramCallError::RateLimited(_) => Some(429),
            TelegramCallError::Network(_) => None,
        }
    }

    /// Whether the same call may succeed later.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            TelegramCallError::Api { code, .. } => matches!(code, 401 | 429 | 500..),
            TelegramCallError::RateLimited(_) | TelegramCallError::Network(_) => true,
        }
    }

    /// How long the server or the budget refuses such calls, in milliseconds; `None` if that is not
    /// the reason.
    pub(super) fn rate_limit_ms(&self) -> Option<u64> {
        match self {
            TelegramCallError::Api { retry_after, .. } => {
                retry_after.map(|it| it.saturating_mul(1_000))
            }
            TelegramCallError::RateLimited(ms) => Some(*ms),
            TelegramCallError::Network(_) => None,
        }
    }

    /// Whether the server's description contains this text.
    pub(super) fn description_contains(&self, words: &str) -> bool {
        matches!(self, TelegramCallError::Api { text, .. } if text.contains(words))
    }
}

/// Whether a server older than Bot API 9.5 refused a call because of an entity that shows a time.
fn is_entity_unknown(error: &TelegramCallError) -> bool {
    error.description_contains("parse MessageEntity")
}

/// Whether the times of a text were the reason of a refusal.
fn are_times_refused(error: &TelegramCallError) -> bool {
    is_entity_unknown(error) || error.description_contains("ENTITY_DATE_INVALID")
}

/// A file that is uploaded with a call.
#[derive(Clone)]
pub(super) struct TelegramUpload {
    /// File name.
    pub(super) name: String,
    /// The contents of the file.
    pub(super) bytes: Vec<u8>,
}

/// A bot on a Bot API server.
#[derive(Clone)]
pub(super) struct BotApi {
    client: reqwest::Client,
    /// Address with the token: never logged.
    base: String,
    budget: Arc<SendBudget<DefaultClock>>,
    /// Whether the server has refused an entity that shows a time.
    lacks_time_entities: Arc<AtomicBool>,
}

/// The budget for calls over all chats: tokens that are refilled with time. Calls that take one of
/// the last [`CALLS_AHEAD_MAX`] tokens are delayed, so that the rate stays at
/// [`CALLS_PER_SECOND`].
struct SendBudget<C: Clock>(RateLimiter<NotKeyed, InMemoryState, C, StateInformationMiddleware>);

impl<C: Clock> SendBudget<C> {
    fn full(clock: C) -> Self {
        let burst = CALLS_PER_SECOND.saturating_add(CALLS_AHEAD_MAX);
        let quota = Quota::per_second(CALLS_PER_SECOND).allow_burst(burst);
        SendBudget(RateLimiter::direct_with_clock(quota, clock).with_middleware())
    }

    /// Takes a token. Returns how long to wait before the call, or as an error how long to wait
    /// before trying again.
    fn take(&self) -> Result<Duration, Duration> {
        match self.0.check() {
            Ok(left) => {
                let ahead = CALLS_AHEAD_MAX.saturating_sub(left.remaining_burst_capacity());
                Ok(BUDGET_WAIT_MAX * ahead / CALLS_AHEAD_MAX)
            }
            Err(none) => Err(none.wait_time_from(self.0.clock().now()) + BUDGET_WAIT_MAX),
        }
    }
}

impl BotApi {
    /// Creates a client for this server; its address has no slash at the end.
    ///
    /// # Errors
    /// When no client can be built on this system.
    pub(super) fn new(server: &str, token: &str) -> Result<Self, reqwest::Error> {
        let mut client = reqwest::Client::builder().connect_timeout(Duration::from_secs(10));
        if server.starts_with("http://127.0.0.1") || server.starts_with("http://localhost") {
            client = client.no_proxy();
        }
        let base = format!("{}/bot{token}", server.trim_end_matches('/'));
        let budget = Arc::new(SendBudget::full(DefaultClock::default()));
        Ok(Self { client: client.build()?, base, budget, lacks_time_entities: Arc::default() })
    }

    /// How the times of a text are sent now. A server counts as new until it refuses one.
    pub(super) fn time_form(&self) -> TimeForm {
        match self.lacks_time_entities.load(Ordering::Relaxed) {
            true => TimeForm::Words,
            false => TimeForm::Entities { now_s: now_ms() / 1_000 },
        }
    }

    /// Calls a method with teloxide's payload; `R` is the type of the result.
    pub(super) async fn call<R: DeserializeOwned>(
        &self,
        payload: &(impl Payload + Serialize),
    ) -> Result<R, TelegramCallError> {
        self.call_with(payload, Map::new(), None).await
    }

    /// Calls a method with more fields than teloxide knows, and optionally a file.
    pub(super) async fn call_with<P: Payload + Serialize, R: DeserializeOwned>(
        &self,
        payload: &P,
        extra: Map<String, Value>,
        upload: Option<TelegramUpload>,
    ) -> Result<R, TelegramCallError> {
        let fields = serde_json::to_value(payload);
        let Ok(Value::Object(mut fields)) = fields else {
            return Err(TelegramCallError::Network("a request that is no JSON object".to_owned()));
        };
        fields.extend(extra);
        let hint = payload.timeout_hint().unwrap_or_default();
        self.send(P::NAME, fields, upload, CALL_TIMEOUT + hint).await
    }

    /// Calls a method by its name.
    pub(super) async fn call_method<R: DeserializeOwned>(
        &self,
        method: &str,
        fields: Map<String, Value>,
    ) -> Result<R, TelegramCallError> {
        self.call_method_with(method, fields, None).await
    }

    /// Calls a method by its name, optionally with a file.
    pub(super) async fn call_method_with<R: DeserializeOwned>(
        &self,
        method: &str,
        fields: Map<String, Value>,
        upload: Option<TelegramUpload>,
    ) -> Result<R, TelegramCallError> {
        self.send(method, fields, upload, CALL_TIMEOUT).await
    }

    /// Takes a token of the budget; waits if one is free soon.
    async fn wait_for_budget(&self) -> Result<(), TelegramCallError> {
        match self.budget.take() {
            Ok(Duration::ZERO) => Ok(()),
            Ok(wait) => {
                tokio::time::sleep(wait).await;
                Ok(())
            }
            Err(wait) => Err(TelegramCallError::RateLimited(
                u64::try_from(wait.as_millis()).unwrap_or(1000) + 1,
            )),
        }
    }

    async fn send<R: DeserializeOwned>(
        &self,
        method: &str,
        mut fields: Map<String, Value>,
        upload: Option<TelegramUpload>,
        patience: Duration,
    ) -> Result<R, TelegramCallError> {
        // teloxide begins the names of methods with a capital letter.
        if METHODS_WITH_PREVIEW.iter().any(|it| it.eq_ignore_ascii_case(method)) {
            fields.insert("link_preview_options".to_owned(), no_preview());
        }
        if counts_towards_budget(method) {
            self.wait_for_budget().await?;
        }
        let plain = without_times(&fields);
        let again = upload.clone().filter(|_| plain.is_some());
        match (self.request(method, fields, upload, patience).await, plain) {
            (Err(error), Some(plain)) if are_times_refused(&error) => {
                if is_entity_unknown(&error) {
                    tracing::info!(%error, "no date_time entities at the server, times are text");
                    self.lacks_time_entities.store(true, Ordering::Relaxed);
                }
                self.request(method, plain, again, patience).await
            }
            (answer, _) => answer,
        }
    }

    /// Makes one HTTP request.
    async fn request<R: DeserializeOwned>(
        &self,
        method: &str,
        fields: Map<String, Value>,
        upload: Option<TelegramUpload>,
        patience: Duration,
    ) -> Result<R, TelegramCallError> {
        let request = self.client.post(format!("{}/{method}", self.base)).timeout(patience);
        let request = match upload {
            None => request.json(&fields),
            Some(upload) => request.multipart(multipart_form(fields, upload)),
        };
        let answer = request.send().await.map_err(network_error)?;
        let status = answer.status().as_u16();
        let read = http_body::read_body(answer, RESPONSE_BYTES_MAX).await;
        let bytes = read.map_err(|error| TelegramCallError::Network(error.to_string()))?;
        parse_response(status, &bytes)
    }
}

fn multipart_form(fields: Map<String, Value>, upload: TelegramUpload) -> reqwest::multipart::Form {
    let part = reqwest::multipart::Part::bytes(upload.bytes).file_name(upload.name);
    let mut form = reqwest::multipart::Form::new().part(UPLOAD_PART, part);
    for (name, value) in fields {
        form = match value {
            Value::Null => form,
            Value::String(text) => form.text(name, text),
            other => form.text(name, other.to_string()),
        };
    }
    form
}

/// Converts an error without its URL, which contains the token.
fn network_error(error: reqwest::Error) -> TelegramCallError {
    TelegramCallError::Network(http_body::error_cause(&error))
}

/// Parses a response. Only a JSON object with `ok` comes from a Bot API server: an HTML page from a
/// proxy does not answer the call.
fn parse_response<R: DeserializeOwned>(status: u16, bytes: &[u8]) -> Result<R, TelegramCallError> {
    let mut body: Value = serde_json::from_slice(bytes).unwrap_or_default();
    if body["ok"] == Value::Bool(true) {
        return serde_json::from_value(body["result"].take()).map_err(|error| {
            let error = http_body::shorten_for_log(&error.to_string());
            TelegramCallError::Network(format!("unexpected answer: {error}"))
        });
    }
    if body["ok"] != Value::Bool(false) && status < 500 {
        return Err(TelegramCallError::Network(format!(
            "no answer of a Bot API server (HTTP {status})"
        )));
    }
    let parameters = &body["parameters"];
    Err(TelegramCallError::Api {
        code: body["error_code"].as_u64().and_then(|it| u16::try_from(it).ok()).unwrap_or(status),
        text: http_body::shorten_for_log(body["description"].as_str().unwrap_or("no description")),
        retry_after: parameters["retry_after"].as_u64(),
        migrate_to: parameters["migrate_to_chat_id"].as_i64(),
    })
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    #[test]
    fn all_chats_together_get_so_much_a_second() {
        let clock = FakeRelativeClock::default();
        let budget = SendBudget::full(clock.clone());
        let at_once = || (0..).take_while(|_| budget.take() == Ok(Duration::ZERO)).count();
        assert_eq!(at_once(), 28);
        // The call that ended the count waits, too.
        let ahead = 1 + (0..).take_while(|_| budget.take().is_ok()).count();
        assert_eq!(ahead, 7, "a quarter of a second is given ahead");
        let Err(wait) = budget.take() else { panic!("more than there is") };
        assert!(wait > BUDGET_WAIT_MAX && wait < BUDGET_WAIT_MAX * 2, "{wait:?}");
        clock.advance(wait);
        assert!(budget.take().is_ok());
        clock.advance(Duration::from_secs(60));
        assert_eq!(at_once(), 28, "what was not used in a minute is not saved up");
    }

    #[test]
    fn messages_count_towards_the_budget_by_either_spelling() {
        for method in ["SendMessage", "sendPhoto", "EditMessageMedia", "editMessageText"] {
            assert!(counts_towards_budget(method), "{method}");
        }
        for method in ["AnswerCallbackQuery", "getUpdates", "DeleteMessage"] {
            assert!(!counts_towards_budget(method), "{method}");
        }
    }
}
