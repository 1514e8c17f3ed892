//! Computes analysed lines off the async threads: one at a time for each person, and few for all.
//!
//! A line that takes too long, or that nobody waits for any more, is stopped at its next step. Its
//! permits are kept until then, so the limits count what really runs.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::delivery::MessageRenderer;
use crate::workers::StopOnDrop;
use caravanserai_games::ids::PersonId;

/// The most lines that are computed at a time.
const LINES_MAX: usize = 2;

/// The longest time that a person waits for a line, the wait for its turn included. It is real,
/// because people wait.
const LINE_TIME_MAX: Duration = Duration::from_secs(3);

/// The lines that are computed now, and those that wait for it.
pub(crate) struct AnalysisLines {
    /// One permit for each person who has a line here.
    people: Mutex<HashMap<PersonId, Weak<Semaphore>>>,
    all: Arc<Semaphore>,
}

impl AnalysisLines {
    /// Creates the limits; no line is computed yet.
    pub(crate) fn new() -> Self {
        Self { people: Mutex::default(), all: Arc::new(Semaphore::new(LINES_MAX)) }
    }

    /// Runs a computation for a person, which ends soon once its flag is set. `None` if it took too
    /// long, or if it panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        message_renderer: &Arc<MessageRenderer>,
        person: &PersonId,
        work: impl FnOnce(&MessageRenderer, &AtomicBool) -> T + Send + 'static,
    ) -> Option<T> {
        let guard = StopOnDrop::default();
        let stop = guard.0.clone();
        let computed = async {
            let permits = self.acquire(person).await?;
            let work = move |message_renderer: &MessageRenderer| {
                let _permits = permits;
                work(message_renderer, &stop)
            };
            message_renderer.run_blocking(work).await
        };
        tokio::time::timeout(LINE_TIME_MAX, computed).await.ok().flatten()
    }

    /// Waits for the turn of a person, then for one of the places that all share.
    async fn acquire(&self, person: &PersonId) -> Option<[OwnedSemaphorePermit; 2]> {
        let own = self.semaphore_of(person).acquire_owned().await.ok()?;
        let shared = self.all.clone().acquire_owned().await.ok()?;
        Some([own, shared])
    }

    fn semaphore_of(&self, person: &PersonId) -> Arc<Semaphore> {
        let mut people = self.people.lock();
        people.retain(|_, it| it.strong_count() > 0);
        if let Some(own) = people.get(person).and_then(Weak::upgrade) {
            return own;
        }
        let own = Arc::new(Semaphore::new(1));
        people.insert(person.clone(), Arc::downgrade(&own));
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    fn person(name: &str) -> PersonId {
        PersonId(name.to_owned())
    }

    /// The permits of a person, if they need not wait.
    fn at_once(lines: &AnalysisLines, name: &str) -> Option<[OwnedSemaphorePermit; 2]> {
        let name = person(name);
        let waits = pin!(lines.acquire(&name));
        match waits.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(permits) => permits,
            Poll::Pending => None,
        }
    }

    #[test]
    fn a_person_has_one_line_at_a_time_and_leaves_room_for_others() {
        let lines = AnalysisLines::new();
        let first = at_once(&lines, "ann").expect("nothing runs");
        assert!(at_once(&lines, "ann").is_none(), "one of this person runs");
        let second = at_once(&lines, "bek").expect("there is room for two");
        assert!(at_once(&lines, "cyd").is_none(), "all places are taken");
        drop(first);
        let third = at_once(&lines, "cyd").expect("a place is free");
        drop((second, third));
        assert!(at_once(&lines, "ann").is_some());
        assert_eq!(lines.people.lock().len(), 1, "people without a line are forgotten");
    }
}
