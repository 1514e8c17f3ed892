//! The throws that can be left in a turn, as places of an array, with the probability of every
//! series.
//!
//! A series has some ones, some fours and eights, and a 2 or 3 at its end. The order does not
//! matter once lost throws are dropped. A place is: what is left of the end (nothing, a 2, a 3),
//! the eights, the fours, the ones, the last ones innermost. So the use of a throw moves a whole
//! array by a fixed distance, which the compiler turns into a few instructions. A place before each
//! run of ones, and a run before each group of fours, which no throws have, take what moves out of
//! the run or group before.
//!
//! Surplus throws beyond the size of the lattice do not count ([`ThrowLattice::neglected`]).

/// A value of a place.
pub trait PlaceValue: Copy + PartialOrd + Send + 'static {
    /// The value of a place that is not computed yet: below every other.
    const LOWEST: Self;
    /// Rounds a value that is not negative.
    fn from_value(value: f32) -> Self;
    /// The rounded value.
    fn to_value(self) -> f32;
}

/// As it is.
impl PlaceValue for f32 {
    const LOWEST: Self = -1.0;

    fn from_value(value: f32) -> Self {
        value
    }

    fn to_value(self) -> f32 {
        self
    }
}

/// A chance from 0 to 1 in half the memory and time.
impl PlaceValue for i16 {
    const LOWEST: Self = i16::MIN;

    fn from_value(value: f32) -> Self {
        ((value * 2.0 - 1.0) * f32::from(i16::MAX)).round() as i16
    }

    fn to_value(self) -> f32 {
        f32::from(self) * (0.5 / f32::from(i16::MAX)) + 0.5
    }
}

/// More throws than this are never followed: the chance of so many is below 1e-170.
const LONGEST: usize = 400;

/// The size of a lattice, and the probabilities of its places.
pub struct ThrowLattice {
    /// The most fours, and the most eights.
    others: usize,
    /// Length of a run of ones: none, one … the most, and the place before.
    run: usize,
    /// Probabilities for a player with a piece on the board.
    on_board: Vec<f32>,
    /// Probabilities for a player with all pieces in hand: throws before the first 1 are lost.
    in_hand: Vec<f32>,
    neglected: f64,
}

impl ThrowLattice {
    /// A lattice for this many ones, and this many fours and eights each.
    pub fn new(ones: usize, others: usize) -> Self {
        let empty = Self {
            others,
            run: ones + 2,
            on_board: Vec::new(),
            in_hand: Vec::new(),
            neglected: 0.0,
        };
        let (on_board, neglected) = empty.probabilities(0);
        let (after_one, _) = empty.probabilities(1);
        // A 1 comes before a 2 or 3 with this probability.
        let one_comes = 4.0 / 14.0;
        let mut in_hand: Vec<f32> = after_one.iter().map(|it| (it * one_comes) as f32).collect();
        in_hand[empty.place(0, 0, 0, 0)] = (1.0 - one_comes) as f32;
        let on_board = on_board.into_iter().map(|it| it as f32).collect();
        Self { on_board, in_hand, neglected, ..empty }
    }

    /// Number of places.
    pub fn len(&self) -> usize {
        3 * self.third()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.run == 0
    }

    /// Number of places with the same end.
    fn third(&self) -> usize {
        (self.others + 1) * self.group()
    }

    /// Number of places with the same end and eights.
    fn group(&self) -> usize {
        (self.others + 2) * self.run
    }

    /// The place with this end (0 nothing, 1 a 2, 2 a 3), fours, eights and ones.
    fn place(&self, end: usize, fours: usize, eights: usize, ones: usize) -> usize {
        end * self.third() + eights * self.group() + (1 + fours) * self.run + 1 + ones
    }

    /// The probability that a series has surplus throws.
    pub fn neglected(&self) -> f64 {
        self.neglected
    }

    /// The probabilities of all places after this many ones, and that of surplus throws.
    fn probabilities(&self, first_ones: usize) -> (Vec<f64>, f64) {
        let most_ones = self.run - 2;
        let mut found = vec![0.0; self.len()];
        // For open series: the probability, and that without surplus throws.
        let mut open = vec![[0.0f64; 2]; self.third()];
        open[self.place(0, 0, 0, first_ones.min(most_ones))] = [1.0; 2];
        let mut exact = 0.0;
        for _ in 0..LONGEST {
            let mut more = vec![[0.0f64; 2]; self.third()];
            for fours in 0..=self.others {
                for eights in 0..=self.others {
                    for ones in 0..=most_ones {
                        let [any, fitting] = open[self.place(0, fours, eights, ones)];
                        found[self.place(1, fours, eights, ones)] += any * 6.0 / 16.0;
                        found[self.place(2, fours, eights, ones)] += any * 4.0 / 16.0;
                        exact += fitting * 10.0 / 16.0;
                        let mut add = |fits: bool, to: usize, chance: f64| {
                            more[to][0] += any * chance;
                            more[to][1] += if fits { fitting * chance } else { 0.0 };
                        };
                        let fits = ones < most_ones;
                        let to = self.place(0, fours, eights, ones + usize::from(fits));
                        add(fits, to, 4.0 / 16.0);
                        let fits = fours < self.others;
                        let to = self.place(0, fours + usize::from(fits), eights, ones);
                        add(fits, to, 1.0 / 16.0);
                        let fits = eights < self.others;
                        let to = self.place(0, fours, eights + usize::from(fits), ones);
                        add(fits, to, 1.0 / 16.0);
                    }
                }
            }
            open = more;
        }
        (found, (1.0 - exact).max(0.0))
    }

    /// Raises the values of a point to those of the point after one use of this throw.
    pub fn raise_by_use<T: PlaceValue>(&self, throw: u8, values: &mut [T], after: &[T]) {
        let third = self.third();
        let group = self.group();
        let run = self.run;
        match throw {
            1 => raise(&mut values[1..], &after[..after.len() - 1]),
            2 => raise(&mut values[third..2 * third], &after[..third]),
            3 => raise(&mut values[2 * third..], &after[..third]),
            4 => raise(&mut values[run..], &after[..after.len() - run]),
            _ => {
                let ends = values.chunks_exact_mut(third).zip(after.chunks_exact(third));
                ends.for_each(|(values, after)| {
                    raise(&mut values[group..], &after[..third - group])
                });
            }
        }
    }

    /// Completes the values of a point: where no use of any throw was possible, the turn ends.
    pub fn complete<T: PlaceValue>(&self, values: &mut [T], at_end: f32) {
        let at_end = T::from_value(at_end);
        for value in values.iter_mut() {
            *value = if *value > T::LOWEST { *value } else { at_end };
        }
        for before in values.iter_mut().step_by(self.run) {
            *before = T::LOWEST;
        }
        for group in values.chunks_exact_mut(self.group()) {
            group[..self.run].fill(T::LOWEST);
        }
    }

    /// The expectation over all series.
    pub fn expectation<T: PlaceValue>(&self, values: &[T], is_in_hand: bool) -> f32 {
        let chances = if is_in_hand { &self.in_hand } else { &self.on_board };
        // In eight lanes: fast, and the same on every machine.
        let mut lanes = [0.0f64; 8];
        let chances = chances.chunks(8);
        let values = values.chunks(8);
        for (chances, values) in chances.zip(values) {
            for (lane, (chance, value)) in lanes.iter_mut().zip(chances.iter().zip(values)) {
                *lane += f64::from(chance * value.to_value());
            }
        }
        lanes.iter().sum::<f64>() as f32
    }
}

fn raise<T: PlaceValue>(values: &mut [T], to: &[T]) {
    for (value, to) in values.iter_mut().zip(to) {
        *value = if *to > *value { *to } else { *value };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_those_of_four_coins() {
        let lattice = ThrowLattice::new(10, 4);
        let all = |list: &[f32]| list.iter().map(|it| f64::from(*it)).sum::<f64>();
        assert!((all(&lattice.on_board) - 1.0).abs() < 1e-6);
        assert!((all(&lattice.in_hand) - 1.0).abs() < 1e-6);
        let at = |list: &[f32], place: usize| f64::from(list[place]);
        // A single 2; 1, 1, 4 in any order and a 3.
        assert!((at(&lattice.on_board, lattice.place(1, 0, 0, 0)) - 0.375).abs() < 1e-6);
        let three_orders = 3.0 / (4.0 * 4.0 * 16.0) / 4.0;
        assert!((at(&lattice.on_board, lattice.place(2, 1, 0, 2)) - three_orders).abs() < 1e-8);
        // Without a 1 nothing is left (5/7); a 1 and a 2 come after any lost throws (8/7).
        assert!((at(&lattice.in_hand, lattice.place(0, 0, 0, 0)) - 5.0 / 7.0).abs() < 1e-6);
        let one_two = 8.0 / 7.0 / 4.0 * 6.0 / 16.0;
        assert!((at(&lattice.in_hand, lattice.place(1, 0, 0, 1)) - one_two).abs() < 1e-6);
        assert!(lattice.neglected > 1.2e-5 && lattice.neglected < 1.5e-5, "{}", lattice.neglected);
        assert!(ThrowLattice::new(20, 12).neglected() < 1e-9);
    }

    #[test]
    fn chances_keep_sixteen_bits() {
        for n in 0..=1_000u16 {
            let value = f32::from(n) / 1_000.0;
            let rounded = i16::from_value(value);
            assert!((rounded.to_value() - value).abs() < 8e-6 && rounded > i16::LOWEST, "{value}");
        }
    }

    #[test]
    fn a_use_takes_one_throw_away() {
        let lattice = ThrowLattice::new(3, 2);
        // After the use, every place has its own number.
        let mut after = vec![f32::LOWEST; lattice.len()];
        let mut values = after.clone();
        (0..lattice.len()).for_each(|place| after[place] = place as f32);
        after.iter_mut().step_by(lattice.run).for_each(|it| *it = f32::LOWEST);
        let groups = after.chunks_exact_mut(lattice.group());
        groups.for_each(|group| group[..lattice.run].fill(f32::LOWEST));
        for throw in [1, 2, 3, 4, 8] {
            values.fill(f32::LOWEST);
            lattice.raise_by_use(throw, &mut values, &after);
            lattice.complete(&mut values, 1_000.0);
            for end in 0..3 {
                for (fours, eights, ones) in [(0, 0, 0), (1, 0, 2), (0, 1, 1), (1, 1, 3), (0, 2, 0)]
                {
                    let before = match throw {
                        1 if ones > 0 => Some(lattice.place(end, fours, eights, ones - 1)),
                        2 if end == 1 => Some(lattice.place(0, fours, eights, ones)),
                        3 if end == 2 => Some(lattice.place(0, fours, eights, ones)),
                        4 if fours > 0 => Some(lattice.place(end, fours - 1, eights, ones)),
                        8 if eights > 0 => Some(lattice.place(end, fours, eights - 1, ones)),
                        _ => None,
                    };
                    let expected = before.map_or(1_000.0, |it| it as f32);
                    assert_eq!(values[lattice.place(end, fours, eights, ones)], expected);
                }
            }
        }
    }
}
