//! Hashes of texts that records compare and never show.
//!
//! A record with numbers is small, is copied without allocations, and contains no ids of other
//! people. Nobody chooses their id, so collisions of 64 bits are no concern.

/// FNV-1a with 64 bits over these texts, which end with a zero byte each. It is the same in all
/// versions, and no secret.
pub fn hash_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    let bytes = texts.into_iter().flat_map(|it| it.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boundary_between_texts_counts() {
        assert_eq!(hash_texts(["ab", "c"]), hash_texts(["ab", "c"]));
        assert_ne!(hash_texts(["ab", "c"]), hash_texts(["a", "bc"]));
        assert_ne!(hash_texts(["a"]), hash_texts(["a", ""]));
    }

    #[test]
    fn numbers_are_the_same_in_all_versions() {
        assert_eq!(hash_texts(["tg:1"]), 0x1e90_3c3a_9a5c_c3eb);
    }
}
