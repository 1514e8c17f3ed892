//! Orders the cards to try: those that cause cutoffs first, and only one of equivalent cards.

use super::super::packed::Packing;
use super::super::trick::{PackedTrick, above, can_beat, suit_at};
use super::search::SolverPosition;
use super::table::NO_CARD;

/// The cards that caused the latest cutoffs, by number of cards in a hand: as leads, and as replies
/// to a lead.
pub(super) struct CutoffCards {
    leads: [u8; 9],
    replies: [[[u8; 32]; 3]; 9],
}

impl Default for CutoffCards {
    fn default() -> Self {
        Self { leads: [NO_CARD; 9], replies: [[[NO_CARD; 32]; 3]; 9] }
    }
}

impl CutoffCards {
    /// The lead that caused the latest cutoff with this number of cards.
    pub fn lead(&self, left: u8) -> u8 {
        self.leads[usize::from(left)]
    }

    /// Stores that this lead caused a cutoff.
    pub fn led(&mut self, left: u8, card: u32) {
        self.leads[usize::from(left)] = card as u8;
    }

    fn reply(&self, left: u8, at: usize, lead: u32) -> u8 {
        self.replies[usize::from(left)][at - 1][(lead & 31) as usize]
    }

    /// Stores that this card at place `at` of a trick, 1 to 3, caused a cutoff.
    pub fn replied(&mut self, left: u8, at: usize, lead: u32, card: u32) {
        self.replies[usize::from(left)][at - 1][(lead & 31) as usize] = card as u8;
    }
}

/// The bonus of a killer card, by place in the trick.
const KILLER: [i32; 4] = [100, 40, 40, 20];

/// The weights of move ordering; shares of points are in sixteenths. Found by coordinate descent on
/// the number of positions that are searched in random deals of seven cards.
#[derive(Clone, Copy, Debug)]
struct MoveWeights {
    /// For leading a suit that will be cut: a constant and the weight of each point.
    cut: [i32; 2],
    /// For leading a master.
    master: [i32; 2],
    /// For leading trumps when the opponents have none.
    idle: i32,
    /// For leading to the partner's master or cut.
    partner: [i32; 2],
    /// For any other lead: the weight of points, and of a trump.
    else_points: i32,
    else_trump: i32,
    /// The cost of strength and of a trump.
    strength: i32,
    trump: i32,
    /// For winning the trick.
    takes: i32,
    /// For adding points to a trick that the partner wins.
    adds: [i32; 2],
    /// For giving points to the opponents.
    throws: i32,
}

/// The weights of a round with a trump.
const WITH_TRUMP: MoveWeights = MoveWeights {
    cut: [-10, -8],
    master: [30, 3],
    idle: -60,
    partner: [40, 12],
    else_points: -16,
    else_trump: -5,
    strength: -8,
    trump: -16,
    takes: 30,
    adds: [0, 22],
    throws: -52,
};

/// The weights of a round without a trump.
const BOY: MoveWeights = WITH_TRUMP;

#[derive(Clone, Copy, Default)]
struct Move {
    card: u8,
    tried: bool,
    worth: i32,
    value: i16,
    /// The run of the card: cards of a run have no card of another hand between them.
    run: u8,
}

/// The moves of one position, the most promising first.
pub(super) struct SolverMoves {
    all: [Move; 8],
    len: usize,
    at: usize,
    ready: bool,
}

impl SolverMoves {
    fn from_cards(mut cards: u32, mut worth: impl FnMut(u32) -> i32) -> SolverMoves {
        let mut moves = SolverMoves { all: [Move::default(); 8], len: 0, at: 0, ready: false };
        while cards != 0 && moves.len < 8 {
            let card = cards.trailing_zeros();
            cards &= cards - 1;
            let it = Move { card: card as u8, worth: worth(card), ..Move::default() };
            moves.all[moves.len] = it;
            moves.len += 1;
        }
        moves
    }

    /// The moves of the leader. `first` is a card known to be good here, `killer` one that was good
    /// elsewhere.
    pub fn leads(
        spot: &SolverPosition,
        packing: &Packing,
        [first, killer]: [u8; 2],
    ) -> SolverMoves {
        let [own, left, partner, right] = spot.hands;
        let w = if packing.trump { &WITH_TRUMP } else { &BOY };
        let share = |[base, share]: [i32; 2], points: i32| base + share * points / 16;
        let base = |card: u32| {
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
                return share(w.cut, points);
            }
            if theirs & over == 0 {
                let idle = if trump && theirs == 0 { w.idle } else { 0 };
                return share(w.master, points) + idle;
            }
            let partner_top = (partner & suit) > theirs && partner & suit & over != 0;
            let partner_cuts = partner & suit == 0 && packing.trump && partner & 0xff != 0;
            if partner_top || (partner_cuts && !trump) {
                return share(w.partner, points);
            }
            w.else_points * points / 16 + if trump { w.else_trump } else { 0 }
        };
        let bonus = |card: u32| if card as u8 == killer { KILLER[0] } else { 0 };
        SolverMoves::from_cards(own, |card| base(card) + bonus(card))
    }

    /// The moves of the other seats in a trick.
    pub fn follows(
        spot: &SolverPosition,
        trick: &PackedTrick,
        at: usize,
        legal: u32,
        packing: &Packing,
        lists: &CutoffCards,
    ) -> SolverMoves {
        let killer = lists.reply(spot.left, at, trick.lead);
        let next = spot.hands[(at + 1) & 3];
        let partner_holds = trick.best_at + 2 == at;
        let w = if packing.trump { &WITH_TRUMP } else { &BOY };
        let stays = at == 3 || !can_beat(next, trick, packing.trump);
        let base = |card: u32| {
            let points = i32::from(packing.points[(card & 31) as usize]);
            let trump = packing.trump && card < 8;
            let beats = if card & 24 == trick.best & 24 { card > trick.best } else { trump };
            let costs = (card & 7) as i32 * w.strength / 16 + if trump { w.trump } else { 0 };
            if beats {
                let now = PackedTrick { best: card, best_at: at, ..*trick };
                let holds = at == 3 || !can_beat(next, &now, packing.trump);
                let gain = if holds { w.takes + points } else { -points };
                return if partner_holds && stays { points + costs } else { gain + costs };
            }
            if partner_holds && stays {
                w.adds[0] + w.adds[1] * points / 16 + costs
            } else {
                w.throws * points / 16 + costs
            }
        };
        let bonus = |card: u32| if card as u8 == killer { KILLER[at & 3] } else { 0 };
        SolverMoves::from_cards(legal, |card| base(card) + bonus(card))
    }

    /// The index of the next card to try; `others` are the cards that separate two cards of this
    /// hand.
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

    /// Numbers the runs by suit and by the number of cards of the others below.
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

    /// Stores the value of a card that was tried.
    pub fn tell(&mut self, at: usize, value: i16) {
        self.all[at].value = value;
        self.all[at].tried = true;
    }

    /// An upper bound from a card of the same run that was tried: exchanging the two cards changes
    /// only which side gets the difference of their points.
    pub fn bound_above(&self, at: usize, packing: &Packing) -> Option<i16> {
        self.alike(at, packing).map(|(value, apart)| value + apart).min()
    }

    /// A lower bound, in the same way.
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
