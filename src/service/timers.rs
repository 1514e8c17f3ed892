//! Deadlines: stored with what causes them, met after a restart as well.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use serde::{Deserialize, Serialize};

use super::outbox::call_put;
use super::settings::{cut, parse, put};
use super::{Failure, Inner, keys};
use crate::chat::present;
use crate::store::{Commit, Put, Space};
use crate::table::event::TableId;
use crate::table::fold::Table;

/// At least so often the list is looked at, whatever happens, in milliseconds.
const LOOK_MS: u64 = 60_000;

/// How often what was seen is cleared of what is too old, in milliseconds.
const SWEEP_MS: u64 = 3_600_000;

/// How often places are tried again that could not be told something, in milliseconds.
const RESUME_MS: u64 = 5 * 60_000;

/// At most so many rows are read at once.
const PAGE: usize = 200;

/// What is due.
#[derive(Default, Serialize, Deserialize)]
struct Due {
    /// Only while the table has not gone on.
    version: u64,
}

impl Inner {
    /// When somebody is to be called because it is their turn and they do not look.
    pub(super) fn due_call(&self, table: &Table, now_ms: u64) -> Option<Put> {
        let (seat, _) = present::call(table)?;
        let acted = table.acted_ms.get(usize::from(table.chair_of(seat))).copied();
        let at = (acted.unwrap_or(now_ms) + self.limits.call_after_ms).max(now_ms);
        Some(put(Space::Due, keys::due(at, &table.id), &Due { version: table.version }))
    }

    /// Meets deadlines until the service stops.
    pub(super) async fn run_timers(&self) {
        let mut due = self.due.subscribe();
        let mut stopping = self.stopping.subscribe();
        let mut swept_ms = 0;
        let mut resumed_ms = self.clock.now_ms();
        while !self.is_stopping() {
            due.mark_unchanged();
            let now = self.clock.now_ms();
            if now.saturating_sub(swept_ms) >= SWEEP_MS {
                swept_ms = now;
                if let Err(failure) = self.sweep(now).await {
                    tracing::error!(%failure, "could not sweep what was seen");
                }
            }
            if now.saturating_sub(resumed_ms) >= RESUME_MS {
                resumed_ms = now;
                if let Err(failure) = self.resume_senders("").await {
                    tracing::error!(%failure, "could not look at what is not sent yet");
                }
            }
            let met = AssertUnwindSafe(self.meet(now)).catch_unwind().await;
            let wait = match met.unwrap_or_else(|_| {
                tracing::error!("a bug: meeting a deadline panicked");
                Ok(None)
            }) {
                Ok(next) => next.map_or(LOOK_MS, |at| at.saturating_sub(now).min(LOOK_MS)),
                Err(failure) => {
                    tracing::error!(%failure, "could not meet deadlines");
                    LOOK_MS
                }
            };
            tokio::select! {
                () = self.clock.sleep_ms(wait) => {}
                _ = due.changed() => {}
                _ = stopping.changed() => {}
            }
        }
    }

    /// Meets every deadline up to now; tells when the next one is.
    async fn meet(&self, now_ms: u64) -> Result<Option<u64>, Failure> {
        // Each move wakes this, and nearly always nothing is due: one row tells.
        let mut page = 1;
        loop {
            let rows = self.store.scan(Space::Due, "", None, page).await?;
            let full = rows.len() == page;
            page = PAGE;
            for (key, value) in rows {
                match keys::read_due(&key) {
                    Some((at, _)) if at > now_ms => return Ok(Some(at)),
                    Some((_, table)) => self.meet_one(&key, &table, parse(Some(value))).await?,
                    None => self.drop_due(&key).await?,
                }
            }
            if !full {
                return Ok(None);
            }
        }
    }

    async fn drop_due(&self, key: &str) -> Result<(), Failure> {
        let puts = vec![cut(Space::Due, key.to_owned())];
        Ok(self.store.commit(Commit { puts, ..Commit::default() }).await?)
    }

    async fn meet_one(&self, key: &str, id: &TableId, due: Due) -> Result<(), Failure> {
        let held = match self.hold(id).await {
            Ok(Some(held)) if held.table().version == due.version => held,
            Ok(_) | Err(Failure::Damaged(..)) => return self.drop_due(key).await,
            Err(failure) => return Err(failure),
        };
        let mut puts = vec![cut(Space::Due, key.to_owned())];
        let table = held.table();
        puts.extend(present::call(table).map(|(_, text)| call_put(table, text)));
        let place = table.place().clone();
        drop(held);
        self.store.commit(Commit { puts, ..Commit::default() }).await?;
        self.wake(&place);
        Ok(())
    }

    /// Forgets updates that no platform sends again.
    async fn sweep(&self, now_ms: u64) -> Result<(), Failure> {
        let mut after: Option<String> = None;
        loop {
            let rows = self.store.scan(Space::Seen, "", after.as_deref(), PAGE).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after = Some(last.clone());
            let mut puts = Vec::new();
            for (key, value) in rows {
                let answered: super::hear::Answered = parse(Some(value));
                if answered.at_ms + self.limits.seen_ms < now_ms {
                    puts.push(cut(Space::Seen, key));
                }
            }
            if !puts.is_empty() {
                self.store.commit(Commit { puts, ..Commit::default() }).await?;
            }
        }
    }
}
