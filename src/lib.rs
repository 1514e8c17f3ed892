//! Caravanserai: traditional board games in group chats, on Telegram, Discord and its own page.

pub mod app;
pub mod chat;
pub mod config;
pub mod games;
pub mod i18n;
pub mod ops;
pub mod platform;
pub mod render;
pub mod rules;
pub mod scene;
pub mod service;
pub mod store;
pub mod table;
pub mod words;
