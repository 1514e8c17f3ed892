//! Simulates the store of a process: slow, failing, losing answers, and observed by the checks.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::broadcast;

use super::chance::Chance;
use super::processes::ProcessRun;
use super::world::{Outage, World};
use caravanserai_store::{
    Commit, Snapshot, Space, Store, StoreAnswer, StoreChange, StoreClockFn, StoreError,
    StoreHealth, StoreQuery, StoreRow,
};

/// The poll interval of a request to a hung store, in milliseconds.
const HUNG_LOOK_MS: u64 = 500;

/// The store of one process.
pub struct SimStore {
    world: Arc<World>,
    process_run: Arc<ProcessRun>,
    chance: Chance,
    /// For troubles that were added later.
    rarely: Chance,
}

impl SimStore {
    /// The store of this process.
    pub fn new(world: Arc<World>, seed: u64, process_run: Arc<ProcessRun>) -> Self {
        let (chance, rarely) =
            (process_run.chance(seed, "store"), process_run.chance(seed, "reads"));
        SimStore { world, process_run, chance, rarely }
    }

    /// Sometimes waits; never returns once the process is killed.
    async fn lag(&self) {
        if self.chance.happens(self.world.fault_rates().slow_store) {
            let ms = self.chance.between(1, 60);
            self.world.time.sleep(ms).await;
        }
        while self.world.outage() == Some(Outage::Hung) {
            self.world.store_hangs();
            self.world.time.sleep(HUNG_LOOK_MS).await;
        }
        if self.world.spins() {
            std::future::pending::<()>().await;
        }
        self.process_run.goes_on().await;
    }

    /// Fails during an outage: always when the store is away, for writes when it is full.
    fn is_there(&self, writes: bool) -> Result<(), StoreError> {
        match self.world.outage() {
            Some(Outage::Full) if writes => {
                self.world.store_fails("commits to a full disk");
                Err(StoreError::Failed("made to be full".into()))
            }
            Some(Outage::Away) => {
                self.world.store_fails("questions to a store that is away");
                Err(StoreError::Failed("made to be away".into()))
            }
            Some(Outage::Full | Outage::Hung) | None => Ok(()),
        }
    }

    /// Writes a commit and passes it to the checks.
    async fn write(&self, commit: Commit) -> Result<(), StoreError> {
        let commit = self.world.fault_injection.commit(commit);
        let wrong = self.world.log_checks.lock().is_allowed(&self.world, &commit);
        if let Some(written) = self.world.fault_injection.written(commit.clone()) {
            self.world.disk.write(written).await?;
        }
        self.world.count("commits");
        wrong.into_iter().for_each(|what| self.world.report_violation(what));
        let wrong = self.world.log_checks.lock().committed(&self.world, &commit);
        wrong.into_iter().for_each(|what| self.world.report_violation(what));
        self.world.acknowledged(commit).await;
        Ok(())
    }
}

#[async_trait]
impl Store for SimStore {
    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        self.lag().await;
        self.is_there(false)?;
        if self.rarely.happens(self.world.fault_rates().read_fails) {
            self.world.store_fails("failed reads");
            return Err(StoreError::Failed("made not to be read".into()));
        }
        self.world.disk.store.read(reads).await
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        self.lag().await;
        self.is_there(true)?;
        let fault_rates = self.world.fault_rates();
        if self.chance.happens(fault_rates.conflict) {
            self.world.store_fails("made-up conflicts");
            return Err(StoreError::Conflict);
        }
        if self.chance.happens(fault_rates.fail) {
            self.world.store_fails("failed commits");
            return Err(StoreError::Failed("made to fail".into()));
        }
        self.write(commit).await?;
        self.lag().await;
        if self.chance.happens(fault_rates.answer_lost) {
            self.world.store_fails("lost answers of the store");
            return Err(StoreError::Failed("made to lose the answer".into()));
        }
        Ok(())
    }

    async fn remove_expired(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        self.lag().await;
        self.is_there(true)?;
        if !self.world.fault_injection.sweeps() {
            return Ok(0);
        }
        self.world.meant.remove_expired(now_ms, limit).await?;
        self.world.disk.store.remove_expired(now_ms, limit).await
    }

    async fn try_lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        self.lag().await;
        self.is_there(false)?;
        let planted = self.world.fault_injection.lease(name);
        Ok(planted.unwrap_or_else(|| self.world.lease(name.to_owned(), owner, for_ms)))
    }

    async fn release_lease(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        self.lag().await;
        self.is_there(false)?;
        self.world.lease(name.to_owned(), owner, 0);
        Ok(())
    }

    async fn lease_holder(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.lag().await;
        self.is_there(false)?;
        Ok(self.world.holder(name))
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn claim_rows(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError> {
        self.lag().await;
        self.is_there(false)?;
        let mut rows = self.world.disk.store.scan(space, "", None, usize::MAX).await?;
        rows.retain(|(key, _)| key.as_str() <= upto);
        let mut claimed = Vec::new();
        for (key, value) in rows {
            if claimed.len() < limit && self.world.lease(format!("{space:?} {key}"), owner, for_ms)
            {
                claimed.push((key, value));
            }
        }
        self.world.fault_injection.claimed(space, &mut claimed);
        Ok(claimed)
    }

    async fn release_claims(
        &self,
        space: Space,
        keys: &[String],
        owner: &str,
    ) -> Result<(), StoreError> {
        self.lag().await;
        self.is_there(false)?;
        for key in keys {
            self.world.lease(format!("{space:?} {key}"), owner, 0);
        }
        Ok(())
    }

    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        self.world.disk.store.snapshot().await
    }

    /// The disk belongs to the world, so its clock must not own the world.
    fn set_clock(&self, _: StoreClockFn) {
        let world = Arc::downgrade(&self.world);
        let now = move || world.upgrade().map_or(0, |it| it.fault_injection.wall_ms(it.wall_ms()));
        let now: StoreClockFn = Arc::new(now);
        self.world.meant.set_clock(now.clone());
        self.world.disk.store.set_clock(now);
    }

    fn subscribe_changes(&self) -> broadcast::Receiver<StoreChange> {
        self.world.disk.store.subscribe_changes()
    }

    fn health(&self) -> StoreHealth {
        self.world.disk.store.health()
    }

    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
