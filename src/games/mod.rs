//! The games.

pub mod togyzkumalak;
