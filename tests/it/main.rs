//! All integration tests in one binary: one link, one place to look.
#![allow(clippy::unwrap_used)]

#[cfg(all(feature = "telegram", feature = "discord"))]
mod app;
mod arena;
mod blot;
mod browser;
mod cases;
mod computers;
mod config;
mod conform;
mod crash;
#[cfg(feature = "discord")]
mod discord;
mod engine_protocol;
#[cfg(feature = "discord")]
#[path = "../fake_discord/mod.rs"]
mod fake_discord;
#[cfg(feature = "discord")]
mod fake_discord_checks;
#[cfg(feature = "telegram")]
#[path = "../fake_telegram/mod.rs"]
mod fake_telegram;
#[cfg(feature = "telegram")]
mod fake_telegram_checks;
mod four_browsers;
mod four_players;
mod hands;
mod i18n;
#[cfg(unix)]
mod kill;
mod learn;
mod ops;
mod players;
mod readme_pictures;
mod render;
mod replay;
mod scripts;
mod service;
mod sim;
mod stage;
mod store;
mod stored;
mod tables;
#[cfg(feature = "telegram")]
mod telegram;
mod thaayam;
mod tidy;
mod togyzkumalak;
mod web;
mod web_bot;
mod webdriver;
mod whole_game_browser;
mod whole_games;
