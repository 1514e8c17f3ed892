//! Everything that happens by chance in a simulated world, from one seed.

use std::sync::{Mutex, PoisonError};

use caravanserai_games::search::SeededRng;

/// A stream of chance of its own: what one part of the world draws does not move another's.
pub struct Chance(Mutex<SeededRng>);

impl Chance {
    /// The stream of this name in the world of this seed.
    pub fn new(seed: u64, name: &str) -> Self {
        let mut mixed = SeededRng::new(seed);
        let named = name.bytes().fold(mixed.bits(), |all, byte| {
            (all ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        Chance(Mutex::new(SeededRng::new(named)))
    }

    /// The next 64 bits.
    pub fn bits(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).bits()
    }

    /// A number in `0..n`; 0 when `n` is 0.
    pub fn below(&self, n: u64) -> u64 {
        if n == 0 { 0 } else { self.bits() % n }
    }

    /// A number in `from..=to`.
    pub fn between(&self, from: u64, to: u64) -> u64 {
        from + self.below(to.saturating_sub(from) + 1)
    }

    /// Whether something happens that happens so often out of a thousand times.
    pub fn happens(&self, per_mille: u64) -> bool {
        self.below(1000) < per_mille
    }

    /// One of these.
    pub fn pick<'a, T>(&self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len() as u64) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_name_give_the_same_and_others_other_numbers() {
        let draw = |seed, name: &str| {
            let chance = Chance::new(seed, name);
            (0..8).map(|_| chance.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, "people"), draw(1, "people"));
        assert_ne!(draw(1, "people"), draw(2, "people"));
        assert_ne!(draw(1, "people"), draw(1, "store"));
    }
}
