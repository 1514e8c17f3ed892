//! Lets people correct a mistyped text by editing their message.
//!
//! An edit counts like a new text if the bot did nothing about the message before, and if it comes
//! soon after the message. A row remembers each refused text, so a text that was accepted is never
//! read again, and of several edits at most one is accepted.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::storage::TelegramStorage;
use caravanserai_protocol::{KeyValueError, RequestStatus};

/// The part of an update with an edited message.
pub(super) const EDITED_MESSAGE: &str = "edited_message";
/// The part of an update with a new message.
const MESSAGE: &str = "message";
/// How long after it was sent a message can be corrected, in seconds.
const CORRECTION_S: i64 = 120;

/// A text that a person typed.
pub(super) struct TypedText {
    pub(super) chat: i64,
    pub(super) message: i64,
    /// The update that reports the text.
    pub(super) update: i64,
    /// The fingerprint of its words.
    pub(super) words: u64,
    is_command: bool,
}

impl TypedText {
    /// Parses an update with a new or an edited text. Ephemeral messages have no number.
    pub(super) fn parse(update: &Value) -> Option<Self> {
        let message = update.get(MESSAGE).or_else(|| update.get(EDITED_MESSAGE))?;
        let text = message["text"].as_str()?;
        let digest: [u8; 32] = Sha256::digest(text).into();
        let first = digest.first_chunk().expect("it has 32 bytes");
        Some(Self {
            chat: message["chat"]["id"].as_i64()?,
            message: message["message_id"].as_i64().filter(|it| *it > 0)?,
            update: update["update_id"].as_i64()?,
            words: u64::from_le_bytes(*first),
            is_command: text.starts_with('/'),
        })
    }
}

/// The row of a text that was refused.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum RefusedText {
    /// It had these words and may be corrected.
    Open {
        /// Their fingerprint.
        words: u64,
    },
    /// This update corrects it.
    Corrected {
        /// The number of the update.
        update: i64,
    },
}

impl RefusedText {
    /// The row after a text was refused; `None` if another text has corrected it.
    pub(super) fn after_refusal(row: Option<Self>, typed: &TypedText) -> Option<Self> {
        match row {
            Some(RefusedText::Open { .. }) => None,
            Some(RefusedText::Corrected { update }) if update != typed.update => None,
            Some(RefusedText::Corrected { .. }) | None => {
                Some(RefusedText::Open { words: typed.words })
            }
        }
    }

    /// The row after an edit; `None` if the edit does not count. Telegram also reports edits that
    /// change no words.
    pub(super) fn after_edit(row: Option<Self>, edited: &TypedText) -> Option<Self> {
        let update = edited.update;
        match row? {
            RefusedText::Open { words } if words != edited.words => {
                Some(RefusedText::Corrected { update })
            }
            RefusedText::Corrected { update: known } if known == update => {
                Some(RefusedText::Corrected { update })
            }
            RefusedText::Open { .. } | RefusedText::Corrected { .. } => None,
        }
    }
}

/// Knows which texts may be corrected.
pub(super) struct Corrections {
    storage: TelegramStorage,
}

impl Corrections {
    /// Keeps the refused texts in these rows.
    pub(super) fn new(storage: TelegramStorage) -> Self {
        Self { storage }
    }

    /// Turns an accepted edit into an update with a new message, and returns other updates
    /// unchanged; `None` if the edit is not accepted.
    ///
    /// # Errors
    /// When the store fails: the edit has to be delivered again.
    pub(super) async fn accept_edit(&self, update: &Value) -> Result<Option<Value>, KeyValueError> {
        let Some(message) = update.get(EDITED_MESSAGE) else { return Ok(Some(update.clone())) };
        let times = message["date"].as_i64().zip(message["edit_date"].as_i64());
        let is_recent =
            times.is_some_and(|(sent, edited)| edited.saturating_sub(sent) <= CORRECTION_S);
        let Some(typed) = TypedText::parse(update).filter(|_| is_recent) else { return Ok(None) };
        if !self.storage.accept_correction(&typed).await? {
            return Ok(None);
        }
        let mut update = update.clone();
        if let Some(message) = update.as_object_mut().and_then(|it| it.remove(EDITED_MESSAGE)) {
            update[MESSAGE] = message;
        }
        Ok(Some(update))
    }

    /// Lets the author correct a text about which the bot has done nothing. A command that it does
    /// not know may be a mistyped one.
    pub(super) async fn record_outcome(&self, typed: &TypedText, status: RequestStatus) {
        let is_open = match status {
            RequestStatus::Done => false,
            RequestStatus::Refused => true,
            RequestStatus::Absent => typed.is_command,
        };
        if is_open {
            self.storage.record_refused_text(typed).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(update: i64, words: u64) -> TypedText {
        TypedText { chat: 7, message: 5, update, words, is_command: true }
    }

    #[test]
    fn a_refused_text_is_corrected_once() {
        let refused = RefusedText::after_refusal(None, &typed(1, 10));
        assert_eq!(refused, Some(RefusedText::Open { words: 10 }));
        let same_words = RefusedText::after_edit(refused, &typed(2, 10));
        assert_eq!(same_words, None, "no words have changed");
        let open = || Some(RefusedText::Open { words: 10 });
        let corrected = || RefusedText::after_edit(open(), &typed(3, 11));
        assert_eq!(corrected(), Some(RefusedText::Corrected { update: 3 }));
        assert_eq!(RefusedText::after_edit(corrected(), &typed(3, 11)), corrected(), "redelivered");
        assert_eq!(RefusedText::after_edit(corrected(), &typed(4, 12)), None, "it was accepted");
        let refused_again = RefusedText::after_refusal(corrected(), &typed(3, 11));
        assert_eq!(refused_again, Some(RefusedText::Open { words: 11 }));
        assert_eq!(
            RefusedText::after_refusal(corrected(), &typed(1, 10)),
            None,
            "the first, redelivered"
        );
        assert_eq!(RefusedText::after_edit(None, &typed(3, 11)), None, "the text was accepted");
    }
}
