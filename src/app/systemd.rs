//! What systemd, or whatever else supervises the process in its manner, is told. Without a
//! supervisor nothing is told to nobody.

/// The bot serves what it can.
pub fn notify_ready() {
    imp::tell_ready();
}

/// The bot is alive. Who is supervised by a watchdog and does not say this is started anew.
pub fn notify_alive() {
    imp::tell_alive();
}

/// The bot ends in an orderly way.
pub fn notify_stopping() {
    imp::tell_stopping();
}

/// Which platforms are served now.
pub fn notify_status(serving: &[&str]) {
    if serving.is_empty() {
        imp::tell_status("serving nobody yet");
    } else {
        imp::tell_status(&format!("serving {}", serving.join(", ")));
    }
}

/// Nobody waits for these words, so nobody minds when they are lost.
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
