//! Shutdown requests by signals, and a time limit for the shutdown.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;

/// Time limit for the whole shutdown. After that the process exits: all acknowledged data is on
/// disk, and unsent messages are sent at the next start.
pub const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(12);
/// Exit code after [`SHUTDOWN_TIMEOUT`].
pub const EXIT_CODE_TIMED_OUT: i32 = 3;
/// The exit code after a second signal.
pub const EXIT_CODE_SECOND_SIGNAL: i32 = 130;

/// Tells any number of listeners once that it is time to stop.
#[derive(Clone, Debug)]
pub struct Shutdown {
    requested: watch::Receiver<bool>,
    phase: ShutdownPhase,
}

/// The phase that the shutdown is waiting for, for the log message when it is cut off.
type ShutdownPhase = Arc<Mutex<&'static str>>;

/// Requests the shutdown of its [`Shutdown`]. Dropping it requests it, too.
#[derive(Debug)]
pub struct ShutdownTrigger {
    request: watch::Sender<bool>,
    phase: ShutdownPhase,
}

/// A connected pair: one side requests the shutdown, the other waits for it.
pub fn shutdown_pair() -> (ShutdownTrigger, Shutdown) {
    let (ask, asked) = watch::channel(false);
    let doing = ShutdownPhase::default();
    (
        ShutdownTrigger { request: ask, phase: Arc::clone(&doing) },
        Shutdown { requested: asked, phase: doing },
    )
}

impl Shutdown {
    /// Returns when it is time to stop, at once if it already is.
    pub async fn wait(&self) {
        // An error means that the trigger is gone, which counts as a request.
        let _ = self.requested.clone().wait_for(|asked| *asked).await;
    }

    /// Whether it is time to stop.
    pub fn is_requested(&self) -> bool {
        *self.requested.borrow() || self.requested.has_changed().is_err()
    }

    /// Sleeps for this time; returns `false` if it is time to stop before that.
    pub async fn sleep_unless_stopping(&self, time: Duration) -> bool {
        tokio::select! {
            biased;
            () = self.wait() => false,
            () = tokio::time::sleep(time) => true,
        }
    }

    /// Sets the current phase of the shutdown, which is logged if it has to be cut off.
    pub fn set_phase(&self, what: &'static str) {
        *self.phase.lock() = what;
    }
}

impl ShutdownTrigger {
    /// Requests the shutdown.
    pub fn request_stop(&self) {
        self.request.send_replace(true);
    }

    /// The current phase of the shutdown.
    pub fn phase(&self) -> &'static str {
        *self.phase.lock()
    }

    /// Waits for SIGTERM, SIGINT or SIGHUP (elsewhere: Ctrl-C), requests the shutdown, and then
    /// ends the process by `leave`: at once at the next SIGTERM or SIGINT, or at
    /// [`SHUTDOWN_TIMEOUT`]. A shutdown that finishes earlier is not disturbed.
    ///
    /// # Errors
    /// If the operating system refuses to deliver signals.
    pub async fn stop_on_signals(
        &self,
        leave: impl Fn(i32) + Clone + Send + 'static,
    ) -> io::Result<()> {
        let mut signals = Signals::listen()?;
        let name = signals.next().await;
        tracing::info!(signal = name, "stopping");
        self.request_stop();
        // On a thread of its own, because a hanging task may block every thread of the runtime.
        let doing = Arc::clone(&self.phase);
        let cut_off = leave.clone();
        std::thread::spawn(move || {
            std::thread::sleep(SHUTDOWN_TIMEOUT);
            let what = *doing.lock();
            tracing::error!(
                what,
                "failed to shut down in time, exiting; nothing acknowledged is lost"
            );
            cut_off(EXIT_CODE_TIMED_OUT);
        });
        loop {
            let name = signals.next().await;
            if name == HANGUP {
                continue;
            }
            tracing::warn!(signal = name, "second stop signal, exiting at once");
            leave(EXIT_CODE_SECOND_SIGNAL);
        }
    }
}

/// Closing a terminal sends this, often together with other signals.
const HANGUP: &str = "SIGHUP";

/// Stop signals of the operating system.
#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
    /// Signals without a meaning for the bot, which would end the process if nobody listened.
    _ignored: [tokio::signal::unix::Signal; 2],
}

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: signal(SignalKind::hangup())?,
            _ignored: [signal(SignalKind::user_defined1())?, signal(SignalKind::user_defined2())?],
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

/// Stop signals of the operating system.
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
