//! Solves the game of two exactly: every position in which each player has at most some number of
//! pieces outside the fortress.
//!
//! # Method
//!
//! The table has a row for every side of the player who waits and a column for every side of the
//! player who throws ([`sides`]); its values are the chances of the player who throws. By symmetry
//! one table serves both seats. A value is the mean over all series of throws of the best end of
//! the turn; the value of an end is 1 minus the chance of the other player, who throws next, which
//! is in another row. Value iteration ([`crate::solving`]) repeats this until nothing changes.
//!
//! Listing the ends of the turn for every position and series would take years. Instead, a row is
//! computed at once: for all sides of the player who throws, the furthest
//! first, and all throws that can be left ([`throw_lattice`]), the value is the largest after one
//! use of one throw, or that of the turn's end where no throw can be used. So every point of all
//! turns is visited once. A killed piece changes the row: a point has a value for every set of
//! squares on which enemies were killed in this turn, at most 16.
//!
//! # Limits
//!
//! Standard rules with any number of pieces; house rules that change nothing between two players
//! (`throw`, `clockwise`, `play_on`) do not matter. With `pieces=4` and `away=N` the table has the
//! ends of the whole game: all positions in which each player has at most N pieces outside the
//! fortress, which no turn leaves. Throws beyond `ones` ones, `others` fours and `others` eights in
//! a turn do not count: with the defaults 1.3 in 100,000 turns have one.
//!
//! # Error
//!
//! A value can be wrong by the change of the last sweep and by what the lattice leaves out, for
//! every turn that the game can still last. `--bound` computes the largest expected number of
//! turns, whatever the players do, by the same iteration, and prints the product. It is
//! pessimistic: most errors cancel, because they concern both players.
//!
//! # Files
//!
//! Two bytes a position: 249 kB for two pieces each, 252 kB for the ends of the whole game with two
//! pieces away, 21.5 MB with three (of either kind), 1.13 GB for the whole game. A run holds four
//! bytes a position in memory, and the points of a turn for each thread; the tool prints both.
//!
//! # Measured
//!
//! `caravanserai-tools solve thaayam --set pieces=N --set away=M --file FILE --threads 1`, on one
//! core of a virtual machine that was shared with other work, without special instructions of the
//! processor, until no value changed by 1e-6. The times of the last two rows are extrapolated from
//! some rows of the table; those two were not solved.
//!
//! | pieces, away | positions | sweeps | processor seconds a sweep | the player who begins wins |
//! | --- | --- | --- | --- | --- |
//! | 1, 1 | 729 | 53 | 0.005 | 52.40 % |
//! | 2, 2 | 124,609 | 69 | 0.6 | 51.23 % |
//! | 4, 2 | 126,025 | 87 | 0.7 | |
//! | 3, 3 | 10,751,841 | | 110 | |
//! | 4, 4 | 564,300,025 | | 21,100 (16 bits: 10,900; coarse: 5,400) | |
//!
//! With one piece each no position lasts more than 24 turns on average, and all errors are at most
//! 3.5e-4 by `--bound`. With two, a lattice of ten ones and of five fours and eights together gave
//! the same values within 1.5e-5, the rounding of the file.
//!
//! What players lose against perfect choices, in percent of a game a turn with a choice, along
//! games between perfect players (`--compare`), and the share of turns in which they choose worse:
//!
//! | pieces, away | networks: mean and largest error | learned | master | greedy |
//! | --- | --- | --- | --- | --- |
//! | 1, 1 | 1.2, 13.0 | 0.03 (1 %) | 0.01 (1 %) | 0.73 (8 %) |
//! | 2, 2 | 1.6, 17.3 | 0.23 (20 %) | 0.09 (12 %) | 0.59 (31 %) |
//! | 4, 2 | 1.0, 18.9 | 0.17 (18 %) | 0.06 (11 %) | 0.53 (31 %) |
//!
//! With two pieces each the perfect player wins 53.3 ± 0.3 % against greedy (10,000 games) and
//! 51.7 ± 0.4 % against master, which wins 52.4 ± 0.5 % against greedy (4,000 games each): the dice
//! leave little to gain. In the whole game, master with the ends of two pieces away won
//! 50.1 ± 0.4 % against master without (1,200 games with equal dice), so the file is not part of
//! the program.
//!
//! # The whole game
//!
//! Begin with a coarse lattice, and compile for the processor at hand, which changes no value:
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo build --release
//! caravanserai-tools solve thaayam --set ones=6 --set others=2 --set bits=16 --tolerance 1e-4 \
//!     --file coarse.solved
//! caravanserai-tools solve thaayam --set bits=16 --from coarse.solved --file whole.solved
//! ```
//!
//! With two pieces each the first run took 51 sweeps and was wrong by 0.0008 at most, 0.0002 on
//! average; the second took 10 sweeps and was wrong by 0.00015 at most, 0.00003 on average. The
//! same without `bits=16`, `--from` the second file, removes the rounding.
//!
//! About 80 coarse sweeps and 15 fine ones are expected for the whole game: 3.4 days on two cores
//! by the times above. In a benchmark of the innermost loops alone, `target-cpu=native` made coarse
//! sweeps three times and fine ones 1.4 times as fast, which would leave one and a half days; whole
//! sweeps were not measured with it. It needs 2.3 GB for the values, up to 0.2 GB for each thread
//! (0.4 GB with 32 bits), and on the disk twice the values for checkpoints.

mod comparison;
pub mod sides;
mod solution;
pub mod throw_lattice;

pub use self::solution::ThaayamSolution;

use self::comparison::compare_players;
use self::sides::SideSet;
use self::throw_lattice::{PlaceValue, ThrowLattice};
use crate::rules::Seat;
use crate::solving::{RowWorker, SolvedTable, ValueIteration};
use crate::thaayam::action::squares_of;
use crate::thaayam::board::{Colour, SAFE};
use crate::thaayam::options::ThaayamOptions;
use crate::thaayam::outcomes::TurnOutcome;
use crate::thaayam::position::{PlayerPieces, ThaayamPosition, square_of};
use crate::thaayam::turn::{THROWS, ThaayamTurn};

/// The amounts that choose what is solved: the pieces of each player, how many of them can be
/// outside the fortress, the most ones, fours and eights of a turn that count, and the bits of
/// the values within a turn: 32, or 16 for half the time and memory of a thread.
pub fn amounts() -> Vec<(&'static str, u64)> {
    vec![("pieces", 4), ("away", 4), ("ones", 10), ("others", 4), ("bits", 32)]
}

/// Prepares the iteration for these amounts.
///
/// # Errors
/// A sentence about a wrong amount.
pub fn prepare(amounts: &[u64]) -> Result<Box<dyn ValueIteration>, String> {
    let [pieces, away, ones, others, bits] = amounts else {
        return Err("five amounts are needed".to_owned());
    };
    let sides = read_sides(*pieces, *away)?;
    if !(1..=62).contains(ones) || !(1..=31).contains(others) {
        return Err("ones is from 1 to 62 and others from 1 to 31".to_owned());
    }
    let precision = match bits {
        32 => TurnPrecision::Bits32,
        16 => TurnPrecision::Bits16,
        _ => return Err("bits is 16 or 32".to_owned()),
    };
    let ones = *ones as usize;
    let others = *others as usize;
    Ok(Box::new(ThaayamIteration::new(sides, (ones, others), precision)))
}

/// The sides with these amounts.
fn read_sides(pieces: u64, away: u64) -> Result<(u8, u8), String> {
    if !(1..=4).contains(&pieces) || away > pieces {
        return Err("pieces is from 1 to 4, and away at most pieces".to_owned());
    }
    Ok((pieces as u8, away as u8))
}

/// The quantity that is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SolvedQuantity {
    /// The chance of the player who throws.
    Chance,
    /// The largest expected number of turns to the end, whatever the players do.
    Turns,
}

/// The precision of values within a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TurnPrecision {
    /// Nothing is rounded.
    Bits32,
    /// The chances at the end of a turn are rounded to 16 bits.
    Bits16,
}

/// One use of a throw by a side.
#[derive(Clone, Copy, Debug)]
struct SideUse {
    throw: u8,
    /// The number of the side after it.
    to: u16,
    /// The square on which it lands, if it can kill there.
    square: Option<u8>,
}

/// The table of one solution, and everything that does not change during the iteration.
pub struct ThaayamIteration {
    sides: SideSet,
    lattice: ThrowLattice,
    /// The possible uses of any throw, by side.
    uses: Vec<Vec<SideUse>>,
    /// No use leads to a side whose number is greater by this or more.
    window: usize,
    quantity: SolvedQuantity,
    precision: TurnPrecision,
    settings: ((u8, u8), (usize, usize)),
}

impl ThaayamIteration {
    /// The iteration for sides of this many pieces, of which so many are outside the fortress.
    fn new(
        (pieces, away): (u8, u8),
        (ones, others): (usize, usize),
        precision: TurnPrecision,
    ) -> Self {
        let sides = SideSet::new(pieces, away);
        let uses: Vec<Vec<SideUse>> = (0..sides.len()).map(|at| uses_of(&sides, at)).collect();
        let distance = |(at, uses): (usize, &Vec<SideUse>)| {
            uses.iter().map(|it| usize::from(it.to) - at).max().unwrap_or(0)
        };
        let window = uses.iter().enumerate().map(distance).max().unwrap_or(0) + 1;
        Self {
            sides,
            lattice: ThrowLattice::new(ones, others),
            uses,
            window,
            quantity: SolvedQuantity::Chance,
            precision,
            settings: ((pieces, away), (ones, others)),
        }
    }

    /// The squares on which a waiting side can be hit, and its number for every set of squares
    /// that were hit: bit `n` is square `n` of the list.
    fn hit_sides(&self, row: usize) -> (Vec<u8>, Vec<usize>) {
        let side = *self.sides.side(row);
        let before = position_of(&self.sides, *self.sides.side(0), side);
        let enemies = before.enemies(Seat(0));
        let squares: Vec<u8> = squares_of(enemies).collect();
        let rank_after = |set: usize| {
            let hit = squares.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
            let hits = hit.fold(0u32, |hits, (_, square)| hits | 1 << square);
            let own = *before.side(Seat(0));
            let after = TurnOutcome { own, hits }.applied(&before, Seat(0));
            self.sides.rank(after.side(Seat(1))).expect("a killed piece was outside the fortress")
        };
        let ranks = (0..1usize << squares.len()).map(rank_after).collect();
        (squares, ranks)
    }
}

/// A position of two with these sides; the first throws.
fn position_of(sides: &SideSet, own: PlayerPieces, other: PlayerPieces) -> ThaayamPosition {
    let options = ThaayamOptions { pieces: sides.pieces(), ..ThaayamOptions::default() };
    let start = ThaayamPosition::start(options, 2).expect("two seats can play by these rules");
    start.with_side(Seat(0), own).with_side(Seat(1), other)
}

/// The possible uses of one throw by a side, by the rules of a turn.
fn uses_of(sides: &SideSet, rank: usize) -> Vec<SideUse> {
    let position = position_of(sides, *sides.side(rank), PlayerPieces::in_hand(sides.pieces()));
    let path = Colour::White.path();
    let mut uses = Vec::new();
    if position.side(Seat(0)).is_off() {
        return uses;
    }
    for throw in THROWS {
        let turn = ThaayamTurn::new(&position, Seat(0), &[throw]);
        for play in turn.plays().as_slice() {
            let (Some(after), Some(step)) = (turn.after(*play), turn.target(*play)) else {
                continue;
            };
            let to = sides.rank(after.own()).expect("no turn leaves the set of sides");
            let square = square_of(path, step).filter(|square| SAFE >> square & 1 == 0);
            uses.push(SideUse { throw, to: u16::try_from(to).unwrap_or(u16::MAX), square });
        }
    }
    uses
}

impl ValueIteration for ThaayamIteration {
    fn size(&self) -> usize {
        self.sides.len()
    }

    fn first_value(&self) -> f32 {
        match self.quantity {
            SolvedQuantity::Chance => 0.5,
            SolvedQuantity::Turns => 0.0,
        }
    }

    /// The furthest side first: most turns lead to rows that were updated before.
    fn row_at(&self, place: usize) -> usize {
        self.sides.len() - 1 - place
    }

    fn worker(&self) -> Box<dyn RowWorker + '_> {
        match self.precision {
            TurnPrecision::Bits32 => Box::new(ThaayamRowWorker::<f32>::new(self)),
            TurnPrecision::Bits16 => Box::new(ThaayamRowWorker::<i16>::new(self)),
        }
    }

    fn worker_bytes(&self) -> usize {
        let sets = 1usize << self.settings.0.1;
        let bytes = match self.precision {
            TurnPrecision::Bits32 => size_of::<f32>(),
            TurnPrecision::Bits16 => size_of::<i16>(),
        };
        self.window * self.lattice.len() * sets * bytes
    }

    fn neglected(&self) -> f64 {
        let rounding = match self.precision {
            TurnPrecision::Bits32 => 0.0,
            TurnPrecision::Bits16 => 0.25 / f64::from(i16::MAX),
        };
        self.lattice.neglected() + rounding
    }

    fn least_change(&self) -> f32 {
        match self.precision {
            TurnPrecision::Bits32 => 2e-7,
            TurnPrecision::Bits16 => 5e-5,
        }
    }

    fn longest(&self) -> Box<dyn ValueIteration> {
        let (sides, throws) = self.settings;
        let quantity = SolvedQuantity::Turns;
        Box::new(Self { quantity, ..Self::new(sides, throws, TurnPrecision::Bits32) })
    }

    fn value_of_game(&self, values: &SolvedTable) -> Option<String> {
        let start = self.sides.rank(&PlayerPieces::in_hand(self.sides.pieces()))?;
        let chance = values.values.value(start, start)?;
        Some(format!("the player who begins wins {:.3} %", 100.0 * chance))
    }

    fn compare_players(&self, values: &SolvedTable) -> Vec<String> {
        ThaayamSolution::new(values).map_or_else(|why| vec![why], |it| compare_players(&it))
    }
}

/// Computes rows of the table.
struct ThaayamRowWorker<'a, T> {
    iteration: &'a ThaayamIteration,
    /// The values of the points of a turn: by the side of the player who throws, modulo the window;
    /// then by the set of squares that were hit, and the throws that are left.
    points: Vec<Vec<T>>,
}

impl<'a, T: PlaceValue> ThaayamRowWorker<'a, T> {
    fn new(iteration: &'a ThaayamIteration) -> Self {
        Self { iteration, points: vec![Vec::new(); iteration.window] }
    }
}

impl<T: PlaceValue> RowWorker for ThaayamRowWorker<'_, T> {
    fn update_row(&mut self, values: &[f32], row: usize, new: &mut [f32]) {
        let ThaayamIteration { sides, lattice, uses, window, quantity, .. } = self.iteration;
        if sides.side(row).is_off() {
            // The other player has won.
            new.fill(0.0);
            return;
        }
        let (squares, hit_rows) = self.iteration.hit_sides(row);
        let sets = hit_rows.len();
        let length = lattice.len();
        let mut bit_of = [0usize; 25];
        for (bit, square) in squares.iter().enumerate() {
            bit_of[usize::from(*square)] = 1 << bit;
        }
        let needed = steps_needed(&squares, sets);
        for own in (0..sides.len()).rev() {
            let mut points = std::mem::take(&mut self.points[own % window]);
            points.resize(sets * length, T::LOWEST);
            for (set, point) in points.chunks_exact_mut(length).enumerate() {
                // Without a piece so far ahead, these squares cannot have been hit.
                if sides.foremost(own) < needed[set] {
                    continue;
                }
                point.fill(T::LOWEST);
                for SideUse { throw, to, square } in &uses[own] {
                    let to = usize::from(*to);
                    let set = set | square.map_or(0, |it| bit_of[usize::from(it)]);
                    let after = &self.points[to % window][set * length..(set + 1) * length];
                    lattice.raise_by_use(*throw, point, after);
                }
                let theirs = values[own * sides.len() + hit_rows[set]];
                let at_end = match quantity {
                    SolvedQuantity::Chance => 1.0 - theirs,
                    SolvedQuantity::Turns => 1.0 + theirs,
                };
                lattice.complete(point, at_end);
            }
            new[own] = match sides.side(own) {
                side if side.is_off() => 0.0,
                side => lattice.expectation(&points[..length], side.is_in_hand()),
            };
            self.points[own % window] = points;
        }
    }
}

/// For every set of squares, the step that the foremost piece of a side that hit them all has at
/// least.
fn steps_needed(squares: &[u8], sets: usize) -> Vec<i8> {
    let step = |square: &u8| Colour::White.step_of(*square).unwrap_or(i8::MIN);
    let of_set = |set: usize| {
        let hit = squares.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
        hit.map(|(_, square)| step(square)).max().unwrap_or(i8::MIN)
    };
    (0..sets).map(of_set).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::{Arc, LazyLock};

    use super::*;
    use crate::rules::Entropy;
    use crate::search::SeededRng;
    use crate::solving::{SolvingState, ValuesInMemory, error_bound, to_16_bits};
    use crate::thaayam::engine::seats::TurnStart;

    /// Solves the positions of these amounts; throws beyond these do not count.
    fn solved(
        sides: (u8, u8),
        throws: (usize, usize),
        tolerance: f32,
    ) -> (ThaayamIteration, SolvingState) {
        let iteration = ThaayamIteration::new(sides, throws, TurnPrecision::Bits32);
        let mut state = SolvingState::new(&iteration);
        state.solve(&iteration, tolerance);
        (iteration, state)
    }

    /// All series that begin with these throws, without regard to order, and their probabilities by
    /// plain multiplication. More ones, fours or eights than these do not count.
    fn all_series(first: &[u8], (ones, others): (usize, usize)) -> Vec<(Vec<u8>, f64)> {
        let mut open = BTreeMap::from([(first.to_vec(), 1.0f64)]);
        let mut found: BTreeMap<Vec<u8>, f64> = BTreeMap::new();
        for _ in 0..18 {
            let mut more: BTreeMap<Vec<u8>, f64> = BTreeMap::new();
            for (throws, chance) in open {
                for (throw, sixteenths) in [(1u8, 4.0), (2, 6.0), (3, 4.0), (4, 1.0), (8, 1.0)] {
                    let mut next = throws.clone();
                    next.push(throw);
                    next.sort_unstable();
                    let count = |of: u8| next.iter().filter(|it| **it == of).count();
                    if count(1) > ones || count(4) > others || count(8) > others {
                        next = throws.clone();
                    }
                    let list = if matches!(throw, 2 | 3) { &mut found } else { &mut more };
                    *list.entry(next).or_default() += chance * sixteenths / 16.0;
                }
            }
            open = more;
        }
        found.into_iter().collect()
    }

    /// Turns with one piece each, written for this test alone from the text of the rules. Steps are
    /// the mover's; −1 is in hand, 24 the fortress, 25 off.
    mod one_piece {
        use std::collections::BTreeSet;

        /// The mover's step for the square on which the other player's piece stands: that player's
        /// path is half a turn further.
        fn facing(step: i8) -> i8 {
            match step {
                0..=15 => (step + 8) % 16,
                16..=23 => 16 + (step - 16 + 4) % 8,
                other => other,
            }
        }

        /// All ends of a turn: the mover's step and whether the other piece was killed.
        pub fn ends(own: i8, other: i8, throws: &[u8]) -> BTreeSet<(i8, bool)> {
            let mut found = BTreeSet::new();
            let mut open = vec![(own, false, throws.to_vec())];
            let mut seen = BTreeSet::new();
            while let Some((own, killed, throws)) = open.pop() {
                let mut has_played = false;
                for (at, throw) in throws.iter().enumerate() {
                    let to = match (own, *throw as i8) {
                        (-1, 1) => 0,
                        (24, 1) => 25,
                        (0..=23, throw) if own + throw <= 24 => own + throw,
                        _ => continue,
                    };
                    has_played = true;
                    let is_safe = matches!(to, 0 | 4 | 8 | 12 | 24 | 25);
                    let hits = !is_safe && (0..24).contains(&other) && facing(other) == to;
                    let rest = [&throws[..at], &throws[at + 1..]].concat();
                    let next = (to, killed || hits, rest);
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
                if !has_played {
                    found.insert((own, killed));
                }
            }
            found
        }
    }

    #[test]
    fn with_one_piece_each_every_value_satisfies_the_equation() {
        let throws = (7, 3);
        let (iteration, state) = solved((1, 1), throws, 1e-7);
        let sides = &iteration.sides;
        let size = sides.len();
        assert_eq!(size, 27);
        let rank = |step: i8| sides.rank(&PlayerPieces::new(&[step]).unwrap()).unwrap();
        let value = |own: i8, other: i8| f64::from(state.values[rank(other) * size + rank(own)]);
        let on_board = all_series(&[], throws);
        // Throws before the first 1 are lost; with 5/7 all are.
        let in_hand = all_series(&[1], throws);
        for own in -1..=24i8 {
            for other in -1..=24i8 {
                let list = if own == -1 { &in_hand } else { &on_board };
                let mut sum = 0.0;
                let mut all = 0.0;
                for (throws, chance) in list {
                    let found = one_piece::ends(own, other, throws);
                    let after = |(own, killed): &(i8, bool)| match (*own, *killed) {
                        (25, _) => 1.0,
                        (own, true) => 1.0 - value(-1, own),
                        (own, false) => 1.0 - value(other, own),
                    };
                    sum += chance * found.iter().map(after).fold(0.0, f64::max);
                    all += chance;
                }
                let expected = match own {
                    -1 => sum / all * 2.0 / 7.0 + (1.0 - value(other, -1)) * 5.0 / 7.0,
                    _ => sum / all,
                };
                let found = value(own, other);
                assert!((found - expected).abs() < 1e-6, "{own} {other}: {found} {expected}");
            }
        }
        // The last step needs a single 1 (2/7): a race of equal chances for who throws first.
        let race = (2.0 / 7.0) / (1.0 - (5.0f64 / 7.0).powi(2));
        assert!((value(24, 24) - race).abs() < 1e-5);
    }

    /// The value of a position by the outcomes of whole turns, from the other values.
    fn by_outcomes(
        iteration: &ThaayamIteration,
        state: &SolvingState,
        own: usize,
        row: usize,
    ) -> f64 {
        let sides = &iteration.sides;
        let position = position_of(sides, *sides.side(own), *sides.side(row));
        let value = |end: &TurnOutcome| {
            let after = TurnStart::after(&position, Seat(0), end);
            if after.is_won {
                return 1.0;
            }
            let [own, other] = [0, 1].map(|it| sides.rank(after.position.side(Seat(it))).unwrap());
            1.0 - f64::from(state.values[own * sides.len() + other])
        };
        let best = |throws: &[u8]| {
            let turn = ThaayamTurn::new(&position, Seat(0), throws);
            turn.outcomes(usize::MAX).iter().map(value).fold(0.0, f64::max)
        };
        let is_in_hand = sides.side(own).steps().iter().all(|it| matches!(*it, -1 | 25));
        let list = all_series(if is_in_hand { &[1] } else { &[] }, iteration.settings.1);
        let sum: f64 = list.iter().map(|(throws, chance)| chance * best(throws)).sum();
        let mean = sum / list.iter().map(|it| it.1).sum::<f64>();
        if is_in_hand { mean * 2.0 / 7.0 + best(&[2]) * 5.0 / 7.0 } else { mean }
    }

    /// Games with two pieces each, solved once for the tests that need the whole solution.
    static TWO_PIECES: LazyLock<(ThaayamIteration, SolvingState)> =
        LazyLock::new(|| solved((2, 2), (4, 2), 1e-6));

    #[test]
    fn with_two_pieces_each_sampled_positions_satisfy_the_equation() {
        let (iteration, state) = &*TWO_PIECES;
        let mut rng = SeededRng::new(2);
        let size = iteration.sides.len();
        for _ in 0..200 {
            let [own, row] = [0; 2].map(|_| rng.below(size as u32 - 1) as usize);
            let expected = by_outcomes(iteration, state, own, row);
            let found = f64::from(state.values[row * size + own]);
            assert!((found - expected).abs() < 3e-6, "{own} {row}: {found} {expected}");
        }
    }

    /// Checks the equation in updates of sampled rows. It says how a row follows from the others
    /// with any values, so that no whole solution is needed, which takes long.
    fn check_updates(sides: (u8, u8), throws: (usize, usize)) {
        let iteration = ThaayamIteration::new(sides, throws, TurnPrecision::Bits32);
        let size = iteration.sides.len();
        let mut rng = SeededRng::new(u64::from(sides.0));
        let mut state = SolvingState::new(&iteration);
        state.values.fill_with(|| rng.below(1_000) as f32 / 1_000.0);
        let off = size - 1;
        state.values[off * size..].fill(0.0);
        let mut worker = iteration.worker();
        let mut new = vec![0.0; size];
        for _ in 0..4 {
            let row = rng.below(size as u32 - 1) as usize;
            worker.update_row(&state.values, row, &mut new);
            for _ in 0..8 {
                let own = rng.below(size as u32 - 1) as usize;
                let expected = by_outcomes(&iteration, &state, own, row);
                let found = f64::from(new[own]);
                assert!((found - expected).abs() < 2e-6, "{own} {row}: {found} {expected}");
            }
        }
    }

    #[test]
    fn with_three_pieces_each_an_update_satisfies_the_equation() {
        check_updates((3, 3), (3, 2));
    }

    #[test]
    fn at_the_end_of_the_whole_game_an_update_satisfies_the_equation() {
        check_updates((4, 2), (4, 2));
    }

    #[test]
    fn sixteen_bits_within_a_turn_give_nearly_the_same_values() {
        let solve = |precision| {
            let iteration = ThaayamIteration::new((2, 1), (4, 2), precision);
            let mut state = SolvingState::new(&iteration);
            state.solve(&iteration, 1e-5);
            state.values
        };
        let [exact, rounded] = [TurnPrecision::Bits32, TurnPrecision::Bits16].map(solve);
        assert!(exact.iter().zip(&rounded).all(|(a, b)| (a - b).abs() < 1e-4));
    }

    #[test]
    fn the_solution_is_the_same_from_both_seats() {
        let (iteration, state) = &*TWO_PIECES;
        let values = state.values.iter().map(|it| to_16_bits(*it)).collect();
        let size = iteration.size();
        let table =
            SolvedTable { amounts: vec![2, 2], values: Arc::new(ValuesInMemory { size, values }) };
        let solution = ThaayamSolution::new(&table).unwrap();
        let mut rng = SeededRng::new(1);
        for _ in 0..200 {
            let [a, b] = [0; 2].map(|_| *iteration.sides.side(rng.below(352) as usize));
            let chances = |position, next| {
                solution.chances(&TurnStart { position, next, is_won: false }).unwrap()
            };
            let [first, second, ..] = chances(position_of(&iteration.sides, a, b), Seat(0));
            let [other, own, ..] = chances(position_of(&iteration.sides, b, a), Seat(1));
            assert_eq!((first, second), (own, other));
            assert!((first + second - 1.0).abs() < 1e-6);
        }
        let start = PlayerPieces::in_hand(2);
        let first = solution.chances(&TurnStart {
            position: position_of(&iteration.sides, start, start),
            next: Seat(0),
            is_won: false,
        });
        assert!(first.unwrap()[0] > 0.5, "to begin is an advantage");
    }

    #[test]
    fn only_positions_of_standard_rules_are_covered() {
        let values = Arc::new(ValuesInMemory { size: 27, values: vec![0; 27 * 27] });
        let solution = ThaayamSolution::new(&SolvedTable { amounts: vec![1, 1], values }).unwrap();
        let covers = |options: &str, seats: u8| {
            let options = crate::rules::Token::read(options).unwrap();
            solution.covers(&ThaayamPosition::start(options, seats).unwrap())
        };
        assert!(covers("pieces=1", 2) && covers("pieces=1,throw=auto,clockwise=yes", 2));
        assert!(
            !covers("pieces=1", 3) && !covers("standard", 2) && !covers("pieces=1,exact=no", 2)
        );
    }

    #[test]
    fn the_error_is_bounded_by_the_longest_games() {
        let (iteration, state) = solved((1, 1), (10, 4), 1e-6);
        let longest = iteration.longest();
        let mut turns = SolvingState::new(&*longest);
        turns.solve(&*longest, 1e-3);
        let most = turns.values.iter().copied().fold(0.0, f32::max);
        // A piece alone needs three and a half turns each to enter and to be borne off.
        assert!(most > 15.0 && most < 40.0, "{most}");
        let bound = error_bound(&iteration, &state, &turns).unwrap();
        assert!(bound > 0.0 && bound < 0.01, "{bound}");
    }

    #[test]
    fn wrong_amounts_are_refused() {
        for wrong in [[5, 1, 10, 5, 32], [2, 3, 10, 5, 32], [2, 2, 0, 5, 32], [2, 2, 9, 5, 8]] {
            assert!(prepare(&wrong).is_err(), "{wrong:?}");
        }
        assert!(prepare(&[2]).is_err());
        assert!(prepare(&[1, 1, 10, 5, 32]).is_ok());
    }
}
