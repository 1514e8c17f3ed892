//! Sends the queued messages of one chat, with one worker for each chat and lane. The newest
//! board replaces older ones, call limits are observed, failed calls are retried, and entries whose
//! handling panics are quarantined.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};

use super::board_message::SendContext;
use super::chat_lease::ShownBoard;
use super::forbidden_chat_pause::pause_end_puts;
use super::outbox::{NextWork, OutboxTask, SendLane};
use super::rate_limits::is_unlimited;
use super::send_permits::SendPermit;
use super::{ActiveSender, Delivery};
use crate::repository::outbox_entry::{BoardTask, OutboxEntry, PingTask};
use crate::repository::outbox_key::OutboxSubject;
use crate::repository::quarantine::QuarantineInput;
use crate::repository::stored_rows::{BoardState, message_put, put_json, remove_row};
use crate::repository::{CommitOutcome, Failure, MINUTE_MS, keys};
use caravanserai_games::ids::{ChatId, TableId};
use caravanserai_protocol::view::View;
use caravanserai_protocol::{Platform, SendError};
use caravanserai_store::{Commit, Put, Space, StoreRow};
use caravanserai_table::state::Table;

/// The delays before a failed call is retried: one to two seconds first, then twice as long each
/// time. After the last one a sender ends; it is woken again after some minutes.
const CALL_RETRIES: ExponentialBuilder = ExponentialBuilder::new()
    .with_min_delay(Duration::from_secs(1))
    .with_max_times(6)
    .with_jitter();

/// The delays between two attempts to store the result of a call: one to two seconds first, four to
/// eight at last, so that the worker resumes soon after the store is back.
const ACK_RETRIES: ExponentialBuilder = ExponentialBuilder::new()
    .with_min_delay(Duration::from_secs(1))
    .with_max_delay(Duration::from_secs(4))
    .without_max_times()
    .with_jitter();

/// The longest wait that a stopping service still completes, in milliseconds.
const SHORT_WAIT_MS: u64 = 500;

/// The delay before the spare calls are checked again for hands that are not urgent, in
/// milliseconds.
const NOT_URGENT_RETRY_MS: u64 = 5_000;

/// The attempts to store the result of a call that conflicts with concurrent changes.
const ACK_TRIES: u32 = 3;

/// How long the call history of a chat is stored, in milliseconds.
const CALL_HISTORY_TTL_MS: u64 = 2 * MINUTE_MS;

/// The next step of a sender.
enum SendStep {
    /// Continue with the next entry.
    Continue,
    /// Wait this many milliseconds first.
    Wait(u64),
    /// The platform takes no call of any chat now: wait this many milliseconds first.
    WaitForPlatform(u64),
    /// Wait this many milliseconds, or until an entry is added.
    WaitForMore(u64),
    /// The call failed; retry after a backoff.
    Retry,
    /// Nothing can be sent here; the sender ends.
    Stop,
}

/// The result of a call, and the rows to store if it succeeded.
pub(super) struct CallOutcome {
    pub(super) result: Result<(), SendError>,
    pub(super) puts: Vec<Put>,
    /// The board states before and after the call, for messages of a table.
    shown: Option<ShownBoard>,
}

impl CallOutcome {
    /// An outcome with no rows to store.
    pub(super) fn without_rows(result: Result<(), SendError>) -> Self {
        CallOutcome { result, puts: Vec::new(), shown: None }
    }

    /// An outcome with rows to store.
    pub(super) fn with_rows(result: Result<(), SendError>, puts: Vec<Put>) -> Self {
        CallOutcome { result, puts, shown: None }
    }

    /// Whether the chat shows the present state of a table after the call.
    fn shows_table(&self) -> bool {
        self.shown.as_ref().is_some_and(|ShownBoard { table, after, .. }| {
            after.message.is_some() && after.shown_version == table.version && !after.is_hidden
        })
    }

    /// The outcome if there was nothing to send.
    pub(super) fn no_call() -> Self {
        CallOutcome::without_rows(Ok(()))
    }
}

impl Delivery {
    /// Makes sure that senders run for this chat.
    pub fn wake_senders(&self, chat: &ChatId) {
        // A sender that waits in one lane does not see entries of the other lane.
        if !self.wake_lane(chat, SendLane::Public) {
            self.wake_lane(chat, SendLane::Hands);
        }
    }

    /// Makes sure that a sender runs for one lane. Returns whether it was started just now.
    pub(super) fn wake_lane(&self, chat: &ChatId, lane: SendLane) -> bool {
        let key = (chat.clone(), lane);
        let mut senders = self.senders.lock();
        if let Some(sender) = senders.get_mut(&key) {
            sender.has_more = true;
            sender.added.notify_one();
            return false;
        }
        let Some(delivery) = self.weak_self.upgrade() else { return true };
        senders.insert(key.clone(), ActiveSender::default());
        drop(senders);
        let sender_guard = SenderGuard { delivery, key, ended: false };
        self.tasks.spawn(async move {
            if sender_guard.delivery.run_sender(&sender_guard.key).await {
                sender_guard.finish();
            }
        });
        true
    }

    /// Whether the sender of this chat may end. It may not if an entry was added in the meantime.
    fn try_end_sender(&self, key: &(ChatId, SendLane)) -> bool {
        let mut senders = self.senders.lock();
        match senders.get_mut(key) {
            Some(sender) if sender.has_more => {
                sender.has_more = false;
                false
            }
            Some(_) | None => {
                senders.remove(key);
                true
            }
        }
    }

    /// Sends until nothing is left. Returns `false` if it was interrupted.
    async fn run_sender(&self, key: &(ChatId, SendLane)) -> bool {
        let chat = &key.0;
        let lane = key.1;
        // If the platform is not connected (yet), its entries wait for it.
        let Some(platform) = self.platform(chat) else { return false };
        let mut delays = self.delays_ms(CALL_RETRIES, chat);
        let mut last = None;
        let mut kept_permit = None;
        loop {
            let permit = match kept_permit.take() {
                Some(permit) => permit,
                None => match self.next_permit(platform.name(), lane).await {
                    Some(permit) => permit,
                    None => return false,
                },
            };
            let step = match self.send_next(chat, lane, platform.as_ref(), &mut last).await {
                Ok(Some(step)) => step,
                Ok(None) if self.try_end_sender(key) => return true,
                Ok(None) => continue,
                // It is stored and sent at the next start; the shutdown logs how much is left.
                Err(_) if self.tasks.is_stopping() => return false,
                Err(failure) => {
                    tracing::error!(chat = %chat.0, %failure, "failed to process outbox entry");
                    SendStep::Retry
                }
            };
            kept_permit = matches!(step, SendStep::WaitForPlatform(_)).then_some(permit);
            let wait_ms = match step {
                SendStep::Continue => {
                    delays = self.delays_ms(CALL_RETRIES, chat);
                    Some(0)
                }
                // It is stored, and many others may wait as well.
                SendStep::WaitForPlatform(_) if self.tasks.is_stopping() => return false,
                SendStep::Wait(ms) | SendStep::WaitForPlatform(ms) => Some(ms),
                SendStep::WaitForMore(ms) => {
                    if !self.wait_for_more(key, ms).await {
                        return false;
                    }
                    Some(0)
                }
                SendStep::Retry => delays.next(),
                SendStep::Stop => None,
            };
            match wait_ms {
                Some(ms) if self.wait_unless_stopping(ms).await => {}
                Some(_) => return false,
                None if self.try_end_sender(key) => return true,
                None => delays = self.delays_ms(CALL_RETRIES, chat),
            }
        }
    }

    /// Waits until a sender of this lane may work. Returns `None` if the service stops.
    async fn next_permit(&self, platform: &'static str, lane: SendLane) -> Option<SendPermit> {
        tokio::select! {
            biased;
            permit = self.send_permits.next(platform, lane) => Some(permit),
            () = self.tasks.wait_for_stop() => None,
        }
    }

    /// Returns delays in milliseconds. The jitter follows from chat and time: senders do not retry
    /// together, and a simulation can be repeated.
    fn delays_ms(&self, of: ExponentialBuilder, chat: &ChatId) -> impl Iterator<Item = u64> {
        let mut hasher = DefaultHasher::new();
        let now_ms = self.repository.time_source().monotonic_ms();
        (chat, now_ms).hash(&mut hasher);
        let delays = of.with_jitter_seed(hasher.finish()).build();
        delays.map(|it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX))
    }

    /// Waits until an entry is added, at most `ms` milliseconds. Returns `false` if the service
    /// stops.
    async fn wait_for_more(&self, key: &(ChatId, SendLane), ms: u64) -> bool {
        let added = {
            let senders = self.senders.lock();
            senders.get(key).map(|it| it.added.clone()).unwrap_or_default()
        };
        tokio::select! {
            biased;
            () = added.notified() => true,
            () = self.repository.time_source().sleep_ms(ms) => true,
            () = self.tasks.wait_for_stop() => false,
        }
    }

    /// Waits. Returns `false` if the service stops in the meantime. Short waits are completed, so
    /// that decided messages are still sent.
    pub(super) async fn wait_unless_stopping(&self, ms: u64) -> bool {
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

    /// Sends one message. Returns `None` when nothing is left.
    async fn send_next(
        &self,
        chat: &ChatId,
        lane: SendLane,
        platform: &dyn Platform,
        last: &mut Option<OutboxSubject>,
    ) -> Result<Option<SendStep>, Failure> {
        let next = self.next_work(chat, platform, lane, last.as_ref()).await?;
        let (work, profile, was_forbidden) = match next {
            NextWork::Idle => return Ok(None),
            NextWork::SendForbidden => return Ok(Some(SendStep::Stop)),
            NextWork::Paused(pause) => {
                self.wait_for_pause_end(chat, pause).await?;
                return Ok(Some(SendStep::Stop));
            }
            NextWork::LeasedElsewhere => {
                // The process with the lease learns of the new entries and sends them.
                self.defer_to_lease_holder(chat);
                return Ok(Some(SendStep::Stop));
            }
            NextWork::NotUrgent => return Ok(Some(SendStep::WaitForMore(NOT_URGENT_RETRY_MS))),
            NextWork::Unreadable(key) => {
                let input = QuarantineInput::Outbox(chat.clone(), vec![key]);
                self.repository.quarantine(&input, "a message that cannot be read").await;
                return Ok(Some(SendStep::Continue));
            }
            NextWork::Work(work, profile, was_forbidden) => (*work, *profile, was_forbidden),
        };
        let (per_minute, now_ms) =
            (platform.call_limit_per_minute(chat), self.repository.time_source().monotonic_ms());
        let wait_ms = match lane {
            SendLane::Public => self.rate_limits.wait_ms(chat.without_topic(), per_minute, now_ms),
            SendLane::Hands => {
                self.rate_limits.hand_wait_ms(chat.without_topic(), per_minute, now_ms)
            }
        };
        match wait_ms {
            None => {}
            Some(ms) if ms <= SHORT_WAIT_MS => return Ok(Some(SendStep::Wait(ms))),
            // A new entry may be more urgent.
            Some(ms) => return Ok(Some(SendStep::WaitForMore(ms))),
        }
        let (subject, about) = (work.subject.to_string(), work.subject.table().cloned());
        *last = Some(work.subject);
        let keys: Vec<String> = work.entries.iter().map(|(key, _)| key.clone()).collect();
        let completed = if work.task.completes_entries() { work.entries } else { Vec::new() };
        let input = QuarantineInput::Outbox(chat.clone(), keys.clone());
        let context =
            SendContext { delivery: self, platform, chat, profile: &profile, was_forbidden };
        let outcome =
            self.repository.run_isolated(&input, self.perform_work(context, work.task)).await;
        self.rate_limits.release(chat.without_topic(), lane);
        let outcome = match outcome {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(failure @ Failure::Damaged(..))) => {
                let why = failure.to_string();
                match about {
                    Some(table) if self.repository.is_table_unreadable(&table).await? => {
                        let about = (chat, &table);
                        self.repository.keep_unreadable_messages(about, &keys, &why).await?;
                    }
                    Some(_) | None => self.repository.quarantine(&input, &why).await,
                }
                return Ok(Some(SendStep::Continue));
            }
            Ok(Err(failure)) => return Err(failure),
            Err(_) => return Ok(Some(SendStep::Continue)),
        };
        count_call(platform, &outcome.result);
        let result = outcome_label(&outcome.result);
        tracing::debug!(chat = %chat.0, %subject, result, "sent");
        self.handle_outcome(context, completed, outcome).await.map(Some)
    }

    /// Makes the calls for one message. Returns the result, and the rows to store if it succeeded.
    async fn perform_work(
        &self,
        context: SendContext<'_>,
        task: OutboxTask,
    ) -> Result<CallOutcome, Failure> {
        let chat = context.chat;
        let no_call = Ok(CallOutcome::no_call());
        match task {
            OutboxTask::Post(update, view) => context.post_view(&update, &view).await,
            OutboxTask::Replay(table, file) => context.post_replay(&table, file).await,
            OutboxTask::Review(table, review) => context.post_review(&table, &review).await,
            OutboxTask::Progress(table, message) => {
                context.post_review_progress(&table, &message).await
            }
            OutboxTask::TableList(person) => context.show_table_list(&person).await,
            OutboxTask::Board(id, task) => match self.repository.load_table(&id).await? {
                Some(table) if table.chats.location_in(chat).is_some() => {
                    self.send_board(context, table, task).await
                }
                Some(table) => context.post_detached(&table).await,
                None => no_call,
            },
            OutboxTask::Ping(id, task) => {
                let Some(table) = self.table_shown_in(chat, &id).await? else { return no_call };
                self.send_ping(context, table, task).await
            }
            OutboxTask::Hand(id, seat) => {
                let Some(table) = self.table_shown_in(chat, &id).await? else { return no_call };
                Ok(CallOutcome::without_rows(context.send_hand(&table, seat).await?))
            }
            OutboxTask::Removal(id, old) => {
                let Some(table) = self.table_shown_in(chat, &id).await? else { return no_call };
                Ok(CallOutcome::without_rows(context.remove_old_boards(&table, &old).await?))
            }
        }
    }

    /// A table, if it is shown in this chat. One that was moved to another chat has taken its
    /// entries along; those that are left count for nothing.
    async fn table_shown_in(
        &self,
        chat: &ChatId,
        id: &TableId,
    ) -> Result<Option<Arc<Table>>, Failure> {
        let table = self.repository.load_table(id).await?;
        Ok(table.filter(|it| it.chats.location_in(chat).is_some()))
    }

    async fn send_board(
        &self,
        context: SendContext<'_>,
        table: Arc<Table>,
        task: BoardTask,
    ) -> Result<CallOutcome, Failure> {
        let before = self.board_state(&table, context.chat).await?;
        let mut after = before.clone();
        let table = self.refund_delay(table, context.chat, &before).await?;
        let result = context.update_board(&table, task, &mut after).await?;
        self.board_outcome(context.chat, result, ShownBoard { table, before, after }).await
    }

    async fn send_ping(
        &self,
        context: SendContext<'_>,
        table: Arc<Table>,
        task: PingTask,
    ) -> Result<CallOutcome, Failure> {
        let before = self.board_state(&table, context.chat).await?;
        let mut after = before.clone();
        let result = context.send_ping(&table, task, &mut after).await?;
        self.board_outcome(context.chat, result, ShownBoard { table, before, after }).await
    }

    /// The outcome of a call that may have changed the messages of a table.
    async fn board_outcome(
        &self,
        chat: &ChatId,
        result: Result<(), SendError>,
        shown: ShownBoard,
    ) -> Result<CallOutcome, Failure> {
        let ShownBoard { table, before, after } = &shown;
        let mut puts = self.board_state_puts(chat, table, before, after);
        if after.shown_version != before.shown_version {
            puts.extend(self.refresh_lists_puts(table).await?);
        }
        Ok(CallOutcome { result, puts, shown: Some(shown) })
    }

    /// The rows to store after the messages of a table were sent. While a table is open its
    /// messages are remembered permanently; messages that were replaced, or whose table has ended,
    /// are remembered for a while.
    pub(super) fn board_state_puts(
        &self,
        chat: &ChatId,
        table: &Table,
        before: &BoardState,
        after: &BoardState,
    ) -> Vec<Put> {
        let until_ms = self.repository.now_ms() + self.repository.limits().message_ttl_ms;
        let with_ttl = |row: Put| if table.is_open() { row } else { row.expires_at(until_ms) };
        let mut puts = vec![with_ttl(after.put(&table.id, chat))];
        let row = |message| message_put(table, chat, message);
        let current: Vec<_> = after.message.iter().chain(&after.ping).collect();
        puts.extend(current.iter().map(|it| with_ttl(row(it))));
        let replaced = before.message.iter().chain(&before.ping).filter(|it| !current.contains(it));
        puts.extend(replaced.map(|it| row(it).expires_at(until_ms)));
        let removal = |it| OutboxEntry::removal(chat, &table.id, it).encode();
        puts.extend(after.unremoved_messages.iter().map(removal));
        puts
    }

    /// Handles the result of a call, which completes these entries if it succeeded, and returns the
    /// next step.
    async fn handle_outcome(
        &self,
        context: SendContext<'_>,
        entries: Vec<StoreRow>,
        mut outcome: CallOutcome,
    ) -> Result<SendStep, Failure> {
        let chat = context.chat;
        let platform = context.platform;
        match outcome.result {
            Ok(()) => {
                if context.was_forbidden && outcome.shows_table() {
                    // Before the entry is removed, so that a repetition does it again.
                    self.repository.chats().reopen_shown_chat(chat).await?;
                    outcome.puts.extend(pause_end_puts(chat));
                }
                self.ack_sent(context, entries, outcome).await
            }
            Err(SendError::RateLimited(ms)) => {
                let per_minute = platform.call_limit_per_minute(chat);
                let now_ms = self.repository.time_source().monotonic_ms();
                self.rate_limits.apply_retry_after(chat.without_topic(), per_minute, now_ms, ms);
                Ok(SendStep::Wait(ms))
            }
            // A longer wait is for a limit of single messages, such as that of pictures.
            Err(SendError::OverBudget(ms)) if ms > SHORT_WAIT_MS => Ok(SendStep::Wait(ms)),
            Err(SendError::OverBudget(ms)) => Ok(SendStep::WaitForPlatform(ms)),
            Err(SendError::Temporary(why)) => {
                tracing::warn!(chat = %chat.0, why, "a call failed, retrying");
                self.handle_failed_call(context, outcome.shown.as_ref()).await
            }
            Err(SendError::NotNow) => {
                match outcome.shown.as_ref().and_then(|it| self.retry_unshown_ms(chat, it)) {
                    // The clock of the turn runs: each retry refunds the delay.
                    Some(ms) => Ok(SendStep::WaitForMore(ms)),
                    None => self.drop_message(entries).await,
                }
            }
            Err(SendError::NotAllowed) => {
                context.pause_sending().await?;
                Ok(SendStep::Stop)
            }
            Err(SendError::ChatGone) => {
                tracing::info!(chat = %chat.0, "chat deleted");
                self.repository.chats().delete_chat(chat, None).await?;
                Ok(SendStep::Stop)
            }
            Err(SendError::ChatMoved(to)) => {
                tracing::info!(chat = %chat.0, to = %to.0, "chat moved");
                self.repository.chats().move_chat(chat, &to).await?;
                Ok(SendStep::Continue)
            }
            Err(SendError::MessageGone) if context.single_message().is_some() => {
                self.leave_lost_chat(context).await
            }
            // A message that vanished during an edit is posted again next time.
            Err(SendError::MessageGone) => Ok(SendStep::Retry),
            Err(SendError::Refused(why)) => {
                tracing::error!(chat = %chat.0, why, "message rejected, dropped");
                self.drop_message(entries).await
            }
        }
    }

    /// Removes the entries of a message that cannot be sent, and returns the next step. Without
    /// entries the same message would come again at once.
    async fn drop_message(&self, mut entries: Vec<StoreRow>) -> Result<SendStep, Failure> {
        if entries.is_empty() {
            return Ok(SendStep::Retry);
        }
        // Entries that a conflict leaves are sent again.
        let _ = self.commit_and_remove(&Commit::default(), &mut entries).await?;
        Ok(SendStep::Continue)
    }

    /// Handles a call with an unknown result, and returns the next step: another attempt, by
    /// another process if this one cannot reach the platform.
    async fn handle_failed_call(
        &self,
        context: SendContext<'_>,
        shown: Option<&ShownBoard>,
    ) -> Result<SendStep, Failure> {
        if let Some(shown) = shown {
            context.repair_late_call(shown).await?;
        }
        if self.release_unreachable_chat(context.chat, context.platform).await? {
            self.defer_to_lease_holder(context.chat);
            return Ok(SendStep::Stop);
        }
        Ok(SendStep::Retry)
    }

    /// Handles a chat whose only message was deleted, and returns the next step.
    async fn leave_lost_chat(&self, context: SendContext<'_>) -> Result<SendStep, Failure> {
        let chat = context.chat;
        if let Err(error) = context.move_lost_games().await? {
            tracing::warn!(chat = %chat.0, %error, "failed to move a game, retrying");
            return Ok(SendStep::Retry);
        }
        self.repository.chats().delete_chat(chat, None).await?;
        Ok(SendStep::Stop)
    }

    /// Stores the result of a sent message, and retries until it is stored. Otherwise the message
    /// would be sent again, and not every platform detects duplicates; and a board above a newer
    /// one of another process would remain unknown.
    async fn ack_sent(
        &self,
        context: SendContext<'_>,
        mut entries: Vec<StoreRow>,
        outcome: CallOutcome,
    ) -> Result<SendStep, Failure> {
        let CallOutcome { mut puts, shown, .. } = outcome;
        puts.extend(self.call_history_put(context.chat, context.platform));
        let lists = Self::refreshed_list_chats(&puts);
        let conditions =
            shown.iter().map(|it| it.after.expect_unchanged(&it.table.id, context.chat));
        let commit = Commit { expect: conditions.collect(), ..Commit::from_puts(puts) };
        let mut delays = self.delays_ms(ACK_RETRIES, context.chat);
        for tries in 1.. {
            let result = match (self.commit_and_remove(&commit, &mut entries).await, &shown) {
                (Ok(CommitOutcome::Committed), _) => Ok(true),
                (Ok(CommitOutcome::Conflict), Some(shown)) => context.resolve_conflict(shown).await,
                (Ok(CommitOutcome::Conflict), None) => Ok(false),
                (Err(failure), _) => Err(failure),
            };
            match result {
                Ok(true) => {
                    lists.iter().for_each(|it| self.wake_senders(it));
                    return Ok(SendStep::Continue);
                }
                Ok(false) if tries > ACK_TRIES => break,
                Ok(false) => {}
                Err(failure) => {
                    tracing::warn!(%failure, "failed to store a sent message, retrying")
                }
            }
            let delay_ms = delays.next().expect("the number of delays is not limited");
            if !self.wait_unless_stopping(delay_ms).await {
                break;
            }
        }
        Ok(SendStep::Retry)
    }

    /// The row with the call history of a chat, for the next process that sends to it.
    fn call_history_put(&self, chat: &ChatId, platform: &dyn Platform) -> Option<Put> {
        if is_unlimited(platform.call_limit_per_minute(chat)) {
            return None;
        }
        let now_ms = self.repository.time_source().monotonic_ms();
        let wall_ms = self.repository.now_ms();
        let history = self.rate_limits.export_history(chat.without_topic(), now_ms, wall_ms);
        let row = put_json(Space::Meta, keys::call_history(chat.without_topic()), &history);
        Some(row.expires_at(wall_ms + CALL_HISTORY_TTL_MS))
    }
}

impl SendContext<'_> {
    /// Replaces the board of a table that has left this chat by a message about that, without
    /// buttons.
    async fn post_detached(self, table: &Table) -> Result<CallOutcome, Failure> {
        let state = self.delivery.board_state(table, self.chat).await?;
        let removal = vec![remove_row(Space::Board, keys::board(&table.id, self.chat))];
        if let Some(ping) = &state.ping {
            self.delete_message(ping).await.ok();
        }
        let Some(board) = &state.message else {
            return Ok(CallOutcome::with_rows(Ok(()), removal));
        };
        let message = self.detached_board_message(table).await?;
        let sent = match self.edit_message(board, &message).await {
            // It may be there, with a picture that an edit cannot remove.
            Err(SendError::MessageGone) if self.single_message().is_none() => {
                match self.delete_message(board).await {
                    Err(error) if error.is_transient() => Err(error),
                    Ok(()) | Err(_) => self.post_message(&message).await.map(drop),
                }
            }
            other => other,
        };
        let sent = match sent {
            Err(SendError::MessageGone | SendError::Refused(_) | SendError::NotNow) => Ok(()),
            Err(error) if self.is_topic_gone(&error) => Ok(()),
            other => other,
        };
        let until_ms =
            self.delivery.repository.now_ms() + self.delivery.repository.limits().message_ttl_ms;
        let known = message_put(table, self.chat, board).expires_at(until_ms);
        Ok(CallOutcome::with_rows(sent, removal.into_iter().chain([known]).collect()))
    }

    /// Posts a message that belongs to no table, for this update.
    async fn post_view(self, update: &str, view: &View) -> Result<CallOutcome, Failure> {
        if self.single_message().is_some() {
            return Ok(CallOutcome::no_call());
        }
        let nonce = OutboxSubject::Post(update.to_owned()).to_string();
        let message_renderer = &self.delivery.message_renderer;
        let message = message_renderer
            .render_outgoing(view, &self.profile.display_prefs(), nonce, None)
            .await?;
        let mut message = self.address_mentions(message).await?;
        message.answers_update = Some(update.to_owned());
        message.notification = self.chat_notification(message.notification);
        Ok(CallOutcome::without_rows(self.post_with_text_fallback(&message.into()).await.map(drop)))
    }
}

/// Marks a sender as active until it is dropped, however the sender ends.
struct SenderGuard {
    delivery: Arc<Delivery>,
    key: (ChatId, SendLane),
    /// Whether the sender is already removed from the list: the listed one may be its successor.
    ended: bool,
}

impl SenderGuard {
    /// Marks the sender as ended and removed from the list.
    fn finish(mut self) {
        self.ended = true;
    }
}

impl Drop for SenderGuard {
    fn drop(&mut self) {
        if !self.ended {
            self.delivery.senders.lock().remove(&self.key);
        }
    }
}

/// Counts the result of a call, or of several calls for one message.
pub(super) fn count_call<T>(platform: &dyn Platform, result: &Result<T, SendError>) {
    metrics::counter!("caravanserai_sends_total",
        "platform" => platform.name(), "result" => outcome_label(result))
    .increment(1);
}

fn outcome_label<T>(sent: &Result<T, SendError>) -> &'static str {
    match sent {
        Ok(_) => "sent",
        Err(SendError::RateLimited(_) | SendError::OverBudget(_)) => "wait",
        Err(SendError::MessageGone) => "gone",
        Err(SendError::NotNow) => "not now",
        Err(SendError::NotAllowed) => "not allowed",
        Err(SendError::ChatGone) => "chat gone",
        Err(SendError::ChatMoved(_)) => "moved",
        Err(SendError::Temporary(_)) => "failed",
        Err(SendError::Refused(_)) => "refused",
    }
}
