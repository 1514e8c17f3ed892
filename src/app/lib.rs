//! Assembles and runs the program: settings, HTTP, health, metrics, logs, and the commands for
//! stores.
//!
//! Start reading at [`serve`], then [`run`]. The map of all crates is `src/README.md`.

#[cfg(unix)]
pub mod admin_socket;
pub mod command_menus;
pub mod component_supervisor;
pub mod components;
pub mod config;
pub mod core_dumps;
pub mod deletion_list;
pub mod doctor;
pub mod event_format;
pub mod health;
pub mod health_watch;
#[cfg(feature = "discord")]
pub mod interaction_check;
pub mod key_rotation;
pub mod kv_store;
pub mod logs;
pub mod metrics;
pub mod operator_metrics;
pub mod run;
pub mod serve;
pub mod shutdown;
pub mod store_commands;
pub mod store_identity;
pub mod store_startup;
pub mod systemd;
