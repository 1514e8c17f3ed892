//! Which card first: those that cut off soonest, and none that another answers for.

use super::packed::Packing;
use super::search::{Spot, Trick, above, can_beat, suit_at};
use super::table::NO_CARD;

/// What has cut off before, by place in the trick and card.
pub(super) struct Lists {
    praise: [[i32; 32]; 4],
}

impl Lists {
    pub fn new() -> Self {
        Self { praise: [[0; 32]; 4] }
    }

    /// This card cut off with so many cards in a hand.
    pub fn praise(&mut self, at: usize, card: u32, left: u8) {
        let entry = &mut self.praise[at & 3][(card & 31) as usize];
        *entry += i32::from(left) * i32::from(left);
        if *entry > 1 << 20 {
            self.fade();
        }
    }

    fn fade(&mut self) {
        for list in &mut self.praise {
            for entry in list {
                *entry /= 2;
            }
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Move {
    card: u8,
    tried: bool,
    worth: i32,
    value: i16,
    /// Cards of one run: nothing of the others lies between them.
    run: u8,
}

/// The moves of one position, the most promising first.
pub(super) struct Moves {
    all: [Move; 8],
    len: usize,
    at: usize,
    ready: bool,
}

impl Moves {
    fn of(mut cards: u32, mut worth: impl FnMut(u32) -> i32) -> Moves {
        let mut moves = Moves { all: [Move::default(); 8], len: 0, at: 0, ready: false };
        while cards != 0 && moves.len < 8 {
            let card = cards.trailing_zeros();
            cards &= cards - 1;
            let it = Move { card: card as u8, worth: worth(card), ..Move::default() };
            moves.all[moves.len] = it;
            moves.len += 1;
        }
        moves
    }

    /// For the leader. `first` is a card known to be good.
    pub fn leads(spot: &Spot, packing: &Packing, lists: &Lists, first: u8) -> Moves {
        let [own, left, partner, right] = spot.hands;
        let _ = lists;
        Moves::of(own, |card| {
            if card as u8 == first && first != NO_CARD {
                return 1 << 20;
            }
            let suit = suit_at(card & 24);
            let points = i32::from(packing.points[(card & 31) as usize]);
            let trump = packing.trump && card < 8;
            let cut = |hand: u32| packing.trump && !trump && hand & suit == 0 && hand & 0xff != 0;
            let cuts = cut(left) || cut(right);
            let over = above(card);
            let theirs = (left | right) & suit;
            if cuts {
                return -10 - points;
            }
            if theirs & over == 0 {
                let pulls = if trump && theirs == 0 { -30 } else { 0 };
                return 60 + points + pulls;
            }
            let partner_top = (partner & suit) > theirs && partner & suit & over != 0;
            let partner_cuts = partner & suit == 0 && packing.trump && partner & 0xff != 0;
            if partner_top || (partner_cuts && !trump) {
                return 40 + points;
            }
            -2 * points - if trump { 5 } else { 0 }
        })
    }

    /// For the others.
    pub fn follows(
        spot: &Spot,
        trick: &Trick,
        at: usize,
        legal: u32,
        packing: &Packing,
        lists: &Lists,
    ) -> Moves {
        let _ = lists;
        let next = spot.hands[(at + 1) & 3];
        let partner_holds = trick.best_at + 2 == at;
        let stays = at == 3 || !can_beat(next, trick, packing.trump);
        Moves::of(legal, |card| {
            let points = i32::from(packing.points[(card & 31) as usize]);
            let trump = packing.trump && card < 8;
            let beats = if card & 24 == trick.best & 24 { card > trick.best } else { trump };
            let costs = (card & 7) as i32 + if trump { 12 } else { 0 };
            if beats {
                let now = Trick { best: card, best_at: at, ..*trick };
                let holds = at == 3 || !can_beat(next, &now, packing.trump);
                let gain = if holds { 30 + points } else { -points };
                return if partner_holds && stays { points - costs } else { gain - costs / 2 };
            }
            if partner_holds && stays {
                10 + 2 * points - costs / 2
            } else {
                -2 * points - costs / 2
            }
        })
    }

    /// The next card to try; `others` are the cards that separate two cards of this hand.
    pub fn next(&mut self, others: u32) -> Option<usize> {
        if self.at == self.len {
            return None;
        }
        if self.at == 1 && !self.ready {
            self.mark_runs(others);
        }
        let from = self.at;
        let mut best = from;
        for n in from + 1..self.len {
            if self.all[n].worth > self.all[best].worth {
                best = n;
            }
        }
        self.all.swap(from, best);
        self.at += 1;
        Some(from)
    }

    /// Numbers the runs: by suit and by how many cards of the others lie below.
    fn mark_runs(&mut self, others: u32) {
        for it in &mut self.all[..self.len] {
            let card = u32::from(it.card);
            let below = others & suit_at(card & 24) & ((1u32 << (card & 31)) - 1);
            it.run = (card & 24) as u8 | (below.count_ones() as u8 & 7);
        }
        self.ready = true;
    }

    pub fn card(&self, at: usize) -> u32 {
        u32::from(self.all[at].card)
    }

    /// What trying it gave.
    pub fn tell(&mut self, at: usize, value: i16) {
        self.all[at].value = value;
        self.all[at].tried = true;
    }

    /// At most this much, because a card of the same run was at most so much: exchanging the two
    /// changes nothing but who gets the difference of their points.
    pub fn bound_above(&self, at: usize, packing: &Packing) -> Option<i16> {
        self.alike(at, packing).map(|(value, apart)| value + apart).min()
    }

    /// At least this much, in the same way.
    pub fn bound_below(&self, at: usize, packing: &Packing) -> Option<i16> {
        self.alike(at, packing).map(|(value, apart)| value - apart).max()
    }

    fn alike(&self, at: usize, packing: &Packing) -> impl Iterator<Item = (i16, i16)> {
        let Move { card, run, .. } = self.all[at];
        let own = i16::from(packing.points[usize::from(card & 31)]);
        let points = packing.points;
        self.all[..at].iter().filter(move |it| it.tried && it.run == run).map(move |it| {
            let other = i16::from(points[usize::from(it.card & 31)]);
            (it.value, (own - other).abs())
        })
    }
}
