//! Spaces out the archiving of finished tables. After the bot was down for a day, thousands of
//! tables may be due for it at once, and each of them is read and written as a whole: clocks and
//! reminders must not wait for that.

use super::Scheduler;
use crate::repository::stored_rows::{Deadline, DeadlineKind, remove_row};
use crate::repository::{ARCHIVE_SPACING_MS, Failure, keys};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Commit, Expect, Space, StoreRow};

/// The most tables of a page of deadlines that are archived at once.
const ARCHIVES_AT_ONCE: usize = 10;

impl Scheduler {
    /// Puts off the archiving of all but a few tables of a page of deadlines. Returns the
    /// deadlines to process now: those for archiving last.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn space_archives(
        &self,
        rows: Vec<StoreRow>,
        now_ms: u64,
    ) -> Result<Vec<StoreRow>, Failure> {
        let (rows, put_off) = spaced(rows, now_ms);
        if !put_off.puts.is_empty() {
            // After a conflict another process has done it, or the next pass does.
            let _ = self.repository.commit_rows(put_off).await?;
        }
        Ok(rows)
    }
}

/// The deadlines to process now, and the commit that puts off the others.
fn spaced(rows: Vec<StoreRow>, now_ms: u64) -> (Vec<StoreRow>, Commit) {
    let mut now = Vec::new();
    let mut archives = Vec::new();
    let mut put_off = Commit::default();
    let mut later_ms = now_ms;
    for row in rows {
        match archive_of(&row) {
            None => now.push(row),
            Some(_) if archives.len() < ARCHIVES_AT_ONCE => archives.push(row),
            Some((due, table)) => {
                later_ms += ARCHIVE_SPACING_MS;
                let (key, value) = row;
                put_off.puts.push(remove_row(Space::Due, key.clone()));
                put_off.puts.push(due.put(later_ms, &table));
                put_off.expect.push(Expect::equals(Space::Due, key, value));
            }
        }
    }
    now.extend(archives);
    (now, put_off)
}

/// The deadline in this row and its table, if it is one for archiving.
fn archive_of((key, value): &StoreRow) -> Option<(Deadline, TableId)> {
    let due: Deadline = serde_json::from_slice(value).ok()?;
    let (_, table) = keys::parse_deadline(key)?;
    (due.kind == DeadlineKind::Archive).then_some((due, table))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deadline(kind: DeadlineKind, n: usize) -> StoreRow {
        let due = Deadline { kind, ..Deadline::default() };
        let put = due.put(1_000 + n as u64, &TableId(format!("t{n:02}")));
        (put.key, put.value.unwrap())
    }

    #[test]
    fn a_clock_is_processed_before_the_tables_to_archive() {
        let mut rows: Vec<StoreRow> = (0..30).map(|n| deadline(DeadlineKind::Archive, n)).collect();
        let clock = deadline(DeadlineKind::Tick, 30);
        rows.push(clock.clone());
        let (now, put_off) = spaced(rows, 50_000);
        assert_eq!((now.len(), &now[0]), (11, &clock));
        // Each row is removed and written again, later than all that is due.
        assert_eq!((put_off.puts.len(), put_off.expect.len()), (40, 20));
        let later = put_off.puts.iter().filter(|it| it.value.is_some());
        let times: Vec<u64> = later.map(|it| keys::parse_deadline(&it.key).unwrap().0).collect();
        assert!(times.iter().all(|it| (50_001..=55_000).contains(it)), "{times:?}");
        let (few, nothing) = spaced(vec![deadline(DeadlineKind::Archive, 1)], 50_000);
        assert_eq!((few.len(), nothing.puts.len()), (1, 0));
    }
}
