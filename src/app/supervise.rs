//! Keeps a part of the bot going: what fails is told and tried again after growing pauses, and
//! never ends or slows another part.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures::FutureExt;
use tokio::sync::mpsc;

use super::stopping::Shutdown;
use caravanserai_platform_shared::pauses::Pauses;
use caravanserai_platform_shared::state::Reporter;
use caravanserai_protocol::PlatformHealth;

/// The first pause.
const PAUSE_MIN: Duration = Duration::from_secs(2);
/// Where nothing changes unless the operator does something.
const PAUSE_MAX: Duration = Duration::from_secs(300);
/// What may pass by itself is tried again at least so often.
const PAUSE_PASSING_MAX: Duration = Duration::from_secs(30);

/// Why a part does not run, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// May pass by itself: no connection, a server that fails.
    #[error("{0}")]
    Passing(String),
    /// The operator has to do something: a refused token, a port in use.
    #[error("{0}")]
    Lasting(String),
}

/// A part does not run and asks for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hopeless {
    /// Which part.
    pub name: &'static str,
    /// What is wrong, in one sentence.
    pub why: String,
    /// Whether it was ever served by this process.
    pub served: bool,
}

/// What keeps one part going.
pub struct Keeper {
    /// How long it waits between tries.
    pub pauses: Pauses,
    /// Its name for logs.
    pub name: &'static str,
    /// Who is told how it is.
    pub reporter: Reporter,
    /// Who is told when it asks for the operator.
    pub hopeless: mpsc::UnboundedSender<Hopeless>,
    /// When to stop.
    pub stop: Shutdown,
}

/// The usual pauses.
pub fn pauses() -> Pauses {
    Pauses::new(PAUSE_MIN, PAUSE_MAX)
}

impl Keeper {
    /// Runs the part again and again until it is time to stop. A part that panics has failed, no
    /// more than that.
    pub async fn keep<F>(mut self, mut run: impl FnMut() -> F)
    where
        F: Future<Output = Result<(), Trouble>>,
    {
        let (state, mut served) = (self.reporter.watch(), false);
        while !self.stop.is_asked() {
            let begun = Instant::now();
            let ended = AssertUnwindSafe(run()).catch_unwind().await;
            if self.stop.is_asked() {
                return;
            }
            let trouble = match ended {
                Ok(Err(trouble)) => trouble,
                Ok(Ok(())) => Trouble::Passing("it ended by itself".to_owned()),
                Err(_) => Trouble::Passing("it panicked; the log says where".to_owned()),
            };
            served |= state.borrow().health == PlatformHealth::Serving;
            // Whoever ran for long has not failed often.
            if begun.elapsed() > PAUSE_MAX {
                self.pauses.reset();
            }
            self.reporter.trouble(&trouble.to_string());
            let pause = match trouble {
                Trouble::Passing(_) => self.pauses.grow().min(PAUSE_PASSING_MAX),
                Trouble::Lasting(why) => {
                    // Nobody listens any more at the very end.
                    let _ = self.hopeless.send(Hopeless { name: self.name, why, served });
                    self.pauses.grow()
                }
            };
            if !self.stop.pause(pause).await {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::super::stopping::shutdown;
    use super::*;

    #[tokio::test]
    async fn a_part_that_fails_or_panics_is_tried_again_until_the_end() {
        let (stopper, stop) = shutdown();
        let (hopeless, mut heard) = mpsc::unbounded_channel();
        let reporter = Reporter::new("tg");
        let state = reporter.watch();
        let pauses = Pauses::new(Duration::from_millis(1), Duration::from_millis(2));
        let keeper = Keeper { pauses, name: "tg", reporter: reporter.clone(), hopeless, stop };
        let tries = Arc::new(AtomicU64::new(0));
        let kept = tokio::spawn(keeper.keep(move || {
            let n = tries.fetch_add(1, Ordering::SeqCst);
            let reporter = reporter.clone();
            async move {
                assert!(n != 0, "the first try panics");
                if n == 2 {
                    reporter.serving();
                }
                Err(Trouble::Lasting("the token is refused".to_owned()))
            }
        }));
        for served in [false, true, true] {
            let why = "the token is refused".to_owned();
            assert_eq!(heard.recv().await, Some(Hopeless { name: "tg", why, served }));
            assert_eq!(state.borrow().health, PlatformHealth::Troubled);
        }
        stopper.stop();
        kept.await.expect("it ends when asked to");
    }
}
