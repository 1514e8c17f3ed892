//! Units of time in milliseconds, for all crates.

/// A minute, in milliseconds.
pub const MINUTE_MS: u64 = 60_000;

/// An hour, in milliseconds.
pub const HOUR_MS: u64 = 60 * MINUTE_MS;

/// A day, in milliseconds.
pub const DAY_MS: u64 = 24 * HOUR_MS;
