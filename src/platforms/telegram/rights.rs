//! Finds out which rights the bot lacks in a chat, from the refusals of Telegram.

use super::bot_api::TelegramCallError;
use super::send::{MessageSender, TOPIC_CLOSED, TelegramTarget, send_error};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::SendError;

/// Whether the chat forbids this kind of medium, but not text.
pub(super) fn is_media_forbidden(error: &TelegramCallError) -> bool {
    const KINDS: [&str; 9] = [
        "not enough rights to send photos",
        "not enough rights to send media",
        "not enough rights to send documents",
        "not enough rights to send files",
        "not enough rights to send animations",
        "CHAT_SEND_PHOTOS_FORBIDDEN",
        "CHAT_SEND_MEDIA_FORBIDDEN",
        "CHAT_SEND_DOCS_FORBIDDEN",
        "CHAT_SEND_GIFS_FORBIDDEN",
    ];
    error.code().is_some_and(|code| code == 400 || code == 403)
        && KINDS.iter().any(|it| error.description_contains(it))
}

/// Returns the text key of the right that a refusal shows to be missing, named as in Telegram's
/// settings.
fn missing_right(error: &TelegramCallError) -> &'static str {
    let any = |words: &[&str]| words.iter().any(|it| error.description_contains(it));
    if is_media_forbidden(error) {
        "right-pictures"
    } else if any(&[TOPIC_CLOSED]) {
        "right-topics"
    } else if any(&["administrator rights"]) {
        "right-post"
    } else {
        "right-write"
    }
}

impl MessageSender {
    /// Converts a refusal into a [`SendError`] and remembers the missing right.
    pub(super) fn chat_send_error(
        &self,
        error: TelegramCallError,
        target: TelegramTarget,
    ) -> SendError {
        let lacking = missing_right(&error);
        let error = send_error(error, target);
        if error == SendError::NotAllowed {
            self.chats.lock().set_missing_right(target.chat, lacking);
        }
        error
    }

    /// Returns the rights that the bot lacked when the chat last refused a call.
    pub(super) fn missing_rights(&self, chat: i64) -> Vec<Arg> {
        let lacking = self.chats.lock().missing_right(chat);
        lacking.map(|it| Text::new(it).into()).into_iter().collect()
    }
}
