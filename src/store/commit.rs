//! The unit of writing: changes to logs and rows that are applied as one.

use super::Space;

/// A change that is applied completely or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// Preconditions on rows; if one fails, the whole commit is refused with a conflict. The
    /// service expects the id of the update to be absent, so that the same update never acts twice.
    pub expect: Vec<Expect>,
    /// New log lines by table, each table once.
    pub appends: Vec<Append>,
    /// Rows to store or remove, applied in order.
    pub puts: Vec<Put>,
    /// Tables whose whole logs are removed. An [`Append`] without lines sets the expected length of
    /// such a log.
    pub drops: Vec<String>,
    /// Logs whose lines are all replaced, each table once and neither in `appends` nor in `drops`.
    pub rewrites: Vec<Rewrite>,
    /// Topics published to the subscribers of [`super::Store::subscribe_changes`] when the commit
    /// is durable: short strings such as `chat tg:-100` or `table 7k3fx 42`.
    pub topics: Vec<String>,
}

/// A precondition of a commit on one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expect {
    /// The space of the row.
    pub space: Space,
    /// The key of the row.
    pub key: String,
    /// Exactly these bytes; `None` means that the row must be absent.
    pub value: Option<Vec<u8>>,
}

/// New lines for the log of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// Table code.
    pub table: String,
    /// The length that the log must have; otherwise the whole commit is refused with a conflict.
    pub expect: u64,
    /// The lines, without line feeds.
    pub lines: Vec<String>,
}

/// Other contents for the lines of one log, for example the same lines encrypted with another key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// Table code.
    pub table: String,
    /// All lines, without line feeds. The log must have exactly as many lines before; otherwise the
    /// whole commit is refused with a conflict.
    pub lines: Vec<String>,
}

/// One row to store or remove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Put {
    /// The space of the row.
    pub space: Space,
    /// The key: UTF-8 without NUL, not empty, at most 512 bytes.
    pub key: String,
    /// The value to store; `None` removes the row.
    pub value: Option<Vec<u8>>,
    /// When the row expires, in milliseconds of Unix time; `None` means never. An expired row
    /// counts as absent, and [`super::Store::remove_expired`] removes it. A later put of the same
    /// key replaces the expiry, too.
    pub expires_ms: Option<u64>,
}

impl Expect {
    /// Expects no row under the key.
    pub fn absent(space: Space, key: impl Into<String>) -> Self {
        Self { space, key: key.into(), value: None }
    }

    /// Expects exactly these bytes under the key.
    pub fn equals(space: Space, key: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
        Self { space, key: key.into(), value: Some(value.into()) }
    }
}

impl Append {
    /// Appends `lines` to a log that has `expect` lines.
    pub fn new(table: impl Into<String>, expect: u64, lines: Vec<String>) -> Self {
        Self { table: table.into(), expect, lines }
    }
}

impl Put {
    /// Stores a value without an expiry.
    pub fn new(space: Space, key: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
        Self { space, key: key.into(), value: Some(value.into()), expires_ms: None }
    }

    /// Removes a row.
    pub fn remove(space: Space, key: impl Into<String>) -> Self {
        Self { space, key: key.into(), value: None, expires_ms: None }
    }

    /// The same put with an expiry in milliseconds of Unix time.
    #[must_use]
    pub fn expires_at(mut self, until_ms: u64) -> Self {
        self.expires_ms = Some(until_ms);
        self
    }
}

impl Commit {
    /// A commit of puts without preconditions.
    pub fn from_puts(puts: Vec<Put>) -> Self {
        Self { puts, ..Self::default() }
    }
}
