//! What whoever hosts has to do with: settings, putting the parts together, health, metrics, logs.

pub mod config;
pub mod menus;
pub mod notebook;
pub mod ops;
pub mod run;
