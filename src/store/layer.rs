//! The base of stores that wrap another store.

use async_trait::async_trait;
use tokio::sync::broadcast;

use super::{
    Commit, Snapshot, Space, Store, StoreAnswer, StoreChange, StoreClockFn, StoreError,
    StoreHealth, StoreQuery, StoreRow,
};

/// A store that forwards every call to another one, except for the methods it overrides.
/// Implementing this trait is enough to be a [`Store`].
///
/// # Examples
///
/// ```
/// use caravanserai_store::memory::MemoryStore;
/// use caravanserai_store::{Store, StoreLayer};
///
/// /// Forwards every call.
/// struct Plain(MemoryStore);
///
/// impl StoreLayer for Plain {
///     fn inner(&self) -> &dyn Store {
///         &self.0
///     }
/// }
///
/// fn is_a_store(_: &dyn Store) {}
/// is_a_store(&Plain(MemoryStore::new()));
/// ```
#[async_trait]
pub trait StoreLayer: Send + Sync + 'static {
    /// The store that calls are forwarded to.
    fn inner(&self) -> &dyn Store;

    /// See [`Store::read`].
    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        self.inner().read(reads).await
    }

    /// See [`Store::commit`].
    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        self.inner().commit(commit).await
    }

    /// See [`Store::remove_expired`].
    async fn remove_expired(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        self.inner().remove_expired(now_ms, limit).await
    }

    /// See [`Store::try_lease`].
    async fn try_lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        self.inner().try_lease(name, owner, for_ms).await
    }

    /// See [`Store::release_lease`].
    async fn release_lease(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        self.inner().release_lease(name, owner).await
    }

    /// See [`Store::lease_holder`].
    async fn lease_holder(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.inner().lease_holder(name).await
    }

    /// See [`Store::is_shared`].
    fn is_shared(&self) -> bool {
        self.inner().is_shared()
    }

    /// See [`Store::claim_rows`].
    async fn claim_rows(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError> {
        self.inner().claim_rows(space, upto, owner, for_ms, limit).await
    }

    /// See [`Store::release_claims`].
    async fn release_claims(
        &self,
        space: Space,
        keys: &[String],
        owner: &str,
    ) -> Result<(), StoreError> {
        self.inner().release_claims(space, keys, owner).await
    }

    /// See [`Store::snapshot`].
    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        self.inner().snapshot().await
    }

    /// See [`Store::set_clock`].
    fn set_clock(&self, now: StoreClockFn) {
        self.inner().set_clock(now);
    }

    /// See [`Store::subscribe_changes`].
    fn subscribe_changes(&self) -> broadcast::Receiver<StoreChange> {
        self.inner().subscribe_changes()
    }

    /// See [`Store::health`].
    fn health(&self) -> StoreHealth {
        self.inner().health()
    }

    /// See [`Store::close`].
    async fn close(&self) -> Result<(), StoreError> {
        self.inner().close().await
    }
}

#[async_trait]
impl<T: StoreLayer> Store for T {
    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        StoreLayer::read(self, reads).await
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        StoreLayer::commit(self, commit).await
    }

    async fn remove_expired(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        StoreLayer::remove_expired(self, now_ms, limit).await
    }

    async fn try_lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        StoreLayer::try_lease(self, name, owner, for_ms).await
    }

    async fn release_lease(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        StoreLayer::release_lease(self, name, owner).await
    }

    async fn lease_holder(&self, name: &str) -> Result<Option<String>, StoreError> {
        StoreLayer::lease_holder(self, name).await
    }

    fn is_shared(&self) -> bool {
        StoreLayer::is_shared(self)
    }

    async fn claim_rows(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError> {
        StoreLayer::claim_rows(self, space, upto, owner, for_ms, limit).await
    }

    async fn release_claims(
        &self,
        space: Space,
        keys: &[String],
        owner: &str,
    ) -> Result<(), StoreError> {
        StoreLayer::release_claims(self, space, keys, owner).await
    }

    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        StoreLayer::snapshot(self).await
    }

    fn set_clock(&self, now: StoreClockFn) {
        StoreLayer::set_clock(self, now);
    }

    fn subscribe_changes(&self) -> broadcast::Receiver<StoreChange> {
        StoreLayer::subscribe_changes(self)
    }

    fn health(&self) -> StoreHealth {
        StoreLayer::health(self)
    }

    async fn close(&self) -> Result<(), StoreError> {
        StoreLayer::close(self).await
    }
}
