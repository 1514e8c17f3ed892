//! A store that misbehaves on purpose, from a script or a seed, so that tests can see what the
//! service does then.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

use super::layer::StoreLayer;
use super::{Commit, Store, StoreError};

/// What happens to one commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It goes through.
    None,
    /// Refused as if somebody else had been first; nothing is written.
    Conflict,
    /// Fails before anything is written.
    Fail,
    /// Is written, but the answer is a failure: as when the connection breaks too early.
    AnswerLost,
    /// Goes through after letting other tasks run this many times.
    Delay(u16),
}

/// How often faults happen, out of 1,000 commits each.
#[derive(Clone, Copy, Debug, Default)]
pub struct FaultRates {
    /// [`Fault::Conflict`].
    pub conflict: u16,
    /// [`Fault::Fail`].
    pub fail: u16,
    /// [`Fault::AnswerLost`].
    pub answer_lost: u16,
    /// [`Fault::Delay`] of 1 to 16 turns.
    pub delay: u16,
}

/// Wraps a store; reads go through untouched.
pub struct FaultyStore<S> {
    inner: S,
    plan: Mutex<FaultPlan>,
}

/// Which fault a commit meets.
type FaultChooser = Box<dyn FnMut(&Commit) -> Fault + Send>;

enum FaultPlan {
    Script(VecDeque<Fault>),
    Dice { state: u64, rates: FaultRates },
    Chosen(FaultChooser),
}

impl<S: Store> FaultyStore<S> {
    /// The first commits meet these faults in order, the rest none.
    pub fn with_script(inner: S, faults: impl IntoIterator<Item = Fault>) -> Self {
        Self { inner, plan: Mutex::new(FaultPlan::Script(faults.into_iter().collect())) }
    }

    /// Faults at random; the same seed gives the same faults in the same order.
    pub fn with_seed(inner: S, seed: u64, rates: FaultRates) -> Self {
        Self { inner, plan: Mutex::new(FaultPlan::Dice { state: seed, rates }) }
    }

    /// `choose` looks at each commit and says which fault it meets.
    pub fn with_chooser(inner: S, choose: impl FnMut(&Commit) -> Fault + Send + 'static) -> Self {
        Self { inner, plan: Mutex::new(FaultPlan::Chosen(Box::new(choose))) }
    }

    /// The store underneath.
    pub fn inner(&self) -> &S {
        &self.inner
    }

    fn next_fault(&self, commit: &Commit) -> Fault {
        match &mut *self.plan.lock().unwrap_or_else(PoisonError::into_inner) {
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
