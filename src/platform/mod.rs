//! The edges: each platform turns what it hears into [`crate::chat::Update`]s and says what it is
//! told. Platforms know the neutral language and their own service, not tables, games or stores.

#[cfg(feature = "discord")]
pub mod discord;
pub mod shared;
#[cfg(feature = "telegram")]
pub mod telegram;
pub mod web;
