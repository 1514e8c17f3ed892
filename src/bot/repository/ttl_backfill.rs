//! One-off backfill: adds a TTL to rows written by earlier versions, page by page.
//!
//! The progress is stored, and a page is written only if no other process has written it
//! concurrently. So the backfill continues after a restart, and several processes do it once.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};

use super::effects::deadlines_of;
use super::stored_rows::{Deadline, StoredAnswer, parse_json_or_default, put_json};
use super::{Failure, Repository, keys};
use caravanserai_games::ids::{ChatId, TableId};
use caravanserai_store::{Commit, Expect, Put, Space, StoreQuery, StoreRow};
use caravanserai_table::state::Table;

/// The lists to process, in this order, with the prefixes of their keys.
const BACKFILLED_LISTS: [(Space, &str); 5] = [
    (Space::Head, ""),
    (Space::Board, ""),
    (Space::Message, ""),
    (Space::Seen, ""),
    (Space::Meta, keys::LAST_TABLE_PREFIX),
];

/// The number of lists that were processed before last tables expired.
const LISTS_BEFORE_LAST_TABLES: usize = 4;

/// The most rows that are read at once.
const ROWS_PER_PAGE: usize = 200;

/// The interval at which many tables are archived one after the other, in milliseconds, so that
/// people's deadlines are not delayed.
pub(crate) const ARCHIVE_SPACING_MS: u64 = 250;

/// The progress of the backfill.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct BackfillProgress {
    /// The number of finished lists.
    list: usize,
    /// The last processed row of the next list.
    after: String,
    /// Whether archiving of ended tables was enabled.
    archives: bool,
    /// Whether running games got the deadline at which they count as abandoned.
    abandons: bool,
    /// Whether the list of heads is read again, and after it no other list that an earlier pass
    /// has read.
    heads_only: bool,
    /// The list that follows the heads then; earlier versions had no later ones.
    after_heads: usize,
}

/// The key of the row up to which the backfill with this stored progress has come.
pub(crate) fn stored_position(progress: &[u8]) -> String {
    serde_json::from_slice::<BackfillProgress>(progress).unwrap_or_default().after
}

/// Adds a TTL to rows of earlier versions.
#[derive(Clone, Copy)]
pub struct TtlBackfill<'a> {
    repository: &'a Repository,
}

impl Repository {
    /// Adds a TTL to rows of earlier versions.
    pub fn ttl_backfill(&self) -> TtlBackfill<'_> {
        TtlBackfill { repository: self }
    }
}

impl TtlBackfill<'_> {
    /// Processes the next page. Returns whether the backfill is complete.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn process_next_page(&self) -> Result<bool, Failure> {
        let stored = self.repository.read_value(Space::Meta, keys::TTL_BACKFILL).await?;
        let mut progress: BackfillProgress = parse_json_or_default(stored.clone());
        let archives = progress.archives || self.repository.limits.archive_after_ms > 0;
        if archives != progress.archives || !progress.abandons {
            let heads_only = progress.list >= LISTS_BEFORE_LAST_TABLES;
            progress = BackfillProgress {
                archives,
                abandons: true,
                heads_only,
                after_heads: progress.list,
                ..BackfillProgress::default()
            };
        }
        let Some(&(space, prefix)) = BACKFILLED_LISTS.get(progress.list) else { return Ok(true) };
        let after = (!progress.after.is_empty()).then_some(progress.after.as_str());
        let rows = self.repository.store.scan(space, prefix, after, ROWS_PER_PAGE).await?;
        match rows.last() {
            Some((key, _)) => progress.after.clone_from(key),
            None => {
                let list = match progress.list {
                    0 if progress.heads_only => progress.after_heads.max(LISTS_BEFORE_LAST_TABLES),
                    list => list + 1,
                };
                progress = BackfillProgress { list, after: String::new(), ..progress };
            }
        }
        let mut puts = match space {
            Space::Head => self.archive_deadlines(&rows).await?,
            Space::Seen => self.limit_seen_rows(&rows),
            Space::Meta => self.limit_last_tables(&rows),
            _ => self.limit_message_rows(space, &rows).await?,
        };
        // On conflict a row has changed concurrently; the page is processed again.
        let is_put = |key: &str| puts.iter().any(|it| it.space == space && it.key == key);
        // The stored position names no row that was removed meanwhile.
        let is_position = |key: &str| *key == progress.after;
        let unchanged_rows = rows.iter().filter(|(key, _)| is_put(key) || is_position(key));
        let mut expect: Vec<_> =
            unchanged_rows.map(|(key, value)| Expect::equals(space, &**key, &**value)).collect();
        expect.push(Expect {
            space: Space::Meta,
            key: keys::TTL_BACKFILL.to_owned(),
            value: stored,
        });
        puts.push(put_json(Space::Meta, keys::TTL_BACKFILL.to_owned(), &progress));
        let _ = self.repository.commit_rows(Commit { expect, puts, ..Commit::default() }).await?;
        Ok(false)
    }

    /// The deadlines at which finished tables are archived and abandoned games end. Overdue ones
    /// follow one after the other.
    async fn archive_deadlines(&self, heads: &[StoreRow]) -> Result<Vec<Put>, Failure> {
        let now_ms = self.repository.now_ms();
        let mut puts = Vec::new();
        let mut next_ms = now_ms;
        for (key, _) in heads {
            let id = TableId(key.clone());
            // The tables are not locked, because the cache is for tables in play. Damaged tables
            // are reported elsewhere.
            let Some(lines) = self.repository.load_readable_log(&id).await? else { continue };
            let rebuilt = catch_unwind(AssertUnwindSafe(|| Table::from_log(&id, &lines).ok()));
            let Some(table) = rebuilt.ok().flatten() else { continue };
            let is_new = |due: &Deadline| !table.is_open() || due.is_abandonment_check();
            let all = deadlines_of(&table, &self.repository.limits, now_ms).into_iter();
            for (at_ms, due) in all.filter(|(_, due)| is_new(due)) {
                next_ms += ARCHIVE_SPACING_MS;
                puts.push(due.put(at_ms.max(next_ms), &id));
            }
        }
        Ok(puts)
    }

    /// Limits stored replies to updates to the TTL of new ones.
    fn limit_seen_rows(&self, rows: &[StoreRow]) -> Vec<Put> {
        let known = rows.iter().map(|(key, value)| {
            let stored_answer: StoredAnswer = parse_json_or_default(Some(value.clone()));
            let until_ms = stored_answer.at_ms + self.repository.limits.seen_ttl_ms;
            Put::new(Space::Seen, &**key, &**value).expires_at(until_ms)
        });
        known.collect()
    }

    /// Limits the rows of last tables.
    fn limit_last_tables(&self, rows: &[StoreRow]) -> Vec<Put> {
        let until_ms = self.repository.now_ms() + self.repository.limits.last_table_ttl_ms;
        let known = rows.iter().filter(|(key, _)| !key.starts_with(keys::LAST_BACKUP_PREFIX));
        let row =
            |(key, value): &StoreRow| Put::new(Space::Meta, &**key, &**value).expires_at(until_ms);
        known.map(row).collect()
    }

    /// Limits messages of tables that ended, and the states of their boards.
    async fn limit_message_rows(
        &self,
        space: Space,
        rows: &[StoreRow],
    ) -> Result<Vec<Put>, Failure> {
        let open: Vec<StoreQuery> = rows.iter().map(|row| open_table_read(space, row)).collect();
        let open = self.repository.read_many(&open).await?;
        let until_ms = self.repository.now_ms() + self.repository.limits.message_ttl_ms;
        let mut puts = Vec::new();
        for ((key, value), open) in rows.iter().zip(open) {
            if open.value()?.is_none() {
                puts.push(Put::new(space, &**key, &**value).expires_at(until_ms));
            }
        }
        Ok(puts)
    }
}

/// The query whether the table of this row is open in the chat of the row.
fn open_table_read(space: Space, (key, value): &StoreRow) -> StoreQuery {
    let (first, second) = key.split_once(' ').unwrap_or((key, ""));
    let (chat, table) = match space {
        Space::Board => (second.to_owned(), first.to_owned()),
        _ => (first.to_owned(), String::from_utf8_lossy(value).into_owned()),
    };
    let chat = ChatId(chat);
    let table = TableId(table);
    StoreQuery::value_of(Space::ChatTable, keys::chat_table(&chat, &table))
}
