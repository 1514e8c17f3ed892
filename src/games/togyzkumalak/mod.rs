//! Togyzkumalak.

pub mod scene;
pub mod view;
