//! Tables of the effect of sowing, computed at compile time.

/// Pits on both sides together.
pub(super) const RING: usize = 18;
/// Length of the stone array: the ring padded so that one addition covers two machine vectors.
pub(super) const PADDED: usize = 32;
/// One bit for each pit of the ring.
pub(super) const ALL: u32 = (1 << RING) - 1;

/// The effect of one lap of sowing on the board, without full rounds of 18.
#[derive(Clone, Copy)]
pub(super) struct Lap {
    /// Stones added to each pit.
    pub adds: [u8; PADDED],
    /// The pits that receive a stone, as bits.
    pub reach: u32,
    /// The pit that the last stone falls into.
    pub last: u8,
}

/// By start pit, then by lap: 1 = the single stone, which steps on; 2 to 18 = that many stones,
/// the first of them back into the start pit; 0 = one stone back into the start pit, which is
/// the rest of 19, 37, ... after the full rounds.
pub(super) static LAPS: [[Lap; RING + 1]; RING] = laps();

/// Number of set bits in a side's nine.
pub(super) static COUNT: [u8; 512] = counts();

/// The indices of the set bits in a side's nine, in rising order.
pub(super) static PLACES: [[u8; 16]; 512] = places();

const fn lap(start: usize, stones: usize) -> Lap {
    let (first, len) = match stones {
        0 => (start, 1),
        1 => (start + 1, 1),
        _ => (start, stones),
    };
    let mut lap = Lap { adds: [0; PADDED], reach: 0, last: 0 };
    let mut i = 0;
    while i < len {
        let pit = (first + i) % RING;
        lap.adds[pit] += 1;
        lap.reach |= 1 << pit;
        lap.last = pit as u8;
        i += 1;
    }
    lap
}

const fn laps() -> [[Lap; RING + 1]; RING] {
    let mut laps = [[Lap { adds: [0; PADDED], reach: 0, last: 0 }; RING + 1]; RING];
    let mut start = 0;
    while start < RING {
        let mut stones = 0;
        while stones <= RING {
            laps[start][stones] = lap(start, stones);
            stones += 1;
        }
        start += 1;
    }
    laps
}

const fn counts() -> [u8; 512] {
    let mut counts = [0; 512];
    let mut bits = 0;
    while bits < 512 {
        counts[bits] = (bits as u32).count_ones() as u8;
        bits += 1;
    }
    counts
}

const fn places() -> [[u8; 16]; 512] {
    let mut places = [[0; 16]; 512];
    let mut bits = 0;
    while bits < 512 {
        let mut found = 0;
        let mut place = 0;
        while place < 9 {
            if bits >> place & 1 == 1 {
                places[bits][found] = place as u8;
                found += 1;
            }
            place += 1;
        }
        bits += 1;
    }
    places
}
