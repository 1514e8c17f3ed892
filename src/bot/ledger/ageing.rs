//! Rows of earlier versions that would stay for ever get a lifetime: once, a page at a time.
//!
//! How far it has come stands in the store, and a page is written only if nobody else was there
//! meanwhile; so it goes on after a restart, and several processes do it once.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};

use super::consequences::due;
use super::rows::{Answered, Due, parse, put};
use super::{Failure, Ledger, keys};
use caravanserai_games::ids::{PlaceId, TableId};
use caravanserai_store::{Commit, Expect, Put, Read, Row, Space};
use caravanserai_table::fold::Table;

/// The lists that are gone through, in this order.
const LISTS: [Space; 4] = [Space::Head, Space::Board, Space::Message, Space::Seen];

/// At most so many rows are looked at together.
const PAGE: usize = 200;

/// Old tables become records one after the other, so many milliseconds apart: the deadlines of
/// people are not kept waiting.
const APART_MS: u64 = 250;

/// How far it has come.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Stand {
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

impl Ledger {
    /// Looks at the next page; whether all is done.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn age(&self) -> Result<bool, Failure> {
        let stored = self.value(Space::Meta, keys::AGED).await?;
        let mut stand: Stand = parse(stored.clone());
        let archives = stand.archives || self.limits.archive_after_ms > 0;
        if archives != stand.archives || !stand.abandons {
            let heads_only = stand.list >= LISTS.len();
            stand = Stand { archives, abandons: true, heads_only, ..Stand::default() };
        }
        let Some(&space) = LISTS.get(stand.list) else { return Ok(true) };
        let after = (!stand.after.is_empty()).then_some(stand.after.as_str());
        let rows = self.store.scan(space, "", after, PAGE).await?;
        match rows.last() {
            Some((key, _)) => stand.after.clone_from(key),
            None => {
                let list = if stand.heads_only { LISTS.len() } else { stand.list + 1 };
                stand = Stand { list, after: String::new(), ..stand };
            }
        }
        let mut puts = match space {
            Space::Head => self.deadlines(&rows).await?,
            Space::Seen => self.seen_for_a_while(&rows),
            _ => self.known_for_a_while(space, &rows).await?,
        };
        // If something changed meanwhile, on conflict, the page is looked at again.
        let is_put = |key: &str| puts.iter().any(|it| it.space == space && it.key == key);
        let same = rows.iter().filter(|(key, _)| is_put(key));
        let mut expect: Vec<_> =
            same.map(|(key, value)| Expect::equal(space, &**key, &**value)).collect();
        expect.push(Expect { space: Space::Meta, key: keys::AGED.to_owned(), value: stored });
        puts.push(put(Space::Meta, keys::AGED.to_owned(), &stand));
        let _ = self.commit(Commit { expect, puts, ..Commit::default() }).await?;
        Ok(false)
    }

    /// The deadlines at which finished tables become records and abandoned games end. Those that
    /// are overdue follow one after the other.
    async fn deadlines(&self, heads: &[Row]) -> Result<Vec<Put>, Failure> {
        let (mut puts, mut next_ms) = (Vec::new(), self.now_ms());
        for (key, _) in heads {
            let id = TableId(key.clone());
            let lines = self.lines(&id).await?;
            // Not held: what is played now is to stay in memory. What is damaged is told elsewhere.
            let folded = catch_unwind(AssertUnwindSafe(|| Table::fold(&id, &lines).ok()));
            let Some(table) = folded.ok().flatten() else { continue };
            let is_new = |due: &Due| !table.is_open() || due.version == Due::ANY;
            let all = due(&table, &self.limits).into_iter();
            for (at_ms, due) in all.filter(|(_, due)| is_new(due)) {
                next_ms += APART_MS;
                puts.push(due.put(at_ms.max(next_ms), &id));
            }
        }
        Ok(puts)
    }

    /// Answers to updates are known as long as those of today.
    fn seen_for_a_while(&self, rows: &[Row]) -> Vec<Put> {
        let known = rows.iter().map(|(key, value)| {
            let answered: Answered = parse(Some(value.clone()));
            let until_ms = answered.at_ms + self.limits.seen_ms;
            Put::new(Space::Seen, &**key, &**value).until(until_ms)
        });
        known.collect()
    }

    /// Messages of tables that ended, and where their boards stand, are known for a while.
    async fn known_for_a_while(&self, space: Space, rows: &[Row]) -> Result<Vec<Put>, Failure> {
        let open: Vec<Read> = rows.iter().map(|row| listed(space, row)).collect();
        let open = self.read(&open).await?;
        let until_ms = self.now_ms() + self.limits.messages_ms;
        let mut puts = Vec::new();
        for ((key, value), open) in rows.iter().zip(open) {
            if open.value()?.is_none() {
                puts.push(Put::new(space, &**key, &**value).until(until_ms));
            }
        }
        Ok(puts)
    }
}

/// Asks whether the table of this row is open where the row says.
fn listed(space: Space, (key, value): &Row) -> Read {
    let (first, second) = key.split_once(' ').unwrap_or((key, ""));
    let (place, table) = match space {
        Space::Board => (second.to_owned(), first.to_owned()),
        _ => (first.to_owned(), String::from_utf8_lossy(value).into_owned()),
    };
    let (place, table) = (PlaceId(place), TableId(table));
    Read::value(Space::PlaceTable, keys::place_table(&place, &table))
}
