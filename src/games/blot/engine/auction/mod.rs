//! Bidding.

pub mod deals;
pub mod hands;
pub mod listen;
pub mod model;
pub mod net;
pub mod policy;
pub mod rollout;
pub mod talk;
