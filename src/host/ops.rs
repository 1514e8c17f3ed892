//! What the operator sees of a running bot: health, metrics, logs; and how it is told to stop.

use std::io::{self, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::get};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::sync::watch;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

use crate::host::config::{Config, LogFormat, MASK};
use crate::store::{Space, Store};

/// How long the store may take to answer before the bot counts as ill.
const HEALTH_WAIT_MAX: Duration = Duration::from_secs(5);
/// Upper bounds of the buckets of every histogram, in seconds.
const SECONDS_BUCKETS: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// At lower levels the Discord client library writes whole events into its spans: words of
/// people, and tokens with which anybody could answer them.
pub const NEVER_LOGGED: &str = "serenity=warn,tungstenite=warn,tokio_tungstenite=warn";

/// Starts logging to the standard error stream.
///
/// # Errors
/// If the filter cannot be read or logging had been started already.
pub fn start_logs(config: &Config) -> anyhow::Result<()> {
    let colours = std::io::stderr().is_terminal();
    log_subscriber(config, colours, std::io::stderr)?
        .try_init()
        .map_err(|error| anyhow::anyhow!("logs cannot be started: {error}"))
}

/// What writes log lines as the settings say, with every secret in them masked: the address of
/// each request to Telegram holds the token, and libraries put addresses into their errors.
///
/// # Errors
/// If the filter cannot be read.
pub fn log_subscriber<W, M>(
    config: &Config,
    colours: bool,
    writer: M,
) -> anyhow::Result<Box<dyn tracing::Subscriber + Send + Sync>>
where
    W: io::Write,
    M: Fn() -> W + Send + Sync + 'static,
{
    // What libraries must not say goes last, so that no setting undoes it.
    let filter = format!("{},{NEVER_LOGGED}", config.log);
    let filter = EnvFilter::try_new(filter).context("LOG is no filter")?;
    let mut secrets: Vec<String> = Vec::new();
    for secret in config.secrets() {
        secrets.push(secret.reveal().to_owned());
        // The colon of a Telegram token may be written in another way within an address.
        secrets.extend(secret.reveal().split_once(':').map(|(_, key)| key.to_owned()));
    }
    let secrets: Arc<[String]> = secrets.into();
    let masked = move || Masked { inner: writer(), secrets: Arc::clone(&secrets) };
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(masked);
    Ok(match config.log_format {
        LogFormat::Text => Box::new(logs.with_ansi(colours).finish()),
        LogFormat::Json => Box::new(logs.json().flatten_event(true).finish()),
    })
}

/// Writes lines with secrets replaced. Each log line comes in one piece.
struct Masked<W> {
    inner: W,
    secrets: Arc<[String]>,
}

impl<W: io::Write> io::Write for Masked<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let found = self.secrets.iter().filter(|secret| text.contains(secret.as_str()));
        let masked = found.fold(text.clone(), |text, secret| text.replace(secret, MASK).into());
        self.inner.write_all(masked.as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The numbers that the bot counts, as Prometheus reads them.
#[derive(Clone)]
pub struct Metrics {
    handle: PrometheusHandle,
}

impl Metrics {
    /// From now on everything counted with the `metrics` macros is kept, once for the process.
    ///
    /// # Errors
    /// If that had been done already.
    pub fn install() -> anyhow::Result<Self> {
        let handle = PrometheusBuilder::new()
            .set_buckets(&SECONDS_BUCKETS)
            .context("the buckets are in order")?
            .install_recorder()
            .context("metrics cannot be started")?;
        metrics::gauge!("caravanserai_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1);
        Ok(Self { handle })
    }

    /// All numbers in Prometheus' text form.
    pub fn render(&self) -> String {
        self.handle.run_upkeep();
        self.handle.render()
    }
}

/// `/healthz` says whether the store answers.
pub fn health(store: Arc<dyn Store>) -> Router {
    Router::new().route("/healthz", get(healthz)).with_state(store)
}

/// `/metrics` gives the numbers.
pub fn metrics(metrics: Metrics) -> Router {
    Router::new().route("/metrics", get(metrics_page)).with_state(metrics)
}

async fn healthz(State(store): State<Arc<dyn Store>>) -> Response {
    let answer = store.get(Space::Meta, "store/format");
    match tokio::time::timeout(HEALTH_WAIT_MAX, answer).await {
        Ok(Ok(_)) => "ok\n".into_response(),
        Ok(Err(error)) => {
            // The reason goes to the log only: this page may be public.
            tracing::error!(%error, "the store cannot be read");
            (StatusCode::SERVICE_UNAVAILABLE, "the store fails\n").into_response()
        }
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n").into_response(),
    }
}

async fn metrics_page(State(metrics): State<Metrics>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, metrics.render()).into_response()
}

/// Where a bot with these settings can be asked for its health; `None` if it listens nowhere.
pub fn health_url(config: &Config) -> Option<String> {
    let listen = config.http.or(config.web)?;
    // A bot that listens on all addresses is asked on the one that is always there.
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    Some(format!("http://{}/healthz", SocketAddr::new(ip, listen.port())))
}

/// Asks a running bot for its health.
///
/// # Errors
/// If it does not answer in time or does not say that it is well.
pub async fn ask_health(url: &str) -> anyhow::Result<()> {
    let client = reqwest::Client::builder().no_proxy().timeout(HEALTH_WAIT_MAX).build()?;
    client.get(url).send().await?.error_for_status()?;
    Ok(())
}

/// Says once, to as many as listen, that it is time to stop.
#[derive(Clone, Debug)]
pub struct Shutdown {
    asked: watch::Receiver<bool>,
}

/// The other side of [`Shutdown`]. Letting go of it means stop as well.
#[derive(Debug)]
pub struct Stopper {
    ask: watch::Sender<bool>,
}

/// A pair of which one side asks to stop and the other waits for that.
pub fn shutdown() -> (Stopper, Shutdown) {
    let (ask, asked) = watch::channel(false);
    (Stopper { ask }, Shutdown { asked })
}

impl Shutdown {
    /// Returns as soon as it is time to stop, at once if it already is.
    pub async fn wait(&self) {
        // An error means that the stopper is gone, which is the same.
        let _ = self.asked.clone().wait_for(|asked| *asked).await;
    }

    /// Whether it is time to stop.
    pub fn is_asked(&self) -> bool {
        *self.asked.borrow() || self.asked.has_changed().is_err()
    }
}

impl Stopper {
    /// It is time to stop.
    pub fn stop(&self) {
        self.ask.send_replace(true);
    }

    /// Waits for SIGTERM or SIGINT (elsewhere: Ctrl-C), then asks to stop. A second one is left
    /// to the caller: the usual choice is to leave at once.
    ///
    /// # Errors
    /// If the operating system does not let us listen.
    pub async fn stop_on_signal(&self) -> io::Result<()> {
        let name = signal().await?;
        tracing::info!(signal = name, "stopping");
        self.stop();
        Ok(())
    }
}

/// Waits for the next request of the operating system to stop, and says its name.
///
/// # Errors
/// If the operating system does not let us listen.
#[cfg(unix)]
pub async fn signal() -> io::Result<&'static str> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => Ok("SIGTERM"),
        _ = interrupt.recv() => Ok("SIGINT"),
    }
}

/// Waits for the next request of the operating system to stop, and says its name.
///
/// # Errors
/// If the operating system does not let us listen.
#[cfg(not(unix))]
pub async fn signal() -> io::Result<&'static str> {
    tokio::signal::ctrl_c().await?;
    Ok("Ctrl-C")
}
