//! Discord: connected, its commands registered, its gateway listened to.

use std::sync::Arc;

use super::Parts;
use crate::host::menus;
use crate::host::supervise::Trouble;
use crate::platform::discord::{Discord, Settings, StartError, Texts};
use crate::platform::shared::state::Reporter;

/// What is asked unless the settings name something else.
const PUBLIC: &str = "https://discord.com";

impl Parts {
    /// Serves Discord until the end.
    ///
    /// # Errors
    /// When it cannot be reached or refuses the token.
    pub async fn discord(self, reporter: Reporter) -> Result<(), Trouble> {
        let Some(settings) = &self.config.discord else {
            self.stopped().await;
            return Ok(());
        };
        let say = |key| menus::discord::text(&self.i18n, key);
        let texts = Texts {
            missing_permissions: say("answer-cannot-write"),
            envelope: say("answer-no-private"),
            open: say("button-show"),
            not_yours: say("refuse-not-your-answer"),
            expired: say("refuse-answer-gone"),
        };
        let mut wanted = Settings::new(settings.token.reveal(), texts);
        wanted.api_url = (settings.api_url != PUBLIC).then(|| settings.api_url.clone());
        wanted.shared = self.shared(&reporter);
        let discord = Discord::connect(wanted).await.map_err(trouble)?;
        discord.register(&menus::discord::menu(&self.i18n)).await.map_err(trouble)?;
        self.service.add_platform(Arc::new(discord.clone()));
        tracing::info!("discord: invite me with {}", discord.invitation());
        self.resume().await?;
        reporter.serving();
        let ended = self.clone();
        let stopped = async move { ended.stopped().await };
        discord.run(self.listener(), stopped).await.map_err(trouble)
    }
}

fn trouble(error: StartError) -> Trouble {
    match error {
        StartError::Unreachable(_) => Trouble::Passing(error.to_string()),
        StartError::BadToken => Trouble::Lasting(format!("DISCORD_TOKEN: {error}")),
        StartError::Refused(_) => Trouble::Lasting(error.to_string()),
    }
}
