//! Discord: connected, its commands registered, its gateway listened to.

use std::sync::Arc;

use super::Parts;
use super::http::DISCORD_PATH;
use crate::config::{self, Interactions};
use crate::interactions::{Astray, compare};
use crate::menus;
use crate::supervise::Trouble;
use caravanserai_discord::{Discord, PublicKey, Settings, StartError, Texts};
use caravanserai_platform_shared::state::Reporter;

/// What is asked unless the settings name something else.
const PUBLIC: &str = "https://discord.com";

impl Parts {
    /// Serves Discord until the end. `gateway` is told how the gateway is, if commands come
    /// another way.
    ///
    /// # Errors
    /// When it cannot be reached, or refuses the token, or commands are posted elsewhere.
    pub async fn discord(
        self,
        reporter: Reporter,
        gateway: Option<Reporter>,
    ) -> Result<(), Trouble> {
        let Some(settings) = &self.config.discord else {
            self.stopped().await;
            return Ok(());
        };
        let say = |key| menus::discord::text(&self.i18n, key);
        let texts = Texts {
            missing_permissions: menus::discord::lacking(&self.i18n),
            envelope: say("answer-no-private"),
            open: say("button-show"),
            not_yours: say("refuse-not-your-answer"),
            expired: say("refuse-answer-gone"),
            private: say("answer-private-opened"),
        };
        let mut wanted = Settings::new(settings.token.reveal(), texts);
        wanted.api_url = (settings.api_url != PUBLIC).then(|| settings.api_url.clone());
        wanted.shared = self.shared(&reporter);
        wanted.gateway = gateway;
        wanted.client_secret = settings.client_secret.as_ref().map(|it| it.reveal().to_owned());
        wanted.members = settings.members;
        let discord = Discord::connect(wanted).await.map_err(trouble)?;
        if let Some(host) = discord.stand_in() {
            // It is the same at every start.
            self.stand_in.set(host).ok();
        }
        let public = self.config.public_url.is_some();
        discord.register(&menus::discord::menu(&self.i18n, public)).await.map_err(trouble)?;
        self.service.add_platform(Arc::new(discord.clone()));
        tracing::info!("discord: invite me with {}", discord.invitation());
        tracing::info!("discord: people add me for themselves with {}", discord.own_invitation());
        self.resume().await?;
        self.comes_in(&discord, settings).map_err(Trouble::Lasting)?;
        reporter.serving();
        let ended = self.clone();
        let stopped = async move { ended.stopped().await };
        discord.run(self.listener(), stopped).await.map_err(trouble)
    }

    /// Sees to it that commands and presses come to this process.
    fn comes_in(&self, discord: &Discord, settings: &config::Discord) -> Result<(), String> {
        match compare(&settings.interactions, discord.application()) {
            Ok(()) => {}
            Err(astray @ Astray::Nowhere) => tracing::warn!("{astray}"),
            Err(astray) => return Err(astray.to_string()),
        }
        if let Interactions::Http { public_key } = &settings.interactions {
            let key = PublicKey::read(public_key).map_err(|it| it.to_string())?;
            self.slots.discord.put(discord.interactions(self.listener(), DISCORD_PATH, key));
        }
        Ok(())
    }
}

fn trouble(error: StartError) -> Trouble {
    match error {
        StartError::Unreachable(_) => Trouble::Passing(error.to_string()),
        StartError::BadToken => Trouble::Lasting(format!("DISCORD_TOKEN: {error}")),
        StartError::Refused(_) => Trouble::Lasting(error.to_string()),
    }
}
