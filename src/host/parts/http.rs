//! The host's own port: health, numbers, the webhook.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use tower::ServiceExt;

use super::{Parts, bind, broken};
use crate::host::config::{Config, Telegram, TelegramMode};
use crate::host::supervise::Trouble;

/// Paths that are ours.
const OWN: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

impl Parts {
    /// Serves the port of `HTTP_LISTEN` until the end.
    ///
    /// # Errors
    /// When the port is taken.
    pub async fn http(self) -> Result<(), Trouble> {
        let Some(listen) = self.config.http else {
            self.stopped().await;
            return Ok(());
        };
        let socket = bind("HTTP_LISTEN", listen).await?;
        let mut router = self.health.routes();
        if let Some(metrics) = self.metrics.clone() {
            router = router.merge(metrics.routes());
        }
        if let Some(path) = webhook_path(&self.config)? {
            router = router.route(&path, any(forward).with_state(self.webhook.clone()));
        }
        let ended = self.clone();
        axum::serve(socket, router)
            .with_graceful_shutdown(async move { ended.stopped().await })
            .await
            .map_err(broken)
    }
}

/// The path under which Telegram's updates arrive, if they are pushed.
///
/// # Errors
/// When the path has signs that a route cannot have, or is one of ours.
pub fn webhook_path(config: &Config) -> Result<Option<String>, Trouble> {
    let Some(Telegram { mode: TelegramMode::Webhook { url, .. }, .. }) = &config.telegram else {
        return Ok(None);
    };
    let path = reqwest::Url::parse(url).map_err(broken)?.path().to_owned();
    let plain = |it: char| it.is_ascii_alphanumeric() || "/-_.~%".contains(it);
    if path.chars().all(plain) && !OWN.contains(&path.as_str()) {
        return Ok(Some(path));
    }
    Err(Trouble::Lasting(
        "TELEGRAM_WEBHOOK_URL: the path may have letters, digits, -, _, . and ~ only, and must \
         not be /healthz, /readyz or /metrics"
            .to_owned(),
    ))
}

/// Hands a pushed update to the Telegram adapter; before it is there, Telegram tries again later.
async fn forward(State(webhook): State<Arc<OnceLock<Router>>>, request: Request) -> Response {
    match webhook.get() {
        Some(router) => router.clone().oneshot(request).await.into_response(),
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}
