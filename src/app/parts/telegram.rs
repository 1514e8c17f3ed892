//! Telegram: connected, its menus set, its updates asked for or pushed.

use std::sync::Arc;
use std::time::Duration;

use super::Parts;
use super::http::webhook_path;
use crate::config::TelegramMode;
use crate::menus;
use crate::supervise::Trouble;
use caravanserai_platform_shared::state::Reporter;
use caravanserai_telegram::{MiniApp, Settings, Telegram, TelegramError};

/// How long a press may wait for its decision.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a webhook that is not set yet is left alone.
const WEBHOOK_AGAIN: Duration = Duration::from_secs(15);

impl Parts {
    /// Serves Telegram until the end.
    ///
    /// # Errors
    /// When it cannot be reached or refuses the token.
    pub async fn telegram(self, reporter: Reporter) -> Result<(), Trouble> {
        let Some(settings) = &self.config.telegram else {
            self.stopped().await;
            return Ok(());
        };
        // Telegram shows only what comes over https.
        let page = self.config.public_url.clone().filter(|it| it.starts_with("https://"));
        let telegram = Telegram::connect(Settings {
            token: settings.token.reveal().to_owned(),
            api_url: settings.api_url.clone(),
            press_patience: PATIENCE,
            words: menus::phrasebook(&self.i18n),
            shared: self.shared(&reporter),
            app: page.map(|page| MiniApp::at(page, settings.app.clone())),
        })
        .await
        .map_err(trouble)?;
        self.service.add_platform(telegram.clone());
        let public = self.config.public_url.is_some();
        if let Err(error) = telegram.set_menus(&menus::telegram(&self.i18n, public)).await {
            tracing::warn!(%error, "the command menus were not set");
        }
        tracing::info!("telegram: I am @{}", telegram.username());
        self.resume().await?;
        match &settings.mode {
            TelegramMode::Polling => {
                reporter.serving();
                let ended = self.clone();
                let stopped = async move { ended.stopped().await };
                telegram.poll(self.listener(), stopped).await.map_err(trouble)
            }
            TelegramMode::Webhook { url, secret } => {
                self.pushed(&telegram, &reporter, url, secret.reveal()).await
            }
        }
    }

    async fn pushed(
        &self,
        telegram: &Arc<Telegram>,
        reporter: &Reporter,
        url: &str,
        secret: &str,
    ) -> Result<(), Trouble> {
        let path = webhook_path(&self.config)?.unwrap_or_default();
        self.slots.telegram.put(telegram.clone().webhook(self.listener(), &path, secret));
        while let Err(error) = telegram.set_webhook(url, secret).await {
            reporter.trouble(&format!("the webhook is not set: {error}"));
            if !self.stop.pause(WEBHOOK_AGAIN).await {
                break;
            }
        }
        reporter.serving();
        self.stopped().await;
        telegram.settle().await;
        Ok(())
    }
}

fn trouble(error: TelegramError) -> Trouble {
    match error {
        TelegramError::Unreachable(_) => Trouble::Passing(error.to_string()),
        TelegramError::Token | TelegramError::Refused { .. } => Trouble::Lasting(error.to_string()),
    }
}
