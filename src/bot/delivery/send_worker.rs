//! One sender for each place that has something to be told: newest board wins, budgets are kept,
//! failures are tried again, what breaks the code is set aside.

use std::sync::Arc;

use super::board_message::SendContext;
use super::chat_lease::ShownBoard;
use super::outbox::{NextWork, OutboxTask, OutboxWork, SendLane, removal_puts};
use super::rate_limits::is_unlimited;
use super::{ActiveSender, Delivery};
use crate::repository::quarantine::GuardedInput;
use crate::repository::stored_rows::{
    BoardState, message_put, missing_rights, put_json, removal_put, remove_row,
};
use crate::repository::{CommitOutcome, Failure, keys};
use caravanserai_games::ids::PlaceId;
use caravanserai_protocol::view::View;
use caravanserai_protocol::{Platform, SendError};
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::state::Table;

/// How long a failed call waits before it is tried again: doubled each time, in milliseconds.
const BACKOFF_BASE_MS: u64 = 1_000;
const BACKOFF_MAX_MS: u64 = 5 * 60_000;

/// What even a service that stops waits for, in milliseconds.
const SHORT_WAIT_MS: u64 = 500;

/// How long hands that are not urgent wait before it is looked again whether there is plenty, in
/// milliseconds.
const NOT_URGENT_RETRY_MS: u64 = 5_000;

/// After so many failures in a row a sender ends; it is woken again after some minutes.
const FAILURES_MAX: u32 = 6;

/// How often it is tried to keep what was said against somebody who changes it all the time.
const ACK_TRIES: u32 = 3;

/// How long the pause between two tries to keep what was said is at most, in milliseconds: a store
/// that is back is not to wait for long.
const ACK_BACKOFF_MAX_MS: u64 = 8_000;

/// How long a place is left alone that did not let the bot write, unless something is heard from
/// there before, in milliseconds: a week.
const MUTED_TTL_MS: u64 = 7 * 24 * 3_600_000;

/// How long it is known what was spent of a budget, in milliseconds.
const CALL_HISTORY_TTL_MS: u64 = 2 * 60_000;

/// How long to wait after so many failures in a row, in milliseconds.
fn backoff_ms(failures: u32, most_ms: u64) -> u64 {
    (BACKOFF_BASE_MS << failures.min(16)).min(most_ms)
}

/// What a sender does next.
enum SendStep {
    /// Go on with the next entry.
    Continue,
    /// Wait so many milliseconds first.
    Wait(u64),
    /// Wait so many milliseconds first, or until something is added.
    WaitForMore(u64),
    /// It failed for now.
    Retry,
    /// Nothing can be said here.
    Stop,
}

/// What a call gave, and what to store if it succeeded.
pub(super) struct CallOutcome {
    pub(super) result: Result<(), SendError>,
    pub(super) puts: Vec<Put>,
    /// For messages of a table.
    shown: Option<ShownBoard>,
}

impl CallOutcome {
    /// With nothing to store.
    pub(super) fn without_rows(came: Result<(), SendError>) -> Self {
        CallOutcome { result: came, puts: Vec::new(), shown: None }
    }

    /// With this to store.
    pub(super) fn with_rows(came: Result<(), SendError>, puts: Vec<Put>) -> Self {
        CallOutcome { result: came, puts, shown: None }
    }

    /// There was nothing to say.
    pub(super) fn no_call() -> Self {
        CallOutcome::without_rows(Ok(()))
    }
}

impl Delivery {
    /// Makes sure a sender works for this place.
    pub fn wake_senders(&self, place: &PlaceId) {
        // One that waits for its turn does not see what there is for the other.
        if !self.wake_lane(place, SendLane::Everybody) {
            self.wake_lane(place, SendLane::Hands);
        }
    }

    /// The same for one lane; whether it began just now.
    pub(super) fn wake_lane(&self, place: &PlaceId, lane: SendLane) -> bool {
        let key = (place.clone(), lane);
        let mut senders = self.senders.lock().expect("nothing panics while holding this lock");
        if let Some(awake) = senders.get_mut(&key) {
            awake.has_more = true;
            awake.added.notify_one();
            return false;
        }
        let Some(post) = self.weak_self.upgrade() else { return true };
        senders.insert(key.clone(), ActiveSender::default());
        drop(senders);
        let at_work = SenderGuard { post, key, ended: false };
        self.tasks.spawn(async move {
            if at_work.post.run_sender(&at_work.key).await {
                at_work.finish();
            }
        });
        true
    }

    /// Whether the sender of this place may end; if something was added meanwhile, it may not.
    fn try_end_sender(&self, key: &(PlaceId, SendLane)) -> bool {
        let mut senders = self.senders.lock().expect("nothing panics while holding this lock");
        match senders.get_mut(key) {
            Some(awake) if awake.has_more => {
                awake.has_more = false;
                false
            }
            Some(_) | None => {
                senders.remove(key);
                true
            }
        }
    }

    /// Sends until nothing is left; `false` if it was broken off.
    async fn run_sender(&self, key: &(PlaceId, SendLane)) -> bool {
        let (place, lane) = (&key.0, key.1);
        // If the platform is not there (yet), its entries wait for it.
        let Some(platform) = self.platform(place) else { return false };
        let mut failures = 0;
        let mut last = String::new();
        loop {
            let step = match self.send_next(place, lane, platform.as_ref(), &mut last).await {
                Ok(Some(step)) => step,
                Ok(None) if self.try_end_sender(key) => return true,
                Ok(None) => continue,
                // It is stored and sent at the next start; the shutdown logs how much is left.
                Err(_) if self.tasks.is_stopping() => return false,
                Err(failure) => {
                    tracing::error!(place = %place.0, %failure, "could not send");
                    SendStep::Retry
                }
            };
            let wait_ms = match step {
                SendStep::Continue => {
                    failures = 0;
                    0
                }
                SendStep::Wait(ms) => ms,
                SendStep::WaitForMore(ms) => {
                    if !self.wait_for_more(key, ms).await {
                        return false;
                    }
                    0
                }
                SendStep::Retry => {
                    failures += 1;
                    backoff_ms(failures, BACKOFF_MAX_MS)
                }
                SendStep::Stop => 0,
            };
            if matches!(step, SendStep::Stop) || failures > FAILURES_MAX {
                if self.try_end_sender(key) {
                    return true;
                }
                failures = 0;
            } else if !self.wait_unless_stopping(wait_ms).await {
                return false;
            }
        }
    }

    /// Waits until something is added, at most so long; `false` if the service stops.
    async fn wait_for_more(&self, key: &(PlaceId, SendLane), ms: u64) -> bool {
        let bell = {
            let senders = self.senders.lock().expect("nothing panics while holding this lock");
            senders.get(key).map(|it| it.added.clone()).unwrap_or_default()
        };
        tokio::select! {
            biased;
            () = bell.notified() => true,
            () = self.repository.time_source().sleep_ms(ms) => true,
            () = self.tasks.wait_for_stop() => false,
        }
    }

    /// Waits, unless the service stops meanwhile: then `false`. Short waits are waited out, so
    /// that what is decided is said.
    async fn wait_unless_stopping(&self, ms: u64) -> bool {
        let clock = self.repository.time_source();
        if 0 < ms && ms <= SHORT_WAIT_MS {
            clock.sleep_ms(ms).await;
        } else if ms > SHORT_WAIT_MS {
            tokio::select! {
                biased;
                () = clock.sleep_ms(ms) => {}
                () = self.tasks.wait_for_stop() => return false,
            }
        }
        true
    }

    /// Sends one thing; `None` when nothing is left.
    async fn send_next(
        &self,
        place: &PlaceId,
        lane: SendLane,
        platform: &dyn Platform,
        last: &mut String,
    ) -> Result<Option<SendStep>, Failure> {
        let (work, profile) = match self.next_work(place, platform, lane, last).await? {
            NextWork::Idle => return Ok(None),
            NextWork::Muted => return Ok(Some(SendStep::Stop)),
            NextWork::LeasedElsewhere => {
                // Whoever has it hears of what was written, and sends it.
                self.defer_to_lease_holder(place);
                return Ok(Some(SendStep::Stop));
            }
            NextWork::NotUrgent => return Ok(Some(SendStep::WaitForMore(NOT_URGENT_RETRY_MS))),
            NextWork::Work(work, profile) => (*work, *profile),
        };
        let (per_minute, now_ms) =
            (platform.call_limit_per_minute(place), self.repository.time_source().monotonic_ms());
        let wait_ms = match lane {
            SendLane::Everybody => self.rate_limits.wait_ms(place.chat(), per_minute, now_ms),
            SendLane::Hands => self.rate_limits.hand_wait_ms(place.chat(), per_minute, now_ms),
        };
        if let Some(ms) = wait_ms {
            return Ok(Some(SendStep::Wait(ms)));
        }
        last.clone_from(&work.name);
        let entries = work.entries.clone();
        let input = GuardedInput::Outbox(place.clone(), entries.clone());
        if let OutboxTask::Note(None) = &work.task {
            self.repository.quarantine(&input, "a message that cannot be read").await;
            return Ok(Some(SendStep::Continue));
        }
        let sending = SendContext { delivery: self, platform, place, profile: &profile };
        let done = match self.repository.run_guarded(&input, self.perform_work(sending, work)).await
        {
            Ok(Ok(done)) => done,
            Ok(Err(Failure::Damaged(table, why))) => {
                self.repository.quarantine(&input, &format!("table {}: {why}", table.0)).await;
                return Ok(Some(SendStep::Continue));
            }
            Ok(Err(failure)) => return Err(failure),
            Err(_) => return Ok(Some(SendStep::Continue)),
        };
        count_call(platform, &done.result);
        tracing::debug!(place = %place.0, turn = %last, result = outcome_label(&done.result), "sent");
        self.handle_outcome(sending, entries, done).await.map(Some)
    }

    /// Makes the calls of one piece of work: the result, and what to store if it succeeded.
    async fn perform_work(
        &self,
        sending: SendContext<'_>,
        work: OutboxWork,
    ) -> Result<CallOutcome, Failure> {
        let OutboxWork { name, task, .. } = work;
        let id = match &task {
            OutboxTask::Note(Some(note)) => return sending.post_note(note, name).await,
            // It was set aside when its turn came.
            OutboxTask::Note(None) => return Ok(CallOutcome::no_call()),
            OutboxTask::Replay(table, file) => {
                return sending.post_replay(table, file.clone()).await;
            }
            OutboxTask::Review(table, review) => return sending.post_review(table, review).await,
            OutboxTask::Progress(table, told) => {
                return sending.post_review_progress(table, told).await;
            }
            OutboxTask::List(person) => return sending.show_table_list(person).await,
            OutboxTask::Board(id, _)
            | OutboxTask::Removal(id, _)
            | OutboxTask::Call(id, _)
            | OutboxTask::Hand(id, _) => id,
        };
        let place = sending.place;
        let table = match self.repository.load_table(id).await? {
            Some(table) if table.location_in(place).is_some() => table,
            Some(table) if matches!(task, OutboxTask::Board(..)) => {
                return sending.post_detached(&table).await;
            }
            // The table went to another place with its entries; these are leftovers.
            Some(_) | None => return Ok(CallOutcome::no_call()),
        };
        if let OutboxTask::Hand(_, seat) = task {
            return Ok(CallOutcome::without_rows(sending.send_hand(&table, seat).await?));
        }
        if let OutboxTask::Removal(_, old) = &task {
            return Ok(CallOutcome::without_rows(sending.remove_old_boards(&table, old).await?));
        }
        let before = self.board_state(&table, place).await?;
        let mut state = before.clone();
        let table = match task {
            OutboxTask::Board(..) => self.refund_delay(table, place, &before).await?,
            _ => table,
        };
        let sent = match task {
            OutboxTask::Board(_, task) => {
                let sent = sending.show_board(&table, task, &mut state).await?;
                if let Err(SendError::Refused(_)) = sent {
                    sending.notify_board_refused(&table).await?;
                }
                sent
            }
            OutboxTask::Call(_, task) => sending.send_call(&table, task, &mut state).await?,
            OutboxTask::Note(_)
            | OutboxTask::Removal(..)
            | OutboxTask::Replay(..)
            | OutboxTask::Review(..)
            | OutboxTask::Progress(..)
            | OutboxTask::List(_)
            | OutboxTask::Hand(..) => Ok(()),
        };
        let mut puts = self.board_state_puts(place, &table, &before, &state);
        if state.shown != before.shown {
            puts.extend(self.refresh_lists_puts(&table).await?);
        }
        let shown = Some(ShownBoard { table, before, after: state });
        Ok(CallOutcome { result: sent, puts, shown })
    }

    /// What to store after the messages of a table were sent. While a table is open its messages
    /// are known; those that have gone, or whose table has ended, are known for a while.
    pub(super) fn board_state_puts(
        &self,
        place: &PlaceId,
        table: &Table,
        before: &BoardState,
        after: &BoardState,
    ) -> Vec<Put> {
        let until_ms = self.repository.now_ms() + self.repository.limits().message_ttl_ms;
        let lasting = |row: Put| if table.is_open() { row } else { row.expires_at(until_ms) };
        let mut puts = vec![lasting(after.put(&table.id, place))];
        let row = |message| message_put(table, place, message);
        let now: Vec<_> = after.message.iter().chain(&after.call).collect();
        puts.extend(now.iter().map(|it| lasting(row(it))));
        let gone = before.message.iter().chain(&before.call).filter(|it| !now.contains(it));
        puts.extend(gone.map(|it| row(it).expires_at(until_ms)));
        puts.extend(after.left.iter().map(|it| removal_put(table, place, it)));
        puts
    }

    /// What came of a call, and what is next.
    async fn handle_outcome(
        &self,
        sending: SendContext<'_>,
        entries: Vec<String>,
        sent: CallOutcome,
    ) -> Result<SendStep, Failure> {
        let (place, platform) = (sending.place, sending.platform);
        match sent.result {
            Ok(()) => self.ack_sent(sending, entries, sent).await,
            Err(SendError::RateLimited(ms)) => {
                let (per_minute, now_ms) = (
                    platform.call_limit_per_minute(place),
                    self.repository.time_source().monotonic_ms(),
                );
                self.rate_limits.apply_retry_after(place.chat(), per_minute, now_ms, ms);
                Ok(SendStep::Wait(ms))
            }
            Err(SendError::Temporary(why)) => {
                tracing::warn!(place = %place.0, why, "a call failed, it will be tried again");
                if let Some(shown) = &sent.shown {
                    sending.repair_late_call(shown).await?;
                }
                Ok(SendStep::Retry)
            }
            Err(SendError::NotNow) => {
                match sent.shown.as_ref().and_then(|it| self.retry_unshown_ms(place, it)) {
                    // The clock of the turn runs: each retry gives its time back.
                    Some(ms) => Ok(SendStep::WaitForMore(ms)),
                    None => {
                        self.complete_entries(entries, Vec::new()).await?;
                        Ok(SendStep::Continue)
                    }
                }
            }
            Err(SendError::NotAllowed) => {
                tracing::info!(place = %place.0, "not allowed to write there");
                let until_ms = self.repository.now_ms() + MUTED_TTL_MS;
                let lacking = missing_rights(platform.missing_permissions(place));
                let mute = put_json(Space::Meta, keys::muted(place), &lacking).expires_at(until_ms);
                self.complete_entries(Vec::new(), vec![mute]).await?;
                sending.notify_undeliverable(lacking).await?;
                self.repository.mark_reader_unreachable(place).await?;
                Ok(SendStep::Stop)
            }
            Err(SendError::ChatGone) => {
                tracing::info!(place = %place.0, "the place is no more");
                self.repository.delete_place(place).await?;
                Ok(SendStep::Stop)
            }
            Err(SendError::ChatMoved(to)) => {
                self.repository.move_place(place, &to).await?;
                Ok(SendStep::Continue)
            }
            // A message that vanished while it was being edited is posted anew next time.
            Err(SendError::MessageGone) => Ok(SendStep::Retry),
            Err(SendError::Refused(why)) => {
                tracing::error!(place = %place.0, why, "a message was refused");
                self.complete_entries(entries, Vec::new()).await?;
                Ok(SendStep::Continue)
            }
        }
    }

    /// Keeps what was said just now. What is not kept would be said again, and not every platform
    /// knows copies; and of a board that stands over the newer one of another process nobody would
    /// know. So it is tried until it can be.
    async fn ack_sent(
        &self,
        sending: SendContext<'_>,
        entries: Vec<String>,
        sent: CallOutcome,
    ) -> Result<SendStep, Failure> {
        let CallOutcome { mut puts, shown, .. } = sent;
        puts.extend(self.call_history_put(sending.place, sending.platform));
        let lists = Self::refreshed_list_places(&puts);
        puts.extend(removal_puts(entries));
        let unchanged =
            shown.iter().map(|it| it.after.expect_unchanged(&it.table.id, sending.place));
        let commit = Commit { expect: unchanged.collect(), ..Commit::from_puts(puts) };
        for tries in 1.. {
            let settled = match (self.repository.commit_rows(commit.clone()).await, &shown) {
                (Ok(CommitOutcome::Committed), _) => Ok(true),
                (Ok(CommitOutcome::Conflict), Some(shown)) => sending.resolve_conflict(shown).await,
                (Ok(CommitOutcome::Conflict), None) => Ok(false),
                (Err(failure), _) => Err(failure),
            };
            match settled {
                Ok(true) => {
                    lists.iter().for_each(|it| self.wake_senders(it));
                    return Ok(SendStep::Continue);
                }
                Ok(false) if tries > ACK_TRIES => break,
                Ok(false) => {}
                Err(failure) => tracing::warn!(%failure, "what was said cannot be kept yet"),
            }
            if !self.wait_unless_stopping(backoff_ms(tries, ACK_BACKOFF_MAX_MS)).await {
                break;
            }
        }
        Ok(SendStep::Retry)
    }

    /// What was spent of the budget of a chat, for whoever speaks to it next.
    fn call_history_put(&self, place: &PlaceId, platform: &dyn Platform) -> Option<Put> {
        if is_unlimited(platform.call_limit_per_minute(place)) {
            return None;
        }
        let (now_ms, wall_ms) =
            (self.repository.time_source().monotonic_ms(), self.repository.now_ms());
        let spent = self.rate_limits.export_history(place.chat(), now_ms, wall_ms);
        let row = put_json(Space::Meta, keys::call_history(place.chat()), &spent);
        Some(row.expires_at(wall_ms + CALL_HISTORY_TTL_MS))
    }
}

impl SendContext<'_> {
    /// The board of a table that does not stand here any more says so, and has no buttons.
    async fn post_detached(self, table: &Table) -> Result<CallOutcome, Failure> {
        let state = self.delivery.board_state(table, self.place).await?;
        let forgotten = vec![remove_row(Space::Board, keys::board(&table.id, self.place))];
        if let Some(call) = &state.call {
            self.count_call();
            self.platform.delete(self.place, call).await.ok();
        }
        let Some(board) = &state.message else {
            return Ok(CallOutcome::with_rows(Ok(()), forgotten));
        };
        let message = self.detached_board_message(table).await?;
        self.count_call();
        let sent = match self.edit_message(board, &message).await {
            Err(SendError::MessageGone | SendError::Refused(_) | SendError::NotNow) => Ok(()),
            other => other,
        };
        let until_ms =
            self.delivery.repository.now_ms() + self.delivery.repository.limits().message_ttl_ms;
        let known = message_put(table, self.place, board).expires_at(until_ms);
        Ok(CallOutcome::with_rows(sent, forgotten.into_iter().chain([known]).collect()))
    }

    /// Says what belongs to no table.
    async fn post_note(self, note: &View, nonce: String) -> Result<CallOutcome, Failure> {
        if self.sole_message().is_some() {
            return Ok(CallOutcome::no_call());
        }
        let update = nonce.split_once(' ').map(|(_, update)| update.to_owned());
        let letters = &self.delivery.message_renderer;
        let message =
            letters.render_outgoing(note, &self.profile.display_prefs(), nonce, None).await?;
        let mut message = self.address_mentions(message).await?;
        message.answers_update = update;
        message.loud &= !self.profile.quiet;
        Ok(CallOutcome::without_rows(self.post_with_text_fallback(&message.into()).await.map(drop)))
    }
}

/// A sender that works until this is dropped, however it ends.
struct SenderGuard {
    post: Arc<Delivery>,
    key: (PlaceId, SendLane),
    /// Whether it is not listed any more: the next sender of this place may be.
    ended: bool,
}

impl SenderGuard {
    /// It has ended and is not listed any more.
    fn finish(mut self) {
        self.ended = true;
    }
}

impl Drop for SenderGuard {
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
        "platform" => platform.name(), "result" => outcome_label(came))
    .increment(1);
}

fn outcome_label<T>(sent: &Result<T, SendError>) -> &'static str {
    match sent {
        Ok(_) => "sent",
        Err(SendError::RateLimited(_)) => "wait",
        Err(SendError::MessageGone) => "gone",
        Err(SendError::NotNow) => "not now",
        Err(SendError::NotAllowed) => "not allowed",
        Err(SendError::ChatGone) => "place gone",
        Err(SendError::ChatMoved(_)) => "moved",
        Err(SendError::Temporary(_)) => "failed",
        Err(SendError::Refused(_)) => "refused",
    }
}
