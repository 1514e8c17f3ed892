//! Defers updates whose replies need an engine or a network.
//!
//! A deferred update is stored in a row until it is answered, so that it can be confirmed at once:
//! the next updates are fetched meanwhile, and if the process ends before the answer, the next
//! process answers it. At most [`DEFERRED_MAX`] updates are deferred at a time; beyond that,
//! fetching waits, too.

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::time::Duration;

use futures::FutureExt;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::task::TaskTracker;

use super::now_ms;
use super::update_dispatcher::UpdateDispatcher;
use super::update_source::update_id;
use caravanserai_platform_shared::backoff::Backoff;
use caravanserai_platform_shared::platform_rows::{PlatformRows, json_row};
use caravanserai_protocol::{Arrival, KeyValueEntry, UpdateHandler};

/// How many updates one process may defer.
const DEFERRED_MAX: usize = 1_000;
/// How long a deferred update is stored, in milliseconds: as long as Telegram keeps one.
const DEFERRED_MS: u64 = 24 * 3_600_000;
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
    tasks: TaskTracker,
}

impl DeferredUpdates {
    /// Has deferred nothing yet; `bot` is the id of the bot.
    pub(super) fn new(dispatcher: Arc<UpdateDispatcher>, rows: PlatformRows, bot: i64) -> Self {
        let tasks = TaskTracker::new();
        // A closed tracker still accepts tasks; closing only makes `wait` end when no task is left.
        tasks.close();
        let room = Arc::new(Semaphore::new(DEFERRED_MAX));
        Self { dispatcher, rows, bot, known: Mutex::default(), room, tasks }
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
        let parked = DeferredUpdate { since_ms: now_ms(), update };
        let kept = json_row(&self.row_key(Some(id)), &parked, DEFERRED_MS);
        if let Err(error) = self.rows.store().write(vec![kept]).await {
            tracing::warn!(%error, "failed to store a deferred update");
            return false;
        }
        self.handle_deferred(handler, (id, parked.update), Some(rest), room);
        true
    }

    /// Handles a deferred update on its own task. `rest` is the part that is left; without it the
    /// update is handled from the start.
    fn handle_deferred(
        self: &Arc<Self>,
        handler: &Arc<dyn UpdateHandler>,
        (id, update): (i64, Value),
        rest: Option<RestOfHandling>,
        room: OwnedSemaphorePermit,
    ) {
        if !self.known.lock().insert(id) {
            return;
        }
        let (me, handler) = (self.clone(), handler.clone());
        self.tasks.spawn(async move {
            let work = AssertUnwindSafe(me.handle_until_stored(&handler, update, rest));
            if work.catch_unwind().await.is_err() {
                tracing::error!(id, "the handler of a deferred update panicked");
            }
            // The row is deleted even after a panic: the update would panic again.
            me.rows.put(vec![KeyValueEntry::delete(me.row_key(Some(id)))]).await;
            me.known.lock().remove(&id);
            drop(room);
        });
    }

    /// Handles an update, with retries, until its result is stored.
    async fn handle_until_stored(
        self: &Arc<Self>,
        handler: &Arc<dyn UpdateHandler>,
        update: Value,
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
            tokio::time::sleep(pauses.next_pause()).await;
        }
    }

    /// Handles updates that earlier or other processes have deferred and not answered, now and
    /// regularly as long as the adapter exists.
    pub(super) fn resume(self: &Arc<Self>, handler: &Arc<dyn UpdateHandler>) {
        let (me, handler) = (Arc::downgrade(self), Arc::downgrade(handler));
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
        let (me, handler) = (me.upgrade()?, handler.upgrade()?);
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
            let room = me.room.clone().acquire_owned().await.ok()?;
            me.handle_deferred(&handler, (id, parked.update), None, room);
        }
        Some(())
    }
}
