//! What several platforms need: how they say how they are, how they wait, how much of a foreign
//! answer they read.

pub mod foreign;
pub mod pauses;
pub mod state;
