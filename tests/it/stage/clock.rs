//! A clock that stands still until a test moves it.

use async_trait::async_trait;
use caravanserai::service::clock::Clock;
use tokio::sync::watch;

/// Time in the hands of a test.
pub struct TestClock(watch::Sender<u64>);

impl TestClock {
    /// Begins on 2026-11-21 at noon.
    pub fn new() -> Self {
        TestClock(watch::Sender::new(1_795_262_400_000))
    }

    /// Lets so many milliseconds pass.
    pub fn pass_ms(&self, ms: u64) {
        self.0.send_modify(|it| *it += ms);
    }
}

#[async_trait]
impl Clock for TestClock {
    fn now_ms(&self) -> u64 {
        *self.0.borrow()
    }

    async fn sleep_ms(&self, ms: u64) {
        let until = self.now_ms() + ms;
        // The sender lives in `self`, so this cannot fail while somebody sleeps.
        self.0.subscribe().wait_for(|now| *now >= until).await.ok();
    }
}
