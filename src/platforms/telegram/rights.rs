//! What a chat does not let the bot do, as far as its refusals tell.

use super::Telegram;
use super::api::CallError;
use super::send::{Target, send_error};
use caravanserai_games::words::{Arg, Text};
use caravanserai_protocol::SendError;

/// Whether the chat forbids this kind of medium, but not words.
pub(super) fn media_forbidden(error: &CallError) -> bool {
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
        && KINDS.iter().any(|it| error.says(it))
}

/// The right that a refusal says is missing: the key of its name as Telegram's settings have it.
fn missing(error: &CallError) -> &'static str {
    let any = |words: &[&str]| words.iter().any(|it| error.says(it));
    if media_forbidden(error) {
        "right-pictures"
    } else if any(&["TOPIC_CLOSED"]) {
        "right-topics"
    } else if any(&["administrator rights"]) {
        "right-post"
    } else {
        "right-write"
    }
}

impl Telegram {
    /// A refusal in the words of `chat`; what was not allowed is remembered.
    pub(super) fn refusal(&self, error: CallError, target: Target) -> SendError {
        let lacking = missing(&error);
        let error = send_error(error, target);
        if error == SendError::NotAllowed {
            self.memory().lacks(target.chat, lacking);
        }
        error
    }

    /// What the chat did not allow when it last refused something.
    pub(super) fn lacked(&self, chat: i64) -> Vec<Arg> {
        let lacking = self.memory().lacking(chat);
        lacking.map(|it| Text::new(it).into()).into_iter().collect()
    }
}
