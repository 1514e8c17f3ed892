//! Which process speaks to a chat: one at a time, for as long as its lease lasts. A call that hangs
//! may last longer than that, and another process go on meanwhile: what came of such a call is kept
//! only if nobody has kept anything else since.
//!
//! Where several processes share a store, each one also has a heartbeat lease. It is short and
//! renewed every second, however many chats the process has. The chats of a process without a
//! heartbeat are free for the others, and it takes them again only by a new lease.

use std::collections::BTreeSet;
use std::sync::{Arc, MutexGuard};

use super::Post;
use super::boards::Sending;
use super::budget::{Spent, is_free};
use crate::ledger::rows::{BoardState, BoardTask, message_put, parse, removal_put};
use crate::ledger::{Failure, keys};
use caravanserai_games::ids::PlaceId;
use caravanserai_protocol::{Platform, SendError};
use caravanserai_store::Space;
use caravanserai_table::fold::Table;

/// How long a process has a chat for itself, and when it sees to it that this goes on.
const LEASE_MS: u64 = 20_000;
const RENEWED_MS: u64 = 12_000;

/// How soon it is tried again to have a chat that another process has.
const TRIED_MS: u64 = 1_000;

/// How long a process counts as alive after a heartbeat.
const ALIVE_MS: u64 = 3_000;
/// How long a process trusts that it counts as alive: shorter, because a heartbeat takes a while.
const TRUSTED_MS: u64 = 2_500;
/// The time between heartbeats while it has chats.
const SAID_MS: u64 = 800;

/// The suffix of the owner of a lease that has heartbeats; processes of earlier versions have none.
const SAYS_SO: &str = " alive";

/// The heartbeat of this process.
#[derive(Default)]
pub(super) struct Alive {
    /// When the last successful heartbeat began.
    said_ms: Option<u64>,
    /// Whether a task repeats it.
    repeats: bool,
}

/// The messages of a table in a place, as they were read before a call and as they are after it.
pub(super) struct Shown {
    pub(super) table: Arc<Table>,
    pub(super) before: BoardState,
    pub(super) after: BoardState,
}

impl Post {
    /// Whether this process has the chat of a place for itself; if not yet, it tries.
    pub(super) async fn has_chat(
        &self,
        place: &PlaceId,
        platform: &dyn Platform,
    ) -> Result<bool, Failure> {
        let (chat, now_ms) = (place.chat(), self.ledger.clock().monotonic_ms());
        let leases = || self.leases.lock().expect("nothing panics while holding this lock");
        let held_until = leases().get(chat).copied().filter(|_| self.is_trusted(now_ms));
        if held_until.is_some_and(|until| now_ms + RENEWED_MS < until) {
            return Ok(true);
        }
        self.say_alive().await?;
        let (store, name, own) = (self.ledger.store(), lease(chat), self.owner());
        if !store.lease(&name, &own, LEASE_MS).await? && !self.inherit(&name).await? {
            leases().remove(chat);
            return Ok(false);
        }
        if held_until.is_none_or(|until| until <= now_ms)
            && !is_free(platform.calls_per_minute(place))
        {
            let spent: Spent = parse(self.ledger.value(Space::Meta, &keys::budget(chat)).await?);
            self.budgets.take_over(chat, &spent, now_ms, self.ledger.now_ms());
        }
        let mut leases = leases();
        leases.retain(|_, until| *until > now_ms);
        leases.insert(chat.to_owned(), now_ms + LEASE_MS);
        Ok(true)
    }

    /// Leaves a place to the process that has its chat, and looks again soon: that one may be no
    /// more.
    pub(super) fn leave(&self, place: &PlaceId) {
        let first = {
            let mut taken = self.taken();
            let first = taken.is_empty();
            taken.insert(place.clone());
            first
        };
        let Some(post) = self.me.upgrade().filter(|_| first) else { return };
        self.tasks.reside(async move {
            tokio::select! {
                biased;
                () = post.ledger.clock().sleep_ms(TRIED_MS) => post.look_again(),
                () = post.tasks.stopping() => {}
            }
        });
    }

    fn taken(&self) -> MutexGuard<'_, BTreeSet<PlaceId>> {
        self.taken.lock().expect("nothing panics while holding this lock")
    }

    /// Looks again at places that another process had for itself: it may be no more.
    pub fn look_again(&self) {
        let places = std::mem::take(&mut *self.taken());
        places.iter().for_each(|place| self.wake(place));
    }

    /// Lets other processes send to the chats that this one had for itself.
    pub async fn let_go(&self) {
        let chats = std::mem::take(
            &mut *self.leases.lock().expect("nothing panics while holding this lock"),
        );
        for chat in chats.into_keys() {
            self.ledger.store().release(&lease(&chat), &self.owner()).await.ok();
        }
    }

    /// The owner by which this process leases chats.
    fn owner(&self) -> String {
        let says_so = if self.ledger.store().is_shared() { SAYS_SO } else { "" };
        format!("{}{says_so}", self.ledger.replica())
    }

    fn alive(&self) -> MutexGuard<'_, Alive> {
        self.alive.lock().expect("nothing panics while holding this lock")
    }

    /// Whether this process counts as alive, so that no other one takes its chats.
    fn is_trusted(&self, now_ms: u64) -> bool {
        let said_ms = self.alive().said_ms;
        !self.ledger.store().is_shared() || said_ms.is_some_and(|it| now_ms < it + TRUSTED_MS)
    }

    /// Makes a heartbeat, and repeats it as long as this process has chats.
    async fn say_alive(&self) -> Result<(), Failure> {
        if !self.ledger.store().is_shared() {
            return Ok(());
        }
        self.renew_alive().await?;
        let repeats = std::mem::replace(&mut self.alive().repeats, true);
        if let Some(post) = self.me.upgrade().filter(|_| !repeats) {
            self.tasks.reside(async move { post.repeat_alive().await });
        }
        Ok(())
    }

    async fn renew_alive(&self) -> Result<(), Failure> {
        let now_ms = self.ledger.clock().monotonic_ms();
        let is_recent = self.alive().said_ms.is_some_and(|it| now_ms < it + SAID_MS);
        let own = self.ledger.replica();
        if !is_recent && self.ledger.store().lease(&alive(own), own, ALIVE_MS).await? {
            self.alive().said_ms = Some(now_ms);
        }
        Ok(())
    }

    async fn repeat_alive(&self) {
        loop {
            tokio::select! {
                biased;
                () = self.ledger.clock().sleep_ms(SAID_MS) => {}
                () = self.tasks.stopping() => return,
            }
            let now_ms = self.ledger.clock().monotonic_ms();
            let has_chats = {
                let leases = self.leases.lock().expect("nothing panics while holding this lock");
                leases.values().any(|until| *until > now_ms)
            };
            if !has_chats {
                self.alive().repeats = false;
                return;
            }
            // The next heartbeat comes soon; until then this process does not trust its leases.
            self.renew_alive().await.ok();
        }
    }

    /// Takes a chat over from a process that has died.
    async fn inherit(&self, name: &str) -> Result<bool, Failure> {
        let (store, own) = (self.ledger.store(), self.owner());
        if !store.is_shared() {
            return Ok(false);
        }
        let holder = store.holder(name).await?;
        if let Some(holder) = holder {
            let Some(process) = holder.strip_suffix(SAYS_SO) else { return Ok(false) };
            if !store.lease(&alive(process), &own, 1).await? {
                return Ok(false);
            }
            tracing::info!(lease = name, process, "another process has died, taking over its chat");
            store.release(name, &holder).await?;
        }
        Ok(store.lease(name, &own, LEASE_MS).await?)
    }
}

/// The name of the heartbeat lease of a process.
fn alive(process: &str) -> String {
    format!("alive {process}")
}

impl Sending<'_> {
    /// What is to be kept of the messages of a table has met a conflict: whether nothing of it is
    /// left to keep. It is not if the conflict has gone by, and it is if only the answer of the
    /// store was lost, or another process was faster.
    pub(super) async fn gives_way(&self, shown: &Shown) -> Result<bool, Failure> {
        let stands = self.post.board_state(&shown.table, self.place).await?;
        if stands.stored == shown.after.stored {
            return Ok(false);
        }
        if stands.stored != shown.after.put(&shown.table.id, self.place).value {
            self.superfluous(shown, &stands).await?;
        }
        Ok(true)
    }

    /// Nobody knows what came of a call. If another process has shown the table meanwhile, what is
    /// older may have come after that: whoever has the chat shows it once more.
    pub(super) async fn may_have_come_late(&self, shown: &Shown) -> Result<(), Failure> {
        let stands = self.post.board_state(&shown.table, self.place).await?;
        let alone = stands.stored == shown.after.stored;
        if alone && self.post.has_chat(self.place, self.platform).await? {
            return Ok(());
        }
        tracing::info!(place = %self.place.0, table = %shown.table.id.0, "it may have come late");
        self.post.ledger.keep(vec![BoardTask::default().put(&shown.table, self.place)]).await
    }

    /// Another process has shown the table meanwhile: a call hung for longer than this one had the
    /// chat for itself. A board that was posted nevertheless is one too many, and one that was
    /// edited may be older than what stood there: whoever has the chat shows it once more.
    async fn superfluous(&self, shown: &Shown, stands: &BoardState) -> Result<(), Failure> {
        let Shown { table, before, after } = shown;
        tracing::info!(place = %self.place.0, table = %table.id.0, "another process was faster");
        let mut puts = vec![BoardTask::default().put(table, self.place)];
        let known = [&before.message, &stands.message];
        if let Some(own) = after.message.as_ref().filter(|_| !known.contains(&&after.message)) {
            self.count();
            let gone = self.platform.delete(self.place, own).await;
            if !matches!(gone, Ok(()) | Err(SendError::MessageGone)) {
                let until_ms = self.post.ledger.now_ms() + self.post.ledger.limits().messages_ms;
                let known = message_put(table, self.place, own).until(until_ms);
                puts.extend([known, removal_put(table, self.place, own)]);
            }
        }
        self.post.ledger.keep(puts).await
    }
}

/// The name under which one process has a chat for itself.
fn lease(chat: &str) -> String {
    format!("chat {chat}")
}
