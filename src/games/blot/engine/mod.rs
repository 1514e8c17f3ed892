//! Computer players of Blot.

mod packed;
pub mod playouts;
pub mod solver;
mod trick;
