//! Leases each chat to one process at a time, so that only one process sends to it. A call that
//! hangs may outlast the lease while another process continues. The result of such a call is stored
//! only if no other process has stored a newer one since.
//!
//! If several processes share a store, each process also has a heartbeat lease. It is short and
//! renewed every second, however many chats the process has. Other processes may take the chats of
//! a process without a heartbeat; the first process gets them back only with a new lease. A process
//! whose calls fail releases its chats, so that others can take them.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::Delivery;
use super::board_message::SendContext;
use super::rate_limits::{CallHistory, is_unlimited};
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::stored_rows::{BoardState, message_put, parse_json_or_default};
use crate::repository::{Failure, keys};
use caravanserai_games::ids::ChatId;
use caravanserai_protocol::{Platform, SendError};
use caravanserai_store::Space;
use caravanserai_table::state::Table;

/// How long a chat lease lasts, in milliseconds, and the margin before its end at which it is
/// renewed.
const LEASE_MS: u64 = 20_000;
const LEASE_RENEWAL_MS: u64 = 12_000;

/// The interval between attempts to lease a chat that another process has, in milliseconds.
const LEASE_RETRY_MS: u64 = 1_000;

/// How long a process counts as alive after a heartbeat, in milliseconds.
const HEARTBEAT_LEASE_MS: u64 = 3_000;
/// How long a process trusts its own heartbeat, in milliseconds. It is shorter than the lease,
/// because a heartbeat takes time.
const HEARTBEAT_TRUSTED_MS: u64 = 2_500;
/// The time between heartbeats while the process has chats, in milliseconds.
const HEARTBEAT_INTERVAL_MS: u64 = 800;
/// How long the heartbeat of a dead process is held while one of its chats is taken over, in
/// milliseconds, so that it cannot come back meanwhile, and how long that may take at most.
const TAKEOVER_LEASE_MS: u64 = 3_000;
const TAKEOVER_MAX_MS: u64 = 1_500;

/// The owner suffix of a lease whose process has heartbeats; earlier versions have none.
const HEARTBEAT_OWNER_SUFFIX: &str = " alive";

/// The heartbeat of this process.
#[derive(Default)]
pub(super) struct HeartbeatState {
    /// When the last successful heartbeat began.
    last_heartbeat_ms: Option<u64>,
    /// Whether a task repeats it.
    is_repeating: bool,
    /// Ends the task that repeats it.
    end: CancellationToken,
}

/// The messages of a table in a chat, as read before a call and as they are after it.
pub(super) struct ShownBoard {
    pub(super) table: Arc<Table>,
    pub(super) before: BoardState,
    pub(super) after: BoardState,
}

impl Delivery {
    /// Whether this process has the lease of a chat with its topics; tries to get it if not.
    pub(super) async fn acquire_chat(
        &self,
        chat_id: &ChatId,
        platform: &dyn Platform,
    ) -> Result<bool, Failure> {
        let chat = chat_id.without_topic();
        let now_ms = self.repository.time_source().monotonic_ms();
        let leases = || self.leases.lock();
        let lease_until_ms =
            leases().get(chat).copied().filter(|_| self.is_heartbeat_valid(now_ms));
        if lease_until_ms.is_some_and(|until| now_ms + LEASE_RENEWAL_MS < until) {
            return Ok(true);
        }
        let store = self.repository.store();
        let name = chat_lease_name(chat);
        let owner = self.lease_owner();
        if store.is_shared()
            && lease_until_ms.is_none_or(|until| until <= now_ms)
            && !self.circuit_breaker.may_take_chat(platform.name(), chat, now_ms)
        {
            leases().remove(chat);
            return Ok(false);
        }
        self.start_heartbeat().await?;
        if !self.is_heartbeat_valid(self.repository.time_source().monotonic_ms()) {
            return Ok(false);
        }
        if !store.try_lease(&name, &owner, LEASE_MS).await?
            && !self.take_over_dead_chat(&name).await?
        {
            leases().remove(chat);
            return Ok(false);
        }
        if lease_until_ms.is_none_or(|until| until <= now_ms)
            && !is_unlimited(platform.call_limit_per_minute(chat_id))
        {
            let history: CallHistory = parse_json_or_default(
                self.repository.read_value(Space::Meta, &keys::call_history(chat)).await?,
            );
            self.rate_limits.import_history(chat, &history, now_ms, self.repository.now_ms());
        }
        let mut leases = leases();
        leases.retain(|_, until| *until > now_ms);
        leases.insert(chat.to_owned(), now_ms + LEASE_MS);
        Ok(true)
    }

    /// Records that a call in a chat has failed. If that has happened repeatedly, releases the
    /// chat for other processes, which may reach the platform, and returns `true`.
    ///
    /// # Errors
    /// When the lease cannot be released; it ends by itself.
    pub(super) async fn release_unreachable_chat(
        &self,
        chat_id: &ChatId,
        platform: &dyn Platform,
    ) -> Result<bool, Failure> {
        let chat = chat_id.without_topic();
        let now_ms = self.repository.time_source().monotonic_ms();
        let store = self.repository.store();
        // Without a lease the call was given up because another process has the chat.
        let has_lease = self.leases.lock().contains_key(chat);
        if !store.is_shared()
            || !has_lease
            || !self.circuit_breaker.record_failure(platform.name(), chat, now_ms)
        {
            return Ok(false);
        }
        self.leases.lock().remove(chat);
        tracing::info!(chat, "releasing a chat that cannot be reached from here");
        store.release_lease(&chat_lease_name(chat), &self.lease_owner()).await?;
        Ok(true)
    }

    /// Leaves a chat to the process that has leased it, and retries soon, because that
    /// process may have died.
    pub(super) fn defer_to_lease_holder(&self, chat: &ChatId) {
        let is_first = {
            let mut chats_leased_elsewhere = self.chats_leased_elsewhere.lock();
            let is_first = chats_leased_elsewhere.is_empty();
            chats_leased_elsewhere.insert(chat.clone());
            is_first
        };
        let Some(delivery) = self.weak_self.upgrade().filter(|_| is_first) else { return };
        self.tasks.spawn_service(async move {
            tokio::select! {
                biased;
                () = delivery.repository.time_source().sleep_ms(LEASE_RETRY_MS) => {
                    delivery.retry_chats_leased_elsewhere();
                }
                () = delivery.tasks.wait_for_stop() => {}
            }
        });
    }

    /// Retries chats that another process had leased, because it may have died.
    pub fn retry_chats_leased_elsewhere(&self) {
        let chats = std::mem::take(&mut *self.chats_leased_elsewhere.lock());
        chats.iter().for_each(|chat| self.wake_senders(chat));
    }

    /// Releases the chat leases of this process, so that other processes can send at once.
    pub async fn release_leases(&self) {
        self.heartbeat.lock().end.cancel();
        let chats = std::mem::take(&mut *self.leases.lock());
        for chat in chats.into_keys() {
            self.repository
                .store()
                .release_lease(&chat_lease_name(&chat), &self.lease_owner())
                .await
                .ok();
        }
    }

    /// The owner under which this process leases chats.
    fn lease_owner(&self) -> String {
        let suffix = if self.repository.store().is_shared() { HEARTBEAT_OWNER_SUFFIX } else { "" };
        format!("{}{suffix}", self.repository.replica())
    }

    /// Whether this process counts as alive, so that no other process takes its chats.
    fn is_heartbeat_valid(&self, now_ms: u64) -> bool {
        let heartbeat_ms = self.heartbeat.lock().last_heartbeat_ms;
        !self.repository.store().is_shared()
            || heartbeat_ms.is_some_and(|it| now_ms < it + HEARTBEAT_TRUSTED_MS)
    }

    /// Makes a heartbeat, and repeats it as long as this process has chats: also while it stops, so
    /// that calls can end that have begun.
    async fn start_heartbeat(&self) -> Result<(), Failure> {
        if !self.repository.store().is_shared() {
            return Ok(());
        }
        self.renew_heartbeat().await?;
        let is_repeating = std::mem::replace(&mut self.heartbeat.lock().is_repeating, true);
        if let Some(delivery) = self.weak_self.upgrade().filter(|_| !is_repeating) {
            let end = self.heartbeat.lock().end.clone();
            tokio::spawn(async move {
                end.run_until_cancelled(delivery.repeat_heartbeat()).await;
            });
        }
        Ok(())
    }

    /// Makes a heartbeat if it is time for one. After a gap another process may have taken chats,
    /// so this process no longer trusts its leases.
    async fn renew_heartbeat(&self) -> Result<(), Failure> {
        let clock = self.repository.time_source();
        let now_ms = clock.monotonic_ms();
        let is_recent = self
            .heartbeat
            .lock()
            .last_heartbeat_ms
            .is_some_and(|it| now_ms < it + HEARTBEAT_INTERVAL_MS);
        let owner = self.repository.replica();
        if !is_recent
            && self
                .repository
                .store()
                .try_lease(&heartbeat_lease_name(owner), owner, HEARTBEAT_LEASE_MS)
                .await?
        {
            if !self.is_heartbeat_valid(clock.monotonic_ms()) {
                self.leases.lock().clear();
            }
            self.heartbeat.lock().last_heartbeat_ms = Some(now_ms);
        }
        Ok(())
    }

    async fn repeat_heartbeat(&self) {
        loop {
            self.repository.time_source().sleep_ms(HEARTBEAT_INTERVAL_MS).await;
            let now_ms = self.repository.time_source().monotonic_ms();
            let has_chats = {
                let leases = self.leases.lock();
                leases.values().any(|until| *until > now_ms)
            };
            if !has_chats {
                self.heartbeat.lock().is_repeating = false;
                return;
            }
            // If a renewal fails, this process does not trust its leases until the next one
            // succeeds.
            self.renew_heartbeat().await.ok();
        }
    }

    /// Takes over a chat from a process that has died.
    async fn take_over_dead_chat(&self, name: &str) -> Result<bool, Failure> {
        let store = self.repository.store();
        let owner = self.lease_owner();
        if !store.is_shared() {
            return Ok(false);
        }
        let holder = store.lease_holder(name).await?;
        if let Some(holder) = holder {
            let Some(process) = holder.strip_suffix(HEARTBEAT_OWNER_SUFFIX) else {
                return Ok(false);
            };
            let clock = self.repository.time_source();
            let begin_ms = clock.monotonic_ms();
            if !store.try_lease(&heartbeat_lease_name(process), &owner, TAKEOVER_LEASE_MS).await?
                || clock.monotonic_ms() > begin_ms + TAKEOVER_MAX_MS
            {
                return Ok(false);
            }
            tracing::info!(lease = name, process, "taking over the chat of a dead process");
            store.release_lease(name, &holder).await?;
        }
        Ok(store.try_lease(name, &owner, LEASE_MS).await?)
    }
}

/// The name of the heartbeat lease of a process.
fn heartbeat_lease_name(process: &str) -> String {
    format!("alive {process}")
}

impl SendContext<'_> {
    /// Resolves a conflict while storing the messages of a table. Returns whether nothing is left
    /// to store. Something is left if the conflict has passed; nothing is left if only the reply of
    /// the store was lost, or if another process has won the race.
    pub(super) async fn resolve_conflict(&self, shown: &ShownBoard) -> Result<bool, Failure> {
        let current_state = self.delivery.board_state(&shown.table, self.chat).await?;
        if current_state.stored == shown.after.stored {
            return Ok(false);
        }
        if current_state.stored != shown.after.put(&shown.table.id, self.chat).value {
            self.retire_superfluous_messages(shown, &current_state).await?;
        }
        Ok(true)
    }

    /// Handles a call with an unknown result. If another process has shown the table since, the
    /// older board may have arrived after the newer one: the process with the lease shows the table
    /// once more.
    pub(super) async fn repair_late_call(&self, shown: &ShownBoard) -> Result<(), Failure> {
        let current_state = self.delivery.board_state(&shown.table, self.chat).await?;
        let is_unchanged = current_state.stored == shown.after.stored;
        if is_unchanged && self.delivery.acquire_chat(self.chat, self.platform).await? {
            return Ok(());
        }
        let table = &shown.table.id.0;
        tracing::info!(chat = %self.chat.0, %table, "send result unknown, reposting board");
        let entry = OutboxEntry::changed_board(self.chat, &shown.table);
        self.delivery.repository.put_all(vec![entry.encode()]).await
    }

    /// Handles messages that another process has superseded while a call hung for longer than the
    /// lease. A board that was posted nevertheless is superfluous, and a board that was edited may
    /// be older than its previous content: the process with the lease shows the table once more.
    async fn retire_superfluous_messages(
        &self,
        shown: &ShownBoard,
        current_state: &BoardState,
    ) -> Result<(), Failure> {
        let ShownBoard { table, before, after } = shown;
        let chat = &self.chat.0;
        let table_id = &table.id.0;
        tracing::info!(%chat, table = %table_id, "another process sent this table first");
        let board = OutboxEntry::changed_board(self.chat, table);
        let mut puts = vec![board.encode()];
        let known = [&before.message, &current_state.message];
        if let Some(own_message) =
            after.message.as_ref().filter(|_| !known.contains(&&after.message))
        {
            let deletion = self.delete_message(own_message).await;
            if !matches!(deletion, Ok(()) | Err(SendError::MessageGone)) {
                let until_ms = self.delivery.repository.now_ms()
                    + self.delivery.repository.limits().message_ttl_ms;
                let known = message_put(table, self.chat, own_message).expires_at(until_ms);
                let removal = OutboxEntry::removal(self.chat, &table.id, own_message);
                puts.extend([known, removal.encode()]);
            }
        }
        self.delivery.repository.put_all(puts).await
    }
}

/// The name of the lease of a chat.
fn chat_lease_name(chat: &str) -> String {
    format!("chat {chat}")
}
