//! Identifiers of chats, people, messages and tables.
//!
//! They are opaque texts. Only the platform reads its chats, people and messages, and only the
//! repository its tables; all other code compares and stores them.

use serde::{Deserialize, Serialize};

/// A conversation: a group, a topic or thread in it, or a private chat.
///
/// Spelled `<platform>:<chat>` or `<platform>:<chat>/<topic>`; only the platform reads the rest.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlaceId(pub String);

/// A person on one platform, spelled `<platform>:<id>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PersonId(pub String);

impl PlaceId {
    /// The part before the colon: the platform that can send there.
    pub fn platform(&self) -> &str {
        self.0.split(':').next().unwrap_or_default()
    }

    /// The chat without its topic: settings belong to the chat.
    pub fn chat(&self) -> &str {
        self.0.split('/').next().unwrap_or_default()
    }
}

impl PersonId {
    /// The part before the colon.
    pub fn platform(&self) -> &str {
        self.0.split(':').next().unwrap_or_default()
    }
}

/// Whether other people can read along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlaceKind {
    /// Several people.
    Group,
    /// One person and the bot.
    Private,
}

/// A message of a platform inside one place, in the platform's spelling.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MessageId(pub String);

/// The short code of a table, which people can type: seven characters, five for older tables.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TableId(pub String);
