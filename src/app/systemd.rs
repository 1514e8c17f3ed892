//! Notifies systemd, or a compatible supervisor, of the state of the process. Does nothing without
//! a supervisor.

/// The bot serves what it can.
pub fn notify_ready() {
    imp::tell_ready();
}

/// The bot is alive. A watchdog restarts a process that stops sending this.
pub fn notify_alive() {
    imp::tell_alive();
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

    pub(super) fn tell_ready() {
        let _ = notify(&[NotifyState::Ready]);
    }

    pub(super) fn tell_alive() {
        let _ = notify(&[NotifyState::Watchdog]);
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
