//! What is known about the database without asking it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::StoreHealth;
use crate::clock::{StoreClock, now_ms};

/// Whether the last question was answered, and what time it is.
#[derive(Default)]
pub(super) struct PostgresHealth {
    /// By which lifetimes are over: the same clock by which they were written.
    pub(super) clock: StoreClock,
    health: Mutex<StoreHealth>,
}

impl PostgresHealth {
    pub(super) fn health(&self) -> StoreHealth {
        self.lock().clone()
    }

    /// It answers.
    pub(super) fn set_good(&self) {
        let mut health = self.lock();
        if *health != StoreHealth::Good {
            tracing::info!("the database takes writes again");
            *health = StoreHealth::Good;
        }
    }

    /// It does not. What was so since long ago stays so since then.
    pub(super) fn set_failed(&self, why: &str) {
        let mut health = self.lock();
        let since_ms = match &*health {
            StoreHealth::Paused { since_ms, .. } | StoreHealth::Ended { since_ms, .. } => *since_ms,
            StoreHealth::Good => {
                tracing::warn!("the database takes no writes: {why}");
                now_ms()
            }
        };
        *health = StoreHealth::Paused { why: why.to_owned(), since_ms };
    }

    fn lock(&self) -> MutexGuard<'_, StoreHealth> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
