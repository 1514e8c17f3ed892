//! Opens the store at the start, and retries while it is unavailable.
//!
//! A database that does not answer or a disk that is not writable may recover. Until then the bot
//! is alive and not ready, and its metrics say that the store is down. It also waits for a command
//! that uses the data folder, but not for another bot. Errors that only the operator can fix end
//! the start: wrong settings, a damaged store, a store of a newer program.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use parking_lot::Mutex;
use serde_json::json;
use tokio::task::JoinSet;

#[cfg(unix)]
use super::admin_socket;
use super::config::Config;
use super::metrics::Metrics;
use super::shutdown::Shutdown;
use super::{health, store_identity, systemd};
use caravanserai_platform_shared::backoff::Backoff;
use caravanserai_store::OpenError;
use caravanserai_store::data_dir;
use caravanserai_store::encrypted::OpenedStore;
#[cfg(unix)]
use caravanserai_store::private_socket;
use caravanserai_store::sled::SledOptions;

/// The first and the longest pause between attempts.
const OPEN_BACKOFF: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(20));

/// How long the start waits for a command that uses the data folder: a backup or a check of a large
/// store takes some minutes.
const IN_USE_WAIT_MAX: Duration = Duration::from_secs(15 * 60);

/// Opens the store in the settings; `None` if the bot was stopped before that succeeded.
///
/// # Errors
/// One sentence when only the operator can fix it.
pub async fn open_store(
    config: &Config,
    metrics: Option<&Metrics>,
    stop: &Shutdown,
) -> anyhow::Result<Option<OpenedStore>> {
    let pauses = Backoff::new(OPEN_BACKOFF.0, OPEN_BACKOFF.1);
    open_store_with_retries(config, metrics, stop, pauses, || try_open_store(config)).await
}

async fn try_open_store(config: &Config) -> Result<OpenedStore, OpenError> {
    let away = |error: anyhow::Error| OpenError::Retryable(format!("{error:#}"));
    data_dir::make_private(&config.data_dir).map_err(away)?;
    let how = SledOptions { accept_loss: config.accept_loss, ..SledOptions::default() };
    let opened = config.store.open_to_serve(how).await?;
    store_identity::verify_store_identity(config, opened.store.as_ref()).await?;
    Ok(opened)
}

/// Retries to open a store until that succeeds.
///
/// # Errors
/// As [`open_store`].
pub async fn open_store_with_retries<F, T>(
    config: &Config,
    metrics: Option<&Metrics>,
    stop: &Shutdown,
    mut pauses: Backoff,
    mut open: impl FnMut() -> F,
) -> anyhow::Result<Option<T>>
where
    F: Future<Output = Result<T, OpenError>>,
{
    let mut waiting: Option<StartupResponder> = None;
    let mut in_use_for = Duration::ZERO;
    loop {
        let opened = tokio::select! {
            biased;
            () = stop.wait() => return Ok(None),
            // To migrate or to rewrite a large store takes many minutes.
            opened = systemd::run_long_step(open()) => opened,
        };
        let error = match opened {
            Ok(store) => {
                if let Some(waiting) = waiting {
                    waiting.stop().await;
                    tracing::info!("the store is available");
                }
                return Ok(Some(store));
            }
            Err(error) => error,
        };
        let is_in_use = matches!(error, OpenError::InUse(_));
        let why = reason_to_wait(config, error, in_use_for).await?;
        if waiting.as_ref().is_none_or(|it| it.current_reason() != why) {
            if is_in_use {
                tracing::warn!(why, "the data folder is in use by another command, waiting");
            } else {
                tracing::error!(why, "the store is unavailable, retrying");
            }
        }
        match &waiting {
            Some(waiting) => waiting.set_reason(&why),
            None => {
                // The supervisor must not end the process meanwhile.
                systemd::notify_ready();
                metrics::gauge!("caravanserai_store_up").set(0.0);
                waiting = Some(StartupResponder::start(config, metrics, &why).await);
            }
        }
        systemd::notify_alive();
        let pause = pauses.next_pause();
        in_use_for = if is_in_use { in_use_for + pause } else { Duration::ZERO };
        if !stop.sleep_unless_stopping(pause).await {
            return Ok(None);
        }
    }
}

/// Why the start waits after this error. `in_use_for` is how long the data folder has been in use.
///
/// # Errors
/// When waiting does not help: another bot serves the store, the folder is in use for too long, or
/// only the operator can fix the cause.
async fn reason_to_wait(
    config: &Config,
    error: OpenError,
    in_use_for: Duration,
) -> Result<String, OpenError> {
    match error {
        OpenError::Retryable(why) => Ok(why),
        OpenError::InUse(why)
            if in_use_for < IN_USE_WAIT_MAX && !is_another_bot_running(config).await =>
        {
            Ok(why)
        }
        error @ (OpenError::InUse(_) | OpenError::Permanent(_)) => Err(error),
    }
}

/// Whether another bot takes commands at the data folder.
#[cfg(unix)]
async fn is_another_bot_running(config: &Config) -> bool {
    let socket = admin_socket::socket_path(&config.data_dir);
    matches!(private_socket::connect(&socket).await, Ok(Some(_)))
}

/// On other systems, a running bot has no socket.
#[cfg(not(unix))]
async fn is_another_bot_running(_: &Config) -> bool {
    false
}

/// Answers requests at the bot's ports while the store is unavailable.
struct StartupResponder {
    why: Arc<Mutex<String>>,
    servers: JoinSet<()>,
}

impl StartupResponder {
    async fn start(config: &Config, metrics: Option<&Metrics>, why: &str) -> Self {
        let why = Arc::new(Mutex::new(why.to_owned()));
        let mut servers = JoinSet::new();
        let well = || async { health::HEALTHY_BODY };
        let alive = Router::new()
            .route(health::HEALTH_PATH, get(well))
            .route(health::LIVENESS_PATH, get(well));
        if let Some(listen) = config.http {
            let current = Arc::clone(&why);
            let ready = get(move || async move { not_ready_response(&read_reason(&current)) });
            let metrics = metrics.cloned().map(Metrics::routes).unwrap_or_default();
            let router = alive.clone().route("/readyz", ready).merge(metrics);
            spawn_server(&mut servers, listen, router).await;
        }
        if let Some(listen) = config.web {
            let closed = || async { (StatusCode::SERVICE_UNAVAILABLE, STARTING_BODY) };
            spawn_server(&mut servers, listen, alive.fallback(closed)).await;
        }
        Self { why, servers }
    }

    fn current_reason(&self) -> String {
        read_reason(&self.why)
    }

    fn set_reason(&self, why: &str) {
        why.clone_into(&mut self.why.lock());
    }

    /// Releases the ports.
    async fn stop(mut self) {
        self.servers.shutdown().await;
    }
}

/// Body of the page meanwhile.
const STARTING_BODY: &str = "The bot is starting, please try again in a moment.\n";

fn read_reason(why: &Mutex<String>) -> String {
    why.lock().clone()
}

fn not_ready_response(why: &str) -> Response {
    let page = json!({
        "ready": false,
        "store": { "accepts_writes": false, "problem": why },
        "platforms": [],
    });
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (StatusCode::SERVICE_UNAVAILABLE, kind, format!("{page:#}\n")).into_response()
}

async fn spawn_server(servers: &mut JoinSet<()>, listen: SocketAddr, router: Router) {
    match tokio::net::TcpListener::bind(listen).await {
        Ok(socket) => {
            servers.spawn(async move {
                if let Err(error) = axum::serve(socket, router).await {
                    tracing::warn!(%error, "failed to answer while waiting for the store");
                }
            });
        }
        Err(error) => {
            tracing::warn!(%listen, %error, "failed to listen while waiting for the store")
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::net::UnixListener;
    use std::path::Path;

    use super::*;
    use crate::shutdown::shutdown_pair;

    fn settings(folder: &Path) -> Config {
        let data_dir = folder.display().to_string();
        // With a platform, no page listens while the start waits.
        let pairs = [("DATA_DIR", data_dir), ("TELEGRAM_TOKEN", "1:a".to_owned())];
        let environment = pairs.map(|(name, value)| (name.to_owned(), value)).into();
        Config::load(&environment, None, folder).unwrap()
    }

    fn in_use() -> OpenError {
        OpenError::InUse("the folder is in use".to_owned())
    }

    /// As while `backup` or `check` reads the folder: the supervisor must not run out of starts.
    #[tokio::test]
    async fn a_start_waits_for_a_command_that_uses_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let config = settings(folder.path());
        let (_stopper, stop) = shutdown_pair();
        let pauses = Backoff::new(Duration::ZERO, Duration::ZERO);
        let mut tries = 0;
        let open = || {
            tries += 1;
            std::future::ready(if tries < 20 { Err(in_use()) } else { Ok(tries) })
        };
        let opened = open_store_with_retries(&config, None, &stop, pauses, open).await;
        assert_eq!(opened.unwrap(), Some(20));
    }

    #[tokio::test]
    async fn a_start_waits_neither_for_another_bot_nor_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let config = settings(folder.path());
        assert!(reason_to_wait(&config, in_use(), Duration::ZERO).await.is_ok());
        assert!(reason_to_wait(&config, in_use(), IN_USE_WAIT_MAX).await.is_err());
        let _bot = UnixListener::bind(admin_socket::socket_path(folder.path())).unwrap();
        assert!(reason_to_wait(&config, in_use(), Duration::ZERO).await.is_err());
    }
}
