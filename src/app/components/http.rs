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
use crate::config::{DiscordConfig, DiscordInteractions, TelegramConfig, TelegramMode};

/// Path to which Discord posts interactions.
pub const DISCORD_PATH: &str = "/discord";

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
        if let Some(TelegramConfig { mode: TelegramMode::Webhook { path, .. }, .. }) =
            &self.config.telegram
        {
            let slot = self.router_slots.telegram.clone();
            router = router.route(path, any(forward_to_adapter).with_state(slot));
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

/// Forwards a request to the adapter; before it is connected, the answer makes Telegram retry.
async fn forward_to_adapter(State(slot): State<RouterSlot>, request: Request) -> Response {
    match slot.router() {
        Some(router) => router.oneshot(request).await.into_response(),
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}
