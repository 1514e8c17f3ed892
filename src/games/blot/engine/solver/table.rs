//! Stores bounds on what the leader's side still takes: the transposition table of the solver.

/// The bounds of a position between two tricks.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolverBounds {
    /// At least this much.
    pub low: i16,
    /// At most this much.
    pub high: i16,
    /// The card that was best, or [`NO_CARD`].
    pub card: u8,
}

/// No card in an entry.
pub(super) const NO_CARD: u8 = 0xff;

#[derive(Clone, Copy)]
struct SolverEntry {
    key: u64,
    low: i16,
    high: i16,
    card: u8,
    /// Cards in a hand: results that took longer to find are kept longer.
    left: u8,
    age: u8,
}

const EMPTY: SolverEntry = SolverEntry { key: 0, low: 0, high: 0, card: NO_CARD, left: 0, age: 0 };

/// Two entries, which fill half a cache line.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Bucket([SolverEntry; 2]);

/// A fixed number of buckets of two entries. A key covers everything that its bounds depend on, so
/// entries never become invalid and are not cleared between questions; the age only decides which
/// entry is replaced first.
pub(super) struct SolverTable {
    buckets: Vec<Bucket>,
    mask: u64,
    age: u8,
}

impl SolverTable {
    /// A table of `2^bits` buckets, 32 bytes each.
    pub fn new(bits: u32) -> Self {
        let len = 1usize << bits;
        Self { buckets: vec![Bucket([EMPTY; 2]); len], mask: len as u64 - 1, age: 0 }
    }

    /// Starts a new question: entries of earlier ones are replaced first.
    pub fn next_age(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.buckets.fill(Bucket([EMPTY; 2]));
    }

    /// The stored bounds of a position.
    pub fn get(&self, key: u64) -> Option<SolverBounds> {
        let Bucket(bucket) = &self.buckets[(key & self.mask) as usize];
        let found = bucket.iter().find(|entry| entry.key == key && entry.left > 0)?;
        Some(SolverBounds { low: found.low, high: found.high, card: found.card })
    }

    /// Stores bounds, which are at least as tight as those stored before for this key.
    pub fn put(&mut self, key: u64, bounds: SolverBounds, left: u8) {
        let age = self.age;
        let Bucket(bucket) = &mut self.buckets[(key & self.mask) as usize];
        let priority = |entry: &SolverEntry| (entry.age == age, entry.left);
        let at = match bucket.iter().position(|entry| entry.key == key) {
            Some(at) => at,
            None => usize::from(priority(&bucket[1]) < priority(&bucket[0])),
        };
        let SolverBounds { low, high, card } = bounds;
        bucket[at] = SolverEntry { key, low, high, card, left, age };
    }
}
