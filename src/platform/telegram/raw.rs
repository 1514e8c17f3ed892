//! The one way to the Bot API server: teloxide's typed requests and fields it does not know yet.
//!
//! Requests are teloxide's payload types; the transport is our own, because teloxide's sleeps ten
//! seconds after any 5xx, loses the error code and keeps the token in its error texts. Methods
//! newer than teloxide are called by name.

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use teloxide::requests::Payload;

/// Longest wait for an ordinary call.
const CALL_MAX: Duration = Duration::from_secs(30);
/// The name of the part that carries an uploaded file; `attach://upload` refers to it.
pub(super) const UPLOAD: &str = "upload";

/// Why a call failed.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum CallError {
    /// The server says no.
    #[error("{code}: {text}")]
    Api {
        /// The `error_code`.
        code: u16,
        /// The `description`.
        text: String,
        /// Seconds to wait, with 429.
        retry_after: Option<u64>,
        /// The new id of a group that became a supergroup.
        migrate_to: Option<i64>,
    },
    /// No answer, or none that can be read. Whether the call was done is not known.
    #[error("{0}")]
    Network(String),
}

impl CallError {
    /// The error code, if the server answered.
    pub(super) fn code(&self) -> Option<u16> {
        match self {
            CallError::Api { code, .. } => Some(*code),
            CallError::Network(_) => None,
        }
    }

    /// Whether the server's description has these words.
    pub(super) fn says(&self, words: &str) -> bool {
        matches!(self, CallError::Api { text, .. } if text.contains(words))
    }
}

/// A file that goes with a call.
pub(super) struct Upload {
    /// File name.
    pub(super) name: String,
    /// Contents.
    pub(super) bytes: Vec<u8>,
}

/// A bot on a Bot API server.
#[derive(Clone)]
pub(super) struct Api {
    client: reqwest::Client,
    /// Address with the token: never printed.
    base: String,
}

impl Api {
    /// Talks to this server; its address has no slash at the end.
    ///
    /// # Errors
    /// When no client can be built on this system.
    pub(super) fn new(server: &str, token: &str) -> Result<Self, reqwest::Error> {
        let mut client = reqwest::Client::builder().connect_timeout(Duration::from_secs(10));
        if server.starts_with("http://127.0.0.1") || server.starts_with("http://localhost") {
            client = client.no_proxy();
        }
        let base = format!("{}/bot{token}", server.trim_end_matches('/'));
        Ok(Self { client: client.build()?, base })
    }

    /// Calls a method with teloxide's payload; `R` is what is read of the result.
    pub(super) async fn call<R: DeserializeOwned>(
        &self,
        payload: &(impl Payload + Serialize),
    ) -> Result<R, CallError> {
        self.call_with(payload, Map::new(), None).await
    }

    /// The same with more fields than teloxide knows, and perhaps a file.
    pub(super) async fn call_with<P: Payload + Serialize, R: DeserializeOwned>(
        &self,
        payload: &P,
        extra: Map<String, Value>,
        upload: Option<Upload>,
    ) -> Result<R, CallError> {
        let fields = serde_json::to_value(payload);
        let Ok(Value::Object(mut fields)) = fields else {
            return Err(CallError::Network("a request that is no JSON object".to_owned()));
        };
        fields.extend(extra);
        let hint = payload.timeout_hint().unwrap_or_default();
        self.send(P::NAME, fields, upload, CALL_MAX + hint).await
    }

    /// Calls a method by its name.
    pub(super) async fn named<R: DeserializeOwned>(
        &self,
        method: &str,
        fields: Map<String, Value>,
    ) -> Result<R, CallError> {
        self.send(method, fields, None, CALL_MAX).await
    }

    async fn send<R: DeserializeOwned>(
        &self,
        method: &str,
        fields: Map<String, Value>,
        upload: Option<Upload>,
        patience: Duration,
    ) -> Result<R, CallError> {
        let request = self.client.post(format!("{}/{method}", self.base)).timeout(patience);
        let request = match upload {
            None => request.json(&fields),
            Some(upload) => request.multipart(form(fields, upload)),
        };
        let answer = request.send().await.map_err(lost)?;
        let status = answer.status().as_u16();
        let bytes = answer.bytes().await.map_err(lost)?;
        read(status, &bytes)
    }
}

fn form(fields: Map<String, Value>, upload: Upload) -> reqwest::multipart::Form {
    let part = reqwest::multipart::Part::bytes(upload.bytes).file_name(upload.name);
    let mut form = reqwest::multipart::Form::new().part(UPLOAD, part);
    for (name, value) in fields {
        form = match value {
            Value::Null => form,
            Value::String(text) => form.text(name, text),
            other => form.text(name, other.to_string()),
        };
    }
    form
}

/// The address in an error would show the token.
fn lost(error: reqwest::Error) -> CallError {
    let error = error.without_url();
    let kind = if error.is_timeout() { "no answer in time" } else { "connection failed" };
    let cause = std::error::Error::source(&error).map(|it| format!(": {it}")).unwrap_or_default();
    CallError::Network(format!("{kind}{cause}"))
}

fn read<R: DeserializeOwned>(status: u16, bytes: &[u8]) -> Result<R, CallError> {
    let mut body: Value = serde_json::from_slice(bytes).unwrap_or_default();
    if body["ok"] == Value::Bool(true) {
        return serde_json::from_value(body["result"].take())
            .map_err(|error| CallError::Network(format!("unexpected answer: {error}")));
    }
    let parameters = &body["parameters"];
    Err(CallError::Api {
        code: body["error_code"].as_u64().and_then(|it| u16::try_from(it).ok()).unwrap_or(status),
        text: body["description"].as_str().unwrap_or("no description").to_owned(),
        retry_after: parameters["retry_after"].as_u64(),
        migrate_to: parameters["migrate_to_chat_id"].as_i64(),
    })
}
