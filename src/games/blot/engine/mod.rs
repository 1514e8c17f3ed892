//! Computer players of Blot.

pub mod auction;
pub mod equity;
pub mod learn;
