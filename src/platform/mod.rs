//! Adapters: each turns what its platform says into `chat` words, and back.

#[cfg(feature = "telegram")]
pub mod telegram;
