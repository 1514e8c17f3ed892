//! The program around the bot: settings, assembly, HTTP, health, metrics, logs, and the commands
//! that work on stores.
//!
//! Start reading at [`serve`], then [`run`]. The map of all crates is `src/README.md`.

pub mod clock_watch;
pub mod config;
pub mod doctor;
pub mod health;
#[cfg(feature = "discord")]
pub mod interactions;
pub mod logs;
pub mod menus;
pub mod metrics;
pub mod notebook;
pub mod parts;
pub mod pulse;
pub mod run;
pub mod serve;
pub mod starting;
pub mod stopping;
pub mod store_commands;
pub mod store_identity;
pub mod supervise;
pub mod supervisor;
