//! Converts a store and rotates its keys: rewrites every value that is not stored in the form of
//! new values.
//!
//! A pass reads a snapshot and replaces each value only if it still has the bytes that were read,
//! so that it runs beside the bot and other replicas. A pass that finds nothing to do completes the
//! work. A pass can stop anywhere; the next one continues with the rest.
//!
//! A row keeps the expiry that it had in the snapshot. Only another replica that still writes with
//! the older key can store the same bytes with another expiry meanwhile; the earlier one wins then.

use super::envelope::{self, ValuePlace};
use super::{EncryptedStore, PlainValues, is_state_row, key_check};
use crate::{Commit, Expect, Put, Rewrite, Space, StoreError, StoreLayer, StoreQuery, StoredItem};

/// Rows per commit.
const ROWS_MAX: usize = 100;
/// A commit takes no further row once it has this many bytes.
const BYTES_MAX: usize = 256 * 1024;
/// Passes before the work is left to a later call, because others store values in other forms.
const PASSES_MAX: usize = 5;
/// How often a log is read again because its table has changed meanwhile.
const LOG_ATTEMPTS_MAX: usize = 20;

/// How much was encrypted again, or decrypted if the store is not to be encrypted any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReencryptCount {
    /// Rows of all spaces.
    pub rows: u64,
    /// Lines of all logs.
    pub lines: u64,
}

/// The result of [`EncryptedStore::reencrypt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReencryptOutcome {
    /// Everything is stored as new values are: the other lines of the key file are not needed.
    Complete,
    /// This many rows and logs cannot be decrypted, or are stored by others in another form.
    Left(u64),
}

/// A row of the snapshot that is to be encrypted again.
struct StaleRow {
    space: Space,
    key: String,
    stored: Vec<u8>,
    until_ms: Option<u64>,
}

/// The work of one pass.
#[derive(Default)]
struct Pass {
    rows: Vec<StaleRow>,
    bytes: usize,
    /// The log whose lines are being read.
    log: Option<String>,
    left: u64,
    changed: ReencryptCount,
}

impl EncryptedStore {
    /// Stores everything as new values are stored: encrypted with the current key, or not encrypted
    /// if there is none. The store may be used meanwhile. Reports the counts so far to `progress`.
    ///
    /// # Errors
    /// When the store fails; what was done until then stays done.
    pub async fn reencrypt(
        &self,
        progress: &mut (dyn FnMut(ReencryptCount) + Send),
    ) -> Result<ReencryptOutcome, StoreError> {
        let mut total = ReencryptCount::default();
        let mut left = 0;
        for _ in 0..PASSES_MAX {
            let pass = self.run_pass(total, progress).await?;
            left = pass.left;
            total.rows += pass.changed.rows;
            total.lines += pass.changed.lines;
            if pass.changed == ReencryptCount::default() {
                break;
            }
        }
        if left > 0 || !self.note_complete().await? {
            return Ok(ReencryptOutcome::Left(left.max(1)));
        }
        Ok(ReencryptOutcome::Complete)
    }

    async fn run_pass(
        &self,
        before: ReencryptCount,
        progress: &mut (dyn FnMut(ReencryptCount) + Send),
    ) -> Result<Pass, StoreError> {
        let mut pass = Pass::default();
        let mut snapshot = self.inner.snapshot().await?;
        loop {
            let items = snapshot.next_items().await?;
            if items.is_empty() {
                break;
            }
            for item in items.into_iter().filter(|item| !is_state_row(item)) {
                self.look_at(&mut pass, item).await?;
            }
            let ReencryptCount { rows, lines } = pass.changed;
            progress(ReencryptCount { rows: before.rows + rows, lines: before.lines + lines });
        }
        self.reencrypt_rows(&mut pass).await?;
        Ok(pass)
    }

    async fn look_at(&self, pass: &mut Pass, item: StoredItem) -> Result<(), StoreError> {
        match item {
            StoredItem::Row { space, key, value, until_ms } => {
                if !self.codec.keys.is_stale(envelope::form_of(&value)) {
                    return Ok(());
                }
                pass.bytes += value.len();
                pass.rows.push(StaleRow { space, key, stored: value, until_ms });
                if pass.rows.len() >= ROWS_MAX || pass.bytes >= BYTES_MAX {
                    self.reencrypt_rows(pass).await?;
                }
            }
            StoredItem::Line { table, line, .. } => {
                let is_done = pass.log.as_ref() == Some(&table);
                if !is_done && self.codec.keys.is_stale(envelope::line_form_of(&line)) {
                    self.reencrypt_log(pass, &table).await?;
                    pass.log = Some(table);
                }
            }
            // Reported by whatever reads it.
            StoredItem::Damaged(_) => {}
        }
        Ok(())
    }

    /// Encrypts the collected rows again in one commit, or each alone if one has changed meanwhile.
    async fn reencrypt_rows(&self, pass: &mut Pass) -> Result<(), StoreError> {
        pass.bytes = 0;
        let mut parts = Vec::new();
        for row in std::mem::take(&mut pass.rows) {
            match self.reencrypt_row(&row) {
                Ok(part) => parts.push(part),
                Err(_) => pass.left += 1,
            }
        }
        let mut commit = Commit::default();
        for (expect, put) in &parts {
            commit.expect.push(expect.clone());
            commit.puts.push(put.clone());
        }
        match self.inner.commit(commit).await {
            Ok(()) => self.count_rows(pass, parts.len() as u64),
            Err(StoreError::Conflict) => {
                for (expect, put) in parts {
                    self.reencrypt_alone(pass, expect, put).await?;
                }
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn reencrypt_row(&self, row: &StaleRow) -> Result<(Expect, Put), StoreError> {
        let StaleRow { space, key, stored, until_ms } = row;
        let value = self.codec.decrypt_value(*space, key, stored.clone())?;
        let value = envelope::encrypt(&self.codec.keys, ValuePlace::Row(*space, key), value);
        let expect = Expect::equals(*space, key.as_str(), stored.as_slice());
        let put =
            Put { space: *space, key: key.clone(), value: Some(value), expires_ms: *until_ms };
        Ok((expect, put))
    }

    async fn reencrypt_alone(
        &self,
        pass: &mut Pass,
        expect: Expect,
        put: Put,
    ) -> Result<(), StoreError> {
        let space = put.space;
        let key = put.key.clone();
        let commit = Commit { expect: vec![expect], ..Commit::from_puts(vec![put]) };
        match self.inner.commit(commit).await {
            Ok(()) => {
                self.count_rows(pass, 1);
                return Ok(());
            }
            Err(StoreError::Conflict) => {}
            Err(error) => return Err(error),
        }
        match self.inner.get(space, &key).await? {
            Some(stored) => {
                pass.left += u64::from(self.codec.keys.is_stale(envelope::form_of(&stored)))
            }
            None => {
                // Expired: it counts as absent, but is stored until it is removed.
                let expect = vec![Expect::absent(space, key.as_str())];
                let removal = Commit::from_puts(vec![Put::remove(space, key.as_str())]);
                match self.inner.commit(Commit { expect, ..removal }).await {
                    Ok(()) | Err(StoreError::Conflict) => self.count_rows(pass, 1),
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    async fn reencrypt_log(&self, pass: &mut Pass, table: &str) -> Result<(), StoreError> {
        let reads = [StoreQuery::log(table, 0), StoreQuery::value_of(Space::Head, table)];
        for _ in 0..LOG_ATTEMPTS_MAX {
            let mut found = self.inner.read(&reads).await?.into_iter();
            let (Some(lines), Some(head)) = (found.next(), found.next()) else { break };
            let stored = lines.lines()?;
            let head = head.value()?;
            if !stored.iter().any(|line| self.codec.keys.is_stale(envelope::line_form_of(line))) {
                return Ok(());
            }
            let Ok(lines) = self.reencrypt_lines(table, stored) else { break };
            let count = lines.len() as u64;
            // A commit that replaces lines changes the value of the head. So a log of the same
            // length with the same head is the same log.
            let expect = vec![Expect { space: Space::Head, key: table.into(), value: head }];
            let rewrites = vec![Rewrite { table: table.into(), lines }];
            match self.inner.commit(Commit { expect, rewrites, ..Commit::default() }).await {
                Ok(()) => {
                    pass.changed.lines += count;
                    self.count_reencrypted(count);
                    return Ok(());
                }
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error),
            }
        }
        pass.left += 1;
        Ok(())
    }

    fn reencrypt_lines(&self, table: &str, stored: Vec<String>) -> Result<Vec<String>, StoreError> {
        let lines = stored.into_iter().zip(0..).map(|(line, number)| {
            let line = self.codec.decrypt_line(table, number, line)?;
            Ok(envelope::encrypt_line(&self.codec.keys, table, number, line))
        });
        lines.collect()
    }

    fn count_rows(&self, pass: &mut Pass, rows: u64) {
        pass.changed.rows += rows;
        self.count_reencrypted(rows);
    }

    fn count_reencrypted(&self, count: u64) {
        self.codec.counters.0.reencrypted.fetch_add(count, std::sync::atomic::Ordering::Relaxed);
    }

    /// Notes in the store that only the current key is in use. Returns `false` if another process
    /// has registered a key meanwhile.
    async fn note_complete(&self) -> Result<bool, StoreError> {
        let keys = &self.codec.keys;
        let found = key_check::read_state(self.inner(), Some(keys)).await;
        let found = found.map_err(StoreError::from)?;
        let in_use: Vec<_> = keys.current().into_iter().collect();
        let is_complete = !in_use.is_empty();
        let state = key_check::EncryptionState { in_use, is_complete };
        if found.as_ref().map(|(found, _)| found) != Some(&state)
            && (found.is_some() || is_complete)
        {
            let row = found.map(|(_, row)| row);
            match key_check::write_state(self.inner(), keys, &state, row).await {
                Ok(()) => {}
                Err(StoreError::Conflict) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        if is_complete && !self.inner.is_shared() {
            *self.codec.plain.write() = PlainValues::Refuse;
        }
        Ok(true)
    }
}
