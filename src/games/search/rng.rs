//! Reproducible random numbers from a seed.

use crate::rules::Entropy;

/// Numbers for search, matches and learning: SplitMix64 (Steele, Lea, Flood 2014, "Fast
/// splittable pseudorandom number generators"). Never for the chance of a game that people play.
#[derive(Clone, Debug)]
pub struct SeededRng(u64);

impl SeededRng {
    /// The numbers of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Numbers from a seed that `entropy` gives.
    pub fn from_entropy(entropy: &mut dyn Entropy) -> Self {
        let high = u64::from(entropy.below(u32::MAX)) << 32;
        Self(high | u64::from(entropy.below(u32::MAX)))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

impl Entropy for SeededRng {
    fn below(&mut self, n: u32) -> u32 {
        // Lemire 2019: the high half of a product; the bias of some 2^-32 does not matter here.
        ((u64::from(self.bits() as u32) * u64::from(n)) >> 32) as u32
    }
}
