//! Assembles and runs the bot: settings → store → service → platforms → shutdown.
//!
//! The integration tests start the bot here, too.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};

#[cfg(unix)]
use super::admin_socket::{AdminServer, StoreKind};
#[cfg(unix)]
use super::component_supervisor::ComponentError;
use super::component_supervisor::{ComponentSupervisor, OperatorAlert, RestartPauses};
use super::components::ComponentDeps;
use super::components::http::RouterSlots;
use super::components::webchat::{self, FILES_FOLDER, OpenedWebchat};
use super::config::Config;
#[cfg(feature = "discord")]
use super::config::DiscordInteractions;
use super::deletion_list::keep_deletion_list;
use super::health::HealthCheck;
use super::health_watch;
use super::key_rotation;
use super::kv_store::{StoreKeyValues, process_name};
use super::metrics::Metrics;
use super::operator_metrics::record_operator_metrics;
use super::shutdown::Shutdown;
use super::store_startup::open_store;
use super::systemd;
use caravanserai_bot::admin::OperatorSettings;
use caravanserai_bot::delivery::account_stores::AccountStoreOpener;
use caravanserai_bot::repository::outbox_key::OutboxKey;
use caravanserai_bot::service::{BotLimits, DAY_MS, Randomness, Service, ServiceDeps, SystemClock};
use caravanserai_games::ids::ChatId;
use caravanserai_i18n::I18n;
use caravanserai_platform_shared::health_reporter::HealthReporter;
use caravanserai_protocol::PlatformHealth;
use caravanserai_render::{DEFAULT_THEME, Renderer};
#[cfg(unix)]
use caravanserai_store::backup;
use caravanserai_store::{Space, Store};
use caravanserai_webchat::StoredAccounts;

/// Time limit for connections to end during shutdown.
const INTAKE_END_TIMEOUT: Duration = Duration::from_secs(4);
/// Time limit after that for sending the messages that were decided.
const SENDING_END_TIMEOUT: Duration = Duration::from_secs(4);
/// Unsent messages are counted up to this number.
const UNSENT_COUNTED_MAX: usize = 10_000;
/// Time limit after that for closing the store.
const STORE_CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Runs the bot until `stop`, then shuts it down in order.
///
/// # Errors
/// One sentence when nothing can be served, or when the store has ended.
pub async fn run_bot(
    config: Config,
    metrics: Option<Metrics>,
    stop: Shutdown,
) -> anyhow::Result<()> {
    let Some(opened) = open_store(&config, metrics.as_ref(), &stop).await? else { return Ok(()) };
    let store = opened.store;
    let encrypted = opened.encrypted;
    key_rotation::log_missing_key(&config);
    let i18n = Arc::new(I18n::new());
    let service = build_service(&config, store.clone(), i18n.clone())?;
    let health = Arc::new(HealthCheck::new(store.clone()));
    let data_folder = config.store.folder().map(Path::to_owned);
    let list_folder = config.data_dir.clone();
    let files_folder = config.data_dir.join(FILES_FOLDER);
    let deps = ComponentDeps {
        config: Arc::new(config),
        service: service.clone(),
        store: store.clone(),
        i18n,
        health: health.clone(),
        metrics,
        stop: stop.clone(),
        router_slots: RouterSlots::default(),
        discord_proxy_host: Arc::default(),
        key_values: Arc::new(StoreKeyValues::new(store.clone(), process_name())),
    };
    let mut tasks = JoinSet::new();
    let mut platforms = PlatformSupervisors::default();
    // The start gives all players lost time back, which may take minutes: the supervisor of the
    // process must see that it is alive.
    start_http(&mut tasks, &deps);
    #[cfg(unix)]
    start_admin_socket(&mut tasks, &deps);
    #[cfg(unix)]
    start_backup_socket(&mut tasks, &deps);
    let mut watch = tokio::spawn(health_watch::watch_health(health, store.clone(), stop.clone()));
    if let Err(failed) = start_service(&service, &mut watch, &stop).await {
        systemd::notify_stopping();
        return shut_down(&mut tasks, &service, &*store, &stop).await.and(Err(failed));
    }
    platforms.start_all(&mut tasks, &deps);
    let metrics_task =
        tokio::spawn(record_operator_metrics(store.clone(), data_folder, stop.clone()));
    let list = keep_deletion_list(service.clone(), list_folder, stop.clone());
    let list_task = tokio::spawn(list);
    let rotate = |store| tokio::spawn(key_rotation::rotate_keys(store, files_folder, stop.clone()));
    let rotation = encrypted.map(rotate);
    systemd::notify_ready();
    let failed = tokio::select! {
        // Checked in this order: during shutdown the components end, too, and that is no failure.
        biased;
        () = stop.wait() => Ok(()),
        why = platforms.wait_until_all_platforms_failed() => Err(why),
        ended = &mut watch => ended.unwrap_or_else(|error| Err(error.into())),
    };
    systemd::notify_stopping();
    watch.abort();
    metrics_task.abort();
    list_task.abort();
    if let Some(rotation) = rotation {
        rotation.abort();
    }
    shut_down(&mut tasks, &service, &*store, &stop).await.and(failed)
}

/// Starts the service, unless the bot is asked to stop before that is done.
///
/// # Errors
/// When the watch over the health ends with an error before that.
async fn start_service(
    service: &Service,
    watch: &mut JoinHandle<anyhow::Result<()>>,
    stop: &Shutdown,
) -> anyhow::Result<()> {
    tokio::select! {
        biased;
        () = stop.wait() => {}
        ended = watch => return ended.unwrap_or_else(|error| Err(error.into())),
        started = service.start() => {
            if let Err(error) = started {
                // Each platform looks for unsent messages again when it is served.
                tracing::warn!(%error, "failed to resume unsent messages");
            }
        }
    }
    Ok(())
}

/// Starts the operator's port. It is not a platform: without it players can still play.
fn start_http(tasks: &mut JoinSet<()>, deps: &ComponentDeps) {
    let http = deps.clone();
    let supervisor = operator_supervisor("http", deps);
    tasks.spawn(supervisor.run_forever(move || http.clone().run_http()));
}

/// Starts the socket through which commands at the command line reach the bot.
#[cfg(unix)]
fn start_admin_socket(tasks: &mut JoinSet<()>, deps: &ComponentDeps) {
    let server = Arc::new(AdminServer {
        data_dir: deps.config.data_dir.clone(),
        store_kind: StoreKind::of(&deps.config.store),
        store: deps.store.clone(),
        service: deps.service.clone(),
        time_source: Arc::new(SystemClock),
        stop: deps.stop.clone(),
    });
    let supervisor = operator_supervisor("admin", deps);
    tasks.spawn(supervisor.run_forever(move || Arc::clone(&server).serve()));
}

/// Starts serving backups to `caravanserai backup`: a store in a folder belongs to this process.
#[cfg(unix)]
fn start_backup_socket(tasks: &mut JoinSet<()>, deps: &ComponentDeps) {
    let Some(folder) = deps.config.store.folder().map(Path::to_owned) else { return };
    let store = deps.store.clone();
    let stop = deps.stop.clone();
    let supervisor = operator_supervisor("backups", deps);
    tasks.spawn(supervisor.run_forever(move || {
        let store = store.clone();
        let folder = folder.clone();
        let stop = stop.clone();
        async move { serve_backups(store, &folder, &stop).await }
    }));
}

/// Serves backups until the stop, which cuts them off.
#[cfg(unix)]
async fn serve_backups(
    store: Arc<dyn Store>,
    folder: &Path,
    stop: &Shutdown,
) -> Result<(), ComponentError> {
    let served = tokio::select! {
        biased;
        () = stop.wait() => return Ok(()),
        served = backup::serve(store, folder) => served,
    };
    served.map_err(|error| {
        let why = format!("no backup can be made while this bot runs: {error}");
        ComponentError::of_socket(&backup::socket_path(folder), why)
    })
}

/// The supervisor of a component that only the operator uses: its failures end nothing.
fn operator_supervisor(name: &'static str, deps: &ComponentDeps) -> ComponentSupervisor {
    let (ignored_alerts, _) = mpsc::unbounded_channel();
    ComponentSupervisor {
        pauses: RestartPauses::default(),
        name,
        reporter: HealthReporter::new(name),
        alerts: ignored_alerts,
        stop: deps.stop.clone(),
    }
}

/// Stops intake first, then sends the messages that were decided, then closes the store.
async fn shut_down(
    tasks: &mut JoinSet<()>,
    service: &Service,
    store: &dyn Store,
    stop: &Shutdown,
) -> anyhow::Result<()> {
    stop.set_phase("closing connections");
    // Without a signal, as when nothing can be served, the components have not been asked to stop.
    if stop.is_requested()
        && tokio::time::timeout(INTAKE_END_TIMEOUT, wait_for_tasks(tasks)).await.is_err()
    {
        tracing::warn!("some connections did not end in time, cutting them");
    }
    tasks.abort_all();
    stop.set_phase("sending pending messages");
    if let Ok(stopped) = tokio::time::timeout(SENDING_END_TIMEOUT, service.stop()).await {
        return stopped;
    }
    log_unsent(store).await;
    stop.set_phase("closing the store");
    let closed = tokio::time::timeout(STORE_CLOSE_TIMEOUT, store.close()).await;
    Ok(closed.context("the store did not close in time; nothing acknowledged is lost")??)
}

/// Logs how many messages are left for the next start.
async fn log_unsent(store: &dyn Store) {
    let outbox = store.scan(Space::Outbox, "", None, UNSENT_COUNTED_MAX);
    let rows = tokio::time::timeout(STORE_CLOSE_TIMEOUT / 4, outbox).await;
    let rows = rows.ok().and_then(Result::ok).unwrap_or_default();
    let chat_ids: HashSet<ChatId> = rows.iter().map(|(key, _)| OutboxKey::chat_of(key)).collect();
    let messages = rows.len();
    let chats = chat_ids.len();
    tracing::info!(
        messages,
        chats,
        "some messages are unsent, they will be sent at the next start"
    );
}

async fn wait_for_tasks(tasks: &mut JoinSet<()>) {
    while tasks.join_next().await.is_some() {}
}

/// The operators, and whether the store is encrypted.
pub(crate) fn operator_settings(config: &Config) -> OperatorSettings {
    let is_encrypted = config.store.keys().is_some();
    OperatorSettings { operators: config.operators.clone(), is_encrypted }
}

/// Random bytes of the operating system.
pub(crate) fn system_randomness() -> Randomness {
    Box::new(|bytes| {
        getrandom::fill(bytes).expect("the operating system gives random bytes");
    })
}

fn build_service(
    config: &Config,
    store: Arc<dyn Store>,
    i18n: Arc<I18n>,
) -> anyhow::Result<Service> {
    let renderer = Arc::new(Renderer::embedded().context("failed to load the art")?);
    let warming = Arc::clone(&renderer);
    // Other themes compute their colours when they are first used.
    tokio::task::spawn_blocking(move || warming.warm_up(DEFAULT_THEME));
    let chat = store.clone();
    let service = Service::new(ServiceDeps {
        store,
        i18n,
        renderer,
        clock: Arc::new(SystemClock),
        randomness: system_randomness(),
        limits: BotLimits {
            archive_after_ms: config.archive_after_days * DAY_MS,
            ..BotLimits::default()
        },
        contact: config.contact.clone(),
        operator_settings: operator_settings(config),
    });
    // The process that deletes people also deletes their data in the chat, with or without a page.
    let open: AccountStoreOpener = Arc::new(move || Arc::new(StoredAccounts::new(chat.clone())));
    service.add_account_store(webchat::PLATFORM, open);
    // Not only once the page is open: a replica without it seats guests of another one, too.
    if config.public_url.is_some() || !config.web_host_names.is_empty() {
        service.add_guest_platform(webchat::PLATFORM);
    }
    Ok(service)
}

/// Receives the gateway's state when interactions are posted: without the gateway players can still
/// play.
#[cfg(feature = "discord")]
fn gateway_reporter(deps: &ComponentDeps) -> Option<HealthReporter> {
    let discord = deps.config.discord.as_ref()?;
    let DiscordInteractions::Http { .. } = discord.interactions else { return None };
    let reporter = HealthReporter::new("dc-gateway");
    deps.health.add_platform(reporter.subscribe());
    Some(reporter)
}

/// The supervisors of the platforms in the settings.
struct PlatformSupervisors {
    reporters: Vec<HealthReporter>,
    alerts_sender: mpsc::UnboundedSender<OperatorAlert>,
    alerts: mpsc::UnboundedReceiver<OperatorAlert>,
}

impl Default for PlatformSupervisors {
    fn default() -> Self {
        let (alerts_sender, alerts) = mpsc::unbounded_channel();
        Self { reporters: Vec::new(), alerts_sender, alerts }
    }
}

impl PlatformSupervisors {
    /// Starts all platforms. Each connects on its own: a failing one does not hold up the others.
    fn start_all(&mut self, tasks: &mut JoinSet<()>, deps: &ComponentDeps) {
        if deps.config.web.is_some() {
            let supervisor = self.add_supervisor("web", deps);
            let deps = deps.clone();
            let opened = OpenedWebchat::default();
            let reporter = supervisor.reporter.clone();
            tasks.spawn(
                supervisor.run_forever(move || {
                    deps.clone().run_webchat(reporter.clone(), opened.clone())
                }),
            );
        }
        #[cfg(feature = "telegram")]
        if deps.config.telegram.is_some() {
            let supervisor = self.add_supervisor("tg", deps);
            let deps = deps.clone();
            let reporter = supervisor.reporter.clone();
            tasks
                .spawn(supervisor.run_forever(move || deps.clone().run_telegram(reporter.clone())));
        }
        #[cfg(feature = "discord")]
        if deps.config.discord.is_some() {
            let supervisor = self.add_supervisor("dc", deps);
            let deps = deps.clone();
            let reporter = supervisor.reporter.clone();
            let gateway = gateway_reporter(&deps);
            let gateway = move || gateway.clone();
            tasks.spawn(
                supervisor
                    .run_forever(move || deps.clone().run_discord(reporter.clone(), gateway())),
            );
        }
    }

    fn add_supervisor(&mut self, name: &'static str, deps: &ComponentDeps) -> ComponentSupervisor {
        let reporter = HealthReporter::new(name);
        deps.health.add_platform(reporter.subscribe());
        self.reporters.push(reporter.clone());
        ComponentSupervisor {
            pauses: RestartPauses::default(),
            name,
            reporter,
            alerts: self.alerts_sender.clone(),
            stop: deps.stop.clone(),
        }
    }

    /// Returns when every platform needs the operator and none was ever served. While one of them
    /// is served or may still be, the others are retried instead.
    async fn wait_until_all_platforms_failed(&mut self) -> anyhow::Error {
        let mut reasons: BTreeMap<&str, String> = BTreeMap::new();
        let mut served = false;
        while let Some(it) = self.alerts.recv().await {
            reasons.insert(it.name, it.why);
            let serves =
                |it: &HealthReporter| it.subscribe().borrow().health == PlatformHealth::Serving;
            served |= it.was_served || self.reporters.iter().any(serves);
            if !served && reasons.len() == self.reporters.len() {
                let all: Vec<String> = reasons.into_values().collect();
                return anyhow::anyhow!(all.join("; "));
            }
        }
        std::future::pending().await
    }
}
