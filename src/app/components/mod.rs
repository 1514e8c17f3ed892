//! The components of the bot besides its service: the platforms and the operator's port.
//!
//! Each runs under a [`ComponentSupervisor`](super::component_supervisor::ComponentSupervisor),
//! which restarts it after a failure.

#[cfg(feature = "discord")]
pub mod discord;
pub mod http;
#[cfg(feature = "telegram")]
pub mod telegram;
pub mod webchat;

use std::sync::{Arc, OnceLock};

use super::component_supervisor::ComponentError;
use super::config::Config;
use super::health::HealthCheck;
use super::metrics::Metrics;
use super::shutdown::Shutdown;
use caravanserai_bot::service::Service;
use caravanserai_i18n::I18n;
#[cfg(any(feature = "telegram", feature = "discord"))]
use caravanserai_platform_shared::{PlatformServices, health_reporter::HealthReporter};
use caravanserai_protocol::{KeyValueStore, UpdateHandler};
use caravanserai_store::Store;

/// Shared dependencies of all components. Cheap to clone.
#[derive(Clone)]
pub struct ComponentDeps {
    /// The settings.
    pub config: Arc<Config>,
    /// The service that handles updates.
    pub service: Service,
    /// The store.
    pub store: Arc<dyn Store>,
    /// Texts and languages.
    pub i18n: Arc<I18n>,
    /// The health of the bot.
    pub health: Arc<HealthCheck>,
    /// Metrics, if they are collected.
    pub metrics: Option<Metrics>,
    /// Signals when to stop.
    pub stop: Shutdown,
    /// Slots in which platforms put their webhook routers.
    pub router_slots: http::RouterSlots,
    /// The host under which Discord proxies the page, once it is known.
    pub discord_proxy_host: Arc<OnceLock<String>>,
    /// Key-value rows of platforms, shared by all processes.
    pub key_values: Arc<dyn KeyValueStore>,
}

impl ComponentDeps {
    fn handler(&self) -> Arc<dyn UpdateHandler> {
        Arc::new(self.service.clone())
    }

    /// The services of a platform that reports its state by this reporter.
    #[cfg(any(feature = "telegram", feature = "discord"))]
    fn platform_deps(&self, reporter: &HealthReporter) -> PlatformServices {
        PlatformServices { store: self.key_values.clone(), reporter: reporter.clone() }
    }

    async fn wait_for_stop(&self) {
        self.stop.wait().await;
    }

    /// Resumes unsent messages when a platform is connected.
    async fn resume_sending(&self) -> Result<(), ComponentError> {
        self.service.resume().await.map_err(|error| ComponentError::Transient(error.to_string()))
    }
}

/// Binds a listening socket.
async fn bind_listener(
    key: &str,
    listen: std::net::SocketAddr,
) -> Result<tokio::net::TcpListener, ComponentError> {
    tokio::net::TcpListener::bind(listen).await.map_err(|error| {
        ComponentError::NeedsOperator(format!("{key}: cannot listen on {listen}: {error}"))
    })
}

fn permanent_error(error: impl std::fmt::Display) -> ComponentError {
    ComponentError::Transient(error.to_string())
}
