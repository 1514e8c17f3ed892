//! All integration tests in one binary: one link, one place to look.
#![allow(clippy::unwrap_used)]

mod cases;
mod config;
mod conform;
mod crash;
mod i18n;
mod ops;
mod render;
mod scripts;
mod service;
mod stage;
mod store;
mod togyzkumalak;
