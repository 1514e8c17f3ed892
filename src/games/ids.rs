//! Names of what everything else speaks of: conversations, people, messages, tables.
//!
//! They are texts that only one party reads: the platform its places, people and messages, the
//! ledger its tables. Everybody else only compares and keeps them.

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
    /// The part before the colon: which platform can speak there.
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

/// Whether others read along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlaceKind {
    /// Several people.
    Group,
    /// One person and the bot.
    Private,
}

/// A message of a platform inside one place, as the platform spells it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MessageId(pub String);

/// The short code of a table, which people can type: seven characters, of older tables five.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub String);
