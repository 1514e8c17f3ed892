//! Reports the health of a platform: to health pages at once, to the log in growing intervals.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use tokio::sync::watch;

use super::http_body::shorten_for_log;
use caravanserai_protocol::{PlatformHealth, PlatformStatus};

/// A problem that goes on is logged again after this time, then in growing intervals.
const REPEAT_MIN: Duration = Duration::from_secs(60);
/// The longest interval between two logs of a problem that goes on.
const REPEAT_MAX: Duration = Duration::from_secs(6 * 3600);

/// The writing side of a [`PlatformStatus`]. Cheap to clone.
#[derive(Clone)]
pub struct HealthReporter {
    state: Arc<watch::Sender<PlatformStatus>>,
    throttle: Arc<Mutex<ReportThrottle>>,
}

/// Decides when a problem is logged, so that a long outage does not flood the log.
struct ReportThrottle {
    last: Option<(String, Instant)>,
    again: Duration,
}

impl ReportThrottle {
    fn new() -> Self {
        ReportThrottle { last: None, again: Duration::ZERO }
    }

    /// Returns whether to log this problem now.
    fn is_due(&mut self, what: &str, now: Instant) -> bool {
        let due = match &self.last {
            None => true,
            Some((before, at)) => {
                let since = now.saturating_duration_since(*at);
                since >= self.again || (before != what && since >= REPEAT_MIN)
            }
        };
        if due {
            self.last = Some((what.to_owned(), now));
            self.again = (self.again * 2).clamp(REPEAT_MIN, REPEAT_MAX);
        }
        due
    }
}

impl HealthReporter {
    /// Creates the status of a platform that has just been started.
    pub fn new(name: &'static str) -> Self {
        let state = PlatformStatus {
            name,
            health: PlatformHealth::Starting,
            since_time: SystemTime::now(),
            problem: String::new(),
            missing: String::new(),
        };
        HealthReporter {
            state: Arc::new(watch::Sender::new(state)),
            throttle: Arc::new(Mutex::new(ReportThrottle::new())),
        }
    }

    /// Returns the reading side.
    pub fn subscribe(&self) -> watch::Receiver<PlatformStatus> {
        self.state.subscribe()
    }

    /// Reports that the platform works.
    pub fn report_serving(&self) {
        let changed = self.set(PlatformHealth::Serving, String::new());
        if changed {
            *self.throttle.lock() = ReportThrottle::new();
            tracing::info!(platform = self.state.borrow().name, "platform is up");
        }
    }

    /// Reports why the platform does not work now. The caller retries.
    pub fn report_problem(&self, what: &str) {
        let what = shorten_for_log(what);
        if self.throttle.lock().is_due(&what, Instant::now()) {
            tracing::warn!(platform = self.state.borrow().name, "{what}; retrying");
        }
        self.set(PlatformHealth::Failing, what);
    }

    /// Reports that the platform runs until its end without something that its operator asked for.
    /// `what` names it and says what to do. It is logged once.
    pub fn report_degraded(&self, what: &str) {
        let what = shorten_for_log(what);
        let news = self.state.send_if_modified(|state| {
            let news = state.missing != what;
            what.clone_into(&mut state.missing);
            news
        });
        if news {
            tracing::warn!(platform = self.state.borrow().name, "{what}");
        }
    }

    /// Sets the health; returns whether it differs from the health before.
    fn set(&self, health: PlatformHealth, what: String) -> bool {
        let mut changed = false;
        self.state.send_if_modified(|state| {
            changed = state.health != health;
            let news = changed || state.problem != what;
            if changed {
                state.health = health;
                state.since_time = SystemTime::now();
            }
            state.problem = what;
            news
        });
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_trouble_is_told_at_growing_distances() {
        let mut throttle = ReportThrottle::new();
        let start = Instant::now();
        let mut minutes = Vec::new();
        for minute in 0..100 {
            if throttle.is_due("no route", start + Duration::from_secs(60 * minute)) {
                minutes.push(minute);
            }
        }
        assert_eq!(minutes, [0, 1, 3, 7, 15, 31, 63]);
        let other = start + Duration::from_secs(60 * 100);
        assert!(throttle.is_due("the token is refused", other), "another failure is reported");
        assert!(
            !throttle.is_due("no route", other + Duration::from_secs(1)),
            "but not every second"
        );
    }

    #[test]
    fn a_state_says_since_when_and_what() {
        let reporter = HealthReporter::new("tg");
        let state = reporter.subscribe();
        reporter.report_problem("no route");
        let since = state.borrow().since_time;
        reporter.report_problem(&"long ".repeat(200));
        assert_eq!(state.borrow().since_time, since, "it is the same trouble that goes on");
        assert_eq!(state.borrow().health, PlatformHealth::Failing);
        assert_eq!(state.borrow().problem.chars().count(), 200);
        reporter.report_serving();
        assert_eq!(state.borrow().health, PlatformHealth::Serving);
        assert_eq!(state.borrow().problem, "");
        reporter.report_degraded("it may not see who leaves");
        reporter.report_problem("no route");
        reporter.report_serving();
        assert_eq!(state.borrow().missing, "it may not see who leaves", "that stays so");
    }
}
