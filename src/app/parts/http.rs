//! The host's own port: health, numbers, and what platforms post.

use std::sync::{Arc, PoisonError, RwLock};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use tower::ServiceExt;

use super::{Parts, bind, broken};
use crate::config::{Config, Discord, Interactions, Telegram, TelegramMode};
use crate::supervise::Trouble;

/// Where Discord posts interactions.
pub const DISCORD_PATH: &str = "/discord";
/// Paths that are ours.
const OWN: [&str; 4] = ["/healthz", "/readyz", "/metrics", DISCORD_PATH];

/// What a platform answers at the host's port, once it knows who the bot is. Cheap to clone.
#[derive(Clone, Default)]
pub struct Slot(Arc<RwLock<Option<Router>>>);

impl Slot {
    /// From now on this answers, instead of what did before.
    pub fn put(&self, router: Router) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(router);
    }

    fn get(&self) -> Option<Router> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The slots of the platforms that are posted to.
#[derive(Clone, Default)]
pub struct Slots {
    /// Telegram's webhook.
    pub telegram: Slot,
    /// Discord's interactions.
    pub discord: Slot,
}

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
            router = router.route(&path, any(forward).with_state(self.slots.telegram.clone()));
        }
        if let Some(Discord { interactions: Interactions::Http { .. }, .. }) = &self.config.discord
        {
            let slot = self.slots.discord.clone();
            router = router.route(DISCORD_PATH, any(forward).with_state(slot));
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
         not be /healthz, /readyz, /metrics or /discord"
            .to_owned(),
    ))
}

/// Hands what was posted to the adapter; before it is there, Telegram tries again later.
async fn forward(State(slot): State<Slot>, request: Request) -> Response {
    match slot.get() {
        Some(router) => router.oneshot(request).await.into_response(),
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}
