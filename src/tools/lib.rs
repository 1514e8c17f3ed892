//! What the program does besides running the bot.

pub mod arena;
pub mod args;
pub mod engine;
pub mod learn;
pub mod progress_bar;
pub mod record_picture;
pub mod records;
mod stopwatch;
