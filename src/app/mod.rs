//! Puts the parts together: settings → store → service → platforms → wait for the end.
//!
//! The only place that names every platform. It also is what `tests` start.

pub mod menus;
pub mod tools;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::chat::Listener;
use crate::config::Config;
use crate::i18n::I18n;
use crate::ops::{self, Metrics, Shutdown};
use crate::platform::web::{self, Web};
use crate::render::Renderer;
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
    let service = Service::new(Parts {
        store: store.clone(),
        i18n: i18n.clone(),
        renderer: Arc::new(Renderer::embedded().context("the art cannot be read")?),
        clock: Arc::new(SystemClock),
        randomness: Box::new(|bytes| {
            getrandom::fill(bytes).expect("the operating system gives random bytes");
        }),
        limits: Limits::default(),
    });
    let parts = Starting { config: &config, service: &service, i18n: &i18n, stop: &stop };
    let mut tasks = JoinSet::new();
    let mut http = Router::new();
    if let Some(metrics) = &metrics {
        http = http.merge(ops::router(store.clone(), metrics.clone()));
    }
    http = http.merge(parts.telegram(&mut tasks).await?);
    parts.discord(&mut tasks).await?;
    let web = parts.web(&mut tasks, &http).await?;
    if let Some(listen) = config.http {
        let socket = bind("HTTP_LISTEN", listen).await?;
        let asked = stop.clone();
        tasks.spawn(async move {
            let ended = async move { asked.wait().await };
            axum::serve(socket, http).with_graceful_shutdown(ended).await?;
            Ok(())
        });
    }
    service.start().await?;
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

/// Waits for the end, or for the first platform that cannot go on.
async fn until_end(tasks: &mut JoinSet<anyhow::Result<()>>, stop: &Shutdown) -> anyhow::Result<()> {
    tokio::select! {
        () = stop.wait() => Ok(()),
        Some(ended) = tasks.join_next() => ended?,
    }
}

async fn bind(key: &str, listen: std::net::SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(listen).await.with_context(|| format!("{key}: cannot listen on {listen}"))
}

/// What is at hand while platforms are started.
struct Starting<'a> {
    config: &'a Config,
    service: &'a Service,
    i18n: &'a Arc<I18n>,
    stop: &'a Shutdown,
}

impl Starting<'_> {
    fn listener(&self) -> Arc<dyn Listener> {
        Arc::new(self.service.clone())
    }

    async fn web(
        &self,
        tasks: &mut JoinSet<anyhow::Result<()>>,
        http: &Router,
    ) -> anyhow::Result<Option<Arc<Web>>> {
        let Some(listen) = self.config.web else { return Ok(None) };
        let web = Web::open(web::Settings {
            folder: self.config.data_dir.join("web"),
            hosts: self.config.web_hosts.clone(),
            commands: menus::web(self.i18n),
            ..web::Settings::default()
        })?;
        let socket = bind("WEB_LISTEN", listen).await?;
        // Port 0 lets the system choose one.
        let address = socket.local_addr()?;
        self.service.add_platform(web.clone());
        let mut router = web.router(self.listener());
        if self.config.http.is_none() {
            // One port is enough for everything.
            router = router.merge(http.clone());
        }
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

    #[cfg(not(feature = "telegram"))]
    async fn telegram(&self, _: &mut JoinSet<anyhow::Result<()>>) -> anyhow::Result<Router> {
        Ok(Router::new())
    }

    #[cfg(not(feature = "discord"))]
    async fn discord(&self, _: &mut JoinSet<anyhow::Result<()>>) -> anyhow::Result<()> {
        Ok(())
    }
}

#[cfg(feature = "telegram")]
mod telegram {
    use super::*;
    use crate::config::TelegramMode;
    use crate::i18n::Lang;
    use crate::platform::telegram::{Phrasebook, Settings, Telegram, TelegramError, Words};
    use crate::words::Text;

    /// How long a press may wait for its decision.
    const PATIENCE: Duration = Duration::from_secs(2);

    /// The adapter's own words in our languages.
    pub fn phrasebook(i18n: &Arc<I18n>) -> Phrasebook {
        let i18n = i18n.clone();
        Arc::new(move |locale| {
            let lang = locale.and_then(Lang::of_locale).unwrap_or(Lang::En);
            let say = |key: &'static str| i18n.plain(lang, &Text::new(key));
            Words {
                envelope: say("answer-no-private"),
                open: say("button-show"),
                not_yours: say("refuse-not-your-answer"),
                expired: say("refuse-answer-gone"),
            }
        })
    }

    impl Starting<'_> {
        /// Connects; the routes are those of the webhook, if there is one.
        pub(super) async fn telegram(
            &self,
            tasks: &mut JoinSet<anyhow::Result<()>>,
        ) -> anyhow::Result<Router> {
            let Some(settings) = &self.config.telegram else { return Ok(Router::new()) };
            let telegram = self.telegram_connected(settings).await?;
            self.service.add_platform(telegram.clone());
            if let Err(error) = telegram.set_menus(&menus::telegram(self.i18n)).await {
                tracing::warn!(%error, "the command menus were not set");
            }
            tracing::info!("telegram: I am @{}", telegram.username());
            let (listener, stop) = (self.listener(), self.stop.clone());
            match &settings.mode {
                TelegramMode::Polling => {
                    tasks.spawn(async move {
                        let stopped = async move { stop.wait().await };
                        Ok(telegram.poll(listener, stopped).await?)
                    });
                    Ok(Router::new())
                }
                TelegramMode::Webhook { url, secret } => {
                    telegram.set_webhook(url, secret.reveal()).await?;
                    let path = reqwest::Url::parse(url)?.path().to_owned();
                    Ok(telegram.webhook(listener, &path, secret.reveal()))
                }
            }
        }

        async fn telegram_connected(
            &self,
            settings: &crate::config::Telegram,
        ) -> anyhow::Result<Arc<Telegram>> {
            loop {
                let connected = Telegram::connect(Settings {
                    token: settings.token.reveal().to_owned(),
                    api_url: settings.api_url.clone(),
                    press_patience: PATIENCE,
                    words: phrasebook(self.i18n),
                })
                .await;
                match connected {
                    Err(error @ TelegramError::Unreachable(_)) => {
                        tracing::warn!(%error, "telegram is tried again soon");
                    }
                    other => return Ok(other?),
                }
                tokio::select! {
                    () = tokio::time::sleep(RETRY) => {}
                    () = self.stop.wait() => anyhow::bail!("stopped before telegram answered"),
                }
            }
        }
    }
}

#[cfg(feature = "discord")]
mod discord {
    use super::*;
    use crate::platform::discord::{Discord, Settings, StartError, Texts};

    impl Starting<'_> {
        pub(super) async fn discord(
            &self,
            tasks: &mut JoinSet<anyhow::Result<()>>,
        ) -> anyhow::Result<()> {
            let Some(settings) = &self.config.discord else { return Ok(()) };
            let say = |key| menus::discord::text(self.i18n, key);
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
                tokio::select! {
                    () = tokio::time::sleep(RETRY) => {}
                    () = self.stop.wait() => anyhow::bail!("stopped before discord answered"),
                }
            };
            self.service.add_platform(Arc::new(discord.clone()));
            tracing::info!("discord: invite me with {}", discord.invitation());
            let (listener, stop) = (self.listener(), self.stop.clone());
            tasks.spawn(async move {
                let stopped = async move { stop.wait().await };
                Ok(discord.run(listener, stopped).await?)
            });
            Ok(())
        }

        async fn discord_connected(&self, settings: &Settings) -> Result<Discord, StartError> {
            let discord = Discord::connect(settings.clone()).await?;
            discord.register(&menus::discord::menu(self.i18n)).await?;
            Ok(discord)
        }
    }
}
