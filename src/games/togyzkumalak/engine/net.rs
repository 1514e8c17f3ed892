//! Evaluates a position with a small network trained by self-play.
//!
//! Every pit selects a row of numbers by its number of stones, and so does every kazan and tuzdyk,
//! always from the point of view of the side to move; the rows are added. The first number of the
//! sum counts linearly, the others after clamping to 0..1 and squaring, with weights that depend on
//! who has a tuzdyk. All arithmetic is in integers. The idea is that of Nasu 2018, "Efficiently
//! updatable neural-network-based evaluation functions for computer shogi"; but as one sowing
//! changes half of the pits, adding all rows is no slower than an incremental update.

use super::super::position::TogyzkumalakPosition;

/// Numbers in a row of the networks that are learned.
pub(super) const WIDTH: usize = 64;
/// Numbers in a row of the earlier network, which the levels below `master` use.
pub const EARLIER_WIDTH: usize = 32;
/// Number of different counts of stones in a pit; larger counts share two rows, odd and even.
const COUNTS: usize = 36;
/// Number of rows of a kazan: 82 stones win.
const KAZANS: usize = 82;
/// Number of rows of a tuzdyk: pits 1 to 9 (the last one never), and none.
const TUZDYKS: usize = 10;
/// Number of values that are added together.
const LANES: usize = 32;
/// Number of rows.
pub(super) const ROWS: usize = 18 * COUNTS + 2 * KAZANS + 2 * TUZDYKS;
/// Number of rows that are added for one position.
pub(super) const ACTIVE: usize = 22;
/// Number of cases of tuzdyk ownership: none, the side to move, the opponent, both.
pub(super) const OWNERS: usize = 4;
/// The fixed-point 1 in the rows.
pub(super) const ONE: i32 = 255;
/// The fixed-point 1 in the output weights.
pub(super) const OUT_ONE: i32 = 64;
/// The scale of scores: this score is 1 in the logistic curve of the chance to win.
pub const SCALE: i32 = 400;

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct NetRow<const WIDTH: usize>(pub [i16; WIDTH]);

/// The network, with so many numbers in a row.
#[derive(Clone, Debug)]
pub struct TogyzkumalakNet<const WIDTH: usize = { self::WIDTH }> {
    pub(super) rows: Vec<NetRow<WIDTH>>,
    pub(super) start: NetRow<WIDTH>,
    pub(super) out: [NetRow<WIDTH>; OWNERS],
    pub(super) out_start: [i32; OWNERS],
}

impl<const WIDTH: usize> TogyzkumalakNet<WIDTH> {
    /// Length of a stored network in bytes.
    pub const BYTES: usize = (ROWS + 1 + OWNERS) * WIDTH * 2 + OWNERS * 4;

    /// Reads what [`TogyzkumalakNet::write`] writes; `None` for anything else.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Self::BYTES {
            return None;
        }
        let (rows, starts) = bytes.split_at((ROWS + 1 + OWNERS) * WIDTH * 2);
        let mut rows = rows.chunks_exact(2 * WIDTH).map(|row| {
            let mut numbers = [0; WIDTH];
            for (number, bytes) in numbers.iter_mut().zip(row.chunks_exact(2)) {
                *number = i16::from_le_bytes([bytes[0], bytes[1]]);
            }
            NetRow(numbers)
        });
        let mut out_start = [0; OWNERS];
        for (number, bytes) in out_start.iter_mut().zip(starts.chunks_exact(4)) {
            *number = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        let start = rows.next()?;
        let out = [rows.next()?, rows.next()?, rows.next()?, rows.next()?];
        Some(Self { rows: rows.collect(), start, out, out_start })
    }

    /// The network as bytes, numbers with the low byte first.
    pub fn write(&self) -> Vec<u8> {
        let rows = std::iter::once(&self.start).chain(&self.out).chain(&self.rows);
        let mut bytes: Vec<u8> = rows.flat_map(|row| row.0).flat_map(i16::to_le_bytes).collect();
        bytes.extend(self.out_start.iter().flat_map(|it| it.to_le_bytes()));
        bytes
    }

    /// The score of a position for its side to move: [`SCALE`] times the logit of its chance.
    #[inline]
    pub fn score(&self, position: &TogyzkumalakPosition) -> i32 {
        let owners = owners(position, usize::from(position.side() & 1));
        let rows = active(position).map(|at| &self.rows[usize::from(at) % ROWS].0);
        let mut total = 0_i32;
        let mut linear = 0;
        // As many values at a time as fit into the registers.
        for from in (0..WIDTH).step_by(LANES) {
            let mut sum = [0_i16; LANES];
            sum.copy_from_slice(&self.start.0[from..from + LANES]);
            for row in rows {
                for (number, more) in sum.iter_mut().zip(&row[from..from + LANES]) {
                    *number = number.wrapping_add(*more);
                }
            }
            if from == 0 {
                linear = i32::from(sum[0]);
            }
            for (number, weight) in sum.iter().zip(&self.out[owners].0[from..from + LANES]) {
                let clamped = (*number).clamp(0, ONE as i16);
                total += i32::from(clamped.wrapping_mul(*weight)) * i32::from(clamped);
            }
        }
        let squared = total / ONE + self.out_start[owners];
        (squared * SCALE / OUT_ONE + linear * SCALE) / ONE
    }
}

/// The ranges of rows of each pit, kazan and tuzdyk: the first row, and the first row of the next.
pub(super) fn blocks() -> impl Iterator<Item = (usize, usize)> {
    let sizes = [COUNTS; 18].into_iter().chain([KAZANS; 2]).chain([TUZDYKS; 2]);
    sizes.scan(0, |at, size| {
        *at += size;
        Some((*at - size, *at))
    })
}

/// The row of a pit; pits are counted from the first pit of the side to move.
#[inline]
fn pit_row(pit: usize, stones: u8) -> usize {
    let stones = usize::from(stones);
    pit * COUNTS + if stones < COUNTS { stones } else { COUNTS - 2 + (stones & 1) }
}

/// Rows of kazans and tuzdyks, those of the side to move first.
#[inline]
fn others(position: &TogyzkumalakPosition, me: usize) -> ([usize; 2], [usize; 2]) {
    let kazans = position.kazans();
    let tuzdyks = position.tuzdyks;
    let kazan = |owner: usize| usize::from(kazans[owner]).min(KAZANS - 1);
    let tuzdyk = |owner: usize| match usize::from(tuzdyks[owner]) {
        pit @ 0..18 => pit % 9,
        _ => TUZDYKS - 1,
    };
    let first = 18 * COUNTS;
    let second = 18 * COUNTS + 2 * KAZANS;
    (
        [first + kazan(me), first + KAZANS + kazan(1 - me)],
        [second + tuzdyk(me), second + TUZDYKS + tuzdyk(1 - me)],
    )
}

#[inline]
pub(super) fn owners(position: &TogyzkumalakPosition, me: usize) -> usize {
    let has = position.tuzdyks.map(|pit| usize::from(pit < 18));
    has[me & 1] + 2 * has[1 - (me & 1)]
}

/// All rows of a position, for learning.
pub(super) fn active(position: &TogyzkumalakPosition) -> [u16; ACTIVE] {
    let me = usize::from(position.side() & 1);
    let mut rows = [0; ACTIVE];
    for (pit, row) in rows.iter_mut().take(18).enumerate() {
        let ring = (pit + 9 * me) % 18;
        *row = pit_row(pit, position.stones[ring]) as u16;
    }
    let (kazans, tuzdyks) = others(position, me);
    for (row, at) in rows[18..].iter_mut().zip(kazans.into_iter().chain(tuzdyks)) {
        *row = at as u16;
    }
    rows
}
