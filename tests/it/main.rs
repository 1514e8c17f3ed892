//! All integration tests in one binary: one link, one place to look.

#[cfg(feature = "discord")]
mod discord;
#[path = "../fake_discord/mod.rs"]
mod fake_discord;
mod fake_discord_checks;
