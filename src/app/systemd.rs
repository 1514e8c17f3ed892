//! Notifies systemd, or a compatible supervisor, of the state of the process. Does nothing without
//! a supervisor.

use std::time::Duration;

use tokio::task::JoinSet;

/// The interval of reports during a long step.
const ALIVE_INTERVAL: Duration = Duration::from_secs(5);

/// The bot serves what it can.
pub fn notify_ready() {
    imp::tell_ready();
}

/// The bot is alive. A watchdog restarts a process that stops sending this; a start may take longer
/// than its time limit while it is sent.
pub fn notify_alive() {
    imp::tell_alive();
}

/// Runs a long step of the start. Meanwhile a task reports that the bot is alive, also if the step
/// blocks its thread.
pub async fn run_long_step<T>(step: impl Future<Output = T>) -> T {
    notify_alive();
    // The task ends when this is dropped.
    let mut reporting = JoinSet::new();
    reporting.spawn(async {
        loop {
            tokio::time::sleep(ALIVE_INTERVAL).await;
            notify_alive();
        }
    });
    step.await
}

/// The bot is shutting down.
pub fn notify_stopping() {
    imp::tell_stopping();
}

/// The platforms that are served now.
pub fn notify_status(serving: &[&str]) {
    if serving.is_empty() {
        imp::tell_status("no platform is up yet");
    } else {
        imp::tell_status(&format!("serving {}", serving.join(", ")));
    }
}

/// Sends are not acknowledged, and losing one does no harm.
#[cfg(unix)]
mod imp {
    use sd_notify::{NotifyState, notify};

    /// How long a report counts during the start, in microseconds: no longer than the watchdog of
    /// the supplied unit waits, which it would extend otherwise.
    const ALIVE_USEC: u32 = 60_000_000;

    pub(super) fn tell_ready() {
        let _ = notify(&[NotifyState::Ready]);
    }

    pub(super) fn tell_alive() {
        let _ = notify(&[NotifyState::Watchdog, NotifyState::ExtendTimeoutUsec(ALIVE_USEC)]);
    }

    pub(super) fn tell_stopping() {
        let _ = notify(&[NotifyState::Stopping]);
    }

    pub(super) fn tell_status(words: &str) {
        let _ = notify(&[NotifyState::Status(words)]);
    }
}

#[cfg(not(unix))]
mod imp {
    pub(super) fn tell_ready() {}
    pub(super) fn tell_alive() {}
    pub(super) fn tell_stopping() {}
    pub(super) fn tell_status(_: &str) {}
}
