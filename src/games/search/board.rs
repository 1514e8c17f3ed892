//! The board interface for search in games for two players without chance or hidden information.

/// A position: small and cheap to copy. Moves are places, 0 to 31, so that all of them fit into
/// the bits of a number.
pub trait Board: Copy {
    /// The side to move, 0 or 1. A side may move several times in a row.
    fn side(&self) -> u8;
    /// The moves as bits; none exactly when the game is over.
    fn moves(&self) -> u32;
    /// The position after one of the moves.
    #[must_use]
    fn after(&self, place: u8) -> Self;
    /// The result of side 0 less that of side 1 at the end; `None` while the game goes on.
    fn outcome(&self) -> Option<i32>;
    /// A hash: it differs, as far as 64 bits can, for positions that play on differently.
    fn key(&self) -> u64;
    /// The immediate gain of a move in the game's own count; 0 for a quiet one. Used only to order
    /// moves and to decide which of them are searched deeper.
    fn gain(&self, place: u8) -> i32;
    /// Whether positions from before the move that led from `before` to here may come up again.
    fn may_return(&self, before: &Self) -> bool;
}

/// Evaluates a position for the side to move.
pub trait Evaluator<B> {
    /// Higher is better for the side to move; the absolute value stays well below
    /// [`WON`](super::pvs::WON). Never called for a finished game.
    fn score(&mut self, board: &B) -> i32;
}

impl<B, F: FnMut(&B) -> i32> Evaluator<B> for F {
    fn score(&mut self, board: &B) -> i32 {
        self(board)
    }
}

/// The indices of the moves whose bits are set, in rising order.
pub fn move_indices(moves: u32) -> impl Iterator<Item = u8> {
    let mut left = moves;
    std::iter::from_fn(move || {
        let index = left.trailing_zeros() as u8;
        left &= left.wrapping_sub(1);
        (index < 32).then_some(index)
    })
}
