//! Gives all random numbers of a simulated world, from one seed.

use parking_lot::Mutex;

use caravanserai_games::search::SeededRng;

/// An independent stream of random numbers: numbers drawn by one part of the world do not change
/// those of another.
pub struct Chance(Mutex<SeededRng>);

impl Chance {
    /// The stream of this name in the world of this seed.
    pub fn new(seed: u64, name: &str) -> Self {
        let mut mixed = SeededRng::new(seed);
        let by_name = name.bytes().fold(mixed.bits(), |all, byte| {
            (all ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        Chance(Mutex::new(SeededRng::new(by_name)))
    }

    /// The next 64 bits.
    pub fn bits(&self) -> u64 {
        self.0.lock().bits()
    }

    /// A number in `0..n`; 0 when `n` is 0.
    pub fn below(&self, n: u64) -> u64 {
        if n == 0 { 0 } else { self.bits() % n }
    }

    /// A number in `from..=to`.
    pub fn between(&self, from: u64, to: u64) -> u64 {
        from + self.below(to.saturating_sub(from) + 1)
    }

    /// Whether an event with this probability per thousand happens.
    pub fn happens(&self, per_mille: u64) -> bool {
        self.below(1000) < per_mille
    }

    /// A random item.
    pub fn pick<'a, T>(&self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len() as u64) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_depend_on_seed_and_name() {
        let draw = |seed, name: &str| {
            let chance = Chance::new(seed, name);
            (0..8).map(|_| chance.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, "people"), draw(1, "people"));
        assert_ne!(draw(1, "people"), draw(2, "people"));
        assert_ne!(draw(1, "people"), draw(1, "store"));
    }
}
