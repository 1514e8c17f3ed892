//! Togyzkumalak.

pub mod lesson;
pub mod scene;
pub mod view;
