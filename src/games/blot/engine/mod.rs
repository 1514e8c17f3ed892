//! Computer players of Blot.

pub mod auction;
pub mod equity;
pub mod learn;
mod packed;
pub mod playouts;
mod shares;
pub mod solver;
mod trick;
pub mod worlds;
