//! What is written: everything that belongs together, as one change.

use super::Space;

/// A change that happens wholly or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// What must be under certain keys; else the whole commit is refused. The service expects
    /// that the id of the update is absent, so that the same update never acts twice.
    pub expect: Vec<Expect>,
    /// Log lines by table, each table once.
    pub appends: Vec<Append>,
    /// Values, applied in order.
    pub puts: Vec<Put>,
    /// Tables whose whole logs are removed. What such a log must have been is said by an
    /// [`Append`] without lines.
    pub drops: Vec<String>,
    /// Topics for everybody who listens to [`super::Store::changes`], told when the commit is
    /// durable: short strings such as `place tg:-100` or `table 7k3fx 42`.
    pub topics: Vec<String>,
}

/// What must be under a key for a commit to happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expect {
    /// Where.
    pub space: Space,
    /// Under what key.
    pub key: String,
    /// Exactly these bytes, or nothing at all.
    pub value: Option<Vec<u8>>,
}

/// New lines for the log of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// Table code.
    pub table: String,
    /// How many lines the log must have; else the whole commit is refused.
    pub expect: u64,
    /// The lines, without line feeds.
    pub lines: Vec<String>,
}

/// What is stored or removed under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Put {
    /// Where.
    pub space: Space,
    /// Under what key: UTF-8 without NUL, not empty, at most 512 bytes.
    pub key: String,
    /// `None` removes it.
    pub value: Option<Vec<u8>>,
    /// From when on it is not there any more, in milliseconds of Unix time;
    /// [`super::Store::sweep`] then removes it. A later put of the same key replaces this too.
    pub expires_ms: Option<u64>,
}

impl Expect {
    /// There must be nothing under the key.
    pub fn absent(space: Space, key: impl Into<String>) -> Self {
        Self { space, key: key.into(), value: None }
    }

    /// There must be exactly these bytes under the key.
    pub fn equals(space: Space, key: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
        Self { space, key: key.into(), value: Some(value.into()) }
    }
}

impl Append {
    /// These lines after the first `expect`.
    pub fn new(table: impl Into<String>, expect: u64, lines: Vec<String>) -> Self {
        Self { table: table.into(), expect, lines }
    }
}

impl Put {
    /// This value, for ever.
    pub fn new(space: Space, key: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
        Self { space, key: key.into(), value: Some(value.into()), expires_ms: None }
    }

    /// Nothing any more.
    pub fn remove(space: Space, key: impl Into<String>) -> Self {
        Self { space, key: key.into(), value: None, expires_ms: None }
    }

    /// The same with a lifetime: from this time on it is not there any more.
    #[must_use]
    pub fn expires_at(mut self, until_ms: u64) -> Self {
        self.expires_ms = Some(until_ms);
        self
    }
}

impl Commit {
    /// Puts without a condition.
    pub fn from_puts(puts: Vec<Put>) -> Self {
        Self { puts, ..Self::default() }
    }
}
