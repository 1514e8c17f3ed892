//! Extracts JSON request bodies, with limits on size and time.

use std::time::Duration;

use axum::body::{HttpBody, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use serde::de::DeserializeOwned;

use super::refusal::WebchatRefusal;

/// The most bytes of a request body.
pub const BYTES_MAX: u64 = 32 * 1024;
/// How long receiving a body may take.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// The most characters of an error description.
const WHY_CHARS_MAX: usize = 160;

/// A JSON body whose errors become refusals, like all others.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = WebchatRefusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, WebchatRefusal> {
        if !is_json(request.headers()) {
            return Err(WebchatRefusal::BadRequest(
                "send JSON with Content-Type: application/json",
            ));
        }
        let most = usize::try_from(BYTES_MAX).unwrap_or(usize::MAX);
        let body = request.into_body();
        let expected = body.size_hint().lower();
        let bytes = tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, most)).await;
        let bytes = bytes.map_err(|_| WebchatRefusal::BodyTooSlow)?;
        // The connection broke, or the body was longer than declared.
        let bytes = bytes.map_err(|_| {
            if expected > 0 { WebchatRefusal::BodyTooSlow } else { WebchatRefusal::BodyTooLarge }
        })?;
        let read = serde_json::from_slice(&bytes);
        read.map(JsonBody).map_err(|e| {
            WebchatRefusal::InvalidJson(e.to_string().chars().take(WHY_CHARS_MAX).collect())
        })
    }
}

/// Whether the declared length of a body is above the limit.
pub fn is_too_large(headers: &HeaderMap) -> bool {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|it| it.to_str().ok());
    length.is_some_and(|it| it.parse::<u64>().map_or(true, |it| it > BYTES_MAX))
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let kind = kind.and_then(|it| it.split(';').next()).unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}
