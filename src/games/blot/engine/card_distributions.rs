//! Deals hidden cards to three hands at random, every possible way with the same probability.

use super::super::card::each;
use crate::rules::Entropy;
use crate::search::SeededRng;

/// Three hands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share(pub [u32; 3]);

/// All ways to deal cards under conditions, grouped by how many cards of which class each hand
/// gets.
#[derive(Default)]
pub(super) struct Shares {
    plans: Vec<SharePlan>,
    splits: Vec<Split>,
    total: f64,
}

/// The cards of one set of conditions, by possible owners: class 3 means the first and the second
/// hand, 5 the first and the third, 6 the second and the third, 7 all.
struct SharePlan {
    sure: [u32; 3],
    classes: [u32; 8],
}

/// How many cards of each class the first owner gets; for class 7 also how many the second gets.
struct Split {
    /// Number of ways up to and including this split.
    upto: f64,
    plan: u32,
    first: [u8; 8],
    second: u8,
}

impl Shares {
    /// Whether no way is possible.
    pub fn is_empty(&self) -> bool {
        self.splits.is_empty()
    }

    /// Adds all ways to deal these cards to three seats. For each seat: its number of cards, the
    /// cards that it must hold and the cards that it cannot hold.
    pub fn add(&mut self, cards: u32, seats: [(u32, u32, u32); 3]) {
        let mut sure = [0; 3];
        let mut classes = [0u32; 8];
        for card in each(cards) {
            let bit = card.bit();
            let must = (0..3).filter(|at| seats[*at].1 & bit != 0);
            let must = must.fold(0, |mask, at| mask | 1usize << at);
            let may = (0..3).filter(|at| seats[*at].2 & bit == 0);
            let may = may.fold(0, |mask, at| mask | 1usize << at);
            match if must == 0 { may } else { must & may } {
                0 => return,
                1 => sure[0] |= bit,
                2 => sure[1] |= bit,
                4 => sure[2] |= bit,
                _ if must != 0 => return,
                class => classes[class] |= bit,
            }
        }
        let rooms = [0, 1, 2].map(|at| seats[at].0.checked_sub(sure[at].count_ones()));
        let [Some(a), Some(b), Some(c)] = rooms else { return };
        if a + b + c != classes.iter().map(|class| class.count_ones()).sum::<u32>() {
            return;
        }
        let plan = u32::try_from(self.plans.len()).unwrap_or(0);
        self.plans.push(SharePlan { sure, classes });
        self.count(plan, [a, b], classes.map(|class| class.count_ones()));
    }

    /// Counts the ways of one plan, split by split.
    fn count(&mut self, plan: u32, rooms: [u32; 2], sizes: [u32; 8]) {
        for ab in 0..=sizes[3].min(rooms[0]) {
            for ac in 0..=sizes[5].min(rooms[0] - ab) {
                let a = rooms[0] - ab - ac;
                if a > sizes[7] {
                    continue;
                }
                for bc in 0..=sizes[6].min(rooms[1]) {
                    let Some(b) = rooms[1].checked_sub(bc + sizes[3] - ab) else { continue };
                    if a + b > sizes[7] {
                        continue;
                    }
                    let ways = choose(sizes[3], ab)
                        * choose(sizes[5], ac)
                        * choose(sizes[6], bc)
                        * choose(sizes[7], a)
                        * choose(sizes[7] - a, b);
                    self.total += ways;
                    let mut first = [0; 8];
                    first[3] = ab as u8;
                    first[5] = ac as u8;
                    first[6] = bc as u8;
                    first[7] = a as u8;
                    self.splits.push(Split { upto: self.total, plan, first, second: b as u8 });
                }
            }
        }
    }

    /// Draws one of all ways, all equally likely. There must be one.
    pub fn draw(&self, rng: &mut SeededRng) -> Share {
        let unit = (rng.bits() >> 11) as f64 / (1u64 << 53) as f64;
        let place = unit * self.total;
        let at = self.splits.partition_point(|split| split.upto <= place);
        let Some(split) = self.splits.get(at).or(self.splits.last()) else { return Share([0; 3]) };
        let plan = &self.plans[split.plan as usize];
        let mut hands = plan.sure;
        for (class, owners) in [(3, [0, 1]), (5, [0, 2]), (6, [1, 2])] {
            let cards = plan.classes[class];
            if cards != 0 {
                let first = draw_cards(cards, split.first[class].into(), rng);
                hands[owners[0]] |= first;
                hands[owners[1]] |= cards & !first;
            }
        }
        let first = draw_cards(plan.classes[7], split.first[7].into(), rng);
        let second = draw_cards(plan.classes[7] & !first, split.second.into(), rng);
        hands[0] |= first;
        hands[1] |= second;
        hands[2] |= plan.classes[7] & !first & !second;
        Share(hands)
    }
}

/// Draws `count` cards of a set at random.
fn draw_cards(cards: u32, count: u32, rng: &mut SeededRng) -> u32 {
    let size = cards.count_ones();
    // Draws the smaller part.
    if 2 * count > size {
        return cards & !draw_cards(cards, size - count, rng);
    }
    let mut list = [0u8; 32];
    let mut rest = cards;
    for entry in list.iter_mut().take(size as usize) {
        *entry = (rest.trailing_zeros() & 31) as u8;
        rest &= rest.wrapping_sub(1);
    }
    let mut chosen = 0;
    for n in 0..count {
        let at = n + rng.below(size - n);
        list.swap((n & 31) as usize, (at & 31) as usize);
        chosen |= 1 << list[(n & 31) as usize];
    }
    chosen
}

/// Binomial coefficients up to 24; hidden cards never exceed that.
fn choose(n: u32, k: u32) -> f64 {
    const TABLE: [[f64; 25]; 25] = {
        let mut table = [[0.0; 25]; 25];
        let mut n = 0;
        while n < 25 {
            table[n][0] = 1.0;
            let mut k = 1;
            while k <= n {
                table[n][k] = table[n - 1][k - 1] + if k < n { table[n - 1][k] } else { 0.0 };
                k += 1;
            }
            n += 1;
        }
        table
    };
    if k > n { 0.0 } else { TABLE[n.min(24) as usize][k.min(24) as usize] }
}
