//! Weighs hands by how likely their owners would have played as they did.

use super::super::view::BlotView;
use super::card_policy::{CardPolicy, PolicyInput, PublicPlay, distinct, first_of_equals};
use super::packed::Packing;

/// A card of another seat, with what everybody saw before it.
struct PastCard {
    seat: usize,
    public: PublicPlay,
    card: u32,
    /// The cards that the seat had played before.
    before: u32,
}

/// The lower limit of the odds of a card: people play differently from the program.
const FLOOR: f32 = 0.01;

/// The cards of the other seats so far, ready to be compared with many hands.
pub(super) struct PlayInference<'a> {
    policy: &'a CardPolicy,
    packing: &'a Packing,
    undertrump: bool,
    past: Vec<PastCard>,
    public: PublicPlay,
}

impl<'a> PlayInference<'a> {
    /// Collects the cards of all seats but this one.
    pub fn new(
        view: &BlotView,
        seat: usize,
        policy: &'a CardPolicy,
        packing: &'a Packing,
    ) -> PlayInference<'a> {
        let leader = view.dealer.map_or(0, |dealer| (dealer.0 + 1) & 3);
        let bidder = view.contract.map_or(leader, |it| it.seat);
        let undertrump = view.options.house().undertrump;
        let mut public = PublicPlay::new(leader, bidder);
        let mut before = [0u32; 4];
        let mut past = Vec::with_capacity(24);
        let tricks = view.tricks.iter().flat_map(|trick| trick.cards);
        for card in tricks.chain(view.table.iter().map(|it| it.1)) {
            let card = u32::from(packing.card(card));
            let turn = public.seat();
            if turn != seat {
                past.push(PastCard { seat: turn, public, card, before: before[turn] });
            }
            before[turn] |= 1 << card;
            public.put(card, packing);
        }
        PlayInference { policy, packing, undertrump, past, public }
    }

    /// The round as everybody sees it now.
    pub fn public(&self) -> &PublicPlay {
        &self.public
    }

    /// The logarithm of the probability of these cards with hands as they were dealt.
    pub fn log_weight(&self, dealt: &[u32; 4]) -> f32 {
        let hands = dealt.map(|hand| self.packing.pack(hand));
        let mut sum = 0.0;
        for it in &self.past {
            let hand = hands[it.seat] & !it.before;
            let legal = it.public.legal(hand, self.packing, self.undertrump);
            let cards = distinct(legal, hand, &it.public, self.packing);
            if cards & cards.wrapping_sub(1) == 0 {
                continue;
            }
            let spot = PolicyInput { hand, public: &it.public, packing: self.packing };
            let chance = self.policy.chance(&spot, first_of_equals(it.card, cards), cards);
            sum += (FLOOR + (1.0 - FLOOR) * chance).ln();
        }
        sum
    }
}
