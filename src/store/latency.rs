//! Measures how long a store takes to answer, so that players can be informed while they wait.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use parking_lot::Mutex;

use super::layer::StoreLayer;
use super::{Commit, Space, Store, StoreAnswer, StoreClockFn, StoreError, StoreQuery, StoreRow};

/// A store that tracks its unanswered reads and commits, and the duration of all calls.
pub struct LatencyStore {
    inner: Arc<dyn Store>,
    /// Milliseconds on a clock that never jumps.
    monotonic_ms: StoreClockFn,
    asked: AtomicU64,
    /// The start and the number of each unanswered call.
    unanswered: Mutex<BTreeSet<(u64, u64)>>,
    /// See [`LatencyStore::take_longest_call_ms`].
    longest_ms: AtomicU64,
}

/// A call that counts as unanswered until this guard is dropped.
struct PendingCall<'a>(&'a LatencyStore, (u64, u64));

impl Drop for PendingCall<'_> {
    fn drop(&mut self) {
        let mut all = self.0.unanswered.lock();
        all.remove(&self.1);
    }
}

/// Times a call of any kind until this guard is dropped.
struct TimedCall<'a>(&'a LatencyStore, u64);

impl Drop for TimedCall<'_> {
    fn drop(&mut self) {
        let took_ms = (self.0.monotonic_ms)().saturating_sub(self.1);
        self.0.longest_ms.fetch_max(took_ms, Ordering::Relaxed);
    }
}

impl LatencyStore {
    /// Measures a store by this clock, which must never jump.
    pub fn new(inner: Arc<dyn Store>, monotonic_ms: StoreClockFn) -> Self {
        let (asked, unanswered, longest_ms) = Default::default();
        Self { inner, monotonic_ms, asked, unanswered, longest_ms }
    }

    /// Returns and resets the duration of the longest finished call of any kind.
    pub fn take_longest_call_ms(&self) -> u64 {
        self.longest_ms.swap(0, Ordering::Relaxed)
    }

    fn start_timing(&self) -> TimedCall<'_> {
        TimedCall(self, (self.monotonic_ms)())
    }

    /// How long the oldest read or commit has been waiting for its answer, in milliseconds.
    pub fn oldest_pending_ms(&self) -> u64 {
        let all = self.unanswered.lock();
        all.first().map_or(0, |(since, _)| (self.monotonic_ms)().saturating_sub(*since))
    }

    fn start_pending(&self) -> PendingCall<'_> {
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        let question = ((self.monotonic_ms)(), number);
        self.unanswered.lock().insert(question);
        PendingCall(self, question)
    }
}

#[async_trait]
impl StoreLayer for LatencyStore {
    fn inner(&self) -> &dyn Store {
        &*self.inner
    }

    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        let _question = self.start_pending();
        let _measured = self.start_timing();
        self.inner.read(reads).await
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        let _question = self.start_pending();
        let _measured = self.start_timing();
        self.inner.commit(commit).await
    }

    async fn remove_expired(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        let _measured = self.start_timing();
        self.inner.remove_expired(now_ms, limit).await
    }

    async fn try_lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        let _measured = self.start_timing();
        self.inner.try_lease(name, owner, for_ms).await
    }

    async fn claim_rows(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError> {
        let _measured = self.start_timing();
        self.inner.claim_rows(space, upto, owner, for_ms, limit).await
    }
}

#[cfg(test)]
mod tests {
    use super::super::faulty::{Fault, FaultyStore};
    use super::super::memory::MemoryStore;
    use super::*;

    #[tokio::test]
    async fn a_call_counts_until_it_is_answered_or_dropped() {
        let now = Arc::new(AtomicU64::new(5));
        let clock = Arc::clone(&now);
        let inner = FaultyStore::with_script(MemoryStore::new(), [Fault::Delay(9)]);
        let clock: StoreClockFn = Arc::new(move || clock.load(Ordering::Relaxed));
        let store = LatencyStore::new(Arc::new(inner), clock);
        let mut waits = Box::pin(Store::commit(&store, Commit::default()));
        assert!(futures::poll!(&mut waits).is_pending());
        now.store(1_005, Ordering::Relaxed);
        assert_eq!(store.oldest_pending_ms(), 1_000);
        // The caller is gone, so no call is waiting.
        drop(waits);
        assert_eq!(store.oldest_pending_ms(), 0);
        assert_eq!((store.take_longest_call_ms(), store.take_longest_call_ms()), (1_000, 0));
        Store::commit(&store, Commit::default()).await.expect("it answers again");
        assert_eq!(store.oldest_pending_ms(), 0);
    }
}
