//! Searches with null windows and relative seats; one function handles the state between two
//! tricks, one the places inside a trick.

use super::super::packed::Packing;
use super::super::trick::PackedTrick;
use super::moves::{CutoffCards, SolverMoves};
use super::table::{NO_CARD, SolverBounds, SolverTable};

/// The value of a kaput above the 162 points of all tricks, and its cost for the other side.
pub(super) const KAPUT: i16 = 88;

/// Larger than every value.
const FAR: i16 = 1_000;

/// A position between two tricks, or the rest of it inside one. Hand 0 leads; "we" are hands 0 and
/// 2.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolverPosition {
    pub hands: [u32; 4],
    /// Points of all cards in the hands, the last ten included.
    pub rest: i16,
    /// Cards in the leader's hand before the trick.
    pub left: u8,
    /// The sides that may still take every trick of the round: bit 0 we, bit 1 they.
    pub sweep: u8,
}

/// A position between tricks that needs search.
#[derive(Clone, Copy)]
struct OpenPosition {
    key: u64,
    known: SolverBounds,
}

enum Probe {
    Known(i16),
    NeedsSearch(OpenPosition),
}

pub(super) struct SolverSearch<'a> {
    pub table: &'a mut SolverTable,
    pub lists: &'a mut CutoffCards,
    pub packing: &'a Packing,
    pub undertrump: bool,
    /// Makes the keys of different rules different.
    pub seed: u64,
    pub nodes: u64,
}

impl SolverSearch<'_> {
    /// A bound of what we still take: a lower bound of at least `beta`, or an upper bound below it.
    pub fn between(&mut self, spot: &SolverPosition, beta: i16) -> i16 {
        match self.value_without_search(spot, beta) {
            Probe::Known(value) => value,
            Probe::NeedsSearch(open) => self.search_leads(spot, beta, open),
        }
    }

    /// The value if sure winners or the table decide it without search.
    fn value_without_search(&mut self, spot: &SolverPosition, beta: i16) -> Probe {
        if spot.left == 1 {
            return Probe::Known(self.last(spot));
        }
        let (low, high) = super::bounds::bounds(spot, beta, self.packing);
        if low >= beta || low == high {
            return Probe::Known(low);
        }
        if high < beta {
            return Probe::Known(high);
        }
        let key = super::key::key(spot, self.seed, self.packing.trump);
        let mut known = SolverBounds { low, high, card: NO_CARD };
        if let Some(found) = self.table.get(key) {
            known.low = known.low.max(found.low);
            known.high = known.high.min(found.high);
            known.card = found.card;
            if known.low >= beta || known.low == known.high {
                return Probe::Known(known.low);
            }
            if known.high < beta {
                return Probe::Known(known.high);
            }
        }
        Probe::NeedsSearch(OpenPosition { key, known })
    }

    fn search_leads(&mut self, spot: &SolverPosition, beta: i16, open: OpenPosition) -> i16 {
        self.nodes += 1;
        let OpenPosition { key, mut known } = open;
        let (value, card) = self.lead(spot, beta, known.card);
        let value = value.clamp(known.low, known.high);
        if value >= beta {
            known.low = value;
            known.card = card;
        } else {
            known.high = value;
        }
        self.table.put(key, known, spot.left);
        value
    }

    /// Tries the leads; returns the value and the card that reached `beta`.
    fn lead(&mut self, spot: &SolverPosition, beta: i16, first: u8) -> (i16, u8) {
        let mut moves = SolverMoves::leads(spot, self.packing, [first, self.lists.lead(spot.left)]);
        let others = spot.hands[1] | spot.hands[2] | spot.hands[3];
        let mut best = -FAR;
        while let Some(at) = moves.next(others) {
            if let Some(most) = moves.bound_above(at, self.packing)
                && most < beta
            {
                best = best.max(most);
                moves.tell(at, most);
                continue;
            }
            let card = moves.card(at);
            let trick = PackedTrick::default().with(0, card, self.packing);
            let mut after = *spot;
            after.hands[0] &= !(1 << card);
            let value = self.inside(&after, &trick, 1, beta);
            if value >= beta {
                self.lists.led(spot.left, card);
                return (value, card as u8);
            }
            best = best.max(value);
            moves.tell(at, value);
        }
        (best, NO_CARD)
    }

    /// The value inside a trick; the hand at place `at` is to play.
    pub fn inside(
        &mut self,
        spot: &SolverPosition,
        trick: &PackedTrick,
        at: usize,
        beta: i16,
    ) -> i16 {
        if at == 4 {
            return self.finish(spot, trick, beta);
        }
        let hand = spot.hands[at];
        let legal = trick.legal(hand, at, self.packing.trump, self.undertrump);
        if legal & (legal - 1) == 0 {
            return self.put(spot, trick, at, legal.trailing_zeros(), beta);
        }
        let we = at & 1 == 0;
        let others = spot.hands[(at + 1) & 3]
            | spot.hands[(at + 2) & 3]
            | spot.hands[(at + 3) & 3]
            | 1 << trick.best;
        let mut moves = SolverMoves::follows(spot, trick, at, legal, self.packing, self.lists);
        let mut best = if we { -FAR } else { FAR };
        while let Some(card_at) = moves.next(others) {
            let card = moves.card(card_at);
            let bound = if we {
                moves.bound_above(card_at, self.packing).filter(|it| *it < beta)
            } else {
                moves.bound_below(card_at, self.packing).filter(|it| *it >= beta)
            };
            let value = match bound {
                Some(value) => value,
                None => self.put(spot, trick, at, card, beta),
            };
            if we == (value >= beta) {
                self.lists.replied(spot.left, at, trick.lead, card);
                return value;
            }
            best = if we { best.max(value) } else { best.min(value) };
            moves.tell(card_at, value);
        }
        best
    }

    fn put(
        &mut self,
        spot: &SolverPosition,
        trick: &PackedTrick,
        at: usize,
        card: u32,
        beta: i16,
    ) -> i16 {
        let mut spot = *spot;
        spot.hands[at] &= !(1 << card);
        let trick = trick.with(at, card, self.packing);
        self.inside(&spot, &trick, at + 1, beta)
    }

    /// The position after a trick, its contribution to the value, and whether the value must be
    /// subtracted from it because the other side leads.
    fn next(spot: &SolverPosition, trick: &PackedTrick) -> (SolverPosition, i16, bool) {
        let winner = trick.best_at;
        let hands = [0, 1, 2, 3].map(|n| spot.hands[(winner + n) & 3]);
        let rest = spot.rest - trick.points;
        let left = spot.left - 1;
        match winner & 1 == 0 {
            true => {
                (SolverPosition { hands, rest, left, sweep: spot.sweep & 1 }, trick.points, false)
            }
            false => (SolverPosition { hands, rest, left, sweep: spot.sweep >> 1 }, rest, true),
        }
    }

    fn finish(&mut self, spot: &SolverPosition, trick: &PackedTrick, beta: i16) -> i16 {
        let winner = trick.best_at;
        let ours = winner & 1 == 0;
        if spot.left == 1 {
            return match ours {
                true => spot.rest + if spot.sweep & 1 != 0 { KAPUT } else { 0 },
                false => -(if spot.sweep & 2 != 0 { KAPUT } else { 0 }),
            };
        }
        match Self::next(spot, trick) {
            (next, add, false) => add + self.between(&next, beta - add),
            (next, all, true) => all - self.between(&next, all - beta + 1),
        }
    }

    /// The value of the last trick.
    fn last(&mut self, spot: &SolverPosition) -> i16 {
        let mut trick = PackedTrick::default();
        for (at, hand) in spot.hands.iter().enumerate() {
            trick = trick.with(at, hand.trailing_zeros(), self.packing);
        }
        self.finish(spot, &trick, 0)
    }
}
