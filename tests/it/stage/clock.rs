//! A clock that does not run until a test advances it.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use async_trait::async_trait;
use caravanserai_bot::service::TimeSource;
use tokio::sync::watch;

/// Time in the hands of a test.
pub struct TestClock {
    /// The time that never jumps.
    now: watch::Sender<u64>,
    /// By how much the clock on the wall was set since.
    set_by: AtomicI64,
    /// For how long the process was frozen.
    frozen_ms: AtomicU64,
    /// When each sleeper wants to be woken.
    sleepers: watch::Sender<Vec<u64>>,
}

impl TestClock {
    /// Begins on 2026-11-21 at noon.
    pub fn new() -> Self {
        Self::at(1_795_262_400_000)
    }

    /// Begins at this time, in milliseconds since 1970.
    pub fn at(now_ms: u64) -> Self {
        let sleepers = watch::Sender::new(Vec::new());
        let (set_by, frozen_ms) = (AtomicI64::new(0), AtomicU64::new(0));
        TestClock { now: watch::Sender::new(now_ms), set_by, frozen_ms, sleepers }
    }

    /// Lets so many milliseconds pass.
    pub fn pass_ms(&self, ms: u64) {
        self.now.send_modify(|it| *it += ms);
    }

    /// Lets time pass until this moment; gives the time before.
    pub fn until(&self, at_ms: u64) -> u64 {
        let before_ms = self.now_ms();
        self.pass_ms(at_ms.saturating_sub(before_ms));
        before_ms
    }

    /// Lets so many milliseconds pass in which the process does not run.
    pub fn freeze_ms(&self, ms: u64) {
        self.frozen_ms.fetch_max(ms, Ordering::Relaxed);
        self.pass_ms(ms);
    }

    /// Steps the wall clock: no time passes.
    pub fn set_ms(&self, by: i64) {
        self.set_by.fetch_add(by, Ordering::Relaxed);
    }

    /// Tells of everybody who falls asleep or stops sleeping.
    pub fn sleepers(&self) -> watch::Receiver<Vec<u64>> {
        self.sleepers.subscribe()
    }
}

/// Takes a sleeper off the list, however the sleep ends.
struct Asleep<'a>(&'a TestClock, u64);

impl Drop for Asleep<'_> {
    fn drop(&mut self) {
        self.0.sleepers.send_modify(|all| {
            let at = all.iter().position(|it| *it == self.1);
            all.swap_remove(at.expect("it was put there when it fell asleep"));
        });
    }
}

#[async_trait]
impl TimeSource for TestClock {
    fn now_ms(&self) -> u64 {
        self.monotonic_ms().saturating_add_signed(self.set_by.load(Ordering::Relaxed))
    }

    fn monotonic_ms(&self) -> u64 {
        *self.now.borrow()
    }

    async fn sleep_ms(&self, ms: u64) {
        let until = self.monotonic_ms() + ms;
        self.sleepers.send_modify(|all| all.push(until));
        let _asleep = Asleep(self, until);
        // The sender lives in `self`, so this cannot fail while a task sleeps.
        self.now.subscribe().wait_for(|now| *now >= until).await.ok();
    }

    fn take_longest_delay_ms(&self) -> u64 {
        self.frozen_ms.swap(0, Ordering::Relaxed)
    }
}
