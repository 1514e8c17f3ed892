//! Injects faults into a store, from a script or a seed, to test how the service reacts.

use std::collections::VecDeque;

use async_trait::async_trait;
use parking_lot::Mutex;

use super::layer::StoreLayer;
use super::{Commit, Store, StoreError};

/// The fault that a commit meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No fault.
    None,
    /// The commit is refused as if another one had been first; nothing is written.
    Conflict,
    /// Fails before anything is written.
    Fail,
    /// The commit is written, but the answer is a failure, as when the connection breaks too early.
    AnswerLost,
    /// The commit succeeds after it has yielded to other tasks this many times.
    Delay(u16),
}

/// Rates of faults, per 1,000 commits each.
#[derive(Clone, Copy, Debug, Default)]
pub struct FaultRates {
    /// Rate of [`Fault::Conflict`].
    pub conflict: u16,
    /// Rate of [`Fault::Fail`].
    pub fail: u16,
    /// Rate of [`Fault::AnswerLost`].
    pub answer_lost: u16,
    /// Rate of [`Fault::Delay`], of 1 to 16 yields.
    pub delay: u16,
}

/// Injects faults into the commits of a store; reads are forwarded unchanged.
pub struct FaultyStore<S> {
    inner: S,
    plan: Mutex<FaultPlan>,
}

/// Chooses the fault for a commit.
type FaultChooser = Box<dyn FnMut(&Commit) -> Fault + Send>;

enum FaultPlan {
    Script(VecDeque<Fault>),
    Dice { state: u64, rates: FaultRates },
    Chosen(FaultChooser),
}

impl<S: Store> FaultyStore<S> {
    /// The first commits meet these faults in order, later ones none.
    pub fn with_script(inner: S, faults: impl IntoIterator<Item = Fault>) -> Self {
        Self { inner, plan: Mutex::new(FaultPlan::Script(faults.into_iter().collect())) }
    }

    /// Random faults; the same seed gives the same faults in the same order.
    pub fn with_seed(inner: S, seed: u64, rates: FaultRates) -> Self {
        Self { inner, plan: Mutex::new(FaultPlan::Dice { state: seed, rates }) }
    }

    /// `choose` picks the fault for each commit.
    pub fn with_chooser(inner: S, choose: impl FnMut(&Commit) -> Fault + Send + 'static) -> Self {
        Self { inner, plan: Mutex::new(FaultPlan::Chosen(Box::new(choose))) }
    }

    /// The wrapped store.
    pub fn inner(&self) -> &S {
        &self.inner
    }

    fn next_fault(&self, commit: &Commit) -> Fault {
        match &mut *self.plan.lock() {
            FaultPlan::Script(faults) => faults.pop_front().unwrap_or(Fault::None),
            FaultPlan::Dice { state, rates } => rates.pick(split_mix(state)),
            FaultPlan::Chosen(choose) => choose(commit),
        }
    }
}

impl FaultRates {
    fn pick(self, random: u64) -> Fault {
        let turns = u16::try_from(random >> 32 & 15).expect("four bits fit") + 1;
        let mut left = u16::try_from(random % 1000).expect("below 1,000 fits");
        for (rate, fault) in [
            (self.conflict, Fault::Conflict),
            (self.fail, Fault::Fail),
            (self.answer_lost, Fault::AnswerLost),
            (self.delay, Fault::Delay(turns)),
        ] {
            if left < rate {
                return fault;
            }
            left -= rate;
        }
        Fault::None
    }
}

/// The SplitMix64 generator (Steele, Lea, Flood 2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[async_trait]
impl<S: Store> StoreLayer for FaultyStore<S> {
    fn inner(&self) -> &dyn Store {
        &self.inner
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        match self.next_fault(&commit) {
            Fault::None => self.inner.commit(commit).await,
            Fault::Conflict => Err(StoreError::Conflict),
            Fault::Fail => Err(StoreError::Failed("made to fail".into())),
            Fault::AnswerLost => {
                self.inner.commit(commit).await?;
                Err(StoreError::Failed("made to lose the answer".into()))
            }
            Fault::Delay(turns) => {
                for _ in 0..turns {
                    tokio::task::yield_now().await;
                }
                self.inner.commit(commit).await
            }
        }
    }
}
