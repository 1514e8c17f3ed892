//! Runs Telegram: connects, sets the menus, polls for updates or receives them by webhook.

use std::sync::Arc;
use std::time::Duration;

use super::ComponentDeps;
use crate::command_menus;
use crate::component_supervisor::ComponentError;
use crate::config::TelegramMode;
use caravanserai_platform_shared::health_reporter::HealthReporter;
use caravanserai_telegram::{MiniApp, TelegramError, TelegramPlatform, TelegramSettings};

/// How long a button press may wait for its decision.
const PRESS_TIMEOUT: Duration = Duration::from_secs(2);
/// Pause before setting a webhook is tried again.
const WEBHOOK_RETRY: Duration = Duration::from_secs(15);

impl ComponentDeps {
    /// Serves Telegram until shutdown.
    ///
    /// # Errors
    /// When Telegram is unreachable or refuses the token.
    pub async fn run_telegram(self, reporter: HealthReporter) -> Result<(), ComponentError> {
        let Some(settings) = &self.config.telegram else {
            self.wait_for_stop().await;
            return Ok(());
        };
        // Telegram only opens pages over https.
        let page = self.config.public_url.clone().filter(|it| it.starts_with("https://"));
        let telegram = TelegramPlatform::connect(TelegramSettings {
            token: settings.token.reveal().to_owned(),
            api_url: settings.api_url.clone(),
            press_patience: PRESS_TIMEOUT,
            texts_for: command_menus::phrasebook(&self.i18n),
            shared: self.platform_deps(&reporter),
            app: page.map(|page| MiniApp::new(page, settings.app.clone())),
            picture_chat: settings.picture_chat.clone(),
        })
        .await
        .map_err(component_error)?;
        self.service.add_platform(telegram.clone());
        let public = self.config.public_url.is_some();
        if let Err(error) =
            telegram.set_menus(&command_menus::telegram_menus(&self.i18n, public)).await
        {
            tracing::warn!(%error, "failed to set the command menus");
        }
        let texts = command_menus::telegram_profile_texts(&self.i18n);
        if let Err(error) = telegram.set_profile_texts(&texts).await {
            tracing::warn!(%error, "failed to set the descriptions of the bot");
        }
        tracing::info!("telegram: signed in as @{}", telegram.username());
        self.resume_sending().await?;
        match &settings.mode {
            TelegramMode::Polling => {
                reporter.report_serving();
                let ended = self.clone();
                let stopped = async move { ended.wait_for_stop().await };
                telegram.poll(self.handler(), stopped).await.map_err(component_error)
            }
            TelegramMode::Webhook { url, path, secret } => {
                let secret = secret.reveal();
                let routes = telegram.clone().webhook_routes(self.handler(), path, secret);
                self.router_slots.telegram.set_router(routes);
                self.run_webhook(&telegram, &reporter, url, secret).await
            }
        }
    }

    async fn run_webhook(
        &self,
        telegram: &Arc<TelegramPlatform>,
        reporter: &HealthReporter,
        url: &str,
        secret: &str,
    ) -> Result<(), ComponentError> {
        while let Err(error) = telegram.set_webhook(url, secret).await {
            reporter.report_problem(&format!("the webhook is not set: {error}"));
            if !self.stop.sleep_unless_stopping(WEBHOOK_RETRY).await {
                break;
            }
        }
        reporter.report_serving();
        self.wait_for_stop().await;
        telegram.drain().await;
        Ok(())
    }
}

fn component_error(error: TelegramError) -> ComponentError {
    match error {
        TelegramError::Unreachable(_) => ComponentError::Transient(error.to_string()),
        TelegramError::InvalidToken | TelegramError::Refused { .. } => {
            ComponentError::NeedsOperator(error.to_string())
        }
    }
}
