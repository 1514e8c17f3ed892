//! Computer players of Blot.

pub mod auction;
pub mod learn;
