//! How much one person may ask for.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use governor::clock::Clock as Timer;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::ledger::Clock;
use caravanserai_games::ids::PersonId;

/// After so many requests those who have rested are forgotten.
const FORGET_EVERY: u32 = 4_096;

/// The clock that never jumps, as the limiter reads it.
#[derive(Clone)]
struct Steady(Arc<dyn Clock>);

impl Timer for Steady {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        Duration::from_millis(self.0.monotonic_ms()).into()
    }
}

type Limiter = RateLimiter<PersonId, HashMapStateStore<PersonId>, Steady, NoOpMiddleware<Nanos>>;

/// Counts what people ask for.
pub(super) struct Pace {
    limiter: Option<Limiter>,
    asked: AtomicU32,
}

impl Pace {
    /// So much in a minute, half of it at once; 0 for no limit.
    pub(super) fn new(per_minute: u32, clock: Arc<dyn Clock>) -> Self {
        let limiter = NonZeroU32::new(per_minute).map(|all| {
            let half = NonZeroU32::new(per_minute / 2).unwrap_or(all);
            let quota = Quota::per_minute(all).allow_burst(half);
            RateLimiter::new(quota, HashMapStateStore::default(), Steady(clock))
        });
        Pace { limiter, asked: AtomicU32::new(0) }
    }

    /// Whether this person may ask for something now.
    pub(super) fn allows(&self, person: &PersonId) -> bool {
        let Some(limiter) = &self.limiter else { return true };
        if self.asked.fetch_add(1, Ordering::Relaxed) % FORGET_EVERY == FORGET_EVERY - 1 {
            limiter.retain_recent();
        }
        limiter.check_key(person).is_ok()
    }
}
