//! Keeps a component of the bot running: reports its failures and restarts it after growing pauses.
//! A failing component never ends or slows another one.

use std::future::Future;
use std::panic::AssertUnwindSafe;
#[cfg(unix)]
use std::path::Path;
use std::time::{Duration, Instant};

use futures::FutureExt;
use tokio::sync::mpsc;

use super::shutdown::Shutdown;
use caravanserai_platform_shared::backoff::Backoff;
use caravanserai_platform_shared::health_reporter::HealthReporter;
use caravanserai_protocol::PlatformHealth;
#[cfg(unix)]
use caravanserai_store::private_socket;

/// The first pause.
const BACKOFF_MIN: Duration = Duration::from_secs(2);
/// Longest pause when only the operator can fix the cause.
const BACKOFF_MAX: Duration = Duration::from_secs(300);
/// Longest pause when the cause may pass by itself.
const TRANSIENT_BACKOFF_MAX: Duration = Duration::from_secs(30);

/// Why a component does not run, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComponentError {
    /// May pass by itself: no connection, a server that fails.
    #[error("{0}")]
    Transient(String),
    /// Only the operator can fix it: a refused token, a port in use.
    #[error("{0}")]
    NeedsOperator(String),
}

#[cfg(unix)]
impl ComponentError {
    /// Why a socket at this path cannot be served: a path that is too long needs the operator.
    pub fn of_socket(path: &Path, why: String) -> Self {
        match private_socket::is_too_long(path) {
            true => Self::NeedsOperator(why),
            false => Self::Transient(why),
        }
    }
}

/// A component does not run and needs the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorAlert {
    /// The name of the component.
    pub name: &'static str,
    /// The reason, in one sentence.
    pub why: String,
    /// Whether this process has ever served it.
    pub was_served: bool,
}

/// Restarts one component.
pub struct ComponentSupervisor {
    /// The pauses between attempts.
    pub pauses: RestartPauses,
    /// Its name for logs.
    pub name: &'static str,
    /// Receives its state.
    pub reporter: HealthReporter,
    /// Receives an alert when it needs the operator.
    pub alerts: mpsc::UnboundedSender<OperatorAlert>,
    /// Signals when to stop.
    pub stop: Shutdown,
}

/// The pauses between attempts, by the kind of the failure.
pub struct RestartPauses {
    transient: Backoff,
    needs_operator: Backoff,
}

impl RestartPauses {
    fn next_pause(&mut self, trouble: &ComponentError) -> Duration {
        match trouble {
            ComponentError::Transient(_) => self.transient.next_pause(),
            ComponentError::NeedsOperator(_) => self.needs_operator.next_pause(),
        }
    }
}

impl Default for RestartPauses {
    fn default() -> Self {
        Self {
            transient: Backoff::new(BACKOFF_MIN, TRANSIENT_BACKOFF_MAX),
            needs_operator: Backoff::new(BACKOFF_MIN, BACKOFF_MAX),
        }
    }
}

impl ComponentSupervisor {
    /// Runs the component again and again until it is time to stop. A panic counts as a failure of
    /// the component and goes no further.
    pub async fn run_forever<F>(mut self, mut run: impl FnMut() -> F)
    where
        F: Future<Output = Result<(), ComponentError>>,
    {
        let state = self.reporter.subscribe();
        let mut served = false;
        while !self.stop.is_requested() {
            let begun = Instant::now();
            let ended = AssertUnwindSafe(run()).catch_unwind().await;
            if self.stop.is_requested() {
                return;
            }
            let trouble = match ended {
                Ok(Err(trouble)) => trouble,
                Ok(Ok(())) => ComponentError::Transient("it ended by itself".to_owned()),
                Err(_) => ComponentError::Transient("it panicked; the log says where".to_owned()),
            };
            served |= state.borrow().health == PlatformHealth::Serving;
            // After a long run, earlier failures do not count.
            if begun.elapsed() > BACKOFF_MAX {
                self.pauses = RestartPauses::default();
            }
            self.reporter.report_problem(&trouble.to_string());
            let pause = self.pauses.next_pause(&trouble);
            if let ComponentError::NeedsOperator(why) = trouble {
                // During shutdown the receiver may be gone.
                let _ =
                    self.alerts.send(OperatorAlert { name: self.name, why, was_served: served });
            }
            if !self.stop.sleep_unless_stopping(pause).await {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::super::shutdown::shutdown_pair;
    use super::*;

    #[tokio::test]
    async fn a_part_that_fails_or_panics_is_tried_again_until_the_end() {
        let (stopper, stop) = shutdown_pair();
        let (alerts, mut received) = mpsc::unbounded_channel();
        let reporter = HealthReporter::new("tg");
        let state = reporter.subscribe();
        let at_once = || Backoff::new(Duration::from_millis(1), Duration::from_millis(2));
        let pauses = RestartPauses { transient: at_once(), needs_operator: at_once() };
        let supervisor =
            ComponentSupervisor { pauses, name: "tg", reporter: reporter.clone(), alerts, stop };
        let tries = Arc::new(AtomicU64::new(0));
        let kept = tokio::spawn(supervisor.run_forever(move || {
            let n = tries.fetch_add(1, Ordering::SeqCst);
            let reporter = reporter.clone();
            async move {
                assert!(n != 0, "the first try panics");
                if n == 2 {
                    reporter.report_serving();
                }
                Err(ComponentError::NeedsOperator("the token is refused".to_owned()))
            }
        }));
        for was_served in [false, true, true] {
            let why = "the token is refused".to_owned();
            assert_eq!(received.recv().await, Some(OperatorAlert { name: "tg", why, was_served }));
            assert_eq!(state.borrow().health, PlatformHealth::Failing);
        }
        stopper.request_stop();
        kept.await.expect("it ends when asked to");
    }
}
