//! What people type when they mean a pit.

use super::position::Position;
use super::rules::Sow;
use crate::rules::{Seat, Token};

/// Understands a typed move of this seat.
pub fn guess(_position: &Position, _seat: Seat, text: &str) -> Option<Sow> {
    Sow::read(text.trim())
}
