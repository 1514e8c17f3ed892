//! Numbers the pieces of one player without gaps: the rows and columns of the table.

use crate::thaayam::board::{FORTRESS, HAND, OFF};
use crate::thaayam::position::PlayerPieces;

/// Number of keys: five bits for each of four pieces.
const KEYS: usize = 1 << 20;

/// The mark of a key without a side.
const NONE: u16 = u16::MAX;

/// All sides with a number of pieces, at most some of which are not yet in the fortress: a set that
/// no turn leaves, because a killed piece was not in the fortress. Sorted by progress, so that
/// every use of a throw leads to a greater number.
pub struct SideSet {
    pieces: u8,
    sides: Vec<PlayerPieces>,
    ranks: Vec<u16>,
}

impl SideSet {
    /// The sides of `pieces` pieces, 1 to 4, at most `away` of them not yet in the fortress.
    pub fn new(pieces: u8, away: u8) -> Self {
        let mut sides = Vec::new();
        add_sides(&mut sides, &mut Vec::new(), pieces, away);
        sides.sort_by_key(|side| (progress(side), *side.steps()));
        let mut ranks = vec![NONE; KEYS];
        for (rank, side) in sides.iter().enumerate() {
            ranks[key(side)] = u16::try_from(rank).unwrap_or(NONE);
        }
        Self { pieces, sides, ranks }
    }

    /// The number of pieces of a side.
    pub fn pieces(&self) -> u8 {
        self.pieces
    }

    /// Number of sides.
    pub fn len(&self) -> usize {
        self.sides.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }

    /// The side with this number.
    pub fn side(&self, rank: usize) -> &PlayerPieces {
        &self.sides[rank]
    }

    /// The number of a side, if it is one of these.
    pub fn rank(&self, side: &PlayerPieces) -> Option<usize> {
        let rank = self.ranks[key(side)];
        (rank != NONE).then_some(usize::from(rank))
    }

    /// The step of the foremost piece of a side.
    pub fn foremost(&self, rank: usize) -> i8 {
        self.sides[rank].steps()[usize::from(self.pieces) - 1]
    }
}

fn add_sides(sides: &mut Vec<PlayerPieces>, steps: &mut Vec<i8>, pieces: u8, away: u8) {
    if steps.len() == usize::from(pieces) {
        let count = steps.iter().filter(|step| **step < FORTRESS).count();
        sides.extend(PlayerPieces::new(steps).filter(|_| count <= usize::from(away)));
        return;
    }
    for step in steps.last().copied().unwrap_or(HAND)..=OFF {
        steps.push(step);
        add_sides(sides, steps, pieces, away);
        steps.pop();
    }
}

/// The points that were needed to come so far: every use of a throw adds its points.
fn progress(side: &PlayerPieces) -> i32 {
    side.steps().iter().map(|step| i32::from(step - HAND)).sum()
}

fn key(side: &PlayerPieces) -> usize {
    side.steps().iter().fold(0, |key, step| key << 5 | usize::from((step - HAND).unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_numbered_without_gaps() {
        for (pieces, away, count) in
            [(1, 1, 27), (2, 2, 353), (3, 3, 3_279), (4, 4, 23_755), (4, 1, 30), (4, 2, 355)]
        {
            let sides = SideSet::new(pieces, away);
            assert_eq!(sides.len(), count, "{pieces} {away}");
            assert!((0..count).all(|rank| sides.rank(sides.side(rank)) == Some(rank)));
            assert!(sides.side(count - 1).is_off());
        }
        let few = SideSet::new(4, 1);
        assert_eq!(few.rank(&PlayerPieces::in_hand(4)), None);
        assert_eq!(few.foremost(few.len() - 1), OFF);
    }
}
