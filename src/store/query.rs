//! What is asked of a store, and what it answers.

use super::{Space, StoreError};

/// One question to [`super::Store::read`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreQuery {
    /// The value under a key.
    Value {
        /// Where.
        space: Space,
        /// Under what key.
        key: String,
    },
    /// Up to `limit` pairs in order of key, of the keys that start with `prefix` and are greater
    /// than `after`.
    Scan {
        /// Where.
        space: Space,
        /// What the keys start with; may be empty.
        prefix: String,
        /// The last key that is already known.
        after: Option<String>,
        /// How many pairs at most.
        limit: usize,
    },
    /// The log of a table from a line on; no lines if there is none.
    Log {
        /// Table code.
        table: String,
        /// Number of the first line, from 0.
        from: u64,
    },
    /// How many lines the log of a table has.
    Length {
        /// Table code.
        table: String,
    },
}

/// The answer to the [`StoreQuery`] in the same place of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreAnswer {
    /// To [`StoreQuery::RowValue`].
    Value(Option<Vec<u8>>),
    /// To [`StoreQuery::LogScan`].
    Rows(Vec<StoreRow>),
    /// To [`StoreQuery::Log`].
    Lines(Vec<String>),
    /// To [`StoreQuery::Length`].
    Length(u64),
}

/// A key with its value.
pub type StoreRow = (String, Vec<u8>);

impl StoreQuery {
    /// Asks for the value under a key.
    pub fn value_of(space: Space, key: impl Into<String>) -> Self {
        Self::Value { space, key: key.into() }
    }

    /// Asks for the first `limit` pairs whose keys start with `prefix`.
    pub fn scan(space: Space, prefix: impl Into<String>, limit: usize) -> Self {
        Self::Scan { space, prefix: prefix.into(), after: None, limit }
    }

    /// Asks for the log of a table from line `from` on.
    pub fn log(table: impl Into<String>, from: u64) -> Self {
        Self::Log { table: table.into(), from }
    }

    /// Asks how many lines the log of a table has.
    pub fn length(table: impl Into<String>) -> Self {
        Self::Length { table: table.into() }
    }
}

impl StoreAnswer {
    /// The value that was asked for.
    ///
    /// # Errors
    /// If something else was asked.
    pub fn value(self) -> Result<Option<Vec<u8>>, StoreError> {
        match self {
            StoreAnswer::Value(value) => Ok(value),
            StoreAnswer::Rows(_) | StoreAnswer::Lines(_) | StoreAnswer::Length(_) => {
                Err(unexpected_answer("a value"))
            }
        }
    }

    /// The pairs that were asked for.
    ///
    /// # Errors
    /// If something else was asked.
    pub fn rows(self) -> Result<Vec<StoreRow>, StoreError> {
        match self {
            StoreAnswer::Rows(rows) => Ok(rows),
            StoreAnswer::Value(_) | StoreAnswer::Lines(_) | StoreAnswer::Length(_) => {
                Err(unexpected_answer("pairs"))
            }
        }
    }

    /// The lines that were asked for.
    ///
    /// # Errors
    /// If something else was asked.
    pub fn lines(self) -> Result<Vec<String>, StoreError> {
        match self {
            StoreAnswer::Lines(lines) => Ok(lines),
            StoreAnswer::Value(_) | StoreAnswer::Rows(_) | StoreAnswer::Length(_) => {
                Err(unexpected_answer("lines"))
            }
        }
    }

    /// The length that was asked for.
    ///
    /// # Errors
    /// If something else was asked.
    pub fn length(self) -> Result<u64, StoreError> {
        match self {
            StoreAnswer::Length(length) => Ok(length),
            StoreAnswer::Value(_) | StoreAnswer::Rows(_) | StoreAnswer::Lines(_) => {
                Err(unexpected_answer("a length"))
            }
        }
    }
}

fn unexpected_answer(what: &str) -> StoreError {
    StoreError::Failed(format!("{what} was expected of a question for something else"))
}
