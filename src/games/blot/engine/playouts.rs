//! Plays a round to its end by rules of thumb, fast.
//!
//! The rules use only what a player knows: the own hand and the cards that were played. The test
//! opponent `greedy` uses them, too.

use super::super::tricks::Tricks;
use super::packed::Packing;
use super::trick::{PackedTrick, above};

/// The result of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutOutcome {
    /// Card points by side, the last ten included.
    pub points: [i16; 2],
    /// Tricks by side.
    pub taken: [u8; 2],
}

/// A round in packed cards, ready to be played out many times.
#[derive(Clone, Copy, Debug)]
pub struct PackedRound {
    hands: [u32; 4],
    trick: PackedTrick,
    leader: usize,
    at: usize,
    points: [i16; 2],
    taken: [u8; 2],
    bidders: usize,
    undertrump: bool,
}

impl PackedRound {
    /// The round from this position on; `bidders` is the side that named the trump.
    pub(super) fn new(tricks: &Tricks, bidders: usize, packing: &Packing) -> PackedRound {
        let mut trick = PackedTrick::default();
        for (at, card) in tricks.table().iter().enumerate() {
            trick = trick.with(at, u32::from(packing.card(*card)), packing);
        }
        PackedRound {
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

    /// Plays a packed card for the seat to move.
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
            let rules = ThumbRules { hand, others: all & !hand, bidder: seat & 1 == self.bidders };
            let card = rules.choose(&self.trick, self.at, self.undertrump, packing);
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
    /// The result of the round if all seats go on by rules of thumb; `bidders` is the side that
    /// named the trump.
    pub fn finish(&self, tricks: &Tricks, bidders: usize) -> PlayoutOutcome {
        let packing = &self.packings[Packing::number(tricks.trump())];
        PackedRound::new(tricks, bidders, packing).finish(packing)
    }
}

/// The input of the rules of thumb.
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

    /// Chooses a lead: bidders draw trumps first, then masters are cashed, otherwise the cheapest
    /// card is led.
    pub fn lead(&self, packing: &Packing) -> u32 {
        let trumps = if packing.trump { 0xff } else { 0 };
        let masters = self.masters(self.hand);
        if self.bidder && masters & trumps != 0 && self.others & trumps != 0 {
            return 31 - (masters & trumps).leading_zeros();
        }
        match masters & !trumps {
            0 => lowest_card(self.hand, packing),
            plain => highest_card(plain, packing),
        }
    }

    /// Chooses a card for a later place in a trick; `legal` are the legal cards.
    pub fn follow(&self, trick: &PackedTrick, at: usize, legal: u32, packing: &Packing) -> u32 {
        let trumps = if packing.trump { 0xff } else { 0 };
        let partner_holds = trick.best_at + 2 == at;
        let is_last = at == 3;
        let aces = 0x8080_8080 & !trumps;
        if partner_holds && (is_last || above(trick.best) & self.others == 0) {
            let discards = legal & !trumps & if is_last { u32::MAX } else { !aces };
            return if discards != 0 {
                highest_card(discards, packing)
            } else {
                lowest_card(legal, packing)
            };
        }
        let cut = if trick.best < 8 { 0 } else { trumps };
        let winning = legal & (above(trick.best) | cut);
        let winners = if is_last { winning } else { self.masters(winning) };
        if winners == 0 {
            let losing = legal & !winning;
            return lowest_card(if losing != 0 { losing } else { legal }, packing);
        }
        // Cutting costs a trump: use the weakest that wins.
        if winners & !trumps == 0 {
            winners.trailing_zeros()
        } else {
            highest_card(winners, packing)
        }
    }

    /// The cards that no card of the same suit in another hand beats.
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

/// The card to discard: no trump if possible, few points, weak.
fn lowest_card(cards: u32, packing: &Packing) -> u32 {
    let plain = if packing.trump { cards & !0xff } else { cards };
    if plain == 0 {
        return cards.trailing_zeros() & 31;
    }
    // Strength orders points: the lowest card of a suit is its cheapest.
    let mut best = 0;
    let mut least = u32::MAX;
    for shift in [0, 8, 16, 24] {
        let suit = plain >> shift & 0xff;
        if suit != 0 {
            let card = shift + suit.trailing_zeros();
            let it = u32::from(packing.points[(card & 31) as usize]) * 8 + (card & 7);
            if it < least {
                (best, least) = (card, it);
            }
        }
    }
    best
}

/// The card with the most points.
fn highest_card(cards: u32, packing: &Packing) -> u32 {
    let mut best = cards.trailing_zeros() & 31;
    let mut most = 0;
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
