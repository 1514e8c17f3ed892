//! All integration tests in one binary: one link, one place to look.

#[cfg(feature = "discord")]
mod discord;
#[cfg(feature = "discord")]
#[path = "../fake_discord/mod.rs"]
mod fake_discord;
#[cfg(feature = "discord")]
mod fake_discord_checks;
