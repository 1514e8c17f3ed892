//! Everything at one moment: a transaction of its own that sees nothing of what comes later.

use async_trait::async_trait;
use tokio::task::JoinHandle;
use tokio_postgres::{Client, Row};

use super::connect::{Connected, Target, told, within};
use crate::snapshot::{PIECES, Piece, Snapshot};
use crate::{Space, StoreError};

/// Nothing that others do is waited for; only a reader that has stopped reading is cut off.
const BEGIN: &str = "
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = '60s';
    SET LOCAL idle_in_transaction_session_timeout = '10min';
    SET LOCAL jit = off";

/// Rows, logs and rows again: logs stand in the middle of the letters.
const PARTS: [&str; 3] = [
    "DECLARE part_0 NO SCROLL CURSOR FOR SELECT space, key, value, until_ms
        FROM caravanserai.entry WHERE space < 'l' ORDER BY space, key",
    "DECLARE part_1 NO SCROLL CURSOR FOR SELECT log, number, line
        FROM caravanserai.line ORDER BY log, number",
    "DECLARE part_2 NO SCROLL CURSOR FOR SELECT space, key, value, until_ms
        FROM caravanserai.entry WHERE space > 'l' ORDER BY space, key",
];

/// A connection of its own, with the transaction.
pub(super) struct Everything {
    client: Client,
    moving: JoinHandle<Result<(), tokio_postgres::Error>>,
    part: usize,
}

impl Drop for Everything {
    fn drop(&mut self) {
        self.moving.abort();
    }
}

impl Everything {
    pub(super) async fn open(target: &Target) -> Result<Self, StoreError> {
        let Connected { client, connection } = target.connect().await?;
        let everything = Self { client, moving: tokio::spawn(connection), part: 0 };
        let begin = format!("{BEGIN}; {}", PARTS.join("; "));
        within(everything.client.batch_execute(&begin)).await?.map_err(told)?;
        Ok(everything)
    }
}

#[async_trait]
impl Snapshot for Everything {
    async fn next(&mut self) -> Result<Vec<Piece>, StoreError> {
        while self.part < PARTS.len() {
            let fetch = format!("FETCH {PIECES} FROM part_{}", self.part);
            let rows = within(self.client.query(&fetch, &[])).await?.map_err(told)?;
            if !rows.is_empty() {
                let is_log = self.part == 1;
                return rows.iter().map(|row| piece(row, is_log).map_err(told)).collect();
            }
            self.part += 1;
        }
        Ok(Vec::new())
    }
}

fn piece(row: &Row, is_log: bool) -> Result<Piece, tokio_postgres::Error> {
    if is_log {
        let (table, number, line) = (row.try_get(0)?, row.try_get::<_, i64>(1)?, row.try_get(2)?);
        return Ok(Piece::Line { table, number: unsigned(number), line });
    }
    let (letter, key): (i8, String) = (row.try_get(0)?, row.try_get(1)?);
    let until: Option<i64> = row.try_get(3)?;
    let known = |space: &&Space| i8::try_from(space.letter()).is_ok_and(|it| it == letter);
    Ok(match Space::ALL.iter().find(known) {
        Some(space) => {
            Piece::Row { space: *space, key, value: row.try_get(2)?, until_ms: until.map(unsigned) }
        }
        None => Piece::Damaged(format!("the row {key:?} is in a space that is not known here")),
    })
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
