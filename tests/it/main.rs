//! All integration tests in one binary: one link, one place to look.
#![allow(clippy::unwrap_used)]

mod browser;
mod web;
mod web_bot;
mod webdriver;
