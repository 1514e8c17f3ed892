//! The ground floor of Caravanserai: what games are, the games themselves, and who plays them.
//!
//! A crate of its own, so that the compiler keeps it from knowing chats, stores and platforms, and
//! so that tests of everything above need not compile it again: it is always optimised, for
//! engines search and rules are replayed by the million.
//!
//! Start reading at [`rules`], then [`games`].

pub mod games;
pub mod ids;
pub mod input;
pub mod rules;
pub mod scene;
pub mod search;
pub mod words;
