//! Tracks the health of the database by the outcome of queries: after a failure, also of a read, it
//! counts as paused until a commit succeeds or the listener reconnects.

use parking_lot::Mutex;

use crate::StoreHealth;
use crate::clock::{StoreClock, now_ms};

/// The outcome of the last query, and the clock of the store.
#[derive(Default)]
pub(super) struct PostgresHealth {
    /// Decides when rows expire: the same clock that expiry times are computed with.
    pub(super) clock: StoreClock,
    health: Mutex<StoreHealth>,
}

impl PostgresHealth {
    pub(super) fn health(&self) -> StoreHealth {
        self.health.lock().clone()
    }

    /// Records that the database answers.
    pub(super) fn set_good(&self) {
        let mut health = self.health.lock();
        if *health != StoreHealth::Good {
            tracing::info!("the database accepts writes again");
            *health = StoreHealth::Good;
        }
    }

    /// Records a failure. A failure that lasts keeps the time when it began.
    pub(super) fn set_failed(&self, why: &str) {
        let mut health = self.health.lock();
        let since_ms = match &*health {
            StoreHealth::Paused { since_ms, .. }
            | StoreHealth::Stuck { since_ms, .. }
            | StoreHealth::Ended { since_ms, .. } => *since_ms,
            StoreHealth::Good => {
                tracing::warn!("the database does not accept writes: {why}");
                now_ms()
            }
        };
        *health = StoreHealth::Paused { why: why.to_owned(), since_ms };
    }
}
