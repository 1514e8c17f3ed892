//! Adapters: each turns one platform's messages into updates and sayings into its calls.

pub mod web;
