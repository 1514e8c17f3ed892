//! The tools besides the bot: arena, benchmark, engine protocol, learning, solving, pictures and
//! records of games, a sample month of a group, and a list of outdated translations.

pub mod arena;
pub mod args;
pub mod benchmark;
pub mod engine;
pub mod learn;
pub mod month;
pub mod progress_bar;
pub mod record_picture;
pub mod records;
pub mod solve;
mod stopwatch;
pub mod translations;
