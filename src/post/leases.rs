//! Which process speaks to a chat: one at a time, for as long as its lease lasts. A call that hangs
//! may last longer than that, and another process go on meanwhile: what came of such a call is kept
//! only if nobody has kept anything else since.

use std::collections::BTreeSet;
use std::sync::{Arc, MutexGuard};

use super::Post;
use super::boards::Sending;
use super::budget::{Spent, is_free};
use crate::chat::{Platform, SendError};
use crate::ids::PlaceId;
use crate::ledger::rows::{BoardState, BoardTask, message_put, parse, removal_put};
use crate::ledger::{Failure, keys};
use crate::store::Space;
use crate::table::fold::Table;

/// How long a process has a chat for itself, and when it sees to it that this goes on.
const LEASE_MS: u64 = 20_000;
const RENEWED_MS: u64 = 12_000;

/// How soon it is tried again to have a chat that another process has.
const TRIED_MS: u64 = 3_000;

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
        let held_until = leases().get(chat).copied();
        if held_until.is_some_and(|until| now_ms + RENEWED_MS < until) {
            return Ok(true);
        }
        let own = self.ledger.replica();
        if !self.ledger.store().lease(&lease(chat), own, LEASE_MS).await? {
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
            self.ledger.store().release(&lease(&chat), self.ledger.replica()).await.ok();
        }
    }
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
