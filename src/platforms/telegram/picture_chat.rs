//! Uploads pictures for messages sent via inline mode.
//!
//! No file can be uploaded to such a message, but it can show one that Telegram has. So a picture
//! is first posted in a chat that the operator has chosen for this, and then shown by its file id.
//! While nothing can be posted there, boards in such messages are texts.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;

use super::bot_api::{ATTACHED, BotApi, TelegramCallError};
use super::now_ms;
use super::send::{TelegramSentMessage, picture_upload, to_fields};

/// How long a chat that has refused a picture is not tried again, in milliseconds.
const REFUSED_MS: u64 = 10 * 60_000;

/// The chat in which pictures are posted.
pub(super) struct PictureChat {
    api: BotApi,
    /// Its id, or its public name with `@`.
    chat: String,
    /// When it may be tried again after a refusal, in milliseconds since 1970.
    retry_at_ms: AtomicU64,
}

impl PictureChat {
    /// Uses the chat with this id or public name.
    pub(super) fn new(api: BotApi, chat: String) -> Self {
        Self { api, chat, retry_at_ms: AtomicU64::new(0) }
    }

    /// Whether the chat has refused no picture lately.
    pub(super) fn is_ready(&self) -> bool {
        now_ms() >= self.retry_at_ms.load(Ordering::Relaxed)
    }

    /// Posts a picture without a sound; `None` if the chat takes none now.
    ///
    /// # Errors
    /// A temporary failure.
    pub(super) async fn post(
        &self,
        png: &[u8],
    ) -> Result<Option<TelegramSentMessage>, TelegramCallError> {
        if !self.is_ready() {
            return Ok(None);
        }
        let fields = to_fields([
            ("chat_id", json!(self.chat)),
            ("photo", json!(ATTACHED)),
            ("disable_notification", json!(true)),
        ]);
        let upload = Some(picture_upload(png));
        match self.api.call_method_with("sendPhoto", fields, upload).await {
            Ok(sent) => Ok(Some(sent)),
            Err(error) if error.is_transient() => Err(error),
            Err(error) => {
                tracing::warn!(chat = self.chat, %error, "failed to post in TELEGRAM_PICTURE_CHAT");
                self.retry_at_ms.store(now_ms().saturating_add(REFUSED_MS), Ordering::Relaxed);
                Ok(None)
            }
        }
    }
}
