//! One sender for each place that has something to be told: newest board wins, budgets are kept,
//! failures are tried again.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;

use super::boards::Sending;
use super::outbox::{BoardState, Task, Work};
use super::settings::{parse, put};
use super::{Failure, Inner, keys};
use crate::chat::note::Note;
use crate::chat::{Platform, SendError};
use crate::ids::PlaceId;
use crate::store::{Put, Space};
use crate::table::fold::Table;

/// At most so many entries are looked at together.
const PAGE: usize = 200;

/// How long a failed call waits before it is tried again: doubled each time, in milliseconds.
const BACK_OFF_MS: u64 = 1_000;
const BACK_OFF_MAX_MS: u64 = 5 * 60_000;

/// What even a service that stops waits for, in milliseconds.
const SHORT_MS: u64 = 500;

/// After so many failures in a row a sender ends; the timers wake it again after some minutes.
const FAILURES: u32 = 6;

/// What a sender does next.
enum Next {
    /// Go on with the next entry.
    On,
    /// Wait so many milliseconds first.
    Wait(u64),
    /// It failed for now.
    Failed,
    /// Nothing can be said here.
    Stop,
}

impl Inner {
    /// Takes up what was not sent yet to places whose ids begin so: after a start everywhere,
    /// later in a chat with all its topics.
    pub(super) async fn resume_senders(&self, places: &str) -> Result<(), Failure> {
        let mut after: Option<String> = None;
        loop {
            let rows = self.store.scan(Space::Outbox, places, after.as_deref(), PAGE).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after = Some(last.clone());
            for (key, _) in &rows {
                let place = key.split(' ').next().unwrap_or_default();
                self.wake(&PlaceId(place.to_owned()));
            }
        }
    }

    /// Makes sure a sender works for this place.
    pub(super) fn wake(&self, place: &PlaceId) {
        let mut senders = self.senders.lock().expect("nothing panics while holding this lock");
        if let Some(more) = senders.get_mut(place) {
            *more = true;
            return;
        }
        let Some(inner) = self.me.upgrade() else { return };
        senders.insert(place.clone(), false);
        self.begin_work();
        let place = place.clone();
        tokio::spawn(async move {
            if AssertUnwindSafe(inner.send_all(&place)).catch_unwind().await.is_err() {
                tracing::error!(place = %place.0, "a bug: a sender panicked");
                inner.forget_sender(&place);
            }
            inner.end_work();
        });
    }

    fn forget_sender(&self, place: &PlaceId) {
        self.senders.lock().expect("nothing panics while holding this lock").remove(place);
    }

    /// Whether the sender of this place may end; if something was added meanwhile, it may not.
    fn may_end(&self, place: &PlaceId) -> bool {
        let mut senders = self.senders.lock().expect("nothing panics while holding this lock");
        match senders.get_mut(place) {
            Some(more) if *more => {
                *more = false;
                false
            }
            Some(_) | None => {
                senders.remove(place);
                true
            }
        }
    }

    async fn send_all(&self, place: &PlaceId) {
        let Some(platform) = self.platform(place) else {
            // The platform is not there (yet); its entries wait for it.
            self.forget_sender(place);
            return;
        };
        let mut failures = 0;
        let mut last = String::new();
        loop {
            let next = match self.send_next(place, platform.as_ref(), &mut last).await {
                Ok(Some(next)) => next,
                Ok(None) if self.may_end(place) => return,
                Ok(None) => continue,
                Err(failure) => {
                    tracing::error!(place = %place.0, %failure, "could not send");
                    Next::Failed
                }
            };
            let wait_ms = match next {
                Next::On => {
                    failures = 0;
                    0
                }
                Next::Wait(ms) => ms,
                Next::Failed => {
                    failures += 1;
                    (BACK_OFF_MS << failures.min(16)).min(BACK_OFF_MAX_MS)
                }
                Next::Stop => 0,
            };
            if matches!(next, Next::Stop) || failures > FAILURES {
                if self.may_end(place) {
                    return;
                }
                failures = 0;
            } else if !self.wait(wait_ms).await {
                self.forget_sender(place);
                return;
            }
        }
    }

    /// How long the place has to be left alone, if at all.
    fn must_wait_ms(&self, place: &PlaceId, platform: &dyn Platform) -> Option<u64> {
        let per_minute = platform.calls_per_minute(place);
        self.paces.wait_ms(place.chat(), per_minute, self.clock.now_ms())
    }

    /// Waits, unless the service stops meanwhile: then `false`. Short waits are waited out, so
    /// that what is decided is said.
    async fn wait(&self, ms: u64) -> bool {
        if 0 < ms && ms <= SHORT_MS {
            self.clock.sleep_ms(ms).await;
        } else if ms > SHORT_MS {
            let mut stopping = self.stopping.subscribe();
            tokio::select! {
                () = self.clock.sleep_ms(ms) => {}
                _ = stopping.wait_for(|it| *it) => return false,
            }
        }
        true
    }

    /// Whether nothing may be said in this place at the moment.
    async fn is_quiet(&self, place: &PlaceId) -> Result<bool, Failure> {
        let mute = self.store.get(Space::Meta, &keys::mute(place)).await?;
        Ok(mute.is_some() || self.place(place).await?.gone)
    }

    /// Sends one thing; `None` when nothing is left.
    async fn send_next(
        &self,
        place: &PlaceId,
        platform: &dyn Platform,
        last: &mut String,
    ) -> Result<Option<Next>, Failure> {
        let Some(work) = self.next_work(place, last).await? else { return Ok(None) };
        if self.is_quiet(place).await? {
            return Ok(Some(Next::Stop));
        }
        if let Some(ms) = self.must_wait_ms(place, platform) {
            return Ok(Some(Next::Wait(ms)));
        }
        last.clone_from(&work.name);
        let sending = Sending { inner: self, platform, place };
        let (sent, entries, puts) = self.send(sending, work).await?;
        metrics::counter!("caravanserai_sends_total",
            "platform" => platform.name(), "result" => outcome(&sent))
        .increment(1);
        tracing::debug!(place = %place.0, turn = %last, result = outcome(&sent), "sent");
        self.sent(place, entries, puts, sent).await.map(Some)
    }

    /// Makes the calls of one piece of work. What comes back: the result, the entries it settles,
    /// and what to store if it succeeded.
    async fn send(
        &self,
        sending: Sending<'_>,
        work: Work,
    ) -> Result<(Result<(), SendError>, Vec<String>, Vec<Put>), Failure> {
        let Work { name, entries, task } = work;
        let id = match &task {
            Task::Note(note) => {
                let sent = self.send_note(sending, note, name).await?;
                return Ok((sent, entries, Vec::new()));
            }
            Task::Replay(table) => {
                let (sent, puts) = self.send_replay(sending, table).await?;
                return Ok((sent, entries, puts));
            }
            Task::Review(table) => {
                let (sent, puts) = self.send_review(sending, table).await?;
                return Ok((sent, entries, puts));
            }
            Task::Board(id, _) | Task::Call(id, _) | Task::Hand(id, _) => id,
        };
        let place = sending.place;
        let table = match self.hold(id).await {
            Ok(Some(held)) if held.table().place() == place => held.table().copy(),
            // The table went to another place with its entries; these are leftovers.
            Ok(_) | Err(Failure::Damaged(..)) => return Ok((Ok(()), entries, Vec::new())),
            Err(failure) => return Err(failure),
        };
        if let Task::Hand(_, seat) = task {
            return Ok((self.send_hand(sending, &table, seat).await?, entries, Vec::new()));
        }
        let key = keys::board(&table.id, place);
        let mut state: BoardState = parse(self.store.get(Space::Board, &key).await?);
        let sent = match task {
            Task::Board(_, task) => sending.board(&table, task.down, &mut state).await?,
            Task::Call(_, task) => sending.call(&table, task, &mut state).await?,
            Task::Note(_) | Task::Replay(_) | Task::Review(_) | Task::Hand(..) => Ok(()),
        };
        Ok((sent, entries, kept(place, &table, &state)))
    }

    async fn send_note(
        &self,
        sending: Sending<'_>,
        note: &Note,
        nonce: String,
    ) -> Result<Result<(), SendError>, Failure> {
        let reader = self.place(sending.place).await?.reads();
        let message = self.outgoing(note, &reader, nonce, None).await?;
        sending.count();
        Ok(sending.platform.post(sending.place, &message).await.map(drop))
    }

    /// What came of a call, and what is next.
    async fn sent(
        &self,
        place: &PlaceId,
        entries: Vec<String>,
        puts: Vec<Put>,
        sent: Result<(), SendError>,
    ) -> Result<Next, Failure> {
        match sent {
            Ok(()) => {
                self.settle(entries, puts).await?;
                Ok(Next::On)
            }
            Err(SendError::Wait(ms)) => Ok(Next::Wait(ms)),
            Err(SendError::Temporary(why)) => {
                tracing::warn!(place = %place.0, why, "a call failed, it will be tried again");
                Ok(Next::Failed)
            }
            Err(SendError::NotAllowed) => {
                tracing::info!(place = %place.0, "not allowed to write there");
                let mute = Put::new(Space::Meta, keys::mute(place), Vec::new());
                self.settle(Vec::new(), vec![mute]).await?;
                Ok(Next::Stop)
            }
            Err(SendError::PlaceGone) => {
                self.place_gone(place).await?;
                Ok(Next::Stop)
            }
            Err(SendError::Moved(to)) => {
                self.move_place(place, &to).await?;
                Ok(Next::On)
            }
            // A message that vanished while it was being edited is posted anew next time.
            Err(SendError::MessageGone) => Ok(Next::Failed),
            Err(SendError::Refused(why)) => {
                tracing::error!(place = %place.0, why, "a message was refused");
                self.settle(entries, Vec::new()).await?;
                Ok(Next::On)
            }
        }
    }
}

/// What to store after the messages of a table were sent.
fn kept(place: &PlaceId, table: &Table, state: &BoardState) -> Vec<Put> {
    let mut puts = vec![put(Space::Board, keys::board(&table.id, place), state)];
    for message in state.message.iter().chain(&state.call) {
        let key = keys::message(place, message);
        puts.push(Put::new(Space::Message, key, table.id.0.clone()));
    }
    puts
}

fn outcome(sent: &Result<(), SendError>) -> &'static str {
    match sent {
        Ok(()) => "sent",
        Err(SendError::Wait(_)) => "wait",
        Err(SendError::MessageGone) => "gone",
        Err(SendError::NotAllowed) => "not allowed",
        Err(SendError::PlaceGone) => "place gone",
        Err(SendError::Moved(_)) => "moved",
        Err(SendError::Temporary(_)) => "failed",
        Err(SendError::Refused(_)) => "refused",
    }
}
