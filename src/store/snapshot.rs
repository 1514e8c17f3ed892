//! Everything that a store holds at one moment, while it goes on working.

use async_trait::async_trait;

use super::{Space, StoreError};

/// The letter under which logs stand among the letters of spaces, where all is in one order.
pub(super) const LOG_LETTER: u8 = b'l';

/// One thing that a store holds. Leases and claims are not among them: they die with time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A row of a space.
    Row {
        /// Where.
        space: Space,
        /// Under what key.
        key: String,
        /// What.
        value: Vec<u8>,
        /// From when on it may be swept away.
        until_ms: Option<u64>,
    },
    /// A line of a log.
    Line {
        /// Table code.
        table: String,
        /// Its number, from 0.
        number: u64,
        /// What it says.
        line: String,
    },
    /// Something that cannot be read any more: one sentence that names it.
    Damaged(String),
}

/// What a store held when this was asked for, piece by piece: rows by the letter of their space
/// and by key, and among them, as if their letter were `l`, the logs by table and number. All
/// stores have the same order, so that two of them can be compared.
#[async_trait]
pub trait Snapshot: Send {
    /// The next pieces, some hundred at a time; none at the end.
    async fn next(&mut self) -> Result<Vec<Piece>, StoreError>;
}

/// Pieces that are all in memory already, in order.
pub(super) struct Whole {
    pieces: std::vec::IntoIter<Piece>,
}

/// Pieces that are handed out at a time.
pub(super) const PIECES: usize = 500;

impl Whole {
    pub(super) fn new(mut pieces: Vec<Piece>) -> Self {
        pieces.sort_by(|a, b| order(a).cmp(&order(b)));
        Self { pieces: pieces.into_iter() }
    }
}

/// Where a piece stands.
fn order(piece: &Piece) -> (u8, &str, u64) {
    match piece {
        Piece::Row { space, key, .. } => (space.letter(), key, 0),
        Piece::Line { table, number, .. } => (LOG_LETTER, table, *number),
        Piece::Damaged(_) => (u8::MAX, "", 0),
    }
}

#[async_trait]
impl Snapshot for Whole {
    async fn next(&mut self) -> Result<Vec<Piece>, StoreError> {
        Ok(self.pieces.by_ref().take(PIECES).collect())
    }
}
