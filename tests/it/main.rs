//! All integration tests in one binary: one link, one place to look.

#[path = "../fake_telegram/mod.rs"]
mod fake_telegram;
mod fake_telegram_checks;
#[cfg(feature = "telegram")]
mod telegram;
