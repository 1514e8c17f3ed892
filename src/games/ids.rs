//! Identifiers of chats, people, messages and tables.
//!
//! They are opaque texts. Only the platform reads its chats, people and messages, and only the
//! repository its tables; all other code compares and stores them.

use serde::{Deserialize, Serialize};

/// A chat: a group, a topic or thread in it, or a private chat.
///
/// Spelled `<platform>:<chat>` or `<platform>:<chat>/<topic>`; only the platform reads the rest.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChatId(pub String);

/// A person on one platform, spelled `<platform>:<id>`.
///
/// The person of a deleted account is [`PersonId::deleted`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct PersonId(pub String);

impl ChatId {
    /// The part before the colon: the platform that can send there.
    pub fn platform(&self) -> &str {
        self.0.split(':').next().unwrap_or_default()
    }

    /// The chat without its topic: settings belong to the chat.
    pub fn without_topic(&self) -> &str {
        self.0.split('/').next().unwrap_or_default()
    }
}

/// Whether this is the id of a chat that consists of a single message, spelled
/// `<platform>:~<message>`. Nobody comes back to it after its game, so it has no lists.
pub fn is_single_message(chat: &str) -> bool {
    chat.split_once(':').is_some_and(|(_, message)| message.starts_with('~'))
}

/// The part before the colon of ids that replace deleted accounts; no platform has this name.
const DELETED_PLATFORM: &str = "deleted";

/// The stored name of a person whose account was deleted. Texts translate it where they can.
pub const DELETED_NAME: &str = "Deleted player";

/// The beginning of the names that are shown instead of hidden ones; a code follows.
const HIDDEN_NAME_START: &str = "Player ";

/// The number of letters and digits in the code of a hidden name.
pub const HIDDEN_NAME_CODE_CHARS: usize = 4;

/// The name that is shown instead of a hidden one. Texts translate it where they can.
pub fn hidden_name(code: &str) -> String {
    format!("{HIDDEN_NAME_START}{code}")
}

/// The code in a name that is shown instead of a hidden one; `None` for other names.
pub fn hidden_name_code(name: &str) -> Option<&str> {
    let code = name.strip_prefix(HIDDEN_NAME_START)?;
    let is_code = |it: u8| it.is_ascii_digit() || (b'A'..=b'F').contains(&it);
    (code.len() == HIDDEN_NAME_CODE_CHARS && code.bytes().all(is_code)).then_some(code)
}

impl PersonId {
    /// The part before the colon.
    pub fn platform(&self) -> &str {
        self.0.split(':').next().unwrap_or_default()
    }

    /// The id that replaces a deleted account. `token` is random, so that it tells nothing about
    /// the account.
    pub fn deleted(token: &str) -> Self {
        PersonId(format!("{DELETED_PLATFORM}:{token}"))
    }

    /// Whether this id replaces a deleted account.
    pub fn is_deleted(&self) -> bool {
        self.platform() == DELETED_PLATFORM
    }
}

/// Whether other people can read along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChatKind {
    /// Several people.
    Group,
    /// One person and the bot.
    Private,
}

/// A message of a platform inside one chat, in the platform's spelling.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MessageId(pub String);

/// The short code of a table, which people can type: seven characters, five for older tables.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct TableId(pub String);
