//! Stores in front of another store.

use async_trait::async_trait;
use tokio::sync::broadcast;

use super::{
    Change, Commit, Found, Now, Read, Row, Snapshot, Space, Store, StoreError, StoreHealth,
};

/// A store that passes everything on to another one, except for what it overrides. Implementing
/// this is enough to be a [`Store`].
///
/// # Examples
///
/// ```
/// use caravanserai_store::memory::MemoryStore;
/// use caravanserai_store::{Store, StoreLayer};
///
/// /// Passes everything on.
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
    /// The store that everything is passed on to.
    fn inner(&self) -> &dyn Store;

    /// See [`Store::read`].
    async fn read(&self, reads: &[Read]) -> Result<Vec<Found>, StoreError> {
        self.inner().read(reads).await
    }

    /// See [`Store::commit`].
    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        self.inner().commit(commit).await
    }

    /// See [`Store::sweep`].
    async fn sweep(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        self.inner().sweep(now_ms, limit).await
    }

    /// See [`Store::lease`].
    async fn lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        self.inner().lease(name, owner, for_ms).await
    }

    /// See [`Store::release`].
    async fn release(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        self.inner().release(name, owner).await
    }

    /// See [`Store::holder`].
    async fn holder(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.inner().holder(name).await
    }

    /// See [`Store::is_shared`].
    fn is_shared(&self) -> bool {
        self.inner().is_shared()
    }

    /// See [`Store::claim`].
    async fn claim(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<Row>, StoreError> {
        self.inner().claim(space, upto, owner, for_ms, limit).await
    }

    /// See [`Store::snapshot`].
    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        self.inner().snapshot().await
    }

    /// See [`Store::go_by`].
    fn go_by(&self, now: Now) {
        self.inner().go_by(now);
    }

    /// See [`Store::changes`].
    fn changes(&self) -> broadcast::Receiver<Change> {
        self.inner().changes()
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
    async fn read(&self, reads: &[Read]) -> Result<Vec<Found>, StoreError> {
        StoreLayer::read(self, reads).await
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        StoreLayer::commit(self, commit).await
    }

    async fn sweep(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        StoreLayer::sweep(self, now_ms, limit).await
    }

    async fn lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        StoreLayer::lease(self, name, owner, for_ms).await
    }

    async fn release(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        StoreLayer::release(self, name, owner).await
    }

    async fn holder(&self, name: &str) -> Result<Option<String>, StoreError> {
        StoreLayer::holder(self, name).await
    }

    fn is_shared(&self) -> bool {
        StoreLayer::is_shared(self)
    }

    async fn claim(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<Row>, StoreError> {
        StoreLayer::claim(self, space, upto, owner, for_ms, limit).await
    }

    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        StoreLayer::snapshot(self).await
    }

    fn go_by(&self, now: Now) {
        StoreLayer::go_by(self, now);
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        StoreLayer::changes(self)
    }

    fn health(&self) -> StoreHealth {
        StoreLayer::health(self)
    }

    async fn close(&self) -> Result<(), StoreError> {
        StoreLayer::close(self).await
    }
}
