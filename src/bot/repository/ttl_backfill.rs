//! Rows of earlier versions that would stay for ever get a lifetime: once, a page at a time.
//!
//! How far it has come stands in the store, and a page is written only if nobody else was there
//! meanwhile; so it goes on after a restart, and several processes do it once.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};

use super::effects::deadlines_of;
use super::stored_rows::{Deadline, StoredAnswer, parse_json_or_default, put_json};
use super::{Failure, Repository, keys};
use caravanserai_games::ids::{PlaceId, TableId};
use caravanserai_store::{Commit, Expect, Put, Space, StoreQuery, StoreRow};
use caravanserai_table::state::Table;

/// The lists that are gone through, in this order.
const BACKFILLED_LISTS: [Space; 4] = [Space::Head, Space::Board, Space::Message, Space::Seen];

/// At most so many rows are looked at together.
const ROWS_PER_PAGE: usize = 200;

/// Old tables become records one after the other, so many milliseconds apart: the deadlines of
/// people are not kept waiting.
const ARCHIVE_SPACING_MS: u64 = 250;

/// How far it has come.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct BackfillProgress {
    /// How many lists are done.
    list: usize,
    /// The last row of the next one that was looked at.
    after: String,
    /// Whether tables that ended were to become records.
    archives: bool,
    /// Whether running games got the deadline at which they count as abandoned.
    abandons: bool,
    /// Whether only the list of heads is read again, because an earlier pass read all lists.
    heads_only: bool,
}

impl Repository {
    /// Looks at the next page; whether all is done.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn backfill_ttl(&self) -> Result<bool, Failure> {
        let stored = self.read_value(Space::Meta, keys::TTL_BACKFILL).await?;
        let mut stand: BackfillProgress = parse_json_or_default(stored.clone());
        let archives = stand.archives || self.limits.archive_after_ms > 0;
        if archives != stand.archives || !stand.abandons {
            let heads_only = stand.list >= BACKFILLED_LISTS.len();
            stand = BackfillProgress {
                archives,
                abandons: true,
                heads_only,
                ..BackfillProgress::default()
            };
        }
        let Some(&space) = BACKFILLED_LISTS.get(stand.list) else { return Ok(true) };
        let after = (!stand.after.is_empty()).then_some(stand.after.as_str());
        let rows = self.store.scan(space, "", after, ROWS_PER_PAGE).await?;
        match rows.last() {
            Some((key, _)) => stand.after.clone_from(key),
            None => {
                let list = if stand.heads_only { BACKFILLED_LISTS.len() } else { stand.list + 1 };
                stand = BackfillProgress { list, after: String::new(), ..stand };
            }
        }
        let mut puts = match space {
            Space::Head => self.archive_deadlines(&rows).await?,
            Space::Seen => self.limit_seen_rows(&rows),
            _ => self.limit_message_rows(space, &rows).await?,
        };
        // If something changed meanwhile, on conflict, the page is looked at again.
        let is_put = |key: &str| puts.iter().any(|it| it.space == space && it.key == key);
        let same = rows.iter().filter(|(key, _)| is_put(key));
        let mut expect: Vec<_> =
            same.map(|(key, value)| Expect::equals(space, &**key, &**value)).collect();
        expect.push(Expect {
            space: Space::Meta,
            key: keys::TTL_BACKFILL.to_owned(),
            value: stored,
        });
        puts.push(put_json(Space::Meta, keys::TTL_BACKFILL.to_owned(), &stand));
        let _ = self.commit_rows(Commit { expect, puts, ..Commit::default() }).await?;
        Ok(false)
    }

    /// The deadlines at which finished tables become records and abandoned games end. Those that
    /// are overdue follow one after the other.
    async fn archive_deadlines(&self, heads: &[StoreRow]) -> Result<Vec<Put>, Failure> {
        let (mut puts, mut next_ms) = (Vec::new(), self.now_ms());
        for (key, _) in heads {
            let id = TableId(key.clone());
            let lines = self.load_log_lines(&id).await?;
            // Not held: what is played now is to stay in memory. What is damaged is told elsewhere.
            let folded = catch_unwind(AssertUnwindSafe(|| Table::from_log(&id, &lines).ok()));
            let Some(table) = folded.ok().flatten() else { continue };
            let is_new = |due: &Deadline| !table.is_open() || due.version == Deadline::ANY_VERSION;
            let all = deadlines_of(&table, &self.limits).into_iter();
            for (at_ms, due) in all.filter(|(_, due)| is_new(due)) {
                next_ms += ARCHIVE_SPACING_MS;
                puts.push(due.put(at_ms.max(next_ms), &id));
            }
        }
        Ok(puts)
    }

    /// Answers to updates are known as long as those of today.
    fn limit_seen_rows(&self, rows: &[StoreRow]) -> Vec<Put> {
        let known = rows.iter().map(|(key, value)| {
            let answered: StoredAnswer = parse_json_or_default(Some(value.clone()));
            let until_ms = answered.at_ms + self.limits.seen_ttl_ms;
            Put::new(Space::Seen, &**key, &**value).expires_at(until_ms)
        });
        known.collect()
    }

    /// Messages of tables that ended, and where their boards stand, are known for a while.
    async fn limit_message_rows(
        &self,
        space: Space,
        rows: &[StoreRow],
    ) -> Result<Vec<Put>, Failure> {
        let open: Vec<StoreQuery> = rows.iter().map(|row| open_table_read(space, row)).collect();
        let open = self.read_many(&open).await?;
        let until_ms = self.now_ms() + self.limits.message_ttl_ms;
        let mut puts = Vec::new();
        for ((key, value), open) in rows.iter().zip(open) {
            if open.value()?.is_none() {
                puts.push(Put::new(space, &**key, &**value).expires_at(until_ms));
            }
        }
        Ok(puts)
    }
}

/// Asks whether the table of this row is open where the row says.
fn open_table_read(space: Space, (key, value): &StoreRow) -> StoreQuery {
    let (first, second) = key.split_once(' ').unwrap_or((key, ""));
    let (place, table) = match space {
        Space::Board => (second.to_owned(), first.to_owned()),
        _ => (first.to_owned(), String::from_utf8_lossy(value).into_owned()),
    };
    let (place, table) = (PlaceId(place), TableId(table));
    StoreQuery::value_of(Space::PlaceTable, keys::place_table(&place, &table))
}
