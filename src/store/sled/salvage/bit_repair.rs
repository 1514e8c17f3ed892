//! Finds a single flipped bit by its checksum.
//!
//! Each bit of a text changes its CRC-32 in its own way, as long as the text is shorter than half a
//! gigabyte. So the difference between the stored and the computed checksum identifies the bit. Two
//! flipped bits may point to a wrong third one; callers therefore verify the content again by the
//! checksums of its rows.

/// CRC-32 of every byte, reflected polynomial 0xEDB88320: as `crc32fast` computes it.
const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0_u32; 256];
    let mut n = 0;
    while n < 256 {
        let mut crc = n as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
            bit += 1;
        }
        table[n] = crc;
        n += 1;
    }
    table
}

/// The position, as byte and bit, of the single bit whose flip explains why `bytes` does not have
/// this checksum; `None` if there is no such bit.
pub(super) fn flipped_bit(bytes: &[u8], expected: u32) -> Option<(usize, u8)> {
    let difference = crc32fast::hash(bytes) ^ expected;
    // Effect of flipping each bit of the byte at `at` on the checksum, starting with the last byte.
    let mut effects: [u32; 8] = std::array::from_fn(|bit| TABLE[1 << bit]);
    for at in (0..bytes.len()).rev() {
        if let Some(bit) = effects.iter().position(|effect| *effect == difference) {
            return Some((at, u8::try_from(bit).unwrap_or_default()));
        }
        for effect in &mut effects {
            *effect = (*effect >> 8) ^ TABLE[(*effect & 0xFF) as usize];
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_flipped_bit_is_found(
            bytes in prop::collection::vec(any::<u8>(), 1..3000),
            at in any::<prop::sample::Index>(),
            bit in 0..8_u8,
        ) {
            let expected = crc32fast::hash(&bytes);
            prop_assert_eq!(flipped_bit(&bytes, expected), None);
            let mut flipped = bytes.clone();
            let at = at.index(bytes.len());
            flipped[at] ^= 1 << bit;
            prop_assert_eq!(flipped_bit(&flipped, expected), Some((at, bit)));
        }
    }
}
