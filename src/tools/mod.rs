//! What the program does besides running the bot.

pub mod arena;
pub mod bar;
pub mod engine;
pub mod learn;
pub mod picture;
pub mod records;
pub mod sim;
mod stopwatch;
pub mod store;
