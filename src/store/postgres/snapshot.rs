//! Reads the whole database as of one moment, in a transaction of its own that sees no later
//! commits.

use async_trait::async_trait;
use tokio::task::JoinHandle;
use tokio_postgres::{Client, Row};

use super::connection::{DedicatedConnection, PostgresTarget, store_error, with_timeout};
use crate::snapshot::{ITEMS_PER_BATCH, Snapshot, StoredItem};
use crate::{Space, StoreError};

/// Waits for no other transaction; times out only when the reader has stopped reading.
const BEGIN: &str = "
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = '60s';
    SET LOCAL idle_in_transaction_session_timeout = '10min';
    SET LOCAL jit = off";

/// Rows, logs and rows again: the letter of logs is between those of spaces.
const PARTS: [&str; 3] = [
    "DECLARE part_0 NO SCROLL CURSOR FOR SELECT space, key, value, until_ms
        FROM caravanserai.entry WHERE space < 'l' ORDER BY space, key",
    "DECLARE part_1 NO SCROLL CURSOR FOR SELECT log, number, line
        FROM caravanserai.line ORDER BY log, number",
    "DECLARE part_2 NO SCROLL CURSOR FOR SELECT space, key, value, until_ms
        FROM caravanserai.entry WHERE space > 'l' ORDER BY space, key",
];

/// A dedicated connection with the open transaction.
pub(super) struct PostgresSnapshot {
    client: Client,
    moving: JoinHandle<Result<(), tokio_postgres::Error>>,
    part: usize,
}

impl Drop for PostgresSnapshot {
    fn drop(&mut self) {
        self.moving.abort();
    }
}

impl PostgresSnapshot {
    pub(super) async fn open(target: &PostgresTarget) -> Result<Self, StoreError> {
        let DedicatedConnection { client, connection } = target.connect().await?;
        let everything = Self { client, moving: tokio::spawn(connection), part: 0 };
        let begin = format!("{BEGIN}; {}", PARTS.join("; "));
        with_timeout(everything.client.batch_execute(&begin)).await?.map_err(store_error)?;
        Ok(everything)
    }
}

#[async_trait]
impl Snapshot for PostgresSnapshot {
    async fn next_items(&mut self) -> Result<Vec<StoredItem>, StoreError> {
        while self.part < PARTS.len() {
            let fetch = format!("FETCH {ITEMS_PER_BATCH} FROM part_{}", self.part);
            let rows = with_timeout(self.client.query(&fetch, &[])).await?.map_err(store_error)?;
            if !rows.is_empty() {
                let is_log = self.part == 1;
                return rows.iter().map(|row| to_item(row, is_log).map_err(store_error)).collect();
            }
            self.part += 1;
        }
        Ok(Vec::new())
    }
}

fn to_item(row: &Row, is_log: bool) -> Result<StoredItem, tokio_postgres::Error> {
    if is_log {
        let (table, number, line) = (row.try_get(0)?, row.try_get::<_, i64>(1)?, row.try_get(2)?);
        return Ok(StoredItem::Line { table, number: to_u64(number), line });
    }
    let (letter, key): (i8, String) = (row.try_get(0)?, row.try_get(1)?);
    let until: Option<i64> = row.try_get(3)?;
    let known = |space: &&Space| i8::try_from(space.letter()).is_ok_and(|it| it == letter);
    Ok(match Space::ALL.iter().find(known) {
        Some(space) => StoredItem::Row {
            space: *space,
            key,
            value: row.try_get(2)?,
            until_ms: until.map(to_u64),
        },
        None => {
            StoredItem::Damaged(format!("the row {key:?} is in a space that is not known here"))
        }
    })
}

fn to_u64(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
