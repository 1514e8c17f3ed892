//! Puts the parts together: settings → store → service → platforms → wait for the end.
//!
//! It also is what `tests` start.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::config::Config;
#[cfg(feature = "discord")]
use super::config::Interactions;
use super::health::Health;
use super::metrics::Metrics;
use super::notebook::{StoreNotebook, process_name};
use super::parts::Parts;
use super::parts::http::Slots;
use super::parts::web::Opened;
use super::pulse;
use super::starting::open_store;
use super::stopping::Shutdown;
use super::supervise::{Hopeless, Keeper, pauses};
use super::supervisor;
use caravanserai_bot::service::clock::SystemClock;
use caravanserai_bot::service::{DAY_MS, Limits, Parts as ServiceParts, Service};
use caravanserai_i18n::I18n;
use caravanserai_platform_shared::state::Reporter;
use caravanserai_protocol::PlatformHealth;
use caravanserai_render::{DEFAULT_THEME, Renderer};
#[cfg(unix)]
use caravanserai_store::backup;
use caravanserai_store::{Space, Store};

/// How long connections may take to end after they were asked to.
const INTAKE_END_MAX: Duration = Duration::from_secs(4);
/// How long what was decided may take to be sent after that.
const SENDING_END_MAX: Duration = Duration::from_secs(4);
/// Unsent messages are counted up to this number.
const UNSENT_COUNTED_MAX: usize = 10_000;
/// How long the store may take to close after that.
const CLOSE_MAX: Duration = Duration::from_secs(2);

/// Runs the bot until `stop`, then ends it in an orderly way.
///
/// # Errors
/// With one sentence when nothing at all can be served, or when the store has ended.
pub async fn run(config: Config, metrics: Option<Metrics>, stop: Shutdown) -> anyhow::Result<()> {
    let Some(store) = open_store(&config, &stop).await? else { return Ok(()) };
    #[cfg(unix)]
    let _backups = backups(&config, &store);
    let i18n = Arc::new(I18n::new());
    let service = service(&config, store.clone(), i18n.clone())?;
    let health = Arc::new(Health::new(store.clone()));
    let parts = Parts {
        config: Arc::new(config),
        service: service.clone(),
        store: store.clone(),
        i18n,
        health: health.clone(),
        metrics,
        stop: stop.clone(),
        slots: Slots::default(),
        stand_in: Arc::default(),
        notebook: Arc::new(StoreNotebook::new(store.clone(), process_name())),
    };
    if let Err(error) = service.start().await {
        // Each platform looks for unsent messages again when it is served.
        tracing::warn!(%error, "failed to take up what waits to be sent");
    }
    let (mut tasks, mut platforms) = (JoinSet::new(), Platforms::default());
    platforms.begin(&mut tasks, &parts);
    let mut watch = tokio::spawn(pulse::watch(health, store.clone(), stop.clone()));
    supervisor::ready();
    let failed = tokio::select! {
        // In this order: at the end the parts end as well, and that is no failure.
        biased;
        () = stop.wait() => Ok(()),
        why = platforms.nothing_to_serve() => Err(why),
        ended = &mut watch => ended.unwrap_or_else(|error| Err(error.into())),
    };
    supervisor::stopping();
    watch.abort();
    end(&mut tasks, &service, &*store, &stop).await.and(failed)
}

/// First nothing more comes in, then what was decided goes out, then the store is closed.
async fn end(
    tasks: &mut JoinSet<()>,
    service: &Service,
    store: &dyn Store,
    stop: &Shutdown,
) -> anyhow::Result<()> {
    stop.ending("connections that end");
    // Without a signal, as when nothing can be served, nobody has asked the parts to end.
    if stop.is_asked() && tokio::time::timeout(INTAKE_END_MAX, ended(tasks)).await.is_err() {
        tracing::warn!("some connections did not end in time and are cut");
    }
    tasks.abort_all();
    stop.ending("messages that are sent");
    if let Ok(stopped) = tokio::time::timeout(SENDING_END_MAX, service.stop()).await {
        return stopped;
    }
    log_unsent(store).await;
    stop.ending("the store that closes");
    let closed = tokio::time::timeout(CLOSE_MAX, store.close()).await;
    Ok(closed.context("the store did not close in time; nothing acknowledged is lost")??)
}

/// Logs how many messages are left for the next start.
async fn log_unsent(store: &dyn Store) {
    let outbox = store.scan(Space::Outbox, "", None, UNSENT_COUNTED_MAX);
    let rows = tokio::time::timeout(CLOSE_MAX / 4, outbox).await;
    let rows = rows.ok().and_then(Result::ok).unwrap_or_default();
    let places: HashSet<&str> = rows.iter().filter_map(|(key, _)| key.split(' ').next()).collect();
    let (messages, chats) = (rows.len(), places.len());
    tracing::info!(messages, chats, "not everything was sent, it is sent at the next start");
}

async fn ended(tasks: &mut JoinSet<()>) {
    while tasks.join_next().await.is_some() {}
}

/// A task that ends with whoever holds this.
#[cfg(unix)]
struct Ends(tokio::task::JoinHandle<()>);

#[cfg(unix)]
impl Drop for Ends {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Hands back-ups to `caravanserai backup`: a store in a folder belongs to this process.
#[cfg(unix)]
fn backups(config: &Config, store: &Arc<dyn Store>) -> Option<Ends> {
    let folder = config.store.folder()?.to_owned();
    let store = store.clone();
    Some(Ends(tokio::spawn(async move {
        if let Err(error) = backup::serve(store, &folder).await {
            tracing::warn!(%error, "no back-up can be made while the bot runs");
        }
    })))
}

fn service(config: &Config, store: Arc<dyn Store>, i18n: Arc<I18n>) -> anyhow::Result<Service> {
    let renderer = Arc::new(Renderer::embedded().context("the art cannot be read")?);
    let warming = Arc::clone(&renderer);
    // Other themes choose their colours when somebody first wants them.
    tokio::task::spawn_blocking(move || warming.warm(DEFAULT_THEME));
    Ok(Service::new(ServiceParts {
        store,
        i18n,
        renderer,
        clock: Arc::new(SystemClock),
        randomness: Box::new(|bytes| {
            getrandom::fill(bytes).expect("the operating system gives random bytes");
        }),
        limits: Limits {
            archive_after_ms: config.archive_after_days * DAY_MS,
            ..Limits::default()
        },
    }))
}

/// Where the gateway of Discord says how it is when commands come another way: without it people
/// still play.
#[cfg(feature = "discord")]
fn gateway_reporter(parts: &Parts) -> Option<Reporter> {
    let discord = parts.config.discord.as_ref()?;
    let Interactions::Http { .. } = discord.interactions else { return None };
    let reporter = Reporter::new("dc-gateway");
    parts.health.add(reporter.watch());
    Some(reporter)
}

/// The platforms that the settings name.
struct Platforms {
    reporters: Vec<Reporter>,
    tell: mpsc::UnboundedSender<Hopeless>,
    told: mpsc::UnboundedReceiver<Hopeless>,
}

impl Default for Platforms {
    fn default() -> Self {
        let (tell, told) = mpsc::unbounded_channel();
        Self { reporters: Vec::new(), tell, told }
    }
}

impl Platforms {
    /// Begins everything. Each connects on its own: one in trouble does not keep the others.
    fn begin(&mut self, tasks: &mut JoinSet<()>, parts: &Parts) {
        let http = parts.clone();
        // The host's port is no platform: without it people still play.
        let (reporter, (alone, _)) = (Reporter::new("http"), mpsc::unbounded_channel());
        let keeper = Keeper {
            pauses: pauses(),
            name: "http",
            reporter,
            hopeless: alone,
            stop: parts.stop.clone(),
        };
        tasks.spawn(keeper.keep(move || http.clone().http()));
        if parts.config.web.is_some() {
            let (keeper, parts, opened) =
                (self.add("web", parts), parts.clone(), Opened::default());
            let reporter = keeper.reporter.clone();
            tasks.spawn(keeper.keep(move || parts.clone().web(reporter.clone(), opened.clone())));
        }
        #[cfg(feature = "telegram")]
        if parts.config.telegram.is_some() {
            let (keeper, parts) = (self.add("tg", parts), parts.clone());
            let reporter = keeper.reporter.clone();
            tasks.spawn(keeper.keep(move || parts.clone().telegram(reporter.clone())));
        }
        #[cfg(feature = "discord")]
        if parts.config.discord.is_some() {
            let (keeper, parts) = (self.add("dc", parts), parts.clone());
            let reporter = keeper.reporter.clone();
            let gateway = gateway_reporter(&parts);
            let gateway = move || gateway.clone();
            tasks.spawn(keeper.keep(move || parts.clone().discord(reporter.clone(), gateway())));
        }
    }

    fn add(&mut self, name: &'static str, parts: &Parts) -> Keeper {
        let reporter = Reporter::new(name);
        parts.health.add(reporter.watch());
        self.reporters.push(reporter.clone());
        let (hopeless, stop) = (self.tell.clone(), parts.stop.clone());
        Keeper { pauses: pauses(), name, reporter, hopeless, stop }
    }

    /// Returns when every platform asks for the operator and none was ever served. While one of
    /// them serves or may still come, the others are tried again instead.
    async fn nothing_to_serve(&mut self) -> anyhow::Error {
        let mut hopeless: BTreeMap<&str, String> = BTreeMap::new();
        let mut served = false;
        while let Some(it) = self.told.recv().await {
            hopeless.insert(it.name, it.why);
            let serves = |it: &Reporter| it.watch().borrow().health == PlatformHealth::Serving;
            served |= it.served || self.reporters.iter().any(serves);
            if !served && hopeless.len() == self.reporters.len() {
                let all: Vec<String> = hopeless.into_values().collect();
                return anyhow::anyhow!(all.join("; "));
            }
        }
        std::future::pending().await
    }
}
