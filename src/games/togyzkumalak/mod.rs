//! Togyzkumalak.

pub mod view;
