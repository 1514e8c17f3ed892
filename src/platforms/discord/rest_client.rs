//! Calls Discord's REST interface: one request, one outcome, no retries.
//!
//! serenity's client would sleep and repeat by itself when Discord asks to wait, and does not
//! return how long; the service needs to know that, so requests are made here. The client remembers
//! the rate limits in responses and does not make a call that would surely be refused: Discord
//! blocks an address after ten thousand refusals in ten minutes.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method, StatusCode};
use serde::Serialize;
use serde_json::Value;

use super::{DiscordClock, DiscordStartError};
use caravanserai_platform_shared::http_body;
use caravanserai_protocol::SendError;

/// Discord's own server.
const DISCORD_URL: &str = "https://discord.com";

/// The longest response that is read, in bytes.
const RESPONSE_BYTES_MAX: usize = 4 << 20;

/// How many rate limit buckets are remembered; old ones are forgotten first.
const BUCKETS_MAX: usize = 4_096;

/// The pauses before a failed call is made again, see [`retry_call`], in milliseconds.
const RETRY_PAUSES_MS: [u64; 2] = [500, 2_000];

/// The longest time that a call waits for its rate limit, see [`retry_call`], in milliseconds.
const RETRY_WAIT_MAX_MS: u64 = 10_000;

/// A file that is uploaded as `files[n]`.
#[derive(Clone, Debug)]
pub(super) struct DiscordFile {
    pub name: String,
    pub mime: &'static str,
    pub bytes: Vec<u8>,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum DiscordCallError {
    /// The rate limit is used up. Contains the milliseconds to wait.
    #[error("rate limited: retry in {0} ms")]
    RateLimited(u64),
    /// Discord refused: HTTP status, its own code (0 if there was none), its message.
    #[error("{status}: {words} (code {code})")]
    Refused { status: u16, code: u64, words: String },
    /// No response, or an incomplete one.
    #[error("{0}")]
    Network(String),
}

impl DiscordCallError {
    /// Whether Discord refuses the token of an interaction.
    pub fn is_token_expired(&self) -> bool {
        // 10015 unknown webhook, 50027 invalid webhook token, 10062 unknown interaction.
        matches!(self, DiscordCallError::Refused { code: 10015 | 50027 | 10062, .. })
    }

    /// Whether the message no longer exists.
    pub fn is_message_unknown(&self) -> bool {
        matches!(self, DiscordCallError::Refused { code: 10008, .. })
    }

    /// Whether the user no longer exists, as opposed to not accepting messages (50007).
    pub fn is_person_gone(&self) -> bool {
        // 10007 unknown member, 10013 unknown user.
        matches!(self, DiscordCallError::Refused { code: 10007 | 10013, .. })
    }

    /// Whether the same call may succeed later. A refused token may be replaced.
    pub fn is_transient(&self) -> bool {
        match self {
            DiscordCallError::RateLimited(_)
            | DiscordCallError::Network(_)
            | DiscordCallError::Refused { status: 401 | 500.., .. } => true,
            DiscordCallError::Refused { .. } => false,
        }
    }

    /// Whether the call may have had its effect, although it failed.
    pub fn is_outcome_unknown(&self) -> bool {
        matches!(
            self,
            DiscordCallError::Network(_) | DiscordCallError::Refused { status: 500.., .. }
        )
    }

    /// Whether the bot may not answer messages in the channel, but may write there: the permission
    /// Read Message History is missing.
    pub fn is_reference_refusal(&self) -> bool {
        matches!(self, DiscordCallError::Refused { code: 160_002, .. })
    }

    /// Converts the error into a platform-neutral one.
    pub fn into_send_error(self) -> SendError {
        let said = self.to_string();
        match self {
            DiscordCallError::RateLimited(ms) => SendError::RateLimited(ms),
            DiscordCallError::Network(words) => SendError::Temporary(words),
            DiscordCallError::Refused { status, code, .. } => match (status, code) {
                // Unknown message, another user's message, an archived thread, and the limit on
                // edits of old messages: in each case a new message helps.
                (_, 10008 | 50005 | 50083 | 30046) => SendError::MessageGone,
                // Unknown channel: it was deleted.
                (_, 10003) => SendError::ChatGone,
                // Unknown guild, missing access or permissions, closed direct messages.
                (_, 10004 | 50001 | 50007 | 50013) => SendError::NotAllowed,
                (401, _) => SendError::Temporary("the token is not accepted any more".to_owned()),
                (403, _) => SendError::NotAllowed,
                (500.., _) => SendError::Temporary(said),
                _ => SendError::Refused(said),
            },
        }
    }
}

/// The code of a response of Discord's proxy, which lets no request through for some time. It says
/// nothing about the chat, although its status is 403. Discord's documentation calls it "Cloudflare
/// is blocking your request".
const CLOUDFLARE_BLOCK: u64 = 40333;

/// A client for Discord's REST interface.
pub(super) struct DiscordRest {
    http: Client,
    base: String,
    token: HeaderValue,
    clock: DiscordClock,
    /// When a bucket, or under `""` everything, is available again, by the clock.
    closed: Mutex<HashMap<String, u64>>,
}

impl DiscordRest {
    /// Creates a client for Discord or for a server in its place.
    pub fn new(
        token: &str,
        api_url: Option<&str>,
        clock: DiscordClock,
    ) -> Result<Self, DiscordStartError> {
        let mut header = HeaderValue::try_from(format!("Bot {token}"))
            .map_err(|_| DiscordStartError::BadToken)?;
        header.set_sensitive(true);
        let mut builder = Client::builder()
            .user_agent(concat!("DiscordBot (caravanserai, ", env!("CARGO_PKG_VERSION"), ")"))
            .connect_timeout(Duration::from_secs(5))
            .timeout(Duration::from_secs(30));
        if api_url.is_some() {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|it| DiscordStartError::Unreachable(it.to_string()))?;
        let base = api_url.unwrap_or(DISCORD_URL).trim_end_matches('/').to_owned();
        Ok(DiscordRest { http, base, token: header, clock, closed: Mutex::default() })
    }

    /// Returns the HTTP client, for the requests of the gateway library.
    pub fn client(&self) -> Client {
        self.http.clone()
    }

    /// Makes a GET request.
    pub async fn get(&self, path: &str) -> Result<Value, DiscordCallError> {
        self.call_with(Method::GET, path, None, &[]).await
    }

    /// Makes a DELETE request.
    pub async fn delete(&self, path: &str) -> Result<Value, DiscordCallError> {
        self.call_with(Method::DELETE, path, None, &[]).await
    }

    /// Exchanges an OAuth code that Discord's client gave a user for a token of that user. While
    /// Discord asks to wait, no exchange is tried: anybody can make up codes.
    pub async fn exchange_code(
        &self,
        app: u64,
        secret: &str,
        code: &str,
    ) -> Result<String, DiscordCallError> {
        let app = app.to_string();
        let form = [
            ("client_id", app.as_str()),
            ("client_secret", secret),
            ("grant_type", "authorization_code"),
            ("code", code),
        ];
        let path = "/oauth2/token";
        let bucket = rate_limit_bucket(&Method::POST, path);
        if let Some(wait_ms) = self.remaining_wait_ms(&bucket) {
            return Err(DiscordCallError::RateLimited(wait_ms));
        }
        let url = format!("{}/api/v10{path}", self.base);
        let said = send_request(self.http.post(url).form(&form)).await;
        if let Err(DiscordCallError::RateLimited(wait_ms)) = said {
            self.close_bucket(&bucket, wait_ms);
        }
        let said = said?;
        let none = || DiscordCallError::Network("no token in Discord's answer".to_owned());
        said["access_token"].as_str().map(str::to_owned).ok_or_else(none)
    }

    /// Makes a GET request with a user's token.
    pub async fn get_as(&self, path: &str, token: &str) -> Result<Value, DiscordCallError> {
        send_request(self.http.get(format!("{}/api/v10{path}", self.base)).bearer_auth(token)).await
    }

    /// Makes one call with a body. `path` begins after the API version: `/channels/1/messages`.
    pub async fn call(
        &self,
        method: Method,
        path: &str,
        body: &(impl Serialize + Sync),
        files: &[DiscordFile],
    ) -> Result<Value, DiscordCallError> {
        self.call_with(method, path, Some(&to_json(body)), files).await
    }

    async fn call_with(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        files: &[DiscordFile],
    ) -> Result<Value, DiscordCallError> {
        let bucket = rate_limit_bucket(&method, path);
        if let Some(wait_ms) = self.wait_ms(&bucket, path) {
            return Err(DiscordCallError::RateLimited(wait_ms));
        }
        let url = format!("{}/api/v10{path}", self.base);
        let mut request = self.http.request(method, url).header(AUTHORIZATION, self.token.clone());
        if !files.is_empty() {
            request = request.multipart(multipart_form(body, files)?);
        } else if let Some(body) = body {
            request = request.json(body);
        }
        let answer = request.send().await.map_err(network_error)?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let read = http_body::read_body(answer, RESPONSE_BYTES_MAX).await;
        let text = read.map_err(|error| DiscordCallError::Network(error.to_string()))?;
        let value: Option<Value> = match text.is_empty() {
            true => Some(Value::Null),
            false => serde_json::from_slice(&text).ok(),
        };
        let understood = value.is_some();
        let value = value.unwrap_or(Value::Null);
        self.update_rate_limit(&bucket, status, &headers, &value);
        if status.is_success() && understood {
            return Ok(value);
        }
        if !understood && status.as_u16() < 500 && status != StatusCode::TOO_MANY_REQUESTS {
            // An HTML page from a proxy: Discord was not reached, or its response is lost.
            let words = format!("not a response of Discord (HTTP {})", status.as_u16());
            return Err(DiscordCallError::Network(words));
        }
        if value["code"] == CLOUDFLARE_BLOCK {
            // The same as JSON.
            return Err(DiscordCallError::Network(error_text(&value)));
        }
        if status == StatusCode::TOO_MANY_REQUESTS && value["code"] != 30046 {
            return Err(DiscordCallError::RateLimited(retry_after_ms(&headers, &value)));
        }
        Err(DiscordCallError::Refused {
            status: status.as_u16(),
            code: value["code"].as_u64().unwrap_or_default(),
            words: error_text(&value),
        })
    }

    fn wait_ms(&self, bucket: &str, path: &str) -> Option<u64> {
        // Interactions do not count towards the limit of the whole bot.
        let global = if is_interaction(path) { None } else { self.remaining_wait_ms("") };
        self.remaining_wait_ms(bucket).max(global)
    }

    fn remaining_wait_ms(&self, bucket: &str) -> Option<u64> {
        let until = *self.closed.lock().get(bucket)?;
        until.checked_sub((self.clock)()).filter(|it| *it > 0)
    }

    fn close_bucket(&self, bucket: &str, wait_ms: u64) {
        let now = (self.clock)();
        let mut closed = self.closed.lock();
        if closed.len() >= BUCKETS_MAX {
            closed.retain(|_, until| *until > now);
        }
        if closed.len() < BUCKETS_MAX {
            closed.insert(bucket.to_owned(), now + wait_ms);
        }
    }

    /// Stores the rate limits of a response.
    fn update_rate_limit(
        &self,
        bucket: &str,
        status: StatusCode,
        headers: &HeaderMap,
        value: &Value,
    ) {
        let text = |name| headers.get(name).and_then(|it: &HeaderValue| it.to_str().ok());
        let (key, wait_ms) = if status == StatusCode::TOO_MANY_REQUESTS {
            let global = value["global"] == true;
            (if global { "" } else { bucket }, retry_after_ms(headers, value))
        } else if text("x-ratelimit-remaining") == Some("0") {
            let seconds = text("x-ratelimit-reset-after").and_then(|it| it.parse().ok());
            (bucket, to_ms(seconds.unwrap_or(0.0)))
        } else {
            return;
        };
        self.close_bucket(key, wait_ms);
    }
}

/// Makes a call, and makes it again if a moment later it may succeed: after the time that Discord
/// names, if that is short, or after a short pause. The call may have had its effect each time.
pub(super) async fn retry_call<T, F: Future<Output = Result<T, DiscordCallError>>>(
    call: impl Fn() -> F,
) -> Result<T, DiscordCallError> {
    for pause_ms in RETRY_PAUSES_MS {
        let wait_ms = match call().await {
            Err(DiscordCallError::RateLimited(ms @ ..=RETRY_WAIT_MAX_MS)) => ms,
            Err(DiscordCallError::Network(_) | DiscordCallError::Refused { status: 500.., .. }) => {
                pause_ms
            }
            answer => return answer,
        };
        tokio::time::sleep(Duration::from_millis(wait_ms)).await;
    }
    call().await
}

/// Converts the body of a request to JSON.
pub(super) fn to_json(body: &impl Serialize) -> Value {
    serde_json::to_value(body).expect("bodies have texts as keys and cannot fail to serialize")
}

/// Sends a request that does not use the bot's token.
async fn send_request(request: reqwest::RequestBuilder) -> Result<Value, DiscordCallError> {
    let answer = request.send().await.map_err(network_error)?;
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    let read = http_body::read_body(answer, RESPONSE_BYTES_MAX).await;
    let text = read.map_err(|error| DiscordCallError::Network(error.to_string()))?;
    let value: Option<Value> = serde_json::from_slice(&text).ok();
    if status == 429 {
        // Discord's proxy refuses with an HTML page.
        let value = value.unwrap_or(Value::Null);
        return Err(DiscordCallError::RateLimited(retry_after_ms(&headers, &value)));
    }
    let Some(value) = value else {
        return Err(DiscordCallError::Network(format!("no answer of Discord (HTTP {status})")));
    };
    if !(200..300).contains(&status) {
        // OAuth errors have an `error` field, others a `message`; neither repeats what was sent.
        let said =
            value["error"].as_str().map_or_else(|| error_text(&value), http_body::shorten_for_log);
        return Err(DiscordCallError::Refused { status, code: 0, words: said });
    }
    Ok(value)
}

fn is_interaction(path: &str) -> bool {
    path.starts_with("/interactions/") || path.starts_with("/webhooks/")
}

/// Returns the key of requests that Discord limits together: a method, a resource and its owner.
fn rate_limit_bucket(method: &Method, path: &str) -> String {
    let owner: Vec<&str> = path.split(['/', '?']).skip(1).take(3).collect();
    format!("{method} {}", owner.join("/"))
}

fn multipart_form(body: Option<&Value>, files: &[DiscordFile]) -> Result<Form, DiscordCallError> {
    let mut form = Form::new();
    if let Some(body) = body {
        let part =
            Part::text(body.to_string()).mime_str("application/json").map_err(network_error)?;
        form = form.part("payload_json", part);
    }
    for (number, file) in files.iter().enumerate() {
        let part = Part::bytes(file.bytes.clone()).file_name(file.name.clone());
        let part = part.mime_str(file.mime).map_err(network_error)?;
        form = form.part(format!("files[{number}]"), part);
    }
    Ok(form)
}

/// Converts an error without its URL, which may contain the token of an interaction.
fn network_error(error: reqwest::Error) -> DiscordCallError {
    DiscordCallError::Network(http_body::error_cause(&error))
}

fn to_ms(seconds: f64) -> u64 {
    // Rounded up, at most an hour, so that any value leads to another try.
    (seconds.clamp(0.0, 3_600.0) * 1000.0).ceil() as u64
}

fn retry_after_ms(headers: &HeaderMap, value: &Value) -> u64 {
    let header = headers.get("retry-after").and_then(|it| it.to_str().ok());
    let seconds = value["retry_after"].as_f64().or_else(|| header.and_then(|it| it.parse().ok()));
    to_ms(seconds.unwrap_or(1.0)).max(1)
}

/// Returns Discord's message with the places of the mistakes, short enough for a log line.
fn error_text(value: &Value) -> String {
    let message = value["message"].as_str().unwrap_or("no explanation");
    http_body::shorten_for_log(&match value.get("errors") {
        Some(errors) => format!("{message} {errors}"),
        None => message.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test]
    async fn a_call_is_made_again_after_the_time_that_discord_names() {
        let calls = Cell::new(0);
        let call = |wait_ms| {
            calls.set(calls.get() + 1);
            let is_first = calls.get() == 1;
            let answer = if is_first { Err(DiscordCallError::RateLimited(wait_ms)) } else { Ok(7) };
            async move { answer }
        };
        assert!(matches!(retry_call(|| call(1)).await, Ok(7)));
        assert_eq!(calls.replace(0), 2);
        let long = retry_call(|| call(RETRY_WAIT_MAX_MS + 1)).await;
        assert!(matches!(long, Err(DiscordCallError::RateLimited(_))));
        assert_eq!(calls.get(), 1, "nobody waits that long");
    }
}
