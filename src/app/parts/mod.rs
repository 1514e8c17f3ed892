//! What the bot is made of besides its service: the platforms and the host's own port.
//!
//! Each runs under a [`Keeper`](super::supervise::Keeper): it may fail, and is begun again.

#[cfg(feature = "discord")]
pub mod discord;
pub mod http;
#[cfg(feature = "telegram")]
pub mod telegram;
pub mod web;

use std::sync::{Arc, OnceLock};

use super::config::Config;
use super::health::Health;
use super::metrics::Metrics;
use super::stopping::Shutdown;
use super::supervise::Trouble;
use caravanserai_bot::service::Service;
use caravanserai_i18n::I18n;
#[cfg(any(feature = "telegram", feature = "discord"))]
use caravanserai_platform_shared::{Shared, state::Reporter};
use caravanserai_protocol::{Listener, Notebook};
use caravanserai_store::Store;

/// What every part may need. Cheap to clone.
#[derive(Clone)]
pub struct Parts {
    /// The settings.
    pub config: Arc<Config>,
    /// The bot itself.
    pub service: Service,
    /// Its store.
    pub store: Arc<dyn Store>,
    /// Its words.
    pub i18n: Arc<I18n>,
    /// How it is.
    pub health: Arc<Health>,
    /// Its numbers, if they are counted.
    pub metrics: Option<Metrics>,
    /// When to end.
    pub stop: Shutdown,
    /// Where platforms put what is posted to them.
    pub slots: http::Slots,
    /// The host by which Discord shows our page in its own name, once it is known.
    pub stand_in: Arc<OnceLock<String>>,
    /// Rows of platforms, for all processes.
    pub notebook: Arc<dyn Notebook>,
}

impl Parts {
    fn listener(&self) -> Arc<dyn Listener> {
        Arc::new(self.service.clone())
    }

    /// What a platform is handed that says how it is by this reporter.
    #[cfg(any(feature = "telegram", feature = "discord"))]
    fn shared(&self, reporter: &Reporter) -> Shared {
        Shared { notebook: self.notebook.clone(), state: reporter.clone() }
    }

    async fn stopped(&self) {
        self.stop.wait().await;
    }

    /// Sends what waits, now that a platform is there.
    async fn resume(&self) -> Result<(), Trouble> {
        self.service.resume().await.map_err(|error| Trouble::Passing(error.to_string()))
    }
}

/// A socket of our own.
async fn bind(key: &str, listen: std::net::SocketAddr) -> Result<tokio::net::TcpListener, Trouble> {
    tokio::net::TcpListener::bind(listen)
        .await
        .map_err(|error| Trouble::Lasting(format!("{key}: cannot listen on {listen}: {error}")))
}

fn broken(error: impl std::fmt::Display) -> Trouble {
    Trouble::Passing(error.to_string())
}
