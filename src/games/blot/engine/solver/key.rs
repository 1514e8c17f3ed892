//! Computes table keys: positions that differ only in the names of suits or of low cards get the
//! same key.

use super::search::SolverPosition;

/// Spreads the bits of a byte to every second bit.
const SPREAD: [u16; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                spread[byte] |= 1 << (2 * bit);
            }
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// Moves the low cards without points down: by the places in use among the three lowest, the new
/// places of the cards.
const SLIDE: [[u8; 8]; 8] = {
    let mut slide = [[0; 8]; 8];
    let mut used = 0;
    while used < 8 {
        let mut cards = 0;
        while cards < 8 {
            let mut from = 0;
            let mut to = 0;
            while from < 3 {
                if used >> from & 1 == 1 {
                    if cards >> from & 1 == 1 {
                        slide[used][cards] |= 1 << to;
                    }
                    to += 1;
                }
                from += 1;
            }
            cards += 1;
        }
        used += 1;
    }
    slide
};

/// Encodes who holds what of one suit: eight bits for the cards that are left, sixteen for their
/// owners. The `low` lowest cards have no points, so only their order matters.
fn suit_code(hands: &[u32; 4], shift: u32, low: u32) -> u32 {
    let mut bytes = hands.map(|hand| (hand >> shift & 0xff) as usize);
    let low = (1usize << low) - 1;
    let used = (bytes[0] | bytes[1] | bytes[2] | bytes[3]) & low;
    if used & (used + 1) != 0 {
        bytes = bytes.map(|byte| byte & !low | usize::from(SLIDE[used][byte & low]));
    }
    let left = (bytes[0] | bytes[1] | bytes[2] | bytes[3]) as u32;
    let [_, one, two, three] = bytes.map(|byte| u32::from(SPREAD[byte]));
    left << 16 | one | two << 1 | three | three << 1
}

/// The key of a position. Plain suits are sorted, so that exchanged suits give the same key; trumps
/// are not. Low cards are numbered by their order.
pub(super) fn key(spot: &SolverPosition, seed: u64, trump: bool) -> u64 {
    let hands = &spot.hands;
    let mut codes = [
        suit_code(hands, 0, if trump { 2 } else { 3 }),
        suit_code(hands, 8, 3),
        suit_code(hands, 16, 3),
        suit_code(hands, 24, 3),
    ];
    if !trump {
        order(&mut codes, 0, 1);
        order(&mut codes, 0, 2);
        order(&mut codes, 0, 3);
    }
    order(&mut codes, 1, 2);
    order(&mut codes, 2, 3);
    order(&mut codes, 1, 2);
    let low = u64::from(codes[0]) | u64::from(codes[1]) << 24 | u64::from(codes[2]) << 48;
    let high = u64::from(codes[2]) >> 16 | u64::from(codes[3]) << 8 | u64::from(spot.sweep) << 32;
    mix(mix(low ^ seed).wrapping_add(high))
}

fn order(codes: &mut [u32; 4], a: usize, b: usize) {
    if codes[a] > codes[b] {
        codes.swap(a, b);
    }
}

/// The finisher of SplitMix64: a permutation of 64 bits.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
