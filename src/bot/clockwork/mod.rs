//! What time brings: deadlines, stored with what causes them and met after a restart as well, and
//! the sweeping away of what has lived its time.

mod outage;
pub mod reminding;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::sync::Notify;

use crate::ledger::arrivals::WAITED_MAX_MS;
use crate::ledger::aside::Input;
use crate::ledger::consequences::AGAIN_MS;
use crate::ledger::rows::{CallKind, CallPurpose, Due, DueKind, call_put, cut};
use crate::ledger::tasks::Tasks;
use crate::ledger::{DAY_MS, Deed, Entered, Failure, Held, Ledger, keys};
use crate::minds::Minds;
use crate::post::Post;
use caravanserai_games::ids::TableId;
use caravanserai_protocol::{offers, present};
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::fold::Table;
use caravanserai_table::{deadline, tick};

/// How often what has lived its time is swept away, in milliseconds.
const SWEEP_MS: u64 = 60_000;

/// So many rows are swept away at once.
const SWEPT: usize = 500;

/// How long before the next deadline a process begins to note that it runs, in milliseconds. No
/// clock runs for longer, and later deadlines do not depend on minutes.
const MARKED_MS: u64 = 31 * DAY_MS;

/// How often places are tried again that could not be told something, in milliseconds.
const RESUME_MS: u64 = 5 * 60_000;

/// How long logs are searched in a row for those of two tables, in milliseconds. Deadlines wait
/// meanwhile.
const SEARCH_MS: u64 = 1_000;

/// At most so many rows are read at once.
const PAGE: usize = 200;

/// How soon it is looked again where the store did not answer, in milliseconds.
const OUT_MS: u64 = 2_000;

/// How long a process has rows for itself that it works on, in milliseconds.
const CLAIMED_MS: u64 = 30_000;

/// Keeps the time for all tables.
pub struct Clockwork {
    ledger: Arc<Ledger>,
    minds: Arc<Minds>,
    post: Arc<Post>,
    tasks: Tasks,
    /// A deadline was added.
    added: Notify,
    /// Whether clocks may have run while nothing could be kept.
    is_out: AtomicBool,
}

/// By how much the clock on the wall has to go back until it is taken for set, in milliseconds.
const SET_BACK_MS: u64 = 1_000;

/// How a look at the list ended.
enum Look {
    /// The next deadline is at this time, in milliseconds since 1970.
    Next(u64),
    /// There is none.
    Empty,
    /// Some could not be met; they are tried again.
    Again,
}

/// How long to wait until the next look at deadlines, in milliseconds.
fn wait_ms(look: Result<Look, Failure>, now_ms: u64, look_ms: u64) -> u64 {
    match look {
        Ok(Look::Next(at)) => at.saturating_sub(now_ms).min(look_ms),
        Ok(Look::Empty | Look::Again) => look_ms,
        Err(failure) => {
            tracing::error!(%failure, "could not look at deadlines");
            // Look again soon: players who could not move get their time back before they press.
            look_ms.min(OUT_MS)
        }
    }
}

impl Clockwork {
    /// A clockwork that stands still.
    pub fn new(ledger: Arc<Ledger>, minds: Arc<Minds>, post: Arc<Post>, tasks: Tasks) -> Arc<Self> {
        // What was before this process nobody knows yet.
        let (added, is_out) = (Notify::new(), AtomicBool::new(true));
        Arc::new(Clockwork { ledger, minds, post, tasks, added, is_out })
    }

    /// A deadline was added.
    pub fn wind(&self) {
        self.added.notify_one();
    }

    /// Gives back the time in which no bot ran, before anybody is heard; where the store does not
    /// let it, before a deadline is met.
    pub async fn begin(&self) {
        if let Err(failure) = self.after_outage().await {
            tracing::error!(%failure, "could not give back the time in which no bot ran");
        }
    }

    /// Meets deadlines until the bot stops.
    pub async fn run(&self) {
        let clock = self.ledger.clock().clone();
        let (mut swept_ms, mut resumed_ms) = (None, clock.monotonic_ms());
        let (mut aged, mut separated) = (false, false);
        let mut looked_ms = resumed_ms;
        let mut before = None;
        let mut marks = outage::Marks::default();
        let look_ms = self.ledger.limits().look_ms;
        while !self.tasks.is_stopping() {
            let steady_ms = clock.monotonic_ms();
            if swept_ms.is_none_or(|at| steady_ms >= at + SWEEP_MS) {
                swept_ms = Some(steady_ms);
                self.sweep().await;
                separated = separated || self.separate().await;
                aged = aged || self.age().await;
            }
            if steady_ms >= resumed_ms + RESUME_MS {
                resumed_ms = steady_ms;
                if let Err(failure) = self.post.resume("").await {
                    tracing::error!(%failure, "could not look at what is not sent yet");
                }
            }
            if steady_ms >= looked_ms + look_ms {
                looked_ms = steady_ms;
                self.post.look_again();
            }
            let now_ms = clock.now_ms();
            let expected = |(wall_ms, then_ms): (u64, u64)| {
                (wall_ms + steady_ms.saturating_sub(then_ms)).saturating_sub(SET_BACK_MS)
            };
            if before.replace((now_ms, steady_ms)).is_none_or(|it| now_ms < expected(it))
                && let Err(failure) = self.ask_computers_now(now_ms).await
            {
                tracing::error!(%failure, "could not look at computers that are waited for");
                before = None;
            }
            let look = match self.after_outage().await {
                Ok(()) => self.meet(now_ms).await,
                Err(failure) => Err(failure),
            };
            marks.waits = match look {
                Ok(Look::Empty) => false,
                Ok(Look::Next(at)) => at < now_ms + MARKED_MS,
                Ok(Look::Again) | Err(_) => true,
            };
            let mark_ms = self.mark(&mut marks).await;
            let wait_ms = wait_ms(look, now_ms, look_ms);
            tokio::select! {
                biased;
                () = clock.sleep_ms(wait_ms.min(mark_ms)) => {}
                () = self.added.notified() => {}
                () = self.tasks.stopping() => {}
            }
        }
        self.last_mark(&marks).await;
    }

    /// Meets every deadline up to now, each for itself: one that cannot be met keeps no other.
    async fn meet(&self, now_ms: u64) -> Result<Look, Failure> {
        let mut failed = false;
        loop {
            // Each move winds this, and nearly always nothing is due: one row tells.
            let first = self.ledger.rows(Space::Due, "", 1).await?;
            let Some((key, _)) = first.first() else { return Ok(Look::Empty) };
            if let Some((at, _)) = keys::read_due(key)
                && at > now_ms
            {
                return Ok(if failed { Look::Again } else { Look::Next(at) });
            }
            if failed {
                return Ok(Look::Again);
            }
            self.await_arrivals().await;
            let (store, own) = (self.ledger.store(), self.ledger.replica());
            let upto = keys::due_upto(now_ms);
            let rows = store.claim(Space::Due, &upto, own, CLAIMED_MS, PAGE).await?;
            if rows.is_empty() {
                // Another process meets them.
                return Ok(Look::Again);
            }
            for (key, value) in rows {
                failed |= !self.meet_row(&key, &value).await;
            }
        }
    }

    /// Waits until the updates are handled that were received before now: a move that was received
    /// in time counts, although it waits in a queue.
    async fn await_arrivals(&self) {
        let (arrivals, clock) = (self.ledger.arrivals(), self.ledger.clock());
        let now_ms = clock.monotonic_ms();
        if arrivals.are_handled(now_ms) {
            return;
        }
        tokio::select! {
            biased;
            () = arrivals.wait_until_handled(now_ms) => {}
            () = clock.sleep_ms(WAITED_MAX_MS) => {}
            () = self.tasks.stopping() => {}
        }
    }

    /// Meets one deadline; whether it is off the list.
    async fn meet_row(&self, key: &str, value: &[u8]) -> bool {
        let (due, read) = (serde_json::from_slice::<Due>(value), keys::read_due(key));
        let (Ok(due), Some((_, table))) = (due, read) else {
            let input = Input::Deadline(key.to_owned(), None);
            self.ledger.set_aside(&input, "a deadline that cannot be read").await;
            return true;
        };
        let input = Input::Deadline(key.to_owned(), Some(table.clone()));
        match self.ledger.guarded(&input, self.meet_one(key, &table, due)).await {
            Ok(Ok(Entered::Done)) | Err(_) => true,
            // Somebody acted at this very moment, and the table has gone on; if it has not, what
            // is known of it was wrong, and it is read anew with the next look.
            Ok(Ok(Entered::Conflict)) => false,
            Ok(Err(Failure::Damaged(_, why))) => {
                self.ledger.set_aside(&input, &why).await;
                true
            }
            Ok(Err(failure)) => {
                tracing::error!(key, %failure, "could not meet a deadline");
                false
            }
        }
    }

    async fn meet_one(&self, key: &str, id: &TableId, due: Due) -> Result<Entered, Failure> {
        let done = cut(Space::Due, key.to_owned());
        let is_meant = |table: &Table| due.concerns(table.version);
        let Some(mut held) = self.ledger.hold(id).await?.filter(|it| is_meant(it.table())) else {
            return self.off_the_list(done).await;
        };
        let table = held.table().clone();
        let now_ms = self.ledger.now_ms();
        let mut again = None;
        let mut purpose = due.purpose;
        let texts = match due.kind {
            DueKind::Call if purpose.kind == CallKind::Nudge => offers::nudge(&table),
            DueKind::Call if purpose.kind == CallKind::Invitation => offers::reminder(&table),
            DueKind::Call => {
                let Some(call) = present::call(&table) else {
                    return self.off_the_list(done).await;
                };
                let (now, next) =
                    reminding::called(&self.ledger, (&table, call.seat), due, now_ms).await?;
                again = next;
                if now { call.texts } else { Vec::new() }
            }
            DueKind::Closing => {
                purpose = CallPurpose { kind: CallKind::Closing, ..purpose };
                offers::closing(&table)
            }
            DueKind::Tick => return self.tick(&mut held, due, done, now_ms).await,
            DueKind::Patience => return self.off_the_list(done).await,
            DueKind::Archive => return self.ledger.archive(&mut held, vec![done]).await,
            DueKind::Think => {
                let again = due.put(now_ms + AGAIN_MS, id);
                self.ledger.keep(vec![done, again]).await?;
                drop(held);
                self.minds.think(&table, self.post.follows(&table));
                return Ok(Entered::Done);
            }
        };
        let calls = texts.into_iter().map(|(place, text)| call_put(&table, &place, text, purpose));
        let puts: Vec<Put> = calls.chain([done]).chain(again).collect();
        // Said only if the table stands as it was: another process may have written to it.
        let commit = Commit { appends: vec![held.unchanged()], puts, ..Commit::default() };
        let entered = self.ledger.commit(commit).await?;
        if entered == Entered::Conflict {
            held.forget();
        }
        Ok(entered)
    }

    /// Applies what time alone decides at a table.
    async fn tick(
        &self,
        held: &mut Held,
        due: Due,
        done: Put,
        now_ms: u64,
    ) -> Result<Entered, Failure> {
        let table = held.table().clone();
        if let Some(decision) = tick(&table, now_ms) {
            let deed = Deed { held, decision, answered: None };
            return self.ledger.enter(vec![deed], Commit::of(vec![done])).await;
        }
        if due.version == Due::ANY {
            let later = table.abandoned_ms().filter(|it| *it > now_ms);
            let later = later.map(|at_ms| due.put(at_ms, &table.id));
            self.ledger.keep([done].into_iter().chain(later).collect()).await?;
            return Ok(Entered::Done);
        }
        if deadline(&table).is_some_and(|at| at > now_ms) {
            // The clock was set back since this was found due: it is due later.
            return Ok(Entered::Conflict);
        }
        self.off_the_list(done).await
    }

    /// What is not to be done any more is taken off the list.
    async fn off_the_list(&self, done: Put) -> Result<Entered, Failure> {
        self.ledger.keep(vec![done]).await?;
        Ok(Entered::Done)
    }

    /// Separates tables that earlier versions wrote into one log; whether all logs were searched.
    async fn separate(&self) -> bool {
        let clock = self.ledger.clock();
        let end_ms = clock.monotonic_ms() + SEARCH_MS;
        while !self.tasks.is_stopping() {
            match self.ledger.separate_page().await {
                Ok(true) => return true,
                Ok(false) if clock.monotonic_ms() < end_ms => {}
                Ok(false) => break,
                Err(failure) => {
                    tracing::error!(%failure, "could not search logs for those of two tables");
                    break;
                }
            }
        }
        false
    }

    /// Gives rows of earlier versions a lifetime, a page at a time; whether all have one.
    async fn age(&self) -> bool {
        self.ledger.age().await.unwrap_or_else(|failure| {
            tracing::error!(%failure, "could not look at old rows");
            false
        })
    }

    /// Computers are asked again by the clock on the wall, for the list is one of people's
    /// deadlines. When that clock was set back, or had been ahead before a restart, those that are
    /// to be asked much later than they ever may be are asked now.
    async fn ask_computers_now(&self, now_ms: u64) -> Result<(), Failure> {
        let mut after = keys::due_upto(now_ms + AGAIN_MS);
        loop {
            let rows = self.ledger.store().scan(Space::Due, "", Some(&after), PAGE).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after.clone_from(last);
            let mut puts = Vec::new();
            for (key, value) in &rows {
                let due = serde_json::from_slice::<Due>(value).ok();
                if let Some(due) = due.filter(|it| it.kind == DueKind::Think)
                    && let Some((_, table)) = keys::read_due(key)
                {
                    puts.extend([cut(Space::Due, key.clone()), due.put(now_ms, &table)]);
                }
            }
            self.ledger.keep(puts).await?;
        }
    }

    /// Sweeps away what has lived its time.
    async fn sweep(&self) {
        let (store, now_ms) = (self.ledger.store(), self.ledger.now_ms());
        while !self.tasks.is_stopping() {
            match store.sweep(now_ms, SWEPT).await {
                Ok(swept) if swept < SWEPT => return,
                Ok(_) => {}
                Err(error) => {
                    tracing::error!(%error, "could not sweep");
                    return;
                }
            }
        }
    }
}
