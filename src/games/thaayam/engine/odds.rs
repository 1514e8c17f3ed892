//! Computes the exact probability that a piece reaches a square within one turn (2.6 of the rule
//! notes).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::rules::Seat;
use crate::thaayam::board::{FORTRESS, HAND, INSIDE, OFF, SAFE};
use crate::thaayam::position::{ThaayamPosition, square_of};
use crate::thaayam::turn::{SERIES_MAX, loses_early_throws};

/// Values of a throw and their probabilities in sixteenths (T5).
pub const CHANCES: [(u8, u8); 5] = [(1, 4), (2, 6), (3, 4), (4, 1), (8, 1)];

/// Probabilities to reach a distance with some of one turn's throws.
pub struct Odds {
    /// For a piece this number of steps before the square.
    pub moving: [f32; 25],
    /// For a piece in hand while another is on the board: it enters with a 1, and some of the other
    /// throws move it this number of steps further.
    pub entering: [f32; 25],
    /// The same when nothing is on the board: throws before the first 1 are lost (S11).
    pub starting: [f32; 25],
}

/// The odds of four fair coins.
pub static ODDS: LazyLock<Odds> = LazyLock::new(Odds::count);

/// Whether a 1 came, and the sums that can be made of the throws so far, as a set of bits.
type Sums = (bool, u32);

impl Odds {
    /// Computes them exactly, series by series.
    fn count() -> Self {
        let any = |sums: Sums, throw: u8| (sums.0, add(sums.1, throw));
        let but_one = |sums: Sums, throw: u8| match (sums.0, throw) {
            (false, 1) => (true, sums.1),
            _ => (sums.0, add(sums.1, throw)),
        };
        let from_one = |sums: Sums, throw: u8| match (sums.0, throw) {
            (false, 1) => (true, sums.1),
            (false, _) => sums,
            (true, _) => (true, add(sums.1, throw)),
        };
        Self {
            moving: reached(true, any),
            entering: reached(false, but_one),
            starting: reached(false, from_one),
        }
    }

    /// The probability that a piece of a side gets from one of its steps to another within a turn,
    /// whatever the other pieces of the side could do; 0 where no such piece can move.
    pub fn of(&self, from: i8, to: i8, is_out: bool) -> f32 {
        let at = |list: &[f32; 25], distance: i8| {
            usize::try_from(distance).ok().and_then(|it| list.get(it)).copied().unwrap_or(0.0)
        };
        match from {
            FORTRESS | OFF => 0.0,
            HAND if is_out => at(&self.starting, to),
            HAND => at(&self.entering, to),
            _ if to <= from => 0.0,
            _ => at(&self.moving, to - from),
        }
    }
}

fn add(sums: u32, throw: u8) -> u32 {
    (sums | sums << throw) & ((1 << 25) - 1)
}

/// The probability of each sum at the end of a turn; `next` gives the sums after one more throw.
/// Only series with a 1 count, unless `ready` is set.
fn reached(ready: bool, next: impl Fn(Sums, u8) -> Sums) -> [f32; 25] {
    let mut open: BTreeMap<Sums, f64> = BTreeMap::from([((ready, 1), 1.0)]);
    let mut found = [0.0f64; 25];
    for _ in 0..SERIES_MAX {
        let mut more: BTreeMap<Sums, f64> = BTreeMap::new();
        for (sums, chance) in open {
            for (throw, sixteenths) in CHANCES {
                let chance = chance * f64::from(sixteenths) / 16.0;
                let after = next(sums, throw);
                if !matches!(throw, 2 | 3) {
                    *more.entry(after).or_default() += chance;
                } else if after.0 {
                    let sums = (0..25).filter(|sum| after.1 >> sum & 1 == 1);
                    sums.for_each(|sum| found[sum] += chance);
                }
            }
        }
        open = more;
    }
    found.map(|it| it as f32)
}

/// The probability that one player hits each square within a turn, as far as single pieces can: the
/// pieces count as independent.
pub struct Reach {
    steps: [i8; 25],
    from: [i8; 4],
    is_out: bool,
    ends_at: i8,
    /// Enemies that cannot be passed, if the house rules forbid passing.
    walls: u32,
    path: &'static [u8; 25],
}

impl Reach {
    /// Collects what a seat can reach.
    pub fn from_position(position: &ThaayamPosition, seat: Seat) -> Self {
        let path = position.colour(seat).path();
        let mut steps = [0; 25];
        for (step, square) in (0i8..).zip(path) {
            steps[usize::from(*square) % 25] = step;
        }
        let options = position.options();
        Self {
            steps,
            from: *position.side(seat).steps(),
            is_out: loses_early_throws(position, seat),
            ends_at: if position.may_go_in(seat) { FORTRESS } else { INSIDE },
            walls: if options.block_on_path { position.enemies(seat) } else { 0 },
            path,
        }
    }

    /// The probability that a piece lands on a square that is not safe.
    pub fn chance(&self, odds: &Odds, square: u8) -> f32 {
        let to = self.steps[usize::from(square) % 25];
        if SAFE >> square & 1 == 1 || to >= self.ends_at {
            return 0.0;
        }
        let mut not_hit = 1.0;
        let mut before = None;
        for from in self.from {
            // A second piece in hand would need a second 1.
            let again = from == HAND && before == Some(HAND);
            if !again && from < to && (self.walls == 0 || self.is_free(from, to)) {
                not_hit *= 1.0 - odds.of(from, to, self.is_out);
            }
            before = Some(from);
        }
        1.0 - not_hit
    }

    fn is_free(&self, from: i8, to: i8) -> bool {
        let mut between = (from + 1..to).filter_map(|step| square_of(self.path, step));
        between.all(|square| self.walls >> square & 1 == 0)
    }
}
