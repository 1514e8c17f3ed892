//! Computer players of Blot.

mod packed;
pub mod solver;
