//! What whoever hosts has to do with: settings, putting the parts together, health, numbers, logs.
//!
//! Start reading at [`serve`], then [`run`].

pub mod clock_watch;
pub mod config;
pub mod doctor;
pub mod folder;
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
pub mod store_identity;
pub mod supervise;
pub mod supervisor;
