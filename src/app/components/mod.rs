//! What the bot is made of besides its service: the platforms and the host's own port.
//!
//! Each runs under a [`ComponentSupervisor`](super::component_supervisor::ComponentSupervisor): it may fail, and is begun again.

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

/// What every part may need. Cheap to clone.
#[derive(Clone)]
pub struct ComponentDeps {
    /// The settings.
    pub config: Arc<Config>,
    /// The bot itself.
    pub service: Service,
    /// Its store.
    pub store: Arc<dyn Store>,
    /// Its words.
    pub i18n: Arc<I18n>,
    /// How it is.
    pub health: Arc<HealthCheck>,
    /// Its numbers, if they are counted.
    pub metrics: Option<Metrics>,
    /// When to end.
    pub stop: Shutdown,
    /// Where platforms put what is posted to them.
    pub router_slots: http::RouterSlots,
    /// The host by which Discord shows our page in its own name, once it is known.
    pub discord_proxy_host: Arc<OnceLock<String>>,
    /// Rows of platforms, for all processes.
    pub key_values: Arc<dyn KeyValueStore>,
}

impl ComponentDeps {
    fn listener(&self) -> Arc<dyn UpdateHandler> {
        Arc::new(self.service.clone())
    }

    /// What a platform is handed that says how it is by this reporter.
    #[cfg(any(feature = "telegram", feature = "discord"))]
    fn platform_deps(&self, reporter: &HealthReporter) -> PlatformServices {
        PlatformServices { store: self.key_values.clone(), reporter: reporter.clone() }
    }

    async fn wait_for_stop(&self) {
        self.stop.wait().await;
    }

    /// Sends what waits, now that a platform is there.
    async fn resume_sending(&self) -> Result<(), ComponentError> {
        self.service.resume().await.map_err(|error| ComponentError::Transient(error.to_string()))
    }
}

/// A socket of our own.
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
