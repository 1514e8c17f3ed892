//! Receives signed interactions that Discord posts by HTTP instead of sending them over the
//! gateway: any of several processes may get them. Commands and presses are the same either way.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use hex::FromHex;
use ring::signature::{ED25519, UnparsedPublicKey};
use serde_json::Value;
use serenity::all::Interaction;

use super::gateway_events::GatewayHandler;
use super::{DiscordPlatform, DiscordStartError};
use caravanserai_platform_shared::task_limit::TaskLimit;
use caravanserai_protocol::UpdateHandler;

/// The headers with the signature and with the timestamp that is signed together with the body.
const SIGNATURE: &str = "x-signature-ed25519";
const TIMESTAMP: &str = "x-signature-timestamp";
/// The longest interaction that is read, in bytes; Discord's are a few kilobytes.
const BODY_MAX: usize = 256 << 10;
/// How old, or how far in the future, a signed request may be, in seconds: an interaction can be
/// answered for three seconds, clocks may differ by more.
const AGE_MAX_S: u64 = 300;
/// The type of an interaction with which Discord checks that the endpoint works.
const PING: u64 = 1;

/// The key that verifies Discord's requests to an application.
#[derive(Clone)]
pub struct PublicKey([u8; 32]);

impl PublicKey {
    /// Parses the key as the developer portal shows it: 64 hexadecimal digits.
    ///
    /// # Errors
    /// Any other text.
    pub fn parse(text: &str) -> Result<Self, DiscordStartError> {
        let key = <[u8; 32]>::from_hex(text.trim());
        key.map(PublicKey).map_err(|_| {
            let why = "DISCORD_PUBLIC_KEY has 64 hexadecimal digits: copy it again from the \
                       developer portal";
            DiscordStartError::Refused(why.to_owned())
        })
    }

    /// Whether Discord signed this body with this timestamp.
    fn verify_signature(&self, signature: &str, timestamp: &str, body: &[u8]) -> bool {
        let Ok(signature) = hex::decode(signature) else { return false };
        let message = [timestamp.as_bytes(), body].concat();
        UnparsedPublicKey::new(&ED25519, self.0).verify(&message, &signature).is_ok()
    }
}

/// The state of the endpoint.
struct InteractionEndpoint {
    handler: Arc<GatewayHandler>,
    key: PublicKey,
    under_way: TaskLimit,
}

impl DiscordPlatform {
    /// Builds the route `path` for the HTTP server of the process, to which Discord posts
    /// interactions. Requests that are not signed by Discord, or too old, get 401.
    pub fn interaction_routes(
        &self,
        handler: Arc<dyn UpdateHandler>,
        path: &str,
        key: PublicKey,
    ) -> Router {
        let handler = Arc::new(GatewayHandler { inner: Arc::clone(&self.inner), handler });
        self.inner.state.report_serving();
        let endpoint =
            Arc::new(InteractionEndpoint { handler, key, under_way: TaskLimit::default() });
        Router::new()
            .route(path, post(handle_request))
            .layer(DefaultBodyLimit::max(BODY_MAX))
            .with_state(endpoint)
    }
}

async fn handle_request(
    State(endpoint): State<Arc<InteractionEndpoint>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let text = |name| headers.get(name).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let signature = text(SIGNATURE);
    let timestamp = text(TIMESTAMP);
    if !is_recent(timestamp) || !endpoint.key.verify_signature(signature, timestamp, &body) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let Ok(value) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    if value["type"].as_u64() == Some(PING) {
        let json = [(header::CONTENT_TYPE, "application/json")];
        return (json, r#"{"type":1}"#).into_response();
    }
    let kind = value["type"].as_u64();
    let interaction = match serde_json::from_value::<Interaction>(value) {
        Ok(interaction) => interaction,
        Err(error) => {
            let error = without_values(&error.to_string());
            tracing::error!(kind, error, "failed to parse an interaction; it gets no answer");
            return StatusCode::BAD_REQUEST.into_response();
        }
    };
    // The answer is a call of its own, because it may have files; this response only accepts.
    let handler = Arc::clone(&endpoint.handler);
    let busy = endpoint.handler.inner.begin_event();
    endpoint.under_way.spawn(async move {
        handler.handle_interaction(interaction).await;
        drop(busy);
    });
    StatusCode::ACCEPTED.into_response()
}

/// A parse error without the quoted values of the request, which may be secret.
fn without_values(error: &str) -> String {
    error.split('"').step_by(2).collect::<Vec<_>>().join("…")
}

/// Whether a request was signed recently.
fn is_recent(timestamp: &str) -> bool {
    timestamp.parse::<u64>().is_ok_and(|it| it.abs_diff(super::unix_time_s()) <= AGE_MAX_S)
}
