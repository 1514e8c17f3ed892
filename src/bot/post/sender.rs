//! One sender for each place that has something to be told: newest board wins, budgets are kept,
//! failures are tried again, what breaks the code is set aside.

use std::sync::Arc;

use super::boards::Sending;
use super::budget::is_free;
use super::leases::Shown;
use super::outbox::{Lane, Next, Task, Work, said};
use super::{Awake, Post};
use crate::ledger::aside::Input;
use crate::ledger::rows::{BoardState, cut, message_put, put, removal_put, rights};
use crate::ledger::{Entered, Failure, keys};
use caravanserai_games::ids::PlaceId;
use caravanserai_protocol::note::Note;
use caravanserai_protocol::{Platform, SendError};
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::fold::Table;

/// How long a failed call waits before it is tried again: doubled each time, in milliseconds.
const BACK_OFF_MS: u64 = 1_000;
const BACK_OFF_MAX_MS: u64 = 5 * 60_000;

/// What even a service that stops waits for, in milliseconds.
const SHORT_MS: u64 = 500;

/// How long hands that are not urgent wait before it is looked again whether there is plenty, in
/// milliseconds.
const LATER_MS: u64 = 5_000;

/// After so many failures in a row a sender ends; it is woken again after some minutes.
const FAILURES: u32 = 6;

/// How often it is tried to keep what was said against somebody who changes it all the time.
const SETTLED_TRIES: u32 = 3;

/// How long the pause between two tries to keep what was said is at most, in milliseconds: a store
/// that is back is not to wait for long.
const SETTLED_MAX_MS: u64 = 8_000;

/// How long a place is left alone that did not let the bot write, unless something is heard from
/// there before, in milliseconds: a week.
const MUTE_MS: u64 = 7 * 24 * 3_600_000;

/// How long it is known what was spent of a budget, in milliseconds.
const SPENT_MS: u64 = 2 * 60_000;

/// How long to wait after so many failures in a row, in milliseconds.
fn back_off_ms(failures: u32, most_ms: u64) -> u64 {
    (BACK_OFF_MS << failures.min(16)).min(most_ms)
}

/// What a sender does next.
enum Step {
    /// Go on with the next entry.
    On,
    /// Wait so many milliseconds first.
    Wait(u64),
    /// Wait so many milliseconds first, or until something is added.
    Rest(u64),
    /// It failed for now.
    Failed,
    /// Nothing can be said here.
    Stop,
}

/// What a call gave, and what to store if it succeeded.
pub(super) struct Sent {
    pub(super) came: Result<(), SendError>,
    pub(super) puts: Vec<Put>,
    /// For messages of a table.
    shown: Option<Shown>,
}

impl Sent {
    /// With nothing to store.
    pub(super) fn just(came: Result<(), SendError>) -> Self {
        Sent { came, puts: Vec::new(), shown: None }
    }

    /// With this to store.
    pub(super) fn with(came: Result<(), SendError>, puts: Vec<Put>) -> Self {
        Sent { came, puts, shown: None }
    }

    /// There was nothing to say.
    pub(super) fn nothing() -> Self {
        Sent::just(Ok(()))
    }
}

impl Post {
    /// Makes sure a sender works for this place.
    pub fn wake(&self, place: &PlaceId) {
        // One that waits for its turn does not see what there is for the other.
        if !self.wake_lane(place, Lane::Everybody) {
            self.wake_lane(place, Lane::Hands);
        }
    }

    /// The same for one lane; whether it began just now.
    pub(super) fn wake_lane(&self, place: &PlaceId, lane: Lane) -> bool {
        let key = (place.clone(), lane);
        let mut senders = self.senders.lock().expect("nothing panics while holding this lock");
        if let Some(awake) = senders.get_mut(&key) {
            awake.more = true;
            awake.bell.notify_one();
            return false;
        }
        let Some(post) = self.me.upgrade() else { return true };
        senders.insert(key.clone(), Awake::default());
        drop(senders);
        let at_work = AtWork { post, key, ended: false };
        self.tasks.spawn(async move {
            if at_work.post.send_all(&at_work.key).await {
                at_work.end();
            }
        });
        true
    }

    /// Whether the sender of this place may end; if something was added meanwhile, it may not.
    fn may_end(&self, key: &(PlaceId, Lane)) -> bool {
        let mut senders = self.senders.lock().expect("nothing panics while holding this lock");
        match senders.get_mut(key) {
            Some(awake) if awake.more => {
                awake.more = false;
                false
            }
            Some(_) | None => {
                senders.remove(key);
                true
            }
        }
    }

    /// Sends until nothing is left; `false` if it was broken off.
    async fn send_all(&self, key: &(PlaceId, Lane)) -> bool {
        let (place, lane) = (&key.0, key.1);
        // If the platform is not there (yet), its entries wait for it.
        let Some(platform) = self.platform(place) else { return false };
        let mut failures = 0;
        let mut last = String::new();
        loop {
            let step = match self.send_next(place, lane, platform.as_ref(), &mut last).await {
                Ok(Some(step)) => step,
                Ok(None) if self.may_end(key) => return true,
                Ok(None) => continue,
                // It is stored and sent at the next start; the shutdown logs how much is left.
                Err(_) if self.tasks.is_stopping() => return false,
                Err(failure) => {
                    tracing::error!(place = %place.0, %failure, "could not send");
                    Step::Failed
                }
            };
            let wait_ms = match step {
                Step::On => {
                    failures = 0;
                    0
                }
                Step::Wait(ms) => ms,
                Step::Rest(ms) => {
                    if !self.rest(key, ms).await {
                        return false;
                    }
                    0
                }
                Step::Failed => {
                    failures += 1;
                    back_off_ms(failures, BACK_OFF_MAX_MS)
                }
                Step::Stop => 0,
            };
            if matches!(step, Step::Stop) || failures > FAILURES {
                if self.may_end(key) {
                    return true;
                }
                failures = 0;
            } else if !self.wait(wait_ms).await {
                return false;
            }
        }
    }

    /// Waits until something is added, at most so long; `false` if the service stops.
    async fn rest(&self, key: &(PlaceId, Lane), ms: u64) -> bool {
        let bell = {
            let senders = self.senders.lock().expect("nothing panics while holding this lock");
            senders.get(key).map(|it| it.bell.clone()).unwrap_or_default()
        };
        tokio::select! {
            biased;
            () = bell.notified() => true,
            () = self.ledger.clock().sleep_ms(ms) => true,
            () = self.tasks.stopping() => false,
        }
    }

    /// Waits, unless the service stops meanwhile: then `false`. Short waits are waited out, so
    /// that what is decided is said.
    async fn wait(&self, ms: u64) -> bool {
        let clock = self.ledger.clock();
        if 0 < ms && ms <= SHORT_MS {
            clock.sleep_ms(ms).await;
        } else if ms > SHORT_MS {
            tokio::select! {
                biased;
                () = clock.sleep_ms(ms) => {}
                () = self.tasks.stopping() => return false,
            }
        }
        true
    }

    /// Sends one thing; `None` when nothing is left.
    async fn send_next(
        &self,
        place: &PlaceId,
        lane: Lane,
        platform: &dyn Platform,
        last: &mut String,
    ) -> Result<Option<Step>, Failure> {
        let (work, profile) = match self.next(place, platform, lane, last).await? {
            Next::Nothing => return Ok(None),
            Next::Quiet => return Ok(Some(Step::Stop)),
            Next::Elsewhere => {
                // Whoever has it hears of what was written, and sends it.
                self.leave(place);
                return Ok(Some(Step::Stop));
            }
            Next::Later => return Ok(Some(Step::Rest(LATER_MS))),
            Next::Work(work, profile) => (*work, *profile),
        };
        let (per_minute, now_ms) =
            (platform.calls_per_minute(place), self.ledger.clock().monotonic_ms());
        let wait_ms = match lane {
            Lane::Everybody => self.budgets.wait_ms(place.chat(), per_minute, now_ms),
            Lane::Hands => self.budgets.wait_hand_ms(place.chat(), per_minute, now_ms),
        };
        if let Some(ms) = wait_ms {
            return Ok(Some(Step::Wait(ms)));
        }
        last.clone_from(&work.name);
        let entries = work.entries.clone();
        let input = Input::Letter(place.clone(), entries.clone());
        if let Task::Note(None) = &work.task {
            self.ledger.set_aside(&input, "a message that cannot be read").await;
            return Ok(Some(Step::On));
        }
        let sending = Sending { post: self, platform, place, profile: &profile };
        let done = match self.ledger.guarded(&input, self.send(sending, work)).await {
            Ok(Ok(done)) => done,
            Ok(Err(Failure::Damaged(table, why))) => {
                self.ledger.set_aside(&input, &format!("table {}: {why}", table.0)).await;
                return Ok(Some(Step::On));
            }
            Ok(Err(failure)) => return Err(failure),
            Err(_) => return Ok(Some(Step::On)),
        };
        count_call(platform, &done.came);
        tracing::debug!(place = %place.0, turn = %last, result = outcome(&done.came), "sent");
        self.sent(sending, entries, done).await.map(Some)
    }

    /// Makes the calls of one piece of work: the result, and what to store if it succeeded.
    async fn send(&self, sending: Sending<'_>, work: Work) -> Result<Sent, Failure> {
        let Work { name, task, .. } = work;
        let id = match &task {
            Task::Note(Some(note)) => return sending.note(note, name).await,
            // It was set aside when its turn came.
            Task::Note(None) => return Ok(Sent::nothing()),
            Task::Replay(table, file) => return sending.replay(table, file.clone()).await,
            Task::Review(table, review) => return sending.review(table, review).await,
            Task::Progress(table, told) => return sending.progress(table, told).await,
            Task::List(person) => return sending.list(person).await,
            Task::Board(id, _) | Task::Removal(id, _) | Task::Call(id, _) | Task::Hand(id, _) => id,
        };
        let place = sending.place;
        let table = match self.ledger.look(id).await? {
            Some(table) if table.spot(place).is_some() => table,
            Some(table) if matches!(task, Task::Board(..)) => {
                return sending.farewell(&table).await;
            }
            // The table went to another place with its entries; these are leftovers.
            Some(_) | None => return Ok(Sent::nothing()),
        };
        if let Task::Hand(_, seat) = task {
            return Ok(Sent::just(sending.hand(&table, seat).await?));
        }
        if let Task::Removal(_, old) = &task {
            return Ok(Sent::just(sending.removal(&table, old).await?));
        }
        let before = self.board_state(&table, place).await?;
        let mut state = before.clone();
        let table = match task {
            Task::Board(..) => self.credited(table, place, &before).await?,
            _ => table,
        };
        let sent = match task {
            Task::Board(_, task) => {
                let sent = sending.board(&table, task, &mut state).await?;
                if let Err(SendError::Refused(_)) = sent {
                    sending.board_refused(&table).await?;
                }
                sent
            }
            Task::Call(_, task) => sending.call(&table, task, &mut state).await?,
            Task::Note(_)
            | Task::Removal(..)
            | Task::Replay(..)
            | Task::Review(..)
            | Task::Progress(..)
            | Task::List(_)
            | Task::Hand(..) => Ok(()),
        };
        let mut puts = self.kept(place, &table, &before, &state);
        if state.shown != before.shown {
            puts.extend(self.lists_anew(&table).await?);
        }
        let shown = Some(Shown { table, before, after: state });
        Ok(Sent { came: sent, puts, shown })
    }

    /// What to store after the messages of a table were sent. While a table is open its messages
    /// are known; those that have gone, or whose table has ended, are known for a while.
    pub(super) fn kept(
        &self,
        place: &PlaceId,
        table: &Table,
        before: &BoardState,
        after: &BoardState,
    ) -> Vec<Put> {
        let until_ms = self.ledger.now_ms() + self.ledger.limits().messages_ms;
        let lasting = |row: Put| if table.is_open() { row } else { row.until(until_ms) };
        let mut puts = vec![lasting(after.put(&table.id, place))];
        let row = |message| message_put(table, place, message);
        let now: Vec<_> = after.message.iter().chain(&after.call).collect();
        puts.extend(now.iter().map(|it| lasting(row(it))));
        let gone = before.message.iter().chain(&before.call).filter(|it| !now.contains(it));
        puts.extend(gone.map(|it| row(it).until(until_ms)));
        puts.extend(after.left.iter().map(|it| removal_put(table, place, it)));
        puts
    }

    /// What came of a call, and what is next.
    async fn sent(
        &self,
        sending: Sending<'_>,
        entries: Vec<String>,
        sent: Sent,
    ) -> Result<Step, Failure> {
        let (place, platform) = (sending.place, sending.platform);
        match sent.came {
            Ok(()) => self.settle_said(sending, entries, sent).await,
            Err(SendError::Wait(ms)) => {
                let (per_minute, now_ms) =
                    (platform.calls_per_minute(place), self.ledger.clock().monotonic_ms());
                self.budgets.told_to_wait(place.chat(), per_minute, now_ms, ms);
                Ok(Step::Wait(ms))
            }
            Err(SendError::Temporary(why)) => {
                tracing::warn!(place = %place.0, why, "a call failed, it will be tried again");
                if let Some(shown) = &sent.shown {
                    sending.may_have_come_late(shown).await?;
                }
                Ok(Step::Failed)
            }
            Err(SendError::NotNow) => {
                match sent.shown.as_ref().and_then(|it| self.retry_unshown_ms(place, it)) {
                    // The clock of the turn runs: each retry gives its time back.
                    Some(ms) => Ok(Step::Rest(ms)),
                    None => {
                        self.settle(entries, Vec::new()).await?;
                        Ok(Step::On)
                    }
                }
            }
            Err(SendError::NotAllowed) => {
                tracing::info!(place = %place.0, "not allowed to write there");
                let until_ms = self.ledger.now_ms() + MUTE_MS;
                let lacking = rights(platform.lacking(place));
                let mute = put(Space::Meta, keys::mute(place), &lacking).until(until_ms);
                self.settle(Vec::new(), vec![mute]).await?;
                sending.in_vain(lacking).await?;
                self.ledger.reader_gone(place).await?;
                Ok(Step::Stop)
            }
            Err(SendError::PlaceGone) => {
                tracing::info!(place = %place.0, "the place is no more");
                self.ledger.place_deleted(place).await?;
                Ok(Step::Stop)
            }
            Err(SendError::Moved(to)) => {
                self.ledger.move_place(place, &to).await?;
                Ok(Step::On)
            }
            // A message that vanished while it was being edited is posted anew next time.
            Err(SendError::MessageGone) => Ok(Step::Failed),
            Err(SendError::Refused(why)) => {
                tracing::error!(place = %place.0, why, "a message was refused");
                self.settle(entries, Vec::new()).await?;
                Ok(Step::On)
            }
        }
    }

    /// Keeps what was said just now. What is not kept would be said again, and not every platform
    /// knows copies; and of a board that stands over the newer one of another process nobody would
    /// know. So it is tried until it can be.
    async fn settle_said(
        &self,
        sending: Sending<'_>,
        entries: Vec<String>,
        sent: Sent,
    ) -> Result<Step, Failure> {
        let Sent { mut puts, shown, .. } = sent;
        puts.extend(self.spent(sending.place, sending.platform));
        let lists = Self::listed_in(&puts);
        puts.extend(said(entries));
        let unchanged = shown.iter().map(|it| it.after.unchanged(&it.table.id, sending.place));
        let commit = Commit { expect: unchanged.collect(), ..Commit::of(puts) };
        for tries in 1.. {
            let settled = match (self.ledger.commit(commit.clone()).await, &shown) {
                (Ok(Entered::Done), _) => Ok(true),
                (Ok(Entered::Conflict), Some(shown)) => sending.gives_way(shown).await,
                (Ok(Entered::Conflict), None) => Ok(false),
                (Err(failure), _) => Err(failure),
            };
            match settled {
                Ok(true) => {
                    lists.iter().for_each(|it| self.wake(it));
                    return Ok(Step::On);
                }
                Ok(false) if tries > SETTLED_TRIES => break,
                Ok(false) => {}
                Err(failure) => tracing::warn!(%failure, "what was said cannot be kept yet"),
            }
            if !self.wait(back_off_ms(tries, SETTLED_MAX_MS)).await {
                break;
            }
        }
        Ok(Step::Failed)
    }

    /// What was spent of the budget of a chat, for whoever speaks to it next.
    fn spent(&self, place: &PlaceId, platform: &dyn Platform) -> Option<Put> {
        if is_free(platform.calls_per_minute(place)) {
            return None;
        }
        let (now_ms, wall_ms) = (self.ledger.clock().monotonic_ms(), self.ledger.now_ms());
        let spent = self.budgets.spent(place.chat(), now_ms, wall_ms);
        let row = put(Space::Meta, keys::budget(place.chat()), &spent);
        Some(row.until(wall_ms + SPENT_MS))
    }
}

impl Sending<'_> {
    /// The board of a table that does not stand here any more says so, and has no buttons.
    async fn farewell(self, table: &Table) -> Result<Sent, Failure> {
        let state = self.post.board_state(table, self.place).await?;
        let forgotten = vec![cut(Space::Board, keys::board(&table.id, self.place))];
        if let Some(call) = &state.call {
            self.count();
            self.platform.delete(self.place, call).await.ok();
        }
        let Some(board) = &state.message else { return Ok(Sent::with(Ok(()), forgotten)) };
        let message = self.parting(table).await?;
        self.count();
        let sent = match self.edit(board, &message).await {
            Err(SendError::MessageGone | SendError::Refused(_) | SendError::NotNow) => Ok(()),
            other => other,
        };
        let until_ms = self.post.ledger.now_ms() + self.post.ledger.limits().messages_ms;
        let known = message_put(table, self.place, board).until(until_ms);
        Ok(Sent::with(sent, forgotten.into_iter().chain([known]).collect()))
    }

    /// Says what belongs to no table.
    async fn note(self, note: &Note, nonce: String) -> Result<Sent, Failure> {
        if self.only().is_some() {
            return Ok(Sent::nothing());
        }
        let update = nonce.split_once(' ').map(|(_, update)| update.to_owned());
        let letters = &self.post.letters;
        let message = letters.outgoing(note, &self.profile.reads(), nonce, None).await?;
        let mut message = self.addressed(message).await?;
        message.answers = update;
        message.loud &= !self.profile.quiet;
        Ok(Sent::just(self.posted(&message.into()).await.map(drop)))
    }
}

/// A sender that works until this is dropped, however it ends.
struct AtWork {
    post: Arc<Post>,
    key: (PlaceId, Lane),
    /// Whether it is not listed any more: the next sender of this place may be.
    ended: bool,
}

impl AtWork {
    /// It has ended and is not listed any more.
    fn end(mut self) {
        self.ended = true;
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        if !self.ended
            && let Ok(mut senders) = self.post.senders.lock()
        {
            senders.remove(&self.key);
        }
    }
}

/// Counts what came of a call, or of several that said one thing.
pub(super) fn count_call<T>(platform: &dyn Platform, came: &Result<T, SendError>) {
    metrics::counter!("caravanserai_sends_total",
        "platform" => platform.name(), "result" => outcome(came))
    .increment(1);
}

fn outcome<T>(sent: &Result<T, SendError>) -> &'static str {
    match sent {
        Ok(_) => "sent",
        Err(SendError::Wait(_)) => "wait",
        Err(SendError::MessageGone) => "gone",
        Err(SendError::NotNow) => "not now",
        Err(SendError::NotAllowed) => "not allowed",
        Err(SendError::PlaceGone) => "place gone",
        Err(SendError::Moved(_)) => "moved",
        Err(SendError::Temporary(_)) => "failed",
        Err(SendError::Refused(_)) => "refused",
    }
}
