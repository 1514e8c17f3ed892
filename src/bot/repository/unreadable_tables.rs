//! Keeps the deadlines and messages of a table whose log cannot be read.
//!
//! A newer program may have written the log, or an operator may repair it, and then the table goes
//! on. So its deadlines are deferred repeatedly, and its messages wait for a day. Both are reported
//! once, and so is a finished game whose play cannot be judged.

use std::collections::{HashMap, HashSet};

use parking_lot::Mutex;

use super::outbox_key::OutboxKey;
use super::quarantine::{QuarantineInput, QuarantineMark, catch_panic};
use super::stored_rows::{Deadline, DeadlineKind, parse_json_or_default, remove_row};
use super::{CommitOutcome, DAY_MS, Failure, MINUTE_MS, Repository, keys};
use caravanserai_games::ids::{ChatId, TableId};
use caravanserai_store::{Append, Commit, Put, Space, Store, StoreError, StoreQuery, StoreRow};

/// The time until the next attempt to read such a log for a deadline or a message, in milliseconds.
const UNREADABLE_RETRY_MS: u64 = 10 * MINUTE_MS;

/// How long messages of such a table wait, in milliseconds.
const UNREADABLE_MESSAGE_TTL_MS: u64 = DAY_MS;

/// How long a mark can be the reason why a message waits, in milliseconds: a message is removed by
/// the first attempt after its time.
const UNREADABLE_MARK_MS: u64 = UNREADABLE_MESSAGE_TTL_MS + 6 * UNREADABLE_RETRY_MS;

/// The most marks that are read.
const MARKS_MAX: usize = 10_000;

/// The tables whose messages wait because their logs could not be read, each with the time of the
/// next attempt, in milliseconds of the monotonic clock.
#[derive(Default)]
pub(super) struct UnreadableTables(Mutex<HashMap<TableId, u64>>);

impl UnreadableTables {
    fn add(&self, table: &TableId, now_ms: u64) {
        let mut tables = self.0.lock();
        tables.retain(|_, retry_ms| *retry_ms > now_ms);
        tables.insert(table.clone(), now_ms + UNREADABLE_RETRY_MS);
    }

    /// Removes a table whose log was read.
    pub(super) fn remove(&self, table: &TableId) {
        let mut tables = self.0.lock();
        if !tables.is_empty() {
            tables.remove(table);
        }
    }

    fn waits(&self, table: &TableId, now_ms: u64) -> bool {
        self.0.lock().get(table).is_some_and(|retry_ms| *retry_ms > now_ms)
    }
}

/// The tables whose messages wait on purpose, because their logs could not be read: those with a
/// marked message among the rows that wait.
///
/// # Errors
/// When the store cannot be read.
pub async fn find_unreadable_tables(
    store: &dyn Store,
    waiting: &[StoreRow],
    now_ms: u64,
) -> Result<HashSet<TableId>, StoreError> {
    let prefix = keys::quarantined(Space::Outbox, "");
    let waiting: HashSet<&str> = waiting.iter().map(|(key, _)| key.as_str()).collect();
    let mut tables = HashSet::new();
    for (mark, value) in store.scan(Space::Meta, &prefix, None, MARKS_MAX).await? {
        let key = mark.strip_prefix(&prefix).filter(|it| waiting.contains(it));
        let QuarantineMark { at_ms, .. } = parse_json_or_default(Some(value));
        if let Some(key) = key
            && now_ms < at_ms.saturating_add(UNREADABLE_MARK_MS)
        {
            tables.extend(OutboxKey::table_of(key));
        }
    }
    Ok(tables)
}

impl Repository {
    /// Whether the log of a table cannot be read.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn is_table_unreadable(&self, table: &TableId) -> Result<bool, Failure> {
        match catch_panic(self.load_table(table)).await {
            Some(Err(Failure::Damaged(..))) => Ok(true),
            Some(Err(failure)) => Err(failure),
            // A panic is a bug of the code: its input is quarantined.
            Some(Ok(_)) | None => Ok(false),
        }
    }

    /// Whether messages of a table are not tried yet, because its log could not be read a moment
    /// ago.
    pub fn waits_for_log(&self, table: &TableId) -> bool {
        self.unreadable_tables.waits(table, self.time_source.monotonic_ms())
    }

    /// Puts a deadline off whose table cannot be read.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn defer_deadline(
        &self,
        key: &str,
        table: &TableId,
        due: Deadline,
        why: &str,
    ) -> Result<(), Failure> {
        let mut puts = match due.was_unreadable {
            true => Vec::new(),
            false => {
                let input = QuarantineInput::Deadline(key.to_owned(), Some(table.clone()));
                self.report_quarantined(&input, why)
            }
        };
        let later = Deadline { was_unreadable: true, ..due };
        puts.push(remove_row(Space::Due, key.to_owned()));
        puts.push(later.put(self.now_ms() + UNREADABLE_RETRY_MS, table));
        self.put_all(puts).await
    }

    /// The only deadline of a table whose log cannot be read. Once it can be read, all others are
    /// stored again.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn unreadable_table_deadline(&self, table: &TableId) -> Result<Put, Failure> {
        // Each line of a log is a version of the table.
        let version = self.store.log_length(&table.0).await?;
        let kind = DeadlineKind::Tick;
        let due = Deadline { version, kind, was_unreadable: true, ..Deadline::default() };
        Ok(due.put(self.now_ms() + UNREADABLE_RETRY_MS, table))
    }

    /// Quarantines a row of the list of deadlines that cannot be read, and stores these deadlines
    /// of its table in the same commit, unless the table has changed.
    ///
    /// # Errors
    /// When the store fails. The row is kept then.
    pub async fn replace_damaged_deadline(
        &self,
        key: &str,
        restored: Vec<Put>,
        unchanged: Option<Append>,
    ) -> Result<CommitOutcome, Failure> {
        let input = QuarantineInput::Deadline(key.to_owned(), None);
        let mut puts = self.report_quarantined(&input, "a deadline that cannot be read");
        if restored.iter().all(|it| it.key != key) {
            puts.push(remove_row(Space::Due, key.to_owned()));
        }
        puts.extend(restored);
        let appends = unchanged.into_iter().collect();
        self.commit_rows(Commit { appends, ..Commit::from_puts(puts) }).await
    }

    /// Keeps the messages of a table that cannot be read, and removes those that have waited for
    /// too long. All messages of the table are then skipped for some minutes, or until its log is
    /// read, see [`Repository::waits_for_log`].
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keep_unreadable_messages(
        &self,
        (chat, table): (&ChatId, &TableId),
        entries: &[String],
        why: &str,
    ) -> Result<(), Failure> {
        self.unreadable_tables.add(table, self.time_source.monotonic_ms());
        let mark_of =
            |key: &String| StoreQuery::value_of(Space::Meta, keys::quarantined(Space::Outbox, key));
        let queries: Vec<StoreQuery> = entries.iter().map(mark_of).collect();
        let marks = self.read_many(&queries).await?;
        let (mut new, mut puts) = (Vec::new(), Vec::new());
        for (key, mark) in entries.iter().zip(marks) {
            let Some(mark) = mark.value()? else {
                new.push(key.clone());
                continue;
            };
            let QuarantineMark { at_ms, .. } = parse_json_or_default(Some(mark));
            if at_ms + UNREADABLE_MESSAGE_TTL_MS <= self.now_ms() {
                puts.push(remove_row(Space::Outbox, key.clone()));
            }
        }
        if !new.is_empty() {
            let input = QuarantineInput::Outbox(chat.clone(), new);
            puts.extend(self.report_quarantined(&input, why));
        }
        self.put_all(puts).await
    }

    /// Reports a finished game whose play cannot be judged, because its log cannot be read.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn report_unreadable_game(&self, table: &TableId, why: &str) -> Result<(), Failure> {
        let input = QuarantineInput::Judging(table.clone());
        let mark = keys::quarantined_input(input.kind(), &table.0);
        if self.read_value(Space::Meta, &mark).await?.is_none() {
            self.put_all(self.report_quarantined(&input, why)).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_waits_for_some_minutes_or_until_it_is_read() {
        let tables = UnreadableTables::default();
        let one = TableId("7k3fx".into());
        let two = TableId("9ab2c".into());
        tables.add(&one, 0);
        assert!(tables.waits(&one, UNREADABLE_RETRY_MS - 1) && !tables.waits(&two, 0));
        assert!(!tables.waits(&one, UNREADABLE_RETRY_MS));
        // Those whose time is over take no memory.
        tables.add(&two, UNREADABLE_RETRY_MS);
        assert_eq!(tables.0.lock().len(), 1);
        tables.remove(&two);
        assert!(!tables.waits(&two, UNREADABLE_RETRY_MS));
    }
}
