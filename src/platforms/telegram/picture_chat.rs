//! Uploads pictures for messages sent via inline mode.
//!
//! No file can be uploaded to such a message, but it can show one that Telegram has. So a picture
//! is first posted in a chat that the operator has chosen for this, and then shown by its file id.
//! While nothing can be posted there, boards in such messages are texts.

use std::collections::VecDeque;

use parking_lot::Mutex;
use serde_json::json;

use super::bot_api::{ATTACHED, BotApi, TelegramCallError};
use super::now_ms;
use super::send::{TelegramSentMessage, UNKNOWN_TARGET, picture_upload, send_error, to_fields};
use caravanserai_games::time_units::MINUTE_MS;
use caravanserai_protocol::SendError;

/// How long a chat that takes no messages of the bot is not tried again, in milliseconds.
const REFUSED_MS: u64 = 10 * MINUTE_MS;
/// The pictures that are posted in a minute at most: Telegram allows 20 messages.
pub(super) const PICTURES_PER_MINUTE: u32 = 18;
/// The longest wait that is reported for a game, whose next board may need no picture.
const WAIT_MAX_MS: u64 = 3_000;

/// The chat in which pictures are posted.
pub(super) struct PictureChat {
    api: BotApi,
    /// Its id, or its public name with `@`.
    chat: Mutex<String>,
    calls: Mutex<PictureCalls>,
}

/// The calls to the chat, in milliseconds since 1970.
#[derive(Default)]
struct PictureCalls {
    /// When it may be tried again after it has refused all messages.
    closed_until_ms: u64,
    /// When Telegram accepts calls again.
    limited_until_ms: u64,
    /// The pictures of the last minute.
    posted_ms: VecDeque<u64>,
}

impl PictureCalls {
    /// Counts a picture that may be posted now, or returns how long to wait, in milliseconds.
    fn take_turn(&mut self, now_ms: u64) -> Result<(), u64> {
        // The clock may have been set back.
        self.posted_ms.retain(|it| *it <= now_ms && now_ms - it < MINUTE_MS);
        let full_until_ms = match self.posted_ms.front() {
            Some(first) if self.posted_ms.len() >= PICTURES_PER_MINUTE as usize => {
                first + MINUTE_MS
            }
            Some(_) | None => 0,
        };
        let wait_ms = self.limited_until_ms.max(full_until_ms).saturating_sub(now_ms);
        if wait_ms > 0 {
            return Err(wait_ms.min(WAIT_MAX_MS));
        }
        self.posted_ms.push_back(now_ms);
        Ok(())
    }
}

impl PictureChat {
    /// Uses the chat with this id or public name.
    pub(super) fn new(api: BotApi, chat: String) -> Self {
        Self { api, chat: Mutex::new(chat), calls: Mutex::default() }
    }

    /// Whether the chat took messages of the bot when it was last tried.
    pub(super) fn is_ready(&self) -> bool {
        now_ms() >= self.calls.lock().closed_until_ms
    }

    /// Posts a picture without a sound; `None` if the chat does not take it.
    ///
    /// # Errors
    /// A temporary failure, or too many pictures: then no call is made before the given time.
    pub(super) async fn post(
        &self,
        png: &[u8],
    ) -> Result<Option<TelegramSentMessage>, TelegramCallError> {
        if !self.is_ready() {
            return Ok(None);
        }
        self.calls.lock().take_turn(now_ms()).map_err(TelegramCallError::RateLimited)?;
        let chat = self.chat.lock().clone();
        let sent = match self.post_in(&chat, png).await {
            Err(TelegramCallError::Api { migrate_to: Some(to), .. }) => {
                tracing::warn!(
                    chat,
                    to,
                    "the group of TELEGRAM_PICTURE_CHAT has become a supergroup with another id: \
                     set TELEGRAM_PICTURE_CHAT to it"
                );
                *self.chat.lock() = to.to_string();
                self.post_in(&to.to_string(), png).await
            }
            sent => sent,
        };
        match sent {
            Ok(sent) => Ok(Some(sent)),
            Err(error) => {
                tracing::warn!(chat, %error, "failed to post in TELEGRAM_PICTURE_CHAT");
                self.handle_failure(error).map(|()| None)
            }
        }
    }

    async fn post_in(
        &self,
        chat: &str,
        png: &[u8],
    ) -> Result<TelegramSentMessage, TelegramCallError> {
        let fields = to_fields([
            ("chat_id", json!(chat)),
            ("photo", json!(ATTACHED)),
            ("disable_notification", json!(true)),
        ]);
        self.api.call_method_with("sendPhoto", fields, Some(picture_upload(png))).await
    }

    /// Notes why a picture was not posted; an error if a later call may succeed.
    fn handle_failure(&self, error: TelegramCallError) -> Result<(), TelegramCallError> {
        let mut calls = self.calls.lock();
        if let Some(wait_ms) = error.rate_limit_ms() {
            calls.limited_until_ms = now_ms().saturating_add(wait_ms);
            return Err(TelegramCallError::RateLimited(wait_ms.min(WAIT_MAX_MS)));
        }
        if error.is_transient() {
            return Err(error);
        }
        let is_closed = matches!(
            send_error(error, UNKNOWN_TARGET),
            SendError::NotAllowed | SendError::ChatGone | SendError::ChatMoved(_)
        );
        if is_closed {
            calls.closed_until_ms = now_ms().saturating_add(REFUSED_MS);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_keep_to_the_limit_of_a_chat() {
        let mut calls = PictureCalls::default();
        for n in 0..u64::from(PICTURES_PER_MINUTE) {
            assert_eq!(calls.take_turn(1_000 + n), Ok(()));
        }
        assert_eq!(calls.take_turn(2_000), Err(WAIT_MAX_MS));
        assert_eq!(calls.take_turn(60_500), Err(500));
        assert_eq!(calls.take_turn(61_000), Ok(()));
        assert_eq!(calls.take_turn(61_000), Err(1), "the second picture is not yet a minute old");
        calls.limited_until_ms = 63_000;
        assert_eq!(calls.take_turn(62_000), Err(1_000));
        assert_eq!(calls.take_turn(500), Err(WAIT_MAX_MS), "the clock was set back");
    }
}
