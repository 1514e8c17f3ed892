//! Refunds clocks the time in which no bot ran or nothing could be stored.

use std::sync::atomic::Ordering;

use super::{DEADLINES_PER_PAGE, Scheduler};
use crate::repository::stored_rows::{Deadline, DeadlineKind, parse_json_or_default, put_json};
use crate::repository::{CommitOutcome, Failure, TableChange, keys};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Commit, Space};
use caravanserai_table::clock;

/// The number of missed deadline checks from which on a gap counts as downtime.
const MISSED_POLLS_MIN: u64 = 3;

/// The interval at which a process records that it runs while a quick clock runs, in milliseconds.
/// It is one small row for all tables.
const ALIVE_MARK_INTERVAL_MS: u64 = 1_000;

/// The length of a gap from which on time is refunded while a quick clock runs, in milliseconds.
const QUICK_DOWNTIME_MIN_MS: u64 = 2 * ALIVE_MARK_INTERVAL_MS;

/// The duration of a store call that counts as hung, in milliseconds. The amount of refunded time
/// depends on the last mark, which no process could set during the call.
const HUNG_CALL_MIN_MS: u64 = ALIVE_MARK_INTERVAL_MS;

/// The attempts to refund time at a table with concurrent writes.
const REFUND_TRIES: usize = 8;

/// When this process last recorded that it runs.
#[derive(Default)]
pub(super) struct AliveMarks {
    /// Whether there are deadlines that make the marks necessary.
    pub(super) has_deadlines: bool,
    /// The time of the last mark, by the monotonic clock.
    last_ms: Option<u64>,
    /// Whether a quick clock ran anywhere, and when that was read, by the monotonic clock.
    is_quick: bool,
    read_ms: Option<u64>,
}

impl Scheduler {
    /// Whether a quick clock runs anywhere.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn has_quick_clocks(&self) -> Result<bool, Failure> {
        Ok(!self.repository.read_rows(Space::Meta, keys::QUICK_CLOCK_PREFIX, 1).await?.is_empty())
    }

    /// Records that a process runs, if it is due: each second while a quick clock runs, else at
    /// each check of deadlines. Returns the time until the next call, in milliseconds.
    pub(super) async fn mark_alive(&self, marks: &mut AliveMarks) -> u64 {
        let steady_ms = self.repository.time_source().monotonic_ms();
        // Every commit calls this, so the store is asked at most once a second.
        let known_ms =
            marks.read_ms.map(|it| it + ALIVE_MARK_INTERVAL_MS).filter(|it| steady_ms < *it);
        if known_ms.is_none() {
            marks.read_ms = Some(steady_ms);
            marks.is_quick = self.has_quick_clocks().await.unwrap_or(marks.is_quick);
        }
        let every_ms = if marks.is_quick {
            ALIVE_MARK_INTERVAL_MS
        } else {
            self.repository.limits().deadline_poll_ms
        };
        let mut next_ms = marks.last_ms.map_or(steady_ms, |it| it + every_ms);
        if steady_ms >= next_ms {
            marks.last_ms = Some(steady_ms);
            if marks.has_deadlines && !self.has_recent_mark().await {
                // A mark after a hung call would hide how long nothing could be stored.
                if self.has_store_hung() {
                    return 0;
                }
                if !self.had_downtime.load(Ordering::Relaxed) {
                    self.write_alive_mark(self.repository.now_ms()).await;
                }
            }
            next_ms = steady_ms + every_ms;
        }
        known_ms.map_or(next_ms, |it| it.min(next_ms)) - steady_ms
    }

    /// Records when this process stops, so that the length of a restart is known exactly.
    pub(super) async fn mark_stop(&self, marks: &AliveMarks) {
        if marks.has_deadlines
            && !self.has_store_hung()
            && !self.had_downtime.load(Ordering::Relaxed)
        {
            self.write_alive_mark(self.repository.now_ms()).await;
        }
    }

    /// Whether a process recorded very recently that it runs.
    async fn has_recent_mark(&self) -> bool {
        let row = self.repository.read_value(Space::Meta, keys::LAST_ALIVE).await;
        let at_ms: u64 = row.map(parse_json_or_default).unwrap_or_default();
        (at_ms..at_ms.saturating_add(ALIVE_MARK_INTERVAL_MS / 2))
            .contains(&self.repository.now_ms())
    }

    /// Records that a process checks deadlines.
    pub(super) async fn write_alive_mark(&self, now_ms: u64) {
        let row = put_json(Space::Meta, keys::LAST_ALIVE.to_owned(), &now_ms);
        if let Err(failure) = self.repository.put_all(vec![row]).await {
            tracing::error!(%failure, "failed to record that the bot runs");
            self.had_downtime.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a store call has hung since the last call of this method. Such a call reports no
    /// failure when the store replies again, although nobody could act during the call.
    fn has_store_hung(&self) -> bool {
        let has_hung = self.repository.take_longest_call_ms() >= HUNG_CALL_MIN_MS;
        self.had_downtime.fetch_or(has_hung, Ordering::Relaxed);
        has_hung
    }

    /// Refunds the lost time after the store failed to write, as soon as it writes again. No
    /// deadline may be processed before.
    ///
    /// # Errors
    /// When the store still fails.
    pub(super) async fn refund_after_downtime(&self) -> Result<(), Failure> {
        self.has_store_hung();
        if !self.had_downtime.swap(false, Ordering::Relaxed) {
            return Ok(());
        }
        let result = self.refund_downtime().await;
        self.had_downtime.fetch_or(result.is_err(), Ordering::Relaxed);
        result
    }

    /// Refunds the time since a process last checked deadlines to every running clock, and to every
    /// player who may object to being replaced.
    ///
    /// # Errors
    /// When the store fails; time that was refunded by then is not refunded twice.
    async fn refund_downtime(&self) -> Result<(), Failure> {
        let now_ms = self.repository.now_ms();
        let alive_ms: u64 =
            parse_json_or_default(self.repository.read_value(Space::Meta, keys::LAST_ALIVE).await?);
        let silence_ms = match self.has_quick_clocks().await? {
            true => QUICK_DOWNTIME_MIN_MS,
            false => MISSED_POLLS_MIN * self.repository.limits().deadline_poll_ms,
        };
        // Without a mark, no clock ran until a moment ago.
        if now_ms <= alive_ms.saturating_add(silence_ms) {
            return Ok(());
        }
        let mut after: Option<String> = None;
        loop {
            let store = self.repository.store();
            let rows = store.scan(Space::Due, "", after.as_deref(), DEADLINES_PER_PAGE).await?;
            let Some((last, _)) = rows.last() else { break };
            after = Some(last.clone());
            for (key, value) in &rows {
                let due = serde_json::from_slice::<Deadline>(value).ok();
                let is_meant = |it: &Deadline| {
                    it.version != Deadline::ANY_VERSION
                        && matches!(it.kind, DeadlineKind::Tick | DeadlineKind::Patience)
                };
                if due.is_some_and(|it| is_meant(&it))
                    && let Some((_, table)) = keys::parse_deadline(key)
                    && let Err(failure) = self.refund_table(&table, alive_ms, now_ms).await
                {
                    let Failure::Damaged(..) = failure else { return Err(failure) };
                    tracing::error!(table = table.0, %failure, "failed to refund a clock");
                }
            }
        }
        self.write_alive_mark(now_ms).await;
        Ok(())
    }

    async fn refund_table(&self, id: &TableId, from_ms: u64, now_ms: u64) -> Result<(), Failure> {
        // A conflict means that another process wrote at the same moment, which is not always an
        // action of a person.
        for _ in 0..REFUND_TRIES {
            let Some(mut guard) = self.repository.lock_table(id).await? else { return Ok(()) };
            let Some(decision) = clock::refund_outage(guard.table(), from_ms, now_ms) else {
                return Ok(());
            };
            let change = TableChange { guard: &mut guard, decision, answered_seat: None };
            if self.repository.commit_changes(vec![change], Commit::default()).await?
                == CommitOutcome::Committed
            {
                return Ok(());
            }
        }
        tracing::warn!(table = id.0, "failed to refund a clock: too many conflicts");
        Ok(())
    }
}
