//! Computer players of Blot.

pub mod solver;
