//! How the program is told to stop, and what happens if it cannot.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

/// How long an orderly end may take in all. After that the process leaves: everything that was
/// acknowledged is on disk, and what was not sent is sent at the next start.
pub const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(12);
/// The exit code of an end that was cut off at [`SHUTDOWN_TIMEOUT`].
pub const EXIT_CODE_TIMED_OUT: i32 = 3;
/// The exit code after a second signal.
pub const EXIT_CODE_SECOND_SIGNAL: i32 = 130;

/// Says once, to as many as listen, that it is time to stop.
#[derive(Clone, Debug)]
pub struct Shutdown {
    requested: watch::Receiver<bool>,
    phase: ShutdownPhase,
}

/// What the end is waiting for, for the words of who cuts it off.
type ShutdownPhase = Arc<Mutex<&'static str>>;

/// The other side of [`Shutdown`]. Letting go of it means stop as well.
#[derive(Debug)]
pub struct ShutdownTrigger {
    request: watch::Sender<bool>,
    phase: ShutdownPhase,
}

/// A pair of which one side asks to stop and the other waits for that.
pub fn shutdown_pair() -> (ShutdownTrigger, Shutdown) {
    let (ask, asked) = watch::channel(false);
    let doing = ShutdownPhase::default();
    (
        ShutdownTrigger { request: ask, phase: Arc::clone(&doing) },
        Shutdown { requested: asked, phase: doing },
    )
}

impl Shutdown {
    /// Returns as soon as it is time to stop, at once if it already is.
    pub async fn wait(&self) {
        // An error means that the stopper is gone, which is the same.
        let _ = self.requested.clone().wait_for(|asked| *asked).await;
    }

    /// Whether it is time to stop.
    pub fn is_requested(&self) -> bool {
        *self.requested.borrow() || self.requested.has_changed().is_err()
    }

    /// Waits so long; `false` if it is time to stop before that.
    pub async fn sleep_unless_stopping(&self, time: Duration) -> bool {
        tokio::select! {
            biased;
            () = self.wait() => false,
            () = tokio::time::sleep(time) => true,
        }
    }

    /// The end has come to this: said if it has to be cut off.
    pub fn set_phase(&self, what: &'static str) {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = what;
    }
}

impl ShutdownTrigger {
    /// It is time to stop.
    pub fn request_stop(&self) {
        self.request.send_replace(true);
    }

    /// What the end is waiting for.
    pub fn phase(&self) -> &'static str {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for SIGTERM, SIGINT or SIGHUP (elsewhere: Ctrl-C), asks to stop, and then ends the
    /// process by `leave`: at once at the next SIGTERM or SIGINT, or at [`SHUTDOWN_TIMEOUT`]. An end that
    /// comes before is not disturbed.
    ///
    /// # Errors
    /// If the operating system does not let us listen.
    pub async fn stop_on_signals(
        &self,
        leave: impl Fn(i32) + Clone + Send + 'static,
    ) -> io::Result<()> {
        let mut signals = Signals::listen()?;
        let name = signals.next().await;
        tracing::info!(signal = name, "stopping");
        self.request_stop();
        // On a thread of its own: what hangs may hang every thread of the runtime.
        let (doing, cut_off) = (Arc::clone(&self.phase), leave.clone());
        std::thread::spawn(move || {
            std::thread::sleep(SHUTDOWN_TIMEOUT);
            let what = *doing.lock().unwrap_or_else(PoisonError::into_inner);
            tracing::error!(what, "not ended in time, leaving; nothing acknowledged is lost");
            cut_off(EXIT_CODE_TIMED_OUT);
        });
        loop {
            let name = signals.next().await;
            if name == HANGUP {
                continue;
            }
            tracing::warn!(signal = name, "asked twice, leaving at once");
            leave(EXIT_CODE_SECOND_SIGNAL);
        }
    }
}

/// A terminal that goes away sends this, often together with others.
const HANGUP: &str = "SIGHUP";

/// Requests of the operating system to stop.
#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
            _ = self.hangup.recv() => HANGUP,
        }
    }
}

/// Requests of the operating system to stop.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> &'static str {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        "Ctrl-C"
    }
}
