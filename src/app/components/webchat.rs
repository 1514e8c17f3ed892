//! Runs the built-in group chat.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::{ComponentDeps, bind_listener, permanent_error};
use crate::command_menus;
use crate::component_supervisor::ComponentError;
use crate::config::Secret;
use caravanserai_platform_shared::health_reporter::HealthReporter;
use caravanserai_webchat::{self as web, Webchat};

/// The name of the platform.
pub const PLATFORM: &str = "web";

/// The folder of images and files in the data folder.
pub const FILES_FOLDER: &str = "web-files";

/// Interval of checks of the chat's state.
const STATE_POLL: Duration = Duration::from_secs(1);

/// The chat once it is open: a restart after a later failure does not open it again.
pub type OpenedWebchat = Arc<OnceLock<Arc<Webchat>>>;

impl ComponentDeps {
    /// Serves the built-in chat until shutdown.
    ///
    /// # Errors
    /// When its port is in use.
    pub async fn run_webchat(
        self,
        reporter: HealthReporter,
        opened: OpenedWebchat,
    ) -> Result<(), ComponentError> {
        let Some(listen) = self.config.web else {
            let is_stored = web::is_stored(self.store.as_ref()).await;
            // What people wrote while there was a page is kept no longer than it was promised.
            let _chat = is_stored
                .map_err(|error| ComponentError::Transient(error.to_string()))?
                .then(|| {
                    Webchat::open_unserved(
                        self.webchat_settings(),
                        self.store.clone(),
                        self.handler(),
                    )
                });
            self.wait_for_stop().await;
            return Ok(());
        };
        let socket = bind_listener("WEB_LISTEN", listen).await?;
        // With port 0 the system chooses the port.
        let address = socket.local_addr().map_err(permanent_error)?;
        let web = opened.get_or_init(|| self.open_webchat()).clone();
        self.service.add_platform(web.clone());
        self.resume_sending().await?;
        // Health can be checked here as well; the details of the state do not belong on a public
        // page.
        let router = web.router(self.handler()).merge(self.health.health_route());
        tracing::info!("the group chat is at http://{address}");
        let teller = tokio::spawn(report_state(web.clone(), reporter));
        let closing = web.clone();
        let stop = self.stop.clone();
        let closer = tokio::spawn(async move {
            stop.wait().await;
            closing.close();
        });
        let served = web.serve_router(socket, router).await.map_err(permanent_error);
        closer.abort();
        teller.abort();
        served
    }

    fn open_webchat(&self) -> Arc<Webchat> {
        warn_of_old_chat_folder(&self.config.data_dir.join("web"));
        Webchat::open(self.webchat_settings(), self.store.clone())
    }

    fn webchat_settings(&self) -> web::WebchatSettings {
        let secret = |it: &Secret| it.reveal().to_owned();
        let page = self.config.public_url.clone().map(|url| self.page_settings(url));
        let mut hosts = self.config.web_host_names.clone();
        hosts.extend(page.as_ref().and_then(|it| host_of_url(&it.url)));
        web::WebchatSettings {
            files: self.config.data_dir.join(FILES_FOLDER),
            keys: self.config.store.keys().cloned(),
            hosts,
            page,
            proxies: self.config.web_proxies.clone(),
            operator_secret: self.config.operator_api_secret.as_ref().map(secret),
            commands: command_menus::webchat_commands(&self.i18n),
            limits: web::WebchatLimits {
                all_bytes: self.config.web_files_bytes,
                ..web::WebchatLimits::default()
            },
        }
    }
}

impl ComponentDeps {
    /// The settings of the page for users of the other platforms.
    fn page_settings(&self, url: String) -> web::PublicPage {
        let mut frames = Vec::new();
        if self.config.telegram.is_some() {
            frames.extend(["https://web.telegram.org", "https://*.telegram.org"]);
        }
        if self.config.discord.as_ref().is_some_and(|it| it.client_secret.is_some()) {
            frames.extend(["https://discord.com", "https://*.discord.com"]);
        }
        web::PublicPage { url, frames, stand_in: self.discord_proxy_host.clone() }
    }
}

/// The host name in a URL.
fn host_of_url(url: &str) -> Option<String> {
    reqwest::Url::parse(url).ok()?.host_str().map(str::to_owned)
}

/// Reports the state of the chat when it changes: it is served once its data is loaded.
async fn report_state(web: Arc<Webchat>, reporter: HealthReporter) {
    let mut standings = web.subscribe_health();
    loop {
        let now = standings.borrow_and_update().clone();
        let in_trouble = now.trouble.is_some();
        match now.trouble {
            Some((why, _)) => reporter.report_problem(&format!("its store: {why}")),
            None if now.loaded => reporter.report_serving(),
            None => {}
        }
        tokio::select! {
            changed = standings.changed() => if changed.is_err() { return },
            () = tokio::time::sleep(STATE_POLL), if in_trouble => web.probe_store(),
        }
    }
}

/// Warns of the separate database in which older versions kept the built-in chat.
fn warn_of_old_chat_folder(folder: &Path) {
    if folder.join("db").exists() {
        tracing::warn!(
            "the chat of an older version in {} is not read any more: its rooms start empty, and \
             the folder can be removed",
            folder.display()
        );
    }
}
