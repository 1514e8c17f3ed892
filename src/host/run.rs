//! Puts the parts together: settings → store → service → platforms → wait for the end.
//!
//! The only place that names every platform. It also is what `tests` start.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tower::ServiceExt;

use crate::chat::{Listener, Platform};
use crate::host::config::{Config, Telegram, TelegramMode};
use crate::host::menus;
use crate::host::ops::{self, Metrics, Shutdown};
use crate::i18n::I18n;
use crate::platform::web::{self, Web};
use crate::render::{DEFAULT_THEME, Renderer};
use crate::service::clock::SystemClock;
use crate::service::{Limits, Parts, Service};
use crate::store::Store;
use crate::store::sled::SledStore;
#[cfg(feature = "telegram")]
pub use telegram::phrasebook;

/// How long connections may take to end after they were asked to.
const INTAKE_END_MAX: Duration = Duration::from_secs(4);

/// How long what was decided may take to be sent after that.
const SENDING_END_MAX: Duration = Duration::from_secs(4);

/// How long a platform that cannot be reached at the start is left alone.
const RETRY: Duration = Duration::from_secs(15);

/// Runs the bot until `stop`, then ends it in an orderly way.
///
/// # Errors
/// With one sentence when it cannot start: folder, port, token.
pub async fn run(config: Config, metrics: Option<Metrics>, stop: Shutdown) -> anyhow::Result<()> {
    let folder = config.data_dir.join("store");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("DATA_DIR: cannot make the folder {}", folder.display()))?;
    let store: Arc<dyn Store> = Arc::new(SledStore::open(&folder)?);
    let i18n = Arc::new(I18n::new());
    let renderer = Arc::new(Renderer::embedded().context("the art cannot be read")?);
    let warming = Arc::clone(&renderer);
    // Other themes choose their colours when somebody first wants them.
    tokio::task::spawn_blocking(move || warming.warm(DEFAULT_THEME));
    let service = Service::new(Parts {
        store: store.clone(),
        i18n: i18n.clone(),
        renderer,
        clock: Arc::new(SystemClock),
        randomness: Box::new(|bytes| {
            getrandom::fill(bytes).expect("the operating system gives random bytes");
        }),
        limits: Limits::default(),
    });
    let parts = Starting {
        config: Arc::new(config),
        service: service.clone(),
        i18n,
        stop: stop.clone(),
        webhook: Webhook::default(),
    };
    let mut tasks = JoinSet::new();
    let web = parts.web(&mut tasks, store.clone()).await?;
    parts.http(&mut tasks, store.clone(), metrics).await?;
    service.start().await?;
    // Each platform connects on its own: one that cannot be reached does not keep the others.
    parts.platforms(&mut tasks);
    let failed = until_end(&mut tasks, &stop).await;
    // First nothing more comes in, then what was decided goes out, then the store is closed.
    if let Some(web) = web {
        web.close();
    }
    if tokio::time::timeout(INTAKE_END_MAX, ended(&mut tasks)).await.is_err() {
        tracing::warn!("some connections did not end in time and are cut");
        tasks.abort_all();
    }
    match tokio::time::timeout(SENDING_END_MAX, service.stop()).await {
        Ok(stopped) => failed.and(stopped),
        Err(_) => {
            tracing::warn!("not everything was sent; it is kept and sent at the next start");
            failed.and(Ok(store.close().await?))
        }
    }
}

async fn ended(tasks: &mut JoinSet<anyhow::Result<()>>) {
    while let Some(ended) = tasks.join_next().await {
        if let Ok(Err(error)) = ended {
            tracing::error!("{error:#}");
        }
    }
}

/// Waits for the end, or for the first part that cannot start. A platform that ends later leaves
/// the others alone, unless nothing is left.
async fn until_end(tasks: &mut JoinSet<anyhow::Result<()>>, stop: &Shutdown) -> anyhow::Result<()> {
    loop {
        tokio::select! {
            // In this order: at the end the parts end as well, and that is no failure.
            biased;
            () = stop.wait() => return Ok(()),
            ended = tasks.join_next() => match ended {
                Some(ended) => ended??,
                None => anyhow::bail!("nothing is left to be served"),
            },
        }
    }
}

async fn bind(key: &str, listen: std::net::SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(listen).await.with_context(|| format!("{key}: cannot listen on {listen}"))
}

/// Where the webhook's routes are put once Telegram has told who the bot is.
type Webhook = Arc<OnceLock<Router>>;

/// What is at hand while parts are started.
#[derive(Clone)]
struct Starting {
    config: Arc<Config>,
    service: Service,
    i18n: Arc<I18n>,
    stop: Shutdown,
    webhook: Webhook,
}

impl Starting {
    fn listener(&self) -> Arc<dyn Listener> {
        Arc::new(self.service.clone())
    }

    /// Adds a platform and sends what waits for it.
    fn add(&self, platform: Arc<dyn Platform>) {
        self.service.add_platform(platform);
    }

    /// Waits before another try; `false` when it is time to stop.
    async fn again(&self) -> bool {
        tokio::select! {
            () = tokio::time::sleep(RETRY) => true,
            () = self.stop.wait() => false,
        }
    }

    /// What a platform without settings does.
    async fn idle(&self) -> anyhow::Result<()> {
        self.stop.wait().await;
        Ok(())
    }

    fn platforms(&self, tasks: &mut JoinSet<anyhow::Result<()>>) {
        #[cfg(feature = "telegram")]
        tasks.spawn(self.clone().telegram());
        #[cfg(feature = "discord")]
        tasks.spawn(self.clone().discord());
    }

    /// Health, metrics and the webhook.
    async fn http(
        &self,
        tasks: &mut JoinSet<anyhow::Result<()>>,
        store: Arc<dyn Store>,
        metrics: Option<Metrics>,
    ) -> anyhow::Result<()> {
        let Some(listen) = self.config.http else { return Ok(()) };
        let socket = bind("HTTP_LISTEN", listen).await?;
        let mut router = ops::health(store);
        if let Some(metrics) = metrics {
            router = router.merge(ops::metrics(metrics));
        }
        if let Some(path) = self.webhook_path()? {
            router = router.route(&path, any(forward).with_state(self.webhook.clone()));
        }
        let stop = self.stop.clone();
        tasks.spawn(async move {
            let ended = async move { stop.wait().await };
            axum::serve(socket, router).with_graceful_shutdown(ended).await?;
            Ok(())
        });
        Ok(())
    }

    /// The path under which Telegram's updates arrive, if they are pushed.
    fn webhook_path(&self) -> anyhow::Result<Option<String>> {
        let Some(Telegram { mode: TelegramMode::Webhook { url, .. }, .. }) = &self.config.telegram
        else {
            return Ok(None);
        };
        let path = reqwest::Url::parse(url)?.path().to_owned();
        let plain = |it: char| it.is_ascii_alphanumeric() || "/-_.~%".contains(it);
        let fine = path.chars().all(plain) && path != "/healthz" && path != "/metrics";
        anyhow::ensure!(
            fine,
            "TELEGRAM_WEBHOOK_URL: the path may have letters, digits, -, _, . and ~ only, and \
             must not be /healthz or /metrics"
        );
        Ok(Some(path))
    }

    async fn web(
        &self,
        tasks: &mut JoinSet<anyhow::Result<()>>,
        store: Arc<dyn Store>,
    ) -> anyhow::Result<Option<Arc<Web>>> {
        let Some(listen) = self.config.web else { return Ok(None) };
        let web = Web::open(web::Settings {
            folder: self.config.data_dir.join("web"),
            hosts: self.config.web_hosts.clone(),
            commands: menus::web(&self.i18n),
            ..web::Settings::default()
        })?;
        let socket = bind("WEB_LISTEN", listen).await?;
        // Port 0 lets the system choose one.
        let address = socket.local_addr()?;
        self.add(web.clone());
        // Health can be asked here as well; numbers are nobody's business on a public page.
        let router = web.router(self.listener()).merge(ops::health(store));
        let (closing, asked) = (web.clone(), self.stop.clone());
        let serve = axum::serve(socket, router);
        tasks.spawn(async move {
            let ended = async move {
                asked.wait().await;
                closing.close();
            };
            serve.with_graceful_shutdown(ended).await?;
            Ok(())
        });
        tracing::info!("the group chat is at http://{address}");
        Ok(Some(web))
    }
}

/// Hands a pushed update to the Telegram adapter; before it is there, Telegram tries again later.
async fn forward(State(webhook): State<Webhook>, request: Request) -> Response {
    match webhook.get() {
        Some(router) => router.clone().oneshot(request).await.into_response(),
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

#[cfg(feature = "telegram")]
mod telegram {
    use super::*;
    use crate::i18n::Lang;
    use crate::platform::telegram::{Phrasebook, Settings, Telegram, TelegramError, Words};
    use crate::words::Text;

    /// How long a press may wait for its decision.
    const PATIENCE: Duration = Duration::from_secs(2);

    /// The adapter's own words in our languages.
    pub fn phrasebook(i18n: &Arc<I18n>) -> Phrasebook {
        let i18n = i18n.clone();
        Arc::new(move |locale| {
            let lang = locale.and_then(Lang::of_locale).unwrap_or_default();
            let say = |key: &'static str| i18n.plain(lang, &Text::new(key));
            Words {
                envelope: say("answer-no-private"),
                open: say("button-show"),
                not_yours: say("refuse-not-your-answer"),
                expired: say("refuse-answer-gone"),
                nothing: say("hand-inline-nothing"),
            }
        })
    }

    impl Starting {
        /// Serves Telegram until the end.
        ///
        /// # Errors
        /// When the token is refused.
        pub(super) async fn telegram(self) -> anyhow::Result<()> {
            let Some(settings) = self.config.telegram.clone() else {
                return self.idle().await;
            };
            let Some(telegram) = self.telegram_connected(&settings).await? else { return Ok(()) };
            self.add(telegram.clone());
            if let Err(error) = telegram.set_menus(&menus::telegram(&self.i18n)).await {
                tracing::warn!(%error, "the command menus were not set");
            }
            tracing::info!("telegram: I am @{}", telegram.username());
            self.service.resume().await?;
            let (listener, stop) = (self.listener(), self.stop.clone());
            let stopped = async move { stop.wait().await };
            match &settings.mode {
                TelegramMode::Polling => {
                    if let Err(error) = telegram.poll(listener, stopped).await {
                        tracing::error!(%error, "telegram is not served any more");
                    }
                }
                TelegramMode::Webhook { url, secret } => {
                    let path = self.webhook_path()?.unwrap_or_default();
                    let routes = telegram.clone().webhook(listener, &path, secret.reveal());
                    // Only this task sets it.
                    self.webhook.set(routes).ok();
                    while let Err(error) = telegram.set_webhook(url, secret.reveal()).await {
                        tracing::warn!(%error, "the webhook is not set yet");
                        if !self.again().await {
                            break;
                        }
                    }
                    stopped.await;
                    telegram.settle().await;
                }
            }
            Ok(())
        }

        async fn telegram_connected(
            &self,
            settings: &crate::host::config::Telegram,
        ) -> anyhow::Result<Option<Arc<Telegram>>> {
            loop {
                let connected = Telegram::connect(Settings {
                    token: settings.token.reveal().to_owned(),
                    api_url: settings.api_url.clone(),
                    press_patience: PATIENCE,
                    words: phrasebook(&self.i18n),
                })
                .await;
                match connected {
                    Err(error @ TelegramError::Unreachable(_)) => {
                        tracing::warn!(%error, "telegram is tried again soon");
                    }
                    other => return Ok(Some(other?)),
                }
                if !self.again().await {
                    return Ok(None);
                }
            }
        }
    }
}

#[cfg(feature = "discord")]
mod discord {
    use super::*;
    use crate::platform::discord::{Discord, Settings, StartError, Texts};

    impl Starting {
        /// Serves Discord until the end.
        ///
        /// # Errors
        /// When the token is refused.
        pub(super) async fn discord(self) -> anyhow::Result<()> {
            let Some(settings) = self.config.discord.clone() else { return self.idle().await };
            let say = |key| menus::discord::text(&self.i18n, key);
            let texts = Texts {
                missing_permissions: say("answer-cannot-write"),
                envelope: say("answer-no-private"),
                open: say("button-show"),
                not_yours: say("refuse-not-your-answer"),
                expired: say("refuse-answer-gone"),
            };
            let mut wanted = Settings::new(settings.token.reveal(), texts);
            wanted.api_url =
                (settings.api_url != "https://discord.com").then(|| settings.api_url.clone());
            let discord = loop {
                match self.discord_connected(&wanted).await {
                    Err(StartError::Unreachable(why)) => {
                        tracing::warn!(why, "discord is tried again soon");
                    }
                    other => break other?,
                }
                if !self.again().await {
                    return Ok(());
                }
            };
            self.add(Arc::new(discord.clone()));
            tracing::info!("discord: invite me with {}", discord.invitation());
            self.service.resume().await?;
            let (listener, stop) = (self.listener(), self.stop.clone());
            let stopped = async move { stop.wait().await };
            if let Err(error) = discord.run(listener, stopped).await {
                tracing::error!(%error, "discord is not served any more");
            }
            Ok(())
        }

        async fn discord_connected(&self, settings: &Settings) -> Result<Discord, StartError> {
            let discord = Discord::connect(settings.clone()).await?;
            discord.register(&menus::discord::menu(&self.i18n)).await?;
            Ok(discord)
        }
    }
}
