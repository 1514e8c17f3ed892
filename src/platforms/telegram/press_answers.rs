//! Answers button presses: the button spins until its press is answered.

use std::time::Duration;

use teloxide::payloads::{AnswerCallbackQuery, AnswerCallbackQuerySetters};
use teloxide::types::CallbackQueryId;

use super::bot_api::{BotApi, TelegramCallError};
use super::markup::{CALLBACK_TEXT_MAX, truncate_utf16, utf16_len};
use caravanserai_platform_shared::backoff::Backoff;

/// Longer notes, in UTF-16 units, become alerts that the person closes: a toast disappears too fast
/// to read.
const TOAST_MAX: usize = 60;
/// How often an answer to a press is sent until the server accepts it.
const CALLBACK_ANSWER_TRIES: u32 = 4;
/// The longest pause before the second try.
const CALLBACK_ANSWER_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause between tries: Telegram accepts an answer for about 15 seconds.
const CALLBACK_ANSWER_PAUSE_MAX: Duration = Duration::from_secs(4);

/// Answers presses.
#[derive(Clone)]
pub(super) struct PressAnswers {
    api: BotApi,
}

impl PressAnswers {
    /// Answers through this server.
    pub(super) fn new(api: BotApi) -> Self {
        Self { api }
    }

    /// Answers a press: empty, with a toast, or with an alert for longer texts. Returns whether the
    /// server accepted it.
    pub(super) async fn answer(&self, query: &str, note: &str, alert: bool) -> bool {
        self.answer_with_retries(query, note, alert || utf16_len(note) > TOAST_MAX).await
    }

    /// Answers a press with a toast even if the text is long: the board says the same.
    pub(super) async fn answer_with_toast(&self, query: &str, note: &str) -> bool {
        self.answer_with_retries(query, note, false).await
    }

    /// Answers a press and retries lost answers: the button spins until one arrives, and a second
    /// answer does no harm.
    async fn answer_with_retries(&self, query: &str, note: &str, alert: bool) -> bool {
        let mut call = AnswerCallbackQuery::new(CallbackQueryId(query.to_owned()));
        if !note.is_empty() {
            call = call.text(truncate_utf16(note, CALLBACK_TEXT_MAX)).show_alert(alert);
        }
        let mut pauses = Backoff::new(CALLBACK_ANSWER_PAUSE, CALLBACK_ANSWER_PAUSE_MAX);
        for tries_left in (0..CALLBACK_ANSWER_TRIES).rev() {
            let Err(error) = self.api.call::<bool>(&call).await else { return true };
            let pause = match &error {
                TelegramCallError::Api { retry_after: Some(secs), .. } => {
                    Duration::from_secs(*secs)
                }
                _ => pauses.next_pause(),
            };
            if tries_left == 0 || !error.is_transient() || pause > CALLBACK_ANSWER_PAUSE_MAX {
                tracing::debug!(%error, "failed to answer a press");
                break;
            }
            tokio::time::sleep(pause).await;
        }
        false
    }
}
