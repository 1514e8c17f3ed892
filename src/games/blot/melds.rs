//! Combinations: finds them in a hand, chooses among them, compares two sides (rules R33 to R49).

use std::cmp::Reverse;

use super::card::{Suit, Trump, rank};
use super::options::House;

/// The kind of a combination, the weakest first (rule R43).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MeldKind {
    /// Three in a row.
    Terz,
    /// Four in a row.
    Fifty,
    /// Five in a row.
    Hundred,
    /// The same card of all four suits.
    Four,
}

/// One combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Meld {
    /// The kind.
    pub kind: MeldKind,
    /// Its height ("boy"): the highest card of a run, the card of four (rule R44).
    pub rank: u8,
    /// The suit of a run.
    pub suit: Option<Suit>,
}

/// Fours from the strongest: 8 J 9 A 10 K Q (rule R45).
const FOUR_ORDER: [u8; 7] =
    [rank::EIGHT, rank::JACK, rank::NINE, rank::ACE, rank::TEN, rank::KING, rank::QUEEN];

/// The same card of all suits: the bits of rank 0.
const COLUMN: u32 = 0x0101_0101;

impl Meld {
    /// Its cards.
    pub fn cards(self) -> u32 {
        match self.suit {
            None => COLUMN << self.rank,
            Some(suit) => {
                let len = self.len();
                let lowest = u32::from(self.rank + 1 - len);
                ((1 << len) - 1) << lowest << (8 * suit as u32)
            }
        }
    }

    fn len(self) -> u8 {
        match self.kind {
            MeldKind::Terz => 3,
            MeldKind::Fifty | MeldKind::Four => 4,
            MeldKind::Hundred => 5,
        }
    }

    /// Its points, ten times as many in card points (rules R33 to R36, D31).
    pub fn value(self, trump: Trump, house: &House) -> u8 {
        match (self.kind, self.rank) {
            (MeldKind::Terz, _) => 2,
            (MeldKind::Fifty, _) => 5,
            (MeldKind::Hundred, _) => 10,
            (MeldKind::Four, rank) => four_value(rank, trump == Trump::Boy, house.aces11),
        }
    }

    /// Its strength: greater is stronger; a trump run beats the equal of another suit (rules R43 to
    /// R47).
    pub fn strength(self, trump: Trump) -> (MeldKind, u8, bool) {
        let height = match self.kind {
            MeldKind::Four => {
                let at = FOUR_ORDER.iter().position(|rank| *rank == self.rank).unwrap_or(7);
                u8::try_from(7 - at).unwrap_or(0)
            }
            MeldKind::Terz | MeldKind::Fifty | MeldKind::Hundred => self.rank,
        };
        (self.kind, height, self.suit.is_some() && self.suit == trump.suit())
    }
}

fn four_value(rank: u8, boy: bool, aces11: bool) -> u8 {
    match (rank, boy) {
        (rank::SEVEN | rank::EIGHT, _) => 0,
        (rank::JACK, true) if aces11 => 10,
        (rank::JACK, _) => 20,
        (rank::NINE, true) if aces11 => 0,
        (rank::NINE, true) => 10,
        (rank::NINE, false) => 14,
        (rank::ACE, true) => 19,
        (rank::ACE, false) if aces11 => 11,
        (_, _) => 10,
    }
}

/// Combinations of one hand that do not intersect, the strongest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Melds(Vec<Meld>);

impl Melds {
    /// The combinations that count by the house rules (decisions D20, D21, D25).
    pub fn best(hand: u32, trump: Trump, house: &House) -> Melds {
        Self::choose(hand, trump, house, house.meld_strength)
    }

    /// The alternative choice: the strongest combinations where the dearest count, or the other way
    /// round.
    pub fn other(hand: u32, trump: Trump, house: &House) -> Melds {
        Self::choose(hand, trump, house, !house.meld_strength)
    }

    fn choose(hand: u32, trump: Trump, house: &House, by_strength: bool) -> Melds {
        let twos = hand & hand >> 8;
        let has_four = twos & twos >> 16 & 0xfe != 0;
        let terzes = hand & (hand >> 1 & 0x7f7f_7f7f) & (hand >> 2 & 0x3f3f_3f3f);
        if !has_four && terzes == 0 {
            return Melds(Vec::new());
        }
        let mut search = MeldSearch {
            all: candidates(hand, house),
            trump,
            house,
            by_strength,
            best: Vec::new(),
            now: Vec::new(),
        };
        search.all.sort_by_key(|meld| Reverse(meld.strength(trump)));
        search.from(0, 0);
        Melds(search.best)
    }

    /// Sorts these combinations, as they were shown, the strongest first.
    pub fn new(melds: Vec<Meld>) -> Melds {
        Melds(melds)
    }

    /// The combinations, the strongest first.
    pub fn iter(&self) -> impl Iterator<Item = Meld> + '_ {
        self.0.iter().copied()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Their points together.
    pub fn value(&self, trump: Trump, house: &House) -> u8 {
        self.iter().map(|meld| meld.value(trump, house)).sum()
    }

    /// All their cards.
    pub fn cards(&self) -> u32 {
        self.iter().fold(0, |cards, meld| cards | meld.cards())
    }
}

/// Every combination in a hand, intersecting or not.
fn candidates(hand: u32, house: &House) -> Vec<Meld> {
    let mut all = Vec::with_capacity(8);
    let columns = hand & hand >> 8 & hand >> 16 & hand >> 24 & 0xfe;
    for rank in (1..8).filter(|rank| columns >> rank & 1 == 1) {
        all.push(Meld { kind: MeldKind::Four, rank, suit: None });
    }
    for suit in Suit::ALL {
        let cards = hand >> (8 * suit as u32) & 0xff;
        let whole = cards == 0xff && house.long_runs_single;
        for (kind, len) in [(MeldKind::Terz, 3u8), (MeldKind::Fifty, 4), (MeldKind::Hundred, 5)] {
            if whole && kind != MeldKind::Hundred {
                continue;
            }
            for top in len - 1..8 {
                let meld = Meld { kind, rank: top, suit: Some(suit) };
                if hand & meld.cards() == meld.cards() {
                    all.push(meld);
                }
            }
        }
    }
    all
}

struct MeldSearch<'a> {
    all: Vec<Meld>,
    trump: Trump,
    house: &'a House,
    by_strength: bool,
    best: Vec<Meld>,
    now: Vec<Meld>,
}

impl MeldSearch<'_> {
    /// Tries every set of disjoint combinations from this candidate on.
    fn from(&mut self, at: usize, taken: u32) {
        if self.is_better() {
            self.best.clone_from(&self.now);
        }
        for next in at..self.all.len() {
            let meld = self.all[next];
            if meld.cards() & taken == 0 {
                self.now.push(meld);
                self.from(next + 1, taken | meld.cards());
                self.now.pop();
            }
        }
    }

    fn is_better(&self) -> bool {
        let value = |melds: &[Meld]| -> u8 {
            melds.iter().map(|meld| meld.value(self.trump, self.house)).sum()
        };
        let strengths = |melds: &[Meld]| -> Vec<_> {
            melds.iter().map(|meld| meld.strength(self.trump)).collect()
        };
        let now = &self.now[..];
        let best = &self.best[..];
        let by_value = value(now).cmp(&value(best));
        let by_strength = strengths(now).cmp(&strengths(best));
        let order =
            if self.by_strength { by_strength.then(by_value) } else { by_value.then(by_strength) };
        order.is_gt()
    }
}

/// The side whose combinations count (rules R42 to R49), if any were shown. `first` is the seat
/// that is the first in turn among equals.
pub fn counting_team(shown: [&Melds; 4], first: u8, trump: Trump) -> Option<usize> {
    let in_turn = (0..4).map(|n| usize::from(first + n) & 3);
    let strongest = |seat: usize| shown[seat].iter().map(|meld| meld.strength(trump)).max();
    let mut best = None;
    for seat in in_turn {
        let of_seat = strongest(seat);
        if of_seat > best.map(|(strength, _)| strength) {
            best = of_seat.map(|strength| (strength, seat & 1));
        }
    }
    best.map(|(_, team)| team)
}

/// The queen and the king of trumps; none in boy (rule R37, decision D24).
pub fn blot_cards(trump: Trump) -> u32 {
    trump.cards() & (COLUMN << rank::QUEEN | COLUMN << rank::KING)
}

/// The points of blot-reblot for this hand: 2 or 0.
pub fn blot(hand: u32, trump: Trump) -> u8 {
    let pair = blot_cards(trump);
    if pair != 0 && hand & pair == pair { 2 } else { 0 }
}
