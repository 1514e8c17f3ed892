//! Health endpoints: `/livez` (liveness), `/healthz` (health) and `/readyz` (readiness).
//!
//! The bot is *alive* if its process works and the store, in good order or not, does not hang: only
//! a bot that is not alive should be restarted, because a restart gives a full disk no space and
//! brings no database back. It is *healthy* if its store takes writes, too, and *ready* if it also
//! serves at least one platform; that answer has the state of each platform.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::get};
use parking_lot::Mutex;
use serde_json::json;
use time::OffsetDateTime;
use tokio::sync::watch;

use super::config::Config;
use caravanserai_bot::repository::keys;
use caravanserai_protocol::{PlatformHealth, PlatformStatus};
use caravanserai_store::{Commit, Put, Space, Store, StoreHealth};

/// Path of the public health check.
pub const HEALTH_PATH: &str = "/healthz";
/// Path of the liveness check.
pub const LIVENESS_PATH: &str = "/livez";
/// Body when the bot is well.
pub const HEALTHY_BODY: &str = "ok\n";
/// Body when the store does not accept writes for now.
pub const PAUSED_BODY: &str = "the store accepts no writes\n";
/// Body when the store does not work.
pub const FAILING_BODY: &str = "the store fails\n";

/// A bot that has not reported itself alive for longer than this is not. Longer than its checks may
/// take, also when the store is slow; the watchdog of the supplied unit waits as long.
const ALIVE_FOR: Duration = Duration::from_secs(60);
/// Time limit for the store's answer, in a health check.
const STORE_TIMEOUT: Duration = Duration::from_millis(1_500);
/// Time limit for the answer to a health check.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(5);

/// The health of the bot. One for the process.
pub struct HealthCheck {
    store: Arc<dyn Store>,
    /// Allows one probe of the store at a time, no matter how many requests arrive.
    store_probe: tokio::sync::Mutex<()>,
    platforms: Mutex<Vec<watch::Receiver<PlatformStatus>>>,
    /// Age of the oldest unsent message, in milliseconds.
    unsent_ms: AtomicU64,
    clock_steps: AtomicU64,
    /// When the bot last reported itself alive; `None` before the first time.
    alive_at: Mutex<Option<Instant>>,
}

/// The failure of the store, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreProblem {
    /// It accepts no writes now and recovers by itself.
    #[error("the store accepts no writes: {0}")]
    Paused(String),
    /// It accepts no writes any more: only a restart helps.
    #[error("the store has ended: {0}")]
    Ended(String),
    /// It answers with an error.
    #[error("the store fails: {0}")]
    Failing(String),
    /// A write does not finish.
    #[error("a write to the store does not finish: {0}")]
    Stuck(String),
    /// It does not answer.
    #[error("the store does not answer")]
    Silent,
}

impl HealthCheck {
    /// The health of a bot with this store and no platforms yet.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            store_probe: tokio::sync::Mutex::default(),
            platforms: Mutex::default(),
            unsent_ms: AtomicU64::new(0),
            clock_steps: AtomicU64::new(0),
            alive_at: Mutex::default(),
        }
    }

    /// Adds a platform of the bot.
    pub fn add_platform(&self, platform: watch::Receiver<PlatformStatus>) {
        self.platforms.lock().push(platform);
    }

    /// The state of every platform.
    pub fn platforms(&self) -> Vec<PlatformStatus> {
        let platforms = self.platforms.lock();
        platforms.iter().map(|it| it.borrow().clone()).collect()
    }

    /// Sets the age of the oldest unsent message.
    pub fn set_oldest_unsent(&self, waits: Duration) {
        let ms = u64::try_from(waits.as_millis()).unwrap_or(u64::MAX);
        self.unsent_ms.store(ms, Ordering::Relaxed);
    }

    /// Sets how many times the machine's clock was set.
    pub fn set_clock_steps(&self, steps: u64) {
        self.clock_steps.store(steps, Ordering::Relaxed);
    }

    /// Records that the bot is alive at this time.
    pub fn set_alive(&self, at: Instant) {
        *self.alive_at.lock() = Some(at);
    }

    /// Whether the bot has reported itself alive within the last minute, or is starting.
    pub fn is_alive(&self) -> bool {
        self.alive_at.lock().is_none_or(|it| it.elapsed() <= ALIVE_FOR)
    }

    /// Checks that the store accepts writes, by a commit without changes. After a failure the
    /// commit writes a row: a database counts as paused until something is written, and a process
    /// that is not ready may get nothing to write.
    ///
    /// # Errors
    /// The failure of the store.
    pub async fn check_store(&self) -> Result<(), StoreProblem> {
        let (paused, probe) = match self.store.health() {
            StoreHealth::Good => (None, Commit::default()),
            StoreHealth::Paused { why, .. } => {
                let row = Put::new(Space::Meta, keys::WRITE_PROBE, "");
                (Some(why), Commit::from_puts(vec![row]))
            }
            StoreHealth::Stuck { why, .. } => return Err(StoreProblem::Stuck(why)),
            StoreHealth::Ended { why, .. } => return Err(StoreProblem::Ended(why)),
        };
        let asked = async {
            let _one = self.store_probe.lock().await;
            self.store.commit(probe).await
        };
        match (tokio::time::timeout(STORE_TIMEOUT, asked).await, paused) {
            (Ok(Ok(())), _) => Ok(()),
            (_, Some(why)) => Err(StoreProblem::Paused(why)),
            (Ok(Err(error)), None) => Err(StoreProblem::Failing(error.to_string())),
            (Err(_), None) => Err(StoreProblem::Silent),
        }
    }

    /// The public route `/healthz`: health without reasons.
    pub fn health_route(self: &Arc<Self>) -> Router {
        Router::new().route(HEALTH_PATH, get(healthz)).with_state(Arc::clone(self))
    }

    /// The routes `/livez`, `/healthz` and `/readyz` for the operator.
    pub fn routes(self: &Arc<Self>) -> Router {
        let own = Router::new().route(LIVENESS_PATH, get(livez)).route("/readyz", get(readyz));
        self.health_route().merge(own.with_state(Arc::clone(self)))
    }
}

async fn livez(State(health): State<Arc<HealthCheck>>) -> Response {
    match health.is_alive() {
        true => HEALTHY_BODY.into_response(),
        false => unhealthy_response("the bot hangs\n"),
    }
}

async fn healthz(State(health): State<Arc<HealthCheck>>) -> Response {
    match health.check_store().await {
        Ok(()) => HEALTHY_BODY.into_response(),
        // The reason goes to the log and to `/readyz`, because this page may be public.
        Err(StoreProblem::Paused(_)) => unhealthy_response(PAUSED_BODY),
        Err(StoreProblem::Ended(_) | StoreProblem::Failing(_)) => unhealthy_response(FAILING_BODY),
        Err(StoreProblem::Stuck(_) | StoreProblem::Silent) => {
            unhealthy_response("the store does not answer\n")
        }
    }
}

fn unhealthy_response(words: &'static str) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, words).into_response()
}

async fn readyz(State(health): State<Arc<HealthCheck>>) -> Response {
    let store = health.check_store().await;
    let platforms = health.platforms();
    let serves = platforms.iter().any(|it| it.health == PlatformHealth::Serving);
    let ready = store.is_ok() && serves;
    let platforms: Vec<_> = platforms.iter().map(platform_json).collect();
    let page = json!({
        "ready": ready,
        "store": {
            "accepts_writes": store.is_ok(),
            "problem": store.err().map(|it| it.to_string()),
        },
        "platforms": platforms,
        "oldest_unsent_seconds": health.unsent_ms.load(Ordering::Relaxed) as f64 / 1000.0,
        "clock_steps": health.clock_steps.load(Ordering::Relaxed),
    });
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (status, kind, format!("{page:#}\n")).into_response()
}

fn platform_json(it: &PlatformStatus) -> serde_json::Value {
    let state = match it.health {
        PlatformHealth::Starting => "starting",
        PlatformHealth::Serving => "serving",
        PlatformHealth::Failing => "failing",
    };
    let problem = (!it.problem.is_empty()).then_some(&it.problem);
    let missing_permissions = (!it.missing.is_empty()).then_some(&it.missing);
    let since = format_utc(it.since_time);
    json!({
        "name": it.name,
        "state": state,
        "since": since,
        "problem": problem,
        "missing_permissions": missing_permissions,
    })
}

/// Formats a time as `2026-11-22T04:05:06Z`.
fn format_utc(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let since = i64::try_from(since).unwrap_or_default();
    let at = OffsetDateTime::from_unix_timestamp(since).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (year, month, day) = at.to_calendar_date();
    let (hour, minute, second) = at.to_hms();
    format!("{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z", u8::from(month))
}

/// The URL of the health check of a bot with these settings; `None` if it listens nowhere.
pub fn health_url(config: &Config) -> Option<String> {
    let listen = config.http.or(config.web)?;
    // A bot that listens on all addresses is asked on the loopback address.
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    Some(format!("http://{}{HEALTH_PATH}", SocketAddr::new(ip, listen.port())))
}

/// Asks a running bot for its health.
///
/// # Errors
/// If it does not answer in time or is not healthy.
pub async fn ask_running_bot(url: &str) -> anyhow::Result<()> {
    let client = reqwest::Client::builder().no_proxy().timeout(HEALTH_TIMEOUT).build()?;
    let answer = client.get(url).send().await.map_err(|error| {
        let error = error.without_url();
        anyhow::anyhow!("no bot answers at {url}: {error}. Is it running, with these settings?")
    })?;
    let status = answer.status();
    let body = answer.text().await.unwrap_or_default();
    anyhow::ensure!(status.is_success(), "the bot at {url} is not healthy: {}", body.trim());
    Ok(())
}
