//! Implements the board interface of search for the game's own position.
//!
//! A [`TogyzkumalakPosition`] has 48 bytes, and a move is one addition over the ring. The key is
//! computed from the whole position on demand: a sowing changes up to eighteen pits, so an
//! incremental key would cost more.

use super::super::position::{TogyzkumalakPhase, TogyzkumalakPosition};
use super::super::sowing_tables::{LAPS, RING};
use crate::search::Board;

/// The value of a new tuzdyk in move ordering, in stones.
const TUZDYK_GAIN: i32 = 20;

impl Board for TogyzkumalakPosition {
    #[inline]
    fn side(&self) -> u8 {
        TogyzkumalakPosition::side(self)
    }

    #[inline]
    fn moves(&self) -> u32 {
        u32::from(TogyzkumalakPosition::moves(self))
    }

    #[inline]
    fn after(&self, place: u8) -> Self {
        TogyzkumalakPosition::after(self, place)
    }

    #[inline]
    fn outcome(&self) -> Option<i32> {
        self.is_over().then(|| difference(self))
    }

    #[inline]
    fn key(&self) -> u64 {
        let low = eight(&self.stones, 0);
        let middle = eight(&self.stones, 8);
        let [first, _] = self.kazans();
        let extra = u8::from(self.phase() == TogyzkumalakPhase::Extra);
        let rest = [
            self.stones[16],
            self.stones[17],
            first,
            self.tuzdyks[0],
            self.tuzdyks[1],
            TogyzkumalakPosition::side(self),
            extra,
            self.variant() as u8,
        ];
        let rest = u64::from_le_bytes(rest);
        let mixed = fold(low ^ 0x9E37_79B9_7F4A_7C15, middle ^ 0xC2B2_AE3D_27D4_EB4F);
        fold(mixed ^ 0x1656_67B1_9E37_79F9, rest ^ 0xD6E8_FEB8_6659_FD93)
    }

    #[inline]
    fn gain(&self, place: u8) -> i32 {
        let me = usize::from(TogyzkumalakPosition::side(self) & 1);
        let start = 9 * me + usize::from(place) % 9;
        let stones = usize::from(self.stones[start]);
        let (lap, rounds) = laps_of(stones);
        let last = usize::from(LAPS[start][lap].last) % RING;
        if usize::from(last >= 9) == me || last == usize::from(self.tuzdyks[me]) {
            return 0;
        }
        let there = i32::from(self.stones[last]) + rounds + 1;
        if there & 1 == 0 {
            there
        } else if there == 3 && self.may_own(me, last) {
            TUZDYK_GAIN
        } else {
            0
        }
    }

    #[inline]
    fn may_return(&self, before: &Self) -> bool {
        self.kazans() == before.kazans()
    }
}

/// The stones that remain after full rounds, as an index into a row of the table, and the number of
/// those rounds.
#[inline]
fn laps_of(stones: usize) -> (usize, i32) {
    if stones <= RING {
        return (stones, 0);
    }
    let rounds = (stones - 1) / RING;
    let lap = stones - rounds * RING;
    (if lap == 1 { 0 } else { lap }, rounds as i32)
}

/// The stones in the first player's kazan minus those in the second's.
#[inline]
pub(super) fn difference(position: &TogyzkumalakPosition) -> i32 {
    let [first, second] = position.kazans();
    i32::from(first) - i32::from(second)
}

/// Stones in the pits of a side.
#[inline]
pub(super) fn on_side(position: &TogyzkumalakPosition, side: usize) -> i32 {
    let at = 9 * (side & 1);
    let eight = eight(&position.stones, at);
    let pairs = (eight & 0x00ff_00ff_00ff_00ff) + (eight >> 8 & 0x00ff_00ff_00ff_00ff);
    let sum = pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48;
    sum as i32 + i32::from(position.stones[at + 8])
}

#[inline]
fn eight(stones: &[u8; 32], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&stones[at..at + 8]);
    u64::from_le_bytes(bytes)
}

/// The XOR of both halves of a product.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
