//! Tells other processes that an update waits in this one, so that none of them lets a clock run
//! out before a move that was received in time is handled.
//!
//! Nearly every update is handled within milliseconds and costs no row. A suspended process tells
//! nothing: its moves are late for the others.

use serde::{Deserialize, Serialize};

use super::Scheduler;
use crate::repository::pending_updates::{NOTICE_DELAY_MS, UPDATE_WAIT_MAX_MS};
use crate::repository::stored_rows::{parse_json_or_default, put_json, remove_row};
use crate::repository::{Failure, keys};
use caravanserai_store::{Put, Space};

/// How often a mark is renewed, in milliseconds.
const NOTICE_RENEWAL_MS: u64 = 1_000;

/// How long a mark counts, in milliseconds: the process may have died since.
const NOTICE_TTL_MS: u64 = 3 * NOTICE_RENEWAL_MS;

/// How often the marks of others are read while a deadline waits, in milliseconds.
const NOTICE_POLL_MS: u64 = 250;

/// The most marks that are read: one for each process.
const NOTICES_MAX: usize = 100;

/// An update waits in another process.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct PendingUpdateMark {
    /// When it was received, in milliseconds since 1970.
    received_ms: u64,
    /// How long this counts, in milliseconds since 1970.
    until_ms: u64,
}

impl Scheduler {
    /// Tells other processes while an update waits here, until the bot stops.
    pub async fn announce_pending_updates(&self) {
        if !self.repository.store().is_shared() {
            return;
        }
        let pending = self.repository.pending_updates().clone();
        let clock = self.repository.time_source().clone();
        let mut announced = false;
        while !self.tasks.is_stopping() {
            let now_ms = clock.monotonic_ms();
            let oldest_ms = pending.oldest_ms(now_ms);
            let waits = oldest_ms.filter(|at_ms| at_ms + NOTICE_DELAY_MS <= now_ms);
            if waits.is_some() || announced {
                announced = waits.is_some();
                self.write_mark(waits.map(|at_ms| now_ms - at_ms)).await;
            }
            let check_ms = match oldest_ms {
                Some(_) if announced => NOTICE_RENEWAL_MS,
                Some(at_ms) => (at_ms + NOTICE_DELAY_MS).saturating_sub(now_ms),
                None => u64::MAX,
            };
            tokio::select! {
                biased;
                () = self.tasks.wait_for_stop() => {}
                () = pending.wait_until_handled(oldest_ms.unwrap_or_default()), if announced => {}
                () = clock.sleep_ms(check_ms), if oldest_ms.is_some() => {}
                () = pending.wait_until_received(now_ms), if oldest_ms.is_none() => {}
            }
        }
    }

    /// Stores for how long an update has waited here, in milliseconds, or that none waits.
    async fn write_mark(&self, waited_ms: Option<u64>) {
        let now_ms = self.repository.now_ms();
        let key = keys::waiting_update(self.repository.replica());
        let row = match waited_ms {
            None => remove_row(Space::Meta, key),
            Some(waited_ms) => mark_put(key, now_ms, waited_ms),
        };
        if let Err(failure) = self.repository.put_all(vec![row]).await {
            tracing::warn!(%failure, "failed to store the mark of a pending update");
        }
    }

    /// Waits until other processes have handled the updates that they received before now.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) async fn wait_for_other_processes(&self) -> Result<(), Failure> {
        if !self.repository.store().is_shared() {
            return Ok(());
        }
        let clock = self.repository.time_source();
        let own = keys::waiting_update(self.repository.replica());
        let began_ms = self.repository.now_ms();
        let end_ms = clock.monotonic_ms() + UPDATE_WAIT_MAX_MS;
        while clock.monotonic_ms() < end_ms && !self.tasks.is_stopping() {
            let rows =
                self.repository.read_rows(Space::Meta, keys::WAITING_PREFIX, NOTICES_MAX).await?;
            let now_ms = self.repository.now_ms();
            let is_awaited = rows.into_iter().filter(|(key, _)| *key != own).any(|(_, value)| {
                let mark: PendingUpdateMark = parse_json_or_default(Some(value));
                mark.received_ms <= began_ms && now_ms < mark.until_ms
            });
            if !is_awaited {
                break;
            }
            tokio::select! {
                biased;
                () = clock.sleep_ms(NOTICE_POLL_MS) => {}
                () = self.tasks.wait_for_stop() => {}
            }
        }
        Ok(())
    }
}

fn mark_put(key: String, now_ms: u64, waited_ms: u64) -> Put {
    let until_ms = now_ms + NOTICE_TTL_MS;
    let mark = PendingUpdateMark { received_ms: now_ms.saturating_sub(waited_ms), until_ms };
    put_json(Space::Meta, key, &mark).expires_at(until_ms)
}
