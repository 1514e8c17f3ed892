//! What the program does besides running the bot.

pub mod arena;
pub mod args;
pub mod bar;
pub mod engine;
pub mod learn;
pub mod picture;
pub mod records;
mod stopwatch;
