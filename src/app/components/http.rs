//! Runs the operator's port: health, metrics, and the webhooks of platforms.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use parking_lot::RwLock;
use tower::ServiceExt;

use super::{ComponentDeps, bind_listener, permanent_error};
use crate::component_supervisor::ComponentError;
use crate::config::{Config, DiscordConfig, DiscordInteractions, TelegramConfig, TelegramMode};

/// Path to which Discord posts interactions.
pub const DISCORD_PATH: &str = "/discord";
/// Reserved paths.
const OWN_PATHS: [&str; 5] = ["/livez", "/healthz", "/readyz", "/metrics", DISCORD_PATH];

/// The router of a platform at the operator's port, set once its adapter is connected. Cheap to
/// clone.
#[derive(Clone, Default)]
pub struct RouterSlot(Arc<RwLock<Option<Router>>>);

impl RouterSlot {
    /// Replaces the router.
    pub fn set_router(&self, router: Router) {
        *self.0.write() = Some(router);
    }

    fn router(&self) -> Option<Router> {
        self.0.read().clone()
    }
}

/// The router slots of the platforms with webhooks.
#[derive(Clone, Default)]
pub struct RouterSlots {
    /// Telegram's webhook.
    pub telegram: RouterSlot,
    /// Discord's interactions.
    pub discord: RouterSlot,
}

impl ComponentDeps {
    /// Serves the port of `HTTP_LISTEN` until shutdown.
    ///
    /// # Errors
    /// When the port is in use.
    pub async fn run_http(self) -> Result<(), ComponentError> {
        let Some(listen) = self.config.http else {
            self.wait_for_stop().await;
            return Ok(());
        };
        let socket = bind_listener("HTTP_LISTEN", listen).await?;
        let mut router = self.health.routes();
        if let Some(metrics) = self.metrics.clone() {
            router = router.merge(metrics.routes());
        }
        if let Some(path) = webhook_path(&self.config)? {
            router = router.route(
                &path,
                any(forward_to_adapter).with_state(self.router_slots.telegram.clone()),
            );
        }
        if let Some(DiscordConfig { interactions: DiscordInteractions::Http { .. }, .. }) =
            &self.config.discord
        {
            let slot = self.router_slots.discord.clone();
            router = router.route(DISCORD_PATH, any(forward_to_adapter).with_state(slot));
        }
        let ended = self.clone();
        axum::serve(socket, router)
            .with_graceful_shutdown(async move { ended.wait_for_stop().await })
            .await
            .map_err(permanent_error)
    }
}

/// The path of Telegram's webhook, if updates are pushed.
///
/// # Errors
/// When the path has characters that a route cannot have, or is reserved.
pub fn webhook_path(config: &Config) -> Result<Option<String>, ComponentError> {
    let Some(TelegramConfig { mode: TelegramMode::Webhook { url, .. }, .. }) = &config.telegram
    else {
        return Ok(None);
    };
    let path = reqwest::Url::parse(url).map_err(permanent_error)?.path().to_owned();
    let plain = |it: char| it.is_ascii_alphanumeric() || "/-_.~%".contains(it);
    if path.chars().all(plain) && !OWN_PATHS.contains(&path.as_str()) {
        return Ok(Some(path));
    }
    Err(ComponentError::NeedsOperator(
        "TELEGRAM_WEBHOOK_URL: the path may have letters, digits, -, _, . and ~ only, and must \
         not be /livez, /healthz, /readyz, /metrics or /discord"
            .to_owned(),
    ))
}

/// Forwards a request to the adapter; before it is connected, the answer makes Telegram retry.
async fn forward_to_adapter(State(slot): State<RouterSlot>, request: Request) -> Response {
    match slot.router() {
        Some(router) => router.oneshot(request).await.into_response(),
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}
