//! Caravanserai: traditional board games in group chats, on Telegram, Discord and its own page.

pub mod chat;
pub mod games;
pub mod render;
pub mod rules;
pub mod scene;
pub mod store;
pub mod words;
