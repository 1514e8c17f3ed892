//! Limits the requests of each person, or about each table.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use governor::clock::Clock as Timer;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::repository::TimeSource;
use caravanserai_games::ids::{PersonId, TableId};

/// The number of requests after which inactive keys are removed.
const PRUNE_EVERY: u32 = 4_096;

/// The monotonic clock, as the limiter reads it.
#[derive(Clone)]
struct MonotonicTimer(Arc<dyn TimeSource>);

impl Timer for MonotonicTimer {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        Duration::from_millis(self.0.monotonic_ms()).into()
    }
}

type KeyedRateLimiter =
    RateLimiter<String, HashMapStateStore<String>, MonotonicTimer, NoOpMiddleware<Nanos>>;

/// A limiter of the requests of each person, or about each table.
pub(crate) struct RequestLimiter {
    limiter: Option<KeyedRateLimiter>,
    request_count: AtomicU32,
}

impl RequestLimiter {
    /// Creates a limiter with this number of requests a minute, half of which may come at once; 0
    /// for no limit.
    pub(crate) fn new(per_minute: u32, clock: Arc<dyn TimeSource>) -> Self {
        let quota = NonZeroU32::new(per_minute).map(|all| {
            let half = NonZeroU32::new(per_minute / 2).unwrap_or(all);
            Quota::per_minute(all).allow_burst(half)
        });
        Self::with_quota(quota, clock)
    }

    /// Creates a limiter with this number of requests an hour, all of which may come at once; 0 for
    /// no limit.
    pub(crate) fn per_hour(per_hour: u32, clock: Arc<dyn TimeSource>) -> Self {
        Self::with_quota(NonZeroU32::new(per_hour).map(Quota::per_hour), clock)
    }

    fn with_quota(quota: Option<Quota>, clock: Arc<dyn TimeSource>) -> Self {
        let limiter = quota
            .map(|it| RateLimiter::new(it, HashMapStateStore::default(), MonotonicTimer(clock)));
        RequestLimiter { limiter, request_count: AtomicU32::new(0) }
    }

    /// Whether this person may send a request now. Counts it.
    pub(crate) fn allow_request(&self, person: &PersonId) -> bool {
        self.allow(&person.0)
    }

    /// Whether a request about this table may be carried out now. Counts it.
    pub(crate) fn allow_about_table(&self, table: &TableId) -> bool {
        self.allow(&table.0)
    }

    fn allow(&self, key: &String) -> bool {
        let Some(limiter) = &self.limiter else { return true };
        if self.request_count.fetch_add(1, Ordering::Relaxed) % PRUNE_EVERY == PRUNE_EVERY - 1 {
            limiter.retain_recent();
        }
        limiter.check_key(key).is_ok()
    }
}
