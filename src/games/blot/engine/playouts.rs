//! Playing a round to its end by rules of thumb, fast.
//!
//! The rules use what a player knows: the own hand and what has gone. They are those of the test
//! opponent `greedy`, too.

use super::super::tricks::Tricks;
use super::packed::Packing;
use super::trick::{PackedTrick, above};

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutOutcome {
    /// Card points by side, the last ten included.
    pub points: [i16; 2],
    /// Tricks by side.
    pub taken: [u8; 2],
}

/// A round in packed cards, ready to be played out many times.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    hands: [u32; 4],
    trick: PackedTrick,
    leader: usize,
    at: usize,
    points: [i16; 2],
    taken: [u8; 2],
    bidders: usize,
    undertrump: bool,
}

impl Run {
    /// From this position; `bidders` is the side that named the trump.
    pub(super) fn new(tricks: &Tricks, bidders: usize, packing: &Packing) -> Run {
        let mut trick = PackedTrick::default();
        for (at, card) in tricks.table().iter().enumerate() {
            trick = trick.with(at, u32::from(packing.card(*card)), packing);
        }
        Run {
            hands: tricks.hands().map(|hand| packing.pack(hand)),
            trick,
            leader: usize::from(tricks.leader()),
            at: tricks.table().len(),
            points: tricks.points().map(|it| i16::try_from(it).unwrap_or(162)),
            taken: tricks.taken(),
            bidders,
            undertrump: tricks.undertrump(),
        }
    }

    /// Puts a packed card for the one on turn.
    pub(super) fn put(&mut self, card: u32, packing: &Packing) {
        let seat = (self.leader + self.at) & 3;
        self.hands[seat] &= !(1 << card);
        self.trick = self.trick.with(self.at, card, packing);
        self.at += 1;
        if self.at == 4 {
            let winner = (self.leader + self.trick.best_at) & 3;
            let last = if self.hands[seat] == 0 { 10 } else { 0 };
            self.points[winner & 1] += self.trick.points + last;
            self.taken[winner & 1] += 1;
            self.leader = winner;
            self.at = 0;
        }
    }

    /// Plays to the end by the rules of thumb.
    pub(super) fn finish(mut self, packing: &Packing) -> PlayoutOutcome {
        while self.taken[0] + self.taken[1] < 8 {
            let seat = (self.leader + self.at) & 3;
            let hand = self.hands[seat];
            let all = self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3];
            let eyes = ThumbRules { hand, others: all & !hand, bidder: seat & 1 == self.bidders };
            let card = eyes.choose(&self.trick, self.at, self.undertrump, packing);
            self.put(card, packing);
        }
        PlayoutOutcome { points: self.points, taken: self.taken }
    }
}

/// Plays positions to their ends.
pub struct Playouts {
    packings: [Packing; 5],
}

impl Default for Playouts {
    fn default() -> Self {
        Self { packings: Packing::all() }
    }
}

impl Playouts {
    /// How the round ends when all go on by the rules of thumb; `bidders` is the side that named
    /// the trump.
    pub fn finish(&self, tricks: &Tricks, bidders: usize) -> PlayoutOutcome {
        let packing = &self.packings[Packing::number(tricks.trump())];
        Run::new(tricks, bidders, packing).finish(packing)
    }
}

/// What the rules of thumb look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThumbRules {
    /// The own cards.
    pub hand: u32,
    /// The cards that others still hold.
    pub others: u32,
    /// Whether the own side named the trump.
    pub bidder: bool,
}

impl ThumbRules {
    /// A legal card for this place in the trick.
    pub fn choose(
        &self,
        trick: &PackedTrick,
        at: usize,
        undertrump: bool,
        packing: &Packing,
    ) -> u32 {
        if self.hand & self.hand.wrapping_sub(1) == 0 {
            return self.hand.trailing_zeros() & 31;
        }
        if at == 0 {
            return self.lead(packing);
        }
        let legal = trick.legal(self.hand, at, packing.trump, undertrump);
        if legal & (legal - 1) == 0 {
            return legal.trailing_zeros();
        }
        self.follow(trick, at, legal, packing)
    }

    /// Draws trumps for the bidders, then cashes masters, or gets rid of the cheapest card.
    pub fn lead(&self, packing: &Packing) -> u32 {
        let trumps = if packing.trump { 0xff } else { 0 };
        let masters = self.masters(self.hand);
        if self.bidder && masters & trumps != 0 && self.others & trumps != 0 {
            return 31 - (masters & trumps).leading_zeros();
        }
        match masters & !trumps {
            0 => cheapest(self.hand, packing),
            plain => dearest(plain, packing),
        }
    }

    /// Not the first in a trick; `legal` is what may be put.
    pub fn follow(&self, trick: &PackedTrick, at: usize, legal: u32, packing: &Packing) -> u32 {
        let trumps = if packing.trump { 0xff } else { 0 };
        let partner_holds = trick.best_at + 2 == at;
        let is_last = at == 3;
        let aces = 0x8080_8080 & !trumps;
        if partner_holds && (is_last || above(trick.best) & self.others == 0) {
            let gifts = legal & !trumps & if is_last { u32::MAX } else { !aces };
            return if gifts != 0 { dearest(gifts, packing) } else { cheapest(legal, packing) };
        }
        let cut = if trick.best < 8 { 0 } else { trumps };
        let winning = legal & (above(trick.best) | cut);
        let sure = if is_last { winning } else { self.masters(winning) };
        if sure == 0 {
            let hopeless = legal & !winning;
            return cheapest(if hopeless != 0 { hopeless } else { legal }, packing);
        }
        // Cutting costs a trump: the weakest that does it.
        if sure & !trumps == 0 { sure.trailing_zeros() } else { dearest(sure, packing) }
    }

    /// Those that nothing of their own suit beats that is still out.
    fn masters(&self, cards: u32) -> u32 {
        let mut masters = 0;
        for shift in [0, 8, 16, 24] {
            let own = cards >> shift & 0xff;
            let out = self.others >> shift & 0xff;
            let over = if out == 0 { 0xff } else { 0xff & !(u32::MAX >> out.leading_zeros()) };
            masters |= (own & over) << shift;
        }
        masters
    }
}

/// The card to throw away: no trump, few points, weak.
fn cheapest(cards: u32, packing: &Packing) -> u32 {
    let plain = if packing.trump { cards & !0xff } else { cards };
    if plain == 0 {
        return cards.trailing_zeros() & 31;
    }
    // Strength orders points: the lowest card of a suit is its cheapest.
    let (mut best, mut cost) = (0, u32::MAX);
    for shift in [0, 8, 16, 24] {
        let suit = plain >> shift & 0xff;
        if suit != 0 {
            let card = shift + suit.trailing_zeros();
            let it = u32::from(packing.points[(card & 31) as usize]) * 8 + (card & 7);
            if it < cost {
                (best, cost) = (card, it);
            }
        }
    }
    best
}

/// The card that counts most.
fn dearest(cards: u32, packing: &Packing) -> u32 {
    let (mut best, mut most) = (cards.trailing_zeros() & 31, 0);
    for shift in [0, 8, 16, 24] {
        let suit = cards >> shift & 0xff;
        if suit != 0 {
            let card = shift + 31 - suit.leading_zeros();
            let it = packing.points[(card & 31) as usize];
            if it > most {
                (best, most) = (card, it);
            }
        }
    }
    best
}
