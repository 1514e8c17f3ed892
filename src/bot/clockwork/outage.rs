//! The time in which no bot ran, or nothing could be kept, is nobody's: clocks get it back.

use std::sync::atomic::Ordering;

use super::{Clockwork, PAGE};
use crate::ledger::rows::{Due, DueKind, parse, put};
use crate::ledger::{Deed, Entered, Failure, keys};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Commit, Space};
use caravanserai_table::clock;

/// A silence in which deadlines would have been looked at less often than this is none.
const SILENCE: u64 = 3;

/// How often a process notes that it runs while a quick clock runs, in milliseconds. That is one
/// small row for all tables.
const MARK_MS: u64 = 1_000;

/// While a quick clock runs, the silence from which on time is given back, in milliseconds.
const QUICK_SILENCE_MS: u64 = 2 * MARK_MS;

/// How long a call of the store takes that may have hung, in milliseconds. How much time is given
/// back is decided by the last mark, which no process could set meanwhile.
const HUNG_MS: u64 = MARK_MS;

/// How often it is tried to give back time at a table where somebody else writes.
const TRIES: usize = 8;

/// When this process noted that it runs.
#[derive(Default)]
pub(super) struct Marks {
    /// Whether there are deadlines for which that matters.
    pub(super) waits: bool,
    /// When it noted that last, by the clock that never jumps.
    last_ms: Option<u64>,
    /// Whether a quick clock ran anywhere, and when that was read, by the same clock.
    is_quick: bool,
    read_ms: Option<u64>,
}

impl Clockwork {
    /// Whether a quick clock runs anywhere.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn has_quick_clocks(&self) -> Result<bool, Failure> {
        Ok(!self.ledger.rows(Space::Meta, keys::QUICK, 1).await?.is_empty())
    }

    /// Notes that a process runs, if it is time: each second while a quick clock runs, else at each
    /// look at deadlines. Returns the time until the next call, in milliseconds.
    pub(super) async fn mark(&self, marks: &mut Marks) -> u64 {
        let steady_ms = self.ledger.clock().monotonic_ms();
        // Every commit calls this, so the store is asked once a second at most.
        let known_ms = marks.read_ms.map(|it| it + MARK_MS).filter(|it| steady_ms < *it);
        if known_ms.is_none() {
            marks.read_ms = Some(steady_ms);
            marks.is_quick = self.has_quick_clocks().await.unwrap_or(marks.is_quick);
        }
        let every_ms = if marks.is_quick { MARK_MS } else { self.ledger.limits().look_ms };
        let mut next_ms = marks.last_ms.map_or(steady_ms, |it| it + every_ms);
        if steady_ms >= next_ms {
            marks.last_ms = Some(steady_ms);
            if marks.waits && !self.is_marked().await {
                // A mark after a call that hung would hide how long nothing could be kept.
                if self.has_hung() {
                    return 0;
                }
                if !self.is_out.load(Ordering::Relaxed) {
                    self.is_alive(self.ledger.now_ms()).await;
                }
            }
            next_ms = steady_ms + every_ms;
        }
        known_ms.map_or(next_ms, |it| it.min(next_ms)) - steady_ms
    }

    /// Notes when this process stops, so that the length of a restart is known exactly.
    pub(super) async fn last_mark(&self, marks: &Marks) {
        if marks.waits && !self.has_hung() && !self.is_out.load(Ordering::Relaxed) {
            self.is_alive(self.ledger.now_ms()).await;
        }
    }

    /// Whether a process noted a moment ago that it runs.
    async fn is_marked(&self) -> bool {
        let row = self.ledger.value(Space::Meta, keys::ALIVE).await;
        let at_ms: u64 = row.map(parse).unwrap_or_default();
        (at_ms..at_ms.saturating_add(MARK_MS / 2)).contains(&self.ledger.now_ms())
    }

    /// Notes that a process looks at deadlines.
    pub(super) async fn is_alive(&self, now_ms: u64) {
        let row = put(Space::Meta, keys::ALIVE.to_owned(), &now_ms);
        if let Err(failure) = self.ledger.keep(vec![row]).await {
            tracing::error!(%failure, "could not note that the bot runs");
            self.is_out.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the store has hung since this was asked last. It reports no failure once it answers
    /// again, although nobody could act meanwhile.
    fn has_hung(&self) -> bool {
        let has_hung = self.ledger.take_longest_call_ms() >= HUNG_MS;
        self.is_out.fetch_or(has_hung, Ordering::Relaxed);
        has_hung
    }

    /// Where the store did not keep what it was to keep: gives back what that took, as soon as it
    /// does again. No deadline is to be met before.
    ///
    /// # Errors
    /// When it still does not.
    pub(super) async fn after_outage(&self) -> Result<(), Failure> {
        self.has_hung();
        if !self.is_out.swap(false, Ordering::Relaxed) {
            return Ok(());
        }
        let given = self.give_back().await;
        self.is_out.fetch_or(given.is_err(), Ordering::Relaxed);
        given
    }

    /// Gives back to every clock that runs, and to whoever may object to being replaced, the time
    /// since a process last looked at deadlines.
    ///
    /// # Errors
    /// When the store fails; what was given back by then is not given twice.
    async fn give_back(&self) -> Result<(), Failure> {
        let now_ms = self.ledger.now_ms();
        let alive_ms: u64 = parse(self.ledger.value(Space::Meta, keys::ALIVE).await?);
        let silence_ms = match self.has_quick_clocks().await? {
            true => QUICK_SILENCE_MS,
            false => SILENCE * self.ledger.limits().look_ms,
        };
        // Where nothing was noted yet, no clock ran until a moment ago.
        if now_ms <= alive_ms.saturating_add(silence_ms) {
            return Ok(());
        }
        let mut after: Option<String> = None;
        loop {
            let store = self.ledger.store();
            let rows = store.scan(Space::Due, "", after.as_deref(), PAGE).await?;
            let Some((last, _)) = rows.last() else { break };
            after = Some(last.clone());
            for (key, value) in &rows {
                let due = serde_json::from_slice::<Due>(value).ok();
                let is_meant = |it: &Due| {
                    it.version != Due::ANY && matches!(it.kind, DueKind::Tick | DueKind::Patience)
                };
                if due.is_some_and(|it| is_meant(&it))
                    && let Some((_, table)) = keys::read_due(key)
                    && let Err(failure) = self.give_back_at(&table, alive_ms, now_ms).await
                {
                    let Failure::Damaged(..) = failure else { return Err(failure) };
                    tracing::error!(table = table.0, %failure, "a clock did not get time back");
                }
            }
        }
        self.is_alive(now_ms).await;
        Ok(())
    }

    async fn give_back_at(&self, id: &TableId, from_ms: u64, now_ms: u64) -> Result<(), Failure> {
        // On conflict another process writes at this very moment, and not always for a person.
        for _ in 0..TRIES {
            let Some(mut held) = self.ledger.hold(id).await? else { return Ok(()) };
            let Some(decision) = clock::given_back(held.table(), from_ms, now_ms) else {
                return Ok(());
            };
            let deed = Deed { held: &mut held, decision, answered: None };
            if self.ledger.enter(vec![deed], Commit::default()).await? == Entered::Done {
                return Ok(());
            }
        }
        tracing::warn!(table = id.0, "a clock did not get time back: others write there");
        Ok(())
    }
}
