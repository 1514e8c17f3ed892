//! Processes deadlines, which are stored together with their causes and survive a restart, and
//! deletes expired rows.

mod archive_spacing;
mod digest_week;
mod digest_worker;
mod downtime;
mod pending_update_marks;
pub mod reminders;
mod retention_worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::sync::{Mutex as AsyncMutex, Notify};

use crate::admin::announcement::continue_message;
use crate::delivery::Delivery;
use crate::personal_data::DeletionWorker;
use crate::repository::background_tasks::BackgroundTasks;
use crate::repository::effects::{COMPUTER_RETRY_MS, deadlines_of};
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::pending_updates::UPDATE_WAIT_MAX_MS;
use crate::repository::quarantine::{QuarantineInput, catch_panic};
use crate::repository::stored_rows::{Deadline, DeadlineKind, PingKind, PingPurpose, remove_row};
use crate::repository::{
    ClockWatch, CommitOutcome, DAY_MS, Failure, MINUTE_MS, Repository, TableChange, TableGuard,
    TimeSource, keys,
};
use crate::results::projector::ResultProjector;
use crate::views::{board_view, pending_offers};
use crate::workers::{BoardTiming, Workers};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Commit, Expect, Put, Space};
use caravanserai_table::seat_replacement::withdraw_replacement;
use caravanserai_table::state::Table;
use caravanserai_table::{clock, deadline, tick};

pub use digest_worker::DigestWorker;
pub use retention_worker::RetentionWorker;

/// How far the wall clock has to be from the expected time to count as set, in milliseconds.
const CLOCK_JUMP_MIN_MS: u64 = 1_000;

/// The interval at which expired rows are deleted, in milliseconds.
const EXPIRY_INTERVAL_MS: u64 = MINUTE_MS;

/// The most expired rows that are deleted at once.
const EXPIRED_ROWS_MAX: usize = 500;

/// How long before the next deadline a process begins to record that it runs, in milliseconds. No
/// clock runs for longer, and later deadlines do not depend on minutes.
const ALIVE_MARK_HORIZON_MS: u64 = 31 * DAY_MS;

/// The interval at which sending to failed chats is retried, in milliseconds.
const SEND_RETRY_INTERVAL_MS: u64 = 5 * MINUTE_MS;

/// The longest time for which logs are searched in one pass, in milliseconds. Deadlines wait during
/// the search.
const LOG_SEARCH_SLICE_MS: u64 = 1_000;

/// The longest time for which expired rows are deleted in one pass, in milliseconds. Deadlines wait
/// meanwhile.
const EXPIRY_SLICE_MS: u64 = 1_000;

/// How long a reminder is put off while its table waits for answers to an offer, in milliseconds.
const ANSWER_WAIT_MS: u64 = 5 * MINUTE_MS;

/// The most rows that are read at once.
const DEADLINES_PER_PAGE: usize = 200;

/// The delay before the next attempt when the store did not reply, in milliseconds. Nothing makes
/// it shorter.
const STORE_RETRY_MS: u64 = 2_000;

/// The lease of a process for the rows that it works on, in milliseconds.
const DEADLINE_CLAIM_MS: u64 = 30_000;

/// How long after a large jump of the wall clock nothing is done that cannot be undone, in
/// milliseconds: the clock may be wrong, and be corrected soon.
const CLOCK_DOUBT_MS: u64 = 10 * MINUTE_MS;

/// How far ahead a check for an abandoned game can lie, in milliseconds. A later one was postponed
/// while the wall clock was ahead.
const ABANDONMENT_CHECK_MAX_MS: u64 = 93 * DAY_MS;

/// The workers that are woken about once a minute.
#[derive(Clone)]
pub struct PeriodicWorkers {
    /// Deletes the data of people.
    pub deletions: Arc<DeletionWorker>,
    /// Sends weekly digests.
    pub digests: Arc<DigestWorker>,
    /// Removes old games.
    pub retention: Arc<RetentionWorker>,
}

impl PeriodicWorkers {
    /// Creates workers that are idle until they run.
    pub fn new(
        repository: &Arc<Repository>,
        delivery: &Arc<Delivery>,
        projector: &Arc<ResultProjector>,
    ) -> Self {
        PeriodicWorkers {
            deletions: Arc::new(DeletionWorker::new(repository.clone(), delivery.clone())),
            digests: Arc::new(DigestWorker::new(repository.clone(), projector.clone())),
            retention: Arc::new(RetentionWorker::new(repository.clone())),
        }
    }

    /// Starts all of them, until the bot stops.
    pub fn start(&self, tasks: &BackgroundTasks, clock: &Arc<dyn TimeSource>) {
        let PeriodicWorkers { deletions, digests, retention } = self;
        tasks.supervise_until_stop("deletions", clock, deletions, |it| async move {
            it.run().await;
        });
        tasks.supervise_until_stop("digests", clock, digests, |it| async move { it.run().await });
        tasks.supervise_until_stop("retention", clock, retention, |it| async move {
            it.run().await;
        });
    }

    fn notify(&self) {
        self.deletions.notify();
        self.digests.notify();
        self.retention.notify();
    }

    /// Wakes them while the wall clock is in doubt. Retention waits: it removes games by their age.
    fn notify_in_doubt(&self) {
        self.deletions.notify_in_doubt();
        self.digests.notify();
    }
}

/// Processes the deadlines of all tables.
pub struct Scheduler {
    repository: Arc<Repository>,
    workers: Arc<Workers>,
    delivery: Arc<Delivery>,
    projector: Arc<ResultProjector>,
    periodic: PeriodicWorkers,
    tasks: BackgroundTasks,
    /// Notified when a deadline is added.
    added: Notify,
    /// Whether clocks may have run while nothing could be stored.
    had_downtime: AtomicBool,
    clock_watch: Mutex<ClockWatch>,
    /// Whether the wall clock was set back, or may have been ahead before this process started.
    was_set_back: AtomicBool,
    /// Locked while a task goes on with a message of operators.
    continuing_message: Arc<AsyncMutex<()>>,
    /// From when on the wall clock is not in doubt, by the monotonic clock, in milliseconds;
    /// `u64::MAX` until it was compared with the last mark of a process.
    trusted_from_ms: AtomicU64,
}

/// The work on rows of earlier versions, as far as this process knows.
#[derive(Default)]
struct Backfills {
    are_logs_separated: bool,
    have_rows_ttl: bool,
}

/// The result of a pass over the deadlines.
enum DeadlineScan {
    /// The next deadline is at this time, in milliseconds since 1970.
    Next(u64),
    /// There is no deadline.
    Empty,
    /// Some deadlines failed and have to be retried.
    Retry,
}

/// The time until the next check of deadlines, in milliseconds.
fn wait_ms(scan: Result<DeadlineScan, Failure>, now_ms: u64, poll_ms: u64) -> u64 {
    match scan {
        Ok(DeadlineScan::Next(at)) => at.saturating_sub(now_ms).min(poll_ms),
        Ok(DeadlineScan::Empty | DeadlineScan::Retry) => poll_ms,
        Err(failure) => {
            tracing::error!(%failure, "failed to check deadlines");
            // Check again soon: players who could not move get their time back before they press.
            poll_ms.min(STORE_RETRY_MS)
        }
    }
}

/// Runs a task that is due each minute. Returns `None` if it panics.
async fn run_step<T>(step: &'static str, work: impl Future<Output = T>) -> Option<T> {
    let result = catch_panic(work).await;
    if result.is_none() {
        tracing::error!(task = step, "a scheduled task panicked, the others continue");
    }
    result
}

/// Whether a deadline that is more than [`COMPUTER_RETRY_MS`] away is later than any that would be
/// written now: it was written while the wall clock was ahead.
fn is_too_late(due: Deadline, at_ms: u64, now_ms: u64) -> bool {
    due.kind == DeadlineKind::Think
        || (due.is_abandonment_check() && at_ms > now_ms.saturating_add(ABANDONMENT_CHECK_MAX_MS))
}

/// A row of the list of deadlines, as this process has claimed it.
#[derive(Clone, Copy)]
struct ClaimedRow<'a> {
    key: &'a str,
    value: &'a [u8],
}

impl ClaimedRow<'_> {
    fn removal(self) -> Put {
        remove_row(Space::Due, self.key.to_owned())
    }

    /// The commit that replaces the row by these rows. It is refused if the row was handled or
    /// written again meanwhile: a later version of the table may have the same deadline.
    fn replaced_by(self, puts: impl IntoIterator<Item = Put>) -> Commit {
        let expect = vec![Expect::equals(Space::Due, self.key, self.value.to_vec())];
        let puts = [self.removal()].into_iter().chain(puts).collect();
        Commit { expect, puts, ..Commit::default() }
    }
}

impl Scheduler {
    /// Creates a scheduler that does not run yet.
    pub fn new(
        repository: Arc<Repository>,
        workers: Arc<Workers>,
        delivery: Arc<Delivery>,
        projector: Arc<ResultProjector>,
        periodic: PeriodicWorkers,
        tasks: BackgroundTasks,
    ) -> Arc<Self> {
        // Whether there was downtime before this process started is not known yet.
        let added = Notify::new();
        let had_downtime = AtomicBool::new(true);
        let clock_watch = Mutex::new(ClockWatch::new(CLOCK_JUMP_MIN_MS));
        let was_set_back = AtomicBool::new(true);
        let trusted_from_ms = AtomicU64::new(u64::MAX);
        Arc::new(Scheduler {
            repository,
            workers,
            delivery,
            projector,
            periodic,
            tasks,
            added,
            had_downtime,
            clock_watch,
            was_set_back,
            continuing_message: Arc::default(),
            trusted_from_ms,
        })
    }

    /// Wakes the scheduler, because a deadline was added.
    pub fn notify(&self) {
        self.added.notify_one();
    }

    /// Processes deadlines until the bot stops.
    pub async fn run(&self) {
        let clock = self.repository.time_source().clone();
        let mut expired_ms = None;
        let mut resumed_ms = clock.monotonic_ms();
        let mut backfills = Backfills::default();
        let mut retried_ms = resumed_ms;
        let mut marks = downtime::AliveMarks::default();
        let poll_ms = self.repository.limits().deadline_poll_ms;
        while !self.tasks.is_stopping() {
            // Nothing is deleted or decided by a clock that has just jumped.
            self.detect_lost_time();
            let steady_ms = clock.monotonic_ms();
            if expired_ms.is_none_or(|at| steady_ms >= at + EXPIRY_INTERVAL_MS) {
                expired_ms = Some(steady_ms);
                self.run_minute_work(&mut backfills).await;
            }
            if steady_ms >= resumed_ms + SEND_RETRY_INTERVAL_MS
                || self.delivery.has_missed_entries()
            {
                resumed_ms = steady_ms;
                self.delivery.resume_sending_or_retry().await;
            }
            if steady_ms >= retried_ms + poll_ms {
                retried_ms = steady_ms;
                self.delivery.retry_chats_leased_elsewhere();
                self.delivery.retry_paused_chats();
            }
            let now_ms = clock.now_ms();
            if self.was_set_back.swap(false, Ordering::Relaxed) {
                let are_all_due =
                    self.reschedule_computers(now_ms).await.unwrap_or_else(|failure| {
                        tracing::error!(%failure, "failed to reschedule computers");
                        false
                    });
                self.was_set_back.fetch_or(!are_all_due, Ordering::Relaxed);
            }
            let scan = match self.refund_after_downtime().await {
                Ok(()) => self.run_due(now_ms).await,
                Err(failure) => Err(failure),
            };
            marks.has_deadlines = match scan {
                Ok(DeadlineScan::Empty) => false,
                Ok(DeadlineScan::Next(at)) => at < now_ms + ALIVE_MARK_HORIZON_MS,
                Ok(DeadlineScan::Retry) | Err(_) => true,
            };
            let mark_ms = self.mark_alive(&mut marks).await;
            let has_failed = scan.is_err();
            let wait_ms = wait_ms(scan, now_ms, poll_ms);
            // The commits of a pass notify, and a pass that failed must not begin again at once.
            let wait_ms = if has_failed { wait_ms } else { wait_ms.min(mark_ms) };
            tokio::select! {
                biased;
                () = clock.sleep_ms(wait_ms) => {}
                () = self.added.notified(), if !has_failed => {}
                () = self.tasks.wait_for_stop() => {}
            }
        }
        self.mark_stop(&marks).await;
    }

    /// Does the work of each minute. What cannot be undone waits while the wall clock is in doubt.
    /// A part that panics does not keep the others from their work.
    async fn run_minute_work(&self, backfills: &mut Backfills) {
        let is_clock_trusted = self.is_clock_trusted();
        self.projector.notify();
        match is_clock_trusted {
            true => self.periodic.notify(),
            false => self.periodic.notify_in_doubt(),
        }
        self.workers.start_judging();
        if is_clock_trusted {
            run_step("expired rows", self.delete_expired_rows()).await;
        }
        self.continue_operator_message();
        if !backfills.are_logs_separated {
            let separated = run_step("merged logs", self.separate_logs()).await;
            backfills.are_logs_separated = separated.unwrap_or(false);
        }
        if !backfills.have_rows_ttl {
            let processed = run_step("TTLs", self.backfill_ttl()).await;
            backfills.have_rows_ttl = processed.unwrap_or(false);
        }
    }

    /// Goes on with a message of operators whose process has stopped, in a task of its own: it
    /// reads all chats, and deadlines must not wait for that.
    fn continue_operator_message(&self) {
        let Ok(running) = self.continuing_message.clone().try_lock_owned() else { return };
        let repository = self.repository.clone();
        let tasks = self.tasks.clone();
        self.tasks.spawn(async move {
            let _running = running;
            let continued = tokio::select! {
                biased;
                () = tasks.wait_for_stop() => return,
                continued = run_step("messages of operators", continue_message(&repository)) => {
                    continued
                }
            };
            if let Some(Err(failure)) = continued {
                tracing::error!(%failure, "failed to continue a message of operators");
            }
        });
    }

    /// Processes all deadlines up to now independently: one that fails does not delay the others.
    async fn run_due(&self, now_ms: u64) -> Result<DeadlineScan, Failure> {
        let mut failed = false;
        loop {
            // Each move wakes the scheduler, and usually nothing is due, so one row is enough to
            // check.
            let first = self.repository.read_rows(Space::Due, "", 1).await?;
            let Some((key, _)) = first.first() else { return Ok(DeadlineScan::Empty) };
            if let Some((at, _)) = keys::parse_deadline(key)
                && at > now_ms
            {
                return Ok(if failed { DeadlineScan::Retry } else { DeadlineScan::Next(at) });
            }
            if failed {
                return Ok(DeadlineScan::Retry);
            }
            self.wait_for_pending_updates().await;
            self.wait_for_other_processes().await?;
            let store = self.repository.store();
            let replica = self.repository.replica();
            let until_key = keys::deadline_upto(now_ms);
            let rows = store
                .claim_rows(Space::Due, &until_key, replica, DEADLINE_CLAIM_MS, DEADLINES_PER_PAGE)
                .await?;
            if rows.is_empty() {
                // Another process handles them.
                return Ok(DeadlineScan::Retry);
            }
            for (key, value) in self.space_archives(rows, now_ms).await? {
                failed |= !self.run_due_row(ClaimedRow { key: &key, value: &value }).await;
            }
        }
    }

    /// Waits until all updates that arrived before now are handled: a move that arrived in time
    /// counts, although it waits in a queue.
    async fn wait_for_pending_updates(&self) {
        let arrivals = self.repository.pending_updates();
        let clock = self.repository.time_source();
        let now_ms = clock.monotonic_ms();
        if arrivals.are_handled_by(now_ms) {
            return;
        }
        tokio::select! {
            biased;
            () = arrivals.wait_until_handled(now_ms) => {}
            () = clock.sleep_ms(UPDATE_WAIT_MAX_MS) => {}
            () = self.tasks.wait_for_stop() => {}
        }
    }

    /// Processes one deadline. Returns whether it is removed from the list.
    async fn run_due_row(&self, row: ClaimedRow<'_>) -> bool {
        let ClaimedRow { key, value } = row;
        let due = serde_json::from_slice::<Deadline>(value);
        let parsed_key = keys::parse_deadline(key);
        let (Ok(due), Some((_, table))) = (due, parsed_key) else {
            return self.quarantine_unreadable(key).await;
        };
        if self.repository.is_quarantined(&table) {
            // Nobody can act there, so its clock must not run.
            self.repository.freeze_quarantined(&table).await;
        }
        let input = QuarantineInput::Deadline(key.to_owned(), Some(table.clone()));
        match self.repository.run_isolated(&input, self.handle_deadline(row, &table, due)).await {
            Ok(Ok(CommitOutcome::Committed)) | Err(_) => true,
            // A concurrent action has changed the table. If not, the cached state was wrong, and
            // the table is read again in the next pass.
            Ok(Ok(CommitOutcome::Conflict)) => false,
            Ok(Err(Failure::Damaged(_, why))) => {
                let done = self.defer_or_quarantine(&input, key, &table, due, &why).await;
                if let Err(failure) = &done {
                    tracing::error!(key, %failure, "failed to defer a deadline");
                }
                done.is_ok()
            }
            Ok(Err(failure)) => {
                tracing::error!(key, %failure, "failed to process a deadline");
                false
            }
        }
    }

    /// Quarantines a deadline that cannot be read, and stores the deadlines of its table again.
    /// Returns whether that is done: a store that fails keeps the row in the list.
    async fn quarantine_unreadable(&self, key: &str) -> bool {
        match self.replace_unreadable(key).await {
            // After a conflict, the table is read again in the next pass.
            Ok(outcome) => outcome == CommitOutcome::Committed,
            Err(failure) => {
                tracing::error!(key, %failure, "failed to quarantine a deadline");
                false
            }
        }
    }

    async fn replace_unreadable(&self, key: &str) -> Result<CommitOutcome, Failure> {
        let Some((_, id)) = keys::parse_deadline(key) else {
            return self.repository.replace_damaged_deadline(key, Vec::new(), None).await;
        };
        let reading = async {
            let guard = self.repository.lock_table(&id).await?;
            Ok::<_, Failure>(guard.map(|guard| (self.restored_deadlines(guard.table()), guard)))
        };
        match catch_panic(reading).await {
            // The table stays locked until the rows are stored.
            Some(Ok(Some((restored, guard)))) => {
                let unchanged = Some(guard.unchanged_condition());
                self.repository.replace_damaged_deadline(key, restored, unchanged).await
            }
            Some(Ok(None)) => self.repository.replace_damaged_deadline(key, Vec::new(), None).await,
            Some(Err(Failure::Damaged(..))) | None => {
                let later = self.repository.unreadable_table_deadline(&id).await?;
                self.repository.replace_damaged_deadline(key, vec![later], None).await
            }
            Some(Err(failure)) => Err(failure),
        }
    }

    /// The deadlines of a table, without messages that may have been sent already.
    fn restored_deadlines(&self, table: &Table) -> Vec<Put> {
        let limits = self.repository.limits();
        let now_ms = self.repository.now_ms();
        let dues = deadlines_of(table, limits, now_ms).into_iter();
        let dues =
            dues.filter(|(_, due)| !matches!(due.kind, DeadlineKind::Ping | DeadlineKind::Closing));
        dues.map(|(at_ms, due)| due.put(at_ms, &table.id)).collect()
    }

    /// Puts a deadline off if the log of its table cannot be read, else quarantines it.
    async fn defer_or_quarantine(
        &self,
        input: &QuarantineInput,
        key: &str,
        table: &TableId,
        due: Deadline,
        why: &str,
    ) -> Result<(), Failure> {
        if self.repository.is_table_unreadable(table).await? {
            return self.repository.defer_deadline(key, table, due, why).await;
        }
        self.repository.quarantine(input, why).await;
        Ok(())
    }

    /// Replaces a claimed row by these rows, unless it was handled or written again meanwhile.
    async fn replace_row(
        &self,
        row: ClaimedRow<'_>,
        puts: impl IntoIterator<Item = Put>,
    ) -> Result<CommitOutcome, Failure> {
        self.repository.commit_rows(row.replaced_by(puts)).await
    }

    /// Does what is due at a table, or removes the deadline if nothing is.
    async fn handle_deadline(
        &self,
        row: ClaimedRow<'_>,
        id: &TableId,
        stored: Deadline,
    ) -> Result<CommitOutcome, Failure> {
        let due = Deadline { was_unreadable: false, ..stored };
        let Some(mut guard) = self.repository.lock_table(id).await? else {
            return self.replace_row(row, []).await;
        };
        let now_ms = self.repository.now_ms();
        if due.waits_for_answers(guard.table()) {
            return self.replace_row(row, [stored.put(now_ms + ANSWER_WAIT_MS, id)]).await;
        }
        if !due.applies_to(guard.table()) {
            return match stored.was_unreadable {
                true => self.restore_deadlines(&guard, row).await,
                false => self.replace_row(row, []).await,
            };
        }
        match due.kind {
            DeadlineKind::Ping | DeadlineKind::Closing => self.send_pings(guard, row, due).await,
            DeadlineKind::Tick => self.apply_tick(&mut guard, stored, row, now_ms).await,
            DeadlineKind::ObjectionWindowEnd => self.replace_row(row, []).await,
            DeadlineKind::Archive => {
                self.repository.archive_table(&mut guard, vec![row.removal()]).await
            }
            DeadlineKind::Think => {
                let table = guard.table().clone();
                let retry = due.put(now_ms + COMPUTER_RETRY_MS, id);
                let outcome = self.replace_row(row, [retry]).await?;
                drop(guard);
                if outcome == CommitOutcome::Committed {
                    // The boards are shown already.
                    let can_follow = self.delivery.can_follow_turns(&table);
                    let _: BoardTiming = self.workers.start_thinking(&table, can_follow);
                }
                Ok(outcome)
            }
        }
    }

    /// Sends the pings of a deadline, in place of its row.
    async fn send_pings(
        &self,
        mut guard: TableGuard,
        row: ClaimedRow<'_>,
        due: Deadline,
    ) -> Result<CommitOutcome, Failure> {
        let table = guard.table().clone();
        let mut next_ping = None;
        let purpose = match due.kind {
            DeadlineKind::Closing => PingPurpose { kind: PingKind::Closing, ..due.purpose },
            _ => due.purpose,
        };
        let texts = match purpose.kind {
            PingKind::Closing => pending_offers::closing_warning_texts(&table),
            PingKind::Nudge => pending_offers::nudge_texts(&table),
            PingKind::Invitation => pending_offers::invitation_reminder_texts(&table),
            PingKind::Waiting => {
                let ping = match due.purpose.is_turn_reminder && table.offers.pending.is_some() {
                    true => pending_offers::turn_ping(&table),
                    false => board_view::attention_ping(&table),
                };
                let Some(ping) = ping else {
                    return self.replace_row(row, []).await;
                };
                let repository = &self.repository;
                let now_ms = self.repository.now_ms();
                let reminder = reminders::reminder_ping(repository, &table, ping.seat, due, now_ms);
                let (is_sent_now, next) = reminder.await?;
                next_ping = next;
                if is_sent_now { ping.texts } else { Vec::new() }
            }
        };
        let ping = |(chat, text)| OutboxEntry::ping(&chat, &table, text, purpose).encode();
        let pings = texts.into_iter().map(ping);
        // Sent only if the table is unchanged: another process may have written to it.
        let appends = vec![guard.unchanged_condition()];
        let commit = Commit { appends, ..row.replaced_by(pings.chain(next_ping)) };
        let outcome = self.repository.commit_rows(commit).await?;
        if outcome == CommitOutcome::Conflict {
            guard.invalidate();
        }
        Ok(outcome)
    }

    /// Applies the events that are caused by the passing of time at a table.
    async fn apply_tick(
        &self,
        guard: &mut TableGuard,
        due: Deadline,
        row: ClaimedRow<'_>,
        now_ms: u64,
    ) -> Result<CommitOutcome, Failure> {
        let table = guard.table().clone();
        if due.is_abandonment_check() && !self.is_clock_trusted() {
            // A game that ends because a clock was wrong would not come back.
            let later = due.put(now_ms + CLOCK_DOUBT_MS, &table.id);
            return self.replace_row(row, [later]).await;
        }
        // Nobody could act while the log could not be read, so the turn begins again.
        let refund = (due.was_unreadable && !due.is_abandonment_check())
            .then(|| clock::refund_outage(&table, table.times.last_event_ms, now_ms))
            .flatten();
        if let Some(decision) = refund {
            let change = TableChange::new(guard, decision);
            let commit = Commit::from_puts(vec![row.removal()]);
            return self.repository.commit_changes(vec![change], commit).await;
        }
        if let Some(decision) = tick(&table, now_ms) {
            let commit = Commit::from_puts(vec![row.removal()]);
            let change = TableChange::new(guard, decision);
            let refused = match self.repository.commit_changes(vec![change], commit.clone()).await {
                Err(refused @ Failure::SeatBlocked(_)) => refused,
                outcome => return outcome,
            };
            // Only the end of a wait for an objection seats a person. The game goes on without it.
            let Some(decision) = withdraw_replacement(&table, now_ms) else { return Err(refused) };
            let change = TableChange::new(guard, decision);
            return self.repository.commit_changes(vec![change], commit).await;
        }
        if due.is_abandonment_check() {
            let later = table.abandoned_check_ms().filter(|it| *it > now_ms);
            let later = later.map(|at_ms| Deadline::abandonment_check().put(at_ms, &table.id));
            return self.replace_row(row, later).await;
        }
        if due.was_unreadable {
            return self.restore_deadlines(guard, row).await;
        }
        if deadline(&table).is_some_and(|at| at > now_ms) {
            // The clock was set back after this deadline was read: it is due later.
            return Ok(CommitOutcome::Conflict);
        }
        self.replace_row(row, []).await
    }

    /// Stores all deadlines of a table again, in place of one that was put off: the others may be
    /// missing.
    async fn restore_deadlines(
        &self,
        guard: &TableGuard,
        row: ClaimedRow<'_>,
    ) -> Result<CommitOutcome, Failure> {
        let restored = self.restored_deadlines(guard.table());
        let removal = Some(row.removal()).filter(|it| restored.iter().all(|row| row.key != it.key));
        let puts = removal.into_iter().chain(restored).collect();
        let appends = vec![guard.unchanged_condition()];
        self.repository.commit_rows(Commit { appends, ..Commit::from_puts(puts) }).await
    }

    /// Separates tables that earlier versions wrote into one log. Returns whether all logs were
    /// searched.
    async fn separate_logs(&self) -> bool {
        let clock = self.repository.time_source();
        let end_ms = clock.monotonic_ms() + LOG_SEARCH_SLICE_MS;
        while !self.tasks.is_stopping() {
            match self.repository.log_separation().separate_next_page().await {
                Ok(true) => return true,
                Ok(false) if clock.monotonic_ms() < end_ms => {}
                Ok(false) => break,
                Err(failure) => {
                    tracing::error!(%failure, "failed to scan for merged logs");
                    break;
                }
            }
        }
        false
    }

    /// Adds a TTL to rows of earlier versions, one page at a time. Returns whether all have one.
    async fn backfill_ttl(&self) -> bool {
        self.repository.ttl_backfill().process_next_page().await.unwrap_or_else(|failure| {
            tracing::error!(%failure, "failed to backfill TTLs");
            false
        })
    }

    /// Reschedules computers, and checks for abandoned games, after the wall clock was set back, or
    /// was ahead before a restart. Computers are asked again by the wall clock, because they share
    /// the list with the deadlines of people. Rows with a deadline later than any valid one are
    /// due now. Returns whether all of them are.
    ///
    /// Several versions of a table may have such a row, and they would have the same key: each row
    /// takes a free one, because that of an older version must not replace that of the newest.
    async fn reschedule_computers(&self, now_ms: u64) -> Result<bool, Failure> {
        let mut after = keys::deadline_upto(now_ms + COMPUTER_RETRY_MS);
        let mut are_all_due = true;
        loop {
            let rows = self
                .repository
                .store()
                .scan(Space::Due, "", Some(&after), DEADLINES_PER_PAGE)
                .await?;
            let Some((last, _)) = rows.last() else { return Ok(are_all_due) };
            after.clone_from(last);
            for (key, value) in &rows {
                let due = serde_json::from_slice::<Deadline>(value).ok();
                if let Some(due) = due
                    && let Some((at_ms, table)) = keys::parse_deadline(key)
                    && is_too_late(due, at_ms, now_ms)
                {
                    let put = due.put(now_ms, &table);
                    let free = Expect::absent(Space::Due, put.key.clone());
                    let mut commit = ClaimedRow { key, value }.replaced_by([put]);
                    commit.expect.push(free);
                    let outcome = self.repository.commit_rows(commit).await?;
                    are_all_due &= outcome == CommitOutcome::Committed;
                }
            }
        }
    }

    /// Deletes expired rows for a short time. The rest is deleted in the next passes.
    async fn delete_expired_rows(&self) {
        let store = self.repository.store();
        let now_ms = self.repository.now_ms();
        let clock = self.repository.time_source();
        let end_ms = clock.monotonic_ms() + EXPIRY_SLICE_MS;
        while !self.tasks.is_stopping() {
            match store.remove_expired(now_ms, EXPIRED_ROWS_MAX).await {
                Ok(deleted) if deleted < EXPIRED_ROWS_MAX => return,
                Ok(_) if clock.monotonic_ms() < end_ms => {}
                Ok(_) => return,
                Err(error) => {
                    tracing::error!(%error, "failed to delete expired rows");
                    return;
                }
            }
        }
    }
}
