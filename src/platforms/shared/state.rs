//! How a platform says how it is: to health pages at once, to the log once and then ever more
//! rarely.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::watch;

use super::foreign::shortened;
use super::pauses::Pauses;
use caravanserai_protocol::{PlatformHealth, PlatformState};

/// The same trouble is told again after this, then after ever more.
const AGAIN_MIN: Duration = Duration::from_secs(60);
/// At least so often.
const AGAIN_MAX: Duration = Duration::from_secs(6 * 3600);

/// The writing side of a [`PlatformState`]. Cheap to clone.
#[derive(Clone)]
pub struct Reporter {
    state: Arc<watch::Sender<PlatformState>>,
    told: Arc<Mutex<Told>>,
}

/// When trouble was told last, and when it is told again.
struct Told {
    last: Option<(String, Instant)>,
    again: Duration,
    distances: Pauses,
}

impl Told {
    fn new() -> Self {
        Told { last: None, again: Duration::ZERO, distances: Pauses::new(AGAIN_MIN, AGAIN_MAX) }
    }

    /// Whether this trouble is to be told now.
    fn is_due(&mut self, what: &str, now: Instant) -> bool {
        let due = match &self.last {
            None => true,
            Some((before, at)) => {
                let since = now.saturating_duration_since(*at);
                since >= self.again || (before != what && since >= AGAIN_MIN)
            }
        };
        if due {
            self.last = Some((what.to_owned(), now));
            self.again = self.distances.grow();
        }
        due
    }
}

impl Reporter {
    /// A platform that has just been started.
    pub fn new(name: &'static str) -> Self {
        let state = PlatformState {
            name,
            health: PlatformHealth::Starting,
            since: SystemTime::now(),
            what: String::new(),
            lacks: String::new(),
        };
        Reporter {
            state: Arc::new(watch::Sender::new(state)),
            told: Arc::new(Mutex::new(Told::new())),
        }
    }

    /// The reading side.
    pub fn watch(&self) -> watch::Receiver<PlatformState> {
        self.state.subscribe()
    }

    /// The platform is served.
    pub fn serving(&self) {
        let changed = self.set(PlatformHealth::Serving, String::new());
        if changed {
            *self.told() = Told::new();
            tracing::info!(platform = self.state.borrow().name, "is served");
        }
    }

    /// The platform is not served now; this is why. Whoever says so tries again.
    pub fn trouble(&self, what: &str) {
        let what = shortened(what);
        if self.told().is_due(&what, Instant::now()) {
            tracing::warn!(platform = self.state.borrow().name, "{what}; tried again");
        }
        self.set(PlatformHealth::Troubled, what);
    }

    /// The platform goes on without something its host asked for, from now until the end; this is
    /// what, and what to do. The log tells it once.
    pub fn lacks(&self, what: &str) {
        let what = shortened(what);
        let news = self.state.send_if_modified(|state| {
            let news = state.lacks != what;
            what.clone_into(&mut state.lacks);
            news
        });
        if news {
            tracing::warn!(platform = self.state.borrow().name, "{what}");
        }
    }

    /// Whether the platform was not so before.
    fn set(&self, health: PlatformHealth, what: String) -> bool {
        let mut changed = false;
        self.state.send_if_modified(|state| {
            changed = state.health != health;
            let news = changed || state.what != what;
            if changed {
                state.health = health;
                state.since = SystemTime::now();
            }
            state.what = what;
            news
        });
        changed
    }

    fn told(&self) -> std::sync::MutexGuard<'_, Told> {
        self.told.lock().expect("nothing panics while holding this lock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_trouble_is_told_at_growing_distances() {
        let (mut told, start) = (Told::new(), Instant::now());
        let mut minutes = Vec::new();
        for minute in 0..100 {
            if told.is_due("no route", start + Duration::from_secs(60 * minute)) {
                minutes.push(minute);
            }
        }
        assert_eq!(minutes, [0, 1, 3, 7, 15, 31, 63]);
        let other = start + Duration::from_secs(60 * 100);
        assert!(told.is_due("the token is refused", other), "another trouble is told");
        assert!(!told.is_due("no route", other + Duration::from_secs(1)), "but not every second");
    }

    #[test]
    fn a_state_says_since_when_and_what() {
        let reporter = Reporter::new("tg");
        let state = reporter.watch();
        reporter.trouble("no route");
        let since = state.borrow().since;
        reporter.trouble(&"long ".repeat(200));
        assert_eq!(state.borrow().since, since, "it is the same trouble that goes on");
        assert_eq!(state.borrow().health, PlatformHealth::Troubled);
        assert_eq!(state.borrow().what.chars().count(), 200);
        reporter.serving();
        assert_eq!(state.borrow().health, PlatformHealth::Serving);
        assert_eq!(state.borrow().what, "");
        reporter.lacks("it may not see who leaves");
        reporter.trouble("no route");
        reporter.serving();
        assert_eq!(state.borrow().lacks, "it may not see who leaves", "that stays so");
    }
}
