//! Runs Discord: connects, registers the commands, listens to the gateway.

use std::sync::Arc;

use super::ComponentDeps;
use super::http::DISCORD_PATH;
use crate::command_menus;
use crate::component_supervisor::ComponentError;
use crate::config::{self, DiscordInteractions};
use crate::interaction_check::{InteractionMismatch, check_interactions};
use caravanserai_discord::{
    DiscordPlatform, DiscordSettings, DiscordStartError, DiscordTexts, PublicKey,
};
use caravanserai_platform_shared::health_reporter::HealthReporter;

/// The API server unless the settings name another.
const PUBLIC_API_URL: &str = "https://discord.com";

impl ComponentDeps {
    /// Serves Discord until shutdown. `gateway` receives the gateway's state when interactions are
    /// posted.
    ///
    /// # Errors
    /// When Discord is unreachable or refuses the token, or interactions go elsewhere.
    pub async fn run_discord(
        self,
        reporter: HealthReporter,
        gateway: Option<HealthReporter>,
    ) -> Result<(), ComponentError> {
        let Some(settings) = &self.config.discord else {
            self.wait_for_stop().await;
            return Ok(());
        };
        let say = |key| command_menus::discord::localized_text(&self.i18n, key);
        let texts = DiscordTexts {
            missing_permissions: command_menus::discord::missing_rights_text(&self.i18n),
            external_apps: say("refuse-external-apps"),
            thread_locked: say("refuse-thread-locked"),
            unreadable_reply: say("refuse-reply-unreadable"),
            envelope: say("answer-no-private"),
            open: say("button-show"),
            not_yours: say("refuse-not-your-answer"),
            expired: say("refuse-answer-gone"),
            trouble: say("refuse-trouble"),
            private: say("answer-private-opened"),
        };
        let mut wanted = DiscordSettings::new(settings.token.reveal(), texts);
        wanted.api_url = (settings.api_url != PUBLIC_API_URL).then(|| settings.api_url.clone());
        wanted.shared = self.platform_deps(&reporter);
        wanted.gateway = gateway;
        wanted.client_secret = settings.client_secret.as_ref().map(|it| it.reveal().to_owned());
        wanted.members = settings.members;
        let discord = DiscordPlatform::connect(wanted).await.map_err(component_error)?;
        if let Some(host) = discord.activity_host() {
            // It is the same after every reconnect.
            self.discord_proxy_host.set(host).ok();
        }
        let public = self.config.public_url.is_some();
        discord
            .register_commands(&command_menus::discord::discord_menu(&self.i18n, public))
            .await
            .map_err(component_error)?;
        self.service.add_platform(Arc::new(discord.clone()));
        tracing::info!(
            url = discord.server_invite_url(),
            "discord: link to add the bot to a server"
        );
        match discord.application().has_user_install {
            true => tracing::info!(
                url = discord.user_install_url(),
                "discord: link to add the bot to an account"
            ),
            false => tracing::info!(
                "discord: people cannot add the bot to their accounts: User Install is off in the \
                 developer portal, under Installation"
            ),
        }
        self.resume_sending().await?;
        self.check_interaction_route(&discord, settings).map_err(ComponentError::NeedsOperator)?;
        reporter.report_serving();
        let ended = self.clone();
        let stopped = async move { ended.wait_for_stop().await };
        discord.run(self.handler(), stopped).await.map_err(component_error)
    }

    /// Checks that commands and presses come to this process.
    fn check_interaction_route(
        &self,
        discord: &DiscordPlatform,
        settings: &config::DiscordConfig,
    ) -> Result<(), String> {
        match check_interactions(&settings.interactions, discord.application()) {
            Ok(()) => {}
            Err(astray @ InteractionMismatch::NotPosted) => tracing::warn!("{astray}"),
            Err(astray) => return Err(astray.to_string()),
        }
        if let DiscordInteractions::Http { public_key } = &settings.interactions {
            let key = PublicKey::parse(public_key).map_err(|it| it.to_string())?;
            self.router_slots.discord.set_router(discord.interaction_routes(
                self.handler(),
                DISCORD_PATH,
                key,
            ));
        }
        Ok(())
    }
}

fn component_error(error: DiscordStartError) -> ComponentError {
    match error {
        DiscordStartError::Unreachable(_) => ComponentError::Transient(error.to_string()),
        DiscordStartError::BadToken => {
            ComponentError::NeedsOperator(format!("DISCORD_TOKEN: {error}"))
        }
        DiscordStartError::Refused(_) => ComponentError::NeedsOperator(error.to_string()),
    }
}
