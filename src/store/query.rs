//! Queries to a store and their answers.

use super::{Space, StoreError};

/// One query for [`super::Store::read`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreQuery {
    /// The value of a row.
    Value {
        /// The space of the row.
        space: Space,
        /// The key of the row.
        key: String,
    },
    /// Up to `limit` rows in key order, of the keys that start with `prefix` and are greater than
    /// `after`.
    Scan {
        /// The space of the rows.
        space: Space,
        /// The common start of the keys; may be empty.
        prefix: String,
        /// The last key that the caller already has.
        after: Option<String>,
        /// The most rows to return.
        limit: usize,
    },
    /// The log of a table from a line on; no lines if there is none.
    Log {
        /// Table code.
        table: String,
        /// Number of the first line, from 0.
        from: u64,
    },
    /// The number of lines in the log of a table.
    Length {
        /// Table code.
        table: String,
    },
}

/// The answer to the [`StoreQuery`] at the same index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreAnswer {
    /// Answers [`StoreQuery::Value`].
    Value(Option<Vec<u8>>),
    /// Answers [`StoreQuery::Scan`].
    Rows(Vec<StoreRow>),
    /// Answers [`StoreQuery::Log`].
    Lines(Vec<String>),
    /// Answers [`StoreQuery::Length`].
    Length(u64),
}

/// The key and the value of a row.
pub type StoreRow = (String, Vec<u8>);

impl StoreQuery {
    /// Queries the value of a row.
    pub fn value_of(space: Space, key: impl Into<String>) -> Self {
        Self::Value { space, key: key.into() }
    }

    /// Queries the first `limit` rows whose keys start with `prefix`.
    pub fn scan(space: Space, prefix: impl Into<String>, limit: usize) -> Self {
        Self::Scan { space, prefix: prefix.into(), after: None, limit }
    }

    /// Queries the log of a table from line `from` on.
    pub fn log(table: impl Into<String>, from: u64) -> Self {
        Self::Log { table: table.into(), from }
    }

    /// Queries the number of lines in the log of a table.
    pub fn length(table: impl Into<String>) -> Self {
        Self::Length { table: table.into() }
    }
}

impl StoreAnswer {
    /// The value, if this answers [`StoreQuery::Value`].
    ///
    /// # Errors
    /// If it answers another kind of query.
    pub fn value(self) -> Result<Option<Vec<u8>>, StoreError> {
        match self {
            StoreAnswer::Value(value) => Ok(value),
            StoreAnswer::Rows(_) | StoreAnswer::Lines(_) | StoreAnswer::Length(_) => {
                Err(unexpected_answer("a value"))
            }
        }
    }

    /// The rows, if this answers [`StoreQuery::Scan`].
    ///
    /// # Errors
    /// If it answers another kind of query.
    pub fn rows(self) -> Result<Vec<StoreRow>, StoreError> {
        match self {
            StoreAnswer::Rows(rows) => Ok(rows),
            StoreAnswer::Value(_) | StoreAnswer::Lines(_) | StoreAnswer::Length(_) => {
                Err(unexpected_answer("rows"))
            }
        }
    }

    /// The lines, if this answers [`StoreQuery::Log`].
    ///
    /// # Errors
    /// If it answers another kind of query.
    pub fn lines(self) -> Result<Vec<String>, StoreError> {
        match self {
            StoreAnswer::Lines(lines) => Ok(lines),
            StoreAnswer::Value(_) | StoreAnswer::Rows(_) | StoreAnswer::Length(_) => {
                Err(unexpected_answer("lines"))
            }
        }
    }

    /// The length, if this answers [`StoreQuery::Length`].
    ///
    /// # Errors
    /// If it answers another kind of query.
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
    StoreError::Failed(format!("expected {what}, but the query was of another kind"))
}
