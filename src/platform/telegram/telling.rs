//! Private answers under way: they hold up nobody who wants to be heard.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, watch};

/// Private answers that may be given at once.
const AT_ONCE: usize = 256;
/// Private answers that may wait for their turn; a server that answers nothing for so long will
/// not show them either.
const WAITING_MAX: usize = 8_192;
/// How long the end of the process waits for private answers.
const SETTLE_MAX: Duration = Duration::from_secs(5);

/// The answers under way.
pub(super) struct Telling {
    count: Arc<watch::Sender<usize>>,
    turns: Arc<Semaphore>,
}

/// One answer under way; counted until it is dropped, also by a panic.
struct Counted(Arc<watch::Sender<usize>>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.send_modify(|it| *it -= 1);
    }
}

impl Telling {
    /// Nothing is under way.
    pub(super) fn new() -> Self {
        let count = Arc::new(watch::Sender::new(0));
        Self { count, turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Gives an answer on a task of its own as soon as it has its turn.
    pub(super) fn later(&self, answer: impl Future<Output = ()> + Send + 'static) {
        if *self.count.borrow() >= WAITING_MAX {
            tracing::warn!("too many private answers are stuck: one is not given");
            return;
        }
        self.count.send_modify(|it| *it += 1);
        let (counted, turns) = (Counted(self.count.clone()), self.turns.clone());
        tokio::spawn(async move {
            let turn = turns.acquire().await;
            answer.await;
            drop((turn, counted));
        });
    }

    /// Waits until every answer was given, at most five seconds.
    pub(super) async fn settle(&self) {
        let mut count = self.count.subscribe();
        let all = count.wait_for(|it| *it == 0);
        if tokio::time::timeout(SETTLE_MAX, all).await.is_err() {
            tracing::warn!("some private answers were not given before the end");
        }
    }
}
