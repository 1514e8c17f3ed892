//! All integration tests in one binary: one link, one place to look.
#![allow(clippy::unwrap_used)]

mod config;
mod crash;
mod ops;
mod store;
mod scripts;
mod stage;
