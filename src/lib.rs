//! Caravanserai: traditional board games in group chats, on Telegram, Discord and its own page.

pub mod chat;
pub mod platform;
pub mod rules;
pub mod store;
pub mod words;
