//! Reads exact chances from a solved table.

use std::sync::Arc;

use super::read_sides;
use super::sides::SideSet;
use crate::rules::Seat;
use crate::solving::{SolvedTable, SolvedValues};
use crate::thaayam::engine::seats::TurnStart;
use crate::thaayam::options::ThaayamOptions;
use crate::thaayam::position::ThaayamPosition;

/// The exact chances of the positions in a solved table.
pub struct ThaayamSolution {
    sides: SideSet,
    values: Arc<dyn SolvedValues>,
}

impl ThaayamSolution {
    /// The solution in a table.
    ///
    /// # Errors
    /// A sentence about a table of another kind.
    pub fn new(table: &SolvedTable) -> Result<Self, String> {
        let [pieces, away, ..] = table.amounts[..] else {
            return Err("the table does not say for how many pieces it is".to_owned());
        };
        let (pieces, away) = read_sides(pieces, away)?;
        Ok(Self { sides: SideSet::new(pieces, away), values: Arc::clone(&table.values) })
    }

    /// The sides of the table.
    pub(super) fn sides(&self) -> &SideSet {
        &self.sides
    }

    /// Whether the table has this position, and so every position that can follow.
    pub fn covers(&self, position: &ThaayamPosition) -> bool {
        let ThaayamOptions { throws_by_itself, clockwise, play_on, .. } = *position.options();
        // These change nothing between two players.
        let neutral = ThaayamOptions { throws_by_itself, clockwise, play_on, ..Default::default() };
        position.seats() == 2
            && *position.options() == ThaayamOptions { pieces: self.sides.pieces(), ..neutral }
            && [0, 1].iter().all(|seat| self.sides.rank(position.side(Seat(*seat))).is_some())
    }

    /// The chance of every seat, as the networks give it; `None` for positions that are not in the
    /// table.
    pub fn chances(&self, at: &TurnStart) -> Option<[f32; 4]> {
        if !self.covers(&at.position) {
            return None;
        }
        let next = at.next.index() & 1;
        let other = 1 - (at.next.index() & 1);
        let rank = |seat: usize| self.sides.rank(at.position.side(Seat(seat as u8)));
        let chance = match at.is_won {
            true => 1.0,
            false => self.values.value(rank(other)?, rank(next)?)?,
        };
        let mut chances = [0.0; 4];
        (chances[next], chances[other]) = (chance, 1.0 - chance);
        Some(chances)
    }
}
