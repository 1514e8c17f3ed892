//! Computer players of Blot.

mod packed;
pub mod playouts;
mod shares;
pub mod solver;
mod trick;
pub mod worlds;
