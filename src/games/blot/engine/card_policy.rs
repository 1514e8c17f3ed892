//! Estimates how likely a strong player plays each of its cards, from its hand and what everybody
//! sees.
//!
//! A softmax over the legal cards; the value of a card is a sum of learned weights, six for each
//! card, selected by what a player looks at: rank, length, masters, the trick, suits that were led
//! or refused. Equal cards (sevens, eights and nines without a card of another hand between them)
//! are one card, so that the habits of a program among equal cards mean nothing.
//! `play_inference` weighs hidden hands with it; `learn::cards` learns the weights. Weighing hands
//! by the policy of their owners follows Rebstock, Solinas, Buro and Sturtevant (2019, "Policy
//! based inference in trick-taking card games").

use super::packed::Packing;
use super::trick::{PackedTrick, above, suit_at};

/// Points of plain and trump cards in four groups, by strength.
const GROUP: [[usize; 8]; 2] = [[0, 0, 0, 1, 1, 1, 2, 3], [0, 0, 1, 1, 2, 2, 3, 3]];

/// Weights of one card.
const TERMS: usize = 6;

/// Sizes of the six tables of a lead, and of another card.
const LEAD: [usize; TERMS] = [64, 96, 16, 32, 32, 16];
const FOLLOW: [usize; TERMS] = [64, 64, 128, 64, 64, 64];

const fn sum(sizes: [usize; TERMS]) -> usize {
    sizes[0] + sizes[1] + sizes[2] + sizes[3] + sizes[4] + sizes[5]
}

/// Leads are distinguished by bidder, partner and defenders and by three phases of the round, other
/// cards by side, place and whether the partner holds the trick.
const LEADS: usize = 9 * sum(LEAD);

/// The number of weights.
pub const WEIGHTS: usize = LEADS + 10 * sum(FOLLOW);

/// The index of a weight in the first context of its kind.
pub(super) fn shared_term(term: usize) -> usize {
    match term.checked_sub(LEADS) {
        Some(follow) => LEADS + follow % sum(FOLLOW),
        None => term % sum(LEAD),
    }
}

/// The part of a round that every player sees, in packed cards.
#[derive(Clone, Copy, Debug)]
pub(super) struct PublicPlay {
    pub trick: PackedTrick,
    /// Cards on the table: their number and their set.
    pub at: usize,
    pub table: u32,
    pub leader: usize,
    /// All cards that were played.
    pub gone: u32,
    /// The seat that named the trump.
    pub bidder: usize,
    /// Suits that a seat refused, and suits that it led, a bit for each.
    refused: [u8; 4],
    led: [u8; 4],
}

impl PublicPlay {
    /// A round before its first card.
    pub fn new(leader: u8, bidder: u8) -> Self {
        Self {
            trick: PackedTrick::default(),
            at: 0,
            table: 0,
            leader: usize::from(leader & 3),
            gone: 0,
            bidder: usize::from(bidder & 3),
            refused: [0; 4],
            led: [0; 4],
        }
    }

    /// The seat to move.
    pub fn seat(&self) -> usize {
        (self.leader + self.at) & 3
    }

    /// The cards of this hand that the seat to move may play.
    pub fn legal(&self, hand: u32, packing: &Packing, undertrump: bool) -> u32 {
        match self.at {
            0 => hand,
            at => self.trick.legal(hand, at, packing.trump, undertrump),
        }
    }

    /// Adds a card of the seat to move.
    pub fn put(&mut self, card: u32, packing: &Packing) {
        let seat = self.seat();
        if self.at == 0 {
            self.led[seat] |= 1 << (card >> 3);
        } else if card & 24 != self.trick.led {
            self.refused[seat] |= 1 << (self.trick.led >> 3);
            let partner_holds = self.trick.best_at + 2 == self.at;
            if packing.trump && card >= 8 && !partner_holds && self.trick.best >= 8 {
                self.refused[seat] |= 1;
            }
        }
        self.trick = self.trick.with(self.at, card, packing);
        self.gone |= 1 << card;
        self.table |= 1 << card;
        self.at += 1;
        if self.at == 4 {
            self.leader = (self.leader + self.trick.best_at) & 3;
            self.at = 0;
            self.table = 0;
        }
    }
}

/// The cards that a player chooses from, equal ones once.
pub(super) fn distinct(legal: u32, hand: u32, public: &PublicPlay, packing: &Packing) -> u32 {
    let between = !(public.gone | hand) | public.table;
    let mut kept = legal;
    for shift in [0, 8, 16, 24] {
        let low = if packing.trump && shift == 0 { 2 } else { 3 };
        let mut last = None;
        for card in shift..shift + low {
            if between >> card & 1 == 1 {
                last = None;
            } else if legal >> card & 1 == 1 {
                if last.is_some() {
                    kept &= !(1 << card);
                }
                last = Some(card);
            }
        }
    }
    kept
}

/// The card of [`distinct`] that is equal to this one.
pub(super) fn first_of_equals(card: u32, distinct: u32) -> u32 {
    let below = distinct & suit_at(card & 24) & (u32::MAX >> (31 - card));
    if below == 0 { card } else { 31 - below.leading_zeros() }
}

/// The learned weights.
#[derive(Clone, Debug, PartialEq)]
pub struct CardPolicy {
    pub(super) weights: Vec<f32>,
}

/// The steps of stored weights.
const STEP: f32 = 1.0 / 4096.0;

impl CardPolicy {
    /// Weights before any training: every card is equally likely.
    pub fn untaught() -> CardPolicy {
        CardPolicy { weights: vec![0.0; WEIGHTS] }
    }

    /// Writes the weights as bytes, sixteen bits each.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.weights.iter().flat_map(|it| ((it / STEP).round() as i16).to_le_bytes()));
    }

    /// Reads what [`CardPolicy::write`] writes and nothing else.
    pub fn read(bytes: &[u8]) -> Option<CardPolicy> {
        let weight = |pair: &[u8]| f32::from(i16::from_le_bytes([pair[0], pair[1]])) * STEP;
        let weights = bytes.chunks_exact(2).map(weight).collect();
        (bytes.len() == 2 * WEIGHTS).then_some(CardPolicy { weights })
    }
}

/// A decision: the hand of the seat to move and what everybody sees.
pub(super) struct PolicyInput<'a> {
    pub hand: u32,
    pub public: &'a PublicPlay,
    pub packing: &'a Packing,
}

impl PolicyInput<'_> {
    /// The indices of the weights of a card.
    pub fn terms(&self, card: u32) -> [usize; TERMS] {
        if self.public.at == 0 { self.lead(card) } else { self.follow(card) }
    }

    fn out(&self) -> u32 {
        !(self.public.gone | self.hand)
    }

    /// Where the card lies among the own cards of its suit: alone, highest, lowest or between.
    fn place(&self, card: u32) -> usize {
        let own = self.hand & suit_at(card & 24);
        let higher = own & above(card) != 0;
        let lower = own & !above(card) & !(1 << card) != 0;
        usize::from(higher) * 2 + usize::from(lower)
    }

    fn lead(&self, card: u32) -> [usize; TERMS] {
        let public = self.public;
        let seat = public.seat();
        let suit = card >> 3;
        let mask = suit_at(card & 24);
        let trump = usize::from(self.packing.trump && suit == 0);
        let group = GROUP[trump][(card & 7) as usize];
        let own = self.hand & mask;
        let out = self.out() & mask;
        let over = ((out & above(card)).count_ones() as usize).min(3);
        let master = usize::from(over == 0);
        let length = (own.count_ones() as usize).min(4) - 1;
        let left = (out.count_ones() as usize).min(5);
        let top = out == 0 || own.leading_zeros() < out.leading_zeros();
        let bit = |cards: u8, suit: u32| usize::from(cards >> suit & 1);
        let [next, partner, last] = [1, 2, 3].map(|n| (seat + n) & 3);
        let cuts = |seat: usize| {
            bit(public.refused[seat], suit)
                * if self.packing.trump { 1 - bit(public.refused[seat], 0) } else { 1 }
        };
        let enemies_cut = cuts(next) | cuts(last);
        let led = bit(public.led[partner], suit) * 4
            + (bit(public.led[next], suit) | bit(public.led[last], suit)) * 2
            + bit(public.led[seat], suit);
        let trumps_out = usize::from(self.packing.trump && self.out() & 0xff != 0);
        let role = match (public.bidder + 4 - seat) & 3 {
            0 => 0,
            2 => 1,
            _ => 2,
        };
        let phase = match public.gone.count_ones() {
            0..4 => 0,
            4..12 => 1,
            _ => 2,
        };
        let [a, b, c, d, e, _] = LEAD;
        let base = (role * 3 + phase) * sum(LEAD);
        [
            base + ((trump * 4 + over) * 4 + group) * 2 + trumps_out,
            base + a + ((trump * 4 + length) * 6 + left) * 2 + master,
            base + a + b + (trump * 4 + self.place(card)) * 2 + usize::from(top),
            base + a + b + c + ((trump * 2 + usize::from(top)) * 4 + group) * 2 + master,
            base + a + b + c + d + (led * 2 + master) * 2 + trump,
            base + a
                + b
                + c
                + d
                + e
                + ((cuts(partner) * 2 + enemies_cut) * 2 + master) * 2
                + trumps_out,
        ]
    }

    fn follow(&self, card: u32) -> [usize; TERMS] {
        let public = self.public;
        let seat = public.seat();
        let trick = &public.trick;
        let suit = card >> 3;
        let mask = suit_at(card & 24);
        let trump = usize::from(self.packing.trump && suit == 0);
        let group = GROUP[trump][(card & 7) as usize];
        let kind = match (card & 24 == trick.led, trump) {
            (true, 0) => 0,
            (true, _) => 1,
            (false, 1) => 2,
            (false, _) => 3,
        };
        let beats = if card & 24 == trick.best & 24 { card > trick.best } else { trump == 1 };
        let beats = usize::from(beats);
        let out = self.out() & mask;
        let over = ((out & above(card)).count_ones() as usize).min(3);
        let master = usize::from(over == 0);
        let own = self.hand & mask;
        let length = (own.count_ones() as usize).min(4) - 1;
        let top = out == 0 || own.leading_zeros() < out.leading_zeros();
        let value = match trick.points {
            ..5 => 0,
            5..12 => 1,
            12..21 => 2,
            _ => 3,
        };
        let bit = |cards: u8, suit: u32| usize::from(cards >> suit & 1);
        let led = bit(public.led[(seat + 2) & 3], suit) * 2
            + (bit(public.led[(seat + 1) & 3], suit) | bit(public.led[(seat + 3) & 3], suit));
        let late = usize::from(public.gone.count_ones() >= 12);
        let partner_holds = trick.best_at + 2 == public.at;
        let side = (public.bidder + seat) & 1;
        let context = match (public.at, partner_holds) {
            (1, _) => 0,
            (2, false) => 1,
            (2, true) => 2,
            (_, false) => 3,
            (_, true) => 4,
        };
        let [a, b, c, d, e, _] = FOLLOW;
        let base = LEADS + (side * 5 + context) * sum(FOLLOW);
        [
            base + ((kind * 2 + beats) * 4 + group) * 2 + master,
            base + a + ((kind * 4 + self.place(card)) * 2 + beats) * 2 + late,
            base + a + b + ((kind * 4 + length) * 4 + group) * 2 + usize::from(top),
            base + a + b + c + ((kind * 4 + value) * 2 + beats) * 2 + usize::from(group > 1),
            base + a + b + c + d + (kind * 4 + over) * 4 + group,
            base + a + b + c + d + e + ((kind * 4 + led) * 2 + master) * 2 + late,
        ]
    }
}

impl CardPolicy {
    /// The value of a card.
    fn value(&self, spot: &PolicyInput<'_>, card: u32) -> f32 {
        spot.terms(card).iter().map(|term| self.weights[*term]).sum()
    }

    /// The most likely of the legal cards of this hand, of which there is at least one.
    pub(super) fn best(
        &self,
        hand: u32,
        legal: u32,
        public: &PublicPlay,
        packing: &Packing,
    ) -> u32 {
        let mut best = legal.trailing_zeros() & 31;
        if legal & legal.wrapping_sub(1) == 0 {
            return best;
        }
        let mut cards = distinct(legal, hand, public, packing);
        let spot = PolicyInput { hand, public, packing };
        let mut most = f32::MIN;
        while cards != 0 {
            let it = cards.trailing_zeros();
            cards &= cards - 1;
            let value = self.value(&spot, it);
            if value > most {
                (best, most) = (it, value);
            }
        }
        best
    }

    /// The probability of this card among the distinct cards.
    pub(super) fn chance(&self, spot: &PolicyInput<'_>, card: u32, distinct: u32) -> f32 {
        let mut all = 0.0;
        let mut cards = distinct;
        let chosen = self.value(spot, card);
        while cards != 0 {
            let it = cards.trailing_zeros();
            cards &= cards - 1;
            all += if it == card { 1.0 } else { (self.value(spot, it) - chosen).exp() };
        }
        1.0 / all
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::action::Deal;
    use super::super::super::card::{Card, Suit, Trump, rank};
    use super::super::auction::model::Model;
    use super::*;
    use crate::rules::Entropy;
    use crate::search::SeededRng;

    fn set(packing: &Packing, cards: &[(Suit, u8)]) -> u32 {
        let bit = |it: &(Suit, u8)| 1 << packing.card(Card::new(it.0, it.1));
        cards.iter().fold(0, |all, it| all | bit(it))
    }

    #[test]
    fn equal_cards_are_one_choice() {
        use Suit::{Clubs, Hearts};
        let packing = Packing::new(Trump::Suit(Suit::Spades));
        let mut public = PublicPlay::new(0, 0);
        let hand = set(&packing, &[(Clubs, rank::SEVEN), (Clubs, rank::NINE), (Hearts, rank::ACE)]);
        assert_eq!(distinct(hand, hand, &public, &packing), hand, "the eight is between");
        public.gone = set(&packing, &[(Clubs, rank::EIGHT)]);
        let nine = set(&packing, &[(Clubs, rank::NINE)]);
        assert_eq!(distinct(hand, hand, &public, &packing), hand & !nine);
        let seven = set(&packing, &[(Clubs, rank::SEVEN)]).trailing_zeros();
        assert_eq!(first_of_equals(nine.trailing_zeros(), hand & !nine), seven);
        public.table = public.gone;
        assert_eq!(distinct(hand, hand, &public, &packing), hand, "it is on the table");
    }

    #[test]
    fn the_chances_of_all_cards_add_up_to_one() {
        let policy = &Model::shipped().cards;
        let mut rng = SeededRng::new(7);
        for trump in Trump::ALL.into_iter().cycle().take(50) {
            let packing = Packing::new(trump);
            let mut hands = Deal::draw(&mut rng, false).hands.map(|hand| packing.pack(hand));
            let mut public = PublicPlay::new(1, rng.below(4) as u8);
            for _ in 0..32 {
                let hand = hands[public.seat()];
                let legal = match public.at {
                    0 => hand,
                    at => public.trick.legal(hand, at, packing.trump, false),
                };
                let cards = distinct(legal, hand, &public, &packing);
                let spot = PolicyInput { hand, public: &public, packing: &packing };
                let all = (0..32).filter(|card| cards >> card & 1 == 1);
                let sum: f32 = all.map(|card| policy.chance(&spot, card, cards)).sum();
                assert!((sum - 1.0).abs() < 1e-3, "{sum}");
                let card = legal.trailing_zeros();
                hands[public.seat()] &= !(1 << card);
                public.put(card, &packing);
            }
        }
    }

    #[test]
    fn a_strong_player_takes_a_rich_trick_with_the_ace() {
        use Suit::{Clubs, Hearts};
        let packing = Packing::new(Trump::Suit(Suit::Spades));
        let mut public = PublicPlay::new(0, 0);
        for rank in [rank::KING, rank::NINE, rank::TEN] {
            public.put(u32::from(packing.card(Card::new(Clubs, rank))), &packing);
        }
        let cards = [(Clubs, rank::ACE), (Clubs, rank::SEVEN), (Hearts, rank::SEVEN)];
        let hand = set(&packing, &cards);
        let legal = public.trick.legal(hand, public.at, true, false);
        let spot = PolicyInput { hand, public: &public, packing: &packing };
        let seven = set(&packing, &cards[1..2]).trailing_zeros();
        let chance = Model::shipped().cards.chance(&spot, seven, legal);
        assert!(chance < 0.1, "{chance}");
    }
}
