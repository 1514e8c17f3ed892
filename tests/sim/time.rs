//! Simulates a clock that jumps: whenever all tasks wait, it advances to the time of the next
//! sleeper.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};

use parking_lot::Mutex;

/// The wake-up time, and the order of the sleepers with the same time.
type At = (u64, u64);

/// A clock and its sleepers.
#[derive(Default)]
pub struct Time {
    now_ms: AtomicU64,
    sleepers: Mutex<BTreeMap<At, Waker>>,
    slept: AtomicU64,
}

/// Sleeps until its time; removes its waker when it is dropped.
pub struct Sleep<'a> {
    time: &'a Time,
    at: At,
}

impl Time {
    /// Milliseconds since the world began.
    pub fn now_ms(&self) -> u64 {
        self.now_ms.load(Ordering::Relaxed)
    }

    /// Waits for this many milliseconds.
    pub fn sleep(&self, ms: u64) -> Sleep<'_> {
        let number = self.slept.fetch_add(1, Ordering::Relaxed);
        Sleep { time: self, at: (self.now_ms().saturating_add(ms), number) }
    }

    /// Wakes the next sleeper. Called by the runtime when all tasks wait.
    pub fn jump(&self) {
        let next = self.sleepers.lock().pop_first();
        if let Some(((at_ms, _), waker)) = next {
            self.now_ms.fetch_max(at_ms, Ordering::Relaxed);
            waker.wake();
        }
    }

    /// Advances the clock without waking sleepers.
    pub fn pass(&self, ms: u64) {
        self.now_ms.fetch_add(ms, Ordering::Relaxed);
    }
}

impl Future for Sleep<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.time.now_ms() >= self.at.0 {
            return Poll::Ready(());
        }
        self.time.sleepers.lock().insert(self.at, context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Sleep<'_> {
    fn drop(&mut self) {
        self.time.sleepers.lock().remove(&self.at);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn sleepers_wake_in_order_without_real_waiting() {
        let time = Arc::new(Time::default());
        let jumper = time.clone();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .on_thread_park(move || jumper.jump())
            .build()
            .expect("a runtime starts");
        let woken = Arc::new(Mutex::new(Vec::new()));
        let hour_ms = 3_600_000;
        runtime.block_on(async {
            for n in [3, 1, 2] {
                let (time, woken) = (time.clone(), woken.clone());
                tokio::spawn(async move {
                    time.sleep(n * hour_ms).await;
                    woken.lock().push((n, time.now_ms() / hour_ms));
                });
            }
            time.sleep(24 * hour_ms).await;
        });
        assert_eq!(*woken.lock(), [(1, 1), (2, 2), (3, 3)]);
        assert!(time.sleepers.lock().is_empty());
    }
}
