//! The disk of a simulated world: slow, failing, losing answers, and watched.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::broadcast;

use super::between::Fate;
use super::chance::Chance;
use super::world::{World, lock};
use crate::store::{
    Change, Commit, Found, Now, Read, Row, Snapshot, Space, Store, StoreError, StoreHealth,
};

/// What one process knows as its store.
pub struct SimStore {
    world: Arc<World>,
    chance: Chance,
}

impl SimStore {
    /// The store of the process with this number.
    pub fn new(world: Arc<World>, seed: u64, process: u64) -> Self {
        let chance = Chance::new(seed ^ process.rotate_left(32), "store");
        SimStore { world, chance }
    }

    /// Takes a while, sometimes.
    async fn lag(&self) {
        if self.chance.happens(self.world.weather().slow_store) {
            let ms = self.chance.between(1, 60);
            self.world.time.sleep(ms).await;
        }
    }
}

#[async_trait]
impl Store for SimStore {
    async fn read(&self, reads: &[Read]) -> Result<Vec<Found>, StoreError> {
        self.lag().await;
        self.world.disk.read(reads).await
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        self.lag().await;
        let weather = self.world.weather();
        if self.chance.happens(weather.conflict) {
            self.world.count("made-up conflicts");
            lock(&self.world.chats).may_repeat();
            return Err(StoreError::Conflict);
        }
        if self.chance.happens(weather.fail) {
            self.world.count("failed commits");
            lock(&self.world.chats).may_repeat();
            return Err(StoreError::Failed("made to fail".into()));
        }
        let Fate::Written(commit) = self.world.between.commit(commit) else { return Ok(()) };
        self.world.disk.commit(commit.clone()).await?;
        self.world.count("commits");
        let wrong = lock(&self.world.truth).committed(&self.world, &commit);
        wrong.into_iter().for_each(|what| self.world.broke(what));
        self.lag().await;
        if self.chance.happens(weather.answer_lost) {
            self.world.count("lost answers of the store");
            lock(&self.world.chats).may_repeat();
            return Err(StoreError::Failed("made to lose the answer".into()));
        }
        Ok(())
    }

    async fn sweep(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        self.lag().await;
        self.world.disk.sweep(now_ms, limit).await
    }

    async fn lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        self.lag().await;
        Ok(self.world.lease(name.to_owned(), owner, for_ms))
    }

    async fn release(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        self.lag().await;
        self.world.lease(name.to_owned(), owner, 0);
        Ok(())
    }

    async fn claim(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<Row>, StoreError> {
        self.lag().await;
        let mut rows = self.world.disk.scan(space, "", None, usize::MAX).await?;
        rows.retain(|(key, _)| {
            key.as_str() <= upto && self.world.lease(format!("{space:?} {key}"), owner, for_ms)
        });
        rows.truncate(limit);
        Ok(rows)
    }

    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        self.world.disk.snapshot().await
    }

    /// The disk belongs to the world, so what it goes by must not keep the world.
    fn go_by(&self, _: Now) {
        let world = Arc::downgrade(&self.world);
        let now = move || world.upgrade().map_or(0, |it| it.between.wall_ms(it.wall_ms()));
        self.world.disk.go_by(Arc::new(now));
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.world.disk.changes()
    }

    fn health(&self) -> StoreHealth {
        self.world.disk.health()
    }

    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
