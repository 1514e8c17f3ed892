//! Defers updates whose replies need an engine or a network.
//!
//! A deferred update is stored in a row until it is answered, so that it can be confirmed at once:
//! the next updates are fetched meanwhile, and if the process ends before the answer, the next
//! process answers it. At most [`DEFERRED_MAX`] updates are deferred at a time; beyond that,
//! fetching waits, too.
//!
//! An update whose result cannot be stored although other rows can be is deferred as well, see
//! [`DeferredUpdates::defer_stuck`]: it must not hold up all chats.

use std::collections::{BTreeMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::time::Duration;

use futures::FutureExt;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

use super::now_ms;
use super::parse_update::chat_of;
use super::update_dispatcher::UpdateDispatcher;
use super::update_source::update_id;
use caravanserai_games::time_units::DAY_MS;
use caravanserai_platform_shared::backoff::Backoff;
use caravanserai_platform_shared::platform_rows::{PlatformRows, json_row};
use caravanserai_protocol::{Arrival, KeyValueEntry, UpdateHandler};

/// How many updates one process may defer.
const DEFERRED_MAX: usize = 1_000;
/// How long a deferred update is stored, in milliseconds: as long as Telegram keeps one.
const DEFERRED_MS: u64 = DAY_MS;
/// How many stuck updates of a chat may be deferred: a damaged row concerns one chat or person, and
/// its updates must not use up the room of the others. More of them are given up.
const STUCK_IN_CHAT_MAX: usize = 20;
/// How many stuck updates may be deferred. So many chats have no damaged rows: the store has a
/// problem, and fetching waits for it.
const STUCK_MAX: usize = 500;
/// How often the adapter looks for updates that other processes have left, and how old these must
/// be: younger ones may still be handled there.
const RESUME_EVERY: Duration = Duration::from_secs(60);
/// The limits of the first and of the longest pause before retrying an update that could not be
/// stored.
const STORE_RETRY_PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
/// How long the shutdown waits for deferred updates; the others remain in their rows.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);

/// The rest of handling an update; returns whether its result is stored.
pub(super) type RestOfHandling = Pin<Box<dyn Future<Output = bool> + Send>>;

/// The updates that this process has deferred.
pub(super) struct DeferredUpdates {
    dispatcher: Arc<UpdateDispatcher>,
    rows: PlatformRows,
    /// The id of the bot.
    bot: i64,
    known: Mutex<HashSet<i64>>,
    room: Arc<Semaphore>,
    stuck: Arc<StuckUpdates>,
    tasks: TaskTracker,
}

/// Counts the stuck updates of this process by chat.
#[derive(Default)]
struct StuckUpdates(Mutex<BTreeMap<i64, usize>>);

/// Whether one more update of a chat may be deferred because it is stuck.
enum StuckRoom {
    Free(StuckSlot),
    ChatIsFull,
    Full,
}

impl StuckUpdates {
    fn acquire(self: &Arc<Self>, chat: i64) -> StuckRoom {
        let mut counts = self.0.lock();
        if counts.get(&chat).is_some_and(|it| *it >= STUCK_IN_CHAT_MAX) {
            return StuckRoom::ChatIsFull;
        }
        if counts.values().sum::<usize>() >= STUCK_MAX {
            return StuckRoom::Full;
        }
        *counts.entry(chat).or_default() += 1;
        StuckRoom::Free(StuckSlot { stuck: self.clone(), chat })
    }
}

/// Counts a stuck update until it is dropped.
struct StuckSlot {
    stuck: Arc<StuckUpdates>,
    chat: i64,
}

impl Drop for StuckSlot {
    fn drop(&mut self) {
        let mut counts = self.stuck.0.lock();
        if let Some(count) = counts.get_mut(&self.chat) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.chat);
            }
        }
    }
}

impl DeferredUpdates {
    /// Has deferred nothing yet; `bot` is the id of the bot.
    pub(super) fn new(dispatcher: Arc<UpdateDispatcher>, rows: PlatformRows, bot: i64) -> Self {
        let tasks = TaskTracker::new();
        // A closed tracker still accepts tasks; closing only makes `wait` end when no task is left.
        tasks.close();
        let room = Arc::new(Semaphore::new(DEFERRED_MAX));
        let stuck = Arc::default();
        Self { dispatcher, rows, bot, known: Mutex::default(), room, stuck, tasks }
    }

    /// Waits until every deferred update is answered, at most two seconds.
    pub(super) async fn drain(&self) {
        if tokio::time::timeout(DRAIN_TIMEOUT, self.tasks.wait()).await.is_err() {
            tracing::info!("shutdown leaves deferred updates to the next process");
        }
    }
}

/// The row of a deferred update.
#[derive(Serialize, Deserialize)]
struct DeferredUpdate {
    /// When the update was deferred, in milliseconds since 1970.
    since_ms: u64,
    update: Value,
    /// Whether the update was deferred because its result could not be stored. Rows of earlier
    /// versions do not say it.
    #[serde(default)]
    stuck: bool,
}

impl DeferredUpdates {
    fn row_key(&self, id: Option<i64>) -> String {
        let id = id.map(|it| format!("{it:020}")).unwrap_or_default();
        format!("tg parked {} {id}", self.bot)
    }

    /// Stores an update in a row and handles it on a task; returns whether it may be confirmed.
    pub(super) async fn defer(
        self: &Arc<Self>,
        handler: &Arc<dyn UpdateHandler>,
        update: Value,
        rest: RestOfHandling,
    ) -> bool {
        let Some(id) = update_id(&update) else { return true };
        let Ok(room) = self.room.clone().acquire_owned().await else { return false };
        let Some(parked) = self.store_row(id, update, false).await else { return false };
        self.handle_deferred(handler, id, parked, Some(rest), room);
        true
    }

    /// Defers an update whose result could not be stored at several attempts, and goes on trying on
    /// a task for as long as the row is stored; returns whether the update may be confirmed. It may
    /// not if no row can be stored either: then the store fails for all.
    pub(super) async fn defer_stuck(
        self: &Arc<Self>,
        handler: &Arc<dyn UpdateHandler>,
        update: Value,
    ) -> bool {
        let Some(id) = update_id(&update) else { return true };
        let chat = chat_of(&update);
        let slot = match self.stuck.acquire(chat) {
            StuckRoom::Free(slot) => slot,
            StuckRoom::ChatIsFull => {
                tracing::error!(id, chat, "too many updates of a chat cannot be stored; lost one");
                return true;
            }
            StuckRoom::Full => return false,
        };
        let Ok(room) = self.room.clone().try_acquire_owned() else { return false };
        let Some(parked) = self.store_row(id, update, true).await else { return false };
        tracing::error!(id, chat, "an update cannot be stored; the others continue");
        self.handle_deferred(handler, id, parked, None, (room, slot));
        true
    }

    /// Stores an update in a row; `None` if that fails.
    async fn store_row(&self, id: i64, update: Value, stuck: bool) -> Option<DeferredUpdate> {
        let parked = DeferredUpdate { since_ms: now_ms(), update, stuck };
        let kept = json_row(&self.row_key(Some(id)), &parked, DEFERRED_MS);
        match self.rows.store().write(vec![kept]).await {
            Ok(()) => Some(parked),
            Err(error) => {
                tracing::warn!(%error, "failed to store a deferred update");
                None
            }
        }
    }

    /// Handles a deferred update on its own task. `rest` is the part that is left; without it the
    /// update is handled from the start. `room` is what the update takes up until then.
    fn handle_deferred(
        self: &Arc<Self>,
        handler: &Arc<dyn UpdateHandler>,
        id: i64,
        parked: DeferredUpdate,
        rest: Option<RestOfHandling>,
        room: impl Send + 'static,
    ) {
        if !self.known.lock().insert(id) {
            return;
        }
        let me = self.clone();
        let handler = handler.clone();
        self.tasks.spawn(async move {
            let work = AssertUnwindSafe(me.handle_until_stored(&handler, parked, rest));
            if work.catch_unwind().await.is_err() {
                tracing::error!(id, "the handler of a deferred update panicked");
            }
            // The row is deleted even after a panic: the update would panic again.
            me.rows.put(vec![KeyValueEntry::delete(me.row_key(Some(id)))]).await;
            me.known.lock().remove(&id);
            drop(room);
        });
    }

    /// Handles an update, with retries, until its result is stored or its row has expired.
    async fn handle_until_stored(
        self: &Arc<Self>,
        handler: &Arc<dyn UpdateHandler>,
        DeferredUpdate { since_ms, update, .. }: DeferredUpdate,
        mut rest: Option<RestOfHandling>,
    ) {
        let mut pauses = Backoff::new(STORE_RETRY_PAUSES.0, STORE_RETRY_PAUSES.1);
        loop {
            let kept = match rest.take() {
                Some(rest) => rest.await,
                None => {
                    let step =
                        self.dispatcher.handle(handler, update.clone(), Arrival::default()).await;
                    step.finish().await
                }
            };
            if kept {
                return;
            }
            if now_ms() >= since_ms.saturating_add(DEFERRED_MS) {
                let id = update_id(&update).unwrap_or_default();
                tracing::error!(id, "failed to store an update for a day, dropped it");
                return;
            }
            tokio::time::sleep(pauses.next_pause()).await;
        }
    }

    /// Handles updates that earlier or other processes have deferred and not answered, now and
    /// regularly as long as the adapter exists.
    pub(super) fn resume(self: &Arc<Self>, handler: &Arc<dyn UpdateHandler>) {
        let me = Arc::downgrade(self);
        let handler = Arc::downgrade(handler);
        tokio::spawn(async move {
            let mut older_than = Duration::ZERO;
            while Self::take_over(&me, &handler, older_than).await.is_some() {
                older_than = RESUME_EVERY;
                tokio::time::sleep(RESUME_EVERY).await;
            }
        });
    }

    /// Takes over deferred updates of at least this age; `None` when the adapter was dropped.
    async fn take_over(
        me: &Weak<Self>,
        handler: &Weak<dyn UpdateHandler>,
        older_than: Duration,
    ) -> Option<()> {
        let me = me.upgrade()?;
        let handler = handler.upgrade()?;
        let found = me.rows.store().scan(&me.row_key(None), DEFERRED_MAX).await;
        let found = found.unwrap_or_else(|error| {
            tracing::warn!(%error, "failed to read deferred updates");
            Vec::new()
        });
        let older_than = u64::try_from(older_than.as_millis()).unwrap_or(u64::MAX);
        let before_ms = now_ms().saturating_sub(older_than);
        for (_, value) in found {
            let Ok(parked) = serde_json::from_slice::<DeferredUpdate>(&value) else { continue };
            let id = update_id(&parked.update);
            let Some(id) = id.filter(|_| parked.since_ms <= before_ms) else { continue };
            if me.known.lock().contains(&id) {
                continue;
            }
            let slot = match parked.stuck.then(|| me.stuck.acquire(chat_of(&parked.update))) {
                None => None,
                Some(StuckRoom::Free(slot)) => Some(slot),
                // The row stays for a later round.
                Some(StuckRoom::ChatIsFull | StuckRoom::Full) => continue,
            };
            let room = me.room.clone().acquire_owned().await.ok()?;
            me.handle_deferred(&handler, id, parked, None, (room, slot));
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_earlier_versions_are_read() {
        let row = serde_json::from_str::<DeferredUpdate>(r#"{"since_ms":7,"update":{}}"#);
        let row = row.expect("nothing else is required");
        assert_eq!((row.since_ms, row.stuck), (7, false));
    }

    #[test]
    fn stuck_updates_of_one_chat_leave_room_for_others() {
        let stuck = Arc::new(StuckUpdates::default());
        let mut slots = Vec::new();
        for _ in 0..STUCK_IN_CHAT_MAX {
            let StuckRoom::Free(slot) = stuck.acquire(-1) else { panic!("there is room") };
            slots.push(slot);
        }
        assert!(matches!(stuck.acquire(-1), StuckRoom::ChatIsFull));
        assert!(matches!(stuck.acquire(-2), StuckRoom::Free(_)));
        slots.pop();
        assert!(matches!(stuck.acquire(-1), StuckRoom::Free(_)));
    }
}
