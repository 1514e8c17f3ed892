//! Stores the results of earlier searches of positions in a transposition table.
//!
//! Each cache line has four entries; the least valuable is replaced: old searches first, then
//! shallow ones. Breuker, Uiterwijk, van den Herik 1994, "Replacement schemes for transposition
//! tables".

/// The meaning of the score of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
    /// The value is the score.
    Exact,
}

/// The stored result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranspositionEntry {
    /// The value found.
    pub score: i16,
    /// The static evaluation.
    pub evaluation: i16,
    /// The search depth.
    pub depth: i8,
    /// The meaning of the score.
    pub bound: Bound,
    /// The best move, if one was found.
    pub best: Option<u8>,
}

/// One cache line: keys and packed entries alternate.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct CacheLine([u64; 8]);

/// A transposition table of fixed size.
#[derive(Debug)]
pub struct TranspositionTable {
    lines: Vec<CacheLine>,
    age: u8,
}

const NO_MOVE: u8 = 0xff;
/// Number of different ages: six bits, above the two bits of the bound.
const AGES: u8 = 64;

impl TranspositionTable {
    /// An empty table of 2^`bits` cache lines of 64 bytes, four positions each.
    pub fn new(bits: u32) -> Self {
        Self { lines: vec![CacheLine([0; 8]); 1 << bits], age: 1 }
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.lines.fill(CacheLine([0; 8]));
        self.age = 1;
    }

    /// Starts a new search: entries of older searches are replaced first.
    pub fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        // The high half of a product spreads keys over any number of lines.
        ((u128::from(key) * self.lines.len() as u128) >> 64) as usize
    }

    /// The stored result of the position with this key.
    #[inline]
    pub fn recall(&self, key: u64) -> Option<TranspositionEntry> {
        let line = &self.lines[self.place(key)].0;
        for slot in 0..4 {
            if line[2 * slot] == key && line[2 * slot + 1] != 0 {
                return Some(unpack(line[2 * slot + 1]));
            }
        }
        None
    }

    /// Stores a result for the position with this key.
    #[inline]
    pub fn remember(&mut self, key: u64, entry: TranspositionEntry) {
        let at = self.place(key);
        let line = &mut self.lines[at].0;
        let mut slot = 0;
        let mut least = i32::MAX;
        for (i, pair) in line.chunks_exact(2).enumerate() {
            if pair[0] == key || pair[1] == 0 {
                slot = i;
                break;
            }
            let older = (self.age + AGES - age_of(pair[1])) % AGES;
            let value = i32::from((pair[1] >> 32) as i8) - 8 * i32::from(older);
            if value < least {
                (slot, least) = (i, value);
            }
        }
        let mut entry = entry;
        if line[2 * slot] == key && line[2 * slot + 1] != 0 {
            let old = unpack(line[2 * slot + 1]);
            let current = age_of(line[2 * slot + 1]) == self.age;
            entry.best = entry.best.or(old.best);
            if current && entry.bound != Bound::Exact && old.depth > entry.depth + 3 {
                return;
            }
        }
        line[2 * slot] = key;
        line[2 * slot + 1] = pack(entry, self.age);
    }
}

fn age_of(packed: u64) -> u8 {
    (packed >> 42) as u8 & (AGES - 1)
}

/// Packs an entry into 64 bits; never 0, because every bound sets a bit.
fn pack(entry: TranspositionEntry, age: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.score as u16)
        | u64::from(entry.evaluation as u16) << 16
        | u64::from(entry.depth as u8) << 32
        | u64::from(bound | age << 2) << 40
        | u64::from(entry.best.unwrap_or(NO_MOVE)) << 48
}

fn unpack(packed: u64) -> TranspositionEntry {
    let best = (packed >> 48) as u8;
    TranspositionEntry {
        score: packed as i16,
        evaluation: (packed >> 16) as i16,
        depth: (packed >> 32) as i8,
        bound: match (packed >> 40) & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        },
        best: (best != NO_MOVE).then_some(best),
    }
}
