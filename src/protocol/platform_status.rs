//! The status of a platform for operators: health pages, metrics, logs.

use std::time::SystemTime;

/// The status that a platform reports about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformStatus {
    /// The prefix of its ids: `tg`, `dc`, `web`.
    pub name: &'static str,
    /// How it is.
    pub health: PlatformHealth,
    /// Since when.
    pub since_time: SystemTime,
    /// In trouble: one sentence that says what is wrong, at most 200 characters, without secrets.
    pub problem: String,
    /// One sentence about what it goes on without, and how its operator gets it; empty if nothing
    /// lacks.
    pub missing: String,
}

/// Whether a platform is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlatformHealth {
    /// It has not answered yet.
    Starting,
    /// People are heard and answered.
    Serving,
    /// They are not, and it is tried again.
    Failing,
}
