//! Refunds clocks the time in which no bot ran or nothing could be stored.

use std::sync::atomic::Ordering;

use futures::future::join_all;

use super::{CLOCK_DOUBT_MS, DEADLINES_PER_PAGE, Scheduler};
use crate::repository::quarantine::catch_panic;
use crate::repository::stored_rows::{Deadline, DeadlineKind, parse_json_or_default, put_json};
use crate::repository::{ClockJump, CommitOutcome, DAY_MS, Failure, MINUTE_MS, TableChange, keys};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Commit, Space, StoreError, StoreRow};
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

/// The delay of a sleep from which on the process counts as frozen, in milliseconds.
const FROZEN_MIN_MS: u64 = ALIVE_MARK_INTERVAL_MS;

/// The length of an outage up to which slow clocks with much time left get nothing back, in
/// milliseconds, and how many times as long the time left has to be. Each refund is a line of the
/// log and an edit of the board.
const NEGLIGIBLE_MAX_MS: u64 = 5 * MINUTE_MS;
const NEGLIGIBLE_RATIO: u64 = 100;

/// The jump of the wall clock from which on the clock is in doubt, in milliseconds.
const DOUBTED_JUMP_MIN_MS: u64 = 120 * MINUTE_MS;

/// The time since the last mark of a process from which on the wall clock is in doubt at a start,
/// in milliseconds.
const DOUBTED_GAP_MIN_MS: u64 = 2 * DAY_MS;

/// The attempts to refund time at a table with concurrent writes.
const REFUND_TRIES: usize = 8;

/// The most passes of the refund at a start. Each gives back what the one before it took.
const INITIAL_REFUNDS_MAX: usize = 4;

/// The tables that are refunded at the same time: their commits share a flush of the disk.
const REFUNDS_AT_ONCE: usize = 32;

/// A time in which no bot ran or nothing could be stored, in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
struct Outage {
    /// When a process last checked deadlines.
    from_ms: u64,
    /// The end.
    until_ms: u64,
}

impl Outage {
    fn length_ms(self) -> u64 {
        self.until_ms.saturating_sub(self.from_ms)
    }

    /// Whether a slow clock with a deadline at this time needs no refund.
    fn is_negligible(self, deadline_ms: u64) -> bool {
        let length_ms = self.length_ms();
        let left_ms = deadline_ms.saturating_sub(self.from_ms);
        length_ms <= NEGLIGIBLE_MAX_MS && left_ms >= length_ms.saturating_mul(NEGLIGIBLE_RATIO)
    }

    /// The table of a row of the list of deadlines, if time is refunded there. Quick clocks are in
    /// a list of their own.
    fn affected_table(self, (key, value): &StoreRow) -> Option<TableId> {
        let due = serde_json::from_slice::<Deadline>(value).ok()?;
        let due = Some(due).filter(|it| !it.is_abandonment_check())?;
        let (at_ms, table) = keys::parse_deadline(key)?;
        let is_affected = match due.kind {
            DeadlineKind::Tick => !self.is_negligible(at_ms),
            DeadlineKind::ObjectionWindowEnd => true,
            DeadlineKind::Ping
            | DeadlineKind::Closing
            | DeadlineKind::Think
            | DeadlineKind::Archive => false,
        };
        is_affected.then_some(table)
    }
}

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
        // Commits wake the scheduler, so this runs often: the store is asked at most once a second.
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
                // A mark after a hung call or a jump of the clock would hide how long that was.
                if self.detect_lost_time() {
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
            && !self.detect_lost_time()
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
            tracing::error!(%failure, "failed to write the liveness mark");
            self.had_downtime.store(true, Ordering::Relaxed);
        }
    }

    /// Whether since the last call of this method a store call has hung, the process was frozen, or
    /// the wall clock was set forward. A call that hangs reports no failure when the store replies
    /// again, although nobody could act during the call.
    pub(super) fn detect_lost_time(&self) -> bool {
        let clock = self.repository.time_source();
        let has_hung = self.repository.take_longest_call_ms() >= HUNG_CALL_MIN_MS;
        let was_frozen = clock.take_longest_delay_ms() >= FROZEN_MIN_MS;
        let wall_ms = clock.now_ms();
        let steady_ms = clock.monotonic_ms();
        let jump = self.clock_watch.lock().compare(wall_ms, steady_ms);
        let has_skipped = match jump {
            Some(ClockJump::Forward(by_ms)) => {
                if by_ms > DOUBTED_JUMP_MIN_MS {
                    self.doubt_clock(by_ms);
                }
                true
            }
            Some(ClockJump::Back(_)) => {
                self.was_set_back.store(true, Ordering::Relaxed);
                false
            }
            None => false,
        };
        let has_lost = has_hung || was_frozen || has_skipped;
        self.had_downtime.fetch_or(has_lost, Ordering::Relaxed);
        has_lost
    }

    /// Puts off what cannot be undone: the wall clock has jumped by this time, in milliseconds.
    fn doubt_clock(&self, by_ms: u64) {
        let seconds = by_ms / 1_000;
        tracing::warn!(seconds, "the clock jumped, nothing is deleted for some minutes");
        let steady_ms = self.repository.time_source().monotonic_ms();
        self.trusted_from_ms.store(steady_ms.saturating_add(CLOCK_DOUBT_MS), Ordering::Relaxed);
    }

    /// Whether the wall clock is right enough for what cannot be undone.
    pub(super) fn is_clock_trusted(&self) -> bool {
        let steady_ms = self.repository.time_source().monotonic_ms();
        steady_ms >= self.trusted_from_ms.load(Ordering::Relaxed)
    }

    /// Compares the wall clock with the last mark of a process, once after the start. Without a
    /// mark there is nothing to compare it with.
    fn check_clock_at_start(&self, alive_ms: u64, now_ms: u64) {
        if self.trusted_from_ms.load(Ordering::Relaxed) != u64::MAX {
            return;
        }
        let gap_ms = now_ms.saturating_sub(alive_ms);
        match alive_ms > 0 && gap_ms > DOUBTED_GAP_MIN_MS {
            true => self.doubt_clock(gap_ms),
            false => self.trusted_from_ms.store(0, Ordering::Relaxed),
        }
    }

    /// Refunds the time in which no bot ran, before the first update is handled. Nobody can act
    /// during the refund, so a long one is repeated for the time that it took. If the store
    /// prevents it, the refund follows before the first deadline is processed.
    pub async fn refund_initial_downtime(&self) {
        let clock = self.repository.time_source();
        for _ in 0..INITIAL_REFUNDS_MAX {
            let begin_ms = clock.monotonic_ms();
            if let Err(failure) = self.refund_after_downtime().await {
                tracing::error!(%failure, "failed to refund the time in which no bot ran");
                return;
            }
            if clock.monotonic_ms().saturating_sub(begin_ms) <= QUICK_DOWNTIME_MIN_MS {
                return;
            }
            // After the last pass, the rest is refunded before the first deadline is processed.
            self.had_downtime.store(true, Ordering::Relaxed);
        }
    }

    /// Refunds the lost time after the store failed to write, as soon as it writes again. No
    /// deadline may be processed before.
    ///
    /// # Errors
    /// When the store still fails, or the code panicked. The next call tries it again.
    pub(super) async fn refund_after_downtime(&self) -> Result<(), Failure> {
        self.detect_lost_time();
        if !self.had_downtime.swap(false, Ordering::Relaxed) {
            return Ok(());
        }
        let result = catch_panic(self.refund_downtime()).await.unwrap_or_else(|| {
            Err(StoreError::Failed("the refund of lost time panicked".to_owned()).into())
        });
        self.had_downtime.fetch_or(result.is_err(), Ordering::Relaxed);
        result
    }

    /// Refunds the time since a process last checked deadlines to every running clock, and to every
    /// player who may object to being replaced.
    ///
    /// # Errors
    /// When the store fails; time that was refunded by then is not refunded twice. A table whose
    /// refund failed does not keep the others from theirs.
    async fn refund_downtime(&self) -> Result<(), Failure> {
        let now_ms = self.repository.now_ms();
        let alive_ms: u64 =
            parse_json_or_default(self.repository.read_value(Space::Meta, keys::LAST_ALIVE).await?);
        self.check_clock_at_start(alive_ms, now_ms);
        let outage = Outage { from_ms: alive_ms, until_ms: now_ms };
        // Without a mark, no clock ran until a moment ago.
        if outage.length_ms() <= QUICK_DOWNTIME_MIN_MS {
            return Ok(());
        }
        let quick = self.refund_quick_clocks(outage).await;
        if outage.length_ms() > MISSED_POLLS_MIN * self.repository.limits().deadline_poll_ms {
            self.refund_slow_clocks(outage).await?;
        } else if matches!(quick, Ok(false)) {
            return Ok(());
        }
        quick?;
        self.write_alive_mark(now_ms).await;
        Ok(())
    }

    /// Refunds all quick clocks. Returns whether any runs.
    async fn refund_quick_clocks(&self, outage: Outage) -> Result<bool, Failure> {
        let prefix = keys::QUICK_CLOCK_PREFIX;
        let mut after = String::new();
        let mut refunded = Ok(());
        loop {
            let read =
                self.repository.read_rows_after(Space::Meta, prefix, &after, DEADLINES_PER_PAGE);
            let rows = read.await?;
            let Some((last, _)) = rows.last() else { return refunded.map(|()| !after.is_empty()) };
            after.clone_from(last);
            let tables = rows.iter().filter_map(|(key, _)| key.strip_prefix(prefix));
            let tables: Vec<TableId> = tables.map(|it| TableId(it.to_owned())).collect();
            refunded = refunded.and(self.refund_tables(&tables, outage).await);
        }
    }

    /// Refunds the other clocks, and players who may object to being replaced.
    async fn refund_slow_clocks(&self, outage: Outage) -> Result<(), Failure> {
        let mut after = String::new();
        let mut refunded = Ok(());
        loop {
            let rows =
                self.repository.read_rows_after(Space::Due, "", &after, DEADLINES_PER_PAGE).await?;
            let Some((last, _)) = rows.last() else { return refunded };
            after.clone_from(last);
            let tables: Vec<TableId> =
                rows.iter().filter_map(|row| outage.affected_table(row)).collect();
            refunded = refunded.and(self.refund_tables(&tables, outage).await);
        }
    }

    /// Refunds the clocks of these tables. A damaged table does not delay the others.
    ///
    /// # Errors
    /// The first failure of the store, after all tables were tried.
    async fn refund_tables(&self, tables: &[TableId], outage: Outage) -> Result<(), Failure> {
        let mut refunded = Ok(());
        for chunk in tables.chunks(REFUNDS_AT_ONCE) {
            let refunds: Vec<_> =
                chunk.iter().map(|table| self.refund_readable_table(table, outage)).collect();
            // All of them are waited for: a commit that is dropped may still be made.
            for result in join_all(refunds).await {
                refunded = refunded.and(result);
            }
        }
        refunded
    }

    /// Refunds the clock of a table, unless the table is damaged or makes the code panic.
    async fn refund_readable_table(&self, id: &TableId, outage: Outage) -> Result<(), Failure> {
        match catch_panic(self.refund_table(id, outage)).await {
            Some(Ok(())) => Ok(()),
            Some(Err(failure @ Failure::Store(_))) => Err(failure),
            Some(Err(failure)) => {
                tracing::error!(table = id.0, %failure, "failed to refund a clock");
                Ok(())
            }
            None => {
                tracing::error!(table = id.0, "failed to refund a clock: it panicked");
                Ok(())
            }
        }
    }

    async fn refund_table(&self, id: &TableId, outage: Outage) -> Result<(), Failure> {
        let Outage { from_ms, until_ms: now_ms } = outage;
        // A conflict means that another process wrote at the same moment, which is not always an
        // action of a person.
        for _ in 0..REFUND_TRIES {
            let Some(mut guard) = self.repository.lock_table(id).await? else { return Ok(()) };
            let Some(decision) = clock::refund_outage(guard.table(), from_ms, now_ms) else {
                return Ok(());
            };
            let change = TableChange::new(&mut guard, decision);
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

#[cfg(test)]
mod tests {
    use super::*;

    const FROM_MS: u64 = 1_000_000_000;

    /// The row of a deadline so many milliseconds after the outage began.
    fn row(kind: DeadlineKind, version: u64, left_ms: u64) -> StoreRow {
        let due = Deadline { kind, version, ..Deadline::default() };
        let put = due.put(FROM_MS + left_ms, &TableId("7k3fx".into()));
        (put.key, put.value.expect("a deadline has a value"))
    }

    #[test]
    fn a_short_outage_changes_no_slow_clock_with_much_time_left() {
        let minute = Outage { from_ms: FROM_MS, until_ms: FROM_MS + MINUTE_MS };
        let is_affected = |outage: Outage, row: &StoreRow| outage.affected_table(row).is_some();
        let little = row(DeadlineKind::Tick, 7, 100 * MINUTE_MS - 1);
        let much = row(DeadlineKind::Tick, 7, 100 * MINUTE_MS);
        assert!(is_affected(minute, &little));
        assert!(!is_affected(minute, &much));
        let long = Outage { from_ms: FROM_MS, until_ms: FROM_MS + NEGLIGIBLE_MAX_MS + 1 };
        assert!(is_affected(long, &row(DeadlineKind::Tick, 7, 30 * DAY_MS)), "it is long");
        let objection = row(DeadlineKind::ObjectionWindowEnd, 7, 30 * DAY_MS);
        assert!(is_affected(minute, &objection), "a player may object for the whole time");
        for row in [
            row(DeadlineKind::Tick, Deadline::ANY_VERSION, 1),
            row(DeadlineKind::Ping, 7, 1),
            ("nonsense".to_owned(), Vec::new()),
        ] {
            assert!(!is_affected(minute, &row), "{row:?}");
        }
    }
}
