//! The built-in group chat.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::{Parts, bind, broken};
use crate::config::Secret;
use crate::menus;
use crate::supervise::Trouble;
use caravanserai_platform_shared::state::Reporter;
use caravanserai_webchat::{self as web, Web};

/// How often it is looked whether a chat in trouble is well again.
const LOOK: Duration = Duration::from_secs(1);

/// The chat once it is open: a try that fails later does not open it again.
pub type Opened = Arc<OnceLock<Arc<Web>>>;

impl Parts {
    /// Serves the built-in chat until the end.
    ///
    /// # Errors
    /// When its port is taken.
    pub async fn web(self, reporter: Reporter, opened: Opened) -> Result<(), Trouble> {
        let Some(listen) = self.config.web else {
            self.stopped().await;
            return Ok(());
        };
        let socket = bind("WEB_LISTEN", listen).await?;
        // Port 0 lets the system choose one.
        let address = socket.local_addr().map_err(broken)?;
        let web = opened.get_or_init(|| self.open_chat()).clone();
        self.service.add_platform(web.clone());
        self.resume().await?;
        // Whether the bot is alive can be asked here as well; how it is, is nobody's business on
        // a public page.
        let router = web.router(self.listener()).merge(self.health.alive_route());
        tracing::info!("the group chat is at http://{address}");
        let teller = tokio::spawn(tell(web.clone(), reporter));
        let (closing, stop) = (web.clone(), self.stop.clone());
        let closer = tokio::spawn(async move {
            stop.wait().await;
            closing.close();
        });
        let served = web.serve_router(socket, router).await.map_err(broken);
        closer.abort();
        teller.abort();
        served
    }

    fn open_chat(&self) -> Arc<Web> {
        tell_of_old_chat(&self.config.data_dir.join("web"));
        let secret = |it: &Secret| it.reveal().to_owned();
        let page = self.config.public_url.clone().map(|url| self.page(url));
        let mut hosts = self.config.web_hosts.clone();
        hosts.extend(page.as_ref().and_then(|it| host_of(&it.url)));
        let settings = web::Settings {
            files: self.config.data_dir.join("web-files"),
            hosts,
            page,
            proxies: self.config.web_proxies.clone(),
            host_secret: self.config.web_host_secret.as_ref().map(secret),
            commands: menus::web(&self.i18n),
            limits: web::Limits::default(),
        };
        Web::open(settings, self.store.clone())
    }
}

impl Parts {
    /// What the page is to people of the platforms that are served.
    fn page(&self, url: String) -> web::Page {
        let mut frames = Vec::new();
        if self.config.telegram.is_some() {
            frames.extend(["https://web.telegram.org", "https://*.telegram.org"]);
        }
        if self.config.discord.as_ref().is_some_and(|it| it.client_secret.is_some()) {
            frames.extend(["https://discord.com", "https://*.discord.com"]);
        }
        web::Page { url, frames, stand_in: self.stand_in.clone() }
    }
}

/// The name of the host in an address.
fn host_of(url: &str) -> Option<String> {
    reqwest::Url::parse(url).ok()?.host_str().map(str::to_owned)
}

/// Says how the chat is whenever that changes: it is served once what is kept is loaded.
async fn tell(web: Arc<Web>, reporter: Reporter) {
    let mut standings = web.standings();
    loop {
        let now = standings.borrow_and_update().clone();
        let in_trouble = now.trouble.is_some();
        match now.trouble {
            Some((why, _)) => reporter.trouble(&format!("its store: {why}")),
            None if now.loaded => reporter.serving(),
            None => {}
        }
        tokio::select! {
            changed = standings.changed() => if changed.is_err() { return },
            () = tokio::time::sleep(LOOK), if in_trouble => web.look_again(),
        }
    }
}

/// Versions before this one kept the built-in chat in a base of its own.
fn tell_of_old_chat(folder: &Path) {
    if folder.join("db").exists() {
        tracing::warn!(
            "the chat of an older version in {} is not read any more: its rooms begin anew, and \
             the folder can be removed",
            folder.display()
        );
    }
}
